import type { Field, Row, Values } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { type Command, demanded } from "./command.ts";
import type { FieldNames } from "./fieldname.ts";
import type { Asked } from "./refusal.ts";

/** Values that a person changed while somebody else changed the same ones, by field id. */
export type Conflict = {
  /** The record as the service has it, with the values of the others. */
  row: Row;
  theirs: Values;
  mine: Values;
  /** The edit that is kept until the person has chosen. */
  command?: Command;
};

/** Reports whether two values of a field are the same to a reader; an empty one has several forms. */
export function sameValue(a: unknown, b: unknown, field: Field | undefined): boolean {
  const kind = field && kindOf(field.type);
  const plain = (value: unknown) =>
    isEmpty(value) ? (kind?.empty ?? null) : kind?.identity ? kind.identity(value) : value;
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/**
 * Compares edits of a record, in order, with the current record. An edit conflicts in a field whose
 * value differs from the value that the page showed before the edit and from the edit's own (an
 * equal value means that it was written and the response was lost). Edits that demand no version
 * conflict with nothing.
 */
export function conflictOf(row: Row, commands: readonly Command[], names: FieldNames): Conflict | undefined {
  const conflict: Conflict = { row, theirs: {}, mine: {} };
  const now = Date.now();
  for (const fieldId of new Set(commands.flatMap((command) => Object.keys(command.after)))) {
    const name = names.of(fieldId);
    if (names.known && name === undefined) continue; // the field is gone
    const edits = commands.filter((command) => fieldId in command.after);
    const first = edits[0];
    if (!first || demanded(first, now) === undefined) continue;
    const theirs = row.fields[name ?? fieldId] ?? null;
    const known = [first.seen?.[fieldId], ...edits.map((command) => command.after[fieldId])];
    if (known.some((value) => sameValue(value, theirs, names.field(fieldId)))) continue;
    conflict.theirs[fieldId] = theirs;
    conflict.mine[fieldId] = edits.at(-1)?.after[fieldId];
  }
  return Object.keys(conflict.mine).length > 0 ? conflict : undefined;
}

/** Rebases edits of a record onto the current record, after it was found to be changed. */
export function goOnFrom(row: Row, commands: readonly Command[], names: FieldNames) {
  for (const command of commands) {
    if (command.version === undefined) continue;
    command.version = row.version;
    const fieldIds = Object.keys(command.after);
    command.seen = Object.fromEntries(fieldIds.map((id) => [id, row.fields[names.of(id) ?? id] ?? null]));
  }
}

/**
 * Rebases edits of a record onto what an edit before them wrote, which is not somebody else's
 * change. `required` is the version that the record had until then. Without one, others may have
 * changed what the edits have not seen; where they have not, the edits continue too.
 */
export function goOnFromOwn(
  row: Row,
  commands: readonly Command[],
  asked: Asked | undefined,
  required: number | undefined,
  names: FieldNames,
) {
  for (const command of commands) {
    if (command.version === undefined) continue;
    for (const [name, fieldId] of asked?.fields ?? [])
      if (command.seen && fieldId in command.seen) command.seen[fieldId] = row.fields[name] ?? null;
    const unchanged = () =>
      Object.entries(command.seen ?? {}).every(([id, value]) =>
        sameValue(value, row.fields[names.of(id) ?? id] ?? null, names.field(id)),
      );
    if (command.version === required || unchanged()) command.version = row.version;
  }
}
