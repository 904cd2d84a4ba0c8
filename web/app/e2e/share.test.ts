import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, testService } from "./fixture.ts";

const fixture = browserFixture();

test("a shared base is public without its hidden fields, and closed as soon as sharing stops", async () => {
  const service = testService();
  const created = await createTable(
    "Menu",
    [
      { name: "Dish", type: "text" },
      { name: "Stars", type: "rating" },
      { name: "Fresh", type: "checkbox" },
      { name: "Since", type: "date" },
      { name: "Price", type: "currency", config: { symbol: "£" } },
      { name: "Cost", type: "number" },
    ],
    Array.from({ length: 120 }, (_, n) => ({
      Dish: `Dish ${n + 1}`,
      Stars: n % 2 ? 3 : null,
      Fresh: n % 3 === 0,
      Since: n % 4 ? "2026-01-02" : null,
      Price: n + 0.5,
      Cost: 98765,
    })),
  );
  const cost = created.table.fields.find((field) => field.name === "Cost");
  await call("PATCH", `/views/${created.table.views[0]?.id}`, { config: { hiddenFields: [cost?.id] } });

  const { page } = fixture;
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Create public link" }).click();
  const link = await page.getByRole("textbox", { name: "Public link" }).inputValue();
  expect(link).toMatch(/\/share\/shr_[0-9a-z]{26}$/);

  const { context, problems } = await newContext(fixture.browser, service, { width: 390, height: 844 });
  const phone = await context.newPage();
  const response = await phone.goto(link);
  expect(response?.headers()["x-robots-tag"]).toContain("noindex");
  await phone.getByRole("heading", { name: "Menu base" }).waitFor();
  const content = await phone.content();
  expect(content).toContain("Dish 1");
  expect(content).toContain("£0.50");
  expect(content).not.toContain("98765");
  expect(content).not.toContain("Cost");
  expect(await phone.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth))).toBe(390);
  await phone.getByRole("link", { name: /Next/ }).click();
  await phone.getByText("Dish 101", { exact: true }).first().waitFor();

  // A wide window shows a table, with each value below the name of its column.
  const wide = await newContext(fixture.browser, service);
  const desk = await wide.context.newPage();
  await desk.goto(link);
  const misplaced = await desk.evaluate(() => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- Playwright sends only this function to the page
    const lefts = (cells: Iterable<Element>) =>
      Array.from(cells, (cell) => Math.round(cell.getBoundingClientRect().left)).join();
    const heads = lefts(document.querySelectorAll("thead th"));
    return [...document.querySelectorAll("tbody tr")].filter((row) => lefts(row.children) !== heads).length;
  });
  expect(misplaced).toBe(0);
  await wide.context.close();

  await page.getByRole("button", { name: "New link" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "New link" }).click();
  await expect.poll(() => page.getByRole("textbox", { name: "Public link" }).inputValue()).not.toBe(link);
  expect((await phone.goto(link))?.status()).toBe(404);
  const next = await page.getByRole("textbox", { name: "Public link" }).inputValue();
  expect((await phone.goto(next))?.status()).toBe(200);

  await page.getByRole("button", { name: "Stop sharing" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop sharing" }).click();
  await page.getByText("There is no public link.").waitFor();
  expect((await phone.goto(next))?.status()).toBe(404);
  expect(problems).toEqual(noProblems);
  await context.close();
});
