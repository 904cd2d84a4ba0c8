import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { changeRows } from "./database.ts";
import {
  browserFixture,
  call,
  clickCell,
  createTable,
  gridReady,
  mailedLink,
  rowsOf,
  type Table,
  testService,
  until,
} from "./fixture.ts";

const fixture = browserFixture();
const names = async (table: Table) => (await rowsOf(table.id)).map((row) => row.fields.Name);

/** Makes the links expire that were mailed to an address. */
async function expire(table: "mailed_token" | "invitation", email: string) {
  const expired = "set expires_at = now() - interval '1 second'";
  await changeRows([table], `update rowhouse.${table} ${expired} where email = '${email}'`);
}

async function signUp(page: Page, email: string) {
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: false }).first().fill("Late Comer");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.getByLabel(/organi[sz]ation/i).fill("Late");
  await page.getByLabel(/organi[sz]ation/i).press("Enter");
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
}

test("an expired link, mailed or of a file, leads to a page that says so and offers a way on", async () => {
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service, { width: 390, height: 844 });
  const page = await context.newPage();
  const email = `late.${Date.now()}@example.com`;
  await signUp(page, email);
  const verification = await mailedLink(page, "/verify-email", email);
  await context.clearCookies();
  await page.goto("/forgot-password");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=email]").press("Enter");
  const reset = await mailedLink(page, "/reset-password", email);
  const invited = `invited.${Date.now()}@example.com`;
  expect((await call("POST", `/orgs/${service.orgId}/invitations`, { email: invited, role: "viewer" })).status).toBe(
    200,
  );
  const invitation = await mailedLink(page, "/invitation", invited);

  const links: [path: string, link: string][] = [
    ["verification", verification],
    ["reset", reset],
    ["invitation", invitation],
  ];
  for (const [name, link] of links) expect((await page.goto(link))?.status(), `${name}: ${link}`).toBe(200);
  // A form that was open when its link expired gets the same page as response.
  await page.goto(reset);
  await page.locator("input[type=password]").first().fill("a different horse entirely");
  await expire("mailed_token", email);
  await expire("invitation", invited);
  await page.locator("input[type=password]").first().press("Enter");
  await page
    .getByText(/expired|no longer|not valid|does not work/i)
    .first()
    .waitFor();
  for (const [name, link] of links) {
    const status = (await page.goto(link))?.status() ?? 0;
    expect(status, name).toBeGreaterThanOrEqual(400);
    expect(status, name).toBeLessThan(500);
    expect(await page.getByRole("main").textContent(), name).toMatch(/expired|used|no longer|not valid|does not work/i);
    expect(await page.getByRole("main").getByRole("link").count(), name).toBeGreaterThan(0);
  }

  // The link to a file whose signature the service refuses, as it does after a few minutes.
  expect((await page.goto(`/files/${"A".repeat(60)}/plan.pdf`))?.status()).toBe(404);
  await page.getByText("The link to this file has expired").waitFor();
  expect(problems.violations).toEqual([]);
  await context.close();
});

test("an invalid or used link leads to a page that says so and offers a way on", async () => {
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service, { width: 390, height: 844 });
  const page = await context.newPage();
  for (const path of ["/invitation", "/reset-password", "/verify-email"]) {
    const response = await page.goto(`${path}?token=${"a".repeat(43)}`);
    expect(response?.status(), path).toBeGreaterThanOrEqual(400);
    expect(response?.status(), path).toBeLessThan(500);
    expect(await page.getByRole("main").textContent(), path).toMatch(/expired|used|no longer|not valid|does not work/i);
    expect(await page.getByRole("main").getByRole("link").count(), path).toBeGreaterThan(0);
  }

  // A link to reset the password works once.
  const email = `reset.${Date.now()}@example.com`;
  await signUp(page, email);
  await context.clearCookies();
  await page.goto("/forgot-password");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=email]").press("Enter");
  const link = await mailedLink(page, "/reset-password", email);
  await page.goto(link);
  await page.locator("input[type=password]").first().fill("a different horse entirely");
  await page.locator("input[type=password]").first().press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/reset-password"));
  expect((await page.goto(link))?.status()).toBeGreaterThanOrEqual(400);
  expect(problems.violations).toEqual([]);
  await context.close();
});

