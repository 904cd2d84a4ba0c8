import { Calendar } from "lucide-react";
import type { Field } from "../../api/type.ts";
import { textOf } from "../../text/index.ts";
import { every } from "../base/text.tsx";
import { configPanel } from "../config/index.ts";
import { CardText } from "../control/card.tsx";
import { DateControl } from "../control/index.ts";
import type { Context } from "../context.ts";
import { formatDate, parseDate } from "../date.ts";
import { dateEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

const format = (value: unknown, { config }: Field, { locale }: Context) =>
  formatDate(String(value), config?.dateFormat, locale);
const isDate = (cell: string) => /^\d{4}-\d{2}-\d{2}$/.test(cell) && parseDate(cell) !== undefined;

export const date: FieldKind = {
  name: { en: "Date" },
  group: "date",
  icon: Calendar,
  width: 130,
  format,
  parse: (entry, field, { locale }) => {
    const value = parseDate(entry, field.config?.dateFormat, locale);
    return value ? { value } : { error: textOf(locale).field.invalid.date(entry) };
  },
  example: () => "2025-01-31",
  cell: { Editor: dateEditor },
  Control: DateControl,
  Card: ({ value, field, context }) => <CardText>{format(value, field, context)}</CardText>,
  Config: configPanel("DateConfig"),
  csv: {
    offered: true,
    write: (value) => String(value),
    guess: { rank: 30, fits: every(isDate) },
    isData: () => true,
  },
  calendar: { dayOf: (value) => value.slice(0, 10), on: (day) => day },
};
