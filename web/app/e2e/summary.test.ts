import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, type View } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture("en-US");
const fields = [
  { name: "Name", type: "text" },
  { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
  { name: "Price", type: "currency", config: { symbol: "$", precision: 2 } },
];
const widths = [220, 160, 130];
const rows = [
  { Name: "Oak", Kind: "Tree", Price: 1200 },
  { Name: "Mint", Kind: "Herb", Price: 4.5 },
  { Name: "Elm", Kind: "Tree", Price: 800 },
  { Name: "Stone" },
];

test("columns and selected cells are summed up", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Sums", fields, rows);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const price = page.getByRole("button", { name: "Summary of Price" });
  // With the keyboard alone.
  await page.getByRole("button", { name: "Summarize Price" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Sum", exact: true }).press("Enter");
  await expect.poll(() => price.textContent()).toBe("Sum $2,004.50");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain("Sum");
  const view = async () => (await call<View & { config: unknown }>("GET", `/views/${table.views[0]?.id}`)).body.config;
  await expect.poll(view).toEqual({ aggregates: { [table.fields[2]!.id]: "sum" } });

  await clickCell(page, widths, 2, 0);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  const sums = page.getByRole("status", { name: "Selected cells" });
  await expect.poll(() => sums.textContent()).toContain("3 cells");
  expect(await sums.textContent()).toContain("Sum $2,004.50Average $668.17");
  expect(await findings(page)).toEqual([]);

  // An edit is in the sum at once.
  await clickCell(page, widths, 2, 3);
  await page.keyboard.type("0.5");
  await page.keyboard.press("Enter");
  await expect.poll(() => price.textContent()).toBe("Sum $2,005.00");
});
