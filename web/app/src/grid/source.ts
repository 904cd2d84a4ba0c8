import { post, Problem, remove } from "../api/client.ts";
import type { RecordQuery } from "../api/query.ts";
import type { Answer, Body, Row, RowPage, Values } from "../api/type.ts";
import { forgetAhead, lookAhead, readOrTake } from "./ahead.ts";
import type { Change, Writer } from "./writer.ts";

export const pageSize = 100;

export type RowQuery = Omit<RecordQuery, "offset" | "limit">;
const rush = 100; // milliseconds between two looks elsewhere, below which somebody is on the way to another place
const settle = 60; // milliseconds until the rows are read where such a way stops
const parallel = 4; // pages that a range reads at once

type Read = (tableId: string, query: RecordQuery, signal?: AbortSignal) => Promise<RowPage>;

/**
 * The rows of one table under one query, read page by page as they come into view. What was read stays shown while it is
 * read anew, so that nothing flickers; edits that are not saved yet are laid over what the service says.
 */
export class RowSource {
  private rows: (Row | undefined)[] = [];
  private fresh = new Set<number>(); // pages read since the last refresh
  private loading = new Map<number, AbortController>();
  private listeners = new Set<() => void>();
  private stop: () => void;
  private closed = false;
  private held = new Map<number, number>(); // pages that ranges wait for, and how many do
  private looked = { from: 0, to: 0, at: 0, jumped: false };
  private settling: ReturnType<typeof setTimeout> | undefined;
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
    this.stop = writer.on({
      saved: (rows) => this.replace(rows),
      reverted: (changes) => this.revert(changes),
    });
    const first = lookAhead(tableId, { ...query, offset: 0, limit: pageSize });
    if (first) this.take(0, first);
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = () => this.version;

  open() {
    this.closed = false;
    if (this.total !== undefined) forgetAhead();
    this.stop();
    this.stop = this.writer.on({ saved: (rows) => this.replace(rows), reverted: (changes) => this.revert(changes) });
  }

  close() {
    this.closed = true;
    this.stop();
    clearTimeout(this.settling);
    for (const controller of this.loading.values()) controller.abort();
    this.loading.clear();
  }

  /** The row at an index, with unsaved edits; undefined when it was not read yet. */
  at(index: number): Row | undefined {
    const row = this.rows[index];
    return row && this.writer.overlay(row);
  }

  indexOf(id: string): number {
    return this.rows.findIndex((row) => row?.id === id);
  }

  /** The rows that were read of those last asked for by ensure. */
  inView(): Row[] {
    return Array.from({ length: this.looked.to - this.looked.from + 1 }, (_, n) => this.at(this.looked.from + n)).filter((row) => row !== undefined);
  }

  /** Every row that was read, in order. */
  loaded(): Row[] {
    return this.rows.flatMap((row) => (row ? [this.writer.overlay(row)] : []));
  }

  /**
   * Reads the pages that hold rows from..to (both included) and were not read yet. While somebody rushes through the table, nothing
   * is read until they slow down.
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
      if (page !== 0 && !this.held.has(page) && (page * pageSize > to + 3 * pageSize || (page + 1) * pageSize < from - 3 * pageSize)) {
        controller.abort();
        this.loading.delete(page);
      }
    }
  }

  /** Reads rows from..to, waits for them and returns them. */
  async range(from: number, to: number): Promise<Row[]> {
    const pages: number[] = [];
    for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page++) if (!this.fresh.has(page)) pages.push(page);
    const worker = async () => {
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        this.held.set(page, (this.held.get(page) ?? 0) + 1);
        await this.load(page);
        const waiting = (this.held.get(page) ?? 1) - 1;
        if (waiting > 0) this.held.set(page, waiting);
        else this.held.delete(page);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    const found: Row[] = [];
    for (let index = from; index <= to; index++) {
      const row = this.at(index);
      if (row) found.push(row);
    }
    return found;
  }

  /** Reads what is in view anew, and the rest when it comes into view. */
  refresh(from = 0, to = 0) {
    this.fresh.clear();
    this.ensure(from, to);
  }

  private async load(page: number): Promise<void> {
    const controller = new AbortController();
    this.loading.set(page, controller);
    try {
      const answer = await this.read(this.tableId, { ...this.query, offset: page * pageSize, limit: pageSize }, controller.signal);
      if (this.closed || controller.signal.aborted) return;
      this.take(page, answer);
      this.problem = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.problem = Problem.from(error);
    } finally {
      if (this.loading.get(page) === controller) this.loading.delete(page);
    }
    this.changed();
  }

  private take(page: number, { total, records }: RowPage) {
    this.total = total;
    this.rows.length = Math.min(this.rows.length, total);
    records.forEach((row, index) => {
      this.rows[page * pageSize + index] = row;
    });
    this.fresh.add(page);
  }

  /** Changes fields of rows; they show at once. */
  edit(edits: { row: Row; fields: Values }[]) {
    const changes: Change[] = edits.map(({ row, fields }) => ({
      id: row.id,
      before: Object.fromEntries(Object.keys(fields).map((name) => [name, row.fields[name] ?? null])),
      after: fields,
    }));
    this.writer.edit(changes);
    this.changed();
  }

  /** Makes records, a hundred a request, and shows them at the end. Those made before a failure stay. */
  async create(list: Values[]): Promise<Row[]> {
    const made: Row[] = [];
    for (let start = 0; start < list.length; start += pageSize) {
      const part = list.slice(start, start + pageSize);
      const body: Body<"create_records"> = { records: part.map((fields) => ({ fields })) };
      const answer = await post<Answer<"create_records">>(`/tables/${this.tableId}/records`, body, { "Idempotency-Key": crypto.randomUUID() });
      const end = this.total ?? 0;
      answer.records.forEach((row, index) => {
        this.rows[end + index] = row;
      });
      this.total = end + answer.records.length;
      made.push(...answer.records);
      this.changed();
    }
    return made;
  }

  /** Deletes records, a hundred a request. */
  async delete(ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += pageSize) {
      const part = ids.slice(start, start + pageSize);
      await remove(`/tables/${this.tableId}/records`, { ids: part });
      const gone = new Set(part);
      this.writer.forget(gone);
      const before = this.rows.length;
      this.rows = this.rows.filter((row) => !row || !gone.has(row.id));
      this.total = Math.max(0, (this.total ?? before) - part.length);
      this.fresh.clear();
      this.changed();
    }
  }

  /** Takes rows as the service has them now. */
  replace(rows: Row[]) {
    const byId = new Map(rows.map((row) => [row.id, row]));
    this.rows.forEach((row, index) => {
      const next = row && byId.get(row.id);
      if (next) this.rows[index] = { ...next, createdTime: next.createdTime ?? row.createdTime };
    });
    this.changed();
  }

  private revert(_changes: Change[]) {
    // The rows kept here are the service's; without the overlay they are what they were.
    this.changed();
  }

  changed() {
    this.version++;
    for (const listener of this.listeners) listener();
  }
}
