import Papa from "papaparse";
import { expect, test } from "vitest";
import { Batch } from "../src/api/invalidation.ts";
import { Problem } from "../src/api/problem.ts";
import type { Field, FieldType } from "../src/api/type.ts";
import { commaStyle, pointStyle, styleOf } from "../src/field/number.ts";
import { check, columnStyles, convert, decideStyles, guess, planFor, unescapeFormula } from "../src/csv/plan.ts";
import { type ImportService, NotPrepared, prepare, removeRecords, unmake } from "../src/csv/prepare.ts";
import { detectEncoding, readSheet } from "../src/csv/read.ts";
import { importRows } from "../src/csv/run.ts";
import { writeRows } from "../src/csv/write.ts";
import { english } from "../src/locale/locale.ts";

const field = (name: string, type: FieldType, config: Field["config"] = {}): Field => ({
  id: `fld_${name}`,
  name,
  type,
  isPrimary: name === "Name",
  order: 0,
  config,
});
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
  ["number", ["1,234.5", "0"]],
  ["text", ["0,123"]],
  ["text", ["1,5"]],
  ["text", ["555 123", "555 124"]],
  ["text", []],
  ["long_text", ["a\nb"]],
  ["single_select", Array.from({ length: 40 }, (_, n) => (n % 2 ? "Open" : "Closed"))],
])("the type of a column is guessed as %s from %o", (type, cells) => {
  expect(guess(column(cells), 0)).toBe(type);
});

test("columns map to fields of the same name, and never two columns to one field", () => {
  const plan = planFor(
    ["name", "Name", "New"],
    [["a", "b", "1.5"]],
    [field("Name", "text"), field("Id", "auto_number")],
    true,
  );
  expect(plan).toEqual([
    { name: "name", to: "field", fieldId: "fld_Name" },
    { name: "Name 2", to: "new", type: "text" }, // the name is already used
    { name: "New", to: "new", type: "number" },
  ]);
  expect(planFor(["New"], [], [], false)).toEqual([{ name: "New", to: "skip" }]);
});

test("a row with an invalid value is refused with the field and the reason", () => {
  expect(convert(["a", "x"], [field("Name", "text"), field("N", "number")], { locale: english, people: [] })).toEqual({
    reason: "N: “x” is not a number",
  });
  expect(convert(["a", ""], [field("Name", "text"), field("N", "number")], { locale: english, people: [] })).toEqual({
    values: { Name: "a" },
  });
});

test("texts that a spreadsheet would execute are escaped and counted, and the import unescapes them", () => {
  expect(writeRows([["=1+1", "+a", "-b", "@c", "plain", -5, 1.5]])).toEqual({
    content: `"'=1+1","'+a","'-b","'@c",plain,-5,1.5`,
    defused: 4,
  });
  for (const text of ["=1+1", "+a", "-b", "@c"]) expect(unescapeFormula(`'${text}`)).toBe(text);
  expect(unescapeFormula("'tis")).toBe("'tis");
  // A phone number, a negative number and a single sign are not formulas.
  const safe = ["+44 123", "+44 (0)20 7946 0000", "-5", "-1.5", "-", "=", "+", "'tis"];
  expect(writeRows([safe])).toEqual({
    content: safe.map((text) => (text.includes(",") ? `"${text}"` : text)).join(","),
    defused: 0,
  });
  // A subtraction is a formula, and so is anything but a number after a sign.
  expect(writeRows([["+44-123-456", "-2+3", "+cmd|' /C calc'!A0"]]).defused).toBe(3);
});

test.each(["=1+1", "'=1", "''+a", "-", "'-", "+44 123", "'+44 123", "-5 apples", "@home", "\tx", "-5"])(
  "the text %o comes back from an export as it was",
  (text) => {
    const [[cell = ""] = []] = Papa.parse<string[]>(writeRows([[text]]).content).data;
    expect(unescapeFormula(cell)).toBe(text);
  },
);

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ line: n + 2, values: { N: n } }));
const options = { onProgress: () => undefined, wait: () => Promise.resolve() };

