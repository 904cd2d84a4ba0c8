import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../src/api/client.ts";
import type { Row, Values } from "../src/api/type.ts";
import { Writer } from "../src/grid/writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

type Sent = { id: string; fields: Values }[];

function setup(answers: (Problem | "ok")[] = []) {
  const sent: Sent[] = [];
  const writer = new Writer("tbl_1", async (_table, records) => {
    sent.push(records);
    const answer = answers.shift() ?? "ok";
    if (answer !== "ok") throw answer;
    return records.map((record): Row => ({ id: record.id, fields: record.fields }));
  });
  return { writer, sent };
}

const row: Row = { id: "rec_1", fields: { A: 1, B: 2 } };
const change = (after: Values, before: Values = { A: 1 }) => [{ id: "rec_1", before, after }];
const offline = new Problem(0, "offline", "", "");

test("an edit shows at once and is sent once", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  expect(writer.overlay(row).fields).toEqual({ A: 5, B: 2 });
  await vi.runAllTimersAsync();
  expect(sent).toEqual([[{ id: "rec_1", fields: { A: 5 } }]]);
  expect(writer.overlay(row)).toBe(row);
  expect(writer.status).toEqual({ state: "idle", count: 0 });
});

test("edits made while one is on its way are sent together after it", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  writer.edit(change({ A: 6 }));
  writer.edit(change({ B: 7 }, { B: 2 }));
  await vi.runAllTimersAsync();
  expect(sent).toEqual([[{ id: "rec_1", fields: { A: 5 } }], [{ id: "rec_1", fields: { A: 6, B: 7 } }]]);
});

test("an edit without an answer is kept and sent again", async () => {
  const { writer, sent } = setup([offline, offline]);
  writer.edit(change({ A: 5 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(writer.status).toEqual({ state: "waiting", count: 1 });
  expect(writer.overlay(row).fields.A).toBe(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(3);
  expect(writer.dirty).toBe(false);
});

test("an edit that is refused is taken back, told, and cannot be undone", async () => {
  const { writer } = setup([new Problem(400, "invalid", "", "no")]);
  const reverted = vi.fn();
  writer.on({ reverted });
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  expect(reverted).toHaveBeenCalledOnce();
  expect(writer.overlay(row)).toBe(row);
  expect(writer.undo()).toBeUndefined();
});

test("undo sends what was there before, and redo what was undone", async () => {
  const { writer, sent } = setup();
  writer.edit(change({ A: 5 }));
  await vi.runAllTimersAsync();
  expect(writer.undo()).toEqual([{ id: "rec_1", before: { A: 5 }, after: { A: 1 } }]);
  await vi.runAllTimersAsync();
  writer.redo();
  await vi.runAllTimersAsync();
  expect(sent.map(([one]) => one?.fields.A)).toEqual([5, 1, 5]);
  expect(writer.redo()).toBeUndefined();
});

test("more than a hundred records go in several requests, each record once", async () => {
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
  expect(writer.undo()).toBeUndefined();
});
