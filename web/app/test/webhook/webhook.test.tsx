import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import { key } from "../../src/api/key.ts";
import type { Delivery, Webhook } from "../../src/api/type.ts";
import { FilterPanel } from "../../src/filter/lazy.ts";
import { WebhookPage } from "../../src/webhook/webhooklist.tsx";
import { context, fieldOf, slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);
beforeEach(() => cache.clear());
beforeAll(() => FilterPanel.preload());

const name = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
const height = { ...fieldOf("number"), id: "fld_height", name: "Height" };
const stone = { ...fieldOf("text"), id: "fld_stone", name: "Stone", isPrimary: true };
const tables = [
  { id: "tbl_1", name: "Plants", fields: [name, height], views: [] },
  { id: "tbl_2", name: "Stones", fields: [stone], views: [] },
];
const base = { id: "bas_1", name: "Garden", tables };
const hook = (more: Partial<Webhook> = {}): Webhook => ({
  id: "whk_1",
  name: "Warehouse",
  url: "https://example.com/hook",
  tables: [],
  kinds: [],
  fields: [],
  filters: [],
  includeValues: false,
  owner: { id: "usr_1", name: "Ada" },
  createdAt: "2026-01-01T00:00:00Z",
  cursor: "x",
  enabled: true,
  disabledReason: null,
  failingSince: null,
  nextAttemptAt: null,
  oldSecretUntil: null,
  ...more,
});
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  id: "dlv_1",
  state: "delivered",
  changes: 2,
  sendAgain: false,
  attempts: 1,
  createdAt: "2026-01-01T00:00:00Z",
  attemptedAt: "2026-01-01T00:00:00Z",
  nextAttemptAt: null,
  status: 204,
  answer: null,
  failure: null,
  milliseconds: 12,
  ...more,
});

type Sent = { method: string; path: string; body?: Record<string, unknown> };

/** Shows the webhooks of a base, whose service knows these. */
function setup(hooks: Webhook[], deliveries: Delivery[] = [], role: OpenBase["role"] = "creator") {
  const sent: Sent[] = [];
  const cursors: (string | null)[] = []; // of the pages of deliveries that were read
  let refusal: Response | undefined;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, search, searchParams } = new URL(request.url);
    if (request.method === "GET" && path.endsWith("/deliveries") && deliveries.length > 50) {
      const cursor = searchParams.get("cursor");
      cursors.push(cursor);
      const from = Number(cursor ?? 0);
      const nextCursor = from + 50 < deliveries.length ? String(from + 50) : null;
      return Response.json({ deliveries: deliveries.slice(from, from + 50), nextCursor });
    }
    if (request.method === "GET")
      return path.endsWith("/deliveries")
        ? Response.json({
            deliveries: deliveries.filter(({ state }) => !search.includes("state=") || search.includes(state)),
            nextCursor: null,
          })
        : Response.json({ webhooks: hooks });
    const text = await request.text();
    sent.push({ method: request.method, path, body: text ? JSON.parse(text) : undefined });
    if (refusal) return refusal;
    if (path.endsWith("/secret")) return Response.json({ secret: "whsec_new", oldSecretUntil: "2026-01-02T00:00:00Z" });
    if (path.endsWith("/send")) return Response.json({ id: "dlv_1" });
    if (request.method === "DELETE") return Response.json({ deleted: "whk_1" });
    return Response.json({ ...hook(), secret: "whsec_first" });
  });
  const people = { ...context, people: [{ id: "usr_1", name: "Ada" }] };
  const open = { base, role, orgId: "org_1", people } as unknown;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open as OpenBase}>
        <WebhookPage />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  const refuse = (response: Response) => (refusal = response);
  return { sent, refuse, cursors };
}

const bodyOf = (sent: Sent[], method: string) => sent.find((one) => one.method === method)?.body;

