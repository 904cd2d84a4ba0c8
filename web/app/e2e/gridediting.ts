import { cellAt, type Row } from "./fixture.ts";
import { type GridSession, kinds, widths } from "./gridsession.ts";
import { writeDates, writeNumbers } from "./gridwriting.ts";
import type { Values } from "./tablemodel.ts";

type Action = (grid: GridSession) => Promise<unknown>;

const headers = 19; // pixels from the top to the middle of the columns' heads
const markers = 52;

/** Where a column's head can be taken hold of. */
async function headOf(grid: GridSession, column: number) {
  const box = (await grid.page.getByTestId("data-grid-canvas").boundingBox())!;
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  return { x: box.x + markers + left + (widths[column] ?? 0) / 2, y: box.y + headers };
}

const isView = (url: string) => new URL(url).pathname.startsWith("/api/v1/views/");

/** Drags a column to the place of another by its head. */
async function drag(grid: GridSession, from: number, to: number) {
  const { page } = grid;
  const [start, end] = [await headOf(grid, from), await headOf(grid, to)];
  const past = to > from ? (widths[to] ?? 0) * 0.3 : -(widths[to] ?? 0) * 0.3;
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, end.y, { steps: 4 });
  await page.mouse.move(end.x + past, end.y, { steps: 4 });
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH" && isView(response.url()));
  await page.mouse.up();
  await saved;
  grid.model.arrange();
  await grid.frame();
}

/** Pastes texts into one column from a row on. Those without a value are listed, and keep what was there. */
async function pasteColumn(grid: GridSession, column: number, name: string, cells: string[], values: unknown[]) {
  const { page, model, shown } = grid;
  const y = grid.random.below(shown.length - cells.length + 1);
  await page.evaluate((plain) => navigator.clipboard.writeText(plain), `${cells.join("\n")}\n`);
  await grid.click(column, y);
  const left = values.filter((value) => value === undefined).length;
  const before = new Map(shown.map((row) => [row.id, row.fields]));
  await page.keyboard.press("Control+v");
  if (left > 0) {
    const title = left === 1 ? "1 cell was not pasted" : `${left} cells were not pasted`;
    const list = page.getByRole("dialog", { name: title });
    await list.getByRole("button", { name: "Close" }).last().click();
    await list.waitFor({ state: "detached" });
  }
  const edits = values.flatMap((value, n) => {
    const row = shown[y + n];
    return row && value !== undefined ? [{ id: row.id, after: { [name]: value } }] : [];
  });
  model.edit(edits, (id) => before.get(id) ?? {});
}

const countFor = (grid: GridSession) => grid.random.between(1, Math.min(4, grid.shown.length));

/** More actions in the grid, of boxes, columns, texts of several lines, and pastes from elsewhere. */
export const editing: [weight: number, name: string, run: Action][] = [
  [
    8,
    "tick a box, and empty it by a key",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const { id } = shown[y] as Row;
      const before: Values = { ...grid.valuesOf(id) };
      const next = before.Done !== true;
      const box = await cellAt(page, widths, 5, y);
      await page.mouse.click(box.x, box.y);
      await grid.frame();
      model.edit([{ id, after: { Done: next } }], () => before);
      await grid.settled();
      if (!model.rows.has(id) || random.below(2) === 0) return;
      await page.keyboard.press("Delete");
      if (next) model.edit([{ id, after: { Done: false } }], () => ({ ...before, Done: true }));
    },
  ],
  [
    5,
    "drag a selected column, empty it, and drag it back",
    async (grid) => {
      const { random, page, model } = grid;
      await grid.refresh();
      const names = ["Name", "Height", "Kind", "Note"] as const;
      const from = random.between(1, 2);
      const to = 3;
      const head = await headOf(grid, from);
      await page.mouse.click(head.x, head.y);
      await grid.frame();
      const name = names[from] as string;
      const order = [...widths];
      await drag(grid, from, to);
      await page.keyboard.press("Delete");
      const edits = grid.shown
        .filter((row) => (row.fields[name] ?? null) !== null)
        .map((row) => ({ id: row.id, after: { [name]: null } }));
      const before = new Map(grid.shown.map((row) => [row.id, row.fields]));
      model.edit(edits, (id) => before.get(id) ?? {});
      await grid.settled();
      // Where it is by now.
      const [moved] = widths.splice(from, 1);
      widths.splice(to, 0, moved ?? 0);
      await drag(grid, to, from);
      widths.splice(0, widths.length, ...order);
      await page.keyboard.press("Escape");
    },
  ],
  [
    7,
    "write a text of several lines",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const { id } = shown[y] as Row;
      const before = { ...grid.valuesOf(id) };
      await grid.click(3, y);
      const words = ["one", "two", `three ${random.below(1000)}`];
      await page.keyboard.type(words[0] as string);
      for (const word of words.slice(1)) {
        await page.keyboard.press(random.of(["Alt+Enter", "Shift+Enter", "Control+Enter"]));
        await page.keyboard.type(word);
      }
      await page.keyboard.press("Enter");
      model.edit([{ id, after: { Note: words.join("\n") } }], () => before);
    },
  ],
  [
    6,
    "type in an open record and go back",
    async (grid) => {
      const { random, page, model } = grid;
      await grid.refresh();
      const y = random.below(grid.shown.length);
      const { id } = grid.shown[y] as Row;
      const before = { ...grid.valuesOf(id) };
      await grid.click(0, y);
      await page.keyboard.press("Space");
      const note = page.getByLabel("Note", { exact: true });
      const panel = page.getByRole("dialog").filter({ has: note }); // messages are dialogs, too
      const text = `back ${random.below(1000)}`;
      await panel.getByLabel("Note", { exact: true }).fill(text);
      await page.goBack();
      await panel.waitFor({ state: "detached" });
      model.edit([{ id, after: { Note: text } }], () => before);
    },
  ],
  [
    7,
    "paste dates",
    async (grid) => {
      const { cells, values } = writeDates(grid.random, countFor(grid), grid.locale);
      await pasteColumn(grid, 4, "Day", cells, values);
    },
  ],
  [
    7,
    "paste numbers",
    async (grid) => {
      const { cells, values } = writeNumbers(grid.random, countFor(grid), grid.locale);
      await pasteColumn(grid, 1, "Height", cells, values);
    },
  ],
  [
    5,
    "paste options, one of which there is not",
    async (grid) => {
      const cells = Array.from({ length: countFor(grid) }, () => grid.random.of(["Tree", "Herb", "Shrub"]));
      const values = cells.map((cell) => (kinds.includes(cell) ? cell : undefined));
      await pasteColumn(grid, 2, "Kind", cells, values);
    },
  ],
];
