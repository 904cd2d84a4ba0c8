import { expect, test } from "vitest";
import { english } from "../../src/locale/locale.ts";
import type { CalendarScale, Field, Row, Table } from "../../src/api/type.ts";
import {
  entryOf,
  type EntryFields,
  minutesOf,
  momentAt,
  movedEntry,
  movedHours,
  resizedDays,
  resizedEntry,
  resizedHours,
  snapped,
  stepped,
} from "../../src/view/calendarentry.ts";
import { placedHours, rowBars, segmentsOf } from "../../src/view/calendarlayout.ts";
import { titleOf, turned } from "../../src/view/calendarspan.ts";
import { boxOf, dayHeight, firstShown, heightOf } from "../../src/view/hourscale.ts";
import { calendarDays, calendarFilters, calendarScaleIn } from "../../src/view/month.ts";
import { dayNumber } from "../../src/view/timescale.ts";

const berlin = { locale: { language: "en", tag: "en-GB" }, people: [], timeZone: "Europe/Berlin" } as never;
const field = (id: string, type: string, config = {}) => ({ id, name: id, type, config }) as unknown as Field;
const moments: EntryFields = { start: field("start", "datetime"), end: field("end", "datetime"), context: berlin };
const entry = (start: string, end: string | null, fields = moments) =>
  entryOf({ id: "r", fields: { start, end } } as unknown as Row, fields)!;
const bar = (id: string, from: number, to: number) => ({ row: { id } as Row, from, to });
const one = (id: string, from: number, to: number) =>
  segmentsOf({ ...bar(id, 0, 0), hours: { from: from * 60, to: to * 60 } });
const title = (scale: CalendarScale, day: string) =>
  titleOf(scale, day, calendarDays(scale, day, 1), "en").replace(/\s+/g, " ");
const at = (day: string, hour: number, minute = 0) => dayNumber(day) * 1440 + hour * 60 + minute;

test("a calendar reads the days that it shows, and those of a month where its scale is not known", () => {
  const scales = [undefined, null, "year", "week"].map((one) => calendarScaleIn({ calendarScale: one } as never));
  expect(scales).toEqual(["month", "month", "month", "week"]);
  expect(calendarDays("week", "2026-03-01", 1)).toEqual([
    "2026-02-23", "2026-02-24", "2026-02-25", "2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01",
  ]);
  expect(calendarDays("week", "2026-03-02", 1)[0]).toBe("2026-03-02");
  const table = { fields: [field("start", "datetime")] } as unknown as Table;
  const read = (calendarScale: CalendarScale) =>
    calendarFilters(table, { startFieldId: "start", calendarScale }, "2026-03-04", english)[0];
  expect(read("month")).toMatchObject({ value: ["2026-02-23", "2026-04-05"] });
  expect(read("week")).toMatchObject({ value: ["2026-03-02", "2026-03-08"] });
  expect(read("day")).toMatchObject({ value: ["2026-03-04", "2026-03-04"] });
});

test("a calendar turns by what it shows, and says what that is", () => {
  expect(turned("month", "2026-12-31", 1, "2026-05-05")).toBe("2027-01-01");
  expect(turned("month", "2026-06-09", -1, "2026-05-05")).toBe("2026-05-05");
  expect(turned("week", "2026-12-31", 1, "2026-05-05")).toBe("2027-01-07");
  expect(turned("day", "2028-02-29", 1, "2026-05-05")).toBe("2028-03-01");
  expect(title("month", "2026-05-13")).toBe("May 2026");
  expect(title("week", "2026-05-13")).toBe("May 11 – 17, 2026");
  expect(title("week", "2026-12-31")).toBe("Dec 28, 2026 – Jan 3, 2027");
  expect(title("day", "2026-05-13")).toBe("Wednesday, May 13, 2026");
});

