import type { Field } from "../api/type.ts";
import type { Catalogue } from "../text/index.ts";
import type { FieldKind } from "./kind.ts";

/** Why values of a field cannot be edited. */
export function whyReadOnly(field: Field, kind: FieldKind, text: Catalogue["field"]) {
  const { readOnly } = text;
  if (field.locked && !kind.computed) return { title: readOnly.locked(field.name), detail: readOnly.lockedBy };
  if (!kind.computed) return { title: readOnly.automatic(field.name), detail: undefined };
  const detail = field.type === "formula" ? readOnly.formula : readOnly.linked;
  return { title: readOnly.computed(field.name), detail };
}
