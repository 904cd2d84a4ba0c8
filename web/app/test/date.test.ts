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
])("the date %s in the format %s is read as %s", (input, format, want) => {
  expect(parseDate(input, format)).toBe(want);
});

test("a date is written in its field's format", () => {
  expect(
    ["iso", "european", "us", "friendly", "no such format"].map((format) => formatDate("2025-01-31", format)),
  ).toEqual(["2025-01-31", "31/01/2025", "01/31/2025", "31 Jan 2025", "2025-01-31"]);
});

test("a moment keeps its clock time in its zone, before and after the clocks change", () => {
  for (const month of [1, 3, 4, 7, 10, 11]) {
    const moment = fromLocal(2025, month, 30, 2, 30, "Europe/Oslo");
    const shown = toLocalInput(moment, "Europe/Oslo");
    // In the hour that is left out in spring there is no such time; it moves on by that hour.
    expect(shown).toBe(month === 3 ? "2025-03-30T03:30" : `2025-${String(month).padStart(2, "0")}-30T02:30`);
  }
});

test("a moment is read with an offset, with a clock of twelve hours, and in the field's zone", () => {
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

test("a day without a midnight begins at the first time that a clock shows on it", () => {
  const days: [string, number, number, number, string][] = [
    ["America/Santiago", 2024, 9, 8, "2024-09-08T04:00:00Z"],
    ["America/Havana", 2024, 3, 10, "2024-03-10T05:00:00Z"],
    ["Pacific/Apia", 2011, 12, 30, "2011-12-30T10:00:00Z"], // which is the day after it, since that day never was
    ["Europe/Berlin", 2024, 3, 31, "2024-03-30T23:00:00Z"],
  ];
  for (const [zone, year, month, day, want] of days) expect(fromLocal(year, month, day, 0, 0, zone)).toBe(want);
});

test("the seconds of a moment that is typed or imported are kept", () => {
  expect(parseTimestamp("2025-01-31 14:30:15", undefined, "UTC")).toBe("2025-01-31T14:30:15Z");
  expect(parseTimestamp("2025-01-31 2:30:15.250 pm", undefined, "Europe/Berlin")).toBe("2025-01-31T13:30:15.250Z");
  expect(parseTimestamp("2025-01-31 14:30:75")).toBeUndefined();
});
