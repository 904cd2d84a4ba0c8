import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, cellAt, createTable, gridReady } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();
const widths = [220];

/** The names of the records in the order of the view. */
const namesOf = async (tableId: string, view: string | undefined) => {
  const { body } = await call<{ records: { fields: { Name: string } }[] }>(
    "GET",
    `/tables/${tableId}/records?view=${view}`,
  );
  return body.records.map(({ fields }) => fields.Name);
};

async function drag(page: Page, from: number, to: number) {
  const [{ y: start }, { y: end }] = [await cellAt(page, widths, 0, from), await cellAt(page, widths, 0, to)];
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.move(box.x + 8, start);
  await page.mouse.down();
  await page.mouse.move(box.x + 8, (start + end) / 2, { steps: 5 });
  await page.mouse.move(box.x + 8, end, { steps: 5 });
  await page.waitForTimeout(150); // the grid notes the row below the pointer when it draws
  await page.mouse.up();
}

test("records are dragged, moved by the menu and inserted, and undo brings them back", async () => {
  const { page } = fixture;
  const rows = ["Oak", "Elm", "Fir", "Ash"].map((Name) => ({ Name }));
  const { baseId, table } = await createTable("Plants", [{ name: "Name", type: "text" }], rows);
  const view = table.views[0]?.id;
  const order = (...names: string[]) => expect.poll(() => namesOf(table.id, view), { timeout: 10_000 }).toEqual(names);
  const shown = (...names: string[]) =>
    expect
      .poll(() => page.locator("canvas td[aria-colindex='1']").allTextContents(), { timeout: 10_000 })
      .toEqual(names);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);

  await drag(page, 3, 0);
  await order("Ash", "Oak", "Elm", "Fir");
  await shown("Ash", "Oak", "Elm", "Fir");
  await page.getByRole("button", { name: "Manual order" }).click();
  await page.getByText("Drag records by their numbers").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");

  const menu = async (row: number, item: string) => {
    const cell = await cellAt(page, widths, 0, row);
    await page.mouse.click(cell.x, cell.y, { button: "right" });
    await page.getByRole("menuitem", { name: item }).click();
  };
  await menu(1, "Move down");
  await order("Ash", "Elm", "Oak", "Fir");
  await shown("Ash", "Elm", "Oak", "Fir");
  await menu(2, "Open record");
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByText("moved the record in a view").waitFor();
  await page.keyboard.press("Escape");
  await menu(1, "Insert record above");
  await shown("Ash", "", "Elm", "Oak", "Fir");
  await page.locator("canvas #glide-cell-1-1[aria-selected=true]").waitFor({ state: "attached" });
  await page.keyboard.type("Yew");
  await page.keyboard.press("Enter");
  await order("Ash", "Yew", "Elm", "Oak", "Fir");
  await page.keyboard.press("Control+z"); // the name
  await page.keyboard.press("Control+z"); // the record
  await order("Ash", "Elm", "Oak", "Fir");
  await page.keyboard.press("Control+z"); // the move
  await order("Ash", "Oak", "Elm", "Fir");
  await shown("Ash", "Oak", "Elm", "Fir");
});

test("cards of a board are dragged to a place among others, and into another column there", async () => {
  const { page } = fixture;
  const kind = { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } };
  const rows = ["Oak", "Elm", "Fir"].map((Name) => ({ Name, Kind: "Tree" }));
  const { baseId, table } = await createTable("Plants", [{ name: "Name", type: "text" }, kind], [
    ...rows,
    { Name: "Mint", Kind: "Herb" },
    { Name: "Dill", Kind: "Herb" },
  ]);
  const { body: view } = await call<{ id: string }>("POST", `/tables/${table.id}/views`, {
    type: "kanban",
    config: { stackFieldId: "Kind" },
  });
  await page.goto(`/base/${baseId}/${table.id}?view=${view.id}`);
  const cards = (column: string) => page.getByRole("region", { name: column, exact: true }).getByRole("listitem");
  const shown = (column: string, ...names: string[]) =>
    expect
      .poll(async () => (await cards(column).allInnerTexts()).map((text) => text.split("\n")[0]), { timeout: 10_000 })
      .toEqual(names);
  await shown("Tree", "Oak", "Elm", "Fir");
  const card = (column: string, name: string) => cards(column).filter({ hasText: name });
  await card("Tree", "Fir").dragTo(card("Tree", "Oak"), { targetPosition: { x: 60, y: 4 } });
  await shown("Tree", "Fir", "Oak", "Elm");
  await card("Tree", "Oak").dragTo(card("Herb", "Dill"), { targetPosition: { x: 60, y: 4 } });
  await shown("Herb", "Mint", "Oak", "Dill");
  await shown("Tree", "Fir", "Elm");
  await expect
    .poll(() => namesOf(table.id, view.id), { timeout: 10_000 })
    .toEqual(["Fir", "Elm", "Mint", "Oak", "Dill"]);
  await card("Herb", "Dill").getByRole("button", { name: "Move Dill" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).click();
  await shown("Herb", "Mint", "Dill", "Oak");
  expect(await findings(page)).toEqual([]);
});
