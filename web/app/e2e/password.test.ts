import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { openWindow, signIn } from "./browser.ts";
import { call, mailed, stage } from "./fixture.ts";

const at = stage();
const run = promisify(execFile);
const first = "correct horse battery staple";
const second = "seven quiet harbour lanterns";

async function signUp(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: false }).first().fill("Grace Hopper");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").first().fill(first);
  await page.getByLabel(/organi[sz]ation/i).fill("Compilers");
  await page.getByLabel(/organi[sz]ation/i).press("Enter");
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  return page;
}

/** Signs in with a session that is an hour old, so that it no longer counts as a fresh sign-in. */
async function signInLongAgo(context: BrowserContext, email: string, password: string): Promise<Page> {
  const answer = await context.request.post("/sign-in", {
    form: { email, password },
    headers: { Origin: inject("service").baseUrl },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  const statements = [
    "set role rowhouse_system",
    `update rowhouse.session set created_at = created_at - interval '1 hour'
     where person_id = (select id from rowhouse.person where email = '${email}')`,
  ];
  await run("psql", [
    inject("service").databaseUrl,
    "--no-psqlrc",
    "--quiet",
    "--set=ON_ERROR_STOP=1",
    ...statements.map((one) => `--command=${one}`),
  ]);
  return context.newPage();
}

/** Takes a picture when a folder for pictures is named. */
async function picture(page: Page, name: string) {
  const dir = process.env.PICTURES;
  if (dir) await page.screenshot({ path: join(dir, `${name}.png`) });
}

test("a key without expiry asks for the password some time after signing in, and checks it", async () => {
  const service = inject("service");
  const email = `endless.${Date.now()}@example.com`;
  const { context: before } = await openWindow(at.browser, service);
  await signUp(before, email);
  await before.close();
  const { context, seen } = await openWindow(at.browser, service);
  const page = await signInLongAgo(context, email, first);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name", { exact: true }).fill("Endless");
  await dialog.getByRole("radio", { name: /Read only/ }).click();
  const password = dialog.getByLabel("Your password");
  expect(await password.count()).toBe(0);
  await dialog.getByLabel("Expires").selectOption("never");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await password.waitFor();
  expect([await password.getAttribute("type"), await password.getAttribute("autocomplete")]).toEqual([
    "password",
    "current-password",
  ]);
  await password.fill("not my password at all");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("is not your password").waitFor();
  await picture(page, "key-wrong-password");
  await password.fill(first);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  const value = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  expect((await call("GET", "/me", undefined, value)).status).toBe(200);
  await shown.getByRole("button", { name: "I have copied it" }).click();

  // The key that follows one without end asks for it too.
  await page.getByRole("button", { name: "Actions for the key Endless" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  const rotate = page.getByRole("dialog", { name: "Rotate “Endless”" });
  await rotate.getByRole("button", { name: "Rotate" }).click();
  await rotate.getByLabel("Your password").fill(first);
  await rotate.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog", { name: "Your new key" }).waitFor();
  // The browser writes down each answer that refused: without the password, with a wrong one, and
  // at the rotation.
  expect({
    ...seen,
    errors: seen.errors.filter((one) => !one.includes("403") && !one.includes("422") && !one.includes("400")),
  }).toEqual({ violations: [], outside: [], errors: [] });
  await context.close();
});

test("the confirmation page asks for the password unless the person is signed in", async () => {
  const service = inject("service");
  const email = `confirm.${Date.now()}@example.com`;
  const { context, seen } = await openWindow(at.browser, service);
  const page = await signUp(context, email);
  const link = await mailed(page, "/verify-email", email);
  await page.goto(link);
  await page.getByRole("heading", { name: "Confirm your address" }).waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);

  const { context: elsewhere, seen: seenElsewhere } = await openWindow(at.browser, service, {
    width: 390,
    height: 844,
  });
  const other = await elsewhere.newPage();
  await other.goto(link);
  const password = other.getByLabel("Password");
  expect([await password.getAttribute("type"), await password.getAttribute("autocomplete")]).toEqual([
    "password",
    "current-password",
  ]);
  expect(await other.locator("input[name=username]").inputValue()).toBe(email); // for password managers
  await password.fill("not my password at all");
  await other.getByRole("button", { name: "Yes, confirm it" }).click();
  await other.getByText("is not the password of this account").waitFor();
  expect(await password.inputValue()).toBe(""); // never sent back
  await picture(other, "confirm-wrong-password");
  await password.fill(first);
  await other.getByRole("button", { name: "Yes, confirm it" }).click();
  await other.getByText("Your e-mail address is confirmed.").waitFor();
  await page.goto("/settings/profile");
  await page.getByText("Verified", { exact: false }).first().waitFor();
  for (const one of [seen, seenElsewhere])
    expect({ ...one, errors: [] }).toEqual({ violations: [], outside: [], errors: [] });
  await elsewhere.close();
  await context.close();
});

test("the page of a reset takes a good password only, says that keys end, and the new password signs in", async () => {
  const service = inject("service");
  const email = `reset.${Date.now()}@example.com`;
  const { context, seen } = await openWindow(at.browser, service);
  const page = await signUp(context, email);
  const ask = async () => {
    await context.clearCookies();
    await page.goto("/forgot-password");
    await page.locator("input[type=email]").fill(email);
    await page.locator("input[type=email]").press("Enter");
    await page.goto(await mailed(page, "/reset-password", email));
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  };
  await ask();
  const password = page.getByLabel("New password");
  expect([await password.getAttribute("type"), await password.getAttribute("autocomplete")]).toEqual([
    "password",
    "new-password",
  ]);
  expect(await page.locator("input[name=username]").inputValue()).toBe(email);
  // Nobody confirmed the address before, so there is no choice.
  await page.getByText("All API keys and connected apps of this account are revoked").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await password.fill("qwertyuiop");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("found most often in data breaches").waitFor();
  expect(await password.inputValue()).toBe("");
  await picture(page, "reset-common-password");
  await password.fill(second);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  // The link proved the address: from now on the person chooses, and ending them is what is
  // proposed.
  await ask();
  expect(await page.getByRole("checkbox", { name: "Revoke all API keys and connected apps" }).isChecked()).toBe(true);
  await picture(page, "reset-choice");
  await context.clearCookies();
  const back = await signIn(context, email, second);
  await back.getByRole("heading", { name: /Welcome back/ }).waitFor();
  expect({ ...seen, errors: [] }).toEqual({ violations: [], outside: [], errors: [] });
  await context.close();
});
