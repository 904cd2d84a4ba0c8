import { type RefObject, useEffect, useRef } from "react";

type Cell = readonly [column: number, row: number];

/**
 * Where people began to go to the right by Tab: Enter, which then leaves an editor downwards, leads to the column of
 * that cell, as in spreadsheets. Returns the function that corrects where a selection goes.
 */
export function useTabStart(place: RefObject<HTMLElement | null>, current: Cell | undefined) {
  const start = useRef<number>(undefined); // a column
  const enters = useRef(false); // Enter is what was pressed last
  const column = useRef<number>(undefined);
  useEffect(() => {
    column.current = current?.[0];
  });
  useEffect(() => {
    const press = ({ key, shiftKey, target }: KeyboardEvent) => {
      const inCell = target instanceof Element && (place.current?.contains(target) || target.closest("#portal"));
      enters.current = key === "Enter" && !shiftKey;
      if (!inCell) start.current = undefined;
      else if (key === "Tab" && !shiftKey) start.current ??= column.current;
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
    if (next?.[1] !== current?.[1]) start.current = undefined;
    return enters.current && below ? from : undefined;
  };
}
