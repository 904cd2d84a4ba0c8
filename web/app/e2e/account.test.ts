import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("a new account gets its own base and creates a first record", async () => {
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await context.newPage();
  await page.goto("/sign-up");
  await page
    .getByLabel("Your name")
    .or(page.getByLabel("Name", { exact: true }))
    .first()
    .fill("Ada Lovelace");
  await page.locator("input[type=email]").fill(`ada.${Date.now()}@example.com`);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  const organization = page.getByLabel(/organi[sz]ation/i);
  await organization.fill("Analytical Engines");
  await organization.press("Enter");
  await page.getByRole("heading", { name: /Welcome back, Ada/ }).waitFor();
  await page.getByRole("main").getByRole("link").filter({ hasNotText: "Members" }).first().click();
  await page.getByTestId("data-grid-canvas").waitFor();
  const count = page.getByText(/^[\d,]+ records?$/);
  const before = Number.parseInt((await count.textContent()) ?? "", 10);
  await page.getByRole("button", { name: "New record" }).click();
  await page.getByText(`${before + 1} records`).waitFor();
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await page.keyboard.type("My first record");
  await page.keyboard.press("Enter");
  await saved;
  await page.reload();
  await page.getByTestId("data-grid-canvas").waitFor();
  await page.getByRole("searchbox", { name: "Search in this table" }).fill("My first record");
  await page.getByText("1 record", { exact: true }).waitFor();
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("a key is created from the account menu, shown once, and refused after it is revoked", async () => {
  const { page } = fixture;
  await page.goto("/");
  await page
    .getByRole("button", { name: /^Account: / })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name", { exact: true }).fill("Nightly");
  await dialog.getByRole("radio", { name: /Read only/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  const value = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  expect(value).toMatch(/^rhk_[0-9A-Za-z]{36}$/);
  expect(await shown.getByLabel("Try it", { exact: true }).textContent()).toContain(value);
  await shown.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.content()).not.toContain(value);

  const me = await call<{ scopes: string[] }>("GET", "/me", undefined, value);
  expect(me.status).toBe(200);
  expect(me.body.scopes.toSorted()).toEqual(["data:read", "schema:read"]);
  const refused = await call("POST", "/bases", { name: "no", orgId: testService().orgId }, value);
  expect(refused.status).toBe(403);

  await page.getByRole("button", { name: "Actions for the key Nightly" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  expect(
    await until(
      async () => (await call("GET", "/me", undefined, value)).status,
      (status) => status === 401,
    ),
  ).toBe(401);
});

test("a rotated key gets a successor, and both work for a while", async () => {
  const { page } = fixture;
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name", { exact: true }).fill("Rotated");
  await dialog.getByRole("radio", { name: /AI assistant/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  let shown = page.getByRole("dialog", { name: "Your new key" });
  expect(
    JSON.parse((await shown.getByLabel("MCP client configuration", { exact: true }).textContent()) ?? ""),
  ).toMatchObject({ mcpServers: { rowhouse: { type: "http" } } });
  const first = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Actions for the key Rotated" }).first().click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  await page.getByRole("dialog", { name: "Rotate “Rotated”" }).getByRole("button", { name: "Rotate" }).click();
  shown = page.getByRole("dialog", { name: "Your new key" });
  const second = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  await shown.getByRole("button", { name: "I have copied it" }).click();
  expect(second).not.toBe(first);
  expect((await call("GET", "/me", undefined, first)).status).toBe(200);
  expect((await call("GET", "/me", undefined, second)).status).toBe(200);
});

test("a session that is ended elsewhere is reported without losing the page", async () => {
  const service = testService();
  const { context } = await newContext(fixture.browser, service);
  const { signIn } = await import("./browser.ts");
  const page = await signIn(context, service.email, service.password);
  await page.goto("/settings/profile");
  expect(await page.getByLabel("E-mail").inputValue()).toBe(service.email);
  await fixture.page.goto("/settings/security");
  await fixture.page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await fixture.page.getByText("Signed out").first().waitFor();
  await page.getByRole("link", { name: "API keys" }).first().click();
  await page.getByRole("dialog", { name: "You have been signed out" }).waitFor();
  await context.close();
});

test("somebody deletes their account, and cannot sign in any more", async () => {
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await context.newPage();
  const email = `grace.${Date.now()}@example.com`;
  await page.goto("/sign-up");
  await page.locator("input[name=name]").fill("Grace Hopper");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  const organization = page.getByLabel(/organi[sz]ation/i);
  await organization.fill("Compilers");
  await organization.press("Enter");
  await page.getByRole("heading", { name: /Welcome back, Grace/ }).waitFor();

  await page.goto("/settings/security");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await dialog.getByText("Deleted with it, because nobody else is a member: “Compilers”.").waitFor();
  await picture(page, "deleteaccount");
  expect(await findings(page)).toEqual([]);
  await dialog.getByLabel("Password").fill("wrong horse battery staple");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await dialog.getByText("is not your password").waitFor();
  await dialog.getByLabel("Password").fill("correct horse battery staple");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL(/sign-in/);
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill("correct horse battery staple");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(problems.externalRequests).toEqual([]);
  await context.close();
});
