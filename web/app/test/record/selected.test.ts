import { expect, test, vi } from "vitest";
import { deleteFound } from "../../src/record/selected.ts";

const filters = [{ fieldId: "fld_1", op: "eq", value: "x" }] as never;

test("60,000 records are deleted by their query in a few requests of one change set, and none is read", async () => {
  const counts = [10_000, 10_000, 10_000, 10_000, 10_000, 9_998];
  const answer = vi.fn(async () => ({ count: counts.shift() ?? 0, more: counts.length > 0 }));
  const progress: number[] = [];
  const done = await deleteFound(
    "tbl_1",
    { filters, search: undefined },
    ["rec_1", "rec_2"],
    (count) => progress.push(count),
    new AbortController().signal,
    { deleteSelectedRecords: answer as never },
  );
  expect(done).toBe(59_998);
  expect(progress).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 59_998]);
  expect(answer).toHaveBeenCalledTimes(6);
  const calls = answer.mock.calls as unknown as [unknown, { changeSet: string }][];
  expect(new Set(calls.map(([, { changeSet }]) => changeSet)).size).toBe(1);
  expect(calls[0]?.[0]).toEqual({ tableId: "tbl_1", body: { filters, except: ["rec_1", "rec_2"] } });
});

test("a deletion that is stopped leaves the rest", async () => {
  const controller = new AbortController();
  const answer = vi.fn(async () => ({ count: 10_000, more: true }));
  const stop = (count: number) => count >= 20_000 && controller.abort();
  const done = await deleteFound("tbl_1", {}, [], stop, controller.signal, { deleteSelectedRecords: answer as never });
  expect(done).toBe(20_000);
  expect(answer).toHaveBeenCalledTimes(2);
});
