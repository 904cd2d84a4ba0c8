import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import { onInvalidate } from "../../src/api/invalidation.ts";
import { type Key, key } from "../../src/api/key.ts";
import type { LiveChange } from "../../src/api/live.ts";
import type { RecordQuery } from "../../src/api/query.ts";
import type { Base, Field, Row, Table, Values } from "../../src/api/type.ts";
import { Follower } from "../../src/record/live.ts";
import { onRefreshRows } from "../../src/record/refresh.ts";
import { type RowQuery, RowSource } from "../../src/record/source.ts";
import { writerOf } from "../../src/record/adoption.ts";

const fields = ["A", "B"].map((name): Field => ({ id: `fld_${name}`, name, type: "text" }) as unknown as Field);
let tables = 0;
const readTime = 30; // milliseconds

/** A table of two records as the service has it, and a page that shows it. */
function setup(query: RowQuery = {}) {
  const tableId = `tbl_${++tables}`;
  const stored = ["1", "2"].map((id): Row => ({ id: `rec_${id}`, version: 10, fields: { A: `a${id}`, B: `b${id}` } }));
  let reads = 0;
  const read = async (_table: string, { limit = 100 }: RecordQuery) => {
    reads++;
    const records = stored.map((row) => ({ ...row }));
    await new Promise((resolve) => setTimeout(resolve, readTime));
    return { records, total: records.length, offset: 0, limit, hasMore: false };
  };
  const writer = writerOf(tableId);
  writer.know(fields);
  const source = new RowSource(tableId, query, writer, read);
  source.hold();
  source.ensure(0, 0);
  const follower = new Follower("bas_1");
  const shown = () => source.loaded().map((row) => `${String(row.fields.A)} ${String(row.fields.B)}`);
  const send = (kind: LiveChange["kind"], record: string, version: number, after: Values | null, more = {}) =>
    follower.take({
      kind,
      table: tableId,
      record,
      version,
      before: null,
      after,
      fieldIds: Object.fromEntries(Object.keys(after ?? {}).map((name) => [name, `fld_${name}`])),
      changeSet: "chs_other",
      credential: "",
      cursor: "",
      person: null,
      request: "",
      time: "2026-01-01T00:00:00Z",
      ...more,
    });
  return { stored, source, writer, send, shown, reads: () => reads };
}

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

