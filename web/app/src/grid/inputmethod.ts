import { type RefObject, useEffect } from "react";
import { flushSync } from "react-dom";

const composing = 229; // the keyCode of a key that an input method takes (UI Events, section 7.3.1)

let asked = false;

/** Whether an input method opened the editor that opens now, so that it begins empty. True only once. */
export function takeComposing(): boolean {
  const was = asked;
  asked = false;
  return was;
}

/**
 * Opens the editor of the selected cell at the first key that an input method takes, before it
 * composes anything, because the composition goes to the element that has the focus then. The grid
 * itself waits for a letter, which such a key is not.
 */
export function useCompose(place: RefObject<HTMLElement | null>, editable: boolean) {
  useEffect(() => {
    const area = place.current;
    if (!area || !editable) return undefined;
    const open = (event: KeyboardEvent) => {
      const target = event.target;
      if (event.keyCode !== composing || !(target instanceof Element) || !target.closest("canvas")) return;
      event.stopPropagation();
      asked = true;
      flushSync(() =>
        target.dispatchEvent(new KeyboardEvent("keydown", { key: "F2", bubbles: true, cancelable: true })),
      );
      asked = false;
    };
    area.addEventListener("keydown", open, { capture: true });
    return () => area.removeEventListener("keydown", open, { capture: true });
  }, [editable, place]);
}
