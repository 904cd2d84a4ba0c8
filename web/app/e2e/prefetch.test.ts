import { expect, inject, test } from "vitest";
import { openBrowser, openWindow, signIn } from "./browser.ts";
import { gridReady, makeTable } from "./fixture.ts";

test("a table that is opened asks for everything once, and before its code has run", async () => {
  const service = inject("service");
  const { baseId, table } = await makeTable("Ahead", [{ name: "Name", type: "text" }], [{ Name: "First" }]);
  const browser = await openBrowser();
  const { context } = await openWindow(browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(account\/)?api\//.test(pathname)) asked.push(pathname);
  });
  // The application's own code never comes; what was asked for ahead is asked for all the same.
  await page.route(/\/assets\/start-[^/]+\.js$/, (route) => route.abort());
  const rows = page.waitForRequest(new RegExp(`/tables/${table.id}/records`));
  await page.goto(`/base/${baseId}/${table.id}`);
  await rows;
  expect(asked.toSorted()).toEqual(
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
  asked.length = 0;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.length).toBe(new Set(asked).size);
  await browser.close();
});
