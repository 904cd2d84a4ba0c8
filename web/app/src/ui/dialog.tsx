import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useText } from "../text/index.ts";
import { IconButton } from "./button.tsx";
import { join } from "./class.ts";
import { backdrop } from "./confirm.tsx";
import { useDiscardQuestion } from "./unsaved.tsx";

const width = { sm: "max-w-[420px]", md: "max-w-[560px]", lg: "max-w-[780px]", xl: "max-w-[1080px]" };

const entry = ["input:not([type=hidden], [type=checkbox], [type=radio], [type=file])", "textarea", "select"]
  .map((control) => `${control}:not(:disabled, [readonly])`)
  .join();

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  size?: keyof typeof width;
  /** Set for content that would be lost by a stray click outside the dialog. */
  keepOnOutsidePress?: boolean;
  /**
   * Set for what is shown once or is under way: neither Esc nor a press outside the dialog closes
   * it; only its own buttons do.
   */
  explicit?: boolean;
  /**
   * Set for what opens by itself, perhaps while somebody types: the focus moves to the dialog, where
   * a key that was meant for the page presses no button.
   */
  unasked?: boolean;
};

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  size = "sm",
  keepOnOutsidePress,
  explicit,
  unasked,
}: DialogProps) {
  const text = useText();
  const popup = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const question = useDiscardQuestion(onClose);
  // What is to be entered gets the focus, and not the button that closes. A keyboard on a touch screen would cover
  // the dialog.
  const first = (by: string) =>
    by === "touch" ? popup.current : (body.current?.querySelector<HTMLElement>(entry) ?? true);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => !next && !explicit && question.mayClose(details) && onClose()}
      disablePointerDismissal={keepOnOutsidePress || explicit}
    >
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={unasked ? popup : first}
          className={join(
            "pop fixed inset-x-3 top-[max(12px,9vh)] z-50 mx-auto flex max-h-[calc(100dvh-max(24px,12vh))] flex-col",
            "rounded-xl border border-line bg-surface shadow-high outline-none",
            width[size],
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4.5 pb-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-[17px]">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-muted">{description}</Base.Description>}
            </div>
            {!explicit && (
              <Base.Close render={<IconButton label={text.action.close} className="-mr-2 -mt-0.5" />}>
                <X size={17} aria-hidden />
              </Base.Close>
            )}
          </header>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{question.around(children)}</div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3.5">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
