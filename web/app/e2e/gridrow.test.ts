import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, cellAt, clickCell, createTable, gridReady, type Row, rowsOf, until } from "./fixture.ts";

const fixture = browserFixture();
const widths = [220, 120, 160];
const fields = [
  { name: "Name", type: "text" },
  { name: "Height", type: "number" },
  { name: "Kind", type: "multi_select", config: { options: ["Tree", "Salt, pepper", 'Size 5"'] } },
];

async function open(rows: Record<string, unknown>[], more: unknown[] = []) {
  const created = await createTable("Plants", [...fields, ...more], rows);
  await fixture.page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(fixture.page);
  return created.table;
}

const names = (rows: Row[]) => rows.map((row) => row.fields.Name);
const count = async (tableId: string, filters?: unknown) =>
  (
    await call<{ total: number }>(
      "GET",
      `/tables/${tableId}/records?limit=1${filters ? `&filters=${encodeURIComponent(JSON.stringify(filters))}` : ""}`,
    )
  ).body.total;

/** Waits until a deletion by another client is drawn. */
const gone = (page: Page, name: string) =>
  expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).not.toContain(name);

async function selectRow(page: Page, row: number, keys: ("Control" | "Shift")[] = []) {
  const cell = await cellAt(page, widths, 0, row);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.click(box.x + 26, cell.y);
  for (const key of keys) await page.keyboard.up(key);
  await page.waitForTimeout(80);
}

async function selectAll(page: Page) {
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 26, box.y + 19);
}

async function writeClipboard(page: Page, plain: string, html?: string) {
  await page.evaluate(
    async ([text, table]) => {
      const parts: Record<string, Blob> = { "text/plain": new Blob([text ?? ""], { type: "text/plain" }) };
      if (table) parts["text/html"] = new Blob([table], { type: "text/html" });
      await navigator.clipboard.write([new ClipboardItem(parts)]);
    },
    [plain, html] as const,
  );
}

async function sortBy(page: Page, direction: "ascending" | "descending") {
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 150, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: `Sort ${direction}` }).click();
  await page.getByText(/^[\d,]+ records?$/).waitFor();
  await page.waitForLoadState("networkidle");
}

test("typing after “New record” edits the new record", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  await fixture.page.getByRole("button", { name: "New record" }).click();
  await until(
    () => rowsOf(table.id),
    (rows) => rows.length === 3,
  );
  await fixture.page.waitForTimeout(200);
  await fixture.page.keyboard.type("Fir");
  await fixture.page.keyboard.press("Enter");
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (rows) => rows[2]?.fields.Name === "Fir",
      ),
    ),
  ).toEqual(["Oak", "Elm", "Fir"]);
});

test("an open editor writes to its record after another tab has moved it", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }, { Name: "Fir" }]);
  const { page } = fixture;
  const rows = await rowsOf(table.id);
  await clickCell(page, widths, 0, 1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await call("DELETE", `/records/${rows[0]?.id}`);
  await gone(page, "Oak");
  await page.keyboard.press("Enter");
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (list) => list.some((row) => row.fields.Name === "Elm!"),
      ),
    ),
  ).toEqual(["Elm!", "Fir"]);
});

test("the current cell stays on its record when another tab deletes a record above", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }, { Name: "Fir" }]);
  const { page } = fixture;
  const rows = await rowsOf(table.id);
  await clickCell(page, widths, 0, 1);
  await call("DELETE", `/records/${rows[0]?.id}`);
  await gone(page, "Oak");
  await page.keyboard.type("Ash");
  await page.keyboard.press("Enter");
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (list) => list.some((row) => row.fields.Name === "Ash"),
      ),
    ),
  ).toEqual(["Ash", "Fir"]);
});

test("selected records stay selected after sorting, and no other is deleted", async () => {
  const table = await open(["AD", "BE", "CF", "ZZ"].map((Name) => ({ Name })));
  const { page } = fixture;
  await selectRow(page, 0);
  await sortBy(page, "descending");
  await page.getByRole("button", { name: "Delete record" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete record" }).click();
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (rows) => rows.length === 3,
      ),
    ),
  ).toEqual(["BE", "CF", "ZZ"]);
});

test("emoji and inch marks keep their cells in a paste", async () => {
  const table = await open([{}, {}, {}]);
  const { page } = fixture;
  await writeClipboard(page, '😀 smile\t1\n5" pipe\t2\n"6"" tube"\t3');
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Control+v");
  const rows = await until(
    () => rowsOf(table.id),
    (list) => list[2]?.fields.Height === 3,
  );
  expect(rows.map((row) => [row.fields.Name, row.fields.Height])).toEqual([
    ["😀 smile", 1],
    ['5" pipe', 2],
    ['6" tube', 3],
  ]);
});