test("invalid rows are found and reported, and all others are written once and in order", async () => {
  const written: unknown[] = [];
  const outcome = await importRows("tbl_1", rows(250), {
    ...options,
    signal: new AbortController().signal,
    changeSet: "import",
    send: async (_table, records) => {
      const bad = records.findIndex((record) => record.fields.N === 17 || record.fields.N === 230);
      if (bad >= 0) {
        const items =
          records[bad]?.fields.N === 17 ? [{ path: `records[${bad}].fields.N`, message: "is unlucky" }] : [];
        throw new Problem(400, "invalid", "", "one is wrong", items);
      }
      written.push(...records.map((record) => record.fields.N));
      return records.map((record) => `rec_${String(record.fields.N)}`);
    },
  });
  expect(outcome.ids).toEqual(written.map((n) => `rec_${String(n)}`));
  expect(outcome).toMatchObject({
    imported: 248,
    stopped: false,
    left: [],
    refused: [
      { line: 19, reason: "is unlucky" },
      { line: 232, reason: "one is wrong" },
    ],
  });
  expect(written).toEqual(
    rows(250)
      .map((row) => row.values.N)
      .filter((n) => n !== 17 && n !== 230),
  );
});

test("an import waits for the connection and the session, says so, and writes nothing twice", async () => {
  const statuses: (number | undefined)[] = [];
  const keys = new Set<string>();
  let tries = 0;
  const outcome = await importRows("tbl_1", rows(150), {
    ...options,
    signal: new AbortController().signal,
    changeSet: "import",
    onPause: (problem) => statuses.push(problem?.status),
    send: async (_table, records, key) => {
      keys.add(key);
      tries++;
      if (records.length === 100 && tries <= 30) throw new Problem(tries <= 20 ? 0 : 401, "", "", "");
      if (records.length === 50 && tries === 32) throw new Problem(409, "idempotency_in_progress", "", "");
      if (records.length === 50) throw new Problem(409, "idempotency_answer_lost", "", "");
      return records.map(() => "rec_1");
    },
  });
  // The ids of the last fifty records are unknown, so they cannot be removed again.
  expect(outcome).toEqual({ imported: 150, ids: Array(100).fill("rec_1"), refused: [], left: [], stopped: false });
  expect(keys.size).toBe(2);
  expect(statuses).toEqual([...Array<number>(20).fill(0), ...Array<number>(10).fill(401), undefined, 409, undefined]);
});

test("an import that is forbidden to continue reports what it imported and what is left", async () => {
  const outcome = await importRows("tbl_1", rows(250), {
    ...options,
    signal: new AbortController().signal,
    changeSet: "import",
    send: async (_table, records) => {
      if (records[0]?.fields.N === 100) throw new Problem(403, "forbidden", "", "your role is viewer");
      return [];
    },
  });
  expect(outcome).toMatchObject({ imported: 100, refused: [], stopped: false, problem: { status: 403 } });
  expect(outcome.left).toEqual(
    rows(250)
      .slice(100)
      .map((row) => row.line),
  );
});

test("a request without a response is retried with the same idempotency key", async () => {
  const keys: string[] = [];
  const outcome = await importRows("tbl_1", rows(1), {
    ...options,
    signal: new AbortController().signal,
    changeSet: "import",
    send: async (_table, _records, key) => {
      keys.push(key);
      if (keys.length < 3) throw new Problem(503, "unavailable", "", "");
      return ["rec_1"];
    },
  });
  expect(outcome.imported).toBe(1);
  expect(new Set(keys).size).toBe(1);
});

test("stopping ends the import and says so", async () => {
  const stop = new AbortController();
  const outcome = await importRows("tbl_1", rows(500), {
    ...options,
    signal: stop.signal,
    changeSet: "import",
    send: async () => (stop.abort(), []),
  });
  expect(outcome).toMatchObject({ imported: 100, stopped: true });
});

