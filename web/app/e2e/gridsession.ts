import type { Page, Response } from "playwright-core";
import { expect } from "vitest";
import { call, cellAt, type Row, type Table, until } from "./fixture.ts";
import type { LocaleTag } from "./gridwriting.ts";
import { type Random, TableModel, type Values } from "./tablemodel.ts";

/** The widths of the columns: of `names`, of the date Day and of the box Done. */
export const widths = [220, 120, 160, 220, 130, 90];
export const names = ["Name", "Height", "Kind", "Note"] as const;
export const kinds = ["Tree", "Herb", "Salt, pepper"];

/** How many records the table should have at least and at most. */
export const size = { min: 4, max: 11 };

/** Returns all records of a small table, over REST. */
export const recordsOf = async (tableId: string) =>
  (await call<{ records: Row[] }>("GET", `/tables/${tableId}/records?limit=100`)).body.records;

const sorted = (rows: [string, Values][]) =>
  rows
    .map(([id, { Name, Height, Kind, Note, Day, Done }]) => {
      const more = { Day: Day ?? null, Done: Done === true };
      return { id, Name, Height, Kind, Note, ...more };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

type Lists = { open: number; closed: boolean; waiting: (() => void)[] };

/**
 * Gives a page, before it is loaded, a stream that sends no changes. Lists of records that it asks
 * for while `gridLists` is closed wait until it is open: rows move only when the test lets them.
 */
export function silentStream() {
  class Silent extends EventTarget {
    readyState = 1;
    constructor() {
      super();
      Object.assign(window, { silentStream: this });
    }
    close = () => undefined;
  }
  const lists: Lists = { open: 0, closed: false, waiting: [] };
  Object.assign(window, { EventSource: Silent, gridLists: lists });
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" || !/\/tables\/[^/]+\/records$/.test(pathname)) return send(request);
    lists.open++;
    let ended = false;
    // What the page does with an answer is done before the next task.
    const end = () => {
      if (!ended) setTimeout(() => lists.open--);
      ended = true;
    };
    try {
      if (lists.closed) await new Promise<void>((resolve) => lists.waiting.push(resolve));
      const response = await send(request);
      const text = await response.text();
      const answer = new Response(text, response);
      Object.defineProperty(answer, "text", { value: () => Promise.resolve(text).finally(end) });
      Object.defineProperty(answer, "json", { value: () => Promise.resolve(JSON.parse(text)).finally(end) });
      setTimeout(end, 1000); // nobody has read it
      return answer;
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Lets a page list records. */
function openLists() {
  const { gridLists: lists } = window as unknown as { gridLists: Lists };
  lists.closed = false;
  for (const go of lists.waiting.splice(0)) go();
}

/** Has a page list no more records, unless it is about to show some. Returns whether it shows all that it asked for. */
function closeLists(): boolean {
  const { gridLists: lists } = window as unknown as { gridLists: Lists };
  if (lists.open === 0) lists.closed = true;
  return lists.closed;
}

/** Makes the page read its rows again, as after a stream that could not resume. */
export function endStream() {
  const { silentStream: stream } = window as unknown as { silentStream: EventTarget };
  stream.dispatchEvent(new MessageEvent("ready", { lastEventId: "0", data: "{}" }));
}

/** Drives the grid in the browser together with a model of the table that it shows. */
export class GridSession {
  readonly model = new TableModel();
  readonly log: string[] = [];
  /** The records that the grid shows, in order, with the values of the last responses. */
  shown: Row[] = [];
  /** How often the grid asked whose value is to stay. */
  questions = 0;
  /** How often an undo asked what is to become of newer changes. */
  reverts = 0;
  private lists = 0;
  private pending = 0;
  private readonly reading = new Set<Promise<void>>();
  private failure: unknown;
  private ended = false;
  private ascending = true;

  constructor(
    readonly page: Page,
    readonly table: Table,
    readonly random: Random,
    readonly locale: LocaleTag,
  ) {
    const records = `/api/v1/tables/${table.id}/records`;
    const matches = (url: string) => new URL(url).pathname === records;
    page.on("request", (request) => void (matches(request.url()) && this.pending++));
    page.on("requestfailed", (request) => void (matches(request.url()) && this.pending--));
    page.on("response", (response) => {
      if (!this.ended && matches(response.url())) this.read(response);
    });
  }

  private read(response: Response) {
    const reading = this.onResponse(response)
      .catch((error: unknown) => void (this.failure ??= error))
      .finally(() => {
        this.pending--;
        this.reading.delete(reading);
      });
    this.reading.add(reading);
  }

  /** Waits until what the page has received is read. Its context can be closed then. */
  async end() {
    this.ended = true;
    await Promise.all(this.reading);
  }

  private async onResponse(response: Response) {
    const method = response.request().method();
    if (response.status() === 412) {
      const { current } = (await response.json()) as { current: Row };
      this.shown = this.shown.map((row) => (row.id === current.id ? current : row));
    }
    if (!response.ok()) return;
    const body = (await response.json()) as { records: Row[]; ids?: string[] };
    if (method === "GET") {
      this.shown = body.records;
      this.lists++;
    } else if (method === "PATCH") {
      const byId = new Map(body.records.map((row) => [row.id, row]));
      this.shown = this.shown.map((row) => byId.get(row.id) ?? row);
    } else if (method === "POST") this.shown = [...this.shown, ...body.records];
    else {
      const deleted = new Set((response.request().postDataJSON() as { ids: string[] }).ids);
      this.shown = this.shown.filter((row) => !deleted.has(row.id));
    }
  }

  valuesOf = (id: string): Values => this.shown.find((row) => row.id === id)?.fields ?? {};

  /** Runs an action and waits until the grid has listed its records again. */
  async listed(action: () => Promise<unknown>) {
    const before = this.lists;
    await this.page.evaluate(openLists);
    await action();
    await until(
      async () => this.lists,
      (lists) => lists > before,
      8000,
      10,
    );
    await this.idle();
  }

  /**
   * Presses the keys of undo or redo, and waits until the grid shows the records as they are then.
   * Of what another client has changed since, the person overwrites all.
   */
  async revert(keys: string, possible: boolean) {
    if (!possible) {
      await this.page.keyboard.press(keys);
      await this.page.getByText(/^Nothing to (un|re)do$/).first().waitFor({ state: "attached" });
      return;
    }
    const overwrite = this.page.getByRole("button", { name: "Overwrite" });
    const before = this.lists;
    await this.page.evaluate(openLists);
    await this.page.keyboard.press(keys);
    await until(
      async () => {
        if (await overwrite.isVisible()) {
          this.reverts++;
          await overwrite.click();
          await overwrite.waitFor({ state: "detached" });
        }
        return this.lists;
      },
      (lists) => lists > before,
      8000,
      20,
    );
    await this.idle();
  }

  /** Waits until no request is pending and the grid shows what was listed. Its rows stay where they are then. */
  async idle() {
    await this.page.evaluate(openLists);
    let idleReads = 0;
    await until(
      async () => {
        const idle = this.pending === 0 && (await this.page.evaluate(closeLists)) && this.pending === 0;
        return (idleReads = idle ? idleReads + 1 : 0);
      },
      (count) => count > 1,
      8000,
      10,
    );
    if (this.failure !== undefined) throw this.failure;
    await this.frame();
  }

  /** Waits until the grid has drawn. Returns whether an editor is open. */
  frame = () =>
    this.page.evaluate(
      () =>
        new Promise<boolean>((resolve) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(document.querySelector("#portal .gdg-style") !== null)),
          ),
        ),
    );

  async click(column: number, row: number, shift = false) {
    const cell = await cellAt(this.page, widths, column, row);
    if (shift) await this.page.keyboard.down("Shift");
    await this.page.mouse.click(cell.x, cell.y);
    if (shift) await this.page.keyboard.up("Shift");
    await this.frame();
  }

  refresh = () => this.listed(() => this.page.evaluate(endStream));

  /** Sorts by one of the first two columns, in the other direction than the last time. */
  async toggleSort() {
    const box = (await this.page.getByTestId("data-grid-canvas").boundingBox())!;
    const column = this.random.below(2);
    this.ascending = !this.ascending;
    await this.page.mouse.click(box.x + 52 + (column === 0 ? 100 : 280), box.y + 19, { button: "right" });
    const item = this.ascending ? "Sort ascending" : "Sort descending";
    await this.listed(() => this.page.getByRole("menuitem", { name: item }).click());
    await this.redrawn();
  }

  /** Waits until the grid is back with other rows. */
  async redrawn() {
    await this.page.getByTestId("data-grid-canvas").waitFor();
    await this.frame();
  }

  /** Waits until the table has so many records that are not in the model, and returns their ids. */
  async newIds(count: number): Promise<string[]> {
    const found = await until(
      async () => (await recordsOf(this.table.id)).map((row) => row.id).filter((id) => !this.model.rows.has(id)),
      (ids) => ids.length >= count,
    );
    expect(found, "the new records").toHaveLength(count);
    return found;
  }

  /** Waits until the table equals the model, and fails if it does not. */
  async settled() {
    const expected = JSON.stringify(sorted([...this.model.rows]));
    const read = async () => {
      // Another client changed what the person did.
      const own = this.page.getByRole("button", { name: "Use mine" });
      if (await own.isVisible()) {
        this.questions++;
        await own.click();
        await own.waitFor({ state: "detached" });
      }
      return sorted((await recordsOf(this.table.id)).map((row) => [row.id, row.fields]));
    };
    await this.idle();
    const found = await until(read, (rows) => JSON.stringify(rows) === expected, 8000, 20);
    expect(found, `after\n${this.log.slice(-12).join("\n")}`).toEqual(JSON.parse(expected));
    await this.idle();
  }

  randomValue(name: (typeof names)[number]): unknown {
    if (name === "Height") return this.random.below(1000);
    if (name === "Kind") return this.random.of(kinds);
    return `${this.random.of(["n", "😀 ", '5" ', "a, b "])}${this.random.below(1000)}`;
  }
}
