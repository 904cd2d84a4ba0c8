import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import type { ChangeSet, RevertBody, RevertPlan } from "../../src/api/type.ts";
import { ChangeSetList } from "../../src/change/changelist.tsx";
import { context, fieldOf, slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);
beforeEach(() => cache.clear());

const name = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
const base = { id: "bas_1", name: "Trips", tables: [{ id: "tbl_1", name: "Airports", fields: [name] }] };
type Counts = Partial<ChangeSet["tables"][number]>;
const changed = (id: string, counts: Counts, more: Partial<ChangeSet> = {}): ChangeSet => ({
  id,
  name: null,
  firstTime: "2026-01-01T00:00:00Z",
  lastTime: "2026-01-01T00:00:00Z",
  person: { id: "usr_1", name: "Ada" },
  credential: { id: "ses_1", kind: "session" },
  tables: [{ id: "tbl_1", name: "Airports", created: 0, updated: 0, deleted: 0, restored: 0, linked: 0, ...counts }],
  schema: [],
  schemaCount: 0,
  reverts: [],
  revertedBy: [],
  ...more,
});
const key = { id: "key_1", kind: "api_key", name: "CI" };
const sets = [
  changed("chs_3", { restored: 3 }, { reverts: ["chs_2"] }),
  changed("chs_2", { deleted: 3 }, { revertedBy: ["chs_3"] }),
  changed("chs_1", { updated: 1, created: 2 }, { credential: key, person: { id: "usr_9", name: null } }),
];
const deletion = {
  schema: [{ object: "field", id: "fld_2", name: "Notes", does: "deleted" }],
  schemaCount: 1,
  tables: [],
};
const purge = {
  schema: [{ object: "table", id: "tbl_2", name: "Stones", does: "purged" }],
  schemaCount: 1,
  tables: [],
};
const place = { tableId: "tbl_1", recordId: "rec_1", fieldId: "fld_name" };
const conflict = { ...place, reason: "changed", value: "Oak", present: "Elm" };

/** Shows the list of a base, whose service answers from the sets above. */
async function setup(role: OpenBase["role"], plan: Partial<RevertPlan> = {}, more: ChangeSet[] = [], limited = false) {
  const asked: URL[] = [];
  const reverts: RevertBody[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    if (url.pathname.endsWith("/revert")) {
      reverts.push((await request.json()) as RevertBody);
      return Response.json({ records: 3, conflictCount: 0, conflicts: [], ...plan });
    }
    if (url.pathname.endsWith("/me")) return Response.json({ id: "usr_1", name: "Ada", orgs: [] });
    if (url.pathname.endsWith("/change-sets")) {
      asked.push(url);
      return Response.json({ changeSets: [...sets, ...more], nextCursor: null });
    }
    return Response.json({ id: "rec_1", version: 1, fields: { Name: "Elm" } });
  });
  const people = { ...context, people: [{ id: "usr_1", name: "Ada" }] };
  const open = { base: { ...base, limited }, role, orgId: "org_1", people } as unknown;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open as OpenBase}>
        <ChangeSetList />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  await screen.findByText("3 records deleted in Airports");
  return { asked, reverts, items: screen.getAllByRole("listitem") };
}

test("each change set says who did what, and whether it was reverted", { timeout: slowTimeout }, async () => {
  const { items } = await setup("editor");
  expect(items[0]?.textContent).toMatch(/^A?.*3 records restored in Airports Revert/);
  expect(items[1]?.textContent).toContain("3 records deleted in Airports Reverted");
  expect(within(items[1]!).queryByRole("button")).toBeNull();
  expect(items[2]?.textContent).toContain("2 records added to Airports, 1 record changed in Airports");
  expect(items[2]?.textContent).toContain("A former member");
  expect(items[2]?.textContent).toContain("with an API key “CI”");
});

test("whom permissions limit gets a button for changes of their own", { timeout: slowTimeout }, async () => {
  await setup("creator", {}, [changed("chs_0", {}, deletion)], true);
  const own = await screen.findByRole("button", { name: "Revert: 3 records restored in Airports" });
  expect(screen.getAllByRole("button", { name: /^Revert: / })).toEqual([own]);
});

