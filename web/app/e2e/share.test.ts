import { expect, inject, test } from "vitest";
import { openWindow } from "./browser.ts";
import { call, makeTable, stage } from "./fixture.ts";

const at = stage();

test("a shared base is public without its hidden fields, and closed as soon as sharing stops", async () => {
  const service = inject("service");
  const made = await makeTable(
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
  const cost = made.table.fields.find((field) => field.name === "Cost");
  await call("PATCH", `/views/${made.table.views[0]?.id}`, { config: { hiddenFields: [cost?.id] } });

  const { page } = at;
  await page.goto(`/base/${made.baseId}/${made.table.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Create public link" }).click();
  const link = await page.getByRole("textbox", { name: "Public link" }).inputValue();
  expect(link).toMatch(/\/share\/shr_[0-9a-z]{26}$/);

  const { context, seen } = await openWindow(at.browser, service, { width: 390, height: 844 });
  const phone = await context.newPage();
  const answer = await phone.goto(link);
  expect(answer?.headers()["x-robots-tag"]).toContain("noindex");
  await phone.getByRole("heading", { name: "Menu base" }).waitFor();
  const content = await phone.content();
  expect(content).toContain("Dish 1");
  expect(content).toContain("£0.50");
  expect(content).not.toContain("98765");
  expect(content).not.toContain("Cost");
  expect(await phone.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth))).toBe(390);
  await phone.getByRole("link", { name: /Next/ }).click();
  await phone.getByText("Dish 101", { exact: true }).first().waitFor();

  // In a wide window it is a table, with every value below its column's name.
  const wide = await openWindow(at.browser, service);
  const desk = await wide.context.newPage();
  await desk.goto(link);
  const misplaced = await desk.evaluate(() => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- only this function goes to the page
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
  await page.getByText("Only members of the organization can open this base.").waitFor();
  expect((await phone.goto(next))?.status()).toBe(404);
  expect(seen).toEqual({ violations: [], outside: [], errors: [] });
  await context.close();
});
