import type { Field } from "../api/type.ts";
import { textOf } from "../text/index.ts";
import type { Context, Parsed } from "./context.ts";
import { factsOf } from "./facts.ts";
import type { FieldKind } from "./kind.ts";

/** Reads what a person typed or pasted, as a kind reads it. An empty input clears. */
export function readBy(kind: FieldKind, input: string, field: Field, context: Context): Parsed {
  if (!kind.parse || factsOf(field.type).readOnly || field.locked)
    return { error: textOf(context.locale).field.invalid.readOnly };
  const entry = input.trim();
  return entry === "" ? { value: kind.empty ?? null } : kind.parse(entry, field, context, input);
}
