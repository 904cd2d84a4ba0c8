import { Problem } from "../api/problem.ts";
import type { Field, Row, Values } from "../api/type.ts";
import { currentText } from "../text/index.ts";
import { Calls, type Progress } from "./call.ts";
import { type Command, emptyRow, isUnsaved, type Place, type Refused, unsavedId } from "./command.ts";
import type { Conflict } from "./conflict.ts";
import { FieldNames } from "./fieldname.ts";
import { Entries, type Entry } from "./entry.ts";
import type { Received } from "./received.ts";
import { Records, type Applied } from "./records.ts";
import { type Given, type Journal, Outbox } from "./outbox.ts";
import { Sender } from "./sender.ts";
import { maxInOneRequest, type RecordService, recordService } from "./service.ts";
import { causeOf } from "./waiting.ts";

/**
 * An edit of one record, by field id. It touches only the fields named, so that two people lose
 * none of each other's edits. With `version`, the version of the record on the page, the edit is
 * written only while nobody else has changed these fields; with `overwrite`, that applies only once
 * it had to wait.
 */
export type Change = { id: string; version?: number; overwrite?: boolean; before: Values; after: Values };

export type Status = { state: "idle" | "saving" | "waiting"; count: number };

type Events = {
  saved?: (rows: Row[]) => void;
  /** The service refused values of some records; they are shown as the service has them. */
  reverted?: (ids: string[], problem: Problem) => void;
  made?: (rows: Row[]) => void;
  gone?: (ids: ReadonlySet<string>) => void;
  /** There are records that the page does not know. */
  renewed?: () => void;
  /** The fields are others, or have other names: the new names by the old ones. */
  schema?: (renamed: ReadonlyMap<string, string | undefined>) => void;
  status?: () => void;
  /** The service sent changes, in their order. */
  received?: (changes: readonly Applied[]) => void;
  /** A conflict appeared, or one ended. */
  conflict?: () => void;
};

/**
 * The name of a change set for so many records. Those that one request writes for sure need none:
 * each request is a change set by itself.
 */
const nameFor = (records: number, max: number): string | undefined =>
  records > max ? crypto.randomUUID() : undefined;

/** What a cell or a record is that the service does not have as the page has it. */
export type Mark = "pending" | "deleting" | "refused";

/**
 * Takes the commands of a person for the records of one table: edits, creations, deletions and
 * restorations. They show at once (see overlay), are sent in order, and are kept until the service
 * has done them. What it refuses is kept too, until the person has decided what becomes of it. What
 * belongs together is sent under the name of one change set, which can be undone as a whole.
 * Records are known by their ids and fields by theirs; only a request speaks of the fields' names.
 */
export class Writer {
  readonly names = new FieldNames();
  readonly records = new Records(this.names);
  /** Where the table is, as far as it is known. */
  place: Place | undefined;
  private outbox: Outbox;
  private calls = new Calls();
  private sender: Sender;
  private undecided: readonly Conflict[] = [];
  private listeners = new Set<Events>();
  private now: Status = { state: "idle", count: 0 };
  private reported = 0; // the version of the outbox that was reported last
  private readFields: (() => Promise<Field[]>) | undefined;
  private made = new Map<string, string>(); // ids of records that were made, by those that the page gave
  private deleting = new Set<string>();
  private entries = new Entries(this, (command) => this.give([command]));

