import type { Span } from "../api/type.ts";
import type { Locale } from "../locale/locale.ts";
import { chartTextOf } from "../text/chart.ts";

/** Spans of time, each by its first day, such as "2025-01-01". Weeks begin on Monday. */

const dayOf = (day: string) => new Date(`${day}T00:00:00Z`);
const isoDay = (date: Date) => date.toISOString().slice(0, 10);

/** The first day of the span after one. */
function nextOf(day: string, span: Span): string {
  const date = dayOf(day);
  if (span === "day") date.setUTCDate(date.getUTCDate() + 1);
  else if (span === "week") date.setUTCDate(date.getUTCDate() + 7);
  else date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[span]);
  return isoDay(date);
}

/** The last day of a span. */
export function lastDayOf(day: string, span: Span): string {
  const date = dayOf(nextOf(day, span));
  date.setUTCDate(date.getUTCDate() - 1);
  return isoDay(date);
}

/** The spans from one to another, both included; undefined if they are more than `most`. */
export function spansBetween(first: string, last: string, span: Span, most: number): string[] | undefined {
  const days: string[] = [];
  for (let day = first; day <= last; day = nextOf(day, span)) if (days.push(day) > most) return undefined;
  return days;
}

const options: Record<Exclude<Span, "quarter">, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short", year: "numeric" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

/** What a span is called. */
export function spanLabel(day: string, span: Span, locale: Locale): string {
  const date = dayOf(day);
  if (Number.isNaN(date.getTime())) return day;
  if (span === "quarter")
    return chartTextOf(locale).quarter(Math.floor(date.getUTCMonth() / 3) + 1, date.getUTCFullYear());
  return new Intl.DateTimeFormat(locale.tag, { ...options[span], timeZone: "UTC" }).format(date);
}
