import type { Filter } from "../api/type.ts";
import { isEmpty } from "../field/kind.ts";
import { idOf } from "../field/list.ts";
import { likeOf } from "../field/result.ts";
import { opsOf } from "../filter/op.ts";
import type { Grouped } from "./chart.ts";
import { lastDayOf } from "./span.ts";

/** The condition that the records of a group meet, and no others; undefined if there is none. */
export function filterOf({ field, span }: Grouped, key: unknown): Filter | undefined {
  const condition = (op: string, value?: unknown): Filter | undefined =>
    opsOf(field).includes(op) ? { fieldId: field.id, op, ...(value === undefined ? {} : { value }) } : undefined;
  const { type } = likeOf(field);
  if (type === "checkbox") return condition("eq", key === true);
  if (isEmpty(key)) return condition("is_empty");
  if (span) return condition("between", [String(key), lastDayOf(String(key), span)]);
  switch (type) {
    case "multi_select":
      return condition("has_any", [key]);
    case "link":
      return condition("has_any", [idOf(key)]);
    case "date":
      return condition("between", [key, key]);
  }
  // A moment has no condition, and people may be several.
  return typeof key === "string" && opsOf(field).includes("gt") ? undefined : condition("eq", key);
}
