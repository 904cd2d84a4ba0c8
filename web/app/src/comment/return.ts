import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Gives the focus to an element when something that had it has closed, as a composer. Who has gone on
 * elsewhere meanwhile keeps the focus there.
 */
export function useReturn(to: RefObject<HTMLElement | null>, open: boolean) {
  const before = useRef(open);
  useLayoutEffect(() => {
    if (before.current && !open && document.activeElement === document.body) to.current?.focus();
    before.current = open;
  }, [open, to]);
}
