import type { CalendarScale, Filter, Table, TimeScale, ViewConfig } from "../api/type.ts";
import { dayIn } from "../field/date.ts";
import type { Locale } from "../locale/locale.ts";
import { chosenField, endField, startField } from "./fieldsetting.ts";

/**
 * Days as "2025-01-31" and months as "2025-01"; a month's page is the weeks that it touches. Weeks begin on a day
 * that the person has chosen, 0 being Sunday.
 */

/** How a person reads, and the time zone of the base. */
export type Clock = { locale: Locale; timeZone?: string };

const two = (n: number) => String(n).padStart(2, "0");

const isoDay = (date: Date) => `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;

export const monthOf = (day: string) => day.slice(0, 7);

/** The day that it is: by the clock that the person has chosen, or by that of a base. */
export const today = ({ locale, timeZone }: Clock) => dayIn(new Date().toISOString(), locale.zone ?? timeZone)!;

const moved = (day: string, by: number) => isoDay(new Date(Date.parse(day) + by * 864e5));
const daysFrom = (day: string, count: number) => Array.from({ length: count }, (_, index) => moved(day, index));
const daysIntoWeek = (day: string, firstDay: number) => (new Date(day).getUTCDay() + 7 - firstDay) % 7;

/** The days of the weeks that a month touches. */
export function daysOf(month: string, firstDay: number): string[] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const first = `${month}-01`;
  const before = daysIntoWeek(first, firstDay);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return daysFrom(moved(first, -before), Math.ceil((before + length) / 7) * 7);
}

/** What a calendar shows at once: a month unless its view names something else that is known. */
export const calendarScaleIn = ({ calendarScale: scale }: ViewConfig): CalendarScale =>
  scale === "week" || scale === "day" ? scale : "month";

/** The days that a calendar shows, of which one is given. */
export function calendarDays(scale: CalendarScale, day: string, firstDay: number): string[] {
  if (scale === "month") return daysOf(monthOf(day), firstDay);
  if (scale === "day") return [day];
  return daysFrom(moved(day, -daysIntoWeek(day, firstDay)), 7);
}

/** The conditions that hold for the records that a calendar shows, and for no other. */
export function calendarFilters(table: Table, config: ViewConfig, day: string, locale: Locale): Filter[] {
  const days = calendarDays(calendarScaleIn(config), day, locale.firstDay);
  return daysFilters(table, config, days[0]!, days.at(-1)!, locale);
}

const reach: Record<TimeScale, { before: number; behind: number }> = {
  day: { before: 42, behind: 70 },
  week: { before: 112, behind: 168 },
  month: { before: 365, behind: 540 },
  quarter: { before: 1100, behind: 1460 },
};

/** The scale that a view has: by weeks unless it names one that is known. */
export const scaleIn = ({ timeScale }: ViewConfig): TimeScale =>
  timeScale && timeScale in reach ? timeScale : "week";

/** How many days before and behind a day a timeline reads. */
export const reachOf = (scale: TimeScale) => reach[scale];

/** The conditions that hold for the records around a day, as far as a timeline shows them. */
export function timelineFilters(table: Table, config: ViewConfig, around: string, locale: Locale): Filter[] {
  const { before, behind } = reachOf(scaleIn(config));
  return daysFilters(table, config, moved(around, -before), moved(around, behind), locale);
}

/** The conditions that hold for the records of some days, and where a person has a clock of their own for some more. */
function daysFilters(table: Table, config: ViewConfig, from: string, to: string, locale: Locale): Filter[] {
  const start = chosenField(startField, table, config);
  const end = chosenField(endField, table, config);
  if (!start) return [];
  // Filters go by the clock of the base, whose day is up to two before or behind.
  const slack = locale.zone === undefined ? 0 : 2;
  const [first, last] = [moved(from, -slack), moved(to, slack)];
  if (!end) return [{ fieldId: start.id, op: "between", value: [first, last] }];
  const single: Filter = {
    and: [
      { fieldId: end.id, op: "is_empty" },
      { fieldId: start.id, op: "gte", value: first },
    ],
  };
  return [
    { fieldId: start.id, op: "lte", value: last },
    { or: [{ fieldId: end.id, op: "gte", value: first }, single] },
  ];
}
