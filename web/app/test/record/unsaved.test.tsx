import { act, cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import { key } from "../../src/api/key.ts";
import type { Field } from "../../src/api/type.ts";
import { Saving } from "../../src/record/saving.tsx";
import type { Writer } from "../../src/record/writer.ts";
import { discardAll, unsavedCount, unsentCount } from "../../src/record/writers.ts";
import { writerOf } from "../../src/record/adoption.ts";
import { context, slowTimeout } from "../fieldsample.tsx";

vi.mock("../../src/route/link.tsx", () => ({
  Link: ({ params, children }: { params: { tableId: string }; children: ReactNode }) => (
    <a href={`/${params.tableId}`}>{children}</a>
  ),
}));

const fields = [{ id: "fld_name", name: "Name", type: "text", isPrimary: true } as unknown as Field];
const tables = ["one", "two"].map((id) => ({ id: `tbl_${id}`, name: `Table ${id}`, fields, views: [] }));

/** What the service answers to each update. */
let answer: () => Response;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => answer());
  cache.setQueryData(key.base("bas_1"), { id: "bas_1", name: "Base", tables });
});
afterEach(async () => {
  cleanup();
  await discardAll();
});

const problem = (status: number, more: Record<string, unknown> = {}) =>
  Response.json({ type: "about:blank", title: "", status, code: "code", detail: "No.", ...more }, { status });

function writerFor(tableId: string): Writer {
  const writer = writerOf(tableId);
  writer.locate({ orgId: "org_1", baseId: "bas_1", tableId });
  writer.know(fields);
  return writer;
}

const edit = (writer: Writer, id = "rec_1") =>
  act(async () => {
    writer.edit([{ id, version: 1, before: { fld_name: "old" }, after: { fld_name: `mine ${id}` } }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

function show() {
  const open = { people: context, base: { id: "bas_1" } } as unknown as OpenBase;
  render(
    <BaseContext.Provider value={open}>
      <Saving />
    </BaseContext.Provider>,
  );
}

test("a conflict of another table is counted, and leads to its table", { timeout: slowTimeout }, async () => {
  answer = () =>
    problem(412, { code: "version_changed", current: { id: "rec_1", version: 2, fields: { Name: "theirs" } } });
  await edit(writerFor("tbl_two"));
  expect([unsentCount(), unsavedCount()]).toEqual([1, 1]);
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
  show();
  expect(screen.queryByText("All changes saved")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "1 change needs your choice" }));
  const list = within(await screen.findByRole("region", { name: "Changed by others too" }));
  list.getByText("Name: mine rec_1");
  expect(list.getByRole("link", { name: "Choose in Table two" }).getAttribute("href")).toBe("/tbl_two");
});

test("refused changes keep the page, and are listed up to a hundred", { timeout: slowTimeout }, async () => {
  answer = () => problem(403);
  const writer = writerFor("tbl_one");
  for (let n = 0; n < 101; n++) await edit(writer, `rec_${n}`); // oxlint-disable-line no-await-in-loop -- in order
  expect([unsentCount(), unsavedCount()]).toEqual([0, 101]);
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
  show();
  await userEvent.click(screen.getByRole("button", { name: "101 changes were not accepted" }));
  const list = await screen.findByRole("region", { name: "Not accepted" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(100);
  within(list).getByText("and 1 more");
  await userEvent.click(within(list).getAllByRole("button", { name: "Discard" })[0]!);
  expect(within(list).queryByText("and 1 more")).toBeNull();
  expect(document.activeElement?.contains(list)).toBe(true); // and is not the page
  expect(document.activeElement).not.toBe(document.body);
});

test.each([
  ["no answer", () => Response.error(), "No connection. 1 change is not saved yet."],
  ["401", () => problem(401), "You are signed out. 1 change is not saved yet."],
  ["429", () => problem(429), "Too many requests. 1 change is not saved yet."],
  ["503", () => problem(503), "The service does not respond. 1 change is not saved yet."],
])("after %s the page says why a change waits, and that it is not kept", async (_what, next, said) => {
  answer = () => {
    const response = next();
    if (response.type === "error") throw new TypeError("Failed to fetch");
    return response;
  };
  await edit(writerFor("tbl_one"));
  show();
  screen.getByRole("button", { name: said });
});
