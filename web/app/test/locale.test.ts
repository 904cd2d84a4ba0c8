import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { currentLocale, followLocale, prefer } from "../src/locale/locale.ts";
import { localeOffers } from "../src/locale/offer.ts";
import { firstDayOf } from "../src/locale/week.ts";

beforeEach(() => localStorage.clear());
afterEach(() => prefer({ locale: "", firstDay: "", language: "", timeZone: "" }));

test("weeks begin on the chosen day, or on that of the region", () => {
  expect(firstDayOf("en-US", "")).toBe(0);
  expect(firstDayOf("de-DE", "")).toBe(1);
  expect(firstDayOf("ar-EG", "")).toBe(6);
  expect(firstDayOf("en-US", "monday")).toBe(1);
  expect(firstDayOf("de-DE", "sunday")).toBe(0);
});

test("a choice is shown at once, and remembered; one that Intl does not know is English", () => {
  const listener = vi.fn();
  const leave = followLocale(listener);
  const swiss = { locale: "de-CH", firstDay: "", language: "", timeZone: "" };
  prefer(swiss);
  expect(currentLocale()).toEqual({ tag: "de-CH", language: "en", firstDay: 1 });
  prefer(swiss); // as it is read again with the profile
  expect(listener).toHaveBeenCalledTimes(1);
  expect(JSON.parse(localStorage.getItem("rowhouse.locale")!)).toEqual(swiss);
  prefer({ locale: "de-AT-u-ca-buddhist", firstDay: "", language: "", timeZone: "" });
  expect(currentLocale().tag).toBe("de-AT");
  prefer({ locale: "not a tag", firstDay: "", language: "", timeZone: "" });
  expect(currentLocale().tag).toBe("en");
  leave();
});

test("every tag that is offered writes 0 to 9 and has a name; a chosen one is offered too", () => {
  const offers = localeOffers("en", "sr-Latn-RS");
  expect(offers[0]).toEqual({ tag: "sr-Latn-RS", name: "Serbian (Latin, Serbia)" });
  for (const { tag, name } of offers) {
    expect(new Intl.NumberFormat(tag).format(1204567)).toMatch(/^[0-9\s.,’']+$/u);
    expect(new Intl.DateTimeFormat(tag, { dateStyle: "short" }).format(new Date(2026, 11, 24))).toMatch(/20?26|26/);
    expect(name).not.toBe(tag);
  }
});
