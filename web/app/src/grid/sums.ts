import type { CompactSelection, Rectangle } from "@glideapps/glide-data-grid";
import type { Field, Row } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";

/** What some cells come to. */
export type Sums = {
  cells: number;
  /** The cells that have a value. */
  filled: number;
  /** Of the cells with numbers; undefined if there are none. */
  numbers?: { count: number; sum: number; min: number; max: number };
  /** The field by which the numbers are written; undefined if they are of fields that write them differently. */
  field?: Field;
};

const writing = (field: Field) => JSON.stringify([likeOf(field).type, field.config?.symbol, field.config?.format]);

/** Adds up the cells of rows in some fields. */
export function sumUp(rows: readonly Row[], fields: readonly Field[]): Sums {
  const sums: Sums = { cells: rows.length * fields.length, filled: 0 };
  const written = new Map<string, Field>();
  for (const field of fields) {
    const kind = kindOf(likeOf(field).type);
    for (const row of rows) {
      const value = row.fields[field.name];
      if (isEmpty(value) || value === false) continue;
      sums.filled++;
      if (!kind.numeric || typeof value !== "number") continue;
      written.set(writing(field), field);
      const { count, sum, min, max } = sums.numbers ?? { count: 0, sum: 0, min: Infinity, max: -Infinity };
      sums.numbers = { count: count + 1, sum: sum + value, min: Math.min(min, value), max: Math.max(max, value) };
    }
  }
  if (written.size === 1) [sums.field] = written.values();
  return sums;
}

/** Selected cells: some columns of the rows from `y` on. */
export type SelectedCells = { y: number; height: number; columns: readonly number[] };

/** The cells of a selected range, or else of whole columns, of which there are `total` rows. */
export function selectedCells(
  range: Rectangle | undefined,
  columns: CompactSelection,
  total = 0,
): SelectedCells | undefined {
  if (range) {
    const { x, y, width, height } = range;
    return { y, height, columns: Array.from({ length: width }, (_, index) => x + index) };
  }
  return columns.length > 0 && total > 0 ? { y: 0, height: total, columns: columns.toArray() } : undefined;
}