test("an entry is at the hours of its field's clock, or of the base's", () => {
  expect(entry("2026-05-13T08:00:00Z", "2026-05-13T09:30:00Z").hours).toEqual({
    from: at("2026-05-13", 10),
    to: at("2026-05-13", 11, 30),
  });
  const own = { ...moments, start: field("start", "datetime", { timeZone: "Pacific/Kiritimati" }) };
  expect(entry("2026-05-13T11:00:00Z", null, own)).toMatchObject({
    from: dayNumber("2026-05-14"),
    hours: { from: at("2026-05-14", 1), to: at("2026-05-14", 2), open: true },
  });
  // Without an end, it does not reach into the next day; an end before the start is none.
  expect(entry("2026-05-13T21:30:00Z", null).hours?.to).toBe(at("2026-05-14", 0));
  expect(entry("2026-05-13T08:00:00Z", "2026-05-12T08:00:00Z").hours?.open).toBe(true);
});

test("what takes a day or more stands over the hours, and what ends at midnight is not on the next day", () => {
  const whole = entry("2026-05-12T22:00:00Z", "2026-05-14T22:00:00Z");
  expect([whole.from, whole.to, whole.hours]).toEqual([dayNumber("2026-05-13"), dayNumber("2026-05-14"), undefined]);
  expect(entry("2026-05-13T18:00:00Z", "2026-05-13T22:00:00Z").to).toBe(dayNumber("2026-05-13"));
  const days = { ...moments, start: field("start", "date"), end: field("end", "date") };
  expect(entry("2026-05-13", "2026-05-14", days)).toMatchObject({ to: dayNumber("2026-05-14") });
  expect(entry("2026-05-13", "2026-05-14", days).hours).toBeUndefined();
  const night = segmentsOf(entry("2026-05-13T20:00:00Z", "2026-05-14T04:00:00Z"));
  expect(night.map(({ from, to, isFirst, isLast }) => [from, to, isFirst, isLast])).toEqual([
    [22 * 60, 1440, true, false],
    [0, 6 * 60, false, true],
  ]);
});

test("an entry that is moved stays as long as it was, also over the change of the clocks", () => {
  // In Berlin, the clock goes from 2 to 3 on 29 March 2026, and from 3 to 2 on 25 October.
  const evening = entry("2026-03-28T21:00:00Z", "2026-03-28T22:30:00Z");
  expect(movedHours(evening, 2 * 60, moments)).toEqual({
    start: "2026-03-28T23:00:00Z",
    end: "2026-03-29T00:30:00Z",
  });
  expect(movedHours(evening, 1440, moments)).toEqual({ start: "2026-03-29T20:00:00Z", end: "2026-03-29T21:30:00Z" });
  // From 22:00 to 2:30, which the clock of that night skips.
  expect(movedHours(evening, 4.5 * 60, moments)).toEqual({
    start: "2026-03-29T01:30:00Z",
    end: "2026-03-29T03:00:00Z",
  });
  const autumn = entry("2026-10-24T22:00:00Z", "2026-10-25T01:30:00Z"); // 0:00 to the second 2:30
  expect(autumn.hours).toEqual({ from: at("2026-10-25", 0), to: at("2026-10-25", 2, 30) });
  expect(movedHours(autumn, 1440, moments)).toEqual({ start: "2026-10-25T23:00:00Z", end: "2026-10-26T02:30:00Z" });
  expect(movedHours(entry("2026-05-13T08:07:30Z", null), 1440, moments)).toEqual({ start: "2026-05-14T08:07:30Z" });
  expect(movedHours(evening, 0, moments)).toEqual({});
});

test("a moment is the one at which the clock shows it", () => {
  for (const value of ["2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z", "2026-10-25T12:00:00Z"])
    expect(momentAt(minutesOf(value, "Europe/Berlin")!, "Europe/Berlin")).toBe(value);
  expect(minutesOf("soon", "Europe/Berlin")).toBeUndefined();
});

