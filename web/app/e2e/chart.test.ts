import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, rowsOf, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");
const fields = [
  { name: "Name", type: "text" },
  { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb", "Moss"] } },
  { name: "Price", type: "currency", config: { symbol: "$", precision: 2 } },
  { name: "Bought", type: "date" },
  { name: "Shop", type: "text" },
];
const rows = [
  { Name: "Oak", Kind: "Tree", Price: 1200, Bought: "2025-01-15", Shop: "North" },
  { Name: "Elm", Kind: "Tree", Price: 800, Bought: "2025-02-03", Shop: "South" },
  { Name: "Mint", Kind: "Herb", Price: 4.5, Bought: "2025-02-20", Shop: "North" },
  { Name: "Thyme", Kind: "Herb", Price: 300, Bought: "2025-05-01", Shop: "South" },
  { Name: "Peat", Kind: "Moss", Price: 150, Bought: "2025-06-12", Shop: "North" },
  { Name: "Stone", Price: 90, Shop: "South" },
];
const red = "#cf4a4c"; // the mark of the first option

test("a chart is made by hand, and follows what others write", async () => {
  const { page, context } = fixture;
  page.setDefaultTimeout(9000);
  const { baseId, table } = await createTable("Plants", fields, rows);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add view" }).click();
  await page.getByRole("menuitem", { name: "Chart" }).click();
  await page.getByRole("button", { name: "Create view" }).click();

  // It begins with the number of records of each option.
  const chart = page.getByRole("figure", { name: "Number of records by Kind" });
  const numbers = () => page.getByRole("figure").getByRole("row").allTextContents();
  await chart.waitFor();
  expect(await numbers()).toEqual(["KindNumber of records", "Tree2", "Herb2", "Moss1", "(No Kind)1"]);
  const settings = page.getByRole("button", { name: /^Chart settings/ });
  await settings.click();
  await page.getByLabel("Shows").selectOption("Price");
  await page.getByRole("figure", { name: "Sum of Price by Kind" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "chart-settings-light-1280");
  await page.keyboard.press("Escape");
  expect(await numbers()).toEqual([
    "KindSum of Price",
    "Tree$2,000.00",
    "Herb$304.50",
    "Moss$150.00",
    "(No Kind)$90.00",
  ]);
  const bar = (await page.locator(`figure svg path[fill="${red}"]`).boundingBox())!;
  const middle = [bar.x + bar.width / 2, bar.y + bar.height / 2] as const;
  await page.mouse.move(...middle);
  await picture(page, "chart-bar-light-1280");

  // What somebody else writes is drawn.
  const fern = { Name: "Fern", Kind: "Moss", Price: 50, Shop: "North" };
  await call("POST", `/tables/${table.id}/records`, { fields: fern });
  await expect.poll(numbers).toContain("Moss$200.00");

  // A bar leads to its records.
  const dialog = page.getByRole("dialog", { name: "Tree: 2 records" });
  await page.mouse.click(...middle);
  await dialog.getByRole("button", { name: "Elm" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show as table" }).click();
  await page.getByRole("button", { name: "Show the records of Tree" }).press("Enter");
  await dialog.getByRole("button", { name: "Oak" }).press("Enter");
  await page.getByRole("dialog", { name: "Oak" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show as chart" }).click();

  const become = async (kind: string) => {
    await page.getByRole("button", { name: /^Kind of chart/ }).click();
    await page.getByRole("menuitem", { name: kind }).click();
  };
  await become("Line");
  await settings.click();
  await page.getByLabel("Group by", { exact: true }).selectOption("Bought");
  await page.getByRole("figure", { name: "Sum of Price by Bought (month)" }).waitFor();
  await page.getByLabel("Divide by", { exact: true }).selectOption("Shop");
  await page.getByRole("figure", { name: "Sum of Price by Bought (month) and Shop" }).waitFor();
  await page.keyboard.press("Escape");
  // Months without records are drawn too.
  expect(await numbers()).toContain("Mar 2025$0.00$0.00");
  await picture(page, "chart-line-light-1280");
  await become("Bars");
  await settings.click();
  await page.getByText("Stack the bars").click();
  await page.keyboard.press("Escape");
  await picture(page, "chart-stacked-light-1280");
  await become("Pie");
  await page.getByRole("figure", { name: "Sum of Price by Bought (month)" }).waitFor();
  await picture(page, "chart-pie-light-1280");
  await become("Number");
  await page.getByRole("figure").getByText("$2,594.50").waitFor();
  await picture(page, "chart-number-light-1280");
  await become("Bars");
  expect(await rowsOf(table.id)).toHaveLength(7);

  // On a phone in the dark.
  const dark = await newContext(fixture.browser, testService(), { width: 390, height: 844, dark: true });
  await dark.context.addCookies(await context.cookies());
  const phone = await dark.context.newPage();
  await phone.goto(page.url());
  await phone.getByRole("figure", { name: /^Sum of Price/ }).waitFor();
  expect(await findings(phone)).toEqual([]);
  expect(await phone.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth))).toBe(390);
  await picture(phone, "chart-stacked-dark-390");
  await dark.context.close();
  expect(dark.problems).toEqual(noProblems);
});

test("charts stand on a dashboard, which is laid out with pointer and keyboard", async () => {
  const { page, context } = fixture;
  const { baseId, table } = await createTable("Shop", fields, rows);
  const [, kind, price, bought] = table.fields.map(({ id }) => id);
  const sum = { fn: "sum", fieldId: price };
  for (const [name, chart] of [
    ["Income", { kind: "number", value: sum }],
    ["By kind", { kind: "bar", value: sum, groupBy: { fieldId: kind } }],
    ["Over time", { kind: "line", value: sum, groupBy: { fieldId: bought, span: "month" } }],
  ] as const)
    await call("POST", `/tables/${table.id}/views`, { type: "chart", name, config: { chart } });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add table" }).click();
  await page.getByRole("menuitem", { name: "Add dashboard" }).click();
  await page.getByLabel("Dashboard name").fill("Sales");
  await page.getByRole("button", { name: "Create dashboard" }).click();
  await page.getByRole("heading", { name: "This dashboard is empty" }).waitFor();
  await page.getByRole("button", { name: "Edit layout" }).first().click();
  for (const name of ["By kind", "Over time", "Income", "Grid view", "A text"]) {
    await page.getByRole("button", { name: "Add tile" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  }
  await page.getByLabel("Text of the tile").fill("What we sold this year.");
  const tile = (name: string) => page.getByRole("region", { name, exact: true });
  const placed = async () => {
    const found = await call<{ dashboards: { tiles: Record<string, unknown>[] }[] }>(
      "GET",
      `/bases/${baseId}/dashboards`,
    );
    return found.body.dashboards[0]?.tiles.map(({ column, row, width, height }) => [column, row, width, height]);
  };

  // The line moves next to the bars with the pointer, and the text to the top with the keyboard.
  const drag = async (from: string, x: number, y: number) => {
    const box = (await page.getByRole("button", { name: from, exact: true }).boundingBox())!;
    const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.move(left + x / 2, top + y / 2);
    await page.mouse.move(left + x, top + y);
    await page.mouse.up();
  };
  await page.setViewportSize({ width: 1280, height: 1600 }); // the pointer does not scroll
  const width = (await tile("By kind").boundingBox())!.width;
  await drag("Move Over time", width + 12, -408);
  await drag("Change the size of Over time", 0, -68);
  await page.getByRole("button", { name: "Move Text", exact: true }).focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowUp");
  await page.getByRole("button", { name: "Move Income", exact: true }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.getByRole("status").filter({ hasText: "Income: column 1, row 9, 4 wide, 3 high" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "chart-dashboard-editing-light-1280");
  await page.getByRole("button", { name: "Done" }).click();
  await expect.poll(placed).toEqual([
    [0, 2, 6, 6],
    [6, 0, 6, 5],
    [0, 8, 4, 3],
    [0, 11, 6, 6],
    [0, 0, 6, 2],
  ]);

  // What somebody else writes is on it at once.
  await tile("Income").getByText("$2,544.50").waitFor();
  await call("POST", `/tables/${table.id}/records`, { fields: { Name: "Fern", Kind: "Moss", Price: 1000 } });
  await tile("Income").getByText("$3,544.50").waitFor();
  await expect.poll(() => tile("By kind").getByRole("row").allTextContents()).toContain("Moss$1,150.00");
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.mouse.move(5, 5);
  await picture(page, "chart-dashboard-light-1440");
  expect(await findings(page)).toEqual([]);

  // A view that is deleted leaves it.
  await tile("Over time").getByRole("link", { name: "Over time" }).click();
  await page.getByRole("button", { name: "Actions for the view Over time" }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete view" }).click();
  await page.getByRole("link", { name: "Sales" }).click();
  await tile("By kind").waitFor();
  expect(await tile("Over time").count()).toBe(0);

  const dark = await newContext(fixture.browser, testService(), { width: 390, height: 844, dark: true });
  await dark.context.addCookies(await context.cookies());
  const phone = await dark.context.newPage();
  await phone.goto(page.url());
  await phone.getByRole("figure", { name: "Sum of Price by Kind" }).waitFor();
  expect(await findings(phone)).toEqual([]);
  expect(await phone.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth))).toBe(390);
  await picture(phone, "chart-dashboard-dark-390");
  await dark.context.close();
  expect(dark.problems).toEqual(noProblems);
});
