import type { Filter, Table, TimeScale, ViewConfig } from "../api/type.ts";
import { dayIn } from "../field/date.ts";
import { chosenField, endField, startField } from "./fieldsetting.ts";

/**
 * Days as "2025-01-31" and months as "2025-01"; a month's page is the weeks that it touches, from
 * Monday.
 */

const two = (n: number) => String(n).padStart(2, "0");

const isoDay = (date: Date) => `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;

export const monthOf = (day: string) => day.slice(0, 7);

/** The day that it is in a base, by its time zone. */
export const today = (zone?: string) => dayIn(new Date().toISOString(), zone)!;

const parts = (month: string) => ({ year: Number(month.slice(0, 4)), month: Number(month.slice(5, 7)) });

/** The first moment of a month, in UTC. */
export const startOf = (month: string) => Date.UTC(parts(month).year, parts(month).month - 1, 1);

export function addMonths(month: string, by: number): string {
  const { year, month: number } = parts(month);
  const index = year * 12 + number - 1 + by;
  return `${Math.floor(index / 12)}-${two((index % 12) + 1)}`;
}

/** The days of the weeks that a month touches. */
export function daysOf(month: string): string[] {
  const first = new Date(startOf(month));
  const start = new Date(first);
  start.setUTCDate(1 - ((first.getUTCDay() + 6) % 7));
  const days: string[] = [];
  const last = new Date(Date.UTC(parts(month).year, parts(month).month, 0));
  const weeks = Math.ceil((last.getUTCDate() + ((first.getUTCDay() + 6) % 7)) / 7);
  for (; days.length < weeks * 7; start.setUTCDate(start.getUTCDate() + 1)) days.push(isoDay(start));
  return days;
}

/** The days from one to another, both included; at most a year of them. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const end = to < from ? from : to;
  for (const day = new Date(`${from}T00:00:00Z`); days.length < 366; day.setUTCDate(day.getUTCDate() + 1)) {
    const iso = isoDay(day);
    if (iso > end) break;
    days.push(iso);
  }
  return days;
}

/** The conditions that hold for the records of a month's page, and of no other. */
export function monthFilters(table: Table, config: ViewConfig, month: string): Filter[] {
  const days = daysOf(month);
  return daysFilters(table, config, days[0], days.at(-1));
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
export function timelineFilters(table: Table, config: ViewConfig, around: string): Filter[] {
  const { before, behind } = reachOf(scaleIn(config));
  const day = (by: number) => isoDay(new Date(Date.parse(around) + by * 864e5));
  return daysFilters(table, config, day(-before), day(behind));
}

/** The conditions that hold for the records of some days. */
function daysFilters(table: Table, config: ViewConfig, first: string | undefined, last: string | undefined): Filter[] {
  const start = chosenField(startField, table, config);
  const end = chosenField(endField, table, config);
  if (!start) return [];
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
