import type { Values } from "../api/type.ts";

/** A value on its way. One that goes alone was in a request that was refused without saying why. */
export type Sending = {
  id: string;
  after: Values;
  /** The change set that the value belongs to; without one its request is one. */
  changeSet?: string;
  alone?: boolean;
  /** The version that the record must have; undefined writes whatever version it has. */
  version?: number;
  /** What the page showed before, by field id; for the sendings with a version. */
  seen?: Values;
  /** How often the record had another version. */
  tries?: number;
};

/** The edits of one table that the service does not have yet, in order. */
export class Outbox {
  queue: Sending[] = [];
  flight: Sending[] = []; // what the request under way holds
  private pending = new Map<string, Sending[]>(); // both, by record

  get count(): number {
    return this.queue.length + this.flight.length;
  }

  /** What is on its way for a record, in order. */
  of(id: string): readonly Sending[] {
    return this.pending.get(id) ?? [];
  }

  add(sending: Sending) {
    this.queue.push(sending);
    const waiting = this.pending.get(sending.id);
    if (waiting) waiting.push(sending);
    else this.pending.set(sending.id, [sending]);
  }

  /**
   * Moves what the next request sends into the flight: the first edits, of one change set and at
   * most so many records.
   */
  take(most: number) {
    const ids = new Set<string>();
    let count = 0;
    for (const sending of this.queue) {
      if (count > 0 && (sending.changeSet === undefined || sending.changeSet !== this.queue[0]?.changeSet)) break;
      if (sending.alone && count > 0) break;
      if (!ids.has(sending.id) && ids.size === most) break;
      ids.add(sending.id);
      count++;
      if (sending.alone) break;
    }
    this.flight = this.queue.splice(0, count);
  }

  /**
   * The values of the flight by record, and the versions that its records must have: the oldest
   * where edits of one record have several.
   */
  merge() {
    const merged = new Map<string, Values>();
    const versions = new Map<string, number>();
    for (const { id, after, version } of this.flight) {
      merged.set(id, { ...merged.get(id), ...after });
      if (version !== undefined) versions.set(id, Math.min(version, versions.get(id) ?? version));
    }
    return { merged, versions };
  }

  /** Puts the flight back in front of what waits, to be sent again. */
  again() {
    this.queue = [...this.flight, ...this.queue];
    this.flight = [];
  }

  /** Has the values of the flight, which are of one record, sent one by one. */
  split(id: string) {
    const name = crypto.randomUUID(); // now it takes several requests
    const apart = this.flight.flatMap((sending) =>
      Object.entries(sending.after).map(([fieldId, value]): Sending => ({
        ...sending,
        changeSet: sending.changeSet ?? name,
        after: { [fieldId]: value },
        alone: true,
      })),
    );
    this.pending.set(id, [...apart, ...this.of(id).filter((sending) => !this.flight.includes(sending))]);
    this.flight = apart;
    this.again();
  }

  /** Forgets edits, wherever they are. */
  drop(list: readonly Sending[]) {
    if (list.length === 0) return;
    const gone = new Set(list);
    this.queue = this.queue.filter((sending) => !gone.has(sending));
    this.flight = this.flight.filter((sending) => !gone.has(sending));
    for (const id of new Set(list.map((sending) => sending.id))) {
      const left = this.of(id).filter((sending) => !gone.has(sending));
      if (left.length > 0) this.pending.set(id, left);
      else this.pending.delete(id);
    }
  }

  clear() {
    this.queue = [];
    this.flight = [];
    this.pending.clear();
  }
}
