import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, until } from "./fixture.ts";

const fixture = browserFixture();
const widths = [220, 120];
const fields = [
  { name: "Name", type: "text" },
  { name: "Height", type: "number" },
];

const names = async (tableId: string) => (await rowsOf(tableId)).map(({ fields: { Name } }) => Name).toSorted();

async function open(rows: Record<string, unknown>[]) {
  const created = await createTable("Plants", fields, rows);
  await fixture.page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(fixture.page);
  return { ...created, tableId: created.table.id };
}

async function type(page: Page, column: number, value: string, row = 0) {
  await clickCell(page, widths, column, row);
  await page.keyboard.type(value);
  await page.keyboard.press("Enter");
  await page.getByText("All changes saved").waitFor({ state: "attached" });
}

const become = (tableId: string, wanted: unknown[]) =>
  expect(
    until(
      () => names(tableId),
      (now) => JSON.stringify(now) === JSON.stringify(wanted),
    ),
  ).resolves.toEqual(wanted);

test("the history of a record tells each change, and gives a former version back", async () => {
  const { baseId, tableId } = await open([{ Name: "Oak", Height: 1 }]);
  const { page } = fixture;
  await type(page, 0, "Elm");
  await become(tableId, ["Elm"]);
  const [record] = await rowsOf(tableId);
  await call("PATCH", `/records/${record?.id}`, { fields: { Height: 7 } });
  await page.goto(`/base/${baseId}/${tableId}?record=${record?.id}`);
  await page.getByRole("tab", { name: "History" }).click();
  const changes = page.getByRole("list", { name: "History" }).locator("> li");
  await changes.nth(2).waitFor();
  expect(await changes.count()).toBe(3);
  expect(await changes.nth(0).textContent()).toContain("HeightBefore: 1After: 7");
  expect(await changes.nth(0).textContent()).toContain("with an API key");
  expect(await changes.nth(1).textContent()).toContain("NameBefore: OakAfter: Elm");
  expect(await changes.nth(2).textContent()).toContain("added the record");
  await changes.nth(2).getByRole("button", { name: "Restore this version" }).click();
  await become(tableId, ["Oak"]);
  expect((await rowsOf(tableId))[0]?.fields).toMatchObject({ Name: "Oak", Height: 1 });
  await expect.poll(() => changes.count()).toBe(4);
});

test("an undo asks before it overwrites newer changes", async () => {
  const { tableId } = await open([{ Name: "Oak" }]);
  const { page } = fixture;
  await type(page, 0, "Elm");
  await become(tableId, ["Elm"]);
  const [record] = await rowsOf(tableId);
  await call("PATCH", `/records/${record?.id}`, { fields: { Name: "Fir" } });
  const question = page.getByRole("dialog", { name: "Undo this change?" });
  await page.keyboard.press("Control+z");
  await question.getByText("Changed since").waitFor();
  expect(await question.getByRole("definition").allTextContents()).toEqual(["Fir", "Oak"]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(await names(tableId)).toEqual(["Fir"]);
  await page.keyboard.press("Control+z");
  await question.getByRole("button", { name: "Overwrite" }).click();
  await become(tableId, ["Oak"]);
});

test("recent changes are found by table and key, and reverted after their plan is shown", async () => {
  const { baseId, tableId } = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  const { page } = fixture;
  const [record] = await rowsOf(tableId);
  await call("DELETE", `/records/${record?.id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Recent changes" }).click();
  await page.waitForURL(`**/base/${baseId}/changes`);
  await page.getByText("1 record deleted in Plants").waitFor();
  await page.getByLabel("Table", { exact: true }).selectOption("Plants");
  await page.getByText("2 records added to Plants").waitFor();
  await page.getByRole("button", { name: "Revert: 1 record deleted in Plants" }).click();
  const dialog = page.getByRole("dialog", { name: "Revert these changes?" });
  await dialog.getByText("1 record deleted in Plants").waitFor();
  expect(await names(tableId)).toEqual(["Elm"]);
  await dialog.getByRole("button", { name: "Revert", exact: true }).click();
  await become(tableId, ["Elm", "Oak"]);
  await page.getByText("1 record restored in Plants").waitFor();
  await page.getByText("Reverted", { exact: true }).waitFor();
  await page.keyboard.press("Control+z"); // a revert of what a key did is a change of the person's
  await become(tableId, ["Elm"]);
});

test("the trash gives records and tables back, and lets admins delete for good", async () => {
  const { baseId, tableId } = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  const { page } = fixture;
  const extra = (await call<{ id: string }>("POST", `/bases/${baseId}/tables`, { name: "Stones", fields })).body;
  for (const { id } of await rowsOf(tableId)) await call("DELETE", `/records/${id}`);
  await call("DELETE", `/tables/${extra.id}`);
  await page.goto(`/base/${baseId}/trash`);
  await page.getByRole("region", { name: "Records" }).getByText("Oak").waitFor();
  await page.getByRole("button", { name: "Restore Oak" }).click();
  await become(tableId, ["Oak"]);
  await page.getByRole("button", { name: "Restore Stones" }).click();
  await page.getByRole("navigation", { name: "Tables" }).getByRole("link", { name: "Stones" }).waitFor();
  await page.getByRole("button", { name: "Delete Elm for good" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("The trash is empty").waitFor();
  expect(await names(tableId)).toEqual(["Oak"]);
});

test("a table is seen as it was, cannot be edited then, and comes back to now", async () => {
  const { tableId } = await open([{ Name: "Oak" }]);
  const { page } = fixture;
  await page.waitForTimeout(1100);
  const before = await page.evaluate(() => {
    const now = new Date();
    return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  });
  await page.waitForTimeout(1100);
  await type(page, 0, "Elm");
  await become(tableId, ["Elm"]);
  const grid = page.getByTestId("data-grid-canvas");
  await page.getByRole("button", { name: "Look back" }).click();
  await page.getByLabel("Date and time").fill(before);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("It is read-only.").waitFor();
  await expect.poll(() => grid.textContent()).toContain("Oak");
  expect(await page.getByRole("button", { name: "New record" }).count()).toBe(0);
  await clickCell(page, widths, 0, 0);
  await page.keyboard.type("Fir");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(500);
  expect(await names(tableId)).toEqual(["Elm"]);
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect.poll(() => grid.textContent()).toContain("Elm");
  await page.getByRole("button", { name: "New record" }).waitFor();
});
