import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import type { TrashItem } from "../../src/api/type.ts";
import { TrashPage } from "../../src/change/trash.tsx";
import { deliverTo, type Message } from "../../src/ui/toast.ts";
import { context, slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);
beforeEach(() => cache.clear());

const item = (id: string, kind: TrashItem["kind"], name: string, more: Partial<TrashItem> = {}): TrashItem => ({
  id,
  kind,
  name,
  deletedAt: "2026-01-01T00:00:00Z",
  deletedBy: { id: "usr_1", name: "Ada" },
  keptUntil: "2026-01-31T00:00:00Z",
  ...more,
});
const oak = item("rec_1", "record", "Oak", { table: { id: "tbl_1", name: "Plants" } });
const items = [oak, item("tbl_2", "table", "Stones"), item("viw_1", "view", "Board", { deletedBy: undefined })];

/** Shows the trash of a base, whose service answers with the items above. */
async function setup(role: OpenBase["role"]) {
  const sent: { path: string; body: unknown }[] = [];
  const asked: string[] = [];
  const messages: Message[] = [];
  deliverTo((message) => void messages.push(message));
  let left = items;
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    if (request.method === "GET") {
      asked.push(url.search);
      return Response.json({ items: left, nextCursor: null });
    }
    const body = (await request.json()) as { items: string[] };
    sent.push({ path: url.pathname, body });
    left = left.filter(({ id }) => !body.items.includes(id));
    return Response.json({ restored: [{ id: "rec_1", name: "Oak", notes: ["A link is gone."] }], purged: body.items });
  });
  const open = { base: { id: "bas_1", name: "B", tables: [] }, role, people: context } as unknown as OpenBase;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open}>
        <TrashPage />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  await screen.findByText("Oak");
  return { sent, asked, messages };
}

test("items stand by kind, with who deleted them and until when they are kept", { timeout: slowTimeout }, async () => {
  const { asked } = await setup("creator");
  const records = screen.getByRole("region", { name: "Records" });
  expect(records.textContent).toMatch(/Oak in Plants.*Deleted by Ada, .*Kept until Jan 31, 2026/);
  expect(screen.getByRole("region", { name: "Tables" }).textContent).toContain("Stones");
  expect(screen.getByRole("region", { name: "Views" }).textContent).toContain("Deleted by A former member");
  expect(screen.queryByRole("region", { name: "Fields" })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Show"), "Fields");
  await waitFor(() => expect(asked.at(-1)).toContain("kinds=field"));
});

test("a restored item leaves the list, and what did not come back is told", { timeout: slowTimeout }, async () => {
  const { sent, messages } = await setup("editor");
  await userEvent.click(screen.getByRole("button", { name: "Restore Oak" }));
  await waitFor(() => expect(screen.queryByText("Oak")).toBeNull());
  expect(sent).toEqual([{ path: "/api/v1/bases/bas_1/trash/restore", body: { items: ["rec_1"] } }]);
  expect(messages).toEqual([{ title: "“Oak” was restored", detail: "A link is gone.", failed: false }]);
});

test("an admin deletes for good, after a question", { timeout: slowTimeout }, async () => {
  const { sent } = await setup("creator");
  await userEvent.click(screen.getByRole("button", { name: "Delete Stones for good" }));
  const question = await screen.findByRole("alertdialog", { name: "Delete “Stones” for good?" });
  expect(sent).toEqual([]);
  await userEvent.click(within(question).getByRole("button", { name: "Delete for good" }));
  await waitFor(() => expect(screen.queryByText("Stones")).toBeNull());
  expect(sent).toEqual([{ path: "/api/v1/bases/bas_1/trash/purge", body: { items: ["tbl_2"] } }]);
});

test.each([
  ["editor", ["Restore Oak", "Restore Board"]],
  ["viewer", []],
] as const)("an %s is offered %j", { timeout: slowTimeout }, async (role, offered) => {
  await setup(role);
  expect(screen.queryAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual(offered);
});
