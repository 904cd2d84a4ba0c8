import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrowserContext } from "playwright-core";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import { call, clickCell, createTable, gridReady, mailedLink, rowsOf, testService, setTestService } from "./fixture.ts";
import { startOwnService } from "./service.ts";

const widths = [220, 160];
const fields = [
  { name: "Name", type: "text" },
  { name: "Kind", type: "text" },
];
const shots = process.env.SCREENSHOTS;
const soon = 1000; // milliseconds; how soon is measured, and no test fails because of a slow machine

type Person = { page: Page; context: BrowserContext; problems: PageProblems };
let ada: Person;
let ben: Person;
let service: Awaited<ReturnType<typeof startOwnService>>;
let close: () => Promise<void>;
const delays: Record<string, number> = {};

beforeAll(async () => {
  service = await startOwnService();
  setTestService(service.service);
  const browser = await openBrowser();
  close = () => browser.close();
  const first = await newContext(browser, testService());
  ada = { ...first, page: await signIn(first.context, testService().email, testService().password) };
  const second = await newContext(browser, testService());
  ben = { ...second, page: await join(second.context) };
});
afterAll(async () => {
  process.stdout.write(`drawn after (ms): ${JSON.stringify(delays)}\n`);
  await close?.();
  await service?.stop();
});

/** Has the owner invite another person, who signs up. */
async function join(context: BrowserContext): Promise<Page> {
  const email = `ben.${Date.now()}@example.com`;
  await ada.page.goto(`/org/${testService().orgId}/members`);
  await ada.page.getByRole("button", { name: "Invite people" }).click();
  await ada.page.getByLabel("E-mail addresses").fill(email);
  await ada.page.getByLabel("Role", { exact: true }).selectOption("admin");
  await ada.page.getByRole("button", { name: "Send invitations" }).click();
  const page = await context.newPage();
  await page.goto(await mailedLink(page, "/invitation", email));
  const signUp = page.getByRole("link", { name: /sign up|create/i });
  if (await signUp.count()) await signUp.first().click();
  await page.locator("input[name=name]").fill("Ben Okri");
  const address = page.locator("input[type=email]");
  if ((await address.count()) && (await address.isEditable())) await address.fill(email);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.locator("input[type=password]").first().press("Enter");
  await page.getByRole("heading", { name: /Welcome back, Ben/ }).waitFor();
  return page;
}

const grid = (page: Page) => page.getByTestId("data-grid-canvas");

/** Waits until the grid of a page shows a text, or does not, and notes how long that took. */
async function drawn(what: string, page: Page, text: string, there = true, since = Date.now()) {
  await page.waitForFunction(
    ([wanted, present]) =>
      document.querySelector("[data-testid=data-grid-canvas]")?.textContent?.includes(wanted as string) === present,
    [text, there],
    { timeout: 15_000, polling: 10 },
  );
  delays[what] = Date.now() - since;
}

async function type(page: Page, column: number, row: number, value: string) {
  await clickCell(page, widths, column, row);
  await page.keyboard.type(value);
  await page.keyboard.press("Enter");
  return Date.now();
}

async function opened(name: string, rows: Record<string, unknown>[]) {
  const { baseId, table } = await createTable(name, fields, rows);
  for (const { page } of [ada, ben]) {
    const live = page.waitForResponse((response) => response.url().includes("/live"));
    await page.goto(`/base/${baseId}/${table.id}`);
    await gridReady(page);
    expect((await live).status()).toBe(200);
  }
  return { baseId, table };
}

const screenshot = async (name: string) => {
  if (!shots) return;
  await mkdir(shots, { recursive: true });
  await ada.page.screenshot({ path: `${shots}/${name}-ada.png` });
  await ben.page.screenshot({ path: `${shots}/${name}-ben.png` });
};

const requests = (page: Page, path: RegExp) => {
  const seen: string[] = [];
  page.on("request", (request) => {
    if (path.test(new URL(request.url()).pathname)) seen.push(request.url());
  });
  return seen;
};

test("what one person does is drawn for the other", async () => {
  const { baseId, table } = await opened("Plants", [{ Name: "Oak", Kind: "Tree" }, { Name: "Fern" }]);
  const [a, b] = [ada.page, ben.page];
  await b.waitForTimeout(3500); // what was read while the stream began is read again
  const read = requests(b, /\/records$/);

  await drawn("update", b, "Oak of Ada", true, await type(a, 0, 0, "Oak of Ada"));
  await drawn("update back", a, "Herb of Ben", true, await type(b, 1, 1, "Herb of Ben"));
  expect(await grid(b).textContent()).toContain("Oak of Ada");
  expect(read, "rows that were read").toEqual([]);

  let since = Date.now();
  await call("POST", `/tables/${table.id}/records`, { records: [{ fields: { Name: "Moss" } }] });
  await drawn("creation", b, "Moss", true, since);
  await drawn("creation", a, "Moss", true, since);
  await b.getByText("3 records").waitFor();
  await screenshot("created");

  const [, fern] = await rowsOf(table.id);
  since = Date.now();
  await call("DELETE", `/records/${fern!.id}`);
  await drawn("deletion", b, "Fern", false, since);
  await b.getByText("2 records").waitFor();

  const name = table.fields.find((field) => field.name === "Name")!;
  since = Date.now();
  await call("PATCH", `/fields/${name.id}`, { name: "Species" });
  await drawn("renamed field", b, "Species", true, since);
  await drawn("update after it", a, "Lichen", true, await type(b, 0, 1, "Lichen"));
  since = Date.now();
  await call("POST", `/tables/${table.id}/fields`, { name: "Height", type: "number" });
  await drawn("new field", b, "Height", true, since);
  await screenshot("renamed");
  since = Date.now();
  await call("PATCH", `/tables/${table.id}`, { name: "Flora" });
  await b.getByRole("link", { name: "Flora" }).first().waitFor();
  delays["renamed table"] = Date.now() - since;
  expect(baseId).toBeTruthy();
  for (const [what, delay] of Object.entries(delays)) expect(delay, what).toBeLessThan(soon);
});

test("after a restart of the service the stream goes on, and nothing is missed", { timeout: 120_000 }, async () => {
  const { table } = await opened("Rivers", [{ Name: "Nile" }, { Name: "Rhine" }]);
  const live = requests(ben.page, /\/live$/);
  await drawn("before the restart", ben.page, "Nile of Ada", true, await type(ada.page, 0, 0, "Nile of Ada"));
  // Ben's page hears nothing for a while.
  await ben.context.route(/\/live/, (route) => route.abort());
  await service.restart();
  const [nile, rhine] = await rowsOf(table.id);
  await call("PATCH", `/records/${nile!.id}`, { fields: { Kind: "missed edit" } });
  await call("DELETE", `/records/${rhine!.id}`);
  await call("POST", `/tables/${table.id}/records`, { records: [{ fields: { Name: "Oder" } }] });
  await ben.page.waitForTimeout(1500);
  expect(await grid(ben.page).textContent()).not.toContain("missed edit");
  await ben.context.unroute(/\/live/);
  await drawn("missed edit", ben.page, "missed edit");
  await drawn("missed creation", ben.page, "Oder");
  await drawn("missed deletion", ben.page, "Rhine", false);
  expect(live.at(-1)).toContain("?cursor=");
  for (const { page } of [ada, ben]) await page.getByText("2 records").waitFor();
  await drawn("after the restart", ben.page, "Nile again", true, await type(ada.page, 0, 0, "Nile again"));
  await screenshot("restarted");
  expect(ada.problems).toEqual(noProblems);
});
