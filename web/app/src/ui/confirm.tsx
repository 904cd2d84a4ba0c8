import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type FormEvent, type ReactNode, useState } from "react";
import { useText } from "../text/index.ts";
import { Button } from "./button.tsx";
import { join } from "./class.ts";
import { Input, Row } from "./form.tsx";

/** What lies between the page and a dialog. */
export const backdrop = join(
  "fixed inset-0 z-40 bg-overlay transition-opacity duration-150 data-[starting-",
  "style]:opacity-0 data-[ending-style]:opacity-0",
);

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
      // The action has reported what went wrong; the question stays.
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
