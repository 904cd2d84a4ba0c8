import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Problem } from "../api/client.ts";
import { text } from "../text/index.ts";
import { IconButton } from "./button.tsx";
import { join } from "./class.ts";

const manager = Toast.createToastManager();

/** Says that something was done. */
export function tell(title: string, description?: string) {
  manager.add({ title, description, type: "done", timeout: 4000 });
}

/** Says what went wrong; it stays longer, and is read out at once. */
export function complain(error: unknown, title?: string) {
  const problem = Problem.from(error);
  const heading = title ?? problem.title;
  const detail = problem.items.length > 1 ? problem.items.map((item) => item.message).join(" ") : problem.message;
  manager.add({
    title: heading,
    description: detail === heading ? undefined : detail,
    type: "failed",
    priority: "high",
    timeout: 9000,
  });
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={join(
        "flex items-start gap-2.5 rounded-lg border bg-surface py-2.5 pr-1.5 pl-3 shadow-high transition-[opacity,translate] duration-200",
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
      <Toast.Close render={<IconButton label={text.action.close} size="sm" />}>
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}

export function Toasts() {
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
