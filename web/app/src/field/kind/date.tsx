import { Calendar } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { configPanel } from "../config/index.ts";
import { CardText } from "../control/card.tsx";
import { DateControl } from "../control/index.ts";
import type { Context } from "../context.ts";
import { dayIn, formatDate, parseDate, presentTime } from "../date.ts";
import { dateEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

const format = (value: unknown, { config }: Field, { locale }: Context) =>
  formatDate(String(value), config?.dateFormat, locale);

export const date: FieldKind = {
  name: { en: "Date", de: "Datum", fr: "Date" },
  group: "date",
  icon: Calendar,
  width: 130,
  format,
  parse: (entry, field, { locale, dates }) => {
    const value = parseDate(entry, field.config?.dateFormat, locale, dates);
    return value ? { value } : { error: textOf(locale).field.invalid.date(entry) };
  },
  example: () => "2025-01-31",
  cell: { Editor: dateEditor },
  Control: DateControl,
  Card: ({ value, field, context }) => <CardText>{format(value, field, context)}</CardText>,
  Config: configPanel("DateConfig"),
  csv: { offered: true },
  present: ({ locale, timeZone }) => dayIn(presentTime(), locale.zone ?? timeZone),
  calendar: { dayOf: (value) => value.slice(0, 10), on: (day) => day },
};
