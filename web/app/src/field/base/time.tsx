import type { Field } from "../../api/type.ts";
import { CardText } from "../control/card.tsx";
import { TimestampControl } from "../control/index.ts";
import { type Context, zoneOf } from "../context.ts";
import { dayIn, formatTimestamp } from "../date.ts";
import type { FieldKind } from "../kind.ts";

function format(value: unknown, field: Field, context: Context): string {
  return formatTimestamp(String(value), { ...field.config, timeZone: zoneOf(field, context) }, context.locale);
}

/** What kinds whose values are moments share. */
export const timestamp = {
  group: "date",
  width: 180,
  family: "timestamp",
  format,
  cell: {},
  Control: TimestampControl,
  Card: ({ value, field, context }) => <CardText>{format(value, field, context)}</CardText>,
  csv: {},
  calendar: { dayOf: (value, field, context) => dayIn(value, zoneOf(field, context)) },
} satisfies Partial<FieldKind>;
