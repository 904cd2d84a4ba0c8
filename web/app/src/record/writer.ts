import { Problem } from "../api/problem.ts";
import type { Field, Row, Values } from "../api/type.ts";
import { currentText } from "../text/index.ts";
import { type Conflict, conflictOf, goOnFrom, goOnFromOwn } from "./conflict.ts";
import { FieldNames } from "./fieldname.ts";
import type { Heard } from "./heard.ts";
import { Outbox, type Sending } from "./outbox.ts";
import { type Asked, type Place, placesOf } from "./refusal.ts";
import { mostInOneRequest, type RecordService, recordService, removeExisting } from "./service.ts";

/**
 * An edit of one record, by field id. Only the fields named are touched, so that two people lose
 * nothing of each other's. With `version`, which is that of the record on the page, the edit is
 * written only while nobody else has changed these fields.
 */
export type Change = { id: string; version?: number; before: Values; after: Values };

export type Status = { state: "idle" | "saving" | "waiting"; count: number };

/** Told after each block of a long piece of work, with what is done of it. */
export type Progress = (done: number) => void;

type Events = {
  saved?: (rows: Row[]) => void;
  /** The service refused values of some records; they are shown as the service has them. */
  reverted?: (ids: string[], problem: Problem) => void;
  made?: (rows: Row[]) => void;
  gone?: (ids: ReadonlySet<string>) => void;
  /** The fields are others, or have other names: the new names by the old ones. */
  schema?: (renamed: ReadonlyMap<string, string | undefined>) => void;
  status?: () => void;
  /** The service tells of changes, in their order. */
  heard?: (changes: readonly Heard[]) => void;
  /** A conflict appeared, or one ended. */
  conflict?: () => void;
};

const firstWait = 500; // milliseconds before a request that got no answer is sent again; doubles up to:
const longestWait = 15_000;
const mostTries = 5; // for an edit whose record gets another version each time

/**
 * The name of a change set for so many records. Those that one request writes for sure need none:
 * each request is a change set by itself.
 */
const nameFor = (records: number, most: number): string | undefined =>
  records > most ? crypto.randomUUID() : undefined;

/**
 * Sends the edits of one table, in order, and keeps them until the service has them. An edit shows
 * at once (see overlay); it is taken back when the service refuses it, and sent again when no
 * answer came. What belongs together is sent under the name of one change set, which can be undone
 * as a whole. Records are known by their ids and fields by theirs; only a request speaks of the
 * fields' names.
 */
export class Writer {
  readonly names = new FieldNames();
  private outbox = new Outbox();
  private conflicts: Conflict[] = [];
  private listeners = new Set<Events>();
  private wait = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private now: Status = { state: "idle", count: 0 };
  private most = mostInOneRequest;
  private turn: Promise<unknown> = Promise.resolve(); // creations and deletions, one after another
  private readFields: (() => Promise<Field[]>) | undefined;

  constructor(
    readonly tableId: string,
    private service: RecordService = recordService,
  ) {}

  on(events: Events): () => void {
    this.listeners.add(events);
    return () => void this.listeners.delete(events);
  }

  get status(): Status {
    return this.now;
  }

  get dirty(): boolean {
    return this.outbox.count > 0;
  }

  /** The values that a person has to choose next; the same object until they have chosen. */
  get conflict(): Conflict | undefined {
    return this.conflicts[0];
  }

  /** Takes the table's fields as they are now, and the way to read them anew. */
  know(fields: Field[], read?: () => Promise<Field[]>) {
    if (read) this.readFields = read;
    const renamed = this.names.learn(fields);
    if (renamed) this.tell("schema", renamed);
  }

  /** Reads the fields anew. */
  async learn(): Promise<void> {
    if (this.readFields) this.know(await this.readFields());
  }

  /** The row with edits that the service does not have yet; the same object if there are none. */
  overlay(row: Row): Row {
    const changes = this.outbox.of(row.id);
    if (changes.length === 0) return row;
    const fields = { ...row.fields };
    for (const { after } of changes) Object.assign(fields, this.names.named(after));
    return { ...row, fields };
  }

  /** Reports whether the service does not have all edits of a record yet. */
  isPending(id: string): boolean {
    return this.outbox.of(id).length > 0;
  }

  /** Passes on what the service tells of the table's records. Edits that wait stay laid over it. */
  hear(changes: readonly Heard[]) {
    this.tell("heard", changes);
  }

  /** Shows edits through overlay and sends them in one change set, which can be given a name. */
  edit(changes: Change[], name?: string) {
    const real = changes.filter((change) => Object.keys(change.after).length > 0);
    const changeSet = name ?? nameFor(real.length, 1);
    for (const { id, version, before, after } of real) {
      const seen = version === undefined ? undefined : { ...before };
      this.outbox.add({ id, after, changeSet, version, seen });
    }
    this.report();
    if (this.timer === undefined) void this.flush();
  }

