import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Field, FieldType } from "../src/api/type.ts";
import { commaStyle, pointStyle } from "../src/field/number.ts";
import {
  type Column,
  isOpen,
  keysOf,
  planFor,
  type Preview,
  type PreviewColumn,
  styleOf,
  targetOf,
  usesOf,
} from "../src/csv/plan.ts";
import { writeRows } from "../src/csv/write.ts";

const field = (name: string, type: FieldType, config: Field["config"] = {}): Field => ({
  id: `fld_${name}`,
  name,
  type,
  isPrimary: name === "Name",
  order: 0,
  config,
});
const read = (name: string, type: FieldType, more: Partial<PreviewColumn> = {}): PreviewColumn => ({
  name,
  type,
  samples: [],
  numbers: { found: "either" },
  dates: { found: "either" },
  ...more,
});
const preview = (...columns: PreviewColumn[]): Preview => ({
  form: "csv",
  encoding: "utf-8",
  delimiter: "comma",
  hasHeader: true,
  skippedRows: 0,
  rows: 1,
  unreadable: 0,
  columns,
});

test("columns map to fields of the same name, and never two columns to one field", () => {
  const file = preview(read("name", "text"), read("Name", "text"), read("New", "number"), read("", "date"));
  expect(planFor(file, [field("Name", "text"), field("Id", "auto_number")], true)).toEqual([
    { name: "name", to: "field", fieldId: "fld_Name" },
    { name: "Name 2", to: "new", type: "text" }, // the name is already used
    { name: "New", to: "new", type: "number" },
    { name: "Column 4", to: "new", type: "date" },
  ]);
  expect(planFor(preview(read("New", "text")), [], false)).toEqual([{ name: "New", to: "skip" }]);
});

test("a column is read as chosen, as the file tells, and dates never as the locale writes them", () => {
  const number = field("N", "number");
  const open = read("N", "number", { numbers: { found: "open", examples: ["1.234"] } });
  expect(styleOf(open, number, undefined, commaStyle)).toEqual({ decimal: "comma" });
  expect(styleOf(open, number, { decimal: "point" }, commaStyle)).toEqual({ decimal: "point" });
  const decided = read("N", "number", { numbers: { found: "open", style: "comma", examples: ["1.234"] } });
  expect(styleOf(decided, number, undefined, pointStyle)).toEqual({ decimal: "comma" });
  const torn = read("N", "number", { numbers: { found: "conflict", examples: ["1.5", "1,5"] } });
  expect(isOpen(torn, number, styleOf(torn, number, undefined, pointStyle))).toBe(true);

  const day = read("D", "date", { dates: { found: "open", examples: ["4/3/2026"] } });
  const date = field("D", "date");
  expect(isOpen(day, date, styleOf(day, date, undefined, pointStyle))).toBe(true);
  expect(isOpen(day, date, styleOf(day, date, { dateOrder: "DMY" }, pointStyle))).toBe(false);
  const us = field("D", "date", { dateFormat: "us" });
  expect(styleOf(day, us, undefined, commaStyle).dateOrder).toBe("MDY");
  const other = read("D", "date", { dates: { found: "open", style: "DMY", examples: ["4/3/2026"] } });
  expect(styleOf(other, us, undefined, pointStyle).dateOrder).toBe("DMY");
});

test("the request says what each column is for", () => {
  const columns = [read("Price", "currency", { symbol: "€" }), read("Id", "text"), read("Name", "text")];
  const uses: Column[] = [
    { name: "Price", to: "new", type: "currency" },
    { name: "Id", to: "skip" },
    { name: "Name", to: "field", fieldId: "fld_Name" },
  ];
  expect(usesOf(uses, columns, [{ decimal: "comma" }, {}, {}])).toEqual([
    { name: "Price", type: "currency", config: { symbol: "€" }, decimal: "comma" },
    { skip: true },
    { field: "fld_Name" },
  ]);
  const targets = uses.map((column, index) => targetOf(column, index, [field("Name", "text")], columns[index]));
  expect(keysOf(targets).map(({ name }) => name)).toEqual(["Name"]);
});

test("rows are written as the service writes them, with its cases", () => {
  const path = join(import.meta.dirname, "../../../internal/delimited/testdata/write.json");
  const cases = JSON.parse(readFileSync(path, "utf8")) as { cells: string[]; line: string }[];
  expect(cases.length).toBeGreaterThan(8);
  for (const { cells, line } of cases) expect(writeRows([cells])).toBe(`${line}\r\n`);
  // Numbers are no texts, so that none is a formula.
  expect(writeRows([["n"], [-5], [1.5]])).toBe("n\r\n-5\r\n1.5\r\n");
});
