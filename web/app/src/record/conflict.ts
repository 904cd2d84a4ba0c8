import type { Field, Row, Values } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import type { FieldNames } from "./fieldname.ts";
import type { Sending } from "./outbox.ts";
import type { Asked } from "./refusal.ts";

/** Values that a person changed while somebody else changed the same ones, by field id. */
export type Conflict = {
  /** The record as the service has it, with the values of the others. */
  row: Row;
  theirs: Values;
  mine: Values;
};

/** Reports whether two values of a field are the same to a reader; an empty one has several forms. */
export function sameValue(a: unknown, b: unknown, field: Field | undefined): boolean {
  const kind = field && kindOf(field.type);
  const plain = (value: unknown) =>
    isEmpty(value) ? (kind?.empty ?? null) : kind?.identity ? kind.identity(value) : value;
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/**
 * Compares edits of a record, in their order, with the record as it is now. An edit conflicts in a
 * field that has another value than the page showed before the edit, and not the edit's own: then
 * it was written, and its answer lost. Edits without a version conflict with nothing.
 */
export function conflictOf(row: Row, sendings: readonly Sending[], names: FieldNames): Conflict | undefined {
  const conflict: Conflict = { row, theirs: {}, mine: {} };
  for (const fieldId of new Set(sendings.flatMap((sending) => Object.keys(sending.after)))) {
    const name = names.of(fieldId);
    if (names.known && name === undefined) continue; // the field is gone
    const edits = sendings.filter((sending) => fieldId in sending.after);
    const first = edits[0];
    if (first?.version === undefined) continue;
    const theirs = row.fields[name ?? fieldId] ?? null;
    const known = [first.seen?.[fieldId], ...edits.map((sending) => sending.after[fieldId])];
    if (known.some((value) => sameValue(value, theirs, names.field(fieldId)))) continue;
    conflict.theirs[fieldId] = theirs;
    conflict.mine[fieldId] = edits.at(-1)?.after[fieldId];
  }
  return Object.keys(conflict.mine).length > 0 ? conflict : undefined;
}

/** Has edits of a record go on from the record as it is now, after it was found to be changed. */
export function goOnFrom(row: Row, sendings: readonly Sending[], names: FieldNames) {
  for (const sending of sendings) {
    if (sending.version === undefined) continue;
    sending.version = row.version;
    const fieldIds = Object.keys(sending.after);
    sending.seen = Object.fromEntries(fieldIds.map((id) => [id, row.fields[names.of(id) ?? id] ?? null]));
  }
}

/**
 * Has edits of a record go on from what an edit before them wrote, which is not somebody else's
 * change. `demanded` is the version that the record had until then.
 */
export function goOnFromOwn(
  row: Row,
  sendings: readonly Sending[],
  asked: Asked | undefined,
  demanded: number | undefined,
) {
  for (const sending of sendings) {
    if (sending.version === undefined) continue;
    if (sending.version === demanded) sending.version = row.version;
    for (const [name, fieldId] of asked?.fields ?? [])
      if (sending.seen && fieldId in sending.seen) sending.seen[fieldId] = row.fields[name] ?? null;
  }
}
