import { Problem } from "../api/problem.ts";
import type { RecordQuery } from "../api/query.ts";
import type { Row, RowPage, Values } from "../api/type.ts";
import { dropPage, peekPage, readOrTake } from "./prefetch.ts";
import { RowColors } from "./colors.ts";
import { effectOf } from "./effect.ts";
import { isUnsaved } from "./command.ts";
import { Meanwhile } from "./meanwhile.ts";
import { Pace } from "./pace.ts";
import { Places } from "./places.ts";
import { Records, type Applied } from "./records.ts";
import type { Progress } from "./call.ts";
import { atOnce, incomplete, readByCursor, type ReadRows, readWhole } from "./wholepage.ts";
import { changesOf, type Edit } from "./edit.ts";
import type { Writer } from "./writer.ts";

export const pageSize = 100;

export type RowQuery = Omit<RecordQuery, "offset" | "limit" | "cursor">;
const rush = 100; // milliseconds between two looks elsewhere, below which somebody is on the way to another place
const settle = 60; // milliseconds until the rows are read where such a way stops
const stay = 10_000; // milliseconds that a record stays where it is after an edit here that moves it
const maxEarly = 1000; // records whose own requests may still be under way
const many = 20; // pages above which a range from the beginning is read one page behind the other, by cursor
const maxPages = 60; // that are kept; those that nobody has looked at for longest are let go

/**
 * The rows of one table under one query, in order, read page by page as they come into view. It has
 * the ids of records; the writer has the records. Rows stay shown while they are read again, so
 * that nothing flickers; what is not saved yet is laid over what the service says, and records that
 * are not made yet come last.
 */
export class RowSource {
  private ids: (string | undefined)[] = [];
  private records: Records; // of the present or of a moment in the past
  readonly colors: RowColors;
  private fresh = new Set<number>(); // pages read since the last refresh
  private seen = new Set<number>(); // pages that have rows, those looked at last at the end
  private ranges = 0; // that are being read
  private loading = new Map<number, AbortController>();
  private listeners = new Set<() => void>();
  private stop: (() => void) | undefined; // stops listening, which it does while somebody holds it
  private closed = false;
  private holders = 0;
  private awaited = new Map<number, number>(); // pages that ranges wait for, and how many do
  private looked = { from: 0, to: 0, at: 0, jumped: false };
  private settling: ReturnType<typeof setTimeout> | undefined;
  private places = new Places(() => this.ids);
  private turn = 0; // raised when what was read has become old
  private early = new Set<string>(); // records whose change event came before the response to their own request
  private meanwhile = new Meanwhile();
  private pace = new Pace(() => this.refresh());
  private still = 0; // moves of rows that the service does not have yet
  private moving: ReturnType<typeof setTimeout> | undefined;
  private count: number | undefined; // of the service's rows
  problem: Problem | undefined;
  /** Raised with every change, for React. */
  version = 0;

