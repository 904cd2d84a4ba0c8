import { beforeEach, expect, test, vi } from "vitest";
import { Problem, type ProblemItem } from "../../src/api/problem.ts";
import type { Field, Row, Values } from "../../src/api/type.ts";
import type { RecordService } from "../../src/record/service.ts";
import { Writer } from "../../src/record/writer.ts";
import { discardAll, resumeAll, unsentCount, writerOf } from "../../src/record/writers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

type Sent = { id: string; fields: Values }[];
type Validate = (records: Sent) => Problem | undefined;

function setup(results: (Problem | "ok")[] = [], validate?: Validate) {
  const sent: Sent[] = [];
  const removed: string[][] = [];
  let created = 0;
  const service: RecordService = {
    update: async (_table, records) => {
      sent.push(records);
      const result = results.shift() ?? validate?.(records) ?? "ok";
      if (result !== "ok") throw result;
      return records.map((record): Row => ({ id: record.id, fields: record.fields }));
    },
    create: async (_table, records) => records.map(({ fields }): Row => ({ id: `new_${++created}`, fields })),
    remove: async (_table, ids) => {
      removed.push(ids);
    },
  };
  return { writer: new Writer("tbl_1", service), sent, removed };
}

const row: Row = { id: "rec_1", fields: { A: 1, B: 2 } };
const change = (after: Values, before: Values = { A: 1 }, id = "rec_1") => [{ id, before, after }];
const offline = new Problem(0, "offline", "", "");
const invalid = (...items: ProblemItem[]) => new Problem(400, "invalid", "", "no", items);
const field = (id: string, name: string): Field =>
  ({ id, name, type: "text", isPrimary: false, order: 0 }) as unknown as Field;

test("an edit shows at once and is sent once", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  expect(writer.overlay(row).fields).toEqual({ A: 5, B: 2 });
  await vi.runAllTimersAsync();
  expect(sent).toEqual([[{ id: "rec_1", fields: { A: 5 } }]]);
  expect(writer.overlay(row)).toBe(row);
  expect(writer.status).toEqual({ state: "idle", count: 0 });
});

test("edits made during a request are sent together after it", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  writer.edit(change({ A: 6 }));
  writer.edit(change({ B: 7 }, { B: 2 }));
  await vi.runAllTimersAsync();
  expect(sent).toEqual([[{ id: "rec_1", fields: { A: 5 } }], [{ id: "rec_1", fields: { A: 6, B: 7 } }]]);
});

