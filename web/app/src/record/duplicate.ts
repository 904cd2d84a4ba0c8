import type { Field, Row, Values } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { isWritable } from "../field/value.ts";

/** The values of a copy of a record, by field id: those that may be written, and need not be unique. */
export function valuesToCopy(row: Row, fields: readonly Field[]): Values {
  const copied = fields.filter(
    (field) => isWritable(field) && field.config?.unique !== true && !isEmpty(row.fields[field.name]),
  );
  return Object.fromEntries(copied.map((field) => [field.id, row.fields[field.name]]));
}
