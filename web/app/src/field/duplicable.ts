import type { Field, FieldType } from "../api/type.ts";

// Fields whose values a formula gives as they are.
const copied = new Set<FieldType>([
  ...(["text", "long_text", "email", "url", "phone", "number", "currency", "rating", "checkbox"] as const),
  ...(["date", "datetime", "single_select"] as const),
]);

/** Reports whether a copy of a field can have its values. */
export const copiesValues = ({ name, type }: Field) => copied.has(type) && !/[{}]/.test(name);
