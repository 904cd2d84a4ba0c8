import type { Field, Row, Values } from "../api/type.ts";
import { type Context, zoneOf } from "../field/context.ts";
import { fromLocalInput, rfc3339, toLocalInput } from "../field/date.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";
import { movedDays } from "./movedday.ts";
import { type Bar, barOf, changedValues } from "./timebars.ts";
import { dayAt } from "./timescale.ts";

/**
 * Minutes since 1970 as a clock in the zone of the start shows them, from one to the one behind the last. The end is
 * shown by the same clock, whatever its field's own is: there is one scale of hours.
 */
export type Hours = {
  from: number;
  to: number;
  /** The record has no end, and its length is assumed. */
  open?: boolean;
};

/** What a calendar shows of a record: its days, and its hours where it is at a time and takes less than a day. */
export type Entry = Bar & { hours?: Hours };

/** The fields that say when a record is. */
export type EntryFields = { start: Field; end: Field | undefined; context: Context };

export const minutesOfDay = 1440;
export const step = 15; // minutes to which entries are moved
const assumedLength = 60; // minutes of an entry without an end

/** Reports whether the values of a field are moments, and not days. */
export const isMoment = (field: Field) => kindOf(likeOf(field).type).family === "timestamp";

/** The minutes since 1970 that a clock in the zone shows at a moment. */
export function minutesOf(value: unknown, zone: string | undefined): number | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const minutes = Date.parse(`${toLocalInput(value, zone)}Z`) / 6e4;
  return Number.isNaN(minutes) ? undefined : minutes;
}

/** The moment at which a clock in the zone shows these minutes since 1970. */
export const momentAt = (minutes: number, zone: string | undefined) =>
  fromLocalInput(new Date(minutes * 6e4).toISOString(), zone)!;

const dayOfMinute = (minutes: number) => Math.floor(minutes / minutesOfDay);

/** The entry of a record; nothing where it has no start. */
export function entryOf(row: Row, { start, end, context }: EntryFields): Entry | undefined {
  const bar = barOf(row, start, end, context);
  if (!bar || !isMoment(start)) return bar;
  const zone = zoneOf(start, context);
  const from = minutesOf(row.fields[start.name], zone);
  if (from === undefined) return bar;
  const last = end && isMoment(end) ? minutesOf(row.fields[end.name], zone) : undefined;
  if (last === undefined || last <= from) {
    if (last === undefined && bar.to > bar.from) return bar; // its end is a day
    const to = Math.min(from + assumedLength, (bar.from + 1) * minutesOfDay);
    return { row, from: bar.from, to: bar.from, hours: { from, to, open: true } };
  }
  // What ends at midnight is not on the day that begins then.
  const days = { row, from: bar.from, to: dayOfMinute(last - 1) };
  return last - from < minutesOfDay ? { ...days, hours: { from, to: last } } : days;
}

/** Where a time comes to by a drag: it goes on by steps of the clock, and stays where it is hardly moved. */
export function snapped(minutes: number, by: number): number {
  return Math.abs(by) < step / 2 ? minutes : Math.round((minutes + by) / step) * step;
}

/** The next time before or behind one to which a key moves it. */
export function stepped(minutes: number, direction: -1 | 1): number {
  const next = (minutes + direction * step) / step;
  return (direction > 0 ? Math.floor(next) : Math.ceil(next)) * step;
}

/** An entry that is moved by minutes. */
export function movedEntry(entry: Entry, by: number): Entry {
  const { row, hours } = entry;
  if (!hours) return entry;
  const [from, to] = [hours.from + by, hours.to + by];
  return { row, from: dayOfMinute(from), to: dayOfMinute(to - 1), hours: { ...hours, from, to } };
}

/** An entry with another end of its hours, which is behind its start. */
export function resizedEntry(entry: Entry, end: number): Entry {
  const { row, from, hours } = entry;
  if (!hours) return entry;
  const to = Math.max(end, hours.from + step);
  return { row, from, to: dayOfMinute(to - 1), hours: { from: hours.from, to } };
}

/** The values of a record, by field id, whose entry moves by minutes of the clock. It stays as long as it was. */
export function movedHours(entry: Entry, by: number, { start, end, context }: EntryFields): Values {
  const { row, hours } = entry;
  const before = row.fields[start.name] as string;
  if (!hours || by === 0) return {};
  const to = hours.from + by;
  const days = { from: dayAt(dayOfMinute(hours.from)), to: dayAt(dayOfMinute(to)) };
  const moved =
    by % minutesOfDay === 0 ? movedDays(before, start, context, days) : momentAt(to, zoneOf(start, context));
  const values: Values = { [start.id]: moved };
  const last = end && row.fields[end.name];
  if (!end || !moved || typeof last !== "string" || last === "") return values;
  // By the clock it could become an hour longer or shorter where the clock is set.
  values[end.id] = isMoment(end)
    ? rfc3339(Date.parse(last) + Date.parse(moved) - Date.parse(before))
    : movedDays(last, end, context, days);
  return values;
}

/** The values of a record whose entry has another end of its hours. */
export function resizedHours(entry: Entry, { start, end, context }: EntryFields): Values {
  const { row, hours } = entry;
  if (!hours || !end) return {};
  // Where the clock is set back, the time that it shows may be before the start.
  const earliest = Date.parse(row.fields[start.name] as string) + step * 6e4;
  const moment = Date.parse(momentAt(hours.to, zoneOf(start, context)));
  return { [end.id]: rfc3339(Math.max(moment, earliest)) };
}

/** The values of a record whose entry has an end that is some days later. It does not end before it starts. */
export function resizedDays(entry: Entry, days: number, fields: EntryFields): Values {
  const { start, end } = fields;
  const values = changedValues(entry, "end", days, fields);
  const made = end && values[end.id];
  if (!end || typeof made !== "string" || !isMoment(start) || !isMoment(end)) return values;
  const begun = Date.parse(entry.row.fields[start.name] as string);
  return Date.parse(made) > begun ? values : { [end.id]: rfc3339(begun + assumedLength * 6e4) };
}
