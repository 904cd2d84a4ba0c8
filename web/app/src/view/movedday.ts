import { fromAbsolute, parseDate } from "@internationalized/date";
import type { Field } from "../api/type.ts";
import { type Context, zoneOf } from "../field/context.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";

/** The day on which a value stands, in its field's zone. */
export function dayOf(value: unknown, field: Field, context: Context): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return kindOf(likeOf(field).type).calendar?.dayOf(value, field, context);
}

/**
 * A value of a date or datetime field, moved by as many days as there are between two. A moment
 * keeps the time that the field's clock shows. Undefined where there is no value.
 */
export function movedDays(
  value: unknown,
  field: Field,
  context: Context,
  { from, to }: { from: string; to: string },
): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 864e5);
  if (field.type === "date") return parseDate(value.slice(0, 10)).add({ days }).toString();
  const moved = fromAbsolute(Date.parse(value), zoneOf(field, context) ?? "UTC").add({ days });
  return moved.toAbsoluteString().replace(".000Z", "Z");
}
