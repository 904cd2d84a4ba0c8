import { beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../../src/api/problem.ts";
import type { Field, Row, Values } from "../../src/api/type.ts";
import { sameValue } from "../../src/record/conflict.ts";
import type { RecordService } from "../../src/record/service.ts";
import { RowSource } from "../../src/record/source.ts";
import { Writer } from "../../src/record/writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

const field = (id: string, name: string, type = "text"): Field =>
  ({ id, name, type, isPrimary: false, order: 0 }) as unknown as Field;

const oak = (id: string): Row => ({ id, version: 1, fields: { Name: "oak" } });

/** A service with one record, which others change through `others`, and a page that has read it. */
function setup() {
  let stored: Row = { id: "rec_1", version: 1, fields: { Name: "oak", Note: "old" } };
  const sent: { version?: number; fields: Values }[] = [];
  let lost = 0;
  let meddle: (() => void) | undefined;
  const others = (fields: Values) => {
    stored = { ...stored, version: (stored.version ?? 0) + 1, fields: { ...stored.fields, ...fields } };
  };
  const service: RecordService = {
    update: async (_table, records) => {
      meddle?.();
      for (const { id, version, fields } of records) {
        sent.push({ version, fields });
        if (id === stored.id && version !== undefined && version !== stored.version)
          throw new Problem(412, "version_changed", "", "", [], undefined, undefined, stored);
      }
      const rows = records.map((record): Row => {
        if (record.id !== stored.id) return { id: record.id, version: 1, fields: record.fields };
        others(record.fields);
        return stored;
      });
      if (lost-- > 0) throw new Problem(0, "offline", "", "");
      return rows;
    },
    create: async () => [],
    remove: async () => undefined,
    removeVersion: async () => undefined,
    restore: async () => undefined,
  };
  const writer = new Writer("tbl_1", service);
  writer.know([field("f_name", "Name"), field("f_note", "Note")]);
  const shown = new Map<string, Row>([["rec_1", stored]]);
  const reverted = vi.fn();
  writer.on({ saved: (rows) => rows.forEach((row) => shown.set(row.id, row)), reverted });
  const page = () => writer.overlay(shown.get("rec_1") as Row);
  const edit = (after: Values) => {
    const row = page();
    const before = Object.fromEntries(Object.keys(after).map((id) => [id, row.fields[writer.names.of(id) ?? id]]));
    writer.edit([{ id: row.id, version: row.version, before, after }]);
  };
  return {
    writer,
    sent,
    others,
    page,
    edit,
    reverted,
    stored: () => stored.fields,
    loseAnswer: () => (lost = 1),
    meddleWith: (run: () => void) => (meddle = run),
  };
}

test("an edit is sent with the version that the page has", async () => {
  const { edit, sent, stored } = setup();
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  expect(sent).toEqual([{ version: 1, fields: { Name: "elm" } }]);
  expect(stored().Name).toBe("elm");
});

test("edits on top of each other go on from the version that the one before made", async () => {
  const { edit, sent } = setup();
  edit({ f_name: "elm" });
  edit({ f_name: "ash" });
  edit({ f_note: "new" });
  await vi.runAllTimersAsync();
  expect(sent).toEqual([
    { version: 1, fields: { Name: "elm" } },
    { version: 2, fields: { Name: "ash" } },
    { version: 3, fields: { Note: "new" } },
  ]);
});

test("an edit is repeated without a question when others changed another field", async () => {
  const { edit, others, sent, stored, writer, page } = setup();
  others({ Name: "birch" });
  edit({ f_note: "new" });
  await vi.runAllTimersAsync();
  expect(sent.map(({ version }) => version)).toEqual([1, 2]);
  expect(stored()).toEqual({ Name: "birch", Note: "new" });
  expect(page().fields).toEqual({ Name: "birch", Note: "new" });
  expect(writer.conflict).toBeUndefined();
});

test("nothing is written over a value that others changed, until the person says so", async () => {
  const { edit, others, stored, writer, page, reverted } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  expect(stored().Name).toBe("birch");
  expect(page().fields.Name).toBe("birch");
  expect(writer.dirty).toBe(false);
  expect(reverted).not.toHaveBeenCalled();
  const conflict = writer.conflict;
  expect(conflict).toMatchObject({ row: { id: "rec_1", version: 2 } });
  expect(conflict).toMatchObject({ theirs: { f_name: "birch" }, mine: { f_name: "elm" } });
  if (conflict) writer.resolve(conflict, "mine");
  await vi.runAllTimersAsync();
  expect(stored().Name).toBe("elm");
  expect(writer.conflict).toBeUndefined();
});

test("a person who keeps the value of others writes nothing", async () => {
  const { edit, others, sent, stored, writer } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  const conflict = writer.conflict;
  if (conflict) writer.resolve(conflict, "theirs");
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(1);
  expect(stored().Name).toBe("birch");
  expect(writer.conflict).toBeUndefined();
});

test("a value that changes again while the person chooses is asked about again", async () => {
  const { edit, others, stored, writer } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  others({ Name: "larch" });
  if (writer.conflict) writer.resolve(writer.conflict, "mine");
  await vi.runAllTimersAsync();
  expect(stored().Name).toBe("larch");
  expect(writer.conflict).toMatchObject({ theirs: { f_name: "larch" }, mine: { f_name: "elm" } });
});

test("of an edit of two fields, only the one that others changed waits", async () => {
  const { edit, others, stored, writer } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm", f_note: "new" });
  await vi.runAllTimersAsync();
  expect(stored()).toEqual({ Name: "birch", Note: "new" });
  expect(writer.conflict?.mine).toEqual({ f_name: "elm" });
});

test("two edits of the same value are one question, about the later", async () => {
  const { edit, others, writer } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm" });
  edit({ f_name: "ash" });
  await vi.runAllTimersAsync();
  expect(writer.conflict?.mine).toEqual({ f_name: "ash" });
  if (writer.conflict) writer.resolve(writer.conflict, "theirs");
  expect(writer.conflict).toBeUndefined();
  expect(writer.dirty).toBe(false);
});

test("an edit whose answer was lost does not conflict with itself", async () => {
  const { edit, loseAnswer, stored, writer } = setup();
  loseAnswer();
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  expect(stored().Name).toBe("elm");
  expect(writer.conflict).toBeUndefined();
  expect(writer.dirty).toBe(false);
});

test("an edit of a record that keeps changing is taken back in the end", async () => {
  const { edit, others, meddleWith, sent, writer, page, reverted } = setup();
  let n = 0;
  meddleWith(() => others({ Name: `other ${++n}` }));
  edit({ f_note: "new" });
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(5);
  expect(reverted).toHaveBeenCalledOnce();
  expect(writer.dirty).toBe(false);
  expect(page().fields).toEqual({ Name: "other 5", Note: "old" });
});

test("another record in the same request is not held up", async () => {
  const { others, sent, writer } = setup();
  others({ Name: "birch" });
  writer.edit([
    { id: "rec_1", version: 1, before: { f_name: "oak" }, after: { f_name: "elm" } },
    { id: "rec_2", before: { f_name: "c" }, after: { f_name: "d" } },
  ]);
  await vi.runAllTimersAsync();
  expect(sent.at(-1)).toEqual({ version: undefined, fields: { Name: "d" } });
  expect(writer.conflict?.row.id).toBe("rec_1");
  expect(writer.dirty).toBe(false);
});

test("a record that is gone is not asked about any more", async () => {
  const { edit, others, writer } = setup();
  others({ Name: "birch" });
  edit({ f_name: "elm" });
  await vi.runAllTimersAsync();
  writer.forget(new Set(["rec_1"]));
  expect(writer.conflict).toBeUndefined();
});

test("an edit of one row demands its version, and one of several rows demands none", async () => {
  const { writer, sent } = setup();
  const source = new RowSource("tbl_1", {}, writer);
  source.edit([{ row: oak("rec_1"), fields: { f_name: "elm" } }]);
  await vi.runAllTimersAsync();
  source.edit(["rec_1", "rec_2"].map((id) => ({ row: oak(id), fields: { f_name: "ash" } })));
  await vi.runAllTimersAsync();
  expect(sent.map(({ version }) => version)).toEqual([1, undefined, undefined]);
});

test.each([
  ["text", null, "", true],
  ["text", "a", "b", false],
  ["checkbox", null, false, true],
  ["checkbox", true, false, false],
  ["attachment", [{ id: "att_1", url: "/files/1?token=a" }], [{ id: "att_1", url: "/files/1?token=b" }], true],
  ["attachment", [{ id: "att_1" }], [{ id: "att_2" }], false],
  ["link", [], null, true],
  ["user", [{ id: "usr_1", name: "Ada" }], ["usr_1"], true],
  ["json", { id: "a", size: 1 }, { id: "a", size: 2 }, false],
])("of a %s field, whether %j and %j are the same is told as %s", (type, a, b, same) => {
  expect(sameValue(a, b, field("f", "F", type))).toBe(same);
});
