import { type RefObject, useEffect, useRef } from "react";
import { type ActionTarget, clear, copy, paste, type Picked } from "./action.ts";

const typedIn = "input, textarea, select, [contenteditable]";

/**
 * Handles the clipboard's events when the grid has the focus, and a paste when nothing has it and
 * the table is empty: there is no cell yet that could be clicked.
 */
export function useClipboard(
  place: RefObject<HTMLElement | null>,
  picked: Picked,
  target: ActionTarget,
  editable: boolean,
  focus: () => void,
) {
  const onClipboard = useRef<(event: ClipboardEvent) => void>(undefined);
  useEffect(() => {
    onClipboard.current = (event) => {
      const focused = document.activeElement;
      const own = focused !== null && place.current?.contains(focused) && !focused.closest(typedIn);
      const idle = focused === null || focused === document.body;
      if (event.type === "paste" && editable && (own || (idle && isEmptyTable(target)))) {
        event.preventDefault();
        if (event.clipboardData) void paste(picked, target, event.clipboardData).then(focus);
      } else if (own && event.type === "paste") event.preventDefault();
      else if (own) {
        void copy(picked, target, event).then(() =>
          event.type === "cut" && editable ? clear(picked, target) : undefined,
        );
      }
    };
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => onClipboard.current?.(event);
    const kinds = ["copy", "cut", "paste"] as const;
    for (const kind of kinds) window.addEventListener(kind, listen);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, listen);
    };
  }, []);
}

/** Reports whether a table has no records at all, not only none that match a search or a filter. */
function isEmptyTable({ source }: Pick<ActionTarget, "source">): boolean {
  const { filters, search } = source.query;
  return source.total === 0 && !search && (!Array.isArray(filters) || filters.length === 0);
}
