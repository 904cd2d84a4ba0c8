import { expect, test } from "vitest";
import { formatDate, formatTimestamp, fromLocal, parseDate, parseTimestamp, toLocalInput } from "../src/field/date.ts";

test.each([
  ["2025-01-31", undefined, "2025-01-31"],
  ["31/01/2025", "european", "2025-01-31"],
  ["01/31/2025", "us", "2025-01-31"],
  ["31.1.2025", undefined, "2025-01-31"],
  ["31 January 2025", undefined, "2025-01-31"],
  ["Jan 31, 2025", undefined, "2025-01-31"],
  ["2025-02-30", undefined, undefined],
  ["tomorrow", undefined, undefined],
])("the date %s in the format %s is parsed as %s", (input, format, expected) => {
  expect(parseDate(input, format)).toBe(expected);
});

test("a date is formatted as its field says", () => {
  expect(
    ["iso", "european", "us", "friendly", "no such format"].map((format) => formatDate("2025-01-31", format)),
  ).toEqual(["2025-01-31", "31/01/2025", "01/31/2025", "31 Jan 2025", "2025-01-31"]);
});

test("a timestamp keeps its local time in its time zone, before and after the clocks change", () => {
  for (const month of [1, 3, 4, 7, 10, 11]) {
    const timestamp = fromLocal(2025, month, 30, 2, 30, "Europe/Oslo");
    const shown = toLocalInput(timestamp, "Europe/Oslo");
    // A local time in the hour that is skipped in spring moves forward by an hour.
    expect(shown).toBe(month === 3 ? "2025-03-30T03:30" : `2025-${String(month).padStart(2, "0")}-30T02:30`);
  }
});

test("a timestamp is parsed with an offset, on a 12-hour clock, and in the field's time zone", () => {
  expect(parseTimestamp("2025-01-31T14:30:00+02:00")).toBe("2025-01-31T12:30:00Z");
  expect(parseTimestamp("2025-01-31 2:30 pm", undefined, "UTC")).toBe("2025-01-31T14:30:00Z");
  expect(parseTimestamp("2025-01-31 12:15 am", undefined, "UTC")).toBe("2025-01-31T00:15:00Z");
  expect(parseTimestamp("2025-07-01 10:00", undefined, "America/New_York")).toBe("2025-07-01T14:00:00Z");
  expect(parseTimestamp("2025-07-01 25:00")).toBeUndefined();
  expect(
    formatTimestamp("2025-07-01T14:05:00Z", {
      dateFormat: "european",
      timeFormat: "12h",
      timeZone: "America/New_York",
    }),
  ).toBe("01/07/2025 10:05 AM");
});

test("a day without midnight begins at its first local time", () => {
  const days: [zone: string, year: number, month: number, day: number, expected: string][] = [
    ["America/Santiago", 2024, 9, 8, "2024-09-08T04:00:00Z"],
    ["America/Havana", 2024, 3, 10, "2024-03-10T05:00:00Z"],
    ["Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"], // the next day, because this one was skipped
    ["Europe/Berlin", 2024, 3, 31, "2024-03-30T23:00:00Z"],
  ];
  for (const [zone, year, month, day, expected] of days) expect(fromLocal(year, month, day, 0, 0, zone)).toBe(expected);
});

test("the seconds of a typed or imported timestamp are kept", () => {
  expect(parseTimestamp("2025-01-31 14:30:15", undefined, "UTC")).toBe("2025-01-31T14:30:15Z");
  expect(parseTimestamp("2025-01-31 2:30:15.250 pm", undefined, "Europe/Berlin")).toBe("2025-01-31T13:30:15.250Z");
  expect(parseTimestamp("2025-01-31 14:30:75")).toBeUndefined();
});
