import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady, rowsOf, type Table, until } from "./fixture.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Height", type: "number" },
];
const rows = [
  { Name: "Oak", Height: 7 },
  { Name: "Elm", Height: 5 },
];

const tablesOf = async (baseId: string) =>
  (await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body.tables.map(({ name }) => name).toSorted();
const become = <T>(read: () => Promise<T>, wanted: T) =>
  expect(until(read, (now) => JSON.stringify(now) === JSON.stringify(wanted))).resolves.toEqual(wanted);
const valuesOf = async (tableId: string) =>
  (await rowsOf(tableId))
    .map(({ fields: { Name, Height } }) => `${Name} ${Height}`)
    .toSorted((a, b) => a.localeCompare(b));

test("deleted fields and tables come back with Ctrl+Z after a reload, and go with Ctrl+Shift+Z", async () => {
  const { baseId, table } = await createTable("Plants", fields, rows);
  const stones = (await call<{ id: string }>("POST", `/bases/${baseId}/tables`, { name: "Stones", fields })).body;
  await call("POST", `/tables/${stones.id}/records`, { records: rows.map((row) => ({ fields: row })) });
  const { page } = fixture;
  const grid = page.getByTestId("data-grid-canvas");
  const tabs = page.getByRole("navigation", { name: "Tables" });
  const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor();

  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await grid.boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 120 - 14, box.y + 19);
  await page.getByRole("menuitem", { name: "Delete field" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete field" }).click();
  await become(() => valuesOf(table.id), ["Elm undefined", "Oak undefined"]);

  await page.goto(`/base/${baseId}/${stones.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: /Stones/ }).click();
  await page.getByRole("menuitem", { name: "Delete table" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill("Stones");
  await question.getByRole("button", { name: "Delete table" }).click();
  await become(() => tablesOf(baseId), ["Plants"]);
  await page.waitForURL(`**/base/${baseId}/${table.id}`);

  await page.reload();
  await gridReady(page);
  expect(await grid.textContent()).not.toContain("Height");
  await page.keyboard.press("Control+z");
  await toast("Undid: Deleted the table Stones");
  await tabs.getByRole("link", { name: "Stones" }).waitFor();
  await become(() => valuesOf(stones.id), ["Elm 5", "Oak 7"]);
  await page.keyboard.press("Control+z");
  await toast("Undid: Deleted the field Height");
  await become(() => valuesOf(table.id), ["Elm 5", "Oak 7"]);
  await expect.poll(() => grid.textContent()).toContain("Height");
  await expect.poll(() => grid.textContent()).toContain("7");

  await page.keyboard.press("Control+Shift+Z");
  await toast("Redid: Deleted the field Height");
  await expect.poll(() => grid.textContent()).not.toContain("Height");
  // The table that is open goes, and the page leads to another one.
  await tabs.getByRole("link", { name: "Stones" }).click();
  await page.waitForURL(`**/base/${baseId}/${stones.id}`);
  await gridReady(page);
  await page.keyboard.press("Control+Shift+Z");
  await toast("Redid: Deleted the table Stones");
  await page.waitForURL(`**/base/${baseId}/${table.id}`);
  await gridReady(page);
  await become(() => tablesOf(baseId), ["Plants"]);

  await page.goto(`/base/${baseId}/changes`);
  await page.getByRole("listitem").filter({ hasText: "Deleted the table Stones" }).first().waitFor();
  await page.getByRole("listitem").filter({ hasText: "Restored the field Height" }).first().waitFor();
});
