import { CalendarClock } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { timestamp } from "../base/time.tsx";
import { zoneOf } from "../context.ts";
import { fromLocal, parseTimestamp, presentTime } from "../date.ts";
import { configPanel } from "../config/index.ts";
import { timestampEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

export const datetime: FieldKind = {
  ...timestamp,
  name: { en: "Date and time", de: "Datum und Uhrzeit", fr: "Date et heure" },
  icon: CalendarClock,
  parse: (entry, field, context) => {
    const { locale, dates } = context;
    const value = parseTimestamp(entry, field.config?.dateFormat, zoneOf(field, context), locale, dates);
    return value ? { value } : { error: textOf(locale).field.invalid.datetime(entry) };
  },
  example: () => "2025-01-31T14:30:00Z",
  cell: { Editor: timestampEditor },
  Config: configPanel("TimestampConfig"),
  csv: { offered: true },
  present: presentTime,
  calendar: {
    ...timestamp.calendar,
    on: (day, field, context) => {
      const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
      return fromLocal(year, month, date, 12, 0, zoneOf(field, context)); // noon
    },
  },
};
