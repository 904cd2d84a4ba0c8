import { useEffect } from "react";

/** Leaves the control that is being typed in, which takes the entry. */
export function leave(within: Element | null) {
  const { activeElement: active } = document;
  if (active instanceof HTMLElement && within?.contains(active)) active.blur();
}

const takers = new Set<() => void>();

/**
 * Takes the entries that are being typed. A listener of beforeunload that asks whether everything is
 * saved calls it first: listeners on the window run in the order in which they were added.
 */
export function takeEntries() {
  for (const take of takers) take();
}

if (typeof window !== "undefined")
  for (const event of ["popstate", "beforeunload", "pagehide"])
    window.addEventListener(event, takeEntries, { capture: true });

/** Has an entry that is being typed taken when the page is left, or another one is gone back to. */
export function useTakenOnLeave(within: () => Element | null) {
  useEffect(() => {
    const take = () => leave(within());
    takers.add(take);
    return () => void takers.delete(take);
  }, [within]);
}
