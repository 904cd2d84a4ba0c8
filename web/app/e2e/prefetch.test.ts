import { expect, test } from "vitest";
import { newContext, openBrowser, signIn } from "./browser.ts";
import { createTable, gridReady, testService } from "./fixture.ts";

test("opening a table requests everything once, and before the application's code runs", async () => {
  const service = testService();
  const { baseId, table } = await createTable("Ahead", [{ name: "Name", type: "text" }], [{ Name: "First" }]);
  const browser = await openBrowser();
  const { context } = await newContext(browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.waitForLoadState("networkidle");
  const requested: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(account\/)?api\//.test(pathname)) requested.push(pathname);
  });
  // The application's code never loads, and the prefetch script still sends its requests.
  await page.route(/\/assets\/start-[^/]+\.js$/, (route) => route.abort());
  const rows = page.waitForRequest(new RegExp(`/tables/${table.id}/records`));
  await page.goto(`/base/${baseId}/${table.id}`);
  await rows;
  expect(requested.toSorted()).toEqual(
    [
      "/account/api/profile",
      "/api/v1/bases",
      `/api/v1/bases/${baseId}`,
      "/api/v1/me",
      "/api/v1/orgs",
      `/api/v1/tables/${table.id}/records`,
    ].toSorted(),
  );
  await page.unroute(/\/assets\/start-[^/]+\.js$/);
  requested.length = 0;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  expect(requested.length).toBeGreaterThan(5);
  expect(requested.length).toBe(new Set(requested).size);
  await browser.close();
});
