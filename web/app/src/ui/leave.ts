import { useEffect } from "react";

/** Leaves the control that is being typed in, which takes the entry. */
export function leave(within: Element | null) {
  const { activeElement: active } = document;
  if (active instanceof HTMLElement && within?.contains(active)) active.blur();
}

/** Has an entry that is being typed taken when the page is left, or another one is gone back to. */
export function useTakenOnLeave(within: () => Element | null) {
  useEffect(() => {
    const take = () => leave(within());
    const events = ["popstate", "beforeunload", "pagehide"];
    for (const event of events) window.addEventListener(event, take, { capture: true });
    return () => {
      for (const event of events) window.removeEventListener(event, take, { capture: true });
    };
  }, [within]);
}
