import { get } from "node:http";
import { expect, test } from "vitest";
import { newContext, openBrowser, signIn } from "./browser.ts";
import { testService } from "./fixture.ts";

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

test("the first page loads well below its limit of 200 kB, without the grid and menus", async () => {
  const service = testService();
  const browser = await openBrowser();
  const { context } = await newContext(browser, service);
  const page = await signIn(context, service.email, service.password);
  const sizes = new Map<string, Promise<number>>();
  page.on("request", (request) => {
    if (/\.(js|css)(\?|$)/.test(request.url())) sizes.set(request.url(), transferred(request.url()));
  });
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  expect([...sizes.keys()].filter((url) => /\/grid-/.test(url))).toEqual([]);
  expect(total).toBeGreaterThan(50_000);
  expect(total, [...sizes.keys()].join("\n")).toBeLessThanOrEqual(180_000);
  await browser.close();
});
