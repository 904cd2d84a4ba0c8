import { afterAll, beforeAll, expect, test } from "vitest";
import { startBucket } from "./bucket.ts";
import { browserFixture, testService } from "./fixture.ts";

const fixture = browserFixture();

let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.stop());

test("backups are set up, made, found in the inbox when they fail, and switched off", async () => {
  const { page } = fixture;
  const { orgId } = testService();
  await page.goto(`/org/${orgId}/backups`);
  await page.getByText("Backups are off").waitFor();
  await page.getByLabel("Endpoint").fill(bucket.address);
  await page.getByLabel("Region").fill("eu-test-1");
  await page.getByLabel("Bucket", { exact: true }).fill("backups");
  await page.getByLabel("Folder").fill("nightly");
  await page.getByLabel("Access key").fill("AKTEST");
  await page.getByLabel("Secret key").fill("the-secret");
  bucket.state.refuses = true;
  await page.getByRole("button", { name: "Test the destination" }).click();
  await page.getByRole("alert").getByText("AccessDenied (HTTP 403)").waitFor();
  bucket.state.refuses = false;
  await page.getByRole("button", { name: "Test the destination" }).click();
  await page.getByText("An object was written, read and deleted").first().waitFor();
  expect(bucket.objects.size).toBe(0);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The next backups begin").waitFor();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Good", { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.getByText("Running", { exact: true }).first().waitFor({ state: "detached", timeout: 120_000 });
  expect(await page.getByText("Failed", { exact: true }).count()).toBe(0);
  expect([...bucket.objects.keys()].every((name) => name.startsWith("/backups/nightly/bas_"))).toBe(true);

  bucket.state.refuses = true;
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Failed", { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.goto("/inbox");
  await page.getByText(/The backup of .+ has failed/).first().click();
  await page.getByRole("heading", { name: "Last backups" }).waitFor();

  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
  await page.getByText("Backups are off").first().waitFor();
});
