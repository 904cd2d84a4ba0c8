export type Values = Record<string, unknown>;
type Change = { id: string; before: Values; after: Values };
type Step = { changes: Change[]; created: string[]; final?: boolean };

/** Returns pseudorandom numbers, the same for the same seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (low: number, high: number) => low + below(high - low + 1),
    of: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}

export type Random = ReturnType<typeof randomFrom>;

/** A model of a table: what the service should hold after each action in the grid or elsewhere. */
export class TableModel {
  readonly rows = new Map<string, Values>();
  private steps: Step[] = [];

  /**
   * An edit in the grid. The service refuses the changes of records that another client deleted,
   * and the grid forgets those records. Where the edit is of one record and another client changed
   * the same values, the person uses their own, which is a step of its own.
   */
  edit(changes: { id: string; after: Values }[], shown: (id: string) => Values, created: [string, Values][] = []) {
    const step: Step = { changes: [], created: created.map(([id]) => id) };
    const chosen: Step = { changes: [], created: [] };
    const deleted = new Set<string>();
    for (const { id, after } of changes) {
      const row = this.rows.get(id);
      const before = shown(id);
      const asked = Object.keys(after).filter((name) => {
        const now = row?.[name] ?? null;
        return changes.length === 1 && row && now !== (before[name] ?? null) && now !== (after[name] ?? null);
      });
      const rest = Object.keys(after).filter((name) => !asked.includes(name));
      const part = (names: string[], from: Values): Change => ({
        id,
        before: Object.fromEntries(names.map((name) => [name, from[name] ?? null])),
        after: Object.fromEntries(names.map((name) => [name, after[name]])),
      });
      if (rest.length > 0) step.changes.push(part(rest, before));
      if (asked.length > 0) chosen.changes.push(part(asked, row ?? {}));
      if (row) Object.assign(row, after);
      else deleted.add(id);
    }
    for (const [id, values] of created) this.rows.set(id, values);
    if (step.changes.length + step.created.length > 0) this.steps.push(step);
    if (chosen.changes.length > 0) this.steps.push(chosen);
    this.forget(deleted);
  }

  /** A deletion in the grid. */
  remove(ids: string[]) {
    for (const id of ids) this.rows.delete(id);
    this.forget(new Set(ids));
    this.steps.push({ changes: [], created: [], final: true });
  }

  /** Undo in the grid. */
  undo() {
    const step = this.steps.pop();
    const deleted = new Set<string>();
    for (const { id, before } of step?.changes.toReversed() ?? []) {
      const row = this.rows.get(id);
      if (row) Object.assign(row, before);
      else deleted.add(id);
    }
    for (const id of step?.created ?? []) this.rows.delete(id);
    this.forget(deleted);
  }

  private forget(ids: ReadonlySet<string>) {
    for (const step of this.steps) {
      step.changes = step.changes.filter((change) => !ids.has(change.id));
      step.created = step.created.filter((id) => !ids.has(id));
    }
    this.steps = this.steps.filter((step) => step.final || step.changes.length + step.created.length > 0);
  }
}
