import type { Field, FieldType } from "../api/type.ts";

const listOf = "list of ";

const types: Record<string, FieldType | undefined> = {
  number: "number",
  text: "text",
  boolean: "checkbox",
  date: "date",
  datetime: "datetime",
};

/** Reports whether a computed field has lists of values. */
export function hasLists(field: Field): boolean {
  return field.config?.resultType?.startsWith(listOf) === true;
}

/**
 * A computed field as a field that people write, whose values are of the same type: for a list, the
 * type of one value. Any other field is itself.
 */
export function likeOf(field: Field): Field {
  const type = types[field.config?.resultType?.replace(listOf, "") ?? ""];
  return type ? { ...field, type } : field;
}
