import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, testService, until } from "./fixture.ts";

const fixture = browserFixture();
const widths = [220, 120, 160];
const fields = [
  { name: "Name", type: "text" },
  { name: "Height", type: "number" },
  { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb", "Moss"] } },
];

/**
 * Keeps a page from receiving changes and from reading the records again by itself, so that it
 * stays as old as the test needs.
 */
const withoutNews = (page: Page) =>
  page.addInitScript(() => {
    Reflect.deleteProperty(window, "EventSource");
    document.addEventListener("visibilitychange", (event) => event.stopImmediatePropagation(), true);
    window.addEventListener("focus", (event) => event.stopImmediatePropagation(), true);
  });

const valuesOf = async (tableId: string) => (await rowsOf(tableId))[0]?.fields ?? {};

const saved = (tableId: string, values: Record<string, unknown>) =>
  expect(
    until(
      () => valuesOf(tableId),
      (now) => Object.entries(values).every(([name, value]) => now[name] === value),
    ),
  ).resolves.toMatchObject(values);

const question = (page: Page) => page.getByRole("dialog", { name: "was also changed elsewhere" });

async function type(page: Page, column: number, value: string) {
  await clickCell(page, widths, column, 0);
  await page.keyboard.type(value);
  await page.keyboard.press("Enter");
}

test("two people who edit one record lose nothing of each other's", { timeout: 180_000 }, async () => {
  const { baseId, table } = await createTable("Plants", fields, [{ Name: "Oak", Height: 20, Kind: "Tree" }]);
  const service = testService();
  const second = await newContext(fixture.browser, service);
  const ada = fixture.page;
  const ben = await signIn(second.context, service.email, service.password);
  for (const page of [ada, ben]) {
    await withoutNews(page);
    await page.goto(`/base/${baseId}/${table.id}`);
    await gridReady(page);
  }

  // Different fields of one record: no question, and both stay.
  await type(ada, 0, "Oak of Ada");
  await saved(table.id, { Name: "Oak of Ada" });
  await type(ben, 1, "25");
  await saved(table.id, { Name: "Oak of Ada", Height: 25 });
  await expect.poll(() => ben.getByTestId("data-grid-canvas").textContent()).toContain("Oak of Ada");
  expect(await question(ben).count()).toBe(0);

  // The same field: nothing is written until the person has chosen.
  await type(ada, 0, "Elm of Ada");
  await saved(table.id, { Name: "Elm of Ada" });
  await type(ben, 0, "Ash of Ben");
  await question(ben).waitFor();
  expect(await valuesOf(table.id)).toMatchObject({ Name: "Elm of Ada", Height: 25 });
  const name = question(ben).getByRole("region", { name: "Name" });
  expect(await name.getByRole("definition").allTextContents()).toEqual(["Elm of Ada", "Ash of Ben"]);
  await ben.keyboard.press("Enter"); // a key that was meant for the grid chooses nothing
  await ben.keyboard.press("Escape");
  await question(ben).getByRole("button", { name: "Keep saved version" }).click();
  await question(ben).waitFor({ state: "detached" });
  await expect.poll(() => ben.getByTestId("data-grid-canvas").textContent()).toContain("Elm of Ada");
  expect(await valuesOf(table.id)).toMatchObject({ Name: "Elm of Ada", Height: 25 });

  await type(ada, 0, "Fir of Ada");
  await saved(table.id, { Name: "Fir of Ada" });
  await type(ben, 0, "Yew of Ben");
  await question(ben).getByRole("button", { name: "Use mine" }).click();
  await saved(table.id, { Name: "Yew of Ben", Height: 25 });
  await question(ben).waitFor({ state: "detached" });

  await second.context.close();
  expect(second.problems).toEqual(noProblems);
});

test("the panel of a record asks too, and draws options as the grid does", async () => {
  const { baseId, table } = await createTable("Plants", fields, [{ Name: "Oak", Height: 20, Kind: "Tree" }]);
  const { page } = fixture;
  const record = (await rowsOf(table.id))[0]!.id;
  await withoutNews(page);
  await page.goto(`/base/${baseId}/${table.id}?record=${record}`);
  const panel = page.getByRole("dialog", { name: "Oak" });
  await panel.waitFor();
  await call("PATCH", `/records/${record}`, { fields: { Kind: "Herb" } });
  await panel.getByLabel("Kind").click();
  await page.getByRole("option", { name: "Moss" }).click();
  await question(page).waitFor();
  const kind = question(page).getByRole("region", { name: "Kind" });
  expect(await kind.locator(".tone").allTextContents()).toEqual(["Herb", "Moss"]);
  await question(page).getByRole("button", { name: "Use mine" }).click();
  await saved(table.id, { Kind: "Moss" });
  await panel.waitFor(); // it stays open under the question
});
