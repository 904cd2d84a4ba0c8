import { Problem } from "../api/problem.ts";
import type { Row, Values } from "../api/type.ts";
import { currentText } from "../text/index.ts";
import type { Calls } from "./call.ts";
import { type Command, nextSeq, type Reason } from "./command.ts";
import { type Conflict, conflictOf, goOnFrom, goOnFromOwn } from "./conflict.ts";
import type { FieldNames } from "./fieldname.ts";
import type { Outbox } from "./outbox.ts";
import { type Asked, everywhere, type Place, placesOf } from "./refusal.ts";
import { maxInOneRequest, type RecordService, removeExisting } from "./service.ts";

const firstWait = 500; // milliseconds before a request that got no answer is sent again; doubles up to:
const longestWait = 15_000;
const maxTries = 5; // for an edit whose record gets another version each time
const maxFaults = 4; // for a request that the service fails at
const keyLife = 23 * 3600_000; // milliseconds for which the service knows an idempotency key, less an hour

/** What a sender works for. */
export type Host = {
  tableId: string;
  baseId: () => string | undefined;
  names: FieldNames;
  outbox: Outbox;
  calls: Calls;
  service: RecordService;
  /** Reads the fields again. Returns false if nothing can read them. */
  learn: () => Promise<boolean>;
  saved: (rows: Row[]) => void;
  /** Records were made: under which ids the page knew them, and as what. */
  made: (ids: readonly string[], rows: Row[]) => void;
  gone: (ids: ReadonlySet<string>) => void;
  /** Records came back, or there are others than the page knows. */
  renewed: () => void;
  refused: (ids: string[], problem: Problem) => void;
  conflict: (conflict: Conflict) => void;
  /** The state or the number of commands may be another. */
  moved: () => void;
};

const reasonOf = ({ status, code, title, message }: Problem, said?: string): Reason => ({
  status,
  code,
  title,
  message: said ?? message,
});

/** Why a value is not written whose field was deleted. */
function fieldGone(): Problem {
  const { reverted, fieldGone: reason } = currentText().base;
  return new Problem(404, "field_gone", reverted, reason);
}

/** Why something is not sent again that the service may have done. */
function doubtful(): Problem {
  const { reverted, doubtful: reason } = currentText().base;
  return new Problem(409, "doubtful", reverted, reason);
}

/** Sends the commands of one table, in order, one request at a time, until each is done or refused. */
export class Sender {
  private wait = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private max = maxInOneRequest;
  private faults = 0;
  private last: Problem | undefined; // for which it waits

  constructor(private host: Host) {}

  /** True while it waits because no answer came. */
  get waiting(): boolean {
    return this.wait > 0;
  }

  /** Why it waits. */
  get problem(): Problem | undefined {
    return this.waiting ? this.last : undefined;
  }

