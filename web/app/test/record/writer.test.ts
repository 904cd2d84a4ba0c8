import { beforeEach, expect, test, vi } from "vitest";
import { Problem, type ProblemItem } from "../../src/api/problem.ts";
import type { Field, Row, Values } from "../../src/api/type.ts";
import type { RecordService } from "../../src/record/service.ts";
import { Writer } from "../../src/record/writer.ts";
import { writerOf } from "../../src/record/adoption.ts";
import { discardAll, resumeAll, unsentCount } from "../../src/record/writers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

type Sent = { id: string; fields: Values }[];
type Validate = (records: Sent) => Problem | undefined;

function setup(results: (Problem | "ok")[] = [], validate?: Validate) {
  const sent: Sent[] = [];
  const removed: string[][] = [];
  const sets: [what: "update" | "create" | "remove", changeSet: string | undefined][] = [];
  let created = 0;
  const service: RecordService = {
    update: async (_table, records, changeSet) => {
      sent.push(records);
      sets.push(["update", changeSet]);
      const result = results.shift() ?? validate?.(records) ?? "ok";
      if (result !== "ok") throw result;
      return records.map((record): Row => ({ id: record.id, fields: record.fields }));
    },
    create: async (_table, records, changeSet) => {
      sets.push(["create", changeSet]);
      return records.map(({ fields }): Row => ({ id: `new_${++created}`, fields }));
    },
    remove: async (_table, ids, changeSet) => {
      removed.push(ids);
      sets.push(["remove", changeSet]);
    },
    removeVersion: async (id) => void removed.push([id]),
    restore: async () => undefined,
  };
  return { writer: new Writer("tbl_1", service), service, sent, removed, sets };
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

test("edits made during a request are sent after it, in order, each in a request of its own", async () => {
  const { writer, sent, sets } = setup();
  writer.edit(change({ A: 5 }));
  writer.edit(change({ A: 6 }));
  writer.edit(change({ B: 7 }, { B: 2 }));
  await vi.runAllTimersAsync();
  expect(sent.map(([one]) => one?.fields)).toEqual([{ A: 5 }, { A: 6 }, { B: 7 }]);
  expect(sets.map(([, changeSet]) => changeSet)).toEqual([undefined, undefined, undefined]);
});

test("an edit of many records is one change set, also when a part of it is sent again", async () => {
  const { writer, sets } = setup(["ok", offline]);
  writer.edit(Array.from({ length: 250 }, (_, n) => ({ id: `rec_${n}`, before: { A: 0 }, after: { A: n } })));
  await vi.runAllTimersAsync();
  expect(sets).toHaveLength(4);
  expect(sets[0]?.[1]).toBeDefined();
  expect(new Set(sets.map(([, changeSet]) => changeSet)).size).toBe(1);
});

test("what a paste changes and creates is one change set, and the next edit is another", async () => {
  const { writer, sets } = setup();
  const changeSet = "paste";
  writer.edit(change({ A: 5 }), changeSet);
  const made = await writer.create(
    Array.from({ length: 101 }, () => ({ A: "x" })),
    changeSet,
  );
  writer.edit(change({ B: 9 }, { B: null }, made[0]?.id));
  await vi.runAllTimersAsync();
  expect(sets.map(([what]) => what)).toEqual(["update", "create", "create", "update"]);
  expect(sets.slice(0, 3).every(([, one]) => one === changeSet)).toBe(true);
  expect(sets[3]?.[1]).not.toBe(changeSet);
});

test("an edit that has to be sent value by value is one change set", async () => {
  const { writer, sent, sets } = setup([], (records) =>
    records.some(({ fields }) => "A" in fields) ? new Problem(409, "not_unique", "", "") : undefined,
  );
  writer.edit(change({ A: 5, B: 6, C: 7 }));
  await vi.runAllTimersAsync();
  expect(sent.map(([one]) => one?.fields)).toEqual([{ A: 5, B: 6, C: 7 }, { A: 5 }, { B: 6 }, { C: 7 }]);
  const names = sets.slice(1).map(([, changeSet]) => changeSet);
  expect(names[0]).toBeDefined();
  expect(new Set(names).size).toBe(1);
});

test("a deletion of many records is one change set", async () => {
  const { writer, removed, sets } = setup();
  const ids = Array.from({ length: 150 }, (_, n) => `rec_${n}`);
  expect(await writer.remove(ids)).toBe(150);
  expect(removed.flat()).toEqual(ids);
  expect(sets[0]?.[1]).toBeDefined();
  expect(new Set(sets.map(([, changeSet]) => changeSet)).size).toBe(1);
});

test("settle waits for edits, creations and deletions", async () => {
  const { writer, sent, sets } = setup();
  writer.edit(change({ A: 5 }));
  writer.edit(change({ A: 6 }));
  void writer.create([{ A: "x" }]);
  void writer.remove(["rec_9"]);
  await writer.settle();
  expect(sent).toHaveLength(2);
  expect(sets.map(([what]) => what).toSorted()).toEqual(["create", "remove", "update", "update"]);
  expect(writer.dirty).toBe(false);
});

test("settle sends what waits at once, and fails when there is still no connection", async () => {
  const { writer, sent } = setup([offline, offline]);
  writer.edit(change({ A: 5 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(writer.status.state).toBe("waiting");
  await expect(writer.settle()).rejects.toMatchObject({ code: "unsent", temporary: true });
  expect(sent).toHaveLength(2);
  expect(writer.overlay(row).fields.A).toBe(5);
  await writer.settle();
  expect(sent).toHaveLength(3);
  expect(writer.dirty).toBe(false);
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

test("a refused edit is reverted and reported", async () => {
  const { writer } = setup([invalid()]);
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  expect(reverted).toHaveBeenCalledOnce();
  expect(writer.overlay(row)).toBe(row);
});

test("a refused value that the service names reverts nothing else", async () => {
  const { writer, sent } = setup([], (records) => {
    const bad = records.findIndex((record) => record.fields.A === "bad");
    return bad < 0 ? undefined : invalid({ path: `records[${bad}].fields.A`, message: "is not a number" });
  });
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit([
    ...change({ A: 2, B: 3 }, { A: 1, B: 2 }, "rec_1"),
    ...change({ A: "bad", B: 4 }, { A: 1, B: 2 }, "rec_2"),
  ]);
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

test("a record of a form is made through the queue, and refused to the form", async () => {
  const { writer, sets } = setup();
  const reverted: string[][] = [];
  writer.on({ reverted: (ids) => void reverted.push(ids) });
  const made = writer.enter({ A: 1 });
  await vi.runAllTimersAsync();
  expect(await made.made).toEqual({ id: "new_1", fields: { A: 1 } });
  expect(sets).toEqual([["create", undefined]]);

  const refusal = invalid({ path: "records[0].fields.A", message: "no number" } as ProblemItem);
  const failing = setup();
  failing.service.create = async () => {
    throw refusal;
  };
  failing.writer.on({ reverted: (ids) => void reverted.push(ids) });
  const refused = failing.writer.enter({ A: "x" });
  const failure = refused.made.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await failure).toMatchObject({ items: refusal.items });
  expect(failing.writer.refused).toEqual([]);
  expect(failing.writer.status.count).toBe(0);
  expect(reverted.flat()).toEqual([]);

  // A form that was closed meanwhile leaves it to the list.
  failing.writer.enter({ A: "y" }).leave();
  await vi.runAllTimersAsync();
  expect(failing.writer.refused.map(({ command }) => command.after)).toEqual([{ A: "y" }]);
  expect(reverted.flat()).toHaveLength(1);
});

test("a record of a form that cannot be sent is kept, and made once it can", async () => {
  const { writer, service } = setup();
  const { create } = service;
  service.create = async () => {
    throw offline;
  };
  const entry = writer.enter({ A: 1 });
  await vi.advanceTimersByTimeAsync(100);
  expect(await entry.made).toBeUndefined();
  expect(writer.status).toEqual({ state: "waiting", count: 1 });
  expect(writer.creations).toHaveLength(1);
  const next = writer.enter({ A: 2 }); // while it is known that nothing can be sent
  await vi.advanceTimersByTimeAsync(0);
  expect(await next.made).toBeUndefined();
  service.create = create;
  writer.resume();
  await vi.runAllTimersAsync();
  expect(writer.status).toEqual({ state: "idle", count: 0 });
});
