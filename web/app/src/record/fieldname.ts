import type { Field, Row, Values } from "../api/type.ts";
import { kindOf } from "../field/kind/index.ts";

/** The current names of a table's fields: edits are kept by field id, and requests name fields. */
export class FieldNames {
  private byId = new Map<string, string>();
  private fields = new Map<string, Field>();
  private byName = new Map<string, string>();
  private key = "";
  private accepted = new Set<string>(); // names of rows that were unknown even after the schema was read again

  /** The table has fields whose values are computed, which no change contains. */
  computes = false;

  get known(): boolean {
    return this.byId.size > 0;
  }

  of(fieldId: string): string | undefined {
    return this.byId.get(fieldId);
  }

  field(fieldId: string): Field | undefined {
    return this.fields.get(fieldId);
  }

  all(): Iterable<Field> {
    return this.fields.values();
  }

  /**
   * Takes the current fields. Returns the renamed fields by their old names; undefined when nothing
   * changed.
   */
  learn(fields: Field[]): Map<string, string | undefined> | undefined {
    this.fields = new Map(fields.map((field) => [field.id, field]));
    this.computes = fields.some(({ type }) => kindOf(type).computed);
    const key = JSON.stringify(fields.map((field) => [field.id, field.name, field.type]));
    if (key === this.key) return undefined;
    const renamed = new Map<string, string | undefined>();
    const byId = new Map(fields.map((field) => [field.id, field.name]));
    for (const [id, name] of this.byId) if (byId.get(id) !== name) renamed.set(name, byId.get(id));
    const first = !this.known;
    this.key = key;
    this.byId = byId;
    this.byName = new Map(fields.map((field) => [field.name, field.id]));
    return first ? undefined : renamed;
  }

  /** Reports whether a row has fields whose names are not known. */
  hasUnknown(row: Row): boolean {
    if (!this.known) return false;
    const names = Object.keys(row.fields);
    return names.some((name) => !this.byName.has(name)) && !this.accepted.has(names.join("\n"));
  }

  /** Notes that names of a row are unknown although the schema was read again. */
  accept(row: Row) {
    if (this.hasUnknown(row)) this.accepted.add(Object.keys(row.fields).join("\n"));
  }

  /**
   * Values by field name from values by field id. Values of fields that are gone are left out.
   * Before the fields are known, ids are names.
   */
  named(values: Values): Values {
    if (!this.known) return values;
    return Object.fromEntries(
      Object.entries(values).flatMap(([id, value]) => {
        const name = this.of(id);
        return name === undefined ? [] : [[name, value ?? null]];
      }),
    );
  }
}

/** A row with the values of renamed fields under their new names. */
export function renameRow(row: Row, renamed: ReadonlyMap<string, string | undefined>): Row {
  if (!Object.keys(row.fields).some((name) => renamed.has(name))) return row;
  const moved: Values = {};
  const kept: Values = {};
  for (const [name, value] of Object.entries(row.fields)) {
    const next = renamed.get(name);
    if (next !== undefined) moved[next] = value;
    else if (!renamed.has(name)) kept[name] = value;
  }
  return { ...row, fields: { ...moved, ...kept } };
}
