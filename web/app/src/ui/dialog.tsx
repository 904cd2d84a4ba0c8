import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "./button.tsx";
import { join } from "./class.ts";
import { Input, Row } from "./form.tsx";

const backdrop = join(
  "fixed inset-0 z-40 bg-overlay transition-opacity duration-150 data-[starting-",
  "style]:opacity-0 data-[ending-style]:opacity-0",
);

const width = { sm: "max-w-[420px]", md: "max-w-[560px]", lg: "max-w-[780px]", xl: "max-w-[1080px]" };

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  size?: keyof typeof width;
  /** Set for content that would be lost by a stray click beside the dialog. */
  keepOnOutsidePress?: boolean;
  /**
   * Set for what is shown once or is under way: neither Esc nor a press beside the dialog closes
   * it, only its own buttons do.
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
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => !next && !explicit && onClose()}
      disablePointerDismissal={keepOnOutsidePress || explicit}
    >
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={unasked ? popup : undefined}
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
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
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

type ConfirmProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  body: ReactNode;
  action: string;
  /** When given, the action waits until exactly this was typed. */
  typed?: string;
  onConfirm: () => Promise<unknown> | void;
};

/**
 * Asks before something that cannot be taken back. It stays open, and usable, when the action
 * fails.
 */
export function Confirm({ open, onClose, title, body, action, typed, onConfirm }: ConfirmProps) {
  const text = useText();
  const [entry, setEntry] = useState("");
  const [busy, setBusy] = useState(false);
  const ready = typed === undefined || entry.trim() === typed.trim();
  const close = () => {
    setEntry("");
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    try {
      await onConfirm();
      close();
    } catch {
      // The action has told what went wrong; the question stays.
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdrop} />
        <AlertDialog.Popup
          className={join(
            "pop fixed inset-x-3 top-[18vh] z-50 mx-auto max-w-[430px] rounded-xl",
            "border border-line bg-surface shadow-high outline-none",
          )}
        >
          <form onSubmit={submit}>
            <div className="px-5 pt-4.5 pb-4">
              <AlertDialog.Title className="text-[17px]">{title}</AlertDialog.Title>
              <AlertDialog.Description render={<div />} className="mt-2 text-muted">
                {body}
              </AlertDialog.Description>
              {typed !== undefined && (
                <Row className="mt-4" label={text.confirm.type(typed)}>
                  {(at) => (
                    <Input {...at} value={entry} autoComplete="off" onChange={(e) => setEntry(e.target.value)} />
                  )}
                </Row>
              )}
            </div>
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3.5">
              <AlertDialog.Close render={<Button />}>{text.action.cancel}</AlertDialog.Close>
              <Button type="submit" look="danger" disabled={!ready} busy={busy}>
                {action}
              </Button>
            </footer>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
