import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { changeRows } from "./database.ts";
import { browserFixture, call, mailedLink, testService } from "./fixture.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const oldPassword = "correct horse battery staple";
const newPassword = "seven quiet harbour lanterns";

async function signUp(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: false }).first().fill("Grace Hopper");
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").first().fill(oldPassword);
  await page.getByLabel(/organi[sz]ation/i).fill("Compilers");
  await page.getByLabel(/organi[sz]ation/i).press("Enter");
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  return page;
}

/** Signs in with a session that is an hour old, which is too old for sensitive changes. */
async function signInLongAgo(context: BrowserContext, email: string, password: string): Promise<Page> {
  const response = await context.request.post("/sign-in", {
    form: { email, password },
    headers: { Origin: testService().baseUrl },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(303);
  await changeRows(
    ["session", "person"],
    `update rowhouse.session set created_at = created_at - interval '1 hour'
     where person_id = (select id from rowhouse.person where email = '${email}')`,
  );
  return context.newPage();
}

test("a key without expiry asks for the password some time after signing in, and checks it", async () => {
  const service = testService();
  const email = `endless.${Date.now()}@example.com`;
  const { context: signUpContext } = await newContext(fixture.browser, service);
  await signUp(signUpContext, email);
  await signUpContext.close();
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signInLongAgo(context, email, oldPassword);
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
  await password.fill(oldPassword);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  const value = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  expect((await call("GET", "/me", undefined, value)).status).toBe(200);
  await shown.getByRole("button", { name: "I have copied it" }).click();

  // Rotating a key without expiry asks for the password, too.
  await page.getByRole("button", { name: "Actions for the key Endless" }).click();
  await page.getByRole("menuitem", { name: "Rotate" }).click();
  const rotate = page.getByRole("dialog", { name: "Rotate “Endless”" });
  await rotate.getByRole("button", { name: "Rotate" }).click();
  await rotate.getByLabel("Your password").fill(oldPassword);
  await rotate.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog", { name: "Your new key" }).waitFor();
  // The browser logs each refusal: without the password, with a wrong one, and at the rotation.
  const errors = problems.errors.filter((one) => !/403|422|400/.test(one));
  expect({ ...problems, errors }).toEqual(noProblems);
  await context.close();
});

test("the confirmation page asks for the password unless the person is signed in", async () => {
  const service = testService();
  const email = `confirm.${Date.now()}@example.com`;
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signUp(context, email);
  const link = await mailedLink(page, "/verify-email", email);
  await page.goto(link);
  await page.getByRole("heading", { name: "Confirm your address" }).waitFor();
  expect(await page.getByLabel("Password").count()).toBe(0);

  const { context: otherContext, problems: otherProblems } = await newContext(fixture.browser, service, {
    width: 390,
    height: 844,
  });
  const other = await otherContext.newPage();
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
  await password.fill(oldPassword);
  await other.getByRole("button", { name: "Yes, confirm it" }).click();
  await other.getByText("Your e-mail address is confirmed.").waitFor();
  await page.goto("/settings/profile");
  await page.getByText("Verified", { exact: false }).first().waitFor();
  for (const one of [problems, otherProblems]) expect({ ...one, errors: [] }).toEqual(noProblems);
  await otherContext.close();
  await context.close();
});

test("the address of an account is changed by a link to the new one", async () => {
  const service = testService();
  const former = `former.${Date.now()}@example.com`;
  const next = `next.${former}`;
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signUp(context, former);
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Change…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change your e-mail address" });
  await dialog.getByLabel("New e-mail address").fill(next);
  await dialog.getByLabel("Password").fill("not my password at all");
  await dialog.getByRole("button", { name: "Send the link" }).click();
  await dialog.getByText("is not your password").waitFor();
  await picture(page, "email-wrong-password");
  await dialog.getByLabel("Password").fill(oldPassword);
  await dialog.getByRole("button", { name: "Send the link" }).click();
  await page.getByText(`A link was sent to ${next}`).waitFor();
  await page.goto(await mailedLink(page, "/change-email", next));
  await page.getByRole("heading", { name: "Change your address" }).waitFor();
  await picture(page, "email-link");
  await page.getByRole("button", { name: "Yes, change it" }).click();
  await page.getByText("has the new e-mail address").waitFor();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.goto("/settings/profile");
  expect(await page.getByLabel("E-mail", { exact: true }).inputValue()).toBe(next);
  expect({ ...problems, errors: problems.errors.filter((one) => !/400/.test(one)) }).toEqual(noProblems);
  await context.close();
});

test("the reset page refuses a common password, says that keys are revoked, and sets the new one", async () => {
  const service = testService();
  const email = `reset.${Date.now()}@example.com`;
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signUp(context, email);
  const requestReset = async (count: number) => {
    await context.clearCookies();
    await page.goto("/forgot-password");
    await page.locator("input[type=email]").fill(email);
    await page.locator("input[type=email]").press("Enter");
    await page.goto(await mailedLink(page, "/reset-password", email, count));
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  };
  await requestReset(1);
  const password = page.getByLabel("New password");
  expect([await password.getAttribute("type"), await password.getAttribute("autocomplete")]).toEqual([
    "password",
    "new-password",
  ]);
  expect(await page.locator("input[name=username]").inputValue()).toBe(email);
  // The address was never confirmed, so there is no choice.
  await page.getByText("All API keys and connected apps of this account are revoked").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await password.fill("qwertyuiop");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("found most often in data breaches").waitFor();
  expect(await password.inputValue()).toBe("");
  await picture(page, "reset-common-password");
  await password.fill(newPassword);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  // The link confirmed the address: from now on the person can choose, and revoking is the default.
  await requestReset(2);
  expect(await page.getByRole("checkbox", { name: "Revoke all API keys and connected apps" }).isChecked()).toBe(true);
  await picture(page, "reset-choice");
  await context.clearCookies();
  const again = await signIn(context, email, newPassword);
  await again.getByRole("heading", { name: /Welcome back/ }).waitFor();
  expect({ ...problems, errors: [] }).toEqual(noProblems);
  await context.close();
});
