import { expect, test } from "vitest";
import type { Field } from "../../src/api/type.ts";
import type { Context } from "../../src/field/context.ts";
import { english } from "../../src/locale/locale.ts";
import { seriesOf } from "../../src/grid/series.ts";

const fieldOf = (type: string, config = {}) =>
  ({ id: "fld_1", name: type, type, isPrimary: false, order: 0, config }) as unknown as Field;
const inUtc: Context = { locale: english, people: [] };

test.each<[type: string, values: unknown[], next: unknown[]]>([
  ["number", [1, 2], [3, 4, 5]],
  ["number", [10, 8], [6, 4, 2]],
  ["number", [0.1, 0.2], [0.3, 0.4, 0.5]],
  ["currency", [1.5, 3], [4.5, 6, 7.5]],
  ["number", [1, 1], [1, 1, 1]],
  ["date", ["2026-02-27"], ["2026-02-28", "2026-03-01", "2026-03-02"]],
  ["date", ["2026-01-05", "2026-01-12"], ["2026-01-19", "2026-01-26", "2026-02-02"]],
  ["date", ["2026-01-01", "2026-02-01"], ["2026-03-01", "2026-04-01", "2026-05-01"]],
  ["text", ["Week 1"], ["Week 2", "Week 3", "Week 4"]],
  ["text", ["Week 9", "Week 11"], ["Week 13", "Week 15", "Week 17"]],
  ["text", ["INV-008"], ["INV-009", "INV-010", "INV-011"]],
  ["text", ["2026 plan"], ["2027 plan", "2028 plan", "2029 plan"]],
])("%s goes on from %j with %j", (type, values, next) => {
  const series = seriesOf(values, fieldOf(type), inUtc);
  expect(next.map((_, index) => series?.(values.length + index))).toEqual(next);
});

test.each<[type: string, values: unknown[]]>([
  ["number", [7]],
  ["number", [1, 2, 4]],
  ["number", [1, null]],
  ["text", ["0815"]],
  ["text", ["Oak", "Elm"]],
  ["rating", [1, 2]],
  ["single_select", ["Q1"]],
  ["date", ["2026-01-01", null]],
])("%s of %j is repeated", (type, values) => {
  expect(seriesOf(values, fieldOf(type), inUtc)).toBeUndefined();
});

test("a series also goes up, and never below zero in a text", () => {
  const week = seriesOf(["Week 3", "Week 4"], fieldOf("text"), inUtc);
  expect([-1, -2, -3, -4].map((place) => week?.(place))).toEqual(["Week 2", "Week 1", "Week 0", undefined]);
});

test.each<[of: string, config: object, context: Context]>([
  ["the field", { timeZone: "Europe/Berlin" }, inUtc],
  ["the base", {}, { ...inUtc, timeZone: "Europe/Berlin" }],
])("moments go on by days of the clock of %s, also where it is changed", (_of, config, context) => {
  const series = seriesOf(["2026-03-27T08:00:00Z"], fieldOf("datetime", config), context);
  expect([1, 2, 3].map((place) => series?.(place))).toEqual([
    "2026-03-28T08:00:00Z",
    "2026-03-29T07:00:00Z",
    "2026-03-30T07:00:00Z",
  ]);
  const hours = seriesOf(["2026-03-27T08:00:00Z", "2026-03-27T09:30:00Z"], fieldOf("datetime"), inUtc);
  expect(hours?.(2)).toBe("2026-03-27T11:00:00Z");
});
