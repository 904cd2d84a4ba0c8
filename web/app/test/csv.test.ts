import { expect, test } from "vitest";
import { Problem } from "../src/api/client.ts";
import type { Field, FieldType } from "../src/api/type.ts";
import { convert, guess, planFor, unescapeFormula } from "../src/csv/plan.ts";
import { importRows } from "../src/csv/run.ts";
import { writeRows } from "../src/csv/write.ts";

const field = (name: string, type: FieldType, config: Field["config"] = {}): Field => ({ id: `fld_${name}`, name, type, isPrimary: name === "Name", order: 0, config });
const column = (cells: string[]) => cells.map((cell) => [cell]);

test.each<[FieldType, string[]]>([
  ["number", ["1", "-2.5", ""]],
  ["text", ["007", "12"]],
  ["checkbox", ["true", "FALSE"]],
  ["date", ["2025-01-31"]],
  ["datetime", ["2025-01-31 14:30"]],
  ["email", ["a@example.com"]],
  ["url", ["https://example.com"]],
  ["text", ["1", "two"]],
  ["text", []],
  ["long_text", ["a\nb"]],
  ["single_select", Array.from({ length: 40 }, (_, n) => (n % 2 ? "Open" : "Closed"))],
])("a column is guessed to be %s from %o", (want, cells) => {
  expect(guess(column(cells), 0)).toBe(want);
});

test("columns go to the fields of the same name, and never two to one", () => {
  const plan = planFor(["name", "Name", "New"], [["a", "b", "1.5"]], [field("Name", "text"), field("Id", "auto_number")], true);
  expect(plan).toEqual([
    { name: "name", to: "field", fieldId: "fld_Name" },
    { name: "Name", to: "new", type: "text" },
    { name: "New", to: "new", type: "number" },
  ]);
  expect(planFor(["New"], [], [], false)).toEqual([{ name: "New", to: "skip" }]);
});

test("a row with a value that does not fit is refused with its field and the reason", () => {
  expect(convert(["a", "x"], [field("Name", "text"), field("N", "number")], { people: [] })).toEqual({ reason: "N: “x” is not a number" });
  expect(convert(["a", ""], [field("Name", "text"), field("N", "number")], { people: [] })).toEqual({ values: { Name: "a" } });
});

test("texts that a spreadsheet would run are made harmless, numbers are not touched, and the import takes it back", () => {
  expect(writeRows([["=1+1", "+a", "-b", "@c", "plain", -5, 1.5]])).toBe(`"'=1+1","'+a","'-b","'@c",plain,-5,1.5`);
  for (const text of ["=1+1", "+a", "-b", "@c"]) expect(unescapeFormula(`'${text}`)).toBe(text);
  expect(unescapeFormula("'tis")).toBe("'tis");
});

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ line: n + 2, values: { N: n } }));
const options = { onProgress: () => undefined, wait: () => Promise.resolve() };

test("rows at fault are found and reported, and all the others are written once and in order", async () => {
  const written: unknown[] = [];
  const outcome = await importRows("tbl_1", rows(250), {
    ...options,
    signal: new AbortController().signal,
    send: async (_table, records) => {
      const bad = records.findIndex((record) => record.fields.N === 17 || record.fields.N === 230);
      if (bad >= 0) {
        const items = records[bad]?.fields.N === 17 ? [{ path: `records[${bad}].fields.N`, message: "is unlucky" }] : [];
        throw new Problem(400, "invalid", "", "one is wrong", items);
      }
      written.push(...records.map((record) => record.fields.N));
    },
  });
  expect(outcome).toEqual({ imported: 248, stopped: false, refused: [{ line: 19, reason: "is unlucky" }, { line: 232, reason: "one is wrong" }] });
  expect(written).toEqual(rows(250).map((row) => row.values.N).filter((n) => n !== 17 && n !== 230));
});

test("a request without an answer is sent again under the same key", async () => {
  const keys: string[] = [];
  const outcome = await importRows("tbl_1", rows(1), {
    ...options,
    signal: new AbortController().signal,
    send: async (_table, _records, key) => {
      keys.push(key);
      if (keys.length < 3) throw new Problem(503, "unavailable", "", "");
    },
  });
  expect(outcome.imported).toBe(1);
  expect(new Set(keys).size).toBe(1);
});

test("stopping ends the import and says so", async () => {
  const stop = new AbortController();
  const outcome = await importRows("tbl_1", rows(500), { ...options, signal: stop.signal, send: async () => stop.abort() });
  expect(outcome).toMatchObject({ imported: 100, stopped: true });
});
