import type { GridSelection, Rectangle } from "@glideapps/glide-data-grid";
import type { Field } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { GroupedRows } from "./grouped.ts";
import type { GridRows } from "./gridrows.ts";

/** The part of an area that is in the group of a row. */
export function inGroup(area: Rectangle, row: number, source: GridRows): Rectangle {
  if (!(source instanceof GroupedRows)) return area;
  const [first, end] = source.between(row);
  const y = Math.max(first, area.y);
  return { ...area, y, height: Math.max(1, Math.min(end, area.y + area.height) - y) };
}

/** A selection of cells that ends at the heads of groups. */
export function boundedTo(current: GridSelection["current"], source: GridRows): GridSelection["current"] {
  if (!current || !(source instanceof GroupedRows)) return current;
  return { ...current, range: inGroup(current.range, current.cell[1], source), rangeStack: [] };
}

/**
 * How many rows a range has that goes on for as long as the column to its left has values, or the one to its right
 * where there is none. Rows that were not read end it.
 */
export function heightToFill(range: Rectangle, source: GridRows, fields: readonly Field[]): number {
  const neighbour = fields[range.x - 1] ?? fields[range.x + range.width];
  if (!neighbour) return range.height;
  let end = range.y + range.height;
  while (!isEmpty(source.at(end)?.fields[neighbour.name])) end++;
  return end - range.y;
}
