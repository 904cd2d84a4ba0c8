import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useRef, useState } from "react";
import { useText } from "../text/index.ts";
import { Confirm } from "./lazyconfirm.tsx";

const Unsaved = createContext<(unsaved: boolean) => void>(() => undefined);

/**
 * Makes the popover or dialog around a form ask before Esc, or a press outside it, discards what
 * was entered.
 */
export function useUnsaved(unsaved: boolean): void {
  const report = useContext(Unsaved);
  // In the same turn as the entry, or an Esc that follows at once would come before it.
  useLayoutEffect(() => {
    report(unsaved);
    return () => report(false);
  }, [report, unsaved]);
}

/** Reports whether a press is on what lies over a form, such as the question whether to discard it. */
const isOver = ({ target }: Event) => target instanceof Element && target.closest("[role=alertdialog], [data-over]");

/**
 * For what contains forms. Before it closes by itself, `mayClose` says whether it may, or asks; `close` is
 * called when the person agrees. `around` has to stand around the forms.
 */
export function useDiscardQuestion(close: () => void) {
  const t = useText();
  const unsaved = useRef(false);
  const report = useCallback((now: boolean) => {
    unsaved.current = now;
  }, []);
  const [asking, setAsking] = useState(false);
  return {
    mayClose: (details: { cancel: () => void; event: Event }): boolean => {
      if (isOver(details.event)) {
        details.cancel();
        return false;
      }
      if (!unsaved.current) return true;
      details.cancel();
      setAsking(true);
      return false;
    },
    around: (forms: ReactNode) => (
      <>
        <Unsaved value={report}>{forms}</Unsaved>
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
