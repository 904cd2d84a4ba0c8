import { expect, test } from "vitest";
import type { Row } from "../../src/api/type.ts";
import { formatComputed, formatSummary, functionsOf } from "../../src/field/summary.ts";
import { sumUp } from "../../src/grid/sums.ts";
import { context, fieldOf } from "../fieldsample.tsx";

const [number, currency, text, box] = (["number", "currency", "text", "checkbox"] as const).map(fieldOf);
const rows = [
  { "The number": 1.1, "The currency": 10, "The text": "a", "The checkbox": true },
  { "The number": 2.2, "The currency": -4, "The text": "", "The checkbox": false },
  { "The number": null, "The currency": null, "The text": "c" },
].map((fields, index): Row => ({ id: `rec_${index}`, createdTime: "", version: 1, fields }));

test("cells of numbers are added up, and only values are counted", () => {
  expect(sumUp(rows, [currency!])).toEqual({
    cells: 3,
    filled: 2,
    numbers: { count: 2, sum: 6, min: -4, max: 10 },
    field: currency,
  });
  expect(sumUp(rows, [text!, box!])).toEqual({ cells: 6, filled: 3 });
});

test("numbers that are written differently have no field to write them by", () => {
  const sums = sumUp(rows, [number!, currency!]);
  expect(sums.numbers?.count).toBe(4);
  expect(sums.field).toBeUndefined();
});

test("a field has the functions that the service has for its values", () => {
  expect(functionsOf(text!)).toEqual(["count", "empty", "percent_filled", "distinct"]);
  expect(functionsOf(number!)).toEqual(expect.arrayContaining(["sum", "avg", "median", "min", "max"]));
  expect(functionsOf(fieldOf("date"))).toEqual(expect.arrayContaining(["min", "max"]));
  expect(functionsOf(fieldOf("date"))).not.toContain("sum");
  expect(functionsOf(fieldOf("button"))).toEqual([]);
});

test("a summary is written as the field writes its values", () => {
  const results = { count: 8, "count(The currency)": 6, "sum(The currency)": 12345.5, "avg(The currency)": null };
  expect(formatSummary(currency!, "sum", results, context)).toBe("€12,345.50");
  expect(formatSummary(currency!, "empty", results, context)).toBe("2");
  expect(formatSummary(currency!, "percent_filled", results, context)).toBe("75%");
  expect(formatSummary(currency!, "avg", results, context)).toBe("");
  expect(formatComputed(1 / 3, number!, context)).toBe("0.33");
  expect(formatComputed(1878, number!, context)).toBe("1878");
});
