/**
 * A table of the test's mind: what should be in the service after each thing that was done in the
 * grid or elsewhere.
 */
export type Values = Record<string, unknown>;
type Change = { id: string; before: Values; after: Values };
type Step = { changes: Change[]; made: string[]; final?: boolean };

/** Numbers that look random and are the same for the same seed (mulberry32). */
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

export class Model {
  readonly rows = new Map<string, Values>();
  private done: Step[] = [];

  /** An edit in the grid. Records that others deleted refuse theirs, and are forgotten. */
  edit(changes: { id: string; after: Values }[], shown: (id: string) => Values, made: [string, Values][] = []) {
    const step: Step = { changes: [], made: made.map(([id]) => id) };
    const gone = new Set<string>();
    for (const { id, after } of changes) {
      const row = this.rows.get(id);
      step.changes.push({
        id,
        before: Object.fromEntries(Object.keys(after).map((name) => [name, shown(id)[name] ?? null])),
        after,
      });
      if (row) Object.assign(row, after);
      else gone.add(id);
    }
    for (const [id, values] of made) this.rows.set(id, values);
    if (step.changes.length + step.made.length > 0) this.done.push(step);
    this.forget(gone);
  }

  /** A deletion in the grid. */
  remove(ids: string[]) {
    for (const id of ids) this.rows.delete(id);
    this.forget(new Set(ids));
    this.done.push({ changes: [], made: [], final: true });
  }

  /** Undo in the grid. Returns what it changed, as the grid shows it. */
  undo(): { changed: { id: string; after: Values }[]; unmade: string[] } {
    const step = this.done.pop();
    const changed = (step?.changes ?? []).toReversed().map(({ id, before }) => ({ id, after: before }));
    const gone = new Set<string>();
    for (const { id, after } of changed) {
      const row = this.rows.get(id);
      if (row) Object.assign(row, after);
      else gone.add(id);
    }
    for (const id of step?.made ?? []) this.rows.delete(id);
    this.forget(gone);
    return { changed, unmade: step?.made ?? [] };
  }

  private forget(ids: ReadonlySet<string>) {
    for (const step of this.done) {
      step.changes = step.changes.filter((change) => !ids.has(change.id));
      step.made = step.made.filter((id) => !ids.has(id));
    }
    this.done = this.done.filter((step) => step.final || step.changes.length + step.made.length > 0);
  }
}
