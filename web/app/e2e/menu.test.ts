import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, type Table } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture("en-US");
const widths = [220, 160, 120];

test("records are opened, duplicated and named from the grid, and fields from their heads", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
      { name: "Height", type: "number", config: { description: "In metres." } },
    ],
    [
      { Name: "Oak", Kind: "Tree", Height: 30 },
      { Name: "Mint", Kind: "Herb", Height: 0.5 },
    ],
  );
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  const named = async () => (await rowsOf(table.id)).map(({ fields }) => `${fields.Name} ${fields.Kind}`);
  const fields = async () => (await call<Table>("GET", `/tables/${table.id}`)).body.fields;
  const heads = () => page.getByTestId("data-grid-canvas").locator("[role=columnheader]").allTextContents();

  // What opens the record is at the end of its first cell.
  await page.mouse.click(box.x + 52 + 220 - 12, box.y + 38 + 17);
  await page.getByRole("dialog").getByText("Oak").first().waitFor();
  await page.keyboard.press("Escape");

  // The menu of a row opens with the keyboard too.
  await clickCell(page, widths, 1, 0);
  await page.keyboard.press("Shift+F10");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Duplicate record" }).click();
  await expect.poll(named).toEqual(["Oak Tree", "Mint Herb", "Oak Tree"]);
  await page.mouse.click(box.x + 100, box.y + 38 + 34 + 17, { button: "right" });
  await page.getByRole("menuitem", { name: "Copy record id" }).click();
  const [, mint] = await rowsOf(table.id);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(mint?.id);
  await page.mouse.click(box.x + 100, box.y + 38 + 34 + 17, { button: "right" });
  await page.getByRole("menuitem", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`record=${mint?.id}`);

  // A double click on a head renames its field.
  await page.mouse.dblclick(box.x + 52 + 220 + 160 + 60, box.y + 19);
  await page.getByLabel("Name", { exact: true }).fill("Metres");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await fields()).map(({ name }) => name)).toContain("Metres");

  await page.getByRole("dialog", { name: "Rename field" }).waitFor({ state: "detached" });

  // A copy with its values stands behind the field, and a new field before it.
  const menuOf = (x: number) => page.mouse.click(box.x + 52 + x, box.y + 19, { button: "right" });
  await menuOf(220 + 160 + 40);
  await page.getByText("In metres.").waitFor();
  await page.getByRole("menuitem", { name: "Duplicate with values" }).click();
  await page.getByText("“Metres” was duplicated").first().waitFor();
  expect((await rowsOf(table.id)).map((row) => row.fields["Metres copy"])).toEqual([30, 0.5, 30]);
  await menuOf(220 + 40);
  await page.getByRole("menuitem", { name: "Insert field to the left" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Place");
  await page.getByRole("button", { name: "Create field" }).click();
  await expect.poll(heads).toEqual(expect.arrayContaining(["Name", "Place", "Kind", "Metres", "Metres copy"]));
  const shown = (await heads()).filter(Boolean);
  expect(shown.slice(-5)).toEqual(["Name", "Place", "Kind", "Metres", "Metres copy"]);

  // A double click on the edge of a column fits its width, which the view keeps.
  await page.mouse.dblclick(box.x + 52 + 220, box.y + 19);
  type Config = { config: { columnWidths?: Record<string, number> } };
  const width = async () => {
    const view = (await call<Config>("GET", `/views/${table.views[0]?.id}`)).body;
    return view.config.columnWidths?.[table.fields[0]!.id];
  };
  await expect.poll(width).toBeLessThan(200);

  // All ticked records are duplicated at once, and taken back at once.
  await clickCell(page, [120], 0, 2);
  await page.mouse.click(box.x + 26, box.y + 38 + 17);
  await page.getByText("1 selected").waitFor();
  await page.keyboard.down("Control");
  await page.mouse.click(box.x + 26, box.y + 38 + 34 + 17);
  await page.keyboard.up("Control");
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Duplicate", exact: true }).click();
  await expect.poll(named).toEqual(["Oak Tree", "Mint Herb", "Oak Tree", "Oak Tree", "Mint Herb"]);
  await clickCell(page, [120], 0, 0);
  await page.keyboard.press("Control+z");
  await expect.poll(named).toEqual(["Oak Tree", "Mint Herb", "Oak Tree"]);
});