test("an entry that is resized ends at the time that the clock shows, and not before it began", () => {
  const morning = entry("2026-05-13T08:00:00Z", "2026-05-13T09:00:00Z");
  const resized = (hour: number, minute = 0) =>
    resizedHours(resizedEntry(morning, at("2026-05-13", hour, minute)), moments);
  expect(resized(12, 45)).toEqual({ end: "2026-05-13T10:45:00Z" });
  expect(resized(3)).toEqual({ end: "2026-05-13T08:15:00Z" });
  expect(resizedHours(resizedEntry(entry("2026-05-13T08:00:00Z", null), at("2026-05-13", 13)), moments)).toEqual({
    end: "2026-05-13T11:00:00Z",
  });
  // From the second 2:30 of a night, to the 2:45 that the clock shows first.
  const second = entry("2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z");
  expect(resizedHours(resizedEntry(second, at("2026-10-25", 2, 45)), moments)).toEqual({ end: "2026-10-25T01:45:00Z" });
});

test("a last day that is moved keeps its time, unless that is before the start", () => {
  const days = entry("2026-05-13T12:00:00Z", "2026-05-15T08:00:00Z");
  expect(resizedDays(days, 1, moments)).toEqual({ end: "2026-05-16T08:00:00Z" });
  expect(resizedDays(days, -2, moments)).toEqual({ end: "2026-05-13T13:00:00Z" });
});

test("times snap to quarters of an hour, and what is hardly moved stays", () => {
  expect([snapped(607, 7), snapped(607, 8), snapped(600, -20), snapped(600, 53)]).toEqual([607, 615, 585, 660]);
  expect([stepped(600, 1), stepped(600, -1), stepped(607, 1), stepped(607, -1)]).toEqual([615, 585, 615, 600]);
  expect(movedEntry(entry("2026-05-13T20:00:00Z", "2026-05-13T21:00:00Z"), 90)).toMatchObject({
    from: dayNumber("2026-05-13"),
    to: dayNumber("2026-05-14"),
  });
});

test("entries at the same time stand beside each other, and take the room that nobody else takes", () => {
  const places = (...list: ReturnType<typeof one>[]) =>
    Object.fromEntries(placedHours(list.flat()).map(({ entry: { row }, left, width }) => [row.id, [left, width]]));
  expect(places(one("a", 9, 11), one("b", 10, 12), one("c", 11, 13), one("d", 14, 15))).toEqual({
    a: [0, 0.5],
    b: [0.5, 0.5],
    c: [0, 0.5],
    d: [0, 1],
  });
  expect(places(one("a", 9, 12), one("b", 9, 10), one("c", 9, 10), one("d", 10, 11))).toEqual({
    a: [0, 1 / 3],
    b: [1 / 3, 1 / 3],
    c: [2 / 3, 1 / 3],
    d: [1 / 3, 2 / 3],
  });
  // One of a minute is drawn taller, and covers nothing.
  expect(places(one("a", 9, 9 + 1 / 60), one("b", 9.25, 10))).toEqual({ a: [0, 0.5], b: [0.5, 0.5] });
  expect(placedHours([])).toEqual([]);
});

test("entries of several days are bars on the lines of their weeks", () => {
  const bars = rowBars([bar("d", 8, 8), bar("a", 5, 9), bar("b", 8, 12), bar("c", 1, 2)], 7, 13);
  expect(bars.map(({ row, from, to, track }) => [row.id, from, to, track])).toEqual([
    ["a", 7, 9, 0],
    ["b", 8, 12, 1],
    ["d", 8, 8, 2],
  ]);
});

test("a day begins with the morning, or with its first entry if that is elsewhere", () => {
  expect(firstShown([], 480)).toBe(480);
  expect(firstShown([600, 900], 480)).toBe(480);
  expect(firstShown([300, 900], 480)).toBe(270);
  expect(firstShown([1200], 480)).toBe(1170);
  const { top, height } = boxOf(1435, 1440);
  expect(top + height).toBeLessThan(dayHeight);
  expect(heightOf(60)).toBe(dayHeight / 24);
});