test("options with commas in their names survive copy and paste", async () => {
  const table = await open(
    [{ Name: "a", Kind: ["Salt, pepper", 'Size 5"'] }, { Name: "b" }],
    [{ name: "Other", type: "multi_select", config: { options: ["Salt, pepper", 'Size 5"', "Salt"] } }],
  );
  const { page } = fixture;
  const wide = [220, 120, 220, 220];
  await clickCell(page, wide, 2, 0);
  await page.keyboard.press("Control+c");
  await clickCell(page, wide, 3, 1);
  await page.keyboard.press("Control+v");
  const rows = await until(
    () => rowsOf(table.id),
    (list) => Array.isArray(list[1]?.fields.Other) && list[1].fields.Other.length === 2,
  );
  expect(rows[1]?.fields.Other).toEqual(["Salt, pepper", 'Size 5"']);
});

test("a block that is wider than the table is pasted only after a confirmation", async () => {
  const table = await open([{ Name: "Oak", Height: 1 }]);
  const { page } = fixture;
  await writeClipboard(page, "7\tTree\tlost\tlost too");
  await clickCell(page, widths, 1, 0);
  await page.keyboard.press("Control+v");
  const question = page.getByRole("dialog", { name: "Add 2 fields for what you paste?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect((await rowsOf(table.id))[0]?.fields.Height).toBe(1);
  await page.keyboard.press("Control+v");
  await question.getByRole("button", { name: "Paste without them" }).click();
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Height === 7,
  );
  expect(rows[0]?.fields).toMatchObject({ Height: 7, Kind: ["Tree"] });
});

test("a whole column is copied, cleared and filled, also rows that are not loaded, with one undo", async () => {
  const many = 2600;
  const table = await open(Array.from({ length: many }, (_, n) => ({ Name: `n${n}`, Height: n + 1 })));
  const { page } = fixture;
  const empty = [{ fieldId: "Height", op: "is_empty" }];
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 60, box.y + 19);
  await page.keyboard.press("Control+c");
  await page.getByText("2,600 rows copied").first().waitFor({ state: "attached" });
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect([lines.length, lines[0], lines[many - 1]]).toEqual([many, "1", String(many)]);
  await page.keyboard.press("Delete");
  expect(
    await until(
      () => count(table.id, empty),
      (n) => n === many,
      30_000,
    ),
  ).toBe(many);
  await page.getByText("All changes saved").waitFor({ state: "attached" });
  await page.keyboard.press("Control+z");
  expect(
    await until(
      () => count(table.id, empty),
      (n) => n === 0,
      30_000,
    ),
  ).toBe(0);
  await clickCell(page, widths, 1, 0);
  await page.keyboard.press("Control+Shift+End");
  await page.waitForTimeout(200);
  await page.keyboard.press("Control+d");
  const same = [{ fieldId: "Height", op: "eq", value: 1 }];
  expect(
    await until(
      () => count(table.id, same),
      (n) => n === many,
      30_000,
    ),
  ).toBe(many);
});

test("all selected records are deleted, loaded or not, and every message says how many", async () => {
  const table = await open(Array.from({ length: 1250 }, (_, n) => ({ Name: `n${n}` })));
  const { page } = fixture;
  await selectAll(page);
  await page.getByRole("button", { name: "Delete 1,250 records" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("Delete 1,250 records?").waitFor();
  await question.getByRole("button", { name: "Delete 1,250 records" }).click();
  expect(
    await until(
      () => count(table.id),
      (n) => n === 0,
      30_000,
    ),
  ).toBe(0);
  await page.getByText("1,250 records were deleted").first().waitFor({ state: "attached" });
});

test("the Delete key asks before deleting selected records, and clears no cells", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  const { page } = fixture;
  await selectRow(page, 0);
  await page.keyboard.press("Delete");
  const question = page.getByRole("alertdialog");
  await question.getByText("Delete this record?").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(names(await rowsOf(table.id))).toEqual(["Oak", "Elm"]);
});

test("undo brings a deleted record back, also after a reload, and then reverts earlier edits", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm" }]);
  const { page } = fixture;
  const [, elm] = await rowsOf(table.id);
  await clickCell(page, widths, 0, 0);
  await page.keyboard.type("Ash");
  await page.keyboard.press("Enter");
  await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Name === "Ash",
  );
  await selectRow(page, 1);
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete record" }).click();
  await until(
    () => rowsOf(table.id),
    (rows) => rows.length === 1,
  );
  await page.reload();
  await gridReady(page);
  await clickCell(page, widths, 1, 0);
  await page.keyboard.press("Control+z");
  await page.getByText("Undid: 1 record deleted in Plants").first().waitFor({ state: "attached" });
  const back = await rowsOf(table.id);
  expect(names(back).toSorted()).toEqual(["Ash", "Elm"]);
  expect(back.map(({ id }) => id)).toContain(elm?.id);
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain("Elm");
  await page.keyboard.press("Control+z");
  await until(
    () => rowsOf(table.id),
    (rows) => names(rows).includes("Oak"),
  );
  await page.keyboard.press("Control+Shift+z");
  await page.getByText("Redid: 1 record changed in Plants").first().waitFor({ state: "attached" });
  expect(names(await rowsOf(table.id)).toSorted()).toEqual(["Ash", "Elm"]);
});