let outdated: Key[];
let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  outdated = [];
  stop = onInvalidate((keys) => void outdated.push(...keys));
});
afterEach(() => {
  stop();
  cache.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("changes of values are drawn in their order, and nothing is read for them", async () => {
  const { send, shown, source, reads } = setup();
  await wait(100);
  send("updated", "rec_1", 11, { A: "first" });
  send("updated", "rec_1", 12, { A: "second", B: "both" });
  send("updated", "rec_2", 13, { B: "other" });
  send("updated", "rec_9", 13, { B: "not read" });
  await wait(100);
  expect(shown()).toEqual(["second both", "a2 other"]);
  expect(source.at(0)?.version).toBe(12);
  await wait(60_000);
  expect(reads()).toBe(1);
});

test("computed values, of which no change tells, are read, and the others are drawn at once", async () => {
  const { send, shown, stored, writer, source, reads } = setup();
  const worth = { id: "fld_W", name: "W", type: "formula" } as unknown as Field;
  writer.know([...fields, worth]);
  stored[0] = { id: "rec_1", version: 10, fields: { A: "a1", B: "b1", W: 1 } };
  source.refresh(0, 1);
  await wait(100);
  const before = reads();
  stored[0] = { id: "rec_1", version: 11, fields: { A: "told", B: "b1", W: 2 } };
  send("updated", "rec_1", 11, { A: "told" });
  await wait(16);
  expect(shown()[0]).toBe("told b1");
  await wait(400);
  expect(source.at(0)?.fields.W).toBe(2);
  expect(reads()).toBe(before + 1);
});

/** A table with a link to another one and a rollup through it. */
const linking = (id: string, linkedTableId: string) =>
  ({
    id,
    fields: [
      { id: `fld_link_${id}`, name: "L", type: "link", config: { linkedTableId } },
      { id: `fld_sum_${id}`, name: "S", type: "rollup", config: { linkFieldId: `fld_link_${id}` } },
    ],
  }) as unknown as Table;

test("rows that compute from records of a table are read when these change, and other rows are not", async () => {
  const { send, source } = setup();
  const tables = [linking("tbl_far", "tbl_near"), linking("tbl_near", source.tableId), linking("tbl_other", "tbl_x")];
  cache.setQueryData(key.base("bas_1"), { id: "bas_1", tables } as unknown as Base);
  await wait(100);
  const asked: string[][] = [];
  const stopRows = onRefreshRows((only) => asked.push([...(only ?? [])].toSorted()));
  send("updated", "rec_1", 11, { A: "told" });
  await wait(400);
  expect(asked).toEqual([["tbl_far", "tbl_near"]]);
  expect(outdated).toContainEqual(key.record());
  stopRows();
});

test("what is told twice, or was read already, changes nothing", async () => {
  const { send, shown, stored, source } = setup();
  stored[0] = { id: "rec_1", version: 20, fields: { A: "newest", B: "b1" } };
  source.refresh(0, 1);
  await wait(100);
  send("updated", "rec_1", 15, { A: "older" });
  send("updated", "rec_2", 16, { A: "told" });
  send("updated", "rec_2", 16, { A: "told twice" });
  await wait(100);
  expect(shown()).toEqual(["newest b1", "told b2"]);
});

test("an older page that comes late does not take a change back", async () => {
  const { send, shown, source } = setup();
  await wait(100);
  source.refresh(0, 1); // answered with what was stored before the change
  send("updated", "rec_1", 11, { A: "told" });
  await wait(100);
  expect(shown()).toEqual(["told b1", "a2 b2"]);
});

test("what is told of a record while it is read stands over an older answer", async () => {
  const { send, shown } = setup();
  send("updated", "rec_2", 11, { B: "told" });
  send("updated", "rec_2", 12, { A: "last" });
  await wait(0);
  expect(shown()).toEqual([]);
  await wait(100);
  expect(shown()).toEqual(["a1 b1", "last told"]);
});

test("an edit that is not saved stays over what others wrote, and asks before it writes over it", async () => {
  const { send, shown, source, writer } = setup();
  await wait(100);
  const sent: (number | undefined)[] = [];
  let answer: (() => void) | undefined;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { records } = (await request.json()) as { records: { version?: number }[] };
    sent.push(records[0]?.version);
    await new Promise<void>((resolve) => (answer = resolve));
    const current = { id: "rec_1", version: 11, fields: { A: "theirs", B: "their b" } };
    return new Response(JSON.stringify({ code: "version_changed", current }), { status: 412 });
  });
  source.edit([{ row: source.at(0)!, fields: { fld_A: "mine" } }]);
  send("updated", "rec_1", 11, { A: "theirs", B: "their b" });
  await wait(100);
  expect(shown()[0]).toBe("mine their b");
  expect(sent).toEqual([10]);
  answer?.();
  await wait(100);
  expect(writer.conflict?.mine).toEqual({ fld_A: "mine" });
  expect(shown()[0]).toBe("theirs their b");
});

test("the answer to an edit does not take back what others wrote after it", async () => {
  const { send, shown, source } = setup();
  await wait(100);
  vi.stubGlobal("fetch", async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return new Response(JSON.stringify({ records: [{ id: "rec_1", version: 11, fields: { A: "mine", B: "b1" } }] }));
  });
  source.edit([{ row: source.at(0)!, fields: { fld_A: "mine" } }]);
  send("updated", "rec_1", 11, { A: "mine" });
  send("updated", "rec_1", 12, { B: "theirs" });
  await wait(400);
  expect(shown()[0]).toBe("mine theirs");
});

