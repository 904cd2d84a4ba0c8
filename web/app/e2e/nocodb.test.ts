import { expect, test } from "vitest";
import { browserFixture, gridReady } from "./fixture.ts";
import { nocodb, startNocoDB } from "./nocodb.ts";

const fixture = browserFixture();

test("a base comes from NocoDB with a report, and its changes after it", async () => {
  const { page } = fixture;
  const address = await startNocoDB();
  await page.goto("/");
  await page.getByRole("button", { name: "New base" }).first().click();
  await page.getByRole("button", { name: "Import from NocoDB or Baserow" }).click();
  await page.getByLabel("Id of the base").fill(nocodb.base);
  await page.getByLabel("API token").fill("wrong");
  await page.getByLabel("Address of your installation").fill(`${address}/dashboard`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("NocoDB does not take the token").waitFor();
  await page.getByLabel("API token").fill(nocodb.token);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { name: "Fjord" }).waitFor();
  await gridReady(page);

  await page.getByRole("button", { name: /import/i }).first().click();
  const report = page.locator("[data-job=done]").first();
  await report.getByText("3 new records").waitFor();
  await report.getByText("Buttons do not come").waitFor();
  await report.getByRole("button", { name: "Import the changes" }).click();
  expect(await page.getByLabel("Id of the base").inputValue()).toBe(nocodb.base);
  expect(await page.getByLabel("Address of your installation").inputValue()).toBe(address);
  await page.getByLabel("API token").fill(nocodb.token);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByLabel("API token").waitFor({ state: "detached" });
  const again = report.getByText("3 records as before"); // of the last one
  for (let n = 0; n < 60 && !(await again.isVisible()); n++) {
    if (!(await report.isVisible())) await page.getByRole("button", { name: /import/i }).first().click();
    await page.waitForTimeout(500);
  }
  expect(await again.isVisible()).toBe(true);
});
