import type { Row, Values } from "../api/type.ts";
import type { FieldNames } from "./fieldname.ts";
import type { Change } from "./writer.ts";

/** New values of a row, by field id. */
export type Edit = { row: Row; fields: Values };

/**
 * Converts edits for the writer. All are one change set, which gets a name if more will belong to
 * it. An edit of one record asks before it overwrites somebody else's change. Paste, fill and clear
 * of many overwrite it: nobody can answer for each of a hundred cells.
 */
export function changesOf(edits: readonly Edit[], names: FieldNames, changeSet: string | undefined): Change[] {
  const changed = edits.filter(({ fields }) => Object.keys(fields).length > 0);
  const asks = changed.length === 1 && changeSet === undefined;
  return changed.map(({ row, fields }) => ({
    id: row.id,
    version: row.version,
    overwrite: asks ? undefined : true,
    before: Object.fromEntries(Object.keys(fields).map((id) => [id, row.fields[names.of(id) ?? id] ?? null])),
    after: fields,
  }));
}
