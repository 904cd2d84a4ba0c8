import { Problem } from "../api/problem.ts";
import type { RecordQuery } from "../api/query.ts";
import type { Row, RowPage, Values } from "../api/type.ts";
import { currentText } from "../text/index.ts";
import { dropPage, peekPage, readOrTake } from "./prefetch.ts";
import { renameRow } from "./fieldname.ts";
import { type Heard, isKnown, mayMove, patched } from "./heard.ts";
import { Meanwhile } from "./meanwhile.ts";
import { Pace } from "./pace.ts";
import type { Change, Progress, Writer } from "./writer.ts";

export const pageSize = 100;

export type RowQuery = Omit<RecordQuery, "offset" | "limit" | "cursor">;
const rush = 100; // milliseconds between two looks elsewhere, below which somebody is on the way to another place
const settle = 60; // milliseconds until the rows are read where such a way stops
const parallel = 4; // pages that a range reads at once
const stay = 10_000; // milliseconds that a record stays where it is after an edit here that moves it
const mostTold = 1000; // records whose own requests may still be under way
const many = 20; // pages above which a range from the beginning is read one page behind the other, by cursor

type Read = (tableId: string, query: RecordQuery, signal?: AbortSignal) => Promise<RowPage>;

function incomplete(): Problem {
  const { failure, base } = currentText();
  return new Problem(-1, "incomplete", failure.unexpected, base.rowsMissing);
}

/**
 * The rows of one table under one query, read page by page as they come into view. What was read
 * stays shown while it is read anew, so that nothing flickers; edits that are not saved yet are
 * laid over what the service says.
 */
export class RowSource {
  private rows: (Row | undefined)[] = [];
  private fresh = new Set<number>(); // pages read since the last refresh
  private loading = new Map<number, AbortController>();
  private listeners = new Set<() => void>();
  private stop: () => void;
  private closed = false;
  private holders = 0;
  private held = new Map<number, number>(); // pages that ranges wait for, and how many do
  private looked = { from: 0, to: 0, at: 0, jumped: false };
  private settling: ReturnType<typeof setTimeout> | undefined;
  private places: Map<string, number> | undefined; // where each row that was read is, until rows move
  private turn = 0; // raised when what was read has become old
  private told = new Set<string>(); // records of which the service told before the answer to their own request came
  private meanwhile = new Meanwhile();
  private pace = new Pace(() => this.refresh());
  private moving: ReturnType<typeof setTimeout> | undefined;
  /** How many rows there are; undefined until the first page came. */
  total: number | undefined;
  problem: Problem | undefined;
  /** Raised with every change, for React. */
  version = 0;