test("a webhook is made with what it tells of, and its secret is shown once", { timeout: slowTimeout }, async () => {
  const { sent } = setup([]);
  await userEvent.click(await screen.findByRole("button", { name: "New webhook" }));
  const dialog = await screen.findByRole("dialog", { name: "New webhook" });
  await userEvent.type(within(dialog).getByLabelText("Name"), "Warehouse");
  await userEvent.type(within(dialog).getByLabelText("URL"), "https://example.com/hook");
  await userEvent.click(within(dialog).getByRole("checkbox", { name: "Tables, fields and views" }));
  await userEvent.selectOptions(within(dialog).getByLabelText("Tables"), "Only some tables");
  expect(within(dialog).getByText("Choose one table to tell of some of its records only.")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("checkbox", { name: "Plants" }));
  await userEvent.selectOptions(within(dialog).getByLabelText("Fields"), "Only some fields");
  await userEvent.click(within(dialog).getByRole("checkbox", { name: "Height" }));
  await userEvent.click(await within(dialog).findByRole("button", { name: "Add condition" }));
  await userEvent.click(within(dialog).getByRole("checkbox", { name: /^Send values/ }));
  await userEvent.selectOptions(within(dialog).getByLabelText("Begin"), "With the oldest change that is kept");
  await userEvent.click(within(dialog).getByRole("button", { name: "New webhook" }));
  const secret = await screen.findByRole("dialog", { name: "The webhook was created" });
  expect(within(secret).getByText("whsec_first")).toBeTruthy();
  expect(bodyOf(sent, "POST")).toMatchObject({
    name: "Warehouse",
    url: "https://example.com/hook",
    tables: ["tbl_1"],
    kinds: ["created", "updated", "deleted", "restored", "linked", "commented"],
    fields: ["fld_height"],
    filters: [{ fieldId: "fld_name" }],
    includeValues: true,
    cursor: "earliest",
  });
  await userEvent.click(within(secret).getByRole("button", { name: "I have copied it" }));
  await waitFor(() => expect(screen.queryByText("whsec_first")).toBeNull());
});

test("what is wrong with the address is said beside it, and the entry stays", { timeout: slowTimeout }, async () => {
  const { refuse } = setup([]);
  refuse(
    Response.json(
      { detail: "Invalid.", errors: [{ path: "url", message: "must name a host on the internet" }] },
      { status: 400 },
    ),
  );
  await userEvent.click(await screen.findByRole("button", { name: "New webhook" }));
  const dialog = await screen.findByRole("dialog", { name: "New webhook" });
  const url = within(dialog).getByLabelText<HTMLInputElement>("URL");
  await userEvent.type(url, "https://10.0.0.1/");
  await userEvent.click(within(dialog).getByRole("button", { name: "New webhook" }));
  await within(dialog).findByText("Must name a host on the internet");
  expect(url.getAttribute("aria-invalid")).toBe("true");
  expect(url.value).toBe("https://10.0.0.1/");
});

test("nothing is sent that tells of nothing", { timeout: slowTimeout }, async () => {
  const { sent } = setup([hook()]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Warehouse" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Warehouse" });
  await userEvent.selectOptions(within(dialog).getByLabelText("Tables"), "Only some tables");
  await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
  expect((await within(dialog).findByRole("alert")).textContent).toBe("Choose at least one table.");
  expect(sent).toEqual([]);
});

test("an edit shows what the webhook tells of, and keeps it", { timeout: slowTimeout }, async () => {
  const filters = [{ fieldId: "fld_height", op: "gt", value: 3 }] as Webhook["filters"];
  const scope = { tables: ["tbl_1"], kinds: ["updated"], fields: ["fld_height"], filters, includeValues: true };
  const { sent } = setup([hook(scope)]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Warehouse" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit Warehouse" });
  expect(screen.getByText("Plants · some kinds of change · some fields · some records · with values")).toBeTruthy();
  expect(within(dialog).queryByLabelText("Begin")).toBeNull();
  await userEvent.clear(within(dialog).getByRole("textbox", { name: "Name" }));
  await userEvent.type(within(dialog).getByRole("textbox", { name: "Name" }), "Depot");
  await userEvent.click(within(dialog).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(bodyOf(sent, "PATCH")).toEqual({ ...scope, name: "Depot", url: "https://example.com/hook" });
});

test.each([
  [{}, "Enabled"],
  [{ failingSince: "2026-01-01T00:00:00Z", nextAttemptAt: "2026-01-01T02:00:00Z" }, /^Failing, first .* · Next /],
  [{ enabled: false, disabledReason: "gone" }, /answered 410/],
  [{ enabled: false, disabledReason: "failing" }, /five days/],
  [{ enabled: false, disabledReason: "owner" }, /can no longer manage webhooks/],
  [{ enabled: false, disabledReason: "filter" }, /filter no longer fits/],
  [{ enabled: false, disabledReason: "something new" }, "Disabled"],
] as const)("a webhook %o says how it is", { timeout: slowTimeout }, async (more, words) => {
  setup([hook(more)]);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Enable" }) === null).toBe(!("enabled" in more));
});

test("a webhook is paused, and enabled again", { timeout: slowTimeout }, async () => {
  const { sent } = setup([hook(), hook({ id: "whk_2", name: "Late", enabled: false, disabledReason: "history" })]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Warehouse" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Pause" }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ enabled: false }));
  // What it has missed is gone, so it goes on from now.
  await userEvent.click(screen.getByRole("button", { name: "Enable from now on" }));
  await waitFor(() => expect(sent[1]?.body).toEqual({ enabled: true, cursor: "now" }));
  expect(sent[1]?.path).toContain("whk_2");
});

