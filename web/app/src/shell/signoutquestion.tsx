import { discardAll, isKept, unsavedCount } from "../record/writers.ts";
import { useText } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { endSession } from "./session.ts";

/** Asks a person who signs out what to do with unsaved changes. */
export default function SignOutQuestion({ onClose }: { onClose: () => void }) {
  const text = useText();
  const t = text.ended;
  const kept = isKept();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.unsavedTitle(unsavedCount())}
      size="md"
      footer={
        <>
          <Button
            onClick={() => {
              void discardAll().then(endSession);
            }}
          >
            {t.discardAndSignOut}
          </Button>
          {kept && <Button onClick={endSession}>{t.keepAndSignOut}</Button>}
          <Button look="primary" onClick={onClose}>
            {t.stay}
          </Button>
        </>
      }
    >
      <p className="text-muted">{kept ? t.unsavedKept : t.unsavedLost}</p>
    </Dialog>
  );
}
