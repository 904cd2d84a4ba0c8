import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Batch } from "../src/api/invalidation.ts";
import type { Preview, PreviewColumn } from "../src/api/importfile.ts";
import { Problem } from "../src/api/problem.ts";
import type { Field, FieldType } from "../src/api/type.ts";
import { commaStyle, pointStyle } from "../src/field/number.ts";
import { checkForm, isOpen, planFor, styleOf, targetOf } from "../src/csv/plan.ts";
import { type ImportService, NotPrepared, prepare, removeRecords, unmake } from "../src/csv/prepare.ts";
import { importParts } from "../src/csv/run.ts";
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
  encoding: "utf-8",
  delimiter: "comma",
  hasHeader: true,
  skippedRows: 0,
  rows: 1,
  unreadable: 0,
  columns,
  parts: [],
  refused: 0,
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

test("the service checks columns for the fields that they go to", () => {
  const column = read("Price", "currency", { symbol: "€" });
  const target = targetOf({ name: "Price", to: "new", type: "currency" }, 0, [], column);
  expect(checkForm([target, undefined], [{ decimal: "comma" }, {}])).toEqual([
    { type: "currency", config: { symbol: "€" }, decimal: "comma" },
    {},
  ]);
});

test("rows are written as the service writes them, with its cases", () => {
  const path = join(import.meta.dirname, "../../../internal/delimited/testdata/write.json");
  const cases = JSON.parse(readFileSync(path, "utf8")) as { cells: string[]; line: string }[];
  expect(cases.length).toBeGreaterThan(8);
  for (const { cells, line } of cases) expect(writeRows([cells])).toBe(`${line}\r\n`);
  // Numbers are no texts, so that none is a formula.
  expect(writeRows([["n"], [-5], [1.5]])).toBe("n\r\n-5\r\n1.5\r\n");
});

const file = new Blob(["first\nsecond\nthird\n"]);
const parts = [
  { from: 0, to: 6, line: 1, rows: 1 },
  { from: 6, to: 13, line: 2, rows: 1 },
  { from: 13, to: 19, line: 3, rows: 1 },
];
const form = { encoding: "utf-8", delimiter: "comma" as const, columns: [{ field: "Name" }] };
const options = { onProgress: () => undefined, wait: () => Promise.resolve(), changeSet: "import" };
const answer = (more: object = {}) => ({ created: 1, updated: 0, refused: 0, ids: ["rec_1"], ...more });

test("the parts of a file are sent in their order, and refused rows are listed with their cells", async () => {
  const sent: string[] = [];
  const outcome = await importParts("tbl_1", file, parts, form, {
    ...options,
    signal: new AbortController().signal,
    send: async (_table, body) => {
      sent.push(`${body.line} ${atob(body.content)}`);
      if (body.line !== 2) return answer();
      const refusals = [
        { line: 2, column: 1, field: "Name", message: "is wrong", cells: ["second"] },
        { line: 2, column: 2, field: "N", message: "is wrong too" },
      ];
      return answer({ created: 0, refused: 1, ids: [], refusals });
    },
  });
  expect(sent).toEqual(["1 first\n", "2 second\n", "3 third\n"]);
  expect(outcome).toEqual({
    imported: 2,
    ids: ["rec_1", "rec_1"],
    refused: [{ line: 2, reason: "Name: is wrong", cells: ["second"] }],
    left: 0,
    stopped: false,
  });
});

test("an import waits for the connection and the session, says so, and writes nothing twice", async () => {
  const statuses: (number | undefined)[] = [];
  const keys = new Set<string>();
  let tries = 0;
  const outcome = await importParts("tbl_1", file, parts.slice(0, 2), form, {
    ...options,
    signal: new AbortController().signal,
    onPause: (problem) => statuses.push(problem?.status),
    send: async (_table, body, key) => {
      keys.add(key);
      tries++;
      if (body.line === 1 && tries <= 30) throw new Problem(tries <= 20 ? 0 : 401, "", "", "");
      if (body.line === 2 && tries === 32) throw new Problem(409, "idempotency_in_progress", "", "");
      if (body.line === 2) throw new Problem(409, "idempotency_answer_lost", "", "");
      return answer();
    },
  });
  // The id of the second record is unknown, so it cannot be removed again.
  expect(outcome).toEqual({ imported: 2, ids: ["rec_1"], refused: [], left: 0, stopped: false });
  expect(keys.size).toBe(2);
  expect(statuses).toEqual([...Array<number>(20).fill(0), ...Array<number>(10).fill(401), undefined, 409, undefined]);
});

test("an import that is forbidden to continue reports what it imported and what is left", async () => {
  const outcome = await importParts("tbl_1", file, parts, form, {
    ...options,
    signal: new AbortController().signal,
    send: async (_table, body) => {
      if (body.line === 2) throw new Problem(403, "forbidden", "", "your role is viewer");
      return answer();
    },
  });
  expect(outcome).toMatchObject({ imported: 1, left: 2, leftFrom: 2, stopped: false, problem: { status: 403 } });
});

test("stopping ends the import and says so", async () => {
  const stop = new AbortController();
  const outcome = await importParts("tbl_1", file, parts, form, {
    ...options,
    signal: stop.signal,
    send: async () => (stop.abort(), answer()),
  });
  expect(outcome).toMatchObject({ imported: 1, left: 2, leftFrom: 2, stopped: true });
});

test("fields that an import created are removed when a later one cannot be created", async () => {
  const removed: string[] = [];
  const api = {
    createField: async ({ body }: { body: { name: string } }) => {
      if (body.name === "Third") throw new Problem(400, "invalid", "", "there are too many fields");
      return { id: `fld_${body.name}` };
    },
    deleteField: async ({ fieldId }: { fieldId: string }) => {
      if (fieldId === "fld_Second") throw new Problem(503, "unavailable", "", "busy");
      removed.push(fieldId);
    },
    deleteRecords: async () => undefined,
  } as unknown as ImportService;
  const batch = new Batch();
  const specs = ["First", "Second", "Third"].map((name) => ({ name, type: "text" as const }));
  const failed = await prepare({ tableId: "tbl_1", baseId: "bas_1", name: "T" }, specs, () => "key", batch, api).catch(
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(NotPrepared);
  expect(failed).toMatchObject({
    message: "there are too many fields",
    undone: { removed: ["First"], kept: ["Second"] },
  });
  expect(removed).toEqual(["fld_First"]);
  const made = await prepare(
    { tableId: "tbl_1", baseId: "bas_1", name: "T" },
    specs.slice(0, 1),
    () => "key",
    batch,
    api,
  );
  expect(await unmake(made, "T", batch, api)).toEqual({ removed: ["First"], kept: [] });
  const ids = Array.from({ length: 150 }, (_, n) => `rec_${n}`);
  expect(await removeRecords("tbl_1", ids, batch, api)).toEqual({ gone: 150 });
});
