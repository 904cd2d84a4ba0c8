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
  // An apostrophe of the text's own is kept, and a sign alone is no formula.
  expect(writeRows([["'=1", "-", "="]])).toBe(`"''=1",-,=`);
  for (const text of ["'=1", "''+a", "-", "'-"]) expect(unescapeFormula(writeRows([[text]]).replaceAll('"', ""))).toBe(text);
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
  expect(outcome).toEqual({ imported: 248, stopped: false, left: [], refused: [{ line: 19, reason: "is unlucky" }, { line: 232, reason: "one is wrong" }] });
  expect(written).toEqual(rows(250).map((row) => row.values.N).filter((n) => n !== 17 && n !== 230));
});

test("an import waits for the connection and the session as long as it takes, says so, and writes nothing twice", async () => {
  const told: (number | undefined)[] = [];
  const keys = new Set<string>();
  let tries = 0;
  const outcome = await importRows("tbl_1", rows(150), {
    ...options,
    signal: new AbortController().signal,
    onPause: (problem) => told.push(problem?.status),
    send: async (_table, records, key) => {
      keys.add(key);
      tries++;
      if (records.length === 100 && tries <= 30) throw new Problem(tries <= 20 ? 0 : 401, "", "", "");
      if (records.length === 50 && tries === 32) throw new Problem(409, "idempotency_in_progress", "", "");
      if (records.length === 50) throw new Problem(409, "idempotency_answer_lost", "", "");
    },
  });
  expect(outcome).toEqual({ imported: 150, refused: [], left: [], stopped: false });
  expect(keys.size).toBe(2);
  expect(told).toEqual([...Array<number>(20).fill(0), ...Array<number>(10).fill(401), undefined, 409, undefined]);
});

test("an import that may not go on tells what it did and what is left", async () => {
  const outcome = await importRows("tbl_1", rows(250), {
    ...options,
    signal: new AbortController().signal,
    send: async (_table, records) => {
      if (records[0]?.fields.N === 100) throw new Problem(403, "forbidden", "", "your role is viewer");
    },
  });
  expect(outcome).toMatchObject({ imported: 100, refused: [], stopped: false, problem: { status: 403 } });
  expect(outcome.left).toEqual(rows(250).slice(100).map((row) => row.line));
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
