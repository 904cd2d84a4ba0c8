import type { CalendarScale } from "../api/type.ts";
import { monthOf } from "./month.ts";
import { dayAt, dayNumber } from "./timescale.ts";

/** The day to which a calendar turns from another one. In the month of today, that is today. */
export function turned(scale: CalendarScale, day: string, step: -1 | 1, today: string): string {
  if (scale !== "month") return dayAt(dayNumber(day) + step * (scale === "week" ? 7 : 1));
  const [year = 0, month = 0] = day.split("-").map(Number);
  const next = new Date(Date.UTC(year, month - 1 + step, 1)).toISOString().slice(0, 10);
  return monthOf(next) === monthOf(today) ? today : next;
}

const titles: Record<CalendarScale, Intl.DateTimeFormatOptions> = {
  month: { month: "long", year: "numeric" },
  week: { day: "numeric", month: "short", year: "numeric" },
  day: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
};

/** What the days that a calendar shows around one are called. */
export function titleOf(scale: CalendarScale, day: string, days: readonly string[], language: string): string {
  const format = new Intl.DateTimeFormat(language, { ...titles[scale], timeZone: "UTC" });
  if (scale !== "week") return format.format(new Date(day));
  return format.formatRange(new Date(days[0] ?? day), new Date(days.at(-1) ?? day));
}
