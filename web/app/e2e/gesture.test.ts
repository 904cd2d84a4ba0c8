import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, type Table } from "./fixture.ts";

const fixture = browserFixture("en-US");
const widths = [220, 120, 120, 160, 220];
const [name, height, breadth, kind] = [0, 1, 2, 3];
const start = [
  { Name: "Oak", Height: 1, Breadth: 10, Kind: "Tree", Site: "https://example.com/oak" },
  { Name: "Elm", Height: 2, Breadth: 20, Kind: "Tree", Site: null },
  { Name: "Mint", Height: 3, Breadth: 30, Kind: "Herb", Site: null },
  { Name: "Sage", Height: 4, Breadth: 40, Kind: "Herb", Site: null },
];

type At = { page: Page; table: Table; box: { x: number; y: number } };

const click = (column: number, row: number) => clickCell(fixture.page, widths, column, row);
const keys = async (...pressed: string[]) => {
  for (const key of pressed)
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    await fixture.page.keyboard.press(key);
};
const current = () => fixture.page.evaluate(() => document.activeElement?.id ?? "");
/** Expects the current cell, by its column and row from 0. */
const isAt = (column: number, row: number) =>
  expect.poll(current).toBe(`glide-cell-${column + 1}-${row}`);
const cells = (count: number) =>
  expect
    .poll(() => fixture.page.getByRole("status", { name: "Selected cells" }).textContent())
    .toContain(`${count} cells`);
const values = (table: Table, field: string) => async () =>
  (await rowsOf(table.id)).map((row) => row.fields[field] ?? null);
const closed = (role: "dialog" | "menu") => fixture.page.getByRole(role).first().waitFor({ state: "detached" });
const point = (box: At["box"], x: number, row: number) => ({ x: box.x + 52 + x, y: box.y + 38 + 34 * row + 17 });