test("undo of a paste deletes the records that it created", async () => {
  const table = await open([{ Name: "Oak" }]);
  const { page } = fixture;
  await writeClipboard(page, "Elm\nFir\nAsh");
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Control+v");
  await until(
    () => rowsOf(table.id),
    (rows) => rows.length === 3 && rows[0]?.fields.Name === "Elm",
  );
  await page.keyboard.press("Control+z");
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        (rows) => rows.length === 1 && rows[0]?.fields.Name === "Oak",
      ),
    ),
  ).toEqual(["Oak"]);
});

test("a field that another tab renamed accepts edits and then shows its new name", async () => {
  const table = await open([{ Name: "Oak", Height: 1 }]);
  const { page } = fixture;
  await clickCell(page, widths, 1, 0);
  await call("PATCH", `/fields/${table.fields[1]?.id}`, { name: "Size" });
  await page.keyboard.type("42");
  await page.keyboard.press("Enter");
  expect(
    (
      await until(
        () => rowsOf(table.id),
        ([row]) => row?.fields.Size === 42,
      )
    )[0]?.fields.Size,
  ).toBe(42);
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain("Size");
  await call("POST", `/tables/${table.id}/fields`, { name: "Colour", type: "text" });
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain("Colour");
});

test("undo moves a card back", async () => {
  const created = await createTable(
    "Board",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: ["Open", "Done"] } },
    ],
    [{ Name: "Oak", State: "Open" }],
  );
  const view = (
    await call<{ id: string }>("POST", `/tables/${created.table.id}/views`, { name: "Board", type: "kanban" })
  ).body;
  await call("PATCH", `/views/${view.id}`, { config: { stackFieldId: created.table.fields[1]?.id } });
  const { page } = fixture;
  await page.goto(`/base/${created.baseId}/${created.table.id}?view=${view.id}`);
  await page.getByRole("button", { name: "Move Oak" }).click();
  await page.getByRole("menuitem", { name: "Done" }).click();
  await until(
    () => rowsOf(created.table.id),
    ([row]) => row?.fields.State === "Done",
  );
  await page.keyboard.press("Control+z");
  expect(
    (
      await until(
        () => rowsOf(created.table.id),
        ([row]) => row?.fields.State === "Open",
      )
    )[0]?.fields.State,
  ).toBe("Open");
});

test.each([{ type: "user" }, { type: "single_select", config: { options: ["a rather long name of an option", "B"] } }])(
  "the editor of a cell at the edge of the window scrolls no other element: $type",
  async (kind) => {
    await open(
      [{ Name: "Oak" }],
      Array.from({ length: 8 }, (_, n) => ({ ...kind, name: `Field ${n}` })),
    );
    const { page } = fixture;
    const canvas = page.getByTestId("data-grid-canvas");
    const box = (await canvas.boundingBox())!;
    for (const right of [12, 40, 70, 150]) {
      await page.mouse.dblclick(box.x + box.width - right, box.y + 38 + 17);
      await page.locator("#portal .gdg-style").waitFor();
      await page.waitForTimeout(200); // the list of options opens and takes the focus
      const scrolled = await page.evaluate(() =>
        [...document.querySelectorAll("*:not(.dvn-scroller, input, textarea)")]
          .filter((part) => part.scrollLeft > 0)
          .map((part) => part.className),
      );
      expect(scrolled, "scrolled elements").toEqual([]);
      expect((await canvas.boundingBox())!.x).toBe(box.x);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    }
  },
);

test("the first letter composed by an input method on a selected cell replaces the value", async () => {
  const table = await open([{ Name: "Oak" }]);
  const { page } = fixture;
  await clickCell(page, widths, 0, 0);
  await page.waitForTimeout(400); // the focus moves to the accessible element of the cell
  const session = await page.context().newCDPSession(page);
  const key = { windowsVirtualKeyCode: 229, key: "Process", code: "KeyN" };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  for (const text of ["n", "に", "にほ"])
    await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await session.send("Input.insertText", { text: "日本" });
  await page.keyboard.press("Enter");
  expect(
    names(
      await until(
        () => rowsOf(table.id),
        ([row]) => row?.fields.Name !== "Oak",
      ),
    ),
  ).toEqual(["日本"]);
});

test("a viewer's grid has no row for new records", async () => {
  const created = await createTable("Plants", fields, [{ Name: "Oak" }]);
  const { page } = fixture;
  const described = `**/api/v1/bases/${created.baseId}`;
  await page.route(described, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), role: "viewer" } });
  });
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  await page.waitForTimeout(300);
  // The header and one record; a row for new records would make three.
  expect(await page.locator("canvas table[role=grid]").getAttribute("aria-rowcount")).toBe("2");
  await page.unroute(described);
});
