import { expect, test } from "vitest";
import type { RecordQuery } from "../src/api/query.ts";
import type { Row } from "../src/api/type.ts";
import { RowSource } from "../src/grid/source.ts";
import { Writer } from "../src/grid/writer.ts";

function setup(total: number) {
  const read: number[] = [];
  const writer = new Writer("tbl_1", async (_table, records) => records.map((record): Row => ({ ...record })));
  const source = new RowSource("tbl_1", {}, writer, async (_table, { offset = 0, limit = 100 }: RecordQuery) => {
    read.push(offset);
    const count = Math.max(0, Math.min(limit, total - offset));
    const records = Array.from({ length: count }, (_, n): Row => ({ id: `rec_${offset + n}`, fields: { N: offset + n } }));
    return { records, total, offset, limit, hasMore: offset + count < total };
  });
  return { source, read, writer };
}

const settled = () => new Promise((go) => setTimeout(go, 5));

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

test("who rushes through the table reads only where they stop", async () => {
  const { source, read } = setup(100_000);
  source.ensure(0, 0);
  await settled();
  for (let row = 10_000; row <= 90_000; row += 1000) source.ensure(row, row + 30);
  await new Promise((go) => setTimeout(go, 100));
  expect(read).toEqual([0, 10_000, 90_000]);
  expect(source.inView().map((row) => row.fields.N)).toEqual(Array.from({ length: 31 }, (_, n) => 90_000 + n));
});

test("a range that is waited for is read to its end, wherever somebody looks meanwhile", async () => {
  const { source } = setup(100_000);
  await source.range(0, 0);
  const range = source.range(5000, 5999);
  source.ensure(50_000, 50_030);
  expect(await range).toHaveLength(1000);
});

test("a range is read whole before it is copied", async () => {
  const { source, read } = setup(450);
  await source.range(0, 0);
  expect((await source.range(150, 320)).map((row) => row.fields.N)).toEqual(Array.from({ length: 171 }, (_, n) => 150 + n));
  expect(read).toEqual([0, 100, 200, 300]);
});

test("an edit stays shown over what a slower read brings", async () => {
  const { source } = setup(10);
  await source.range(0, 0);
  source.edit([{ row: source.at(3)!, fields: { N: "mine" } }]);
  source.refresh(0, 9);
  expect(source.at(3)?.fields.N).toBe("mine");
  await settled();
  expect(source.total).toBe(10);
});

test("a list that became shorter forgets the rows behind its end", async () => {
  const { source, writer } = setup(120);
  await source.range(0, 119);
  let total = 120;
  const shrinking = new RowSource("tbl_1", {}, writer, async () => ({ records: [{ id: "rec_0", fields: {} }], total, offset: 0, limit: 100, hasMore: false }));
  await shrinking.range(0, 0);
  total = 1;
  shrinking.refresh(0, 0);
  await settled();
  expect(shrinking.total).toBe(1);
  expect(shrinking.at(5)).toBeUndefined();
});
