import type { Field } from "../../api/type.ts";
import { CardText } from "../control/card.tsx";
import { TimestampControl } from "../control/index.ts";
import type { Context } from "../context.ts";
import { dayIn, formatTimestamp } from "../date.ts";
import type { FieldKind } from "../kind.ts";

function format(value: unknown, { config }: Field, { locale }: Context): string {
  return formatTimestamp(String(value), config, locale);
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
  csv: { write: (value) => String(value) },
  calendar: { dayOf: (value, field) => dayIn(value, field.config?.timeZone) },
} satisfies Partial<FieldKind>;
