import type { LiveChange } from "../api/live.ts";
import type { Filter, Row, Sort, Values } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";
import type { FieldNames } from "./fieldname.ts";

/** A change of a record that the service sent. `own`: this page has made it. */
export type Received = Omit<LiveChange, "record" | "fieldIds"> & {
  record: string;
  fieldIds: Record<string, string>; // by name
  own: boolean;
};

/** A change of a record, or undefined if it is of something else. */
export function received(change: LiveChange, own: boolean): Received | undefined {
  const { record, fieldIds = {} } = change;
  return record === undefined ? undefined : { ...change, record, fieldIds: fieldIds as Record<string, string>, own };
}

/** Reports whether a row has what a change made, or something later. */
export function isKnown(row: Row | undefined, change: Pick<Received, "version">): boolean {
  return row?.version !== undefined && row.version >= change.version;
}

/**
 * A row after a change of its values. Undefined if the change does not say all of them; then the row
 * has to be read. Values that came back with their field leave the row's version as it was.
 */
export function patched(row: Row, change: Received, names: FieldNames): Row | undefined {
  if (change.kind !== "updated" || change.after === null || change.links) return undefined;
  const fields: Values = { ...row.fields };
  for (const [sent, id] of Object.entries(change.fieldIds)) {
    const name = names.known ? names.of(id) : sent;
    if (name === undefined && change.returned) return undefined;
    if (name === undefined) continue; // what is read with the field
    if (!(sent in change.after)) return undefined;
    fields[name] = change.after[sent];
  }
  if (change.returned) return { ...row, fields };
  for (const field of names.all()) {
    if (field.type === "last_modified_time") fields[field.name] = change.time;
    if (field.type === "last_modified_by") fields[field.name] = change.person?.id ?? null;
  }
  return { ...row, fields, version: change.version };
}

type Selection = { filters?: unknown; sorts?: unknown; search?: string };

const fieldsOf = (filter: Filter): string[] =>
  "and" in filter
    ? filter.and.flatMap(fieldsOf)
    : "or" in filter
      ? filter.or.flatMap(fieldsOf)
      : [filter.fieldId];

/** Reports whether a change of values may move a record within the rows of a query, or in or out. */
export function mayMove(query: Selection, change: Received, names: FieldNames): boolean {
  if (query.search !== undefined) return true;
  const changed = new Set(Object.values(change.fieldIds));
  const filters = ((query.filters ?? []) as Filter[]).flatMap(fieldsOf);
  const sorts = ((query.sorts ?? []) as Sort[]).map((sort) => sort.fieldId);
  return [...filters, ...sorts].some(
    (id) => {
      const type = names.field(id)?.type;
      return changed.has(id) || (type !== undefined && (type.startsWith("last_modified") || kindOf(type).computed));
    },
  );
}