  constructor(
    readonly tableId: string,
    readonly query: RowQuery,
    readonly writer: Writer,
    private read: Read = readOrTake,
  ) {
    this.stop = this.listen();
    const first = peekPage(tableId, { ...query, offset: 0, limit: pageSize });
    if (first) this.take(0, first);
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.version;

  /** Keeps the rows up to date until the returned function is called. */
  hold(): () => void {
    if (this.holders++ === 0) this.open();
    return () => {
      if (--this.holders === 0) this.close();
    };
  }

  private open() {
    if (this.closed) this.fresh.clear(); // nobody told it of changes
    this.closed = false;
    if (this.total !== undefined) dropPage();
    this.stop();
    this.stop = this.listen();
  }

  private listen() {
    // What is written now does not change the past.
    const schema = (renamed: ReadonlyMap<string, string | undefined>) => {
      this.rows = this.rows.map((row) => row && renameRow(row, renamed));
      this.changed();
      if (!this.closed) this.refresh();
    };
    if (this.query.asOf !== undefined) return this.writer.on({ schema });
    return this.writer.on({
      schema,
      saved: (rows) => this.replace(rows),
      // The rows kept here are the service's; without the overlay they are what they were.
      reverted: () => this.changed(),
      status: () => this.changed(),
      made: (rows) => this.append(rows),
      gone: (ids) => this.drop(ids),
      heard: (changes) => this.hear(changes),
    });
  }

  private close() {
    this.closed = true;
    this.stop();
    clearTimeout(this.settling);
    clearTimeout(this.moving);
    this.pace.stop();
    for (const controller of this.loading.values()) controller.abort();
    this.loading.clear();
  }

  /** The row at an index, with unsaved edits; undefined when it was not read yet. */
  at(index: number): Row | undefined {
    const row = this.rows[index];
    return row && this.shown(row);
  }

  /** Where a record is; -1 when it was not read, or is not among those that the query finds. */
  indexOf(id: string): number {
    if (!this.places) {
      this.places = new Map();
      this.rows.forEach((row, index) => row && this.places?.set(row.id, index));
    }
    return this.places.get(id) ?? -1;
  }

  /** A record that was read, with unsaved edits. */
  find(id: string): Row | undefined {
    return this.at(this.indexOf(id));
  }

  /** The rows that were read of those last asked for by ensure. */
  inView(): Row[] {
    return Array.from({ length: this.looked.to - this.looked.from + 1 }, (_, n) =>
      this.at(this.looked.from + n),
    ).filter((row) => row !== undefined);
  }

  /** Every row that was read, in order. */
  loaded(): Row[] {
    return this.rows.flatMap((row) => (row ? [this.shown(row)] : []));
  }

  private shown(row: Row): Row {
    return this.query.asOf === undefined ? this.writer.overlay(row) : row;
  }

  /**
   * Reads the pages that hold rows from..to (both included) and were not read yet. While somebody
   * rushes through the table, nothing is read until they slow down.
   */
  ensure(from: number, to: number) {
    const at = Date.now();
    const jumped = Math.abs(from - this.looked.from) > pageSize;
    const rushing = jumped && this.looked.jumped && at - this.looked.at < rush;
    const last = Math.max(0, (this.total ?? 1) - 1);
    this.looked = { from: Math.max(0, from), to: Math.min(to, last), at, jumped };
    clearTimeout(this.settling);
    if (rushing) this.settling = setTimeout(() => this.ensure(from, to), settle);
    else {
      for (let page = Math.floor(this.looked.from / pageSize); page <= Math.floor(this.looked.to / pageSize); page++) {
        if (!this.fresh.has(page) && !this.loading.has(page)) void this.load(page);
      }
    }
    // A fast scroll leaves pages behind that nobody looks at any more.
    for (const [page, controller] of this.loading) {
      if (
        page !== 0 &&
        !this.held.has(page) &&
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
    const pages: number[] = [];
    for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page++)
      if (!this.fresh.has(page)) pages.push(page);
    if (pages[0] === 0 && pages.length > many) await this.walk(to, progress, signal);
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
    const worker = async () => {
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        signal?.throwIfAborted();
        this.held.set(page, (this.held.get(page) ?? 0) + 1);
        let problem = await this.load(page);
        // A page may be asked for again by somebody else, who then takes its answer.
        if (!problem && !this.fresh.has(page) && !this.closed) problem = await this.load(page);
        const waiting = (this.held.get(page) ?? 1) - 1;
        if (waiting > 0) this.held.set(page, waiting);
        else this.held.delete(page);
        if (problem) throw problem;
        progress?.(++done * pageSize);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    signal?.throwIfAborted();
  }

  /**
   * Reads all rows up to one, each page from where the one before ended, which costs the service
   * the same however many there are.
   */
  private async walk(to: number, progress?: Progress, signal?: AbortSignal) {
    this.meanwhile.begin();
    try {
      await this.walkPages(to, progress, signal);
    } finally {
      this.meanwhile.end();
    }
    this.changed();
  }

  private async walkPages(to: number, progress?: Progress, signal?: AbortSignal) {
    let cursor: string | undefined;
    for (let page = 0; page * pageSize <= to; page++) {
      const place = cursor === undefined ? { offset: page * pageSize } : { cursor };
      const answer = await this.readPage(place, signal);
      signal?.throwIfAborted();
      this.take(page, answer);
      cursor = answer.cursor;
      progress?.(Math.min(answer.total, (page + 1) * pageSize));
      if (!answer.hasMore) break;
    }
  }

  /** Reads what is in view anew, and the rest when it comes into view. */
  refresh(from = this.looked.from, to = this.looked.to) {
    this.turn++;
    this.fresh.clear();
    this.ensure(from, to);
  }

  /**
   * Reads a whole page, in several requests where the service ends one early because its answers
   * are bounded in bytes.
   */
  private async readPage(place: { offset: number } | { cursor: string }, signal?: AbortSignal): Promise<RowPage> {
    let answer = await this.read(this.tableId, { ...this.query, ...place, limit: pageSize }, signal);
    const records = answer.records;
    while (answer.hasMore && records.length < pageSize && answer.cursor !== undefined) {
      const rest = { cursor: answer.cursor, limit: pageSize - records.length };
      answer = await this.read(this.tableId, { ...this.query, ...rest }, signal);
      records.push(...answer.records);
    }
    return { ...answer, records };
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
      // It was asked for before the rows had to be read anew, and may be old.
      this.fresh.delete(page);
      this.ensure(this.looked.from, this.looked.to);
    }
    return problem;
  }

  private take(page: number, { total, records }: RowPage) {
    this.total = total;
    this.rows.length = Math.min(this.rows.length, total);
    const start = page * pageSize;
    const known = new Map(records.map(({ id }) => [id, this.rows[this.indexOf(id)]]));
    records.forEach((row, index) => {
      // A record is in one place. Where it was before, another is by now.
      const before = this.indexOf(row.id);
      if (before >= 0 && before !== start + index && this.rows[before]?.id === row.id) {
        this.rows[before] = undefined;
        this.fresh.delete(Math.floor(before / pageSize));
      }
      this.rows[start + index] = this.newer(known.get(row.id), this.meanwhile.over(row, this.writer.names));
    });
    this.places = undefined;
    this.fresh.add(page);
  }

  /**
   * Changes values of records, by field id; they show at once. All are one change set, which has a
   * name if more is to belong to it. An edit of one record asks before it writes over somebody
   * else's change. Paste, fill and clear of many write over it: nobody can answer for each of a
   * hundred cells.
   */
  edit(edits: { row: Row; fields: Values }[], changeSet?: string) {
    const changed = edits.filter(({ fields }) => Object.keys(fields).length > 0);
    const asks = changed.length === 1 && changeSet === undefined;
    const changes: Change[] = changed.map(({ row, fields }) => ({
      id: row.id,
      version: asks ? row.version : undefined,
      before: Object.fromEntries(
        Object.keys(fields).map((id) => [id, row.fields[this.writer.names.of(id) ?? id] ?? null]),
      ),
      after: fields,
    }));
    this.writer.edit(changes, changeSet);
    this.changed();
  }

  /** Makes records of values by field id, and shows them at the end. */
  create(list: Values[], changeSet?: string): Promise<Row[]> {
    return this.writer.create(list, changeSet);
  }

  /** Deletes records. Returns how many. */
  delete(ids: string[], progress?: Progress, signal?: AbortSignal): Promise<number> {
    return this.writer.remove(ids, progress, signal);
  }

  private append(rows: Row[]) {
    let end = this.total ?? 0;
    for (const row of rows) {
      if (this.told.delete(row.id)) this.pace.ask();
      if (this.indexOf(row.id) < 0) this.rows[end++] = row;
    }
    this.total = end;
    this.places = undefined;
    this.changed();
  }

  /** A row as it was read, unless a later version of it is known. */
  private newer(known: Row | undefined, row: Row): Row {
    return known?.version !== undefined && row.version !== undefined && known.version > row.version ? known : row;
  }

  /** Takes what the service tells, in its order. What it does not say all of is read. */
  private hear(changes: readonly Heard[]) {
    const gone = new Set<string>();
    let old = false;
    let moved = false;
    let drawn = false;
    for (const change of changes) {
      const index = this.indexOf(change.record);
      const row = index < 0 ? undefined : this.rows[index];
      const known = isKnown(row, change);
      this.meanwhile.take(change);
      const own = known || change.own || this.writer.isPending(change.record);
      if (change.kind === "updated") {
        const next = row && !known ? patched(row, change, this.writer.names) : row;
        if (next) this.rows[index] = next;
        drawn ||= next !== row;
        old ||= row !== undefined && next === undefined;
        if (!mayMove(this.query, change, this.writer.names)) continue;
        moved ||= own;
        old ||= !own;
      } else if (change.kind === "created") {
        if (!row) this.told.add(change.record);
        moved ||= own && mayMove(this.query, change, this.writer.names);
        old ||= !own;
      } else if (change.kind === "deleted") {
        if (row) gone.add(row.id);
        else if (!own) old = true;
      } else old ||= !known;
    }
    if (gone.size > 0) {
      this.drop(gone);
      for (const id of gone) this.told.add(id);
    } else if (drawn) this.changed();
    if (this.told.size > mostTold) this.told.clear();
    if (old || gone.size > 0) this.pace.ask();
    if (!moved) return;
    clearTimeout(this.moving);
    this.moving = setTimeout(() => this.pace.ask(), stay);
  }

  private drop(ids: ReadonlySet<string>) {
    const before = this.rows.length;
    const left: (Row | undefined)[] = [];
    for (let index = 0; index < before; index++) {
      const row = this.rows[index];
      if (!row || !ids.has(row.id)) left.push(row);
    }
    const counted = [...ids].filter((id) => !this.told.delete(id));
    this.total = Math.max(0, (this.total ?? before) - counted.length);
    this.rows = left;
    this.places = undefined;
    this.fresh.clear();
    this.changed();
  }

  /** Takes rows as the service has them now. */
  replace(rows: Row[]) {
    for (const row of rows) {
      const index = this.indexOf(row.id);
      const known = index < 0 ? undefined : this.rows[index];
      if (known)
        this.rows[index] = this.newer(known, { ...row, createdTime: row.createdTime ?? known.createdTime });
    }
    this.changed();
  }

  changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