  constructor(
    readonly tableId: string,
    service: RecordService = recordService,
    private journal?: Journal,
  ) {
    this.outbox = new Outbox(journal);
    const { names, outbox, calls } = this;
    this.sender = new Sender({
      tableId,
      names,
      outbox,
      calls,
      service,
      baseId: () => this.place?.baseId,
      learn: () => this.learn(),
      saved: (rows) => {
        this.records.update(rows);
        this.emit("saved", rows);
      },
      made: (ids, rows) => this.takeMade(ids, rows),
      gone: (ids) => this.takeGone(ids),
      renewed: () => this.emit("renewed"),
      refused: (ids, problem) => this.takeRefused(ids, problem),
      conflict: (conflict) => {
        if (conflict.command) journal?.keep(conflict.command);
        this.undecided = [...this.undecided, conflict];
        this.emit("conflict");
      },
      moved: () => this.report(),
    });
  }

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
    return this.undecided[0];
  }

  /** What a person has to decide, oldest first; the same list until it changes. */
  get conflicts(): readonly Conflict[] {
    return this.undecided;
  }

  /** Why what waits was not sent; undefined while nothing waits. */
  get problem(): Problem | undefined {
    return this.now.state === "waiting" ? this.sender.problem : undefined;
  }

  /** What the service refused, oldest first; the same list until it changes. */
  get refused(): readonly Refused[] {
    return this.outbox.refused;
  }

  /** What the service does not have yet, oldest first. */
  pending(): Command[] {
    return [...this.outbox.flight, ...this.outbox.queue];
  }

  /** Takes where the table is. */
  locate(place: Place) {
    this.place = place;
  }

  /** Takes the table's current fields, and the function that reads them again. */
  know(fields: Field[], read?: () => Promise<Field[]>) {
    if (read) this.readWith(read);
    const renamed = this.names.learn(fields);
    if (!renamed) return;
    this.records.rename(renamed);
    this.emit("schema", renamed);
  }

  /** Takes the function that reads the fields again. */
  readWith(read: () => Promise<Field[]>) {
    this.readFields = read;
  }

  /** Reads the fields again. Returns false if nothing can read them. */
  async learn(): Promise<boolean> {
    if (!this.readFields) return false;
    this.know(await this.readFields());
    return true;
  }

  /** The row with edits that the service does not have yet; the same object if there are none. */
  overlay(row: Row): Row {
    const commands = this.outbox.of(row.id);
    if (!commands.some(({ kind }) => kind === "edit" || kind === "create")) return row;
    const fields = { ...row.fields };
    for (const { after } of commands) Object.assign(fields, this.names.named(after));
    return { ...row, fields };
  }

  /** The records that the service has not made yet, in order. */
  get creations(): readonly string[] {
    return this.outbox.creations;
  }

  /** A record that the service has not made yet. */
  unmade(id: string): Row {
    return this.overlay(emptyRow(id));
  }

  /** The id under which the service has made a record, or the id itself. */
  idOf(id: string): string {
    return this.made.get(id) ?? id;
  }

  /** Reports whether the service does not have all that was done with a record yet. */
  isPending(id: string): boolean {
    return this.outbox.of(id).length > 0;
  }

  /** True if a cell may be marked. */
  get hasMarks(): boolean {
    return this.deleting.size + this.refused.length > 0 || this.now.state === "waiting";
  }

  /** How a cell is marked, because the service does not have it as the page has it. */
  mark(id: string, fieldId: string): Mark | undefined {
    if (this.deleting.has(id)) return "deleting";
    if (this.now.state === "waiting") {
      const waits = ({ kind, after }: Command) => kind === "create" || (kind === "edit" && fieldId in after);
      if (this.outbox.of(id).some(waits)) return "pending";
    }
    const refused = ({ kind, after }: Command) => kind === "delete" || fieldId in after;
    return this.outbox.refusedOf(id).some(refused) ? "refused" : undefined;
  }

  /** Passes on changes that the service sent. Edits that wait stay laid over the rows. */
  receive(changes: readonly Received[]) {
    this.emit("received", this.records.apply(changes));
  }

  /** Shows edits through overlay and sends them in one change set, which can be given a name. */
  edit(changes: Change[], name?: string) {
    const real = changes.filter((change) => Object.keys(change.after).length > 0);
    const changeSet = name ?? nameFor(real.length, 1);
    for (const { id: given, version, overwrite, before, after } of real) {
      const id = this.idOf(given);
      // A record that waits to be made is made with the value.
      const creation = isUnsaved(id) ? this.outbox.of(id).find((one) => this.isUnsent(one)) : undefined;
      if (creation) {
        creation.after = { ...creation.after, ...after };
        this.outbox.touch(creation);
      } else {
        const seen = version === undefined ? undefined : { ...before };
        this.outbox.add({ kind: "edit", id, after, changeSet, version, overwrite, seen });
      }
    }
    this.go();
  }

  /** Ends a conflict: writes the person's own values over the others', or leaves those. */
  resolve(conflict: Conflict, choice: "mine" | "theirs") {
    this.undecided = this.undecided.filter((one) => one !== conflict);
    const { row, theirs: before, mine: after, command } = conflict;
    if (choice === "mine") this.edit([{ id: row.id, version: row.version, before, after }]);
    if (command) this.journal?.drop(command.seq);
    this.emit("conflict");
  }

  /** Ends all conflicts alike. */
  resolveAll(choice: "mine" | "theirs") {
    for (const conflict of this.undecided) this.resolve(conflict, choice);
  }

  /**
   * Creates records, a hundred a request. They show at once. Resolves with those that were made,
   * when all were made or refused.
   */
  async create(list: Values[], changeSet = nameFor(list.length, maxInOneRequest)): Promise<Row[]> {
    const { rows } = await this.give(list.map((after) => ({ kind: "create", id: unsavedId(), after, changeSet })));
    return rows;
  }

  /** Creates a record that a form shows while it is made. */
  enter = (after: Values): Entry => this.entries.enter(after);

  /**
   * Deletes records, a hundred a request, in one change set. `versions` are those that the page
   * shows. Resolves with how many were deleted, when all were deleted or refused; `signal` gives up
   * the rest.
   */
  async remove(
    given: string[],
    progress?: Progress,
    signal?: AbortSignal,
    versions?: ReadonlyMap<string, number | undefined>,
  ): Promise<number> {
    const changeSet = nameFor(given.length, 1);
    const ids = given.map((id) => this.idOf(id));
    // What the service was never asked to make is not made.
    const unmade = new Set(ids.filter((id) => isUnsaved(id) && this.outbox.of(id).some((one) => this.isUnsent(one))));
    this.giveUp([...unmade].flatMap((id) => this.outbox.of(id)));
    const left = ids.filter((id) => !unmade.has(id));
    for (const id of left) this.deleting.add(id);
    const commands = left.map((id): Given => {
      const version = versions?.get(id);
      return { kind: "delete", id, after: {}, changeSet, version, overwrite: true };
    });
    const { done } = await this.give(commands, progress, signal);
    return done + unmade.size;
  }

  /** Brings deleted records back. Resolves with how many came back. */
  async restore(ids: string[]): Promise<number> {
    // A deletion that was not sent yet is given up instead.
    const unsent = this.outbox.queue.filter(({ kind, id, sentAt }) => kind === "delete" && !sentAt && ids.includes(id));
    this.giveUp(unsent);
    const kept = new Set(unsent.map(({ id }) => id));
    const changeSet = nameFor(ids.length - kept.size, 1);
    const left = ids.filter((id) => !kept.has(id));
    const { done } = await this.give(left.map((id) => ({ kind: "restore", id, after: {}, changeSet })));
    return done + kept.size;
  }

  private async give(list: Given[], progress?: Progress, signal?: AbortSignal) {
    const group = crypto.randomUUID();
    const outcome = this.calls.begin(group, list.length, progress);
    for (const given of list) this.outbox.add({ ...given, group });
    const stop = () => this.giveUp(this.outbox.queue.filter((command) => command.group === group));
    signal?.addEventListener("abort", stop);
    this.go();
    const ended = await outcome;
    signal?.removeEventListener("abort", stop);
    return ended;
  }

  /** Takes back commands that were not done. */
  giveUp(commands: readonly Command[]) {
    if (commands.length === 0) return;
    this.outbox.drop(commands);
    for (const { kind, id } of commands) if (kind === "delete") this.deleting.delete(id);
    this.calls.ended(commands, false);
    this.emit("reverted", [], new Problem(0, "given_up", "", ""));
    this.report();
  }

  /** Sends refused commands again. What others changed since is asked about. */
  retry(list: readonly Refused[]) {
    this.outbox.release(list);
    for (const { command } of list) {
      const { kind, id, after, changeSet, version, seen } = command;
      if (kind === "delete") this.deleting.add(id);
      // The record that the value was for was never made, as far as the page knows.
      if (kind === "edit" && isUnsaved(id)) this.outbox.add({ kind: "create", id, after });
      else this.outbox.add({ kind, id, after, changeSet, version, seen });
    }
    this.go();
  }

  /** Gives up refused commands. */
  discardRefused(list: readonly Refused[]) {
    this.outbox.release(list);
    this.report();
  }

  /** Takes commands and refusals that another page of the same person left. */
  adopt(list: readonly { command: Command; refused?: Refused }[]) {
    for (const { command, refused } of list) {
      if (command.kind === "delete" && !refused) this.deleting.add(command.id);
      this.outbox.adopt(command, refused);
    }
    this.go();
  }

  private isUnsent(command: Command): boolean {
    return command.kind === "create" && command.key === undefined && !this.outbox.flight.includes(command);
  }

  private go() {
    this.report();
    void this.sender.flush();
  }

  private takeMade(ids: readonly string[], rows: Row[]) {
    ids.forEach((id, index) => {
      const row = rows[index];
      if (!row) return;
      this.made.set(id, row.id);
      if (this.deleting.delete(id)) this.deleting.add(row.id);
    });
    this.emit("made", rows);
  }

  private takeGone(ids: ReadonlySet<string>) {
    for (const id of ids) this.deleting.delete(id);
    this.forget(ids);
    this.emit("gone", ids);
  }

  private takeRefused(ids: string[], problem: Problem) {
    const left = new Set(this.pending().flatMap(({ kind, id }) => (kind === "delete" ? [id] : [])));
    for (const id of this.deleting) if (!left.has(id)) this.deleting.delete(id);
    this.emit("reverted", this.entries.refused(ids, problem), problem);
  }

  /**
   * Waits until the service has every command. Fails when there is no connection, and keeps what
   * waits.
   */
  async settle(): Promise<void> {
    if (this.sender.paused) this.resume();
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (this.now.state === "saving") return;
        stop();
        if (this.now.state === "idle") return resolve();
        const { failure, base } = currentText();
        const said = base.waiting(this.now.count, causeOf(this.problem), false);
        return reject(new Problem(0, "unsent", this.problem?.title ?? failure.offlineTitle, said));
      };
      const stop = this.on({ status: look });
      look();
    });
  }

  /** Drops what waits for records that the person has deleted. */
  forget(ids: ReadonlySet<string>) {
    this.outbox.drop(this.outbox.queue.filter(({ id, kind }) => ids.has(id) && kind === "edit"));
    this.outbox.release(this.outbox.refused.filter(({ command }) => ids.has(command.id)));
    const ended = this.undecided.filter(({ row }) => ids.has(row.id));
    for (const { command } of ended) if (command) this.journal?.drop(command.seq);
    this.undecided = this.undecided.filter(({ row }) => !ids.has(row.id));
    this.emit("conflict");
    this.report();
  }

  /** Sends what waits at once, as when the connection or the session is back. */
  resume() {
    this.sender.resume();
  }

  /** Takes everything off the page, because the person whose it is is not signed in any more. */
  discard() {
    this.sender.stop();
    this.giveUp(this.pending());
    this.outbox.release(this.outbox.refused);
    for (const { command } of this.undecided) if (command) this.journal?.drop(command.seq);
    this.undecided = [];
    this.emit("conflict");
    this.report();
  }

  private emit<Name extends keyof Events>(name: Name, ...args: Parameters<NonNullable<Events[Name]>>) {
    for (const listener of this.listeners) (listener[name] as ((...args: unknown[]) => void) | undefined)?.(...args);
  }

  private report() {
    const { count, version } = this.outbox;
    const state = count === 0 ? "idle" : this.sender.waiting ? "waiting" : "saving";
    const same = state === this.now.state && count === this.now.count;
    if (same && version === this.reported) return;
    this.reported = version;
    if (!same) this.now = { state, count };
    this.emit("status");
  }
}
