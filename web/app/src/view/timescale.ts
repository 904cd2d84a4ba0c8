import type { TimeScale } from "../api/type.ts";
import { reachOf } from "./month.ts";

/** Days are counted from 1970-01-01. */
export const dayNumber = (day: string) => Math.round(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / 864e5);
export const dayAt = (number: number) => new Date(number * 864e5).toISOString().slice(0, 10);

type Unit = "day" | "week" | "month" | "quarter" | "year";

type Scale = {
  /** Pixels that a day takes. */
  width: number;
  /** What the two lines of the head count. */
  major: Unit;
  minor: Unit;
};

const scales: Record<TimeScale, Scale> = {
  day: { width: 44, major: "month", minor: "day" },
  week: { width: 18, major: "month", minor: "week" },
  month: { width: 5, major: "year", minor: "month" },
  quarter: { width: 2, major: "year", minor: "quarter" },
};

export const scaleOf = (scale: TimeScale): Scale => scales[scale];

const monthStart = (year: number, month: number) => Math.round(Date.UTC(year, month, 1) / 864e5);

/** The first day of the unit that a day is in. Weeks begin on Monday. */
export function startOfUnit(day: number, unit: Unit): number {
  if (unit === "day") return day;
  if (unit === "week") return day - ((((day + 3) % 7) + 7) % 7);
  const date = new Date(day * 864e5);
  const month = date.getUTCMonth();
  return monthStart(
    date.getUTCFullYear(),
    unit === "month" ? month : unit === "quarter" ? month - (month % 3) : 0,
  );
}

/** The first day of the next unit. */
function nextUnit(day: number, unit: Unit): number {
  if (unit === "day" || unit === "week") return day + (unit === "day" ? 1 : 7);
  const date = new Date(day * 864e5);
  const months = unit === "month" ? 1 : unit === "quarter" ? 3 : 12;
  return monthStart(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/** The days that a timeline shows, from its first to the one behind its last; both begin a unit. */
export type Span = { from: number; to: number };

/** The days around one at a scale, of those whose records are read. */
export function spanOf(scale: TimeScale, around: number): Span {
  const { before, behind } = reachOf(scale);
  const { minor } = scales[scale];
  return {
    from: nextUnit(startOfUnit(around - before, minor), minor),
    to: startOfUnit(around + behind, minor),
  };
}

export type Tick = { day: number; days: number };

/** The units that a span is divided into. */
export function ticks({ from, to }: Span, unit: Unit): Tick[] {
  const list: Tick[] = [];
  for (let day = startOfUnit(from, unit); day < to; ) {
    const next = nextUnit(day, unit);
    const shown = Math.max(day, from);
    list.push({ day: shown, days: Math.min(next, to) - shown });
    day = next;
  }
  return list;
}

const dates: Record<Unit, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric" },
  week: { day: "numeric" },
  month: { month: "short" },
  quarter: {},
  year: { year: "numeric" },
};

/** What a tick of the head is called. Months of the upper line have their year. */
export function tickLabel({ day }: Tick, unit: Unit, upper: boolean, language: string): string {
  const date = new Date(day * 864e5);
  if (unit === "quarter") return `Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
  const options: Intl.DateTimeFormatOptions =
    upper && unit === "month" ? { month: "long", year: "numeric" } : dates[unit];
  return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(date);
}

/** Reports whether a day is a Saturday or a Sunday. */
export const isWeekend = (day: number) => startOfUnit(day, "week") + 5 <= day;
