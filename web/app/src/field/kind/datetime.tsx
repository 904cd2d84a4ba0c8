import { CalendarClock } from "lucide-react";
import { textOf } from "../../text/index.ts";
import { every } from "../base/text.tsx";
import { timestamp } from "../base/time.tsx";
import { fromLocal, parseTimestamp } from "../date.ts";
import { configPanel } from "../config/index.ts";
import { timestampEditor } from "../editor/index.ts";
import type { FieldKind } from "../kind.ts";

export const datetime: FieldKind = {
  ...timestamp,
  name: { en: "Date and time" },
  icon: CalendarClock,
  parse: (entry, { config }, { locale }) => {
    const value = parseTimestamp(entry, config?.dateFormat, config?.timeZone, locale);
    return value ? { value } : { error: textOf(locale).field.invalid.datetime(entry) };
  },
  example: () => "2025-01-31T14:30:00Z",
  cell: { Editor: timestampEditor },
  Config: configPanel("TimestampConfig"),
  csv: {
    ...timestamp.csv,
    offered: true,
    guess: { rank: 40, fits: every((cell) => /\d:\d/.test(cell) && parseTimestamp(cell) !== undefined) },
    isData: () => true,
  },
  calendar: {
    ...timestamp.calendar,
    on: (day, { config }) => {
      const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
      return fromLocal(year, month, date, 12, 0, config?.timeZone); // noon
    },
  },
};
