import type { RecordChange, Row, Table, Values } from "../api/type.ts";
import { isWritable } from "../field/value.ts";
import { sameValue } from "./conflict.ts";

/**
 * The edit that gives a record the values of a former version back, by field id: its present values
 * with those of the later changes taken back, newest first. Only fields that differ and can be
 * written are in it.
 */
export function editTo(table: Table, row: Row, later: readonly RecordChange[]): { before: Values; after: Values } {
  const former: Values = {};
  for (const { kind, changes } of later)
    if (kind === "updated" || kind === "linked") for (const { field, from } of changes) former[field.id] = from;
  const edit = { before: {} as Values, after: {} as Values };
  for (const field of table.fields) {
    if (!(field.id in former) || !isWritable(field)) continue;
    const now = row.fields[field.name] ?? null;
    if (sameValue(now, former[field.id], field)) continue;
    edit.before[field.id] = now;
    edit.after[field.id] = former[field.id] ?? null;
  }
  return edit;
}
