import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { deleteRecord, updateRecords } from "../../src/api/change.ts";
import type { Base, Field, Row, RowPage } from "../../src/api/type.ts";
import { LinkNames, useLinkNames } from "../../src/record/linkname.ts";

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

afterEach(cleanup);

function setup() {
  const at = { name: "Ada", now: 1_000_000, reads: 0 };
  const read = async () => {
    at.reads++;
    return { records: [{ id: "rec_ada", fields: { Name: at.name } }], hasMore: false } as unknown as RowPage;
  };
  return { at, names: new LinkNames(base, read, () => at.now) };
}

test("a renamed linked record is shown under its old name until the new one is loaded", async () => {
  vi.useFakeTimers();
  const { at, names } = setup();
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Ada");

  // A known name is not requested again.
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(at.reads).toBe(1);

  at.name = "Ada Lovelace";
  names.renew("tbl_people");
  expect(names.get("rec_ada")).toBe("Ada");
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Ada Lovelace");

  // A write to a table without visible links requests nothing.
  names.renew("tbl_other");
  await vi.runAllTimersAsync();
  expect(at.reads).toBe(2);

  // A later read finds the new name that another client gave it.
  at.name = "Countess Lovelace";
  at.now += 60_000;
  names.want([book], [link]);
  await vi.runAllTimersAsync();
  expect(names.get("rec_ada")).toBe("Countess Lovelace");
  vi.useRealTimers();
});

const run = () => act(() => vi.advanceTimersByTimeAsync(100));

function LinkedName() {
  const { names } = useLinkNames(base);
  names?.want([book], [link]);
  return <p>{names?.get("rec_ada") ?? "unknown"}</p>;
}

test("a link shows the name of its record, and the new name after a write to the record", async () => {
  vi.useFakeTimers();
  let name = "Ada";
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    requested.push(`${request.method} ${pathname}`);
    const records = request.method === "GET" ? [{ id: "rec_ada", fields: { Name: name } }] : [];
    return new Response(JSON.stringify({ records, total: 1, offset: 0, limit: 100, hasMore: false }));
  });
  render(<LinkedName />);
  expect(screen.getByText("unknown")).toBeTruthy();
  await run();
  expect(screen.getByText("Ada")).toBeTruthy();

  name = "Ada Lovelace";
  await act(async () => void (await updateRecords({ tableId: "tbl_people", body: { records: [] } })));
  await run();
  expect(screen.getByText("Ada Lovelace")).toBeTruthy();

  // A write to a table without visible links requests no names.
  requested.length = 0;
  await act(async () => void (await updateRecords({ tableId: "tbl_other", body: { records: [] } })));
  await run();
  expect(requested).toEqual(["PATCH /api/v1/tables/tbl_other/records"]);

  // The table of a record that is deleted by its id is unknown, so all names are read again.
  name = "Lovelace";
  await act(async () => void (await deleteRecord({ recordId: "rec_x" })));
  await run();
  expect(screen.getByText("Lovelace")).toBeTruthy();
  vi.useRealTimers();
});

test("names that nobody has wanted for long are let go, and wanted ones stay", () => {
  const { names } = setup();
  names.learn([{ id: "rec_ada", name: "Ada" }]);
  for (let n = 0; n < 15_000; n++) {
    names.learn([{ id: `rec_${n}`, name: `Name ${n}` }]);
    if (n % 1000 === 0) names.want([book], [link]);
  }
  expect(names.get("rec_ada")).toBe("Ada");
  expect(names.get("rec_0")).toBeUndefined();
  expect(names.get("rec_14999")).toBe("Name 14999");
});