test("a form that is submitted twice creates one record", async () => {
  const { page } = fixture;
  const service = testService();
  const name = `Twice ${Date.now()}`;
  await page.goto("/");
  await page.getByRole("button", { name: "New base" }).first().click();
  await page.getByLabel("Base name").fill(name);
  await page.getByRole("button", { name: "Create base" }).dblclick();
  await page.waitForURL(/\/base\//);
  const { bases } = (await call<{ bases: { name: string }[] }>("GET", "/bases")).body;
  expect(bases.filter((base) => base.name === name)).toHaveLength(1);

  const created = await createTable("Entries", [{ name: "Name", type: "text" }]);
  const view = (await call<{ id: string }>("POST", `/tables/${created.table.id}/views`, { type: "form", name: "Form" }))
    .body;
  await page.goto(`/base/${created.baseId}/${created.table.id}?view=${view.id}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Only one");
  // A slow response, and a person who submits again.
  await page.route("**/answers", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  const submit = page.getByRole("main").getByRole("button", { name: /Submit|Send|Create/ });
  await submit.dblclick();
  await page.keyboard.press("Enter");
  await until(
    () => names(created.table),
    (list) => list.length > 0,
  );
  await page.waitForTimeout(500);
  await page.unrouteAll();
  expect(await names(created.table)).toEqual(["Only one"]);
  expect(service.orgId).toBeTruthy();
});

test("an edit in the record form while offline is kept, reported, and sent once online", async () => {
  const { page, context } = fixture;
  const created = await createTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const [row] = await rowsOf(created.table.id);
  await page.goto(`/base/${created.baseId}/${created.table.id}?record=${row?.id}`);
  const dialog = page.getByRole("dialog", { name: "Oak" });
  await dialog.getByRole("textbox", { name: "Name" }).waitFor();
  await context.setOffline(true);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Fir");
  await page.keyboard.press("Tab");
  await page.getByText("No connection. 1 change is kept.").first().waitFor();
  await context.setOffline(false);
  expect(
    await until(
      () => names(created.table),
      ([name]) => name === "Fir",
    ),
  ).toEqual(["Fir"]);
});

test("an edit made after the session ended elsewhere is kept, and saved after signing in again", async () => {
  const service = testService();
  const created = await createTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  await clickCell(page, [220], 0, 0);
  await page.keyboard.type("Y");
  const refused = page.waitForResponse((response) => response.status() === 401);
  await fixture.page.goto("/settings/security");
  await fixture.page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await fixture.page.getByText("Signed out").first().waitFor();
  await refused; // the stream of changes ends with the session; the dialog waits for what is being typed
  await page.keyboard.type("ew");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "You have been signed out" });
  await dialog.getByRole("button", { name: "I have signed in" }).click();
  await dialog.getByText("Not signed in yet").waitFor();
  expect(await names(created.table)).toEqual(["Oak"]);
  const other = await signIn(context, service.email, service.password);
  await other.close();
  await dialog.getByRole("button", { name: "I have signed in" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(
    await until(
      () => names(created.table),
      ([name]) => name === "Yew",
    ),
  ).toEqual(["Yew"]);
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("a form that is submitted offline or signed out keeps its input and creates one record in the end", async () => {
  const service = testService();
  const created = await createTable("Entries", [{ name: "Name", type: "text" }]);
  const view = (await call<{ id: string }>("POST", `/tables/${created.table.id}/views`, { type: "form", name: "Form" }))
    .body;
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${created.baseId}/${created.table.id}?view=${view.id}`);
  const name = page.getByRole("textbox", { name: "Name" });
  const submit = page.getByRole("main").getByRole("button", { name: "Submit" });
  await name.fill("Kept");
  await context.setOffline(true);
  await submit.click();
  await page.getByRole("main").getByRole("alert").first().waitFor();
  expect(await name.inputValue()).toBe("Kept");
  await context.setOffline(false);

  await context.clearCookies();
  await submit.click();
  const dialog = page.getByRole("dialog", { name: "You have been signed out" });
  await dialog.waitFor();
  const other = await signIn(context, service.email, service.password);
  await other.close();
  await dialog.getByRole("button", { name: "I have signed in" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Kept");
  await submit.click();
  expect(
    await until(
      () => names(created.table),
      (list) => list.length > 0,
    ),
  ).toEqual(["Kept"]);
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("a new record that is entered offline is kept over a closed page, and made once online", async () => {
  const service = testService();
  const { baseId, table } = await createTable(
    "Guests",
    [
      { name: "Name", type: "text" },
      { name: "Seats", type: "number" },
    ],
    [{ Name: "Ann" }],
  );
  const gallery = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "gallery", name: "Cards" });
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${baseId}/${table.id}?view=${gallery.body.id}`);
  await page.getByText("Ann").first().waitFor();
  await page.getByRole("button", { name: "New record" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New record" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Bob");
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Create record" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("1 change is kept", { exact: false }).first().waitFor();
  expect(await names(table)).toEqual(["Ann"]);
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`/base/${baseId}/${table.id}?view=${gallery.body.id}`);
  await next.getByText("Bob").first().waitFor();
  expect(
    await until(
      () => names(table),
      (list) => list.length > 1,
    ),
  ).toEqual(["Ann", "Bob"]);
  expect(problems).toEqual(noProblems);
  await context.close();
});
