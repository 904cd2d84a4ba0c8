import { expect, test } from "vitest";
import { browserFixture, cellAt, clickCell, createTable, gridReady, type Row, rowsOf, until } from "./fixture.ts";

const fixture = browserFixture();
const widths = [220, 120, 160];

async function open(rows: Record<string, unknown>[], more: unknown[] = []) {
  const created = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
      { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
      ...more,
    ],
    rows,
  );
  await fixture.page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(fixture.page);
  return created.table;
}

const names = (rows: Row[]) => rows.map((row) => row.fields.Name);

test("a record is edited with the keyboard alone and is saved", async () => {
  const table = await open([{ Name: "Oak", Height: 20 }]);
  const { page } = fixture;
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type(" tree");
  await page.keyboard.press("Tab");
  await page.keyboard.type("25");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Tre");
  await page.keyboard.press("Enter");
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Kind === "Tree",
  );
  expect(rows[0]?.fields).toMatchObject({ Name: "Oak tree", Height: 25, Kind: "Tree" });
  await page.reload();
  await gridReady(page);
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain("Oak tree");
});

test("Escape discards an edit", async () => {
  const table = await open([{ Name: "Ash" }]);
  await clickCell(fixture.page, widths, 0, 0);
  await fixture.page.keyboard.type("something else");
  await fixture.page.keyboard.press("Escape");
  await fixture.page.waitForTimeout(300);
  expect(names(await rowsOf(table.id))).toEqual(["Ash"]);
});

test("an invalid value keeps the editor open and says why", async () => {
  await open([{ Name: "Ash" }]);
  await clickCell(fixture.page, widths, 1, 0);
  await fixture.page.keyboard.type("tall");
  await fixture.page.keyboard.press("Enter");
  await fixture.page.getByText("“tall” is not a number").waitFor();
  await fixture.page.keyboard.press("Escape");
});

test("a range is copied and pasted with new rows at the end, and undo reverts it", async () => {
  const table = await open([
    { Name: "Oak", Height: 20 },
    { Name: "Elm", Height: 15 },
  ]);
  const { page } = fixture;
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  await clickCell(page, widths, 0, 1);
  await page.keyboard.press("Control+v");
  const rows = await until(
    () => rowsOf(table.id),
    (list) => list.length === 3,
  );
  expect(rows.map((row) => [row.fields.Name, row.fields.Height])).toEqual([
    ["Oak", 20],
    ["Oak", 20],
    ["Elm", 15],
  ]);
  await page.keyboard.press("Control+z");
  const undone = await until(
    () => rowsOf(table.id),
    (list) => list[1]?.fields.Name === "Elm",
  );
  expect(undone[1]?.fields).toMatchObject({ Name: "Elm", Height: 15 });
});

test("Delete clears the selected cells", async () => {
  const table = await open([{ Name: "Oak", Height: 20, Kind: "Tree" }]);
  await clickCell(fixture.page, widths, 1, 0);
  await fixture.page.keyboard.press("Shift+ArrowRight");
  await fixture.page.keyboard.press("Delete");
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Kind === null,
  );
  expect(rows[0]?.fields).toMatchObject({ Name: "Oak", Height: null, Kind: null });
});

test("an edit that the service refuses is reverted with the reason", async () => {
  const table = await open(
    [
      { Name: "Oak", Code: "a" },
      { Name: "Elm", Code: "b" },
    ],
    [{ name: "Code", type: "text", config: { unique: true } }],
  );
  const { page } = fixture;
  await clickCell(page, [...widths, 220], 3, 1);
  await page.keyboard.type("a");
  await page.keyboard.press("Enter");
  await page.getByText("The change was not accepted").first().waitFor({ state: "attached" });
  expect((await rowsOf(table.id)).map((row) => row.fields.Code)).toEqual(["a", "b"]);
});

test("an edit made offline is kept, reported, and sent once online", async () => {
  const table = await open([{ Name: "Oak" }]);
  const { page, context } = fixture;
  await context.setOffline(true);
  await clickCell(page, widths, 0, 0);
  await page.keyboard.type("Fir");
  await page.keyboard.press("Enter");
  await page.getByText("No connection. 1 change is kept.").waitFor();
  expect(names(await rowsOf(table.id))).toEqual(["Oak"]);
  await context.setOffline(false);
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        ([row]) => row?.fields.Name === "Fir",
      ),
    ),
  ).toEqual(["Fir"]);
});

test("two clients that edit different fields of one record lose nothing", async () => {
  const table = await open([{ Name: "Oak", Height: 1 }]);
  const other = await fixture.context.newPage();
  await other.goto(fixture.page.url());
  await gridReady(other);
  // Both edits begin before either ends. A page in the background gets no frames, so each page
  // comes to the front for its edit.
  await other.bringToFront();
  await clickCell(other, widths, 1, 0);
  await other.keyboard.type("33");
  await fixture.page.bringToFront();
  await clickCell(fixture.page, widths, 0, 0);
  await fixture.page.keyboard.type("Beech");
  await fixture.page.keyboard.press("Enter");
  await other.bringToFront();
  await other.keyboard.press("Enter");
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Name === "Beech" && row.fields.Height === 33,
  );
  await other.close();
  expect(rows[0]?.fields).toMatchObject({ Name: "Beech", Height: 33 });
});

test("Space opens the record form, which has a label for every field and saves an entry", async () => {
  const table = await open([{ Name: "Oak", Height: 20 }]);
  const { page } = fixture;
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Space");
  const dialog = page.getByRole("dialog", { name: "Oak" });
  await dialog.waitFor();
  await dialog.getByRole("textbox", { name: "Height" }).fill("21");
  await page.keyboard.press("Tab");
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Height === 21,
  );
  expect(rows[0]?.fields.Height).toBe(21);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
});

test("a filter and a search narrow the records, and the filter can be saved to the view", async () => {
  const table = await open([
    { Name: "Oak", Height: 20 },
    { Name: "Thyme", Height: 1 },
    { Name: "Elm", Height: 15 },
  ]);
  const { page } = fixture;
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Field", { exact: true }).selectOption({ label: "Height" });
  await page.getByLabel("Operator").selectOption("gt");
  await page.getByLabel("Value").fill("10");
  await page.getByText("2 records").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save to view" }).click();
  await until(
    () => rowsOf(table.id, `?view=${table.views[0]?.id}`),
    (rows) => rows.length === 2,
  );
  await page.getByRole("searchbox", { name: "Search in this table" }).fill("elm");
  await page.getByText("1 record", { exact: true }).waitFor();
  expect(names(await rowsOf(table.id, `?view=${table.views[0]?.id}`))).toEqual(["Oak", "Elm"]);
});

test("selected records are deleted after a confirmation", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  const { page } = fixture;
  const cell = await cellAt(page, widths, 0, 1);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 26, cell.y);
  await page.getByRole("button", { name: "Delete record" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete record" }).click();
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (rows) => rows.length === 1,
      ),
    ),
  ).toEqual(["Oak"]);
});