test("records that come are read once for many, and those that go leave at once", async () => {
  const { send, shown, stored, source, reads } = setup();
  await wait(100);
  for (let version = 11; version < 31; version++) {
    stored.push({ id: `rec_new${version}`, version, fields: { A: "new", B: String(version) } });
    send("created", `rec_new${version}`, version, { A: "new", B: String(version) });
  }
  await wait(100);
  expect(source.total).toBe(22);
  expect(reads()).toBe(2);
  stored.shift();
  send("deleted", "rec_1", 40, null);
  await wait(20);
  expect(shown()[0]).toBe("a2 b2");
  expect(source.total).toBe(21);
  await wait(1000);
  expect(source.total).toBe(21);
  expect(shown()[0]).toBe("a2 b2");
});

test("rows are read while changes go on, and not for each", async () => {
  const { send, stored, source, reads } = setup();
  await wait(100);
  for (let version = 11; version < 511; version++) {
    stored.push({ id: `rec_new${version}`, version, fields: { A: "new", B: "" } });
    send("created", `rec_new${version}`, version, { A: "new", B: "" });
    await wait(20);
  }
  expect(reads()).toBeGreaterThan(4);
  expect(reads()).toBeLessThan(20);
  await wait(4000);
  expect(source.total).toBe(502);
});

test("a change that may move a record has the rows read, one of this page after a while", async () => {
  const { send, reads, source, writer } = setup({ sorts: [{ fieldId: "fld_B", dir: "asc" }] });
  await wait(100);
  send("updated", "rec_1", 11, { A: "elsewhere" });
  await wait(100);
  expect(reads()).toBe(1);
  send("updated", "rec_1", 12, { B: "z" });
  await wait(100);
  expect(reads()).toBe(2);
  vi.stubGlobal(
    "fetch",
    async () =>
      new Response(JSON.stringify({ records: [{ id: "rec_2", version: 13, fields: { A: "a2", B: "mine" } }] }), {
        headers: { "Change-Set": "chs_mine" },
      }),
  );
  source.edit([{ row: source.at(1)!, fields: { fld_B: "mine" } }]);
  await wait(100);
  expect(writer.dirty).toBe(false);
  outdated = [];
  send("updated", "rec_2", 13, { B: "mine" }, { changeSet: "chs_mine" });
  await wait(1000);
  expect(reads()).toBe(2);
  expect(outdated).toEqual([key.changes("bas_1")]);
  await wait(10_000);
  expect(reads()).toBe(3);
});

test("a record that is open takes the values, and its history is read", async () => {
  const { send } = setup();
  await wait(100);
  cache.setQueryData(key.record("rec_1"), { id: "rec_1", version: 10, fields: { A: "a1", B: "b1" } });
  send("updated", "rec_1", 11, { B: "told" });
  await wait(100);
  expect(cache.getQueryData(key.record("rec_1"))).toMatchObject({ version: 11, fields: { A: "a1", B: "told" } });
  expect(outdated).toContainEqual(key.history("rec_1"));
});

const ofField = (before: Values, after: Values) => ({ record: undefined, object: "field", id: "fld_A", before, after });

test("others' changes of the schema have the base read, and another type of a field records", async () => {
  const { send, reads } = setup();
  await wait(100);
  send("schema", "", 11, null, ofField({ name: "A" }, { name: "Z" }));
  await wait(100);
  expect(outdated).toContainEqual(key.base("bas_1"));
  expect(reads()).toBe(1);
  send("schema", "", 12, null, { ...ofField({ type: "text" }, { type: "number" }), changeSet: "chs_other" });
  await wait(300);
  expect(outdated).toContainEqual(key.record());
});

test("a comment has its thread and the inbox read, and no record", async () => {
  const { send, reads, shown } = setup();
  await wait(100);
  const before = reads();
  send("commented", "rec_1", 11, null, { comment: "cmt_1", thread: "cmt_1", action: "created" });
  await wait(1000);
  expect(outdated).toContainEqual(key.comments("rec_1"));
  expect(outdated).toContainEqual(key.inbox);
  expect(outdated).not.toContainEqual(key.record("rec_1"));
  expect(reads()).toBe(before);
  expect(shown()).toEqual(["a1 b1", "a2 b2"]);
});