  /** Ends a conflict: writes the person's own values over the others', or leaves those. */
  resolve(conflict: Conflict, choice: "mine" | "theirs") {
    this.conflicts = this.conflicts.filter((one) => one !== conflict);
    const { row, theirs: before, mine: after } = conflict;
    if (choice === "mine") this.edit([{ id: row.id, version: row.version, before, after }]);
    this.tell("conflict");
  }

  /** Creates records, a hundred a request. Those made before a failure stay. */
  create(list: Values[], changeSet = nameFor(list.length, mostInOneRequest)): Promise<Row[]> {
    return this.inTurn(async () => {
      const made: Row[] = [];
      for (let start = 0; start < list.length; start += mostInOneRequest) {
        const rows = await this.createNamed(list.slice(start, start + mostInOneRequest), changeSet);
        made.push(...rows);
        this.tell("made", rows);
      }
      return made;
    });
  }

  /** Deletes records, a hundred a request, in one change set. Returns how many. */
  remove(ids: string[], progress?: Progress, signal?: AbortSignal): Promise<number> {
    const changeSet = nameFor(ids.length, 1);
    return this.inTurn(async () => {
      let done = 0;
      for (; done < ids.length; done = Math.min(ids.length, done + mostInOneRequest)) {
        if (signal?.aborted) break;
        const block = ids.slice(done, done + mostInOneRequest);
        await removeExisting(this.service, this.tableId, block, changeSet);
        this.forget(new Set(block));
        this.tell("gone", new Set(block));
        progress?.(done + block.length);
      }
      return done;
    });
  }