test("the list is filtered by person, credential and table", { timeout: slowTimeout }, async () => {
  const { asked } = await setup("editor");
  await userEvent.selectOptions(screen.getByLabelText("Person"), "Ada");
  await userEvent.selectOptions(screen.getByLabelText("Table"), "Airports");
  await screen.findByText("3 records deleted in Airports");
  await userEvent.selectOptions(screen.getByLabelText("Made with"), await screen.findByRole("option", { name: "CI" }));
  await waitFor(() =>
    expect(Object.fromEntries(asked.at(-1)?.searchParams ?? [])).toMatchObject({
      person: "usr_1",
      table: "tbl_1",
      credential: "key_1",
    }),
  );
});

test("a revert shows its plan, and is done when the person agrees", { timeout: slowTimeout }, async () => {
  const { reverts } = await setup("editor");
  await userEvent.click(screen.getByRole("button", { name: "Revert: 3 records restored in Airports" }));
  const dialog = await screen.findByRole("dialog", { name: "Revert these changes?" });
  await within(dialog).findByText("3 records restored in Airports");
  expect(reverts).toEqual([{ changeSets: ["chs_3"], dryRun: true }]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Revert" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(reverts[1]).toEqual({ changeSets: ["chs_3"], onConflict: "fail" });
});

test.each([
  ["Keep newer", "skip"],
  ["Overwrite", "overwrite"],
] as const)("newer changes are shown, and “%s” is %s", { timeout: slowTimeout }, async (button, onConflict) => {
  const { reverts } = await setup("editor", { conflictCount: 1, conflicts: [conflict] });
  await userEvent.click(screen.getByRole("button", { name: "Revert: 3 records restored in Airports" }));
  const list = await screen.findByRole("region", { name: "Newer changes" });
  expect(list.textContent).toContain("Airports · Name");
  expect(list.textContent).toContain("Changed since");
  expect(within(list).getAllByRole("definition").map((side) => side.textContent)).toEqual(["Elm", "Oak"]);
  expect(screen.queryByRole("button", { name: "Revert" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: button }));
  await waitFor(() => expect(reverts[1]?.onConflict).toBe(onConflict));
});

test("a viewer reverts nothing", { timeout: slowTimeout }, async () => {
  await setup("viewer");
  expect(screen.queryByRole("button", { name: /^Revert/ })).toBeNull();
});

const shaping = [changed("chs_5", {}, deletion), changed("chs_4", {}, purge)];

test("changes of fields are listed, and reverting them shows what comes back", { timeout: slowTimeout }, async () => {
  const objects = [
    { object: "field", id: "fld_2", name: "Notes", does: "restored" },
    { object: "table", id: "tbl_2", name: "Stones", does: "removed" },
  ];
  const taken = { tableId: "tbl_1", objectId: "fld_1", name: "Height", property: "name", reason: "taken" };
  const whole = { tableId: "tbl_1", objectId: "tbl_1", name: "Airports", reason: "deleted" };
  await setup(
    "creator",
    { records: 0, schema: objects, conflictCount: 2, conflicts: [taken, whole] },
    shaping,
  );
  expect(screen.getByText("Deleted the table Stones for good")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Revert: Deleted the table Stones for good" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Revert: Deleted the field Notes" }));
  const list = await screen.findByRole("list", { name: "Tables, fields and views" });
  expect(within(list).getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "The field Notes comes back.",
    "The table Stones goes to the trash.",
  ]);
  const conflicts = within(screen.getByRole("region", { name: "Newer changes" })).getAllByRole("listitem");
  expect(conflicts.map((item) => item.textContent)).toEqual([
    "Height · Airports · NameAnother one has this name now ",
    "AirportsDeleted since ",
  ]);
});

test("an editor reverts no changes of fields", { timeout: slowTimeout }, async () => {
  await setup("editor", {}, shaping);
  expect(screen.getByText("Deleted the field Notes")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Revert: Deleted the field Notes" })).toBeNull();
});
