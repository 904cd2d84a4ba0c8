import { expect, test } from "vitest";
import { browserFixture, cellAt, clickCell, createTable, gridReady, rowsOf, until } from "./fixture.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const widths = [220, 120, 160];

test("selected records are merged into the one that is chosen, and undo brings them back", async () => {
  const fields = [
    { name: "Name", type: "text" },
    { name: "Height", type: "number" },
    { name: "Kind", type: "multi_select", config: { options: ["Tree", "Salt, pepper"] } },
  ];
  const { baseId, table } = await createTable("Plants", fields, [
    { Name: "Oak", Height: 20, Kind: ["Tree"] },
    { Name: "Quercus", Kind: ["Salt, pepper"] },
  ]);
  const { page } = fixture;
  const tick = async (row: number) => {
    const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
    await page.mouse.click(box.x + 26, (await cellAt(page, widths, 0, row)).y);
  };
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await tick(0);
  expect(await page.getByRole("button", { name: "Merge records" }).count()).toBe(0);
  await page.keyboard.down("Control");
  await tick(1);
  await page.keyboard.up("Control");
  await page.getByRole("button", { name: "Merge records" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Record to keep").selectOption({ label: "Quercus" });
  await dialog.getByText("Salt, pepper, Tree").waitFor();
  await dialog.getByText("20", { exact: true }).waitFor();
  expect(await dialog.getByLabel("Value of Name").locator("option").allTextContents()).toEqual(["Oak", "Quercus"]);
  expect(await dialog.getByLabel("Value of Height").count()).toBe(0); // one record alone has a height
  expect((await rowsOf(table.id)).length).toBe(2);
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  const [left, ...others] = await rowsOf(table.id);
  expect(others).toEqual([]);
  expect(left?.fields).toMatchObject({ Name: "Quercus", Height: 20, Kind: ["Salt, pepper", "Tree"] });
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Control+z");
  await until(
    () => rowsOf(table.id),
    (rows) => rows.length === 2,
  );
  expect((await rowsOf(table.id)).map((row) => [row.fields.Name, row.fields.Height ?? null])).toEqual([
    ["Oak", 20],
    ["Quercus", null],
  ]);
});

test("where the records differ, a person chooses which value stays", async () => {
  const fields = [
    { name: "Name", type: "text" },
    { name: "Height", type: "number" },
    { name: "Planted", type: "date" },
    { name: "Kind", type: "single_select", config: { options: ["Tree", "Shrub"] } },
    { name: "Tags", type: "multi_select", config: { options: ["a", "b"] } },
  ];
  const { baseId, table } = await createTable("Plants", fields, [
    { Name: "Oak", Height: 20, Planted: "2020-03-01", Kind: "Tree", Tags: ["a"] },
    { Name: "Oak", Height: 21, Planted: "2021-04-02", Kind: "Shrub", Tags: ["b"] },
  ]);
  const { page } = fixture;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 26, (await cellAt(page, widths, 0, 0)).y);
  await page.keyboard.down("Control");
  await page.mouse.click(box.x + 26, (await cellAt(page, widths, 0, 1)).y);
  await page.keyboard.up("Control");
  await page.getByRole("button", { name: "Merge records" }).click();
  const dialog = page.getByRole("dialog");
  const height = dialog.getByLabel("Value of Height");
  await height.waitFor();
  expect(await dialog.getByLabel("Value of Name").count()).toBe(0); // the same in both
  expect(await dialog.getByLabel("Value of Tags").count()).toBe(0); // united
  await height.selectOption({ label: "21" });
  await dialog.getByLabel("Value of Kind").selectOption({ label: "Shrub" });
  await dialog.getByLabel("Value of Kind").selectOption({ label: "Tree" });
  await picture(page, "merge");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  const rows = await rowsOf(table.id);
  expect(rows.map((row) => row.fields)).toMatchObject([
    { Name: "Oak", Height: 21, Planted: "2020-03-01", Kind: "Tree", Tags: ["a", "b"] },
  ]);
});