  constructor(
    readonly tableId: string,
    readonly query: RowQuery,
    readonly writer: Writer,
    private read: ReadRows = readOrTake,
  ) {
    this.records = query.asOf === undefined ? writer.records : new Records(writer.names);
    this.colors = new RowColors(query, writer.names, () => this.readInView(), () => this.changed());
    const first = this.peek();
    if (first) this.take(0, first);
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.version;

  /** How many rows there are; undefined until the first page came. */
  get total(): number | undefined {
    return this.count === undefined ? undefined : this.count + this.unmade.length;
  }

  private get unmade(): readonly string[] {
    return this.query.asOf === undefined ? this.writer.creations : [];
  }

  /** Keeps the rows up to date until the returned function is called. */
  hold(): () => void {
    if (this.holders++ === 0) this.open();
    return () => {
      if (--this.holders === 0) this.close();
    };
  }

  private open() {
    // It received no changes before. A page that nobody has dropped since is not old.
    if (this.closed || !this.peek()) this.fresh.clear();
    this.closed = false;
    if (this.count !== undefined) dropPage();
    this.stop = this.listen();
  }

  private peek() {
    return peekPage(this.tableId, { ...this.query, offset: 0, limit: pageSize });
  }

  private listen() {
    const past = this.records !== this.writer.records;
    const schema = (renamed: ReadonlyMap<string, string | undefined>) => {
      if (past) this.records.rename(renamed);
      this.changed();
      if (!this.closed) this.refresh();
    };
    const unlist = this.records.list({ ids: () => this.ids });
    // What is written now does not change the past.
    const unlisten = this.writer.on(past ? { schema } : { ...this.events, schema });
    return () => {
      unlist();
      unlisten();
    };
  }

  private get events(): Parameters<Writer["on"]>[0] {
    return {
      saved: () => this.changed(),
      // The rows kept here are the service's; without the overlay they are what they were.
      reverted: () => this.changed(),
      status: () => this.changed(), // also for what is pending and not made yet
      made: (rows) => this.append(rows),
      gone: (ids) => this.drop(ids),
      renewed: () => this.pace.ask(),
      received: (changes) => this.receive(changes),
    };
  }

  private close() {
    this.closed = true;
    this.stop?.();
    clearTimeout(this.settling);
    clearTimeout(this.moving);
    this.pace.stop();
    this.colors.stop();
    for (const controller of this.loading.values()) controller.abort();
    this.loading.clear();
  }

  /** The row at an index, with unsaved edits; undefined when it was not read yet. */
  at(index: number): Row | undefined {
    if (this.count !== undefined && index >= this.count) {
      const id = this.unmade[index - this.count];
      return id === undefined ? undefined : this.writer.unmade(id);
    }
    const row = this.records.get(this.ids[index]);
    return row && this.shown(row);
  }

  /** Where a record is; -1 when it was not read, or is not among those that the query finds. */
  indexOf = (id: string): number => {
    const place = this.places.of(this.writer.idOf(id));
    if (place !== undefined || !isUnsaved(id) || this.count === undefined) return place ?? -1;
    const unmade = this.unmade.indexOf(id);
    return unmade < 0 ? -1 : this.count + unmade;
  };

  /** A record that was read, with unsaved edits. */
  find = (id: string): Row | undefined => this.at(this.indexOf(id));

  /** The rows that were read of those last asked for by ensure. */
  inView(): Row[] {
    return Array.from({ length: this.looked.to - this.looked.from + 1 }, (_, n) =>
      this.at(this.looked.from + n),
    ).filter((row) => row !== undefined);
  }

  /** Every row that was read, in order. */
  loaded(): Row[] {
    const read = this.ids.flatMap((id) => this.records.get(id) ?? []).map((row) => this.shown(row));
    return [...read, ...this.unmade.map((id) => this.writer.unmade(id))];
  }

  private shown(row: Row): Row {
    return this.query.asOf === undefined ? this.writer.overlay(row) : row;
  }

  /** Reads the pages with rows from..to (both included) that were not read yet, once nobody rushes through them. */
  ensure(from: number, to: number) {
    const at = Date.now();
    const jumped = Math.abs(from - this.looked.from) > pageSize;
    const rushing = jumped && this.looked.jumped && at - this.looked.at < rush;
    const last = Math.max(0, (this.count ?? 1) - 1);
    this.looked = { from: Math.max(0, from), to: Math.min(to, last), at, jumped };
    clearTimeout(this.settling);
    if (this.still > 0) return;
    if (rushing) this.settling = setTimeout(() => this.ensure(from, to), settle);
    else {
      for (let page = Math.floor(this.looked.from / pageSize); page <= Math.floor(this.looked.to / pageSize); page++) {
        if (!this.fresh.has(page) && !this.loading.has(page)) void this.load(page);
        else if (this.seen.delete(page)) this.seen.add(page);
      }
    }
    // A fast scroll leaves pages behind that nobody looks at any more.
    for (const [page, controller] of this.loading) {
      if (
        page !== 0 &&
        !this.awaited.has(page) &&
        (page * pageSize > to + 3 * pageSize || (page + 1) * pageSize < from - 3 * pageSize)
      ) {
        controller.abort();
        this.loading.delete(page);
      }
    }
  }

  /**
   * Reads rows from..to, or to the last, and returns all of them in order. Throws the problem when
   * a page does not come, so that nobody takes a part for the whole.
   */
  async range(from: number, to: number, progress?: Progress, signal?: AbortSignal): Promise<Row[]> {
    this.ranges++;
    try {
      return await this.readRange(from, to, progress, signal);
    } finally {
      this.ranges--;
      this.letGo();
    }
  }

  private async readRange(from: number, to: number, progress?: Progress, signal?: AbortSignal): Promise<Row[]> {
    const pages: number[] = [];
    const end = Math.min(to, Math.max(0, (this.count ?? Infinity) - 1));
    for (let page = Math.floor(from / pageSize); page <= Math.floor(end / pageSize); page++)
      if (!this.fresh.has(page)) pages.push(page);
    if (pages[0] === 0 && pages.length > many) await this.walk(end, progress, signal);
    else await this.readAll(pages, progress, signal);
    const found: Row[] = [];
    const last = Math.min(to, (this.total ?? 0) - 1);
    for (let index = from; index <= last; index++) {
      const row = this.at(index);
      if (!row) throw this.problem ?? incomplete();
      found.push(row);
    }
    return found;
  }

  private async readAll(pages: number[], progress?: Progress, signal?: AbortSignal) {
    let done = 0;
    await atOnce(pages, async (page) => {
      signal?.throwIfAborted();
      this.awaited.set(page, (this.awaited.get(page) ?? 0) + 1);
      let problem = await this.load(page);
      // A page may be asked for again by somebody else, who then takes its answer.
      if (!problem && !this.fresh.has(page) && !this.closed) problem = await this.load(page);
      const waiting = (this.awaited.get(page) ?? 1) - 1;
      if (waiting > 0) this.awaited.set(page, waiting);
      else this.awaited.delete(page);
      if (problem) throw problem;
      progress?.(++done * pageSize);
    });
    signal?.throwIfAborted();
  }

  private async walk(to: number, progress?: Progress, signal?: AbortSignal) {
    const { turn } = this;
    this.meanwhile.begin();
    try {
      await readByCursor((place) => this.readPage(place, signal), { to, size: pageSize }, (page, answer) => {
        signal?.throwIfAborted();
        this.take(page, answer);
        progress?.(Math.min(answer.total, (page + 1) * pageSize));
      });
    } finally {
      this.meanwhile.end();
      if (turn !== this.turn) this.fresh.clear(); // rows may have moved under it
    }
    this.changed();
  }

  /** Reads what is in view again, and the rest when it comes into view. */
  refresh(from = this.looked.from, to = this.looked.to) {
    this.turn++;
    this.fresh.clear();
    this.ensure(from, to);
  }

  private readPage(place: { offset: number } | { cursor: string }, signal?: AbortSignal): Promise<RowPage> {
    const read = () => readWhole(this.read, this.tableId, { ...this.query, ...place, limit: pageSize }, signal);
    return this.colors.during(read);
  }

  /** Reads the pages that are in view, whatever is known of them. */
  private readInView(): Promise<RowPage[]> {
    const first = Math.floor(this.looked.from / pageSize);
    const pages = Array.from({ length: Math.floor(this.looked.to / pageSize) - first + 1 }, (_, n) => first + n);
    return Promise.all(pages.map((page) => this.readPage({ offset: page * pageSize })));
  }

  /** Reads a page. Returns the problem when it does not come. */
  private async load(page: number): Promise<Problem | undefined> {
    const controller = new AbortController();
    this.loading.set(page, controller);
    const { turn } = this;
    this.meanwhile.begin();
    let problem: Problem | undefined;
    try {
      const answer = await this.readPage({ offset: page * pageSize }, controller.signal);
      const first = answer.records[0];
      if (first && this.writer.names.hasUnknown(first)) {
        // A field has another name than the page knows.
        await this.writer.learn();
        this.writer.names.accept(first);
      }
      if (this.closed || controller.signal.aborted) return undefined;
      this.take(page, answer);
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      problem = Problem.from(error);
    } finally {
      this.meanwhile.end();
      if (this.loading.get(page) === controller) this.loading.delete(page);
    }
    this.problem = problem;
    this.changed();
    if (turn !== this.turn && !problem) {
      // It was requested before the rows had to be read again, and may be old.
      this.fresh.delete(page);
      this.ensure(this.looked.from, this.looked.to);
    }
    return problem;
  }

  private take(page: number, { total, records, colors }: RowPage) {
    this.colors.take({ records, colors });
    this.count = total;
    this.ids.length = Math.min(this.ids.length, total);
    const start = page * pageSize;
    this.records.take(records.map((row) => this.meanwhile.over(row, this.writer.names)));
    records.forEach(({ id }, index) => {
      // A record is in one place. Where it was before, another is by now.
      const before = this.indexOf(id);
      if (before >= 0 && before !== start + index && this.ids[before] === id) {
        this.ids[before] = undefined;
        this.fresh.delete(Math.floor(before / pageSize));
      }
      this.ids[start + index] = id;
    });
    this.places.outdate();
    this.fresh.add(page);
    this.seen.delete(page);
    this.seen.add(page);
    this.letGo();
  }

  /** Lets go of the pages that nobody has looked at for longest. */
  private letGo() {
    if (this.ranges > 0 || this.seen.size <= maxPages) return;
    const { from, to } = this.looked;
    const unseen = [...this.seen].filter((page) => (page + 1) * pageSize <= from || page * pageSize > to);
    for (const page of unseen.slice(0, this.seen.size - maxPages)) {
      this.seen.delete(page);
      this.fresh.delete(page);
      this.colors.forget(this.ids.slice(page * pageSize, (page + 1) * pageSize));
      this.ids.fill(undefined, page * pageSize, (page + 1) * pageSize);
    }
    this.places.outdate();
    this.records.letGo();
  }

  /** Shows the rows in another order, and reads none again until the returned function is called. */
  reorder(order: (ids: (string | undefined)[]) => (string | undefined)[]): () => void {
    for (const [page, controller] of this.loading) if (!this.awaited.has(page)) controller.abort();
    this.still++;
    this.ids = order(Array.from(this.ids));
    this.places.outdate();
    this.changed();
    return () => void this.still--;
  }

  /** Changes values of records, by field id; they show at once. See changesOf. */
  edit(edits: Edit[], changeSet?: string) {
    this.writer.edit(changesOf(edits, this.writer.names, changeSet), changeSet);
    this.changed();
  }

  /** Makes a record that shows at once. Returns the id by which it is known until it is made, and after. */
  begin(values: Values): string {
    void this.writer.create([values]);
    return this.writer.creations.at(-1) ?? "";
  }

  /** Makes records of values by field id, and shows them at the end. */
  create(list: Values[], changeSet?: string): Promise<Row[]> {
    return this.writer.create(list, changeSet);
  }

  /** Deletes records. Returns how many. */
  delete(ids: string[], progress?: Progress, signal?: AbortSignal): Promise<number> {
    const versions = new Map(ids.map((id) => [id, this.find(id)?.version]));
    return this.writer.remove(ids, progress, signal, versions);
  }

  private append(rows: Row[]) {
    this.records.take(rows);
    if (rows.filter(({ id }) => this.early.delete(id)).length > 0) this.pace.ask();
    const added = rows.map(({ id }) => id).filter((id) => this.indexOf(id) < 0);
    const start = this.count ?? 0;
    this.turn++;
    added.forEach((id, index) => (this.ids[start + index] = id));
    this.count = start + added.length;
    this.places.outdate();
    this.changed();
  }

  /** Takes changes that the service sent, in its order. Reads what they do not contain completely. */
  private receive(changes: readonly Applied[]) {
    for (const change of changes) this.meanwhile.take(change);
    this.colors.receive(changes);
    const { gone, created, drawn, old, moved } = effectOf(changes, this);
    for (const id of created) this.early.add(id);
    if (gone.size > 0) {
      this.drop(gone);
      for (const id of gone) this.early.add(id);
    } else if (drawn) this.changed();
    if (this.early.size > maxEarly) this.early.clear();
    const late = this.meanwhile.busy && this.writer.names.computes;
    if (old || late || gone.size > 0) this.pace.ask();
    if (!moved) return;
    clearTimeout(this.moving);
    this.moving = setTimeout(() => this.pace.ask(), stay);
  }

  private drop(gone: ReadonlySet<string>) {
    const before = this.ids.length;
    const left = Array.from(this.ids).filter((id) => id === undefined || !gone.has(id));
    const counted = [...gone].filter((id) => !this.early.delete(id));
    this.count = Math.max(0, (this.count ?? before) - counted.length);
    this.ids = left;
    this.places.outdate();
    this.fresh.clear();
    this.turn++;
    this.changed();
  }

  changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
