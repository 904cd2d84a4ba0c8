import { expect, inject, test } from "vitest";
import { openWindow, signIn } from "./browser.ts";
import { call, clickCell, gridReady, makeTable, rowsOf, stage, type Table, until } from "./stage.ts";

const at = stage();
const names = async (table: Table) => (await rowsOf(table.id)).map((row) => row.fields.Name);

test("links that were never given, or are spent, lead to a page that says so and to a way on", async () => {
  const service = inject("service");
  const { context, seen } = await openWindow(at.browser, service, { width: 390, height: 844 });
  const page = await context.newPage();
  for (const path of ["/invitation", "/reset-password", "/verify-email"]) {
    const answer = await page.goto(`${path}?token=${"a".repeat(43)}`);
    expect(answer?.status(), path).toBeGreaterThanOrEqual(400);
    expect(answer?.status(), path).toBeLessThan(500);
    expect(await page.getByRole("main").textContent(), path).toMatch(/expired|used|no longer|not valid|does not work/i);
    expect(await page.getByRole("main").getByRole("link").count(), path).toBeGreaterThan(0);
  }

  // A link for a new password serves once.
  const email = `reset.${Date.now()}@example.com`;
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: false }).first().fill("Reset Me");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.getByLabel(/organi[sz]ation/i).fill("Once");
  await page.getByLabel(/organi[sz]ation/i).press("Enter");
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  await context.clearCookies();
  await page.goto("/forgot-password");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=email]").press("Enter");
  const wanted = new RegExp(`${service.baseUrl}/reset-password\\?token=[^"'\\s<&]+`);
  const mailbox = await until(
    async () => (await page.request.get("/dev/mailbox")).text(),
    (text) => wanted.test(text) && text.includes(email),
  );
  const link = wanted.exec(mailbox)?.[0] ?? "";
  await page.goto(link);
  await page.locator("input[type=password]").first().fill("a different horse entirely");
  await page.locator("input[type=password]").first().press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/reset-password"));
  expect((await page.goto(link))?.status()).toBeGreaterThanOrEqual(400);
  expect(seen.violations).toEqual([]);
  await context.close();
});

test("what is submitted twice is done once", async () => {
  const { page } = at;
  const service = inject("service");
  const name = `Twice ${Date.now()}`;
  await page.goto("/");
  await page.getByRole("button", { name: "New base" }).first().click();
  await page.getByLabel("Base name").fill(name);
  await page.getByRole("button", { name: "Create base" }).dblclick();
  await page.waitForURL(/\/base\//);
  const { bases } = (await call<{ bases: { name: string }[] }>("GET", "/bases")).body;
  expect(bases.filter((base) => base.name === name)).toHaveLength(1);

  const made = await makeTable("Entries", [{ name: "Name", type: "text" }]);
  const view = (await call<{ id: string }>("POST", `/tables/${made.table.id}/views`, { type: "form", name: "Form" })).body;
  await page.goto(`/base/${made.baseId}/${made.table.id}?view=${view.id}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Only one");
  // The answer takes its time, and somebody is impatient.
  await page.route("**/records", async (route) => {
    await new Promise((go) => setTimeout(go, 300));
    await route.continue();
  });
  const submit = page.getByRole("main").getByRole("button", { name: /Submit|Send|Create/ });
  await submit.dblclick();
  await page.keyboard.press("Enter");
  await until(() => names(made.table), (list) => list.length > 0);
  await page.waitForTimeout(500);
  await page.unrouteAll();
  expect(await names(made.table)).toEqual(["Only one"]);
  expect(service.orgId).toBeTruthy();
});

test("an edit in the record's form without a connection is kept, told, and sent when the connection is back", async () => {
  const { page, context } = at;
  const made = await makeTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const [row] = await rowsOf(made.table.id);
  await page.goto(`/base/${made.baseId}/${made.table.id}?record=${row?.id}`);
  const dialog = page.getByRole("dialog", { name: "Oak" });
  await dialog.getByRole("textbox", { name: "Name" }).waitFor();
  await context.setOffline(true);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Fir");
  await page.keyboard.press("Tab");
  await page.getByText("No connection. 1 change is kept and will be sent.").first().waitFor();
  await context.setOffline(false);
  expect(await until(() => names(made.table), ([name]) => name === "Fir")).toEqual(["Fir"]);
});

test("an edit made after the session was ended elsewhere is kept, and saved when the person has signed in again", async () => {
  const service = inject("service");
  const made = await makeTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const { context, seen } = await openWindow(at.browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${made.baseId}/${made.table.id}`);
  await gridReady(page);
  await at.page.goto("/settings/security");
  await at.page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await at.page.getByText("Signed out").first().waitFor();
  await clickCell(page, [220], 0, 0);
  await page.keyboard.type("Yew");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "You have been signed out" });
  await dialog.getByRole("button", { name: "I have signed in" }).click();
  await dialog.getByText("Not signed in yet").waitFor();
  expect(await names(made.table)).toEqual(["Oak"]);
  const other = await signIn(context, service.email, service.password);
  await other.close();
  await dialog.getByRole("button", { name: "I have signed in" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await until(() => names(made.table), ([name]) => name === "Yew")).toEqual(["Yew"]);
  expect(seen).toEqual({ violations: [], outside: [], errors: [] });
  await context.close();
});
