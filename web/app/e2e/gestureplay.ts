import type { Page } from "playwright-core";
import { expect } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, type Table } from "./fixture.ts";

export const fixture = browserFixture("en-US");
const widths = [220, 120, 120, 160, 220];
export const [name, height, breadth, kind] = [0, 1, 2, 3];
export const start = [
  { Name: "Oak", Height: 1, Breadth: 10, Kind: "Tree", Site: "https://example.com/oak" },
  { Name: "Elm", Height: 2, Breadth: 20, Kind: "Tree", Site: null },
  { Name: "Mint", Height: 3, Breadth: 30, Kind: "Herb", Site: null },
  { Name: "Sage", Height: 4, Breadth: 40, Kind: "Herb", Site: null },
];

export type At = { page: Page; table: Table; box: { x: number; y: number } };

/** What is played for each line of the tables, one after the other. */
export type Plays = Record<string, (at: At) => Promise<unknown>>;

export const click = (column: number, row: number) => clickCell(fixture.page, widths, column, row);
export const keys = async (...pressed: string[]) => {
  for (const key of pressed)
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    await fixture.page.keyboard.press(key);
};
const current = () => fixture.page.evaluate(() => document.activeElement?.id ?? "");
const currentRow = async () => Number((await current()).split("-").at(-1));
/** Expects the current cell, by its column and row from 0. */
export const isAt = (column: number, row: number) =>
  expect.poll(current).toBe(`glide-cell-${column + 1}-${row}`);
export const cells = (count: number) =>
  expect
    .poll(() => fixture.page.getByRole("status", { name: "Selected cells" }).textContent())
    .toContain(`${count} cells`);
export const values = (table: Table, field: string) => async () =>
  (await rowsOf(table.id)).map((row) => row.fields[field] ?? null);
export const closed = (role: "dialog" | "menu") => fixture.page.getByRole(role).first().waitFor({ state: "detached" });
export const point = (box: At["box"], x: number, row: number) => ({ x: box.x + 52 + x, y: box.y + 38 + 34 * row + 17 });

export const ticked = (count: number) => fixture.page.getByText(`${count} selected`).first().waitFor();
export const header = (box: At["box"], x: number) => ({ x: box.x + 52 + x, y: box.y + 19 });
export const fieldOrder = async (table: Table) => {
  const view = await call<{ config: { fieldOrder?: string[] } }>("GET", `/views/${table.views[0]?.id}`);
  return view.body.config.fieldOrder?.map((id) => table.fields.find((one) => one.id === id)?.name);
};
export const press = async (spot: { x: number; y: number }, key?: "Shift" | "Control") => {
  const { keyboard, mouse } = fixture.page;
  if (key) await keyboard.down(key);
  await mouse.click(spot.x, spot.y);
  if (key) await keyboard.up(key);
};
export const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
  const { mouse } = fixture.page;
  await mouse.move(from.x, from.y);
  await fixture.page.waitForTimeout(150); // as below
  await mouse.down();
  await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await mouse.move(to.x, to.y, { steps: 5 });
  await fixture.page.waitForTimeout(150); // the grid notes what is below the pointer when it draws
  await mouse.up();
};
export const type = (text: string) => fixture.page.keyboard.type(text);

/** Plays gestures one after another in a table of their own. */
export async function play(title: string, fields: unknown[], rows: Record<string, unknown>[], all: Plays) {
  const { page } = fixture;
  const { baseId, table } = await createTable(title, fields, rows);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  for (const [gesture, one] of Object.entries(all)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one gesture after another
      await one({ page, table, box });
    } catch (error) {
      throw new Error(`“${gesture}”`, { cause: error });
    }
  }
}

/** What is played with a table of its own, because it changes many cells. */
export const editing: Plays = {
  "Enter after Tab": async ({ table }) => {
    await click(name, 0);
    await type("Asch");
    await keys("Tab");
    await type("1");
    await keys("Tab");
    await type("10");
    await keys("Enter");
    await isAt(name, 1); // from where the next one goes on
    await keys("Tab", "ArrowDown");
    await type("7");
    await keys("Enter");
    await isAt(height, 3);
    await click(height, 2);
    await type("3");
    await keys("Enter");
    await isAt(height, 3);
    // Whatever else selects a cell ends it.
    await click(name, 0);
    await keys("Tab", "ArrowRight");
    await type("10");
    await keys("Enter");
    await isAt(breadth, 1);
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, 4]);
    expect(await values(table, "Name")()).toEqual(["Asch", "Elm", "Mint", "Sage"]);
  },
  "Shift+Enter": async ({ table }) => {
    await click(name, 1);
    await keys("Shift+Enter");
    await isAt(name, 2);
    await expect.poll(() => rowsOf(table.id).then((rows) => rows.length)).toBe(5);
    await type("Rue");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toContain("Rue");
  },
};

/** What is played with more records than fit the screen. */
export const long: Plays = {
  "Page Up, Page Down": async () => {
    await click(name, 0);
    await keys("PageDown");
    await expect.poll(currentRow).toBeGreaterThan(8);
    await keys("PageUp");
    await isAt(name, 0);
  },
};

/** What is played with other kinds of fields: Name, Done, Stars and Note. */
export const kinds: Plays = {
  "Enter on a checkbox": async ({ table }) => {
    await click(1, 0);
    await keys("Enter");
    await expect.poll(values(table, "Done")).toEqual([true, false]);
  },
  "click on a checkbox": async ({ table, box }) => {
    await press(point(box, 200 + 60, 1));
    await expect.poll(values(table, "Done")).toEqual([true, true]);
  },
  "a digit on a rating": async ({ table }) => {
    await click(2, 0);
    await keys("4");
    await keys("Enter");
    await expect.poll(values(table, "Stars")).toEqual([4, null]);
  },
  "Ctrl+;": async ({ table }) => {
    const today = new Date().toISOString().slice(0, 10);
    await click(3, 1);
    await keys("ArrowRight", "Control+;", "ArrowRight", "Control+;");
    // The test may begin on the day before.
    await expect.poll(values(table, "Day")).toEqual([null, expect.toSatisfy((day) => day >= today)]);
    await expect.poll(values(table, "At")).toEqual([null, expect.toSatisfy((at) => at.slice(0, 10) >= today)]);
    await click(0, 1);
    await keys("Control+;");
    expect(await values(table, "Name")()).toEqual(["One", "Two"]);
  },
  "Alt+Enter in a long text": async ({ table }) => {
    await click(3, 1);
    await type("one");
    await keys("Alt+Enter");
    await type("two");
    await keys("Enter");
    await expect.poll(values(table, "Note")).toEqual([null, "one\ntwo"]);
    await click(3, 1);
    await keys("Delete");
    await expect.poll(values(table, "Note")).toEqual([null, null]);
  },
  "Shift+Enter in a long text": async ({ table }) => {
    await click(3, 0);
    await type("one");
    await keys("Shift+Enter");
    await type("two");
    await keys("Enter");
    await expect.poll(values(table, "Note")).toEqual(["one\ntwo", null]);
  },
};
