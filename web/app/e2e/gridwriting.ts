import type { Random } from "./tablemodel.ts";

/** How people of a locale write a date of numbers and a number. */
export const locales = {
  "en-US": { monthFirst: true, comma: false },
  "de-DE": { monthFirst: false, comma: true },
  "en-GB": { monthFirst: false, comma: false },
} as const;

export type LocaleTag = keyof typeof locales;

/** A column as somebody, somewhere, has written it, and the values that a paste should make of it. */
export type Column = { cells: string[]; values: unknown[] };

const two = (n: number) => String(n).padStart(2, "0");

/**
 * Dates with the day or the month first. Where none has a day above 12, they are read as the
 * person's locale writes them.
 */
export function writeDates(random: Random, count: number, locale: LocaleTag): Column {
  const monthFirst = random.below(2) === 0;
  const lastDay = random.below(3) === 0 ? 12 : 28;
  const dates = Array.from({ length: count }, () => ({
    year: random.between(1999, 2030),
    month: random.between(1, 12),
    day: random.between(1, lastDay),
  }));
  const read = dates.some(({ day }) => day > 12) ? monthFirst : locales[locale].monthFirst;
  return {
    cells: dates.map(({ year, month, day }) => (monthFirst ? `${month}/${day}/${year}` : `${day}/${month}/${year}`)),
    values: dates.map(({ year, month, day }) =>
      read === monthFirst ? `${year}-${two(month)}-${two(day)}` : `${year}-${two(day)}-${two(month)}`,
    ),
  };
}

/**
 * Numbers with a decimal point or a decimal comma. Where all could be both, they are read as the
 * person's locale writes them.
 */
export function writeNumbers(random: Random, count: number, locale: LocaleTag): Column {
  const comma = random.below(2) === 0;
  const [group, decimal] = comma ? [".", ","] : [",", "."];
  const open = random.below(3) === 0;
  const numbers = Array.from({ length: count }, (_, index) => ({
    thousands: random.between(1, 99),
    rest: random.between(100, 999),
    // The first decides, and the others may be anything.
    half: !open && (index === 0 || random.below(2) === 0),
  }));
  const read = open ? locales[locale].comma : comma;
  return {
    cells: numbers.map(({ thousands, rest, half }) => `${thousands}${group}${rest}${half ? `${decimal}5` : ""}`),
    values: numbers.map(({ thousands, rest, half }) =>
      read === comma ? thousands * 1000 + rest + (half ? 0.5 : 0) : Number(`${thousands}.${rest}`),
    ),
  };
}
