import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, type View } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

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
  await expect.poll(() => price.textContent()).toBe("Summary of Price: Sum $2,004.50");
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

  // Columns that stand apart are added up together.
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 60, box.y + 19);
  await page.keyboard.down("Control");
  await page.mouse.click(box.x + 52 + widths[0]! + widths[1]! + 60, box.y + 19);
  await page.keyboard.up("Control");
  await expect.poll(() => sums.textContent()).toContain("8 cells");
  expect(await sums.textContent()).toContain("Filled 7Sum $2,004.50");

  // An edit is in the sum at once.
  await clickCell(page, widths, 2, 3);
  await page.keyboard.type("0.5");
  await page.keyboard.press("Enter");
  await expect.poll(() => price.textContent()).toBe("Summary of Price: Sum $2,005.00");
});

test("rows are grouped from the menu of a column, and folded with the keyboard", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Groups", fields, rows);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const canvas = page.getByTestId("data-grid-canvas");
  const box = (await canvas.boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 60, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Group by this field" }).click();
  // Tree (Oak, Elm), Herb (Mint), none (Stone): what assistive technology reads.
  const first = canvas.locator("td[aria-colindex='1']");
  const cells = async () => (await first.allTextContents()).filter(Boolean).join(" | ");
  const tree = "Kind: Tree, 2 records, unfolded | Oak | Elm";
  const none = "Kind: (No Kind), 1 record, unfolded";
  await expect.poll(cells).toBe(`${tree} | Kind: Herb, 1 record, unfolded | Mint | ${none} | Stone`);
  await picture(page, "grouped-light-1280");
  expect(await findings(page)).toEqual([]);

  await clickCell(page, widths, 0, 1);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(cells).toContain("Kind: Tree, 2 records, folded | Kind: Herb");
  await page.keyboard.press(" ");
  await expect.poll(cells).toContain(tree);

  // A record that gets another value moves to its group, which is counted again.
  await clickCell(page, widths, 1, 4);
  await page.keyboard.type("Tree");
  await page.keyboard.press("Enter");
  await expect.poll(cells).toBe(`Kind: Tree, 3 records, unfolded | Oak | Mint | Elm | ${none} | Stone`);

  // A new record of a group has its value, and a paste goes on in the next group.
  await page.mouse.click(box.x + 150, box.y + 38 + 17, { button: "right" });
  await page.getByRole("menuitem", { name: "New record in this group" }).click();
  await expect.poll(cells).toContain("Kind: Tree, 4 records");
  await page.evaluate(() => navigator.clipboard.writeText("Ash\nPine\nRock"));
  await clickCell(page, widths, 0, 3);
  await page.keyboard.press("Control+v");
  await expect.poll(cells).toContain(`Oak | Mint | Ash | Pine | ${none} | Rock`);
  expect((await rowsOf(table.id)).map(({ fields: values }) => [values.Name, values.Kind])).toEqual(
    expect.arrayContaining([
      ["Pine", "Tree"],
      ["Rock", null],
    ]),
  );
});
