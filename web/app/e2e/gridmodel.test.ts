import type { Page, Response } from "playwright-core";
import { expect, test } from "vitest";
import { Model, type Random, randomFrom, type Values } from "./model.ts";
import { call, cellAt, gridReady, makeTable, type Row, stage, type Table, until } from "./fixture.ts";

const at = stage();
// SEED=random draws one, which is printed; ACTIONS says how many.
const seed = process.env.SEED === "random" ? Date.now() % 1_000_000_007 : Number(process.env.SEED ?? 20260418);
const actions = Number(process.env.ACTIONS ?? 500);

const widths = [220, 120, 160, 220];
const names = ["Name", "Height", "Kind", "Note"] as const;
const kinds = ["Tree", "Herb", "Salt, pepper"];
const blank: Values = { Name: null, Height: null, Kind: null, Note: null };
const few = 4;
const many = 11;

/**
 * The grid in the browser, as its own requests and answers describe it, and the table as it should
 * be.
 */
class Play {
  readonly model = new Model();
  readonly log: string[] = [];
  /** The records that the grid shows, in order, with the values that it has been told. */
  shown: Row[] = [];
  private lists = 0;
  private open = 0;

  constructor(
    readonly page: Page,
    readonly table: Table,
    readonly random: Random,
  ) {
    const mine = `/api/v1/tables/${table.id}/records`;
    const ours = (url: string) => new URL(url).pathname === mine;
    page.on("request", (request) => void (ours(request.url()) && this.open++));
    page.on("requestfailed", (request) => void (ours(request.url()) && this.open--));
    page.on("response", (response) => void (ours(response.url()) && this.hear(response).finally(() => this.open--)));
  }

  private async hear(response: Response) {
    if (!response.ok()) return;
    const method = response.request().method();
    const body = (await response.json()) as { records: Row[]; ids?: string[] };
    if (method === "GET") {
      this.shown = body.records;
      this.lists++;
    } else if (method === "PATCH") {
      const byId = new Map(body.records.map((row) => [row.id, row]));
      this.shown = this.shown.map((row) => byId.get(row.id) ?? row);
    } else if (method === "POST") this.shown = [...this.shown, ...body.records];
    else {
      const gone = new Set((response.request().postDataJSON() as { ids: string[] }).ids);
      this.shown = this.shown.filter((row) => !gone.has(row.id));
    }
  }

  valuesOf = (id: string): Values => this.shown.find((row) => row.id === id)?.fields ?? {};

  async answered(does: () => Promise<unknown>) {
    const before = this.lists;
    await does();
    await until(
      async () => this.lists,
      (lists) => lists > before,
      8000,
      10,
    );
    await this.idle();
  }

  /** Waits until nothing is on its way. */
  async idle() {
    let still = 0;
    await until(
      async () => (still = this.open === 0 ? still + 1 : 0),
      (times) => times > 1,
      8000,
      10,
    );
  }

  /** Waits until the grid has drawn. Returns whether an editor is open. */
  frame = () =>
    this.page.evaluate(
      () =>
        new Promise<boolean>((go) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => go(document.querySelector("#portal .gdg-style") !== null)),
          ),
        ),
    );

  async click(column: number, row: number, shift = false) {
    const cell = await cellAt(this.page, widths, column, row);
    if (shift) await this.page.keyboard.down("Shift");
    await this.page.mouse.click(cell.x, cell.y);
    if (shift) await this.page.keyboard.up("Shift");
    // A click on the cell that is selected already opens it.
    if (await this.frame()) {
      await this.page.keyboard.press("Escape");
      await this.frame();
    }
  }

  look = () => this.answered(() => this.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))));

  value(name: (typeof names)[number]): unknown {
    if (name === "Height") return this.random.below(1000);
    if (name === "Kind") return this.random.of(kinds);
    return `${this.random.of(["n", "😀 ", '5" ', "a, b "])}${this.random.below(1000)}`;
  }
}

