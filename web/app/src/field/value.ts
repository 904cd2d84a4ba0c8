import type { Field, FieldType } from "../api/type.ts";
import type { Locale } from "../locale/locale.ts";
import type { Context, Parsed } from "./context.ts";
import type { ViewRole } from "./catalogue.ts";
import { factsOf } from "./facts.ts";
import { kindOf } from "./kind/index.ts";
import { formatBy } from "./kind.ts";
import { readBy } from "./read.ts";
import { hasLists, likeOf } from "./result.ts";

/** The value as a person reads it. Empty values are "". */
export function format(value: unknown, field: Field, context: Context): string {
  return formatBy(kindOf(field.type), value, field, context);
}

/** Reads what a person typed or pasted as a value of the field. An empty input clears. */
export function parse(input: string, field: Field, context: Context): Parsed {
  return readBy(kindOf(field.type), input, field, context);
}

/**
 * Reports whether the person can write values of the field: the service does not write them, there
 * are some, and no permission says otherwise.
 */
export function isWritable(field: Field): boolean {
  const facts = factsOf(field.type);
  return !facts.readOnly && facts.holdsValues && !field.locked;
}

/** Reports whether a view can use the field for something. */
export function canServe(field: Field, role: ViewRole): boolean {
  const { type } = likeOf(field);
  const { cover, stack, calendar } = kindOf(type);
  const shown = { cover, stack, start: calendar, end: calendar }[role];
  return shown !== undefined && !hasLists(field) && factsOf(type).viewRoles.includes(role);
}

/** What a type of field is called. */
export function typeName(type: FieldType, locale: Locale): string {
  return kindOf(type).name[locale.language];
}