test("an edit without a response is kept and sent again", async () => {
  const { writer, sent } = setup([offline, offline]);
  writer.edit(change({ A: 5 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(writer.status).toEqual({ state: "waiting", count: 1 });
  expect(writer.overlay(row).fields.A).toBe(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(3);
  expect(writer.dirty).toBe(false);
});

test("a refused edit is reverted and reported, and cannot be undone", async () => {
  const { writer } = setup([invalid()]);
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  expect(reverted).toHaveBeenCalledOnce();
  expect(writer.overlay(row)).toBe(row);
  expect(await writer.undo()).toEqual({ state: "nothing" });
});

test("a refused value that the service names reverts nothing else", async () => {
  const { writer, sent } = setup([], (records) => {
    const bad = records.findIndex((record) => record.fields.A === "bad");
    return bad < 0 ? undefined : invalid({ path: `records[${bad}].fields.A`, message: "is not a number" });
  });
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit(change({ A: 0 }, { A: 1 }, "rec_0"));
  writer.edit(change({ A: 2, B: 3 }, { A: 1, B: 2 }, "rec_1"));
  writer.edit(change({ A: "bad", B: 4 }, { A: 1, B: 2 }, "rec_2"));
  await vi.runAllTimersAsync();
  expect(reverted.mock.calls.map(([ids]) => ids as string[])).toEqual([["rec_2"]]);
  expect(sent.at(-1)).toEqual([
    { id: "rec_1", fields: { A: 2, B: 3 } },
    { id: "rec_2", fields: { B: 4 } },
  ]);
  expect(writer.dirty).toBe(false);
});

test("a refused value among a hundred records is found if the service does not name it", async () => {
  const conflict = new Problem(409, "not_unique", "", "The field is unique");
  const { writer, sent } = setup([], (records) =>
    records.some((record) => record.fields.A === 37) ? conflict : undefined,
  );
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit(
    Array.from({ length: 100 }, (_, n) => ({ id: `rec_${n}`, before: { A: -1, B: -1 }, after: { A: n, B: n } })),
  );
  await vi.runAllTimersAsync();
  expect(reverted.mock.calls.map(([ids]) => ids as string[])).toEqual([["rec_37"]]);
  const kept = new Map<string, Values>();
  for (const records of sent)
    if (!records.some((record) => record.fields.A === 37))
      for (const record of records) kept.set(record.id, { ...kept.get(record.id), ...record.fields });
  expect(kept.size).toBe(100);
  expect(kept.get("rec_37")).toEqual({ B: 37 });
  expect(sent.length).toBeLessThan(30);
});

test("a forbidden edit is refused once, not value by value", async () => {
  const { writer, sent } = setup([], () => new Problem(403, "forbidden", "", "no"));
  writer.edit(Array.from({ length: 90 }, (_, n) => ({ id: `rec_${n}`, before: { A: 0 }, after: { A: n } })));
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(1);
  expect(writer.dirty).toBe(false);
});

test("undo sends the previous values, and redo the undone ones", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  expect(await writer.undo()).toEqual({ state: "done" });
  expect(writer.overlay(row).fields.A).toBe(1);
  await vi.runAllTimersAsync();
  await writer.redo();
  await vi.runAllTimersAsync();
  expect(sent.map(([one]) => one?.fields.A)).toEqual([5, 1, 5]);
  expect(await writer.redo()).toEqual({ state: "nothing" });
});

test("an undo that is refused can be undone again later", async () => {
  const results: (Problem | "ok")[] = ["ok", invalid()];
  const { writer, sent } = setup(results);
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  await writer.undo();
  await vi.runAllTimersAsync();
  expect(await writer.redo()).toEqual({ state: "nothing" });
  expect(await writer.undo()).toEqual({ state: "done" });
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual([{ id: "rec_1", fields: { A: 1 } }]);
});

test("undo of an edit to a deleted record is refused once, and then reaches earlier edits", async () => {
  const missing = new Problem(404, "not_found", "", "no record");
  const { writer, sent } = setup(["ok", "ok", missing]);
  writer.edit(change({ A: 5 }, { A: 1 }, "rec_0"));
  await vi.runAllTimersAsync();
  writer.edit(change({ A: 6, B: 7 }, { A: 1, B: 2 }));
  await vi.runAllTimersAsync();
  await writer.undo();
  await vi.runAllTimersAsync();
  await writer.undo();
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual([{ id: "rec_0", fields: { A: 1 } }]);
});

test("undo of a paste deletes the records that it created, and redo creates them again", async () => {
  const { writer, removed, sent } = setup();
  const step = writer.edit(change({ A: 5 }));
  const made = await writer.create([{ A: "x" }, { A: "y" }], step);
  writer.edit(change({ B: 9 }, { B: null }, made[0]?.id));
  await vi.runAllTimersAsync();
  await writer.undo();
  await writer.undo();
  await vi.runAllTimersAsync();
  expect(removed).toEqual([["new_1", "new_2"]]);
  expect(sent.at(-1)).toEqual([{ id: "rec_1", fields: { A: 1 } }]);
  await writer.redo();
  await writer.redo();
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual([{ id: "new_3", fields: { B: 9 } }]);
});

test("undo after a deletion says that it cannot be undone, and keeps earlier edits", async () => {
  const { writer, sent } = setup();
  writer.edit([...change({ A: 5 }), ...change({ A: 6 }, { A: 2 }, "rec_2")]);
  await vi.runAllTimersAsync();
  await writer.remove(["rec_2"]);
  const before = sent.length;
  expect((await writer.undo()).state).toBe("final");
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(before);
  expect(await writer.undo()).toEqual({ state: "done" });
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual([{ id: "rec_1", fields: { A: 1 } }]);
});

test("a renamed field is written under its new name after the schema is read again", async () => {
  const { writer, sent } = setup([], (records) =>
    records.some((record) => "Old" in record.fields)
      ? invalid({ path: "records[0].fields.Old", message: "is not a field" })
      : undefined,
  );
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.know([field("fld_a", "Old")], async () => [field("fld_a", "New")]);
  writer.edit(change({ fld_a: "x" }, { fld_a: "" }));
  await vi.runAllTimersAsync();
  expect(sent).toEqual([[{ id: "rec_1", fields: { Old: "x" } }], [{ id: "rec_1", fields: { New: "x" } }]]);
  expect(reverted).not.toHaveBeenCalled();
});

test("a value of a deleted field is reverted, and the others are kept", async () => {
  const { writer, sent } = setup([invalid({ path: "records[0].fields.Gone", message: "is not a field" })]);
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.know([field("fld_a", "Gone"), field("fld_b", "B")], async () => [field("fld_b", "B")]);
  writer.edit(change({ fld_a: "x", fld_b: "y" }, {}));
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual([{ id: "rec_1", fields: { B: "y" } }]);
  expect(reverted).toHaveBeenCalledOnce();
});

test("more than a hundred records are sent in several requests, each record once", async () => {
  const { writer, sent } = setup();
  writer.edit(Array.from({ length: 250 }, (_, n) => ({ id: `rec_${n}`, before: { A: 0 }, after: { A: n } })));
  await vi.runAllTimersAsync();
  expect(sent.map((records) => records.length)).toEqual([100, 100, 50]);
  expect(new Set(sent.flat().map((record) => record.id)).size).toBe(250);
});

test("edits of deleted records are forgotten", async () => {
  const { writer, sent } = setup([offline]);
  writer.edit(change({ A: 5 }));
  await vi.advanceTimersByTimeAsync(0);
  writer.forget(new Set(["rec_1"]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  expect(writer.overlay(row)).toBe(row);
  expect(await writer.undo()).toEqual({ state: "nothing" });
});

test("an undo during the creation of pasted records deletes them, too", async () => {
  const { writer, removed } = setup();
  const step = writer.edit(change({ A: 5 }));
  const making = writer.create([{ A: "x" }], step);
  const undoing = writer.undo();
  await making;
  await undoing;
  expect(removed).toEqual([["new_1"]]);
});

test("edits of every table are counted, resent after signing in, and dropped for another person", async () => {
  let online = false;
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!online) throw new TypeError("Failed to fetch");
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response(JSON.stringify({ records: [] }));
  });
  const [one, two] = [writerOf("tbl_one"), writerOf("tbl_two")];
  expect(writerOf("tbl_one")).toBe(one);
  one.edit(change({ A: 5 }));
  two.edit([...change({ A: 6 }), ...change({ A: 7 }, { A: 1 }, "rec_2")]);
  await vi.advanceTimersByTimeAsync(0);
  expect(unsentCount()).toBe(3);
  expect(one.status.state).toBe("waiting");
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  online = true;
  resumeAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(unsentCount()).toBe(0);
  expect(sent.toSorted()).toEqual(["PATCH /api/v1/tables/tbl_one/records", "PATCH /api/v1/tables/tbl_two/records"]);

  online = false;
  one.edit(change({ A: 8 }));
  await vi.advanceTimersByTimeAsync(0);
  discardAll();
  online = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(unsentCount()).toBe(0);
  expect(sent).toHaveLength(2);
});
