import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useText } from "../text/index.ts";
import { Confirm } from "./lazyconfirm.tsx";

const Unsaved = createContext<(unsaved: boolean) => void>(() => undefined);

/** Makes the popover or dialog around a form ask before Esc, or a press beside it, discards what was entered. */
export function useUnsaved(unsaved: boolean): void {
  const tell = useContext(Unsaved);
  useEffect(() => {
    tell(unsaved);
    return () => tell(false);
  }, [tell, unsaved]);
}

/**
 * For what contains forms. Before it closes by itself, `mayClose` says whether it may, or asks; `close` is
 * called when the person agrees. `around` has to stand around the forms.
 */
export function useDiscardQuestion(close: () => void) {
  const t = useText();
  const [unsaved, setUnsaved] = useState(false);
  const [asking, setAsking] = useState(false);
  return {
    mayClose: (details: { cancel: () => void }): boolean => {
      if (!unsaved) return true;
      details.cancel();
      setAsking(true);
      return false;
    },
    around: (forms: ReactNode) => (
      <>
        <Unsaved value={setUnsaved}>{forms}</Unsaved>
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          title={t.confirm.discardTitle}
          body={t.confirm.discardBody}
          action={t.action.discard}
          onConfirm={close}
        />
      </>
    ),
  };
}
