import { type RefObject, useEffect, useRef } from "react";

type Cell = readonly [column: number, row: number];

/**
 * Where people began to go to the right by Tab: Enter, which then leaves an editor downwards, leads to the column of
 * that cell, as in spreadsheets. Whatever else selects a cell ends that. Returns the function that says, for where a
 * selection goes, to which column it goes instead.
 */
export function useTabStart(place: RefObject<HTMLElement | null>, current: Cell | undefined) {
  const start = useRef<number>(undefined); // a column
  const last = useRef(""); // the key that was pressed last
  const column = useRef<number>(undefined);
  useEffect(() => {
    column.current = current?.[0];
  });
  useEffect(() => {
    const press = ({ key, shiftKey, target }: KeyboardEvent) => {
      const inCell = target instanceof Element && (place.current?.contains(target) || target.closest("#portal"));
      last.current = shiftKey ? "" : key;
      if (!inCell || (shiftKey && (key === "Enter" || key === "Tab"))) start.current = undefined;
      else if (key === "Tab") start.current ??= column.current;
    };
    const end = () => (start.current = undefined);
    window.addEventListener("keydown", press, true);
    window.addEventListener("pointerdown", end, true);
    return () => {
      window.removeEventListener("keydown", press, true);
      window.removeEventListener("pointerdown", end, true);
    };
  }, [place]);
  return (next: Cell | undefined): number | undefined => {
    const from = start.current;
    const below = next?.[0] === current?.[0] && next?.[1] === (current?.[1] ?? 0) + 1;
    if (last.current !== "Tab") start.current = undefined;
    return last.current === "Enter" && below ? from : undefined;
  };
}