  get paused(): boolean {
    return this.timer !== undefined;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Sends what waits at once. */
  resume() {
    this.wait = 0;
    this.stop();
    void this.flush();
  }

  async flush(): Promise<void> {
    const { outbox } = this.host;
    if (this.timer !== undefined || outbox.flight.length > 0 || outbox.queue.length === 0) return;
    outbox.take(this.max);
    this.host.moved();
    const { kind } = outbox.flight[0] as Command;
    try {
      if (kind === "edit") await this.update();
      else if (kind === "create") await this.create();
      else if (kind === "delete") await this.remove();
      else await this.restore();
      this.wait = 0;
      this.faults = 0;
      this.max = Math.min(maxInOneRequest, this.max * 2);
    } catch (error) {
      await this.failed(Problem.from(error));
    }
    this.host.moved();
    if (this.timer === undefined) void this.flush();
  }

  /** The records of the flight as a refusal speaks of them. */
  private asked(): Asked[] {
    const { outbox, names } = this.host;
    return [...outbox.merge().merged].map(([id, after]) => ({
      id,
      fields: new Map(Object.keys(after).map((fieldId) => [names.of(fieldId) ?? fieldId, fieldId])),
    }));
  }

  private async update() {
    const { outbox, names, service, tableId, calls } = this.host;
    const nameless = this.withoutName();
    if (nameless.length > 0) this.refuse(nameless, fieldGone());
    const { merged, versions } = outbox.merge();
    if (merged.size === 0) return;
    const asked = this.asked();
    const records = [...merged].map(([id, after]) => ({ id, version: versions.get(id), fields: names.named(after) }));
    outbox.sent();
    const rows = await service.update(tableId, records, outbox.flight[0]?.changeSet);
    const done = outbox.flight;
    outbox.drop(done);
    for (const row of rows) {
      const one = asked.find(({ id }) => id === row.id);
      this.touch(row.id, (commands) => goOnFromOwn(row, commands, one, versions.get(row.id), names));
    }
    calls.ended(done, true);
    this.host.saved(rows);
  }

  private async create() {
    const { outbox, names, service, tableId } = this.host;
    const { flight } = outbox;
    const [first] = flight;
    if (!first) return;
    if (first.sentAt !== undefined && Date.now() - first.sentAt > keyLife) return this.doubtful();
    const nameless = this.withoutName();
    outbox.sent();
    const records = flight.map(({ after }) => ({ fields: names.named(after) }));
    const rows = await service.create(tableId, records, first.changeSet, first.key);
    flight.forEach((command, index) => {
      const row = rows[index];
      if (row) outbox.rename(command.id, row, (fieldId) => names.of(fieldId) ?? fieldId);
    });
    const ids = flight.map(({ id }) => id);
    outbox.drop(flight);
    this.host.made(ids, rows);
    this.host.calls.ended(flight, true, rows);
    this.keepNameless(nameless, flight, rows);
    return undefined;
  }

  /** Keeps the values that records were made without, because their fields are gone, as refused edits. */
  private keepNameless(nameless: readonly Place[], made: readonly Command[], rows: readonly Row[]) {
    const kept = nameless.flatMap(({ id, fieldIds }) => {
      const index = made.findIndex((command) => command.id === id);
      const [command, row] = [made[index], rows[index]];
      if (!command || !row) return [];
      const after = Object.fromEntries([...fieldIds].map((fieldId) => [fieldId, command.after[fieldId]]));
      return { kind: "edit" as const, id: row.id, after, version: row.version, at: command.at, seq: nextSeq() };
    });
    for (const edit of kept) this.host.outbox.refuse(edit, reasonOf(fieldGone()));
    if (kept.length > 0) this.host.refused(kept.map(({ id }) => id), fieldGone());
  }

  /** Refuses what may have been done already, so that sending it again may do it twice. */
  private doubtful() {
    this.refuse(everywhere(this.asked()), doubtful(), true);
  }

  private async remove() {
    const { outbox, service, tableId } = this.host;
    const { flight } = outbox;
    const { versions } = outbox.merge();
    const [first] = flight;
    if (!first) return;
    outbox.sent();
    const version = versions.get(first.id);
    const ids = flight.map(({ id }) => id);
    if (version !== undefined) await service.removeVersion(first.id, version, first.changeSet);
    else await removeExisting(service, tableId, ids, first.changeSet);
    outbox.drop(flight);
    this.host.gone(new Set(ids));
    this.host.calls.ended(flight, true);
  }

  private async restore() {
    const { outbox, service } = this.host;
    const { flight } = outbox;
    const [first] = flight;
    if (!first) return;
    outbox.sent();
    const ids = flight.map(({ id }) => id);
    await service.restore(this.host.baseId() ?? "", ids, first.changeSet, first.key);
    outbox.drop(flight);
    this.host.renewed();
    this.host.calls.ended(flight, true);
  }

  /** The places of the flight whose field is gone. */
  private withoutName(): Place[] {
    const { names, outbox } = this.host;
    if (!names.known) return [];
    return [...outbox.merge().merged].flatMap(([id, after]) => {
      const gone = new Set(Object.keys(after).filter((fieldId) => names.of(fieldId) === undefined));
      return gone.size > 0 ? [{ id, fieldIds: gone }] : [];
    });
  }

  private async failed(problem: Problem): Promise<void> {
    const { outbox } = this.host;
    const [first] = outbox.flight;
    const asked = this.asked();
    if (!first) return undefined;
    if (first.kind === "delete" && problem.status === 404) return this.alreadyGone(first);
    if (problem.current && first.kind === "edit") return this.versionChanged(problem.current);
    if (problem.temporary || problem.status === 401) return this.later(problem);
    // A fault may pass. What it was is not known, so the service may have done what was asked.
    if ((problem.status >= 500 || problem.status < 0) && ++this.faults < maxFaults) return this.later(problem);
    if (problem.code === "idempotency_answer_lost") return this.doneUnseen();
    if (problem.code === "idempotency_key_reused") return this.doneOtherwise();
    if (problem.current) return this.changedSince(asked, problem);
    if (problem.status === 403) return this.refuse(everywhere(asked), problem, true);
    if (await this.renamedSince(asked)) return outbox.again(true);
    const places = placesOf(problem, asked);
    const named = first.kind !== "edit" || places.some(({ id, fieldIds }) => !this.isWhole(asked, id, fieldIds));
    if (places.length > 0 && (named || problem.status === 404 || asked.every(({ fields }) => fields.size < 2))) {
      this.refuse(places, problem);
      return outbox.again(true);
    }
    return this.divide(asked, places, problem);
  }

  /** Refuses a deletion of a record that others have changed since the person saw it. */
  private changedSince(asked: readonly Asked[], { status, code, title, current }: Problem) {
    const { changedSince } = currentText().base;
    const changed = new Problem(status, code, title, changedSince, [], undefined, undefined, current);
    this.refuse(everywhere(asked), changed, true);
  }

  private isWhole(asked: readonly Asked[], id: string, fieldIds: ReadonlySet<string>): boolean {
    const size = asked.find((one) => one.id === id)?.fields.size ?? 0;
    return size > 1 && fieldIds.size === size;
  }

  /**
   * Sends smaller requests, because the refusal does not say which value it is about: for half of
   * the records, or for each value of a single record.
   */
  private divide(asked: readonly Asked[], places: readonly Place[], problem: Problem) {
    const { outbox } = this.host;
    if (asked.length > 1) {
      this.max = Math.ceil(asked.length / 2);
      return outbox.again(true);
    }
    const [one] = asked;
    if (!one || one.fields.size < 2 || problem.status === 404 || outbox.flight[0]?.kind !== "edit") {
      this.refuse(places.length > 0 ? [...places] : everywhere(asked), problem, true);
      // Nothing can be done any more with a record that is gone.
      if (one && problem.status === 404)
        this.refuseCommands(outbox.of(one.id), everywhereOf(outbox.of(one.id)), problem);
      return undefined;
    }
    return outbox.split(one.id);
  }

  /** Waits before the flight is sent again. */
  private later(problem: Problem) {
    this.host.outbox.again();
    this.last = problem;
    this.wait = Math.min(longestWait, this.wait === 0 ? firstWait : this.wait * 2);
    const wait = problem.retryAfter ? problem.retryAfter * 1000 : this.wait;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, wait);
  }