test("a secret is rotated after a question", { timeout: slowTimeout }, async () => {
  const { sent } = setup([hook()]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Warehouse" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Rotate secret" }));
  expect(sent).toEqual([]);
  await userEvent.click(await screen.findByRole("button", { name: "Rotate secret" }));
  const secret = await screen.findByRole("dialog", { name: "The webhook has a new secret" });
  expect(within(secret).getByText("whsec_new")).toBeTruthy();
});

test("a webhook is deleted after a question", { timeout: slowTimeout }, async () => {
  const { sent } = setup([hook()]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Warehouse" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(sent.map(({ method }) => method)).toEqual(["DELETE"]));
});

const deliveries = [
  delivery({ id: "dlv_3", state: "pending", status: null, attempts: 0, milliseconds: null }),
  delivery({
    id: "dlv_2",
    state: "pending",
    status: 500,
    attempts: 3,
    answer: "Out of order",
    nextAttemptAt: "2026-01-01T05:00:00Z",
  }),
  delivery({ id: "dlv_1", changes: 1 }),
  delivery({ id: "dlv_0", state: "failed", status: null, attempts: 10, failure: "the host could not be resolved" }),
];

test("deliveries say what came of them, and are sent again", { timeout: slowTimeout }, async () => {
  const { sent } = setup([hook()], deliveries);
  await userEvent.click(await screen.findByRole("button", { name: "Deliveries of Warehouse" }));
  const dialog = await screen.findByRole("dialog", { name: "Deliveries of Warehouse" });
  await within(dialog).findByText("dlv_3");
  const items = within(dialog).getAllByRole("listitem");
  expect(items[0]?.textContent).toContain("Not tried yet");
  expect(items[1]?.textContent).toMatch(/Answered 500 after 12 ms · 3 attempts · Next attempt .*Out of order/);
  expect(items[2]?.textContent).toMatch(/Delivered1 change.*Answered 204 after 12 ms/);
  expect(items[3]?.textContent).toContain("Given up");
  expect(items[3]?.textContent).toContain("the host could not be resolved · 10 attempts");
  await userEvent.click(within(items[3]!).getByRole("button", { name: "Send again: dlv_0" }));
  await waitFor(() => expect(sent[0]?.path).toBe("/api/v1/bases/bas_1/webhooks/whk_1/deliveries/dlv_0/send"));
  await userEvent.selectOptions(within(dialog).getByLabelText("Show"), "Given up");
  await waitFor(() => expect(within(dialog).getAllByRole("listitem")).toHaveLength(1));
});

test("a disabled webhook sends nothing again", { timeout: slowTimeout }, async () => {
  setup([hook({ enabled: false, disabledReason: "paused" })], deliveries);
  await userEvent.click(await screen.findByRole("button", { name: "Deliveries of Warehouse" }));
  await screen.findByText("dlv_3");
  expect(screen.queryByRole("button", { name: /^Send (again|now)/ })).toBeNull();
});

test("while several pages of deliveries are shown, only the first is polled", { timeout: slowTimeout }, async () => {
  const many = Array.from({ length: 120 }, (_, n) => delivery({ id: `dlv_${n}`, state: "pending" }));
  const { cursors } = setup([hook()], many);
  await userEvent.click(await screen.findByRole("button", { name: "Deliveries of Warehouse" }));
  const dialog = await screen.findByRole("dialog", { name: "Deliveries of Warehouse" });
  await userEvent.click(await within(dialog).findByRole("button", { name: "Show more" }));
  await within(dialog).findByText("dlv_99");
  many.unshift(delivery({ id: "dlv_new" }));
  many[1] = delivery({ id: "dlv_0", state: "delivered" });
  await waitFor(() => expect(within(dialog).getAllByRole("listitem")[0]?.textContent).toContain("dlv_new"), {
    timeout: 8000,
  });
  expect(within(dialog).getAllByRole("listitem")[1]?.textContent).toMatch(/Delivered.*dlv_0/);
  expect(within(dialog).getAllByRole("listitem")).toHaveLength(101);
  expect(cursors.filter((cursor) => cursor !== null)).toEqual(["50"]);
});

test("deliveries are those of the webhook as it is now", { timeout: slowTimeout }, async () => {
  const hooks = [hook()];
  setup(hooks, deliveries);
  await userEvent.click(await screen.findByRole("button", { name: "Deliveries of Warehouse" }));
  await screen.findByRole("button", { name: "Send again: dlv_0" });
  hooks[0] = hook({ enabled: false, disabledReason: "gone" });
  await act(() => cache.invalidateQueries({ queryKey: key.webhooks("bas_1") }));
  await waitFor(() => expect(screen.queryAllByRole("button", { name: /^Send (again|now)/ })).toEqual([]));
});

test("only administrators see webhooks", { timeout: slowTimeout }, async () => {
  setup([hook()], [], "editor");
  expect(await screen.findByText("Only administrators of the organization set up webhooks.")).toBeTruthy();
  expect(screen.queryByText("Warehouse")).toBeNull();
});
