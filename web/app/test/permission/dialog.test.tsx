import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import { cache } from "../../src/api/cache.ts";
import type { BaseAccess, Table, TablePermissions } from "../../src/api/type.ts";
import { BasePeople } from "../../src/permission/people.tsx";
import TablePermissionDialog from "../../src/permission/tabledialog.tsx";
import { context, fieldOf, slowTimeout } from "../fieldsample.tsx";

afterEach(cleanup);
beforeEach(() => cache.clear());

const name = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
const salary = { ...fieldOf("number"), id: "fld_salary", name: "Salary" };
const table = { id: "tbl_1", name: "Crew", fields: [name, salary], views: [] } as unknown as Table;
const base = { id: "bas_1", name: "Harbour", tables: [table] };

const person = (userId: string, shown: string, role: string) => {
  return { userId, name: shown, email: `${userId}@x.org`, role };
};
const members = [person("usr_1", "Ada", "owner"), person("usr_2", "Ben", "guest"), person("usr_3", "Cleo", "viewer")];
const groups = [{ id: "grp_1", name: "Volunteers", members: ["usr_3"] }];
const loss = { path: "usr_3", message: 'Cleo would have no access instead of the role viewer in the base "Harbour"' };

type Sent = { path: string; body: Record<string, unknown> };

/** Shows something of the base, in the name of a member of the organization with a role. */
function setup(shown: ReactElement, answers: Record<string, unknown>, { role = "owner", losses = [loss] } = {}) {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    if (request.method === "GET") {
      const all: Record<string, unknown> = {
        "/me": { id: "usr_1", scopes: [], orgs: [{ orgId: "org_1", role }] },
        "/orgs/org_1/members": { members },
        "/orgs/org_1/groups": { groups },
        ...answers,
      };
      return Response.json(all[path] ?? {});
    }
    const body = JSON.parse(await request.text()) as Sent["body"];
    sent.push({ path, body });
    return Response.json(body.plan ? { id: "", losses, planToken: "token", records: 2 } : { id: "x" });
  });
  const open = { base, role: "creator", orgId: "org_1", people: context } as unknown as OpenBase;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext value={open}>{shown}</BaseContext>
    </QueryClientProvider>,
  );
  return { sent };
}

const access: BaseAccess = {
  restricted: false,
  workspaceRestricted: false,
  grants: [
    { userId: "usr_2", name: "Ben", role: "editor", from: "base" },
    { groupId: "grp_1", name: "Volunteers", role: "viewer", from: "workspace" },
  ],
  people: [
    { ...person("usr_1", "Ada", "creator"), role: "creator" },
    { ...person("usr_2", "Ben", "editor"), role: "editor" },
    { ...person("usr_3", "Cleo", "viewer"), role: "viewer" },
  ],
  you: { ...person("usr_1", "Ada", "creator"), role: "creator" },
};
const answers = { "/bases/bas_1/access": access };

test("people and groups stand with their roles, and why they have one", { timeout: slowTimeout }, async () => {
  const { sent } = setup(<BasePeople />, answers);
  const list = await screen.findByRole("list", { name: "People and groups" });
  await within(list).findByText("By the group Volunteers"); // Cleo
  expect(within(list).getByText("Owner of the organization")).toBeTruthy();
  expect(within(list).getByText("By the workspace")).toBeTruthy();
  await userEvent.selectOptions(within(list).getByLabelText("Role of Ben"), "Commenter");
  await userEvent.click(within(list).getByRole("button", { name: "Take the role of Ben away" }));
  await userEvent.selectOptions(screen.getByLabelText("Person or group"), "Volunteers");
  await userEvent.selectOptions(screen.getByLabelText("Role of the added"), "Viewer");
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  await userEvent.type(screen.getByLabelText("Invite a guest by e-mail"), "dora@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(sent.map(({ body }) => body.grants ?? body)).toEqual([
    [{ userId: "usr_2", role: "commenter" }],
    [{ userId: "usr_2", role: "none" }],
    [{ groupId: "grp_1", role: "viewer" }],
    { email: "dora@example.com", role: "guest", bases: [{ baseId: "bas_1", role: "editor" }] },
  ]);
});

test("a base is restricted after a look at who loses by it", { timeout: slowTimeout }, async () => {
  const { sent } = setup(<BasePeople />, answers, { role: "viewer" });
  await userEvent.click(await screen.findByRole("switch", { name: "Open to the organization" }));
  const question = await screen.findByRole("alertdialog", { name: "Restrict this base?" });
  expect(within(question).getByText(loss.message)).toBeTruthy();
  await userEvent.click(within(question).getByRole("button", { name: "Restrict" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.body).toEqual({ restricted: true, apply: "token" });
  expect(screen.queryByLabelText("Invite a guest by e-mail")).toBeNull(); // who is no admin invites nobody
});

test("permissions of a table are reviewed before they are saved", { timeout: slowTimeout }, async () => {
  const permissions: TablePermissions = {
    read: null,
    create: { role: "editor", userIds: ["usr_2"] },
    edit: null,
    delete: null,
    fields: [{ fieldId: "fld_salary", name: "Salary", read: { groupIds: ["grp_1"] }, edit: null }],
    rules: [],
  };
  const onClose = vi.fn();
  const { sent } = setup(<TablePermissionDialog table={table} onClose={onClose} />, {
    "/tables/tbl_1/permissions": permissions,
  });
  const dialog = within(await screen.findByRole("dialog", { name: "Permissions of Crew" }));
  await dialog.findByText("Ben"); // may create
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Review changes" }).disabled).toBe(true);
  const states = within(dialog.getByLabelText("State of Name"));
  const hidden = states.getByRole<HTMLOptionElement>("option", { name: "Hidden" });
  expect(hidden.disabled).toBe(true); // it names the records
  await userEvent.selectOptions(dialog.getByLabelText("Who may: Create"), "Editor and above (usual)");
  await userEvent.selectOptions(dialog.getByLabelText("Add to: Delete"), "Volunteers");
  await userEvent.selectOptions(dialog.getByLabelText("State of Salary"), "Read only");
  await userEvent.click(dialog.getByRole("button", { name: "Review changes" }));
  await dialog.findByText(loss.message);
  expect(dialog.getByText("They apply to 2 records.")).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Save permissions" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const patch = {
    delete: { role: "editor", groupIds: ["grp_1"] },
    reset: ["create"],
    fields: [{ fieldId: "fld_salary", edit: {}, reset: ["read"] }],
  };
  expect(sent.map(({ body }) => body)).toEqual([
    { ...patch, plan: true },
    { ...patch, apply: "token" },
  ]);
});
