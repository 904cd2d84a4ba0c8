import { useContext } from "react";
import { BaseContext } from "../access/base.ts";
import { atLeastInBase } from "../access/role.ts";
import { updateField } from "../api/change.ts";
import type { Field } from "../api/type.ts";
import { optionsOf } from "./option.ts";

/** Adds options to a field, behind those that it has. */
export async function addOptions(field: Field, names: readonly string[]): Promise<void> {
  const before = optionsOf(field).map(({ name, color }) => (color ? { name, color } : { name }));
  const added = names.filter((name) => !before.some((option) => option.name === name)).map((name) => ({ name }));
  await updateField({ fieldId: field.id, body: { config: { options: [...before, ...added] } } });
}

/** Makes an option of a field; undefined for those who may not change fields. */
export function useAddOption(field: Field): ((name: string) => Promise<void>) | undefined {
  const open = useContext(BaseContext);
  if (!open || !atLeastInBase(open.role, "creator")) return undefined;
  const now = () => {
    const tables = open.base.tables.map((table) => table.fields.find((one) => one.id === field.id));
    return tables.find((one) => one !== undefined) ?? field;
  };
  return (name) => addOptions(now(), [name]);
}