test("the number style is decided per column, by file or locale if ambiguous, and left open on conflict", () => {
  const rows = [
    ["1,5", "1.234", "1.5", "7"],
    ["2", "5.678", "1,5", "8"],
  ];
  const found = columnStyles(rows, 4);
  expect(found.map((one) => one.kind)).toEqual(["certain", "ambiguous", "conflict", "either"]);
  expect(decideStyles(found, pointStyle)).toEqual([commaStyle, commaStyle, undefined, commaStyle]);
  expect(decideStyles(found, pointStyle, [undefined, pointStyle, commaStyle])).toEqual([
    commaStyle,
    pointStyle,
    commaStyle,
    commaStyle,
  ]);
  const alone = columnStyles([["1.234"]], 1);
  expect(decideStyles(alone, styleOf("de"))).toEqual([commaStyle]);
  expect(decideStyles(alone, styleOf("en"))).toEqual([pointStyle]);
  const fields = [field("A", "number"), field("B", "number"), field("C", "text"), field("D", "number")];
  const checked = check(
    rows.map((cells, index) => ({ line: index + 2, cells })),
    fields,
    { locale: english, people: [] },
    decideStyles(found, pointStyle, [undefined, undefined, pointStyle]),
  );
  expect(checked).toEqual({
    ready: [
      { line: 2, values: { A: 1.5, B: 1234, C: "1.5", D: 7 } },
      { line: 3, values: { A: 2, B: 5678, C: "1,5", D: 8 } },
    ],
    refused: [],
  });
});

test("all rows are checked before anything is created", () => {
  const rows = [["1.5"], ["1,5"], ["x"]].map((cells, index) => ({ line: index + 2, cells }));
  const { ready, refused } = check(rows, [field("N", "number")], { locale: english, people: [] }, [pointStyle]);
  expect(ready).toEqual([{ line: 2, values: { N: 1.5 } }]);
  expect(refused.map((one) => one.line)).toEqual([3, 4]);
});

const file = (content: string) => new TextEncoder().encode(content);
const bytes = (...values: number[]) => new Uint8Array(values);
const latin = (content: string) => bytes(...[...content].map((letter) => letter.charCodeAt(0)));

test("the encoding of a file is detected, and can be chosen", () => {
  expect(detectEncoding(new TextEncoder().encode("Name\nZoë"))).toBe("utf-8");
  expect(detectEncoding(latin("Name\nZo\u00eb"))).toBe("windows-1252");
  expect(detectEncoding(latin("Name\nZo\u00eb"), "pl-PL")).toBe("windows-1250");
  expect(detectEncoding(bytes(0xff, 0xfe, 0x41, 0))).toBe("utf-16le");
  expect(detectEncoding(bytes(...[..."Name,Age"].flatMap((letter) => [0, letter.charCodeAt(0)])))).toBe("utf-16be");
  const western = latin("Name,Price\nZo\u00eb,\u00a35");
  expect(readSheet(western, english).rows).toEqual([{ line: 2, cells: ["Zoë", "£5"] }]);
  expect(readSheet(western, english)).toMatchObject({
    encoding: "windows-1252",
    unreadable: 0,
    header: ["Name", "Price"],
  });
  expect(readSheet(western, english, { encoding: "utf-8" }).unreadable).toBe(2);
});

test("the first row is read as names or as data, and no cell of a row is lost", () => {
  expect(readSheet(file("Name,2024,2025\nAnn,1,2"), english).hasHeader).toBe(true);
  expect(readSheet(file("Ann,5,2025-01-31\nBob,6,2025-02-01"), english)).toMatchObject({
    hasHeader: false,
    header: ["", "", ""],
    rows: [{ line: 1 }, { line: 2 }],
  });
  expect(readSheet(file("Name\nAnn"), english, { hasHeader: false }).rows.map((row) => row.cells)).toEqual([
    ["Name"],
    ["Ann"],
  ]);
  // Empty rows count for line numbers, and a row may be longer than the first.
  expect(readSheet(file("\ufeffName,Age\n\nAnn,5,extra\n\n"), english)).toMatchObject({
    header: ["Name", "Age", ""],
    rows: [{ line: 3, cells: ["Ann", "5", "extra"] }],
  });
  expect(() => readSheet(file('Name,Note\nAnn,"open'), english)).toThrow(/Row 2 .*quotation mark/);
  expect(() => readSheet(file(" \n"), english)).toThrow(/empty/);
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
