import { expect, test, vi } from "vitest";
import type { Base, Field, Row, RowPage } from "../src/api/type.ts";
import { NameStore } from "../src/record/name.ts";

const link = {
  id: "fld_link",
  name: "Author",
  type: "link",
  isPrimary: false,
  order: 1,
  config: { linkedTableId: "tbl_people", inverseFieldId: "fld_books" },
} as Field;
const base = {
  id: "bas_1",
  name: "B",
  tables: [{ id: "tbl_people", fields: [{ id: "fld_name", name: "Name", type: "text", isPrimary: true }] }],
} as unknown as Base;
const book = { id: "rec_book", fields: { Author: ["rec_ada"] } } as unknown as Row;

function stage() {
  const at = { name: "Ada", now: 1_000_000, reads: 0 };
  const read = async () => {
    at.reads++;
    return { records: [{ id: "rec_ada", fields: { Name: at.name } }], hasMore: false } as unknown as RowPage;
  };
  return { at, names: new NameStore(base, read, () => at.now) };
}

test("a linked record that was renamed is shown under its new name, and under the old one until that has come", async () => {
  vi.useFakeTimers();
  const { at, names } = stage();
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Ada");

  // A known name is not asked for again.
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(at.reads).toBe(1);

  at.name = "Ada Lovelace";
  names.renew("tbl_people");
  expect(names.get("rec_ada")).toBe("Ada");
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Ada Lovelace");

  // Writing to a table that nothing shown links to asks for nothing.
  names.renew("tbl_other");
  await vi.runAllTimersAsync();
  expect(at.reads).toBe(2);

  // Somebody else has renamed it, which a later look finds.
  at.name = "Countess Lovelace";
  at.now += 60_000;
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Countess Lovelace");
  vi.useRealTimers();
});
