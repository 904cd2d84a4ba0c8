import type { Field, Filter } from "../api/type.ts";
import { isWritable } from "../field/value.ts";
import type { RowQuery } from "../record/source.ts";

/** What is replaced in the values of a field, in upper and lower case. */
export type Replacement = { field: Field; find: string; with: string };

const texts = new Set(["text", "long_text", "email", "url", "phone"]);

/** Reports whether parts of a field's values can be replaced. */
export const isReplaceable = (field: Field) => texts.has(field.type) && isWritable(field);

/** A text as a formula writes it. */
const quoted = (text: string) =>
  `"${text.replace(/[\\"\n\r\t]/g, (one) => ({ "\n": "\\n", "\r": "\\r", "\t": "\\t" })[one] ?? `\\${one}`)}"`;

/** The formula that computes the new values. */
export function formulaOf({ field, find, with: by }: Replacement): string {
  const value = `{${field.name.replace(/[{}]/g, "\\$&")}}`;
  const pattern = `(?i)${find.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
  // $1 to $9 would be groups of the pattern. An empty group between a dollar sign and a digit keeps them apart.
  const isApart = !/\$[1-9]/.test(by);
  const [searched, written] = isApart ? [pattern, by] : [`${pattern}()`, by.replace(/\$(?=[1-9])/g, "$$$$1")];
  return `REGEX_REPLACE(${value}, ${quoted(searched)}, ${quoted(written)})`;
}

/** The body of the operation that replaces in the records of a query. */
export function bodyOf(replacement: Replacement, { filters, search }: Pick<RowQuery, "filters" | "search">) {
  const { field, find } = replacement;
  const conditions = [...((filters ?? []) as Filter[]), { fieldId: field.id, op: "contains", value: find }];
  return {
    filters: conditions as unknown as Record<string, unknown>[],
    search: search || undefined,
    set: { [field.name]: { formula: formulaOf(replacement) } },
  };
}
