import { call, cellAt, type Row } from "./fixture.ts";
import { editing } from "./gridediting.ts";
import { type GridSession, names, size, widths } from "./gridsession.ts";
import type { Values } from "./tablemodel.ts";

const blank: Values = { Name: null, Height: null, Kind: null, Note: null, Day: null, Done: false };

type Action = (grid: GridSession) => Promise<unknown>;

/** Actions in the grid. Each changes the model as it should change the table. */
export const actions: [weight: number, name: string, run: Action][] = [
  [
    24,
    "type",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const x = random.of([0, 1, 3]);
      const text = `${x === 1 ? "" : "t"}${random.below(1000)}`;
      const row = shown[y] as Row;
      const name = names[x] as string;
      await grid.click(x, y);
      await page.keyboard.type(text);
      const next = x === 1 ? Number(text) : text;
      const before = { ...grid.valuesOf(row.id) };
      await page.keyboard.press("Enter");
      if (before[name] !== next) model.edit([{ id: row.id, after: { [name]: next } }], () => before);
    },
  ],
  [
    8,
    "type while another client moves the rows",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const row = shown[y] as Row;
      await grid.click(0, y);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+a");
      const text = `moved ${random.below(1000)}`;
      await page.keyboard.type(text);
      const before = { ...grid.valuesOf(row.id) };
      await editElsewhere(grid);
      await grid.refresh();
      await page.keyboard.press("Enter");
      model.edit([{ id: row.id, after: { Name: text } }], (id) =>
        grid.shown.some((one) => one.id === id) ? grid.valuesOf(id) : before,
      );
    },
  ],
  [
    5,
    "press a key after another client has moved the rows",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const { id } = shown[random.below(shown.length)] as Row;
      await grid.click(
        3,
        shown.findIndex((row) => row.id === id),
      );
      await editElsewhere(grid);
      if (random.below(2) === 0) await editElsewhere(grid);
      await grid.refresh();
      const before = { ...grid.valuesOf(id) };
      const there = grid.shown.some((row) => row.id === id);
      await page.keyboard.press("Delete");
      if (there && (before.Note ?? null) !== null) model.edit([{ id, after: { Note: null } }], () => before);
    },
  ],
  [
    6,
    "type over what another client has changed",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const { id, fields: before } = shown[y] as Row;
      const row = model.rows.get(id);
      if (!row) return;
      const fields = { Note: `other ${random.below(1000)}`, Kind: null };
      await call("PATCH", `/records/${id}`, { fields });
      Object.assign(row, fields);
      await grid.click(3, y);
      const after = { Note: `over ${random.below(1000)}` };
      await page.keyboard.type(after.Note);
      await page.keyboard.press("Enter");
      model.edit([{ id, after }], () => before);
    },
  ],
  [14, "another client writes", editElsewhere],
  [8, "refresh", (grid) => grid.refresh()],
  [
    12,
    "paste",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const x = random.below(names.length);
      const width = random.between(1, names.length - x);
      const available = shown.length < size.max ? size.max - y : shown.length - y;
      const height = random.between(1, Math.min(available, shown.length - y + 2, 4));
      const cells = Array.from({ length: height }, () =>
        Array.from({ length: width }, (_, n) =>
          random.below(6) === 0 ? null : grid.randomValue(names[x + n] as (typeof names)[number]),
        ),
      );
      const text = cells
        .map((line) =>
          line
            .map((cell) =>
              /["\t]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell ?? ""),
            )
            .join("\t"),
        )
        .join("\n");
      await page.evaluate((plain) => navigator.clipboard.writeText(plain), `${text}\n`);
      await grid.click(x, y);
      const changes = cells.map((line) => Object.fromEntries(line.map((value, n) => [names[x + n] as string, value])));
      const fresh = changes
        .slice(shown.length - y)
        .filter((line) => Object.values(line).some((value) => value !== null));
      await page.keyboard.press("Control+v");
      const made = fresh.length > 0 ? await grid.newIds(fresh.length) : [];
      const edits = changes.slice(0, shown.length - y).map((after, n) => ({ id: shown[y + n]?.id ?? "", after }));
      const before = new Map(shown.map((row) => [row.id, row.fields]));
      model.edit(
        edits,
        (id) => before.get(id) ?? {},
        made.map((id, n) => [id, { ...blank, ...fresh[n] }]),
      );
    },
  ],
  [
    7,
    "copy a range and paste it elsewhere",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const height = random.between(1, Math.min(3, shown.length));
      const from = random.below(shown.length - height + 1);
      const to = random.below(shown.length - height + 1);
      const x = random.below(names.length);
      await grid.click(0, from);
      await grid.click(x, from + height - 1, true);
      await page.keyboard.press("Control+c");
      await grid.click(0, to);
      await page.keyboard.press("Control+v");
      const before = new Map(shown.map((row) => [row.id, row.fields]));
      const edits = Array.from({ length: height }, (_, n) => ({
        id: shown[to + n]?.id ?? "",
        after: Object.fromEntries(names.slice(0, x + 1).map((name) => [name, shown[from + n]?.fields[name] ?? null])),
      }));
      model.edit(edits, (id) => before.get(id) ?? {});
    },
  ],
  [
    7,
    "fill down",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const height = random.between(2, Math.min(5, shown.length));
      const y = random.below(shown.length - height + 1);
      const x = random.below(names.length);
      await grid.click(x, y);
      await grid.click(x, y + height - 1, true);
      await page.keyboard.press("Control+d");
      const name = names[x] as string;
      const value = shown[y]?.fields[name] ?? null;
      const edits = shown.slice(y + 1, y + height).filter((row) => (row.fields[name] ?? null) !== value);
      const before = new Map(shown.map((row) => [row.id, row.fields]));
      model.edit(
        edits.map((row) => ({ id: row.id, after: { [name]: value } })),
        (id) => before.get(id) ?? {},
      );
    },
  ],
  [
    6,
    "clear a range",
    async (grid) => {
      const { random, page, model, shown } = grid;
      const y = random.below(shown.length);
      const end = random.between(y, Math.min(y + 2, shown.length - 1));
      const x = random.between(1, names.length - 1);
      await grid.click(1, y);
      await grid.click(x, end, true);
      await page.keyboard.press("Delete");
      const before = new Map(shown.map((row) => [row.id, row.fields]));
      const edits = shown.slice(y, end + 1).map((row) => ({
        id: row.id,
        after: Object.fromEntries(
          names
            .slice(1, x + 1)
            .filter((name) => (row.fields[name] ?? null) !== null)
            .map((name) => [name, null]),
        ),
      }));
      model.edit(
        edits.filter((edit) => Object.keys(edit.after).length > 0),
        (id) => before.get(id) ?? {},
      );
    },
  ],
  [
    5,
    "new record",
    async (grid) => {
      const { page, model, shown } = grid;
      if (shown.length >= size.max) return;
      await page.getByRole("button", { name: "New record" }).click();
      const [id = ""] = await grid.newIds(1);
      model.edit([], () => ({}), [[id, { ...blank }]]);
      await grid.idle();
      await grid.frame();
      const text = `new ${grid.random.below(1000)}`;
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      model.edit([{ id, after: { Name: text } }], () => ({}));
    },
  ],
  [
    5,
    "select, sort and delete",
    async (grid) => {
      const { random, page, model } = grid;
      if (grid.shown.length <= size.min) return;
      const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
      const y = random.below(grid.shown.length);
      const row = grid.shown[y] as Row;
      await page.mouse.click(box.x + 26, (await cellAt(page, widths, 0, y)).y);
      await grid.frame();
      if (random.below(2) === 0) await grid.toggleSort();
      // Another client may have deleted the record, which shows after a sort.
      await page.getByRole("button", { name: "Delete record" }).click();
      const question = page.getByRole("alertdialog");
      await question.getByRole("button", { name: "Delete record" }).click();
      await question.waitFor({ state: "detached" });
      model.remove([row.id]);
    },
  ],
  [
    14,
    "undo",
    async (grid) => {
      const { model } = grid;
      await grid.click(0, 0);
      await grid.revert("Control+z", model.canUndo);
      model.undo();
      await untilInOrder(grid, "Control+z", () => model.undo());
    },
  ],
  [
    5,
    "redo",
    async (grid) => {
      const { model } = grid;
      await grid.click(0, 0);
      await grid.revert("Control+Shift+z", model.canRedo);
      model.redo();
      await untilInOrder(grid, "Control+Shift+z", () => model.redo());
    },
  ],
  [4, "sort", (grid) => grid.toggleSort()],
  [3, "search", search],
  ...editing,
];

