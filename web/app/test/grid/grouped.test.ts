import { expect, test, vi } from "vitest";
import { GroupedRows, type Grouping, layoutOf } from "../../src/grid/grouped.ts";
import type { RowSource } from "../../src/record/source.ts";
import type { Groups } from "../../src/record/totals.ts";
import { fieldOf } from "../fieldsample.tsx";

const groupings = (["single_select", "number"] as const).map((type): Grouping => {
  const field = fieldOf(type);
  return { field, by: field.id, name: field.name };
});

const level = (depth: number, groups: [unknown[], number][]): Groups => ({
  hasMore: false,
  groups: groups.map(([keys, count]) => ({
    key: Object.fromEntries(groupings.slice(0, depth).map(({ name }, at) => [name, keys[at]])),
    results: { count },
  })),
});

// Open: 1 (two rows), empty (one row); Done: 1 (three rows).
const levels = [
  level(1, [
    [["Open"], 3],
    [["Done"], 3],
  ]),
  level(2, [
    [["Open", 1], 2],
    [["Open", null], 1],
    [["Done", 1], 3],
  ]),
];

const none = new Set<string>();

test("heads are placed before the rows of their groups, the outer before the inner", () => {
  const { heads, runs, total } = layoutOf(levels, groupings, none, [], 6);
  const placed = [...heads].map(([at, { depth, value, count }]) => [at, depth, value, count]);
  expect(placed).toEqual([
    [0, 0, "Open", 3],
    [1, 1, 1, 2],
    [4, 1, null, 1],
    [6, 0, "Done", 3],
    [7, 1, 1, 3],
  ]);
  expect(runs).toEqual([
    { at: 2, row: 0, length: 2 },
    { at: 5, row: 2, length: 1 },
    { at: 8, row: 3, length: 3 },
  ]);
  expect(total).toBe(11);
});

test("a folded group hides its rows and the groups in it", () => {
  const { heads, runs, total } = layoutOf(levels, groupings, new Set(['["Open"]']), [], 6);
  expect([...heads.values()].map(({ path, folded }) => [path, folded])).toEqual([
    ['["Open"]', true],
    ['["Done"]', false],
    ['["Done",1]', false],
  ]);
  expect(runs).toEqual([{ at: 3, row: 3, length: 3 }]);
  expect(total).toBe(6);
});

test("rows that no group has yet are drawn at the end", () => {
  const { runs, total } = layoutOf(levels, groupings, none, [], 8);
  expect(runs.at(-1)).toEqual({ at: 11, row: 6, length: 2 });
  expect(total).toBe(13);
});

/** Rows r0, r1 … of a source, of which some can be taken away. */
function rowsOf(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `r${index}`);
  const source = {
    version: 0,
    writer: { creations: [] },
    get total() {
      return ids.length;
    },
    at: (index: number) => (ids[index] ? { id: ids[index] } : undefined),
    indexOf: (id: string) => ids.indexOf(id),
    range: vi.fn((from: number, to: number) => Promise.resolve(ids.slice(from, to + 1).map((id) => ({ id })))),
    ensure: vi.fn(),
  };
  const remove = (id: string) => {
    ids.splice(ids.indexOf(id), 1);
    source.version++;
  };
  const rows = new GroupedRows(source as unknown as RowSource);
  rows.arrange(levels, groupings, none);
  return { rows, remove, source };
}

test("a place has a head or a row, and a record has a place", async () => {
  const { rows } = rowsOf(6);
  expect(rows.at(0)).toBeUndefined();
  expect(rows.headAt(0)?.value).toBe("Open");
  expect(rows.at(5)?.id).toBe("r2");
  expect(rows.indexOf("r3")).toBe(8);
  expect(rows.between(9)).toEqual([8, 11]);
  expect((await rows.range(2, 9)).map(({ id }) => id)).toEqual(["r0", "r1", "r2", "r3", "r4"]);
  expect((await rows.rowsFrom(3, 3)).map(({ id }) => id)).toEqual(["r1", "r2", "r3"]);
  rows.arrange(levels, groupings, new Set(['["Open"]']));
  expect(rows.indexOf("r0")).toBe(-1);
  expect((await rows.range(0, 5)).map(({ id }) => id)).toEqual(["r3", "r4", "r5"]);
  expect(await rows.all()).toHaveLength(6);
});

test("the groups behind a deleted record keep their rows until they are counted again", () => {
  const { rows, remove } = rowsOf(6);
  expect(rows.total).toBe(11);
  remove("r0");
  expect(rows.total).toBe(10);
  expect(rows.at(2)?.id).toBe("r1");
  expect(rows.headAt(3)?.value).toBeNull();
  expect(rows.at(4)?.id).toBe("r2");
  expect(rows.at(7)?.id).toBe("r3");
});
