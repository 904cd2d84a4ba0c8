import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { call, rowsOf } from "./fixture.ts";
import {
  breadth,
  cells,
  click,
  closed,
  drag,
  editing,
  fieldOrder,
  fixture,
  header,
  height,
  isAt,
  keys,
  kind,
  kinds,
  long,
  name,
  play,
  type Plays,
  point,
  press,
  start,
  ticked,
  type,
  values,
} from "./gestureplay.ts";

type Sized = { config: { columnWidths?: Record<string, number> } };

/** The last ones change the view. */
const plays: Plays = {
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
    // A page is no more than there is.
    await keys("PageDown");
    await isAt(name, start.length - 1);
    await keys("PageUp");
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


/** What is played with a second table of the same fields. */
const more: Plays = {
  "Ctrl+Shift+Arrow keys": async () => {
    await click(name, 0);
    await keys("Control+Shift+ArrowDown");
    await cells(4);
  },
  "Ctrl+Shift+Home, Ctrl+Shift+End": async () => {
    await click(name, 0);
    await keys("Control+Shift+End");
    await cells(20);
    await click(height, 1);
    await keys("Control+Shift+Home");
    await cells(4);
  },
  "Shift+Space": async () => {
    await click(name, 2);
    await keys("Shift+Space");
    await ticked(1);
  },
  "Ctrl+Space": async () => {
    await click(height, 2);
    await keys("Control+Space");
    await cells(4);
  },
  "an arrow key after a letter": async ({ table }) => {
    await click(name, 0);
    await type("Ash");
    await keys("ArrowDown"); // saves, and the next cell has the keys
    await type("Em");
    await keys("F2", "ArrowLeft"); // now in the text
    await type("l");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toEqual(["Ash", "Elm", "Mint", "Sage"]);
  },
  "an arrow key after F2": async ({ table }) => {
    await click(name, 0);
    await keys("F2", "ArrowLeft");
    await type("c");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toEqual(["Asch", "Elm", "Mint", "Sage"]);
  },
  "Shift+Enter in an editor": async ({ table }) => {
    await click(name, 1);
    await type("Fir");
    await keys("Shift+Enter");
    await isAt(name, 0);
    await expect.poll(values(table, "Name")).toEqual(["Asch", "Fir", "Mint", "Sage"]);
  },
  "Tab in an editor": async ({ table }) => {
    await click(name, 2);
    await type("Dill");
    await keys("Tab");
    await isAt(height, 2);
    await expect.poll(values(table, "Name")).toEqual(["Asch", "Fir", "Dill", "Sage"]);
  },
  "Shift+Tab in an editor": async ({ table }) => {
    await click(height, 2);
    await type("7");
    await keys("Shift+Tab");
    await isAt(name, 2);
    await expect.poll(values(table, "Height")).toEqual([1, 2, 7, 4]);
  },
  "Ctrl+Enter in an editor": async ({ table }) => {
    await click(height, 2);
    await type("3");
    await keys("Control+Enter");
    await isAt(height, 2);
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, 4]);
  },
  Backspace: async ({ table }) => {
    await click(height, 3);
    await keys("Backspace");
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, null]);
  },
  "Ctrl+Y": async ({ table }) => {
    await keys("Control+z");
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, 4]);
    await keys("Control+y");
    await expect.poll(values(table, "Height")).toEqual([1, 2, 3, null]);
  },
  "a letter on a select": async ({ table }) => {
    await click(kind, 0);
    await type("her");
    await fixture.page.getByRole("option", { name: "Herb" }).waitFor();
    await keys("Enter");
    await expect.poll(values(table, "Kind")).toEqual(["Herb", "Tree", "Herb", "Herb"]);
  },
  "Ctrl+K": async ({ page }) => {
    await click(name, 0);
    await keys("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await keys("Escape");
    await closed("dialog");
  },
  "drag over cells": async ({ box }) => {
    await drag(point(box, 60, 0), point(box, 220 + 60, 2));
    await cells(6);
  },
  "click elsewhere while a cell is edited": async ({ table }) => {
    await click(name, 3);
    await type("Thyme");
    await click(breadth, 0);
    await expect.poll(values(table, "Name")).toEqual(["Asch", "Fir", "Dill", "Thyme"]);
  },
  "click on the number of a record": async ({ box }) => {
    await press(point(box, -26, 0));
    await ticked(1);
  },
  "Shift+click on the number of a record": async ({ box }) => {
    await press(point(box, -26, 2), "Shift");
    await ticked(3);
  },
  "click on the box above the numbers": async ({ box }) => {
    await press(header(box, -26));
    await ticked(4);
    await press(header(box, -26));
  },
  "click on the name of a column": async ({ box }) => {
    await press(header(box, 60));
    await cells(4);
  },
  "Shift+click on the name of a column": async ({ box }) => {
    await press(header(box, 220 + 120 + 40), "Shift");
    await cells(12);
  },
  "Ctrl+click on the name of a column": async ({ box }) => {
    await click(name, 0);
    await press(header(box, 220 + 40));
    await cells(4);
    await press(header(box, 220 + 120 + 40), "Control");
    await cells(8);
  },
  "drag of the edge of a column": async ({ table, box }) => {
    await drag(header(box, 220 + 120 + 120 + 160 + 220), header(box, 220 + 120 + 120 + 160 + 180));
    const config = async () =>
      (await call<Sized>("GET", `/views/${table.views[0]?.id}`)).body.config
        .columnWidths?.[table.fields[4]?.id ?? ""];
    await expect.poll(config).toBeLessThan(200);
  },
  "drag of the name of a column": async ({ table, box }) => {
    await drag(header(box, 220 + 50), header(box, 220 + 120 + 70));
    await expect.poll(() => fieldOrder(table)).toEqual(["Name", "Breadth", "Height", "Kind", "Site"]);
  },
  "click on the line below the last record": async ({ table, box }) => {
    const { height: bottom = 0 } = (await fixture.page.getByTestId("data-grid-canvas").boundingBox()) ?? {};
    await press({ x: box.x + 120, y: box.y + bottom - 17 });
    await fixture.page.locator("#portal .gdg-style").waitFor();
    await type("Yew");
    await keys("Enter");
    await expect.poll(values(table, "Name")).toContain("Yew");
  },
  "click on the plus behind the last column": async ({ page }) => {
    await page.getByRole("button", { name: "Add field" }).click();
    await page.getByRole("dialog").waitFor();
    await keys("Escape");
    await closed("dialog");
  },
};