  /** Takes note that creations were done whose answer nobody has any more. */
  private doneUnseen() {
    const { outbox, calls } = this.host;
    const { flight } = outbox;
    const behind = flight.flatMap(({ id }) => outbox.of(id).filter(({ kind }) => kind === "edit"));
    this.refuseCommands(behind, everywhereOf(behind), doubtful());
    outbox.drop(flight);
    calls.ended(flight, true);
    this.host.renewed();
  }

  /**
   * Takes note that the service has done, or is doing, a request under the same key that said something
   * else, as before a field was renamed. The person looks whether it is what they wanted.
   */
  private doneOtherwise() {
    this.doubtful();
    this.host.renewed();
  }

  /** Takes note that a record that was to be deleted is not there any more. */
  private alreadyGone(command: Command) {
    this.host.outbox.drop([command]);
    this.host.gone(new Set([command.id]));
    this.host.calls.ended([command], true);
    this.host.outbox.again(true);
  }

  /**
   * Takes a record as it is now, after an edit of it was refused because others had changed it. The
   * edit is repeated without the values that they changed too: a person chooses about those.
   */
  private async versionChanged(row: Row) {
    const { outbox, names } = this.host;
    // Names that cannot be read now are read with the next look.
    if (names.hasUnknown(row)) await this.host.learn().catch(() => undefined);
    const commands = outbox.of(row.id).filter(({ kind }) => kind === "edit");
    const conflict = conflictOf(row, commands, names);
    if (conflict) {
      const [first] = commands;
      const mine = new Set(Object.keys(conflict.mine));
      this.takeBack(commands, [{ id: row.id, fieldIds: mine }]);
      conflict.command = first && { ...first, seq: nextSeq(), after: conflict.mine };
    }
    this.touch(row.id, (left) => goOnFrom(row, left, names));
    const repeated = outbox.flight.filter((command) => command.id === row.id);
    const given = repeated.filter((command) => (command.tries = (command.tries ?? 0) + 1) >= maxTries);
    if (given.length > 0) {
      const fieldIds = new Set(given.flatMap(({ after }) => Object.keys(after)));
      const { reverted, keepsChanging } = currentText().base;
      this.refuse([{ id: row.id, fieldIds }], new Problem(412, "version_changed", reverted, keepsChanging));
    }
    outbox.again();
    this.host.saved([row]);
    if (conflict) this.host.conflict(conflict);
  }