/** Goes on until the columns are in their first order, in which the actions find them. */
async function untilInOrder(grid: GridSession, keys: string, step: () => void) {
  while (grid.model.arranged) {
    await grid.settled();
    await grid.revert(keys, true);
    step();
  }
}

/** Changes the table over REST. The grid shows the change with its next refresh. */
async function editElsewhere({ random, model, table, log }: GridSession) {
  const ids = [...model.rows.keys()];
  const id = random.of(ids);
  const kind = random.below(ids.length > size.max ? 2 : ids.length <= size.min ? 1 : 6) as 0 | 1;
  if (kind === 1) {
    await call("DELETE", `/records/${id}`);
    model.drop(id);
    log.push(`  deleted ${id}`);
  } else if (kind === 0 || ids.length > size.max) {
    const fields = { Note: `other ${random.below(1000)}` };
    await call("PATCH", `/records/${id}`, { fields });
    Object.assign(model.rows.get(id) as Values, fields);
  } else {
    const fields = { ...blank, Name: `other ${random.below(1000)}`, Height: random.below(1000) };
    const made = await call<{ records: Row[] }>("POST", `/tables/${table.id}/records`, { records: [{ fields }] });
    model.rows.set(made.body.records[0]?.id ?? "", fields);
  }
}

/** Searches, edits the first match and shows all rows again. */
async function search(grid: GridSession) {
  const { page, model } = grid;
  const box = page.getByRole("searchbox", { name: "Search in this table" });
  await grid.listed(() => box.fill("1"));
  const row = grid.shown[0];
  if (row) {
    await grid.click(3, 0);
    const text = `found 1 ${grid.random.below(1000)}`;
    await page.keyboard.type(text);
    const before = { ...row.fields };
    await page.keyboard.press("Enter");
    model.edit([{ id: row.id, after: { Note: text } }], () => before);
    await grid.settled();
  }
  await grid.listed(() => box.fill(""));
  await grid.redrawn();
}
