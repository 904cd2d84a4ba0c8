import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import {
  browserFixture,
  call,
  clickCell,
  createTable,
  gridReady,
  mailedLink,
  rowsOf,
  testService,
  until,
} from "./fixture.ts";

const fixture = browserFixture();

test("a person is invited by mail, joins and edits, and can only read after becoming a viewer", async () => {
  const service = testService();
  const { page } = fixture;
  const email = `grace.${Date.now()}@example.com`;
  const created = await createTable("Crew", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  await page.goto(`/org/${service.orgId}/members`);
  await page.getByRole("button", { name: "Invite people" }).click();
  await page.getByLabel("E-mail addresses").fill(email);
  await page.getByLabel("Role", { exact: true }).selectOption("editor");
  await page.getByRole("button", { name: "Send invitations" }).click();
  await page.getByText(email).first().waitFor();

  const { context, problems } = await newContext(fixture.browser, service);
  const memberPage = await context.newPage();
  await memberPage.goto(await mailedLink(memberPage, "/invitation", email));
  if (await memberPage.getByRole("link", { name: /sign up|create/i }).count())
    await memberPage
      .getByRole("link", { name: /sign up|create/i })
      .first()
      .click();
  await memberPage.locator("input[name=name]").fill("Grace Hopper");
  const address = memberPage.locator("input[type=email]");
  if ((await address.count()) && (await address.isEditable())) await address.fill(email);
  await memberPage.locator("input[type=password]").first().fill("correct horse battery staple");
  await memberPage.locator("input[type=password]").first().press("Enter");
  await memberPage.getByRole("heading", { name: /Welcome back, Grace/ }).waitFor();

  await memberPage.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(memberPage);
  await clickCell(memberPage, [220], 0, 0);
  await memberPage.keyboard.type("Elm");
  await memberPage.keyboard.press("Enter");
  await until(
    () => rowsOf(created.table.id),
    ([row]) => row?.fields.Name === "Elm",
  );
  // An editor can create views, but no fields.
  await memberPage.getByRole("button", { name: "Add view" }).first().waitFor();
  await memberPage
    .getByRole("button", { name: /^Actions for the view/ })
    .first()
    .waitFor();
  expect(await memberPage.getByRole("button", { name: "Add field" }).count()).toBe(0);

  // The page stays open while the role changes, and does not learn it from its stream. The next edit is refused,
  // reported, and reverted.
  await page.reload();
  await context.route(/\/live/, (route) => route.abort());
  await memberPage.reload();
  await gridReady(memberPage);
  await page.getByLabel("Role of Grace Hopper").selectOption("viewer");
  await page.getByText("Grace Hopper is now Viewer").first().waitFor({ state: "attached" });
  await clickCell(memberPage, [220], 0, 0);
  await memberPage.keyboard.type("Ash");
  await memberPage.keyboard.press("Enter");
  await memberPage.getByText("The change was not accepted").first().waitFor({ state: "attached" });
  expect((await rowsOf(created.table.id))[0]?.fields.Name).toBe("Elm");
  // Controls that the role no longer allows disappear without a reload.
  await memberPage.getByRole("button", { name: "New record" }).waitFor({ state: "detached" });
  await context.unroute(/\/live/);
  await memberPage.reload();
  await gridReady(memberPage);
  expect(await memberPage.getByRole("button", { name: "New record" }).count()).toBe(0);
  expect(await memberPage.getByRole("button", { name: "Add field" }).count()).toBe(0);

  // Admins see the keys of members, and can revoke one that is limited to the organization.
  const [orgKey = "", personKey = ""] = await memberPage.evaluate(async (orgId) => {
    const values = [];
    for (const scope of [{ name: "Night watch", orgId }, { name: "Travelling" }]) {
      const response = await fetch("/account/api/keys", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...scope, scopes: ["data:read"] }),
      });
      values.push(((await response.json()) as { value: string }).value);
    }
    return values;
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
      async () => (await call("GET", "/me", undefined, orgKey)).status,
      (status) => status === 401,
    ),
  ).toBe(401);
  expect((await call("GET", "/me", undefined, personKey)).status).toBe(200);
  type People = { members: { email: string; userId: string }[] };
  const { members } = (await call<People>("GET", `/orgs/${service.orgId}/members`)).body;
  const userId = members.find((member) => member.email === email)?.userId ?? "";
  await call("POST", `/tables/${created.table.id}/fields`, { name: "Who", type: "user" });
  await call("PATCH", `/records/${(await rowsOf(created.table.id))[0]?.id}`, { fields: { Who: userId } });
  await page.goto(`/org/${service.orgId}/members`);

  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove Grace Hopper?" });
  await question.getByText("1 API key of the person would no longer reach the organization").waitFor();
  await question.getByText('the field "Who" would still name the person in 1 record').waitFor();
  await question.getByRole("button", { name: "Remove" }).click();
  await until(
    async () => (await call<{ members: { email: string }[] }>("GET", `/orgs/${service.orgId}/members`)).body.members,
    (members) => members.every((member) => member.email !== email),
  );
  await memberPage.reload();
  await memberPage.getByText("Not found").first().waitFor();
  expect(problems).toEqual(noProblems);
  await context.close();
});
