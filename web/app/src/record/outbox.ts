import type { Row, Values } from "../api/type.ts";
import { type Command, demanded, nextSeq, type Reason, type Refused } from "./command.ts";

/** Receives each command that changes or ends, so that it outlives the page. */
export type Journal = { keep: (command: Command, refused?: Refused) => void; drop: (seq: number) => void };

const noJournal: Journal = { keep: () => undefined, drop: () => undefined };

/** A command before it is given a place in the order. */
export type Given = Omit<Command, "seq" | "at"> & Partial<Pick<Command, "seq" | "at">>;

/** The commands for one table that the service has not done yet, in order, and those it refused. */
export class Outbox {
  queue: Command[] = [];
  flight: Command[] = []; // what the request under way holds
  private list: readonly Refused[] = [];
  private byRecord: Map<string, Command[]> | undefined; // the refused commands, until they are others
  /** Raised with every change. */
  version = 0;
  private pending = new Map<string, Command[]>(); // queue and flight, by record
  private made: readonly string[] | undefined;

  constructor(private journal: Journal = noJournal) {}

  /** What was refused, oldest first; the same list until it changes. */
  get refused(): readonly Refused[] {
    return this.list;
  }

  private set refused(list: readonly Refused[]) {
    this.list = list;
    this.byRecord = undefined;
  }

  /** What was refused of a record. */
  refusedOf(id: string): readonly Command[] {
    if (!this.byRecord) {
      this.byRecord = new Map();
      for (const { command } of this.list)
        this.byRecord.set(command.id, [...(this.byRecord.get(command.id) ?? []), command]);
    }
    return this.byRecord.get(id) ?? [];
  }

  get count(): number {
    return this.queue.length + this.flight.length;
  }

  /** What is on its way for a record, in order. */
  of(id: string): readonly Command[] {
    return this.pending.get(id) ?? [];
  }

  /** The records that are still to be made, in order. */
  get creations(): readonly string[] {
    this.made ??= [...this.flight, ...this.queue].flatMap(({ kind, id }) => (kind === "create" ? [id] : []));
    return this.made;
  }

  add(given: Given): Command {
    const command: Command = { ...given, seq: given.seq ?? nextSeq(), at: given.at ?? Date.now() };
    this.queue.push(command);
    this.index(command);
    this.journal.keep(command);
    this.changed();
    return command;
  }

  /** Takes note that a command is another one now. */
  touch(command: Command) {
    this.journal.keep(command);
    this.changed();
  }

  /**
   * Moves what the next request sends into the flight: the first commands, of one kind and call and
   * for at most so many records.
   */
  take(max: number, now = Date.now()) {
    const [first] = this.queue;
    if (!first) return;
    const ids = new Set<string>();
    let count = 0;
    for (const command of this.queue) {
      if (count > 0 && !this.goesWith(first, command, now)) break;
      if (!ids.has(command.id) && ids.size === max && first.key === undefined) break;
      ids.add(command.id);
      count++;
      if (command.alone) break;
    }
    this.flight = this.queue.splice(0, count);
    if (first.kind === "create" || first.kind === "restore") this.setKey(first.key ?? crypto.randomUUID());
  }

  private goesWith(first: Command, command: Command, now: number): boolean {
    if (command.kind !== first.kind || command.alone || command.key !== first.key) return false;
    if (first.kind === "edit") return command.changeSet !== undefined && command.changeSet === first.changeSet;
    const alone = first.kind === "delete" && [first, command].some((one) => demanded(one, now) !== undefined);
    return !alone && command.group !== undefined && command.group === first.group;
  }

  /** Has the flight sent under an idempotency key. */
  setKey(key: string | undefined) {
    for (const command of this.flight) {
      if (command.key === key) continue;
      command.key = key;
      this.journal.keep(command);
    }
  }

  /**
   * The values of the flight by record, and the versions that its records must have: the oldest
   * where edits of one record have several.
   */
  merge(now = Date.now()) {
    const merged = new Map<string, Values>();
    const versions = new Map<string, number>();
    for (const command of this.flight) {
      const { id, after } = command;
      merged.set(id, { ...merged.get(id), ...after });
      const version = demanded(command, now);
      if (version !== undefined) versions.set(id, Math.min(version, versions.get(id) ?? version));
    }
    return { merged, versions };
  }

