import type { BrowserContext, Page } from "playwright-core";
import { mailedLink, testService } from "./fixture.ts";

/** Makes a page of the owner invite another person, who signs up in a browser context. */
export async function join(owner: Page, context: BrowserContext, role = "admin", name = "Ben Okri"): Promise<Page> {
  const email = `ben.${Date.now()}@example.com`;
  await owner.goto(`/org/${testService().orgId}/members`);
  await owner.getByRole("button", { name: "Invite people" }).click();
  await owner.getByLabel("E-mail addresses").fill(email);
  await owner.getByLabel("Role", { exact: true }).selectOption(role);
  await owner.getByRole("button", { name: "Send invitations" }).click();
  return accept(context, email, name);
}

/** Makes a person sign up with the invitation that was mailed to them. */
export async function accept(context: BrowserContext, email: string, name: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await mailedLink(page, "/invitation", email));
  const signUp = page.getByRole("link", { name: /sign up|create/i });
  if (await signUp.count()) await signUp.first().click();
  await page.locator("input[name=name]").fill(name);
  const address = page.locator("input[type=email]");
  if ((await address.count()) && (await address.isEditable())) await address.fill(email);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.locator("input[type=password]").first().press("Enter");
  await page.getByRole("heading", { name: `Welcome back, ${name.split(" ")[0]}` }).waitFor();
  return page;
}
