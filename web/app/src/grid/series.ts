import { fromAbsolute, parseDate } from "@internationalized/date";
import type { Field } from "../api/type.ts";
import { type Context, zoneOf } from "../field/context.ts";

/** The value at a distance after the first of a series, or before it. */
export type Series = (place: number) => unknown;

/**
 * Finds how values of a field continue, as a spreadsheet does: two numbers, dates or moments by
 * their difference, one date or moment by days, and a text by the number in it, as in "Week 1".
 * Undefined where they do not continue, and are repeated.
 */
export function seriesOf(values: readonly unknown[], field: Field, context: Context): Series | undefined {
  switch (field.type) {
    case "number":
    case "currency":
    case "percent":
    case "duration":
      return numbers(values);
    case "date":
      return days(values);
    case "datetime":
      return moments(values, zoneOf(field, context) ?? "UTC");
    case "text":
      return texts(values);
    default:
      return undefined;
  }
}

const all = <T>(values: readonly unknown[], is: (value: unknown) => value is T): values is readonly T[] =>
  values.every((value) => is(value));
const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The difference of each to the one before it, if it is constant. */
function stepOf(list: readonly number[], same = (a: number, b: number) => a === b): number | undefined {
  const step = (list[1] ?? Number.NaN) - (list[0] ?? Number.NaN);
  const constant = list.every((one, index) => index === 0 || same(one - (list[index - 1] ?? Number.NaN), step));
  return constant && Number.isFinite(step) ? step : undefined;
}

const decimals = (value: number) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;

function numbers(values: readonly unknown[]): Series | undefined {
  if (!all(values, isNumber)) return undefined;
  const step = stepOf(values, (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)));
  const first = values[0];
  if (step === undefined || first === undefined) return undefined;
  const places = Math.min(15, Math.max(...values.map(decimals)));
  return (place) => Number((first + step * place).toFixed(places));
}

function days(values: readonly unknown[]): Series | undefined {
  if (!all(values, isText)) return undefined;
  const dates = values.map((value) => parseDate(value.slice(0, 10)));
  const [first] = dates;
  if (!first) return undefined;
  const months = stepOf(dates.map(({ year, month }) => year * 12 + month));
  if (months && dates.every(({ day }) => day === first.day))
    return (place) => first.add({ months: months * place }).toString();
  const step = dates.length === 1 ? 1 : stepOf(dates.map((date) => Math.round(date.toDate("UTC").getTime() / 864e5)));
  return step === undefined ? undefined : (place) => first.add({ days: step * place }).toString();
}

function moments(values: readonly unknown[], zone: string): Series | undefined {
  if (!all(values, isText)) return undefined;
  const times = values.map((value) => fromAbsolute(Date.parse(value), zone));
  const [first] = times;
  if (!first) return undefined;
  const written = (time: typeof first) => time.toAbsoluteString().replace(".000Z", "Z");
  // Days keep the clock time, even if the clock changes between them.
  const ofDay = (time: typeof first) => time.hour * 60 + time.minute;
  const onDay = times.map((time) => Math.round((time.toDate().getTime() + time.offset) / 864e5));
  const step = times.length === 1 ? 1 : stepOf(onDay);
  if (step !== undefined && times.every((time) => ofDay(time) === ofDay(first)))
    return (place) => written(first.add({ days: step * place }));
  const milliseconds = stepOf(times.map((time) => time.toDate().getTime()));
  return milliseconds === undefined
    ? undefined
    : (place) => new Date(first.toDate().getTime() + milliseconds * place).toISOString().replace(".000Z", "Z");
}

const numbered = /^(.*?)(\d{1,15})(\D*)$/s;

function texts(values: readonly unknown[]): Series | undefined {
  if (!all(values, isText)) return undefined;
  const parts = values.map((value) => numbered.exec(value));
  const [first] = parts;
  if (!first) return undefined;
  const [, before = "", digits = "", behind = ""] = first;
  // A single text of digits is a code or a year, which is repeated.
  if (values.length === 1 && before === "" && behind === "") return undefined;
  if (!parts.every((part) => part?.[1] === before && part[3] === behind)) return undefined;
  const step = parts.length === 1 ? 1 : stepOf(parts.map((part) => Number(part?.[2])));
  if (step === undefined) return undefined;
  const padded = digits.startsWith("0") ? digits.length : 0;
  return (place) => {
    const next = Number(digits) + step * place;
    return next < 0 ? undefined : `${before}${String(next).padStart(padded, "0")}${behind}`;
  };
}
