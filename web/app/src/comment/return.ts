import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Gives the focus to an element when something that had it, such as a composer, has closed. If the
 * person has moved elsewhere meanwhile, the focus stays there.
 */
export function useReturn(to: RefObject<HTMLElement | null>, open: boolean) {
  const before = useRef(open);
  useLayoutEffect(() => {
    if (before.current && !open && document.activeElement === document.body) to.current?.focus();
    before.current = open;
  }, [open, to]);
}
