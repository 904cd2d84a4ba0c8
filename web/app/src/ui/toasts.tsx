import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect } from "react";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "./button.tsx";
import { join } from "./class.ts";
import { type Action, deliverTo } from "./toast.ts";

const manager = Toast.createToastManager();

function List() {
  const text = useText();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={join(
        "flex items-start gap-2.5 rounded-lg border bg-surface py-2.5 pr-1.5 pl-3 shadow-high",
        "transition-[opacity,translate] duration-200",
        "data-[starting-style]:translate-y-3 data-[starting-style]:opacity-0 data-[ending-style]:opacity-0",
        toast.type === "failed" ? "border-danger/50" : "border-line",
      )}
    >
      {toast.type === "failed" ? (
        <CircleAlert size={17} className="mt-0.5 shrink-0 text-danger" aria-hidden />
      ) : (
        <CircleCheck size={17} className="mt-0.5 shrink-0 text-accent" aria-hidden />
      )}
      <Toast.Content className="min-w-0 flex-1 py-px">
        <Toast.Title className="text-[14px] font-[560] break-words" />
        <Toast.Description className="mt-0.5 text-[13px] break-words text-muted" />
      </Toast.Content>
      {toast.data && (
        <Button
          size="sm"
          onClick={() => {
            (toast.data as Action).run();
            manager.close(toast.id);
          }}
        >
          {(toast.data as Action).label}
        </Button>
      )}
      <Toast.Close render={<IconButton label={text.action.close} size="sm" />}>
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** The messages over the page. It is loaded with the first of them. */
export default function Toasts() {
  useEffect(
    () =>
      deliverTo((message) =>
        manager.add(
          message.failed
            ? {
                id: message.key,
                title: message.title,
                description: message.detail,
                type: "failed",
                priority: "high",
                timeout: 9000,
                data: message.action,
              }
            : {
                title: message.title,
                description: message.detail,
                type: "done",
                timeout: message.action ? 9000 : 4000,
                data: message.action,
              },
        ),
      ),
    [],
  );
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-[calc(100vw-32px)] max-w-[380px] flex-col gap-2">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
