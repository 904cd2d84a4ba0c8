import { useSyncExternalStore } from "react";

const query = typeof matchMedia === "function" ? matchMedia("(max-width: 639px)") : null;

function subscribe(listener: () => void) {
  query?.addEventListener("change", listener);
  return () => query?.removeEventListener("change", listener);
}

/** Whether the window has room for one column only. */
export const useNarrow = () => useSyncExternalStore(subscribe, () => query?.matches === true);
