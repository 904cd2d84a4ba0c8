import { expect, test } from "vitest";
import { inPast, type OpenBase, rightsIn, writesIn } from "../../src/access/base.ts";
import type { Base, Table } from "../../src/api/type.ts";

const plain = { id: "tbl_1" } as Table;
const own = { id: "tbl_2", rights: { create: true, edit: false, delete: false } } as Table;

test("the role in the base decides what is done with records, unless the table has rights of its own", () => {
  const all = { create: true, edit: true, delete: true };
  const none = { create: false, edit: false, delete: false };
  expect(rightsIn("editor", plain)).toEqual(all);
  expect(rightsIn("creator", plain)).toEqual(all);
  expect(rightsIn("commenter", plain)).toEqual(none);
  expect(rightsIn("viewer", plain)).toEqual(none);
  for (const role of ["viewer", "editor"] as const) expect(rightsIn(role, own)).toEqual(own.rights);
});

test("a viewer whom one table lets write has something to undo", () => {
  expect(writesIn("viewer", { tables: [plain] } as Base)).toBe(false);
  expect(writesIn("viewer", { tables: [plain, own] } as Base)).toBe(true);
  expect(writesIn("editor", { tables: [plain] } as Base)).toBe(true);
});

test("nobody writes into the past", () => {
  const { role, base } = inPast({ role: "creator", base: { tables: [plain, own] } } as OpenBase);
  expect(base.tables.map((table) => rightsIn(role, table).create)).toEqual([false, false]);
});