/** What is played for each line of the tables, one after the other: the last ones change the view. */
const plays: Record<string, (at: At) => Promise<unknown>> = {
  "Arrow keys": async () => {
    await click(name, 0);
    await keys("ArrowRight", "ArrowDown");
    await isAt(height, 1);
  },
  "Ctrl+Arrow keys": async () => {
    await keys("Control+ArrowDown");
    await isAt(height, 3);
  },
  "Home, End": async () => {
    await keys("Home");
    await isAt(name, 3);
  },
  "Ctrl+Home, Ctrl+End": async () => {
    await keys("Control+End", "Control+Home");
    await isAt(name, 0);
  },
  "Tab, Shift+Tab": async () => {
    await keys("Tab", "Tab", "Shift+Tab");
    await isAt(height, 0);
  },
  "Shift+Arrow keys": async () => {
    await keys("Shift+ArrowDown", "Shift+ArrowRight");
    await cells(4);
  },
  "Ctrl+A": async () => {
    await keys("Control+a");
    await cells(20);
  },
  "a letter": async ({ table }) => {
    await click(name, 0);
    await fixture.page.keyboard.type("Ash");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toContain("Ash");
  },
  Enter: async ({ table }) => {
    await click(name, 0);
    await keys("Enter", "End");
    await fixture.page.keyboard.type("es");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toContain("Ashes");
    await isAt(name, 1);
  },
  F2: async ({ table }) => {
    await click(name, 1);
    await keys("F2", "End");
    await fixture.page.keyboard.type("s");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toContain("Elms");
  },
  Esc: async ({ table }) => {
    await click(name, 2);
    await fixture.page.keyboard.type("nothing");
    await keys("Escape");
    expect(await values(table, "Name")()).toEqual(["Ashes", "Elms", "Mint", "Sage"]);
  },
  Delete: async ({ table }) => {
    await click(kind, 0);
    await keys("Shift+ArrowDown", "Delete");
    await expect.poll(values(table, "Kind")).toEqual([null, null, "Herb", "Herb"]);
  },
  Space: async ({ page }) => {
    await click(name, 2);
    await keys(" ");
    await page.getByRole("dialog").getByText("Mint").first().waitFor();
    await keys("Escape");
    await closed("dialog");
  },
  "Shift+F10": async ({ page }) => {
    await click(name, 2);
    await keys("Shift+F10");
    await page.getByRole("menuitem", { name: "Duplicate record" }).waitFor();
    await keys("Escape");
    await closed("menu");
  },
  "Ctrl+C, Ctrl+V": async ({ table }) => {
    await click(kind, 2);
    await keys("Control+c");
    await click(kind, 0);
    await keys("Control+v");
    await expect.poll(values(table, "Kind")).toEqual(["Herb", null, "Herb", "Herb"]);
  },
  "Ctrl+X": async ({ table }) => {
    await click(kind, 2);
    await keys("Control+x");
    await expect.poll(values(table, "Kind")).toEqual(["Herb", null, null, "Herb"]);
  },
  "Ctrl+D": async ({ table }) => {
    await click(kind, 0);
    await keys("Shift+ArrowDown", "Shift+ArrowDown", "Control+d");
    await expect.poll(values(table, "Kind")).toEqual(["Herb", "Herb", "Herb", "Herb"]);
  },
  "Ctrl+R": async ({ table }) => {
    await click(height, 0);
    await keys("Shift+ArrowRight", "Control+r");
    await expect.poll(values(table, "Breadth")).toEqual([1, 20, 30, 40]);
  },
  "Ctrl+Z, Ctrl+Shift+Z": async ({ table }) => {
    await keys("Control+z");
    await expect.poll(values(table, "Breadth")).toEqual([10, 20, 30, 40]);
    await keys("Control+Shift+z");
    await expect.poll(values(table, "Breadth")).toEqual([1, 20, 30, 40]);
  },
  "Ctrl+F": async ({ page }) => {
    await click(name, 0);
    await keys("Control+f");
    await expect.poll(() => page.getByLabel("Search in this table").evaluate((box) => box === document.activeElement))
      .toBe(true);
  },
  "Ctrl+H": async ({ page }) => {
    await click(name, 0);
    await keys("Control+h");
    const dialog = page.getByRole("dialog", { name: "Find and replace" });
    await expect.poll(() => dialog.getByRole("combobox").inputValue()).not.toBe("");
    await keys("Escape");
    await dialog.waitFor({ state: "hidden" });
  },
  click: async () => {
    await click(height, 2);
    await isAt(height, 2);
  },
  "Shift+click": async ({ page }) => {
    await page.keyboard.down("Shift");
    await click(breadth, 3);
    await page.keyboard.up("Shift");
    await cells(4);
  },
  "double click": async ({ page, box }) => {
    const { x, y } = point(box, 60, 3);
    await page.mouse.dblclick(x, y);
    await page.locator("#portal .gdg-style").waitFor();
    await keys("Escape");
  },
  "click on the arrows in the first cell": async ({ page, box }) => {
    const { x, y } = point(box, 220 - 12, 3);
    await page.mouse.click(x, y);
    await page.getByRole("dialog").getByText("Sage").first().waitFor();
    await keys("Escape");
    await closed("dialog");
  },
  "Ctrl+click on a link": async ({ page }) => {
    await page.evaluate(() => Object.assign(window, { open: (address: string) => (document.title = address) }));
    await page.keyboard.down("Control");
    await click(4, 0);
    await page.keyboard.up("Control");
    await expect.poll(() => page.title()).toBe("https://example.com/oak");
  },
  "right click": async ({ page, box }) => {
    const { x, y } = point(box, 60, 1);
    await page.mouse.click(x, y, { button: "right" });
    await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
    await keys("Escape");
    await closed("menu");
  },
  "drag of the corner of a selection": async ({ page, table, box }) => {
    await click(height, 0);
    await keys("Shift+ArrowDown");
    const corner = { x: box.x + 52 + 220 + 120 - 3, y: box.y + 38 + 68 - 3 };
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x, corner.y + 40, { steps: 5 });
    await page.mouse.move(corner.x, corner.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, 4]);
  },
  "double click on the name of a column": async ({ page, box }) => {
    await page.mouse.dblclick(box.x + 52 + 220 + 60, box.y + 19);
    await page.getByRole("dialog", { name: "Rename field" }).waitFor();
    await keys("Escape");
    await closed("dialog");
  },
  "double click on the edge of a column": async ({ page, table, box }) => {
    await page.mouse.dblclick(box.x + 52 + 220 + 120 + 120 + 160 + 220, box.y + 19);
    const config = async () => JSON.stringify((await call<unknown>("GET", `/views/${table.views[0]?.id}`)).body);
    await expect.poll(config).toContain(table.fields[4]?.id);
  },
  "drag of a record by its number": async ({ page, table, box }) => {
    const ids = async () => {
      const query = `?view=${table.views[0]?.id}`;
      return (await rowsOf(table.id, query)).map(({ id }) => id);
    };
    const [first = "", second = "", ...others] = await ids();
    const y = (row: number) => box.y + 38 + 34 * row + 17;
    await page.mouse.move(box.x + 8, y(1));
    await page.mouse.down();
    await page.mouse.move(box.x + 8, y(0), { steps: 8 });
    await page.waitForTimeout(150); // the grid notes the row below the pointer when it draws
    await page.mouse.up();
    await expect.poll(ids).toEqual([second, first, ...others]);
    await keys("Control+z");
    await expect.poll(ids).toEqual([first, second, ...others]);
  },
  "right click on a column": async ({ page, box }) => {
    await page.mouse.click(box.x + 52 + 220 + 240 + 60, box.y + 19, { button: "right" });
    await page.getByRole("menuitem", { name: "Group by this field" }).click();
  },
  "Enter on the head of a group": async ({ page }) => {
    await click(name, 1);
    await keys("ArrowUp", "Enter");
    const first = page.getByTestId("data-grid-canvas").locator("td[aria-colindex='1']").first();
    await expect.poll(() => first.textContent()).toContain(", folded");
  },
};

test("every gesture of the reference does what its line says", { timeout: 240_000 }, async () => {
  const { page } = fixture;
  const document = await readFile("../../docs/reference/shortcuts.md", "utf8");
  const lines = [...document.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, gesture = ""]) => gesture);
  const written = lines.filter((gesture) => gesture !== "keys" && gesture !== "gesture");
  expect(written.toSorted()).toEqual(Object.keys(plays).toSorted());

  const fields = [
    { name: "Name", type: "text" },
    { name: "Height", type: "number" },
    { name: "Breadth", type: "number" },
    { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
    { name: "Site", type: "url" },
  ];
  const { baseId, table } = await createTable("Gestures", fields, start);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  for (const [gesture, play] of Object.entries(plays)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one gesture after another
      await play({ page, table, box });
    } catch (error) {
      throw new Error(`“${gesture}”`, { cause: error });
    }
  }
});
