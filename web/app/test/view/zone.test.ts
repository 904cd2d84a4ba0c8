import { afterEach, expect, test, vi } from "vitest";
import { dayZoneOf } from "../../src/field/context.ts";
import { currentLocale, english, prefer } from "../../src/locale/locale.ts";
import type { Table } from "../../src/api/type.ts";
import { kindOf } from "../../src/field/kind/index.ts";
import { today } from "../../src/view/month.ts";
import { viewKind } from "../../src/view/kind.ts";
import { context, fieldOf, slowTimeout } from "../fieldsample.tsx";

afterEach(() => void vi.useRealTimers());

const zones = Intl.supportedValuesOf("timeZone");

test("today is the day of the base in every time zone", () => {
  vi.useFakeTimers();
  for (const timeZone of zones) {
    const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
    for (const now of ["2025-03-30T00:30:00Z", "2025-06-30T11:15:00Z", "2025-12-31T10:30:00Z"]) {
      vi.setSystemTime(new Date(now));
      expect(today({ locale: english, timeZone }), timeZone).toBe(day.format(new Date(now)));
    }
  }
}, slowTimeout);

test("a calendar begins with the month that it is in the base", () => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date("2025-12-31T10:30:00Z"));
  prefer({ locale: "", firstDay: "monday", language: "", timeZone: "" });
  const table = { fields: [{ ...fieldOf("date"), id: "day" }] } as unknown as Table;
  const kind = viewKind("calendar");
  const first = (timeZone: string) =>
    kind.shows === "records" &&
    kind.within?.(table, { startFieldId: "day" }, undefined, { locale: currentLocale(), timeZone })[0];
  expect(first("Pacific/Kiritimati")).toMatchObject({ value: ["2025-12-29", "2026-02-01"] });
  expect(first("America/Santiago")).toMatchObject({ value: ["2025-12-01", "2026-01-04"] });
  prefer({ locale: "", firstDay: "sunday", language: "", timeZone: "" });
  expect(first("America/Santiago")).toMatchObject({ value: ["2025-11-30", "2026-01-03"] });
  prefer({ locale: "", firstDay: "", language: "", timeZone: "" });
});

test("a time is shown, typed and placed in the zone of its field, and without one in that of the base", () => {
  const base = { ...context, timeZone: "Pacific/Kiritimati" };
  const field = fieldOf("datetime");
  const own = { ...field, config: { timeZone: "America/Santiago" } };
  const kind = kindOf("datetime");
  const value = "2025-06-30T11:15:00Z";
  expect(kind.format(value, field, base)).toBe("2025-07-01 01:15");
  expect(kind.format(value, own, base)).toBe("2025-06-30 07:15");
  expect(kind.parse?.("2025-07-01 01:15", field, base, "")).toEqual({ value });
  expect(kind.parse?.("2025-06-30 07:15", own, base, "")).toEqual({ value });
  expect(kind.calendar?.dayOf(value, field, base)).toBe("2025-07-01");
  expect(kind.calendar?.dayOf(value, own, base)).toBe("2025-06-30");
  expect(kind.calendar?.on?.("2025-07-01", field, base)).toBe("2025-06-30T22:00:00Z");
  expect(kindOf("formula").format(value, { ...fieldOf("formula"), config: { resultType: "datetime" } }, base)).toBe(
    "2025-07-01 01:15",
  );
});

test("a person's own clock shows times, and leaves groups and fields with a clock of their own alone", () => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date("2025-12-31T10:30:00Z"));
  const chosen = { locale: "", firstDay: "monday", language: "", timeZone: "Pacific/Kiritimati" };
  prefer(chosen);
  const base = { ...context, locale: currentLocale(), timeZone: "America/Santiago" };
  const field = fieldOf("datetime");
  const kind = kindOf("datetime");
  const value = "2025-06-30T11:15:00Z";
  expect(kind.format(value, field, base)).toBe("2025-07-01 01:15");
  expect(kind.parse?.("2025-07-01 01:15", field, base, "")).toEqual({ value });
  expect(kind.format(value, { ...field, config: { timeZone: "Europe/Oslo" } }, base)).toBe("2025-06-30 13:15");
  expect(dayZoneOf(field, base)).toBe("America/Santiago");
  expect(kindOf("date").present?.(base)).toBe("2026-01-01");

  // A calendar opens on the day by that clock, and reads what other clocks have on days next to its own.
  const table = { fields: [{ ...field, id: "at" }] } as unknown as Table;
  const calendar = viewKind("calendar");
  const within = calendar.shows === "records" && calendar.within?.(table, { startFieldId: "at" }, undefined, base)[0];
  expect(within).toMatchObject({ value: ["2025-12-27", "2026-02-03"] });

  prefer({ ...chosen, timeZone: "Moon/Sea" });
  expect(currentLocale().zone).toBeUndefined();
  prefer({ ...chosen, firstDay: "", timeZone: "" });
});
