import { english, type Locale } from "../locale/locale.ts";
import { en } from "../text/en/index.ts";
import { textOf } from "../text/index.ts";
import { inUtc, type LocalTime, localTime, timeAt } from "./zone.ts";

/**
 * Dates as the service has them, "2025-01-31", and moments in RFC 3339, to and from what people
 * read and write.
 */

const two = (n: number) => String(n).padStart(2, "0");

const formats: Record<string, string> = {
  iso: "YYYY-MM-DD",
  european: "DD/MM/YYYY",
  us: "MM/DD/YYYY",
  friendly: "D MMM YYYY",
};
const local = new Map<string, string>(); // by locale: asking Intl costs 20 ms, which most tables need not pay

/** The formats that a date can have, by the service's names. The first is the default. */
export const dateFormats = [...Object.keys(formats), "local"];

/** The pattern in which a format writes a date; for "local", the locale's pattern. */
export function datePattern(name: string | undefined, locale: Locale): string {
  if (name !== "local") return formats[name ?? "iso"] ?? formats.iso ?? "";
  let found = local.get(locale.tag);
  if (found === undefined) {
    found = localPattern(locale);
    local.set(locale.tag, found);
  }
  return found;
}

/** The order and the separators in which a locale writes a date. */
function localPattern(locale: Locale): string {
  const tokens: Record<string, string | undefined> = { year: "YYYY", month: "MM", day: "DD" };
  const options = { year: "numeric", month: "2-digit", day: "2-digit", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(`${locale.tag}-u-ca-gregory-nu-latn`, options)
    .formatToParts(new Date(0))
    .map((part) => tokens[part.type] ?? part.value)
    .join("");
}

/**
 * The formats that a time of the day can have, and how each is written; the first is the default.
 */
export const timeFormats: Record<string, string> = { "24h": "HH:mm", "12h": "hh:mm A" };

const timePattern = (name = "24h") => timeFormats[name] ?? timeFormats["24h"] ?? "";

/** Writes the parts in a format of YYYY, MM, MMM, M, DD, D, HH, hh, mm, ss and A. */
function write(parts: LocalTime, format: string, locale: Locale = english): string {
  return format.replace(/YYYY|MMM|MM|M|DD|D|HH|hh|mm|ss|A/g, (token) => {
    switch (token) {
      case "YYYY":
        return String(parts.year).padStart(4, "0");
      case "MMM":
        return textOf(locale).field.months[parts.month - 1] ?? "";
      case "MM":
        return two(parts.month);
      case "M":
        return String(parts.month);
      case "DD":
        return two(parts.day);
      case "D":
        return String(parts.day);
      case "HH":
        return two(parts.hour);
      case "hh":
        return two(parts.hour % 12 || 12);
      case "mm":
        return two(parts.minute);
      case "ss":
        return two(parts.second);
      default:
        return parts.hour < 12 ? "AM" : "PM";
    }
  });
}

/** Writes a date of the service in a field's format. What is no date is written as it is. */
export function formatDate(value: string, format?: string, locale: Locale = english): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(value);
  if (!match) return value;
  const [, year, month, day] = match.map(Number) as [number, number, number, number];
  return write({ year, month, day, hour: 0, minute: 0, second: 0 }, datePattern(format, locale), locale);
}

/**
 * The parts of a moment in a time zone; undefined for what is no moment. An unknown zone is read as
 * UTC.
 */
function partsOf(value: string, zone = "UTC"): LocalTime | undefined {
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : localTime(time, knownZone(zone));
}

const zones = new Map<string, string>([["UTC", "UTC"]]);

function knownZone(zone: string): string {
  let found = zones.get(zone);
  if (found === undefined) {
    try {
      found = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    } catch {
      found = "UTC";
    }
    zones.set(zone, found);
  }
  return found;
}

type TimestampFormat = { dateFormat?: string; timeFormat?: string; timeZone?: string };

/**
 * Writes a moment of the service in a field's format and time zone. What is no moment is written as
 * it is.
 */
export function formatTimestamp(value: string, format: TimestampFormat = {}, locale: Locale = english): string {
  const parts = partsOf(value, format.timeZone);
  if (!parts) return value;
  return write(parts, `${datePattern(format.dateFormat, locale)} ${timePattern(format.timeFormat)}`, locale);
}

/** The day of a moment in a time zone, as 2025-01-31; undefined for what is no moment. */
export function dayIn(value: string, zone?: string): string | undefined {
  const parts = partsOf(value, zone);
  return parts && write(parts, "YYYY-MM-DD");
}

/** The moment as the browser's date-and-time input writes it, in the zone. */
export function toLocalInput(value: string, zone?: string): string {
  const parts = partsOf(value, zone);
  return parts ? write(parts, "YYYY-MM-DDTHH:mm") : "";
}

/** A moment, in milliseconds since 1970, as the service has it. */
export const rfc3339 = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");

/** The present moment, to the second. */
export const presentTime = () => rfc3339(Math.floor(Date.now() / 1000) * 1000);

type Minute = Omit<LocalTime, "second">;

/**
 * The moment, in milliseconds since 1970, at which a clock in the zone shows this date and time. A
 * time that a clock set forward skips is behind the gap, so that a day without a midnight stays
 * that day.
 */
function timeOf(minute: Minute, zone = "UTC"): number {
  return timeAt({ ...minute, second: 0 }, knownZone(zone));
}

