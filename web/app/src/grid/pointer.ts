import type { DataEditorRef, GridSelection, Item } from "@glideapps/glide-data-grid";
import { type RefObject, useEffect, useRef } from "react";

type Grid = RefObject<DataEditorRef | null>;
type Place = RefObject<HTMLElement | null>;

export const isCurrent = (current: GridSelection["current"], [column, row]: Item) =>
  current?.cell[0] === column && current.cell[1] === row;

export const isOneCell = (current: GridSelection["current"]) =>
  current?.range.width === 1 && current.range.height === 1;

/** The selection of one cell. */
export const onlyCell = (cell: Item): NonNullable<GridSelection["current"]> => ({
  cell,
  range: { x: cell[0], y: cell[1], width: 1, height: 1 },
  rangeStack: [],
});

/**
 * Opens the cell that is clicked twice, as Enter does, and reports a header that is. If the library
 * did it, the focus that the first click requested would close the cell again on a busy page.
 */
export function useDoubleClick(
  grid: Grid,
  place: Place,
  opens: (cell: Item) => boolean,
  onHeader: (column: number) => void,
) {
  const asked = useRef({ opens, onHeader });
  useEffect(() => {
    asked.current = { opens, onHeader };
  });
  useEffect(() => {
    const area = place.current;
    const open = ({ clientX, clientY }: MouseEvent) => {
      const at = grid.current?.getMouseArgsForPosition(clientX, clientY);
      if (at?.kind === "header" && !at.isEdge && at.location[0] >= 0) asked.current.onHeader(at.location[0]);
      if (at?.kind !== "cell" || !asked.current.opens(at.location)) return;
      const key = new KeyboardEvent("keydown", { key: "F2", bubbles: true, cancelable: true });
      requestAnimationFrame(() => area?.querySelector("canvas")?.dispatchEvent(key));
    };
    area?.addEventListener("dblclick", open);
    return () => area?.removeEventListener("dblclick", open);
  }, [grid, place]);
}

const maxFrames = 60;

/**
 * Scrolls until a new last row is visible: there is no room for it before the library has drawn the
 * grid with one more row.
 */
export function followRow(grid: Grid, place: Place, index: number) {
  let frames = maxFrames;
  const follow = () => {
    const row = grid.current?.getBounds(0, index);
    const all = place.current?.getBoundingClientRect();
    if (!row || !all || row.y + row.height <= all.bottom - row.height || frames-- === 0) return;
    grid.current?.scrollTo(0, index);
    requestAnimationFrame(follow);
  };
  requestAnimationFrame(follow);
}