test("every gesture of the reference does what its line says", { timeout: 240_000 }, async () => {
  const document = await readFile("../../docs/reference/shortcuts.md", "utf8");
  const lines = [...document.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, gesture = ""]) => gesture);
  const written = lines.filter((gesture) => gesture !== "keys" && gesture !== "gesture");
  expect(written.toSorted()).toEqual(
    Object.keys({ ...plays, ...more, ...editing, ...kinds, ...long }).toSorted(),
  );

  const fields = [
    { name: "Name", type: "text" },
    { name: "Height", type: "number" },
    { name: "Breadth", type: "number" },
    { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
    { name: "Site", type: "url" },
  ];
  await play("Gestures", fields, start, plays);
  await play("More gestures", fields, start, more);
  await play("Editing", fields, start, editing);
  const others = [
    { name: "Name", type: "text" },
    { name: "Done", type: "checkbox" },
    { name: "Stars", type: "rating" },
    { name: "Note", type: "long_text" },
    { name: "Day", type: "date" },
    { name: "At", type: "datetime" },
  ];
  await play("Long", fields.slice(0, 1), Array.from({ length: 90 }, (_, at) => ({ Name: `${at}` })), long);
  await play("Kinds", others, [{ Name: "One" }, { Name: "Two" }], kinds);
});