  /**
   * Waits until the service has every edit, creation and deletion. Fails when there is no connection,
   * and keeps what waits.
   */
  async settle(): Promise<void> {
    await this.turn;
    if (this.timer !== undefined) this.resume();
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (this.now.state === "saving") return;
        stop();
        if (this.now.state === "idle") return resolve();
        const { failure, base } = currentText();
        return reject(new Problem(0, "unsent", failure.offlineTitle, base.waiting(this.now.count)));
      };
      const stop = this.on({ status: look });
      look();
    });
  }

  /** Drops the edits of records that are gone. */
  forget(ids: ReadonlySet<string>) {
    this.outbox.drop(this.outbox.queue.filter((sending) => ids.has(sending.id)));
    this.conflicts = this.conflicts.filter(({ row }) => !ids.has(row.id));
    this.tell("conflict");
    this.report();
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
    this.outbox.clear();
    this.conflicts = [];
    this.tell("conflict");
    this.report();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private tell<Name extends keyof Events>(name: Name, ...args: Parameters<NonNullable<Events[Name]>>) {
    for (const listener of this.listeners) (listener[name] as ((...args: unknown[]) => void) | undefined)?.(...args);
  }

  private async createNamed(list: Values[], changeSet: string | undefined): Promise<Row[]> {
    const send = () =>
      this.service.create(
        this.tableId,
        list.map((values) => ({ fields: this.names.named(values) })),
        changeSet,
      );
    const before = JSON.stringify(list.map((values) => this.names.named(values)));
    try {
      return await send();
    } catch (error) {
      if (Problem.from(error).status !== 400 || !this.readFields) throw error;
      await this.learn();
      if (JSON.stringify(list.map((values) => this.names.named(values))) === before) throw error;
      return await send();
    }
  }

  private async flush() {
    if (this.outbox.flight.length > 0 || this.outbox.queue.length === 0) return;
    this.outbox.take(this.most);
    this.report();
    const changeSet = this.outbox.flight[0]?.changeSet;
    const { merged, versions } = this.outbox.merge();
    const fieldGone = this.withoutName(merged);
    if (fieldGone.length > 0) {
      const { reverted, fieldGone: reason } = currentText().base;
      this.refuse(fieldGone, new Problem(404, "field_gone", reverted, reason));
    }
    const records = [...merged].map(([id, after]) => ({
      id,
      version: versions.get(id),
      fields: this.names.named(after),
    }));
    const asked: Asked[] = [...merged].map(([id, after]) => ({
      id,
      fields: new Map(Object.keys(after).map((fieldId) => [this.names.of(fieldId) ?? fieldId, fieldId])),
    }));
    try {
      const rows = records.length === 0 ? [] : await this.service.update(this.tableId, records, changeSet);
      this.outbox.drop(this.outbox.flight);
      this.wait = 0;
      this.most = Math.min(mostInOneRequest, this.most * 2);
      for (const row of rows)
        goOnFromOwn(
          row,
          this.outbox.of(row.id),
          asked.find(({ id }) => id === row.id),
          versions.get(row.id),
        );
      this.tell("saved", rows);
    } catch (error) {
      await this.failed(Problem.from(error), asked);
    }
    this.report();
    if (this.timer === undefined) void this.flush();
  }

  /** Takes from the values those whose field is gone, and returns where they were. */
  private withoutName(merged: Map<string, Values>) {
    if (!this.names.known) return [];
    const places: { id: string; fieldIds: Set<string> }[] = [];
    for (const [id, after] of merged) {
      const gone = new Set(Object.keys(after).filter((fieldId) => this.names.of(fieldId) === undefined));
      if (gone.size === 0) continue;
      places.push({ id, fieldIds: gone });
      const left = Object.fromEntries(Object.entries(after).filter(([fieldId]) => !gone.has(fieldId)));
      if (Object.keys(left).length > 0) merged.set(id, left);
      else merged.delete(id);
    }
    return places;
  }

  private async failed(problem: Problem, asked: Asked[]) {
    if (problem.current) return this.versionChanged(problem.current);
    if (problem.temporary || problem.status === 401) {
      this.outbox.again();
      this.wait = Math.min(longestWait, this.wait === 0 ? firstWait : this.wait * 2);
      const wait = problem.retryAfter ? problem.retryAfter * 1000 : this.wait;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        void this.flush();
      }, wait);
      return;
    }
    if (problem.status === 403)
      return this.refuse(
        asked.map(({ id, fields }) => ({ id, fieldIds: new Set(fields.values()) })),
        problem,
        true,
      );
    if (await this.renamedSince(asked)) return this.outbox.again();
    const places = placesOf(problem, asked);
    if (places.length > 0) {
      this.refuse(places, problem);
      return this.outbox.again();
    }
    // The refusal does not say which value it is about. Half of the records is asked for next, or
    // each value alone.
    if (asked.length > 1) {
      this.most = Math.ceil(asked.length / 2);
      return this.outbox.again();
    }
    const one = asked[0];
    if (!one || one.fields.size < 2 || problem.status === 404) {
      this.refuse(
        asked.map(({ id, fields }) => ({ id, fieldIds: new Set(fields.values()) })),
        problem,
        true,
      );
      if (one && problem.status === 404) this.forget(new Set([one.id]));
      return undefined;
    }
    return this.outbox.split(one.id);
  }

  /**
   * Takes a record as it is now, after an edit of it was refused because others had changed it. The
   * edit is repeated without the values that they changed too: a person chooses about those.
   */
  private async versionChanged(row: Row) {
    // Names that cannot be read now are read with the next look.
    if (this.names.hasUnknown(row)) await this.learn().catch(() => undefined);
    const sendings = this.outbox.of(row.id);
    const conflict = conflictOf(row, sendings, this.names);
    if (conflict) {
      this.takeBack(sendings, [{ id: row.id, fieldIds: new Set(Object.keys(conflict.mine)) }]);
      this.conflicts = [...this.conflicts, conflict];
    }
    goOnFrom(row, this.outbox.of(row.id), this.names);
    const repeated = this.outbox.flight.filter((sending) => sending.id === row.id);
    const given = repeated.filter((sending) => (sending.tries = (sending.tries ?? 0) + 1) >= mostTries);
    if (given.length > 0) {
      const fieldIds = new Set(given.flatMap(({ after }) => Object.keys(after)));
      const { reverted, keepsChanging } = currentText().base;
      this.refuse([{ id: row.id, fieldIds }], new Problem(412, "version_changed", reverted, keepsChanging));
    }
    this.outbox.again();
    this.tell("saved", [row]);
    if (conflict) this.tell("conflict");
  }

  /** Reloads the fields after a refusal, and reports whether a named field has another name now. */
  private async renamedSince(asked: Asked[]): Promise<boolean> {
    if (!this.readFields) return false;
    try {
      await this.learn();
    } catch {
      return false; // the refusal stands
    }
    return asked.some(({ fields }) => [...fields].some(([name, fieldId]) => this.names.of(fieldId) !== name));
  }

  /** Takes values of the flight back and tells. With `whole` nothing is left of the flight. */
  private refuse(places: Place[], problem: Problem, whole = false) {
    this.takeBack(this.outbox.flight, places);
    if (whole) this.outbox.drop(this.outbox.flight);
    this.tell(
      "reverted",
      places.map((place) => place.id),
      problem,
    );
  }

  /** Takes values out of edits that are on their way. */
  private takeBack(sendings: readonly Sending[], places: Place[]) {
    const byId = new Map(places.map((place) => [place.id, place.fieldIds]));
    const emptied: Sending[] = [];
    for (const sending of sendings) {
      const fieldIds = byId.get(sending.id);
      if (!fieldIds) continue;
      const kept = Object.entries(sending.after).filter(([fieldId]) => !fieldIds.has(fieldId));
      sending.after = Object.fromEntries(kept);
      if (kept.length === 0) emptied.push(sending);
    }
    this.outbox.drop(emptied);
  }

  private report() {
    const { count } = this.outbox;
    const state = count === 0 ? "idle" : this.wait > 0 ? "waiting" : "saving";
    if (state === this.now.state && count === this.now.count) return;
    this.now = { state, count };
    this.tell("status");
  }
}