/** What is done in the grid. Each action changes the model as it should change the table. */
const plays: [weight: number, name: string, does: (play: Play) => Promise<unknown>][] = [
  [
    24,
    "type",
    async (play) => {
      const { random, page, model, shown } = play;
      const y = random.below(shown.length);
      const x = random.of([0, 1, 3]);
      const text = `${x === 1 ? "" : "t"}${random.below(1000)}`;
      const row = shown[y] as Row;
      const name = names[x] as string;
      await play.click(x, y);
      await page.keyboard.type(text);
      const next = x === 1 ? Number(text) : text;
      const differs = play.valuesOf(row.id)[name] !== next;
      await page.keyboard.press("Enter");
      if (differs) model.edit([{ id: row.id, after: { [name]: next } }], play.valuesOf);
    },
  ],
  [
    8,
    "type while others move the rows",
    async (play) => {
      const { random, page, model, shown } = play;
      const y = random.below(shown.length);
      const row = shown[y] as Row;
      await play.click(0, y);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+a");
      const text = `moved ${random.below(1000)}`;
      await page.keyboard.type(text);
      const before = { ...play.valuesOf(row.id) };
      await elsewhere(play);
      await play.look();
      await page.keyboard.press("Enter");
      model.edit([{ id: row.id, after: { Name: text } }], (id) =>
        play.shown.some((one) => one.id === id) ? play.valuesOf(id) : before,
      );
    },
  ],
  [14, "others write", elsewhere],
  [8, "look", (play) => play.look()],
  [
    12,
    "paste",
    async (play) => {
      const { random, page, model, shown, table } = play;
      const y = random.below(shown.length);
      const x = random.below(names.length);
      const width = random.between(1, names.length - x);
      const room = shown.length < many ? many - y : shown.length - y;
      const height = random.between(1, Math.min(room, shown.length - y + 2, 4));
      const cells = Array.from({ length: height }, () =>
        Array.from({ length: width }, (_, n) =>
          random.below(6) === 0 ? null : play.value(names[x + n] as (typeof names)[number]),
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
      await play.click(x, y);
      const changes = cells.map((line) => Object.fromEntries(line.map((value, n) => [names[x + n] as string, value])));
      const fresh = changes
        .slice(shown.length - y)
        .filter((line) => Object.values(line).some((value) => value !== null));
      await page.keyboard.press("Control+v");
      const made = fresh.length > 0 ? await newIds(table.id, model, fresh.length) : [];
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
    async (play) => {
      const { random, page, model, shown } = play;
      const height = random.between(1, Math.min(3, shown.length));
      const from = random.below(shown.length - height + 1);
      const to = random.below(shown.length - height + 1);
      const x = random.below(names.length);
      await play.click(0, from);
      await play.click(x, from + height - 1, true);
      await page.keyboard.press("Control+c");
      await play.click(0, to);
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
    async (play) => {
      const { random, page, model, shown } = play;
      const height = random.between(2, Math.min(5, shown.length));
      const y = random.below(shown.length - height + 1);
      const x = random.below(names.length);
      await play.click(x, y);
      await play.click(x, y + height - 1, true);
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
    async (play) => {
      const { random, page, model, shown } = play;
      const y = random.below(shown.length);
      const end = random.between(y, Math.min(y + 2, shown.length - 1));
      const x = random.between(1, names.length - 1);
      await play.click(1, y);
      await play.click(x, end, true);
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
    async (play) => {
      const { page, model, table, shown } = play;
      if (shown.length >= many) return;
      await page.getByRole("button", { name: "New record" }).click();
      const [id = ""] = await newIds(table.id, model, 1);
      model.edit([], () => ({}), [[id, { ...blank }]]);
      await play.idle();
      await play.frame();
      const text = `new ${play.random.below(1000)}`;
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      model.edit([{ id, after: { Name: text } }], () => ({}));
    },
  ],
  [
    5,
    "tick, sort and delete",
    async (play) => {
      const { random, page, model } = play;
      if (play.shown.length <= few) return;
      const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
      const y = random.below(play.shown.length);
      const row = play.shown[y] as Row;
      await page.mouse.click(box.x + 26, (await cellAt(page, widths, 0, y)).y);
      await play.frame();
      if (random.below(2) === 0) await sort(play);
      // The record may have been deleted elsewhere, which a sort shows.
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
    async (play) => {
      const { page, model } = play;
      await play.click(0, 0);
      await page.keyboard.press("Control+z");
      model.undo();
    },
  ],
  [4, "sort", sort],
  [3, "search", search],
];

/** Somebody else changes the table: the grid learns of it when it looks. */
async function elsewhere({ random, model, table, log }: Play) {
  const ids = [...model.rows.keys()];
  const id = random.of(ids);
  const kind = random.below(ids.length > many ? 2 : ids.length <= few ? 1 : 6) as 0 | 1;
  if (kind === 1) {
    await call("DELETE", `/records/${id}`);
    model.rows.delete(id);
    log.push(`  deleted ${id}`);
  } else if (kind === 0 || ids.length > many) {
    const fields = { Note: `theirs ${random.below(1000)}` };
    await call("PATCH", `/records/${id}`, { fields });
    Object.assign(model.rows.get(id) as Values, fields);
  } else {
    const fields = { Name: `theirs ${random.below(1000)}`, Height: random.below(1000), Kind: null, Note: null };
    const made = await call<{ records: Row[] }>("POST", `/tables/${table.id}/records`, { records: [{ fields }] });
    model.rows.set(made.body.records[0]?.id ?? "", fields);
  }
}

/** Waits until the grid is there again, with other rows. */
async function drawn(play: Play) {
  await play.page.getByTestId("data-grid-canvas").waitFor();
  await play.frame();
}

let ascending = true;

async function sort(play: Play) {
  const { page, random } = play;
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  const column = random.below(2);
  ascending = !ascending;
  await page.mouse.click(box.x + 52 + (column === 0 ? 100 : 280), box.y + 19, { button: "right" });
  await play.answered(() =>
    page.getByRole("menuitem", { name: ascending ? "Sort ascending" : "Sort descending" }).click(),
  );
  await drawn(play);
}

/** Narrows the rows for a while, edits one of them and shows all again. */
async function search(play: Play) {
  const { page, model } = play;
  const box = page.getByRole("searchbox", { name: "Search in this table" });
  await play.answered(() => box.fill("1"));
  const row = play.shown[0];
  if (row) {
    await play.click(3, 0);
    const text = `found 1 ${play.random.below(1000)}`;
    await page.keyboard.type(text);
    const before = { ...row.fields };
    await page.keyboard.press("Enter");
    model.edit([{ id: row.id, after: { Note: text } }], () => before);
    await settled(play);
  }
  await play.answered(() => box.fill(""));
  await drawn(play);
}

const tableRows = async (tableId: string) =>
  (await call<{ records: Row[] }>("GET", `/tables/${tableId}/records?limit=100`)).body.records;

async function newIds(tableId: string, model: Model, count: number): Promise<string[]> {
  const found = await until(
    async () => (await tableRows(tableId)).map((row) => row.id).filter((id) => !model.rows.has(id)),
    (ids) => ids.length >= count,
  );
  expect(found, "the records that were made").toHaveLength(count);
  return found;
}

const sorted = (rows: [string, Values][]) =>
  rows
    .map(([id, { Name, Height, Kind, Note }]) => ({ id, Name, Height, Kind, Note }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Waits until the table is as it should be, and fails where it is not. */
async function settled(play: Play) {
  const wanted = JSON.stringify(sorted([...play.model.rows]));
  const read = async () => sorted((await tableRows(play.table.id)).map((row) => [row.id, row.fields]));
  await play.idle();
  const found = await until(read, (rows) => JSON.stringify(rows) === wanted, 8000, 20);
  expect(found, `after\n${play.log.slice(-12).join("\n")}`).toEqual(JSON.parse(wanted));
  await play.idle();
}

test(
  `after ${actions} random actions, and each of them, the table is what it should be (SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    process.stdout.write(`grid play: SEED=${seed} ACTIONS=${actions}\n`);
    const random = randomFrom(seed);
    const { page } = at;
    // The grid looks at what others changed when the test says so, and not in the middle of an
    // action.
    await page.addInitScript(() => {
      const own = window.setInterval.bind(window);
      window.setInterval = ((work: () => void, delay?: number) =>
        delay === 20_000 ? 0 : own(work, delay)) as typeof window.setInterval;
    });
    const rows = Array.from({ length: 6 }, (_, n) => ({ Name: `row ${n}`, Height: n, Kind: kinds[n % 3], Note: null }));
    const fields = [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
      { name: "Kind", type: "single_select", config: { options: kinds } },
      { name: "Note", type: "text" },
    ];
    const made = await makeTable("Play", fields, rows);
    const play = new Play(page, made.table, random);
    for (const row of await tableRows(made.table.id)) play.model.rows.set(row.id, row.fields);
    await page.goto(`/base/${made.baseId}/${made.table.id}`);
    await gridReady(page);
    await until(
      async () => play.shown.length,
      (count) => count > 0,
    );
    const total = plays.reduce((sum, [weight]) => sum + weight, 0);
    for (let nth = 0; nth < actions; nth++) {
      if (play.shown.length < few) await play.look();
      let drawn = random.below(total);
      const [, name, does] = plays.find(([weight]) => (drawn -= weight) < 0) as (typeof plays)[number];
      play.log.push(`${nth}: ${name}`);
      try {
        await does(play);
      } catch (error) {
        throw new Error(`SEED=${seed}: ${play.log.slice(-12).join("\n")}`, { cause: error });
      }
      await settled(play);
    }
    await play.look();
    const shown = page.getByTestId("data-grid-canvas");
    for (const values of play.model.rows.values())
      if (values.Name) await expect.poll(() => shown.textContent()).toContain(String(values.Name));
  },
);
