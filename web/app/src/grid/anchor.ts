import type { GridSelection } from "@glideapps/glide-data-grid";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Field } from "../api/type.ts";
import type { GridRows } from "./gridrows.ts";

type Current = NonNullable<GridSelection["current"]>;
type Rows = Pick<GridRows, "at" | "indexOf">;

/**
 * The record and the field of the current cell, and those at the corners of the range around it.
 */
export type Anchor = { row?: string; field?: string; rows: (string | undefined)[]; fields: (string | undefined)[] };

function anchorOf({ cell, range }: Current, rows: Rows, fields: Field[]): Anchor {
  return {
    row: rows.at(cell[1])?.id,
    field: fields[cell[0]]?.id,
    rows: [rows.at(range.y)?.id, rows.at(range.y + range.height - 1)?.id],
    fields: [fields[range.x]?.id, fields[range.x + range.width - 1]?.id],
  };
}

const same = (a: readonly unknown[], b: readonly unknown[]) =>
  a.every((one, index) => one === undefined || b[index] === undefined || one === b[index]);

/**
 * Where the current cell is after rows or fields have moved: on the same record and field. A range
 * whose corners have not moved with it shrinks to the cell. Undefined when the record or the field
 * is not shown any more.
 */
function follow(current: Current, anchor: Anchor, rows: Rows, fields: Field[]): Current | undefined {
  const [x, y] = current.cell;
  const column = anchor.field === undefined ? x : fields.findIndex((field) => field.id === anchor.field);
  const here = rows.at(y)?.id;
  const row = anchor.row === undefined || here === anchor.row ? y : rows.indexOf(anchor.row);
  // The row may exist without having been read.
  if (row < 0 && here === undefined) return current;
  if (column < 0 || row < 0) return undefined;
  const { range } = current;
  const moved: Current = {
    ...current,
    cell: [column, row],
    range: { ...range, x: range.x + column - x, y: range.y + row - y },
  };
  const now = anchorOf(moved, rows, fields);
  const whole = same(anchor.rows, now.rows) && same(anchor.fields, now.fields);
  if (whole) return column === x && row === y ? current : moved;
  return { cell: [column, row], range: { x: column, y: row, width: 1, height: 1 }, rangeStack: [] };
}

/**
 * The current cell and the range around it, which stay on their records and fields when those move.
 */
export function useCurrent(source: GridRows, fields: Field[], version: number) {
  const [current, setCurrent] = useState<Current>();
  const anchor = useRef<Anchor>(undefined);
  const choose = useCallback(
    (next: Current | undefined) => {
      anchor.current = next && anchorOf(next, source, fields);
      setCurrent(next);
    },
    [fields, source],
  );
  useLayoutEffect(() => {
    if (!current || !anchor.current) return;
    const next = follow(current, anchor.current, source, fields);
    if (next === current) {
      // Rows that have been read since are known by their ids from now on.
      const now = anchorOf(current, source, fields);
      const kept = anchor.current;
      anchor.current = {
        row: kept.row ?? now.row,
        field: kept.field ?? now.field,
        rows: kept.rows.map((id, index) => id ?? now.rows[index]),
        fields: kept.fields.map((id, index) => id ?? now.fields[index]),
      };
    } else choose(next);
    // oxlint-disable-next-line react/exhaustive-deps -- a new version is what moves rows
  }, [version, fields, source]);
  return [current, choose] as const;
}
