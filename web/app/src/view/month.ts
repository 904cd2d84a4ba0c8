/** Days as "2025-01-31"; a month's page is the six weeks around it, from Monday. */

const two = (n: number) => String(n).padStart(2, "0");

export const isoDay = (date: Date) => `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;

export type Month = { year: number; month: number };

export function monthOf(day: string): Month {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) };
}

export function step({ year, month }: Month, by: number): Month {
  const index = year * 12 + month - 1 + by;
  return { year: Math.floor(index / 12), month: (index % 12) + 1 };
}

/** The days of the weeks that a month touches. */
export function pageOf({ year, month }: Month): string[] {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const start = new Date(first);
  start.setUTCDate(1 - ((first.getUTCDay() + 6) % 7));
  const days: string[] = [];
  const last = new Date(Date.UTC(year, month, 0));
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