  /** Takes note that the flight is under way. */
  sent(now = Date.now()) {
    for (const command of this.flight) {
      if (command.sentAt !== undefined) continue;
      command.sentAt = now;
      this.journal.keep(command);
    }
  }

  /** Puts the flight back in front of what waits, to be sent again. `refused`: it changed nothing. */
  again(refused = false) {
    if (refused) {
      for (const command of this.flight) {
        command.sentAt = undefined;
        command.key = undefined;
        this.journal.keep(command);
      }
    }
    this.queue = [...this.flight, ...this.queue];
    this.flight = [];
    this.changed();
  }

  /** Has the values of the flight, which are of one record, sent one by one. */
  split(id: string) {
    const name = crypto.randomUUID(); // now it takes several requests
    const apart = this.flight.flatMap((command) =>
      Object.entries(command.after).map(
        ([fieldId, value], index): Command => ({
          ...command,
          seq: command.seq + (index + 1) / 4096,
          sentAt: undefined,
          changeSet: command.changeSet ?? name,
          after: { [fieldId]: value },
          alone: true,
        }),
      ),
    );
    for (const { seq } of this.flight) this.journal.drop(seq);
    for (const command of apart) this.journal.keep(command);
    this.pending.set(id, [...apart, ...this.of(id).filter((command) => !this.flight.includes(command))]);
    this.flight = apart;
    this.again();
  }

  /** Takes commands out of the order, wherever they are. `kept`: they are still to be decided on. */
  drop(list: readonly Command[], kept = false) {
    if (list.length === 0) return;
    const gone = new Set(list);
    this.queue = this.queue.filter((command) => !gone.has(command));
    this.flight = this.flight.filter((command) => !gone.has(command));
    for (const id of new Set(list.map((command) => command.id))) {
      const left = this.of(id).filter((command) => !gone.has(command));
      if (left.length > 0) this.pending.set(id, left);
      else this.pending.delete(id);
    }
    if (!kept) for (const { seq } of gone) this.journal.drop(seq);
    this.changed();
  }

  /** Takes note that the service has made a record, for which commands may wait. */
  rename(id: string, row: Row, nameOf: (fieldId: string) => string) {
    const waiting = this.of(id).filter(({ kind }) => kind !== "create");
    for (const command of waiting) {
      command.id = row.id;
      command.version = row.version;
      const fieldIds = Object.keys(command.after);
      command.seen = Object.fromEntries(fieldIds.map((one) => [one, row.fields[nameOf(one)] ?? null]));
      this.journal.keep(command);
    }
    this.pending.set(
      id,
      this.of(id).filter(({ kind }) => kind === "create"),
    );
    if (waiting.length > 0) this.pending.set(row.id, [...waiting, ...this.of(row.id)]);
    this.changed();
  }

  /** Keeps a command as refused. */
  refuse(command: Command, reason: Reason) {
    this.drop([command], true);
    const refused: Refused = { command, reason, at: Date.now() };
    this.refused = [...this.refused, refused];
    this.journal.keep(command, refused);
    this.changed();
  }

  /** Takes refused commands out of the list, because they are tried again or given up. */
  release(list: readonly Refused[]) {
    const gone = new Set(list);
    this.refused = this.refused.filter((one) => !gone.has(one));
    for (const { command } of list) this.journal.drop(command.seq);
    this.changed();
  }

  /** Takes a command or a refusal that another page left. It was kept before. */
  adopt(command: Command, refused?: Refused) {
    if (refused) this.refused = [...this.refused, refused];
    else {
      this.queue.push(command);
      this.index(command);
    }
    this.changed();
  }

  private index(command: Command) {
    const waiting = this.pending.get(command.id);
    if (waiting) waiting.push(command);
    else this.pending.set(command.id, [command]);
  }

  private changed() {
    this.version++;
    this.made = undefined;
  }
}
