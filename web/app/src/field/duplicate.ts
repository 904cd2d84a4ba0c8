import { createField, updateRecordsWhere } from "../api/change.ts";
import type { Field, Table } from "../api/type.ts";
import { configFacts } from "./config/facts.ts";

/** A name for a copy that no other has. */
function copyName(name: string, taken: readonly string[], suffix: string): string {
  const first = `${name} ${suffix}`;
  let free = first;
  for (let number = 2; taken.includes(free); number++) free = `${first} ${number}`;
  return free;
}

/**
 * Makes a field like another, with its values or without. What every record must have is not asked
 * of the copy. Returns its id, once the values are there.
 */
export async function duplicateField(table: Table, field: Field, values: boolean, suffix: string): Promise<string> {
  const known = configFacts(field.type).config;
  const kept = Object.entries(field.config ?? {}).filter(([key]) => key in known && key !== "required");
  const config = Object.fromEntries(kept);
  if (field.config?.options && "options" in known)
    config.options = field.config.options.map(({ name, color }) => (color ? { name, color } : { name }));
  const name = copyName(
    field.name,
    table.fields.map((one) => one.name),
    suffix,
  );
  const made = await createField({ tableId: table.id, body: { name, type: field.type, config } });
  if (values) {
    const set = { [name]: { formula: `{${field.name}}` } };
    const filled =
      field.type === "checkbox"
        ? { fieldId: field.id, op: "eq", value: true }
        : { fieldId: field.id, op: "is_not_empty" };
    await updateRecordsWhere({ tableId: table.id, body: { set, filters: [filled] } });
  }
  return made.id;
}