/** The moment, in RFC 3339 and UTC, at which a clock in the zone shows this date and time. */
export function fromLocal(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  zone?: string,
): string {
  return rfc3339(timeOf({ year, month, day, hour, minute }, zone));
}

export function fromLocalInput(input: string, zone?: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(input);
  return match ? fromLocal(+match[1]!, +match[2]!, +match[3]!, +match[4]!, +match[5]!, zone) : undefined;
}

/** The date with these numbers if the calendar has it. */
function existing(year: number, month: number, day: number): string | undefined {
  const date = { year, month, day, hour: 0, minute: 0, second: 0 };
  const found = localTime(inUtc(date), "UTC");
  return year > 0 && found.month === month && found.day === day ? write(date, "YYYY-MM-DD") : undefined;
}

/** Which of the two stands first in a date of numbers that ends with the year. */
export type DateOrder = "day" | "month";

const numeric = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?=$|[ T,])/;

/** The order of a field's own format or, where that shows none, the person's. */
export function dateOrder(format: string | undefined, locale: Locale): DateOrder {
  const pattern = datePattern(format === "us" || format === "european" ? format : "local", locale);
  return pattern.indexOf("M") < pattern.indexOf("D") ? "month" : "day";
}

/** How the dates of a column are written, as far as they show it. */
export type ColumnOrder =
  | { kind: "certain"; order: DateOrder }
  /** No date of the column shows it, or the column has no dates in numbers. */
  | { kind: "open" }
  /** One date has the day first, and another the month. */
  | { kind: "conflict"; day: string; month: string };

/** Finds the order in which a column's dates are written: a number above 12 is a day. */
export function columnOrder(cells: Iterable<string>): ColumnOrder {
  let day: string | undefined;
  let month: string | undefined;
  for (const cell of cells) {
    const [, first = 0, second = 0] = (numeric.exec(cell.trim()) ?? []).map(Number);
    if (first > 12 && second <= 12) day ??= cell.trim();
    if (second > 12 && first <= 12) month ??= cell.trim();
  }
  if (day !== undefined && month !== undefined) return { kind: "conflict", day, month };
  if (day === undefined && month === undefined) return { kind: "open" };
  return { kind: "certain", order: day === undefined ? "month" : "day" };
}

/** Reports whether a date reads differently in the two orders. */
export function isOpenDate(cell: string): boolean {
  const [, first = 0, second = 0] = (numeric.exec(cell.trim()) ?? []).map(Number);
  return first > 0 && second > 0 && first <= 12 && second <= 12 && first !== second;
}

/**
 * Reads a date as people write it. Of two numbers before the year, one above 12 is the day;
 * otherwise they have the given order, or the order of the format or the locale.
 */
export function parseDate(
  input: string,
  format?: string,
  locale: Locale = english,
  order: DateOrder = dateOrder(format, locale),
): string | undefined {
  const trimmed = input.trim();
  let match = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(trimmed);
  if (match) return existing(+match[1]!, +match[2]!, +match[3]!);
  match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(trimmed);
  if (match) {
    const [first, second, year] = [+match[1]!, +match[2]!, +match[3]!];
    const monthFirst = second > 12 || (order === "month" && first <= 12);
    return monthFirst ? existing(year, first, second) : existing(year, second, first);
  }
  match = /^(\d{1,2})\.? +(\p{L}{3,})\.?,? +(\d{4})$/u.exec(trimmed);
  if (match) return existing(+match[3]!, monthNumber(match[2]!, locale), +match[1]!);
  match = /^(\p{L}{3,})\.? +(\d{1,2}),? +(\d{4})$/u.exec(trimmed);
  if (match) return existing(+match[3]!, monthNumber(match[1]!, locale), +match[2]!);
  return undefined;
}

/** The number of a month by its name or the beginning of it, in the person's language or in English, or 0. */
function monthNumber(name: string, locale: Locale): number {
  const lower = name.toLowerCase();
  const among = (months: string[]) => months.findIndex((month) => lower.startsWith(month.toLowerCase())) + 1;
  return among(textOf(locale).field.months) || among(en.field.months);
}

/** Reads a date and time as people write it; without an offset of its own it is in the zone. */
export function parseTimestamp(
  input: string,
  format?: string,
  zone?: string,
  locale: Locale = english,
  order: DateOrder = dateOrder(format, locale),
): string | undefined {
  const trimmed = input.trim();
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/i.test(trimmed)) {
    const time = Date.parse(trimmed);
    return Number.isNaN(time) ? undefined : rfc3339(time);
  }
  const clock = String.raw`(\d{1,2}):(\d{2})(?::([0-5]\d(?:\.\d{1,3})?)\d*)?\s*([AaPp])?\.?[Mm]?\.?`;
  const match = new RegExp(String.raw`^(.*?)(?:[ T,]+${clock})?$`).exec(trimmed);
  const date = match?.[1] === undefined ? undefined : parseDate(match[1], format, locale, order);
  // A date may be read from a text with a time, but here a time that cannot be read must not become
  // midnight.
  if (!match || !date || /^\d{4}\D\d+\D\d+[T ]/.test(match[1] ?? "")) return undefined;
  let hour = Number(match[2] ?? 0);
  const half = match[5]?.toLowerCase();
  if (half === "p" && hour < 12) hour += 12;
  if (half === "a" && hour === 12) hour = 0;
  const minute = Number(match[3] ?? 0);
  if (hour > 23 || minute > 59) return undefined;
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  return rfc3339(timeOf({ year, month, day, hour, minute }, zone) + Math.round(Number(match[4] ?? 0) * 1000));
}
