import type { Filter, Table, ViewConfig } from "../api/type.ts";
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
  const start = chosenField(startField, table, config);
  const end = chosenField(endField, table, config);
  if (!start) return [];
  const days = daysOf(month);
  const [first, last] = [days[0], days.at(-1)];
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