  private touch(id: string, change: (commands: readonly Command[]) => void) {
    const commands = this.host.outbox.of(id);
    if (commands.length === 0) return;
    change(commands);
    for (const command of commands) this.host.outbox.touch(command);
  }

  /** Reloads the fields after a refusal, and reports whether a named field has another name now. */
  private async renamedSince(asked: readonly Asked[]): Promise<boolean> {
    try {
      if (!(await this.host.learn())) return false;
    } catch {
      return false; // the refusal stands
    }
    const { names } = this.host;
    return asked.some(({ fields }) => [...fields].some(([name, fieldId]) => names.of(fieldId) !== name));
  }

  /** Refuses values of the flight and reports it. With `whole` nothing is left of the flight. */
  private refuse(places: Place[], problem: Problem, whole = false) {
    const { flight } = this.host.outbox;
    this.refuseCommands(flight, places, problem);
    if (!whole) return;
    const left = flight.filter((command) => this.host.outbox.flight.includes(command));
    this.host.outbox.drop(left);
    this.host.calls.ended(left, false);
  }

  /** Keeps what commands were to write at places as refused, one entry for each record. */
  private refuseCommands(commands: readonly Command[], places: readonly Place[], cause: Problem) {
    const { outbox, calls } = this.host;
    // What the service says of a record that is gone names it by its id.
    const gone = cause.status === 404 && cause.code !== "field_gone";
    const problem = gone ? new Problem(404, cause.code, cause.title, currentText().base.recordGone) : cause;
    for (const place of places) {
      const mine = commands.filter(({ id }) => id === place.id);
      const [first] = mine;
      if (!first) continue;
      const reason = reasonOf(problem, gone ? undefined : place.message);
      if (first.kind === "edit") {
        const after: Values = {};
        const seen: Values = {};
        for (const command of mine)
          for (const fieldId of Object.keys(command.after)) {
            if (!place.fieldIds.has(fieldId)) continue;
            after[fieldId] = command.after[fieldId];
            if (command.seen && !(fieldId in seen)) seen[fieldId] = command.seen[fieldId];
          }
        const kept = { ...first, after, seen: first.seen && seen, overwrite: undefined, alone: undefined, tries: 0 };
        this.takeBack(mine, [place]);
        if (Object.keys(after).length > 0)
          outbox.refuse({ ...kept, seq: nextSeq(), sentAt: undefined }, reason);
      } else {
        // What was written into a record that is not made goes with it.
        const behind = first.kind === "create" ? outbox.of(first.id).filter(({ kind }) => kind === "edit") : [];
        for (const { after } of behind) Object.assign(first.after, after);
        outbox.drop(behind);
        outbox.refuse({ ...first, key: undefined, sentAt: undefined, version: problem.current?.version }, reason);
        calls.ended([first], false);
        this.host.outbox.drop([first], true);
      }
    }
    const ids = places.map((place) => place.id);
    if (ids.length > 0) this.host.refused(ids, problem);
  }

  /** Takes values out of edits. */
  private takeBack(commands: readonly Command[], places: readonly Place[]) {
    const { outbox, calls } = this.host;
    const byId = new Map(places.map((place) => [place.id, place.fieldIds]));
    const emptied: Command[] = [];
    for (const command of commands) {
      const fieldIds = byId.get(command.id);
      if (!fieldIds) continue;
      const kept = Object.entries(command.after).filter(([fieldId]) => !fieldIds.has(fieldId));
      command.after = Object.fromEntries(kept);
      if (kept.length === 0) emptied.push(command);
      else outbox.touch(command);
    }
    outbox.drop(emptied);
    calls.ended(emptied, false);
  }
}

const everywhereOf = (commands: readonly Command[]): Place[] => {
  const byId = new Map<string, Set<string>>();
  for (const { id, after } of commands)
    byId.set(id, new Set([...(byId.get(id) ?? []), ...Object.keys(after)]));
  return [...byId].map(([id, fieldIds]) => ({ id, fieldIds }));
};
