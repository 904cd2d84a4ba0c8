export type Values = Record<string, unknown>;
type Step = {
  /** The layout of the view was changed, which is undone like anything else. */
  layout: boolean;
  changes: { id: string; before: Values }[];
  created: string[];
  /** Records that were deleted, with their values. */
  removed: [string, Values][];
};

const emptyStep = (): Step => ({ layout: false, changes: [], created: [], removed: [] });
const holds = ({ layout, changes, created, removed }: Step) =>
  layout || changes.length + created.length + removed.length > 0;
const pick = (values: Values, names: string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

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
  private deleted = new Map<string, Values>();
  private done: Step[] = [];
  private undone: Step[] = [];
  /** The columns are not in their first order: one was moved, and not back. */
  arranged = false;

  get canUndo() {
    return this.done.length > 0;
  }

  get canRedo() {
    return this.undone.length > 0;
  }

  /**
   * An edit in the grid. The service refuses the changes of records that another client deleted.
   * Where the edit is of one record and another client changed the same values, the person uses
   * their own, which is a change of its own. What changes nothing is no change.
   */
  edit(changes: { id: string; after: Values }[], shown: (id: string) => Values, created: [string, Values][] = []) {
    const step = { ...emptyStep(), created: created.map(([id]) => id) };
    const chosen = emptyStep();
    for (const { id, after } of changes) {
      const row = this.rows.get(id);
      if (!row) continue;
      const before = shown(id);
      const changed = Object.keys(after).filter((name) => (row[name] ?? null) !== (after[name] ?? null));
      const asked = changed.filter((name) => changes.length === 1 && (row[name] ?? null) !== (before[name] ?? null));
      const rest = changed.filter((name) => !asked.includes(name));
      if (rest.length > 0) step.changes.push({ id, before: pick(row, rest) });
      if (asked.length > 0) chosen.changes.push({ id, before: pick(row, asked) });
      Object.assign(row, after);
    }
    for (const [id, values] of created) this.rows.set(id, values);
    for (const one of [step, chosen]) if (holds(one)) this.push(one);
  }

  /** A move of a column, or back, which changes no record. */
  arrange() {
    this.arranged = !this.arranged;
    this.push({ ...emptyStep(), layout: true });
  }

  /** A deletion in the grid. */
  remove(ids: string[]) {
    const step = emptyStep();
    for (const id of ids) {
      const row = this.rows.get(id);
      if (row) step.removed.push([id, row]);
      this.drop(id);
    }
    if (holds(step)) this.push(step);
  }

  /** A deletion by another client. */
  drop(id: string) {
    const row = this.rows.get(id);
    if (row) this.deleted.set(id, row);
    this.rows.delete(id);
  }

  /** Undo in the grid; of what another client has changed since, the person overwrites all. */
  undo() {
    const step = this.done.pop();
    const back = step && this.revert(step);
    if (back && holds(back)) this.undone.push(back);
  }

  redo() {
    const step = this.undone.pop();
    const back = step && this.revert(step);
    if (back && holds(back)) this.done.push(back);
  }

  private push(step: Step) {
    this.done.push(step);
    this.undone = [];
  }

  /** Takes a step back, and returns the step that this is. */
  private revert({ layout, changes, created, removed }: Step): Step {
    const back = { ...emptyStep(), layout };
    if (layout) this.arranged = !this.arranged;
    for (const id of created) {
      const row = this.rows.get(id);
      if (row) back.removed.push([id, row]);
      this.drop(id);
    }
    for (const [id, values] of removed) {
      if (this.rows.has(id)) continue;
      this.rows.set(id, { ...(this.deleted.get(id) ?? values) });
      back.created.push(id);
    }
    for (const { id, before } of changes) {
      const gone = this.deleted.get(id);
      if (!this.rows.has(id) && gone) {
        this.rows.set(id, { ...gone });
        back.created.push(id);
      }
      const row = this.rows.get(id) ?? {};
      const names = Object.keys(before).filter((name) => (row[name] ?? null) !== before[name]);
      if (names.length > 0 && !back.created.includes(id)) back.changes.push({ id, before: pick(row, names) });
      Object.assign(row, before);
    }
    return back;
  }
}
