import { expect, test } from "vitest";
import { airtable } from "./airtable.ts";
import { browserFixture, gridReady } from "./fixture.ts";

const fixture = browserFixture();

test("a base comes from Airtable with a report, and its changes after it", async () => {
  const { page } = fixture;
  await page.goto("/");
  await page.getByRole("button", { name: "New base" }).first().click();
  await page.getByRole("button", { name: "Import from Airtable" }).click();
  await page.getByLabel("Personal access token").fill("patWRONG");
  await page.getByLabel("Address or id of the base").fill(airtable.address);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("Airtable does not take the token").waitFor();
  await page.getByLabel("Personal access token").fill(airtable.token);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { name: "Harbour" }).waitFor();
  await gridReady(page);
  await page.getByRole("button", { name: "All ships" }).or(page.getByText("All ships")).first().waitFor();

  await page.getByRole("button", { name: /import/i }).first().click();
  const report = page.locator("[data-job=done]").first();
  await report.getByText("3 new records").waitFor();
  await report.getByText("Buttons do not come").waitFor();
  await report.getByRole("button", { name: "Import the changes" }).click();
  const former = page.getByLabel("Address or id of the base");
  expect(await former.inputValue()).toBe(airtable.base);
  await page.getByLabel("Personal access token").fill(airtable.token);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("The import has begun").first().waitFor();
  await former.waitFor({ state: "detached" });
  const again = report.getByText("3 records as before"); // of the last one
  for (let n = 0; n < 60 && !(await again.isVisible()); n++) {
    if (!(await report.isVisible())) await page.getByRole("button", { name: /import/i }).first().click();
    await page.waitForTimeout(500);
  }
  expect(await again.isVisible()).toBe(true);
});
