import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import type { RecordChange, Row, Table } from "../../src/api/type.ts";
import { HistoryTab } from "../../src/record/historytab.tsx";
import { Writer } from "../../src/record/writer.ts";
import { deliverTo, type Message } from "../../src/ui/toast.ts";
import { context, fieldOf } from "../fieldsample.tsx";

const number = { ...fieldOf("number"), id: "fld_number", name: "Height" };
const name = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
const made = { ...fieldOf("created_time"), id: "fld_made", name: "Made" };
const table = { fields: [name, number, made] } as Table;
const row: Row = { id: "rec_1", version: 30, fields: { Name: "Elm", Height: 3, Made: "2026-01-01T00:00:00Z" } };

const [nameField, numberField] = [name, number].map(({ id, name: called }) => ({ id, name: called }));
const change = (version: number, kind: RecordChange["kind"], changes: RecordChange["changes"]): RecordChange => ({
  version,
  time: "2026-01-01T00:00:00Z",
  changeSet: `chs_${version}`,
  request: `req_${version}`,
  person: { id: "usr_1", name: "Ada" },
  credential: "ses_1",
  kind,
  changes,
});
const entries = [
  change(30, "updated", [{ field: nameField!, from: "Ash", to: "Elm" }]),
  { ...change(20, "updated", [{ field: numberField!, from: 1, to: 3 }]), credential: "key_1", person: null },
  change(15, "updated", [{ field: nameField!, from: "Oak", to: "Ash" }]),
  change(10, "created", [
    { field: nameField!, from: null, to: "Oak" },
    { field: numberField!, from: null, to: 1 },
  ]),
];

afterEach(cleanup);
beforeEach(() => cache.clear());

async function setup(role: OpenBase["role"], complete = true) {
  const restored: [path: string, body: unknown][] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "POST") return Response.json({ entries, complete, nextCursor: null });
    restored.push([new URL(request.url).pathname, await request.json()]);
    return Response.json({ recordId: "rec_1", changes: [{ fieldId: "fld_name", field: "Name" }], notes: ["No tag."] });
  });
  const writer = new Writer("tbl_1");
  const names = { learn: () => undefined, want: () => undefined };
  const open = { base: { id: "bas_1", tables: [] }, role, people: context, names } as unknown;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open as OpenBase}>
        <HistoryTab table={table} row={row} writer={writer} />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  const list = await screen.findByRole("list", { name: "History" });
  return { restored, items: [...list.children] as HTMLElement[] };
}

test("each change says who changed what from what to what, and with what", async () => {
  const { items } = await setup("editor");
  expect(items).toHaveLength(4);
  expect(items[0]?.textContent).toContain("Ada changed the record");
  expect(items[0]?.textContent).toContain("Current version");
  expect(items[0]?.textContent).toContain("NameBefore: AshAfter: Elm");
  expect(items[1]?.textContent).toContain("Rowhouse changed the record");
  expect(items[1]?.textContent).toContain("with an API key");
  expect(items[3]?.textContent).toContain("Ada added the record");
  expect(items[3]?.textContent).toContain("Before: EmptyAfter: Oak");
  expect(screen.queryByText("Older changes are not kept.")).toBeNull();
});

test("the service restores a version, and what does not come back is told", async () => {
  const { restored, items } = await setup("editor");
  expect(within(items[0]!).queryByRole("button")).toBeNull();
  await userEvent.click(within(items[3]!).getByRole("button", { name: "Restore this version" }));
  await vi.waitFor(() => expect(restored).toEqual([["/api/v1/records/rec_1/restore", { version: 10 }]]));
  const messages: Message[] = [];
  const stop = deliverTo((message) => messages.push(message));
  await vi.waitFor(() => expect(messages).toMatchObject([{ title: "The version was restored", detail: "No tag." }]));
  stop();
});

test("a viewer restores nothing, and is told when older changes are not kept", async () => {
  await setup("viewer", false);
  expect(screen.queryByRole("button", { name: "Restore this version" })).toBeNull();
  screen.getByText("Older changes are not kept.");
});

test("the names of records that were linked before are read", async () => {
  const link = { ...fieldOf("link"), id: "fld_link", name: "Trees", linkedTableId: "tbl_2", config: undefined };
  const field = { id: link.id, name: link.name };
  const entry = change(20, "updated", [{ field, from: ["rec_9"], to: null }]);
  vi.stubGlobal("fetch", async (request: Request) =>
    Response.json(
      request.url.endsWith("/history?limit=50&detail=full")
        ? { entries: [entry], complete: true, nextCursor: null }
        : { id: "rec_9", version: 1, fields: { Name: "Old oak" } },
    ),
  );
  const learn = vi.fn();
  const base = { id: "bas_1", tables: [{ id: "tbl_2", fields: [name] }] };
  const people = { ...context, nameOf: () => undefined };
  const open = { base, role: "editor", people, names: { learn, want: () => undefined } } as unknown;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open as OpenBase}>
        <HistoryTab table={{ fields: [name, link] } as Table} row={row} writer={new Writer("tbl_1")} />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(learn).toHaveBeenCalledWith([{ id: "rec_9", name: "Old oak" }]));
});
