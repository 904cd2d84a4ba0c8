import { expect, test, vi } from "vitest";
import type { RecordQuery } from "../../src/api/query.ts";
import { Problem } from "../../src/api/problem.ts";
import type { Field, Row } from "../../src/api/type.ts";
import { RowSource } from "../../src/record/source.ts";
import { Writer } from "../../src/record/writer.ts";

function setup(total: number) {
  const read: number[] = [];
  const writer = new Writer("tbl_1", {
    update: async (_table, records) => records,
    create: async () => [],
    remove: async () => undefined,
    removeVersion: async () => undefined,
    restore: async () => undefined,
  });
  const source = new RowSource("tbl_1", {}, writer, async (_table, { offset = 0, limit = 100 }: RecordQuery) => {
    read.push(offset);
    const count = Math.max(0, Math.min(limit, total - offset));
    const records = Array.from({ length: count }, (_, n): Row => ({
      id: `rec_${offset + n}`,
      fields: { N: offset + n },
    }));
    return { records, total, offset, limit, hasMore: offset + count < total };
  });
  return { source, read, writer };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("only the pages in view are read, each once", async () => {
  const { source, read } = setup(100_000);
  source.ensure(0, 0);
  await settled();
  expect(source.total).toBe(100_000);
  source.ensure(99_950, 99_999);
  source.ensure(99_950, 99_999);
  await settled();
  expect(read).toEqual([0, 99_900]);
  expect(source.at(99_999)?.fields.N).toBe(99_999);
  expect(source.at(500)).toBeUndefined();
});

test("fast scrolling reads only where it stops", async () => {
  const { source, read } = setup(100_000);
  source.ensure(0, 0);
  await settled();
  for (let row = 10_000; row <= 90_000; row += 1000) source.ensure(row, row + 30);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(read).toEqual([0, 10_000, 90_000]);
  expect(source.inView().map((row) => row.fields.N)).toEqual(Array.from({ length: 31 }, (_, n) => 90_000 + n));
});

test("a requested range is read to its end, also while another place is shown", async () => {
  const { source } = setup(100_000);
  await source.range(0, 0);
  const range = source.range(5000, 5999);
  source.ensure(50_000, 50_030);
  expect(await range).toHaveLength(1000);
});

test("a range is read whole before it is copied", async () => {
  const { source, read } = setup(450);
  await source.range(0, 0);
  expect((await source.range(150, 320)).map((row) => row.fields.N)).toEqual(
    Array.from({ length: 171 }, (_, n) => 150 + n),
  );
  expect(read).toEqual([0, 100, 200, 300]);
});

test("an edit stays visible over the result of a slower read", async () => {
  const { source } = setup(10);
  await source.range(0, 0);
  source.edit([{ row: source.at(3)!, fields: { N: "mine" } }]);
  source.refresh(0, 9);
  expect(source.at(3)?.fields.N).toBe("mine");
  await settled();
  expect(source.total).toBe(10);
});

test("a list that became shorter forgets the rows after its end", async () => {
  const { source, writer } = setup(120);
  await source.range(0, 119);
  let total = 120;
  const shrinking = new RowSource("tbl_1", {}, writer, async () => ({
    records: [{ id: "rec_0", fields: {} }],
    total,
    offset: 0,
    limit: 100,
    hasMore: false,
  }));
  await shrinking.range(0, 0);
  total = 1;
  shrinking.refresh(0, 0);
  await settled();
  expect(shrinking.total).toBe(1);
  expect(shrinking.at(5)).toBeUndefined();
});

test("a page that fails makes the whole range fail", async () => {
  const { writer } = setup(0);
  const source = new RowSource("tbl_1", {}, writer, async (_table, { offset = 0 }: RecordQuery) => {
    if (offset === 100) throw new Problem(500, "internal", "", "no");
    return {
      records: Array.from({ length: 100 }, (_, n): Row => ({ id: `rec_${offset + n}`, fields: {} })),
      total: 300,
      offset,
      limit: 100,
      hasMore: offset < 200,
    };
  });
  await source.range(0, 0);
  await expect(source.range(50, 250)).rejects.toThrow("no");
});

test("all rows are read by cursor, each once", async () => {
  const queries: RecordQuery[] = [];
  const { writer } = setup(0);
  const source = new RowSource("tbl_1", {}, writer, async (_table, query: RecordQuery) => {
    queries.push(query);
    const offset = query.cursor ? Number(query.cursor) : (query.offset ?? 0);
    const records = Array.from({ length: Math.min(100, 4820 - offset) }, (_, n): Row => ({
      id: `rec_${offset + n}`,
      fields: {},
    }));
    return { records, total: 4820, offset, limit: 100, hasMore: offset + 100 < 4820, cursor: String(offset + 100) };
  });
  source.ensure(0, 0);
  await settled();
  source.refresh(3000, 3000);
  await settled();
  const done: number[] = [];
  const rows = await source.range(0, 4819, (count) => done.push(count));
  expect(new Set(rows.map((row) => row.id)).size).toBe(4820);
  expect(queries.slice(2).every((query) => query.cursor !== undefined || query.offset === 0)).toBe(true);
  expect(done.at(-1)).toBe(4820);
});

test("a record that moved has one position, and edits find it by its id", async () => {
  const names = ["a", "b", "c"];
  const { writer } = setup(0);
  const source = new RowSource("tbl_1", {}, writer, async () => ({
    records: names.map((id): Row => ({ id, fields: {} })),
    total: names.length,
    offset: 0,
    limit: 100,
    hasMore: false,
  }));
  await source.range(0, 2);
  expect(source.indexOf("c")).toBe(2);
  names.splice(0, 1);
  source.refresh(0, 2);
  await settled();
  expect([source.indexOf("a"), source.indexOf("b"), source.indexOf("c"), source.total]).toEqual([-1, 0, 1, 2]);
});

test("deleting rows does not move rows that were not read", async () => {
  const { source, writer } = setup(1000);
  source.hold();
  await source.range(0, 99);
  await source.range(500, 599);
  await writer.remove(["rec_10"]);
  expect(source.at(499)?.id).toBe("rec_500");
  expect(source.total).toBe(999);
});

test("rows keep the values of a field that was renamed", async () => {
  const { source, writer } = setup(3);
  source.hold();
  writer.know([{ id: "fld_n", name: "N", type: "number" } as unknown as Field]);
  await source.range(0, 2);
  writer.know([{ id: "fld_n", name: "Number", type: "number" } as unknown as Field]);
  expect(source.at(2)?.fields).toEqual({ Number: 2 });
});

test("a page that the service truncates is read to its end", async () => {
  const total = 250;
  const writer = new Writer("tbl_1", {
    update: async (_table, records) => records,
    create: async () => [],
    remove: async () => undefined,
    removeVersion: async () => undefined,
    restore: async () => undefined,
  });
  const source = new RowSource("tbl_1", {}, writer, async (_table, { offset, cursor, limit = 100 }: RecordQuery) => {
    const start = cursor === undefined ? (offset ?? 0) : Number(cursor);
    const count = Math.max(0, Math.min(limit, 40, total - start)); // a response has at most 40 records
    const records = Array.from({ length: count }, (_, n): Row => ({
      id: `rec_${start + n}`,
      fields: { N: start + n },
    }));
    return { records, total, offset: start, limit, hasMore: start + count < total, cursor: String(start + count) };
  });
  await source.range(0, 0);
  expect((await source.range(30, 229)).map((row) => row.fields.N)).toEqual(
    Array.from({ length: 200 }, (_, n) => 30 + n),
  );
});

test("rows follow the writer while they are in use", async () => {
  const { source, writer, read } = setup(3);
  const [first, second] = [source.hold(), source.hold()];
  await source.range(0, 2);
  first();
  await writer.remove(["rec_0"]);
  expect(source.total).toBe(2);
  second();
  await writer.remove(["rec_1"]);
  expect(source.total).toBe(2);
  source.hold();
  await writer.remove(["rec_2"]);
  expect(source.total).toBe(1);
  expect(read).toEqual([0]);
});

test("a refresh reads the visible rows again", async () => {
  const { source, read } = setup(1000);
  await source.range(0, 0);
  source.ensure(520, 560);
  await settled();
  source.refresh();
  await settled();
  expect(read).toEqual([0, 500, 500]);
});

test("rows of the past show nothing of what is written now", async () => {
  const past: Row = { id: "rec_1", version: 1, fields: { Name: "oak" } };
  const writer = new Writer("tbl_1", {
    update: async (_table, records) => records.map(({ id, fields }) => ({ id, version: 2, fields })),
    create: async (_table, records) => records.map(({ fields }) => ({ id: "rec_2", version: 1, fields })),
    remove: async () => undefined,
    removeVersion: async () => undefined,
    restore: async () => undefined,
  });
  const source = new RowSource("tbl_1", { asOf: "2026-01-01T00:00:00Z" }, writer, async () => ({
    records: [past],
    total: 1,
    offset: 0,
    limit: 100,
    hasMore: false,
  }));
  source.hold();
  source.ensure(0, 0);
  await settled();
  const shown = () => source.loaded().map(({ fields }) => fields.Name);
  writer.edit([{ id: "rec_1", before: { Name: "oak" }, after: { Name: "elm" } }]);
  expect([shown(), source.find("rec_1")?.fields.Name]).toEqual([["oak"], "oak"]);
  await writer.create([{ Name: "fir" }]);
  await settled();
  await writer.remove(["rec_1"]);
  expect(shown()).toEqual(["oak"]);
});

test("a page that was on its way when rows had to be read anew is read once more", async () => {
  const { source, read } = setup(10);
  source.ensure(0, 0);
  source.refresh(0, 9);
  await settled();
  expect(read).toEqual([0, 0]);
  source.ensure(0, 9);
  await settled();
  expect(read).toEqual([0, 0]);
});

/** Rows that are in use, whose reads are answered with what the service had when they began. */
function delayed(start: string[]) {
  const stored = [...start];
  const answers: (() => void)[] = [];
  const writer = new Writer("tbl_1", {
    update: async (_table, records) => records,
    create: async (_table, records) =>
      records.map((_, n): Row => {
        const row = { id: `rec_new${n}`, version: 1, fields: {} };
        stored.push(row.id);
        return row;
      }),
    remove: async (_table, ids) => void stored.splice(0, stored.length, ...stored.filter((id) => !ids.includes(id))),
    removeVersion: async () => undefined,
    restore: async () => undefined,
  });
  const source = new RowSource("tbl_1", {}, writer, (_table, { limit = 100 }: RecordQuery) => {
    const records = stored.map((id): Row => ({ id, version: 1, fields: {} }));
    const page = { records, total: records.length, offset: 0, limit, hasMore: false };
    return new Promise((resolve) => answers.push(() => resolve(page)));
  });
  source.hold();
  const answer = async () => {
    answers.shift()?.();
    await settled();
  };
  return { source, writer, answer, shown: () => source.loaded().map(({ id }) => id) };
}

test("a read that began before a deletion does not bring the row back", async () => {
  const { source, writer, answer, shown } = delayed(["a", "b"]);
  source.ensure(0, 0);
  await answer();
  source.refresh();
  await writer.remove(["a"]);
  expect(shown()).toEqual(["b"]);
  await answer(); // of before
  await answer();
  expect([shown(), source.total]).toEqual([["b"], 1]);
});

test("a read that began before a record was made does not take it away", async () => {
  const { source, writer, answer, shown } = delayed(["a"]);
  source.ensure(0, 0);
  await answer();
  source.refresh();
  await writer.create([{}]);
  expect(shown()).toEqual(["a", "rec_new0"]);
  await answer(); // of before
  await answer();
  expect([shown(), source.total]).toEqual([["a", "rec_new0"], 2]);
});

test("rows that nobody holds do not listen", () => {
  const { source, writer } = setup(3);
  const changed = vi.fn();
  source.subscribe(changed);
  const edit = () => writer.edit([{ id: "rec_0", before: {}, after: { fld_n: 1 } }]);
  edit();
  expect(changed).not.toHaveBeenCalled();
  const release = source.hold();
  edit();
  expect(changed).toHaveBeenCalled();
  changed.mockClear();
  release();
  edit();
  expect(changed).not.toHaveBeenCalled();
});
