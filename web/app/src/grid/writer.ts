import { patch, Problem } from "../api/client.ts";
import type { Answer, Body, Row, Values } from "../api/type.ts";

/** An edit of one record: only the fields named are touched, so that two people lose nothing of each other's. */
export type Change = { id: string; before: Values; after: Values };

export type Status = { state: "idle" | "saving" | "waiting"; count: number };

type Send = (tableId: string, records: { id: string; fields: Values }[]) => Promise<Row[]>;
type Events = {
  saved?: (rows: Row[]) => void;
  /** The service refused; these values are what the records had before. */
  reverted?: (changes: Change[], problem: Problem) => void;
  status?: () => void;
};

const mostInOneRequest = 100;
const firstWait = 500; // milliseconds before a request that got no answer is sent again; doubles up to:
const longestWait = 15_000;
const mostUndo = 200;

const sendPatch: Send = async (tableId, records) => {
  const body: Body<"update_records"> = { records };
  return (await patch<Answer<"update_records">>(`/tables/${tableId}/records`, body)).records;
};

/**
 * Sends the edits of one table, in order, and keeps them until the service has them. An edit shows at once (see overlay);
 * it is taken back when the service refuses it, and sent again when no answer came. It also remembers what to undo.
 */
export class Writer {
  private queue: Change[] = [];
  private flight: Change[] = [];
  private listeners = new Set<Events>();
  private undoStack: Change[][] = [];
  private redoStack: Change[][] = [];
  private wait = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private now: Status = { state: "idle", count: 0 };

  constructor(
    readonly tableId: string,
    private send: Send = sendPatch,
  ) {}

  on(events: Events): () => void {
    this.listeners.add(events);
    return () => void this.listeners.delete(events);
  }

  get status(): Status {
    return this.now;
  }

  get dirty(): boolean {
    return this.queue.length + this.flight.length > 0;
  }

  /** The row with the edits that the service does not have yet. The same object when there are none. */
  overlay(row: Row): Row {
    let fields: Values | undefined;
    for (const change of [...this.flight, ...this.queue]) {
      if (change.id === row.id) fields = { ...(fields ?? row.fields), ...change.after };
    }
    return fields ? { ...row, fields } : row;
  }

  /** Takes edits, shows them through overlay, and sends them. */
  edit(changes: Change[]) {
    const real = changes.filter((change) => Object.keys(change.after).length > 0);
    if (real.length === 0) return;
    this.undoStack.push(real);
    if (this.undoStack.length > mostUndo) this.undoStack.shift();
    this.redoStack = [];
    this.enqueue(real);
  }

  /** Takes the last edit back and returns it; undefined when there is none. */
  undo(): Change[] | undefined {
    const last = this.undoStack.pop();
    if (!last) return undefined;
    this.redoStack.push(last);
    const inverse = last.map((change) => ({ id: change.id, before: change.after, after: change.before })).toReversed();
    this.enqueue(inverse);
    return inverse;
  }

  redo(): Change[] | undefined {
    const last = this.redoStack.pop();
    if (!last) return undefined;
    this.undoStack.push(last);
    this.enqueue(last);
    return last;
  }

  /** Forgets what cannot be undone any more, because the records are gone. */
  forget(ids: ReadonlySet<string>) {
    const keep = (changes: Change[]) => changes.every((change) => !ids.has(change.id));
    this.undoStack = this.undoStack.filter(keep);
    this.redoStack = this.redoStack.filter(keep);
    this.queue = this.queue.filter((change) => !ids.has(change.id));
  }

  /** Sends what waits at once, as when the connection or the session is back. */
  resume() {
    this.wait = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.flush();
  }

  /** Drops what was not sent, because the person whose edits they are is not signed in any more. */
  discard() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue = [];
    this.flight = [];
    this.undoStack = [];
    this.redoStack = [];
    this.report();
  }

  private enqueue(changes: Change[]) {
    this.queue.push(...changes);
    this.report();
    if (this.timer === undefined) void this.flush();
  }

  private take(): Change[] {
    const ids = new Set<string>();
    let count = 0;
    for (const change of this.queue) {
      if (!ids.has(change.id) && ids.size === mostInOneRequest) break;
      ids.add(change.id);
      count++;
    }
    return this.queue.splice(0, count);
  }

  private async flush() {
    if (this.flight.length > 0 || this.queue.length === 0) return;
    this.flight = this.take();
    this.report();
    const merged = new Map<string, Values>();
    for (const change of this.flight) {
      const fields = merged.get(change.id) ?? {};
      for (const [name, value] of Object.entries(change.after)) fields[name] = value ?? null;
      merged.set(change.id, fields);
    }
    try {
      const rows = await this.send(this.tableId, [...merged].map(([id, fields]) => ({ id, fields })));
      this.flight = [];
      this.wait = 0;
      for (const listener of this.listeners) listener.saved?.(rows);
    } catch (error) {
      this.failed(Problem.from(error));
    }
    this.report();
    if (this.timer === undefined) void this.flush();
  }

  private failed(problem: Problem) {
    if (problem.passing || problem.status === 401) {
      this.queue = [...this.flight, ...this.queue];
      this.flight = [];
      this.wait = Math.min(longestWait, this.wait === 0 ? firstWait : this.wait * 2);
      const wait = problem.retryAfter ? problem.retryAfter * 1000 : this.wait;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        void this.flush();
      }, wait);
      return;
    }
    const refused = this.flight;
    this.flight = [];
    this.undoStack = this.undoStack.filter((step) => !step.some((change) => refused.includes(change)));
    for (const listener of this.listeners) listener.reverted?.(refused.toReversed(), problem);
  }

  private report() {
    const count = this.queue.length + this.flight.length;
    const state = count === 0 ? "idle" : this.wait > 0 ? "waiting" : "saving";
    if (state === this.now.state && count === this.now.count) return;
    this.now = { state, count };
    for (const listener of this.listeners) listener.status?.();
  }
}

const writers = new Map<string, Writer>();

/** The writer of a table. It outlives the page that shows the table, as its unsent edits must. */
export function writerOf(tableId: string): Writer {
  let writer = writers.get(tableId);
  if (!writer) {
    writer = new Writer(tableId);
    writers.set(tableId, writer);
  }
  return writer;
}

if (typeof window !== "undefined") {
  window.addEventListener("online", () => {
    for (const writer of writers.values()) writer.resume();
  });
  window.addEventListener("beforeunload", (event) => {
    if ([...writers.values()].some((writer) => writer.dirty)) event.preventDefault();
  });
}

/** Sends every table's waiting edits, after the person has signed in again. */
export function resumeAll() {
  for (const writer of writers.values()) writer.resume();
}

/** How many edits of all tables the service does not have yet. */
export function unsentCount(): number {
  return [...writers.values()].reduce((sum, writer) => sum + writer.status.count, 0);
}

/** Drops every table's waiting edits. */
export function discardAll() {
  for (const writer of writers.values()) writer.discard();
}
