import { expect, test } from "vitest";
import type { Field, Row } from "../../src/api/type.ts";
import type { Context } from "../../src/field/context.ts";
import { layOver } from "../../src/grid/clip.ts";

const contextOf = (tag: string): Context => ({ locale: { tag, language: "en", firstDay: 1 }, people: [] });
const fieldOf = (type: string, config = {}) =>
  ({ id: "fld_1", name: "Column", type, isPrimary: false, order: 0, config }) as unknown as Field;
const rowOf = (index: number): Row => ({ id: `rec_${index}`, version: 1, fields: { Column: null } }) as unknown as Row;

/** What a paste of one column writes into records that are there, and why it leaves the others. */
function paste(cells: string[], field: Field, tag: string) {
  const rows = cells.map((_, index) => rowOf(index));
  const texts = cells.map((cell) => [cell]);
  const block = layOver(texts, undefined, { fields: [field], column: 0, rows, context: contextOf(tag) });
  const written = new Map(block.edits.map((edit) => [edit.row.id, edit.fields.fld_1]));
  return {
    values: rows.map((row) => written.get(row.id)),
    left: block.left.map(({ row, reason }) => [row, reason]),
  };
}

test.each<[tag: string, cells: string[], values: string[], config?: Record<string, unknown>]>([
  ["en-US", ["1/4/2024"], ["2024-01-04"]],
  ["en-GB", ["1/4/2024"], ["2024-04-01"]],
  ["de-DE", ["1.4.2024"], ["2024-04-01"]],
  ["pt-BR", ["1/4/2024"], ["2024-04-01"]],
  ["en-US", ["1/4/2024", "25/4/2024"], ["2024-04-01", "2024-04-25"]],
  ["de-DE", ["1/4/2024", "4/25/2024"], ["2024-01-04", "2024-04-25"]],
  ["en-US", ["1/4/2024"], ["2024-04-01"], { dateFormat: "european" }],
  ["de-DE", ["1/4/2024"], ["2024-01-04"], { dateFormat: "us" }],
  ["en-US", ["1/4/2024", "25/4/2024"], ["2024-04-01", "2024-04-25"], { dateFormat: "us" }],
  ["en-US", ["2024-04-01", "1 Apr 2024"], ["2024-04-01", "2024-04-01"]],
])("in %s the dates %j are %j", (tag, cells, values, config) => {
  expect(paste(cells, fieldOf("date", config), tag)).toEqual({ values, left: [] });
});

test("a time of the day changes nothing about the order of its column", () => {
  const field = fieldOf("datetime", { timeZone: "UTC" });
  expect(paste(["1/4/2024 9:05", "25/4/2024 10:00"], field, "en-US").values).toEqual([
    "2024-04-01T09:05:00Z",
    "2024-04-25T10:00:00Z",
  ]);
});

test("dates that contradict each other are read where they are certain, and left where they are not", () => {
  const { values, left } = paste(["25/4/2024", "4/25/2024", "3/4/2024", "4/4/2024"], fieldOf("date"), "en-US");
  expect(values).toEqual(["2024-04-25", "2024-04-25", undefined, "2024-04-04"]);
  expect(left).toEqual([
    [2, "“3/4/2024” may begin with the day, as “25/4/2024” does, or with the month, as “4/25/2024” does"],
  ]);
});

test.each<[tag: string, type: string, cells: string[], values: number[]]>([
  ["en-US", "number", ["1.234,56"], [1234.56]],
  ["en-US", "number", ["1,234"], [1234]],
  ["de-DE", "number", ["1,234"], [1.234]],
  ["en-US", "number", ["1,234", "0,5"], [1.234, 0.5]],
  ["de-DE", "number", ["1,234", "1,234.5"], [1234, 1234.5]],
  ["pt-BR", "currency", ["1.234", "$ 7,50"], [1234, 7.5]],
  ["de-CH", "number", ["1’234.5"], [1234.5]],
  ["hi-IN", "number", ["12,34,567", "0.5"], [1234567, 0.5]],
  ["en-US", "percent", ["12,5 %"], [12.5]],
])("in %s the %s %j are %j", (tag, type, cells, values) => {
  expect(paste(cells, fieldOf(type, { symbol: "$" }), tag)).toEqual({ values, left: [] });
});

test("numbers that contradict each other are left where they may be two", () => {
  const { values, left } = paste(["0.5", "0,5", "1,234", "7"], fieldOf("number"), "en-US");
  expect(values).toEqual([0.5, 0.5, undefined, 7]);
  expect(left).toEqual([[2, "“1,234” may have a decimal point, as “0.5” has, or a decimal comma, as “0,5” has"]]);
});

test("what cannot be read is left with the reason: an unknown option, a word for a number, a computed field", () => {
  const options = fieldOf("single_select", { options: [{ name: "Oak" }] });
  expect(paste(["Oak", "Elm"], options, "en-US")).toEqual({
    values: ["Oak", undefined],
    left: [[1, "“Elm” is not an option; the options are Oak"]],
  });
  expect(paste(["tall"], fieldOf("number"), "de-DE").left).toEqual([[0, "“tall” is not a number"]]);
  expect(paste(["1"], fieldOf("formula"), "en-US").left).toHaveLength(1);
});
