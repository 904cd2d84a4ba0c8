import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem.ts";
import type { Field, Values } from "../../src/api/type.ts";
import type { Command } from "../../src/record/command.ts";
import { goOn } from "../../src/record/goon.ts";
import { Writer } from "../../src/record/writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

const fields = [{ id: "fld_name", name: "Name", type: "text" } as unknown as Field];
const command: Command = { kind: "edit", id: "rec_1", after: { fld_name: "mine" }, seq: 1, at: 0 };

/** A writer that goes on with an edit, and a service whose fields are read with these outcomes in turn. */
function setup(...outcomes: (number | Field[])[]) {
  const sent: Values[] = [];
  const writer = new Writer("tbl_1", {
    update: async (_table, records) => {
      sent.push(...records.map((record) => record.fields));
      const bad = records.some((record) => !("Name" in record.fields));
      if (bad) throw new Problem(400, "invalid", "", "There is no such field.");
      return records.map((record) => ({ id: record.id, version: 2, fields: record.fields }));
    },
    create: async () => [],
    remove: async () => undefined,
    removeVersion: async () => undefined,
    restore: async () => undefined,
  });
  const read = vi.fn(async () => {
    const outcome = outcomes.shift() ?? fields;
    if (typeof outcome === "number") throw new Problem(outcome, "failed", "", "");
    return outcome;
  });
  void goOn(writer, [{ command }], read);
  return { writer, sent, read };
}

test("what a closed page left is not sent before the names of the fields are known", async () => {
  const { writer, sent, read } = setup(0, 503);
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
  expect(sent).toEqual([{ Name: "mine" }]);
  expect(writer.refused).toEqual([]);
});

test("the fields are read at once when there is a connection again", async () => {
  const { sent } = setup(0, 0, 0, 0);
  await vi.advanceTimersByTimeAsync(12_000); // then it waits for eight seconds
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual([{ Name: "mine" }]);
});

test.each([403, 404])("after a %i the service says what becomes of it, and it can be tried again", async (status) => {
  const { writer, sent } = setup(status);
  await vi.advanceTimersByTimeAsync(10);
  // The fields can be read by now, so the request is repeated with their names.
  expect(sent).toEqual([{ fld_name: "mine" }, { Name: "mine" }]);
  expect(writer.refused).toEqual([]);
});
