import { expect, inject, test } from "vitest";
import { openWindow } from "./browser.ts";
import { call, clickCell, gridReady, mailed, makeTable, rowsOf, stage, until } from "./fixture.ts";

const at = stage();

test("somebody is invited by mail, joins, edits, and can only look after being made a viewer", async () => {
  const service = inject("service");
  const { page } = at;
  const email = `grace.${Date.now()}@example.com`;
  const made = await makeTable("Crew", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  await page.goto(`/org/${service.orgId}/members`);
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByLabel("E-mail addresses").fill(email);
  await page.getByLabel("Role", { exact: true }).selectOption("editor");
  await page.getByRole("button", { name: "Send invitations" }).click();
  await page.getByText(email).first().waitFor();

  const { context, seen } = await openWindow(at.browser, service);
  const guest = await context.newPage();
  await guest.goto(await mailed(guest, "/invitation", email));
  if (await guest.getByRole("link", { name: /sign up|create/i }).count())
    await guest
      .getByRole("link", { name: /sign up|create/i })
      .first()
      .click();
  await guest.locator("input[name=name]").fill("Grace Hopper");
  const address = guest.locator("input[type=email]");
  if ((await address.count()) && (await address.isEditable())) await address.fill(email);
  await guest.locator("input[type=password]").first().fill("correct horse battery staple");
  await guest.locator("input[type=password]").first().press("Enter");
  await guest.getByRole("heading", { name: /Welcome back, Grace/ }).waitFor();

  await guest.goto(`/base/${made.baseId}/${made.table.id}`);
  await gridReady(guest);
  await clickCell(guest, [220], 0, 0);
  await guest.keyboard.type("Elm");
  await guest.keyboard.press("Enter");
  await until(
    () => rowsOf(made.table.id),
    ([row]) => row?.fields.Name === "Elm",
  );
  // An editor makes views, and no fields.
  await guest.getByRole("button", { name: "Add view" }).first().waitFor();
  await guest
    .getByRole("button", { name: /^Actions for the view/ })
    .first()
    .waitFor();
  expect(await guest.getByRole("button", { name: "Add field" }).count()).toBe(0);

  // The page stays open while the role is reduced: the next edit is refused, told, and taken back.
  await page.reload();
  await page.getByLabel("Role of Grace Hopper").selectOption("viewer");
  await page.getByText("Grace Hopper is now Viewer").first().waitFor({ state: "attached" });
  await clickCell(guest, [220], 0, 0);
  await guest.keyboard.type("Ash");
  await guest.keyboard.press("Enter");
  await guest.getByText("The change was taken back").first().waitFor({ state: "attached" });
  expect((await rowsOf(made.table.id))[0]?.fields.Name).toBe("Elm");
  // What the role does not allow any more is not offered any more, without a reload.
  await guest.getByRole("button", { name: "New record" }).waitFor({ state: "detached" });
  await guest.reload();
  await gridReady(guest);
  expect(await guest.getByRole("button", { name: "New record" }).count()).toBe(0);
  expect(await guest.getByRole("button", { name: "Add field" }).count()).toBe(0);

  // Admins see the keys of members, and end one that reaches nothing but the organization.
  const [narrow = "", wide = ""] = await guest.evaluate(async (orgId) => {
    const made = [];
    for (const reach of [{ name: "Night watch", orgId }, { name: "Travelling" }]) {
      const answer = await fetch("/account/api/keys", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...reach, scopes: ["data:read"] }),
      });
      made.push(((await answer.json()) as { value: string }).value);
    }
    return made;
  }, service.orgId);
  await page.goto(`/org/${service.orgId}`);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByText("Reaches every organization of Grace Hopper, who alone can revoke it").waitFor();
  expect(await page.getByRole("button", { name: "Revoke Travelling of Grace Hopper" }).count()).toBe(0);
  await page.getByRole("button", { name: "Revoke Night watch of Grace Hopper" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Night watch", { exact: true }).waitFor({ state: "detached" });
  expect(
    await until(
      async () => (await call("GET", "/me", undefined, narrow)).status,
      (status) => status === 401,
    ),
  ).toBe(401);
  expect((await call("GET", "/me", undefined, wide)).status).toBe(200);
  await page.goto(`/org/${service.orgId}/members`);

  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await until(
    async () => (await call<{ members: { email: string }[] }>("GET", `/orgs/${service.orgId}/members`)).body.members,
    (members) => members.every((member) => member.email !== email),
  );
  await guest.reload();
  await guest.getByText("Not found").first().waitFor();
  expect(seen).toEqual({ violations: [], outside: [], errors: [] });
  await context.close();
});
