import { get } from "node:http";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { newContext, openBrowser, signIn } from "./browser.ts";
import { createTable, gridReady, testService } from "./fixture.ts";

/** Returns the number of bytes that a file transfers with gzip. */
function transferred(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "Accept-Encoding": "gzip" } }, (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => (size += chunk.length));
      response.on("end", () => resolve(size));
    }).on("error", reject);
  });
}

/** Follows the scripts and styles that a page requests, with the bytes of each. */
function sizesOf(page: Page) {
  const sizes = new Map<string, Promise<number>>();
  page.on("request", (request) => {
    if (/\.(js|css)(\?|$)/.test(request.url())) sizes.set(request.url(), transferred(request.url()));
  });
  return {
    files: () => [...sizes.keys()],
    total: async () => (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0),
  };
}

test("the first page loads at most 72 kB, without the grid and menus", async () => {
  const service = testService();
  const browser = await openBrowser();
  const { context } = await newContext(browser, service);
  const page = await signIn(context, service.email, service.password);
  const sizes = sizesOf(page);
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const total = await sizes.total();
  expect(sizes.files().filter((url) => /\/grid-/.test(url))).toEqual([]);
  expect(total).toBeGreaterThan(50_000);
  expect(total, sizes.files().join("\n")).toBeLessThanOrEqual(72_000);
  await browser.close();
});

test("a base loads at most 200 kB until its grid shows, without menus and forms of records", async () => {
  const service = testService();
  const { baseId, table } = await createTable("Size", [{ name: "Name", type: "text" }], [{ Name: "First" }]);
  const browser = await openBrowser();
  const { context } = await newContext(browser, service);
  const first = await signIn(context, service.email, service.password);
  await first.waitForLoadState("networkidle");
  const page = await context.newPage();
  const sizes = sizesOf(page);
  // What is opened from the grid is loaded a moment after it. It stays away here, whatever the moment.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByTestId("data-grid-canvas").waitFor({ state: "attached" });
  await page.clock.runFor(1); // the grid takes its size a moment after it has it
  await gridReady(page);
  const total = await sizes.total();
  expect(sizes.files().filter((url) => /\/(part|record)-/.test(url))).toEqual([]);
  expect(total).toBeGreaterThan(50_000);
  expect(total, sizes.files().join("\n")).toBeLessThanOrEqual(200_000);
  await browser.close();
});
