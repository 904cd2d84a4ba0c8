import type { Field, Row, Values } from "../api/type.ts";
import type { Progress } from "../record/call.ts";
import { isUnsaved } from "../record/command.ts";
import { incomplete } from "../record/wholepage.ts";
import type { RowSource } from "../record/source.ts";
import type { Groups } from "../record/totals.ts";
import type { GridRows } from "./gridrows.ts";

/** A field that rows are grouped by. */
export type Grouping = {
  field: Field;
  /** How an aggregation is asked for it, and names it in its answer. */
  by: string;
  name: string;
};

/** The head of a group, which is drawn as a row. */
export type Head = {
  /** The values down to this group, as a text. */
  path: string;
  depth: number;
  grouping: Grouping;
  value: unknown;
  /** The values of the groups that it is in, and its own, by field id. */
  values: Values;
  results: Record<string, unknown>;
  count: number;
  folded: boolean;
};

/** Rows that are drawn one after the other: from which place on, and which they are. */
type Run = { at: number; row: number; length: number };

type Leaf = { path: string; count: number };

/** What the grid draws: heads by their places, and the rows between them. */
export type Layout = { heads: Map<number, Head>; runs: Run[]; total: number };

const pathOf = (keys: readonly unknown[]) => JSON.stringify(keys);
const keysOf = (key: Record<string, unknown>, groupings: readonly Grouping[]) =>
  groupings.map(({ name }) => key[name] ?? null);

/** The innermost groups in their order, with how many rows each has. */
export function leavesOf(levels: readonly Groups[], groupings: readonly Grouping[]): Leaf[] {
  const last = levels.at(-1);
  if (!last) return [];
  return last.groups.map(({ key, results }) => ({
    path: pathOf(keysOf(key, groupings)),
    count: results.count as number,
  }));
}

/**
 * Places the heads of groups and the rows of the groups that are not folded. `starts` has the row
 * with which each of the innermost groups begins, `total` how many rows there are; those behind the
 * last group are drawn at the end.
 */
export function layoutOf(
  levels: readonly Groups[],
  groupings: readonly Grouping[],
  folded: ReadonlySet<string>,
  starts: readonly number[],
  total: number,
): Layout {
  const layout: Layout = { heads: new Map(), runs: [], total: 0 };
  const known = levels.map(
    (level, depth) => new Map(level.groups.map((one) => [pathOf(keysOf(one.key, groupings.slice(0, depth + 1))), one])),
  );
  const leaves = levels.at(-1)?.groups ?? [];
  let before: string[] = [];
  let end = 0;
  leaves.forEach((leaf, index) => {
    const keys = keysOf(leaf.key, groupings);
    const paths = keys.map((_, depth) => pathOf(keys.slice(0, depth + 1)));
    const start = starts[index] ?? end;
    end = Math.min(total, starts[index + 1] ?? start + (leaf.results.count as number));
    let hidden = false;
    paths.forEach((path, depth) => {
      const grouping = groupings[depth];
      if (hidden || !grouping) return;
      hidden = folded.has(path);
      if (before[depth] === path) return;
      const { results } = known[depth]?.get(path) ?? leaf;
      layout.heads.set(layout.total++, {
        path,
        depth,
        grouping,
        value: keys[depth],
        values: Object.fromEntries(keys.slice(0, depth + 1).map((key, at) => [groupings[at]?.field.id ?? "", key])),
        results,
        count: results.count as number,
        folded: hidden,
      });
    });
    before = paths;
    if (hidden || end <= start) return;
    layout.runs.push({ at: layout.total, row: start, length: end - start });
    layout.total += end - start;
  });
  if (total > end) {
    layout.runs.push({ at: layout.total, row: end, length: total - end });
    layout.total += total - end;
  }
  return layout;
}

/** The last run that begins at a place or before it. */
function runAt(runs: readonly Run[], place: number, key: "at" | "row"): Run | undefined {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as Run)[key] <= place) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  return run && place < run[key] + run.length ? run : undefined;
}

const near = 400; // rows that are read in one go, though some of them are not drawn

/**
 * The rows of a source under the heads of their groups, by their places in the grid. Between a
 * change of rows and the answer that says how large the groups are by then, each group begins with
 * the record that it began with.
 */
export class GroupedRows implements GridRows {
  private levels: readonly Groups[] = [];
  private groupings: readonly Grouping[] = [];
  private folded: ReadonlySet<string> = new Set();
  private firsts = new Map<string, string>(); // the first record of each innermost group
  private made: { version: number; layout: Layout } | undefined;
  private listeners = new Set<() => void>();
  private turn = 0;

  constructor(private source: RowSource) {}

  /** Takes the groups as they are now, and which of them are folded. */
  arrange(levels: readonly Groups[], groupings: readonly Grouping[], folded: ReadonlySet<string>) {
    Object.assign(this, { levels, groupings, folded, made: undefined });
    this.turn++;
    for (const listener of this.listeners) listener();
  }

  private get layout(): Layout {
    const { version } = this.source;
    if (this.made?.version !== version) this.made = { version, layout: this.place() };
    return this.made.layout;
  }

  private place(): Layout {
    const { source, levels, groupings, folded } = this;
    const total = source.total ?? 0;
    const leaves = leavesOf(levels, groupings);
    const counted = leaves.reduce((sum, { count }) => sum + count, 0);
    const exact = levels.at(-1)?.hasMore || counted === total - source.writer.creations.length;
    let next = 0;
    const starts = leaves.map(({ path, count }) => {
      const known = exact ? -1 : source.indexOf(this.firsts.get(path) ?? "");
      const start = known < 0 ? next : known;
      const first = source.at(start)?.id;
      if (exact && first !== undefined && !isUnsaved(first)) this.firsts.set(path, first);
      next = start + count;
      return start;
    });
    return layoutOf(levels, groupings, folded, starts, total);
  }

  get tableId() {
    return this.source.tableId;
  }
  get query() {
    return this.source.query;
  }
  get writer() {
    return this.source.writer;
  }
  get total() {
    return this.source.total === undefined ? undefined : this.layout.total;
  }

  headAt = (place: number): Head | undefined => this.layout.heads.get(place);

  get heads(): ReadonlyMap<number, Head> {
    return this.layout.heads;
  }

  /** The paths of all groups, those inside of others too. */
  paths(): Set<string> {
    const pathsAt = ({ groups }: Groups, depth: number) =>
      groups.map(({ key }) => pathOf(keysOf(key, this.groupings.slice(0, depth + 1))));
    return new Set(this.levels.flatMap(pathsAt));
  }

  /** The rows around a place without a head between them: the first place and the one behind the last. */
  between(place: number): [number, number] {
    const run = runAt(this.layout.runs, place, "at");
    return run ? [run.at, run.at + run.length] : [place, place + 1];
  }

  /** The number of a row in its group, from 1. */
  numberAt = (place: number): number => place - this.between(place)[0] + 1;

  private rowAt(place: number): number {
    const run = runAt(this.layout.runs, place, "at");
    return run ? run.row + place - run.at : -1;
  }

  at(place: number): Row | undefined {
    const row = this.rowAt(place);
    return row < 0 ? undefined : this.source.at(row);
  }

  indexOf = (id: string): number => {
    const row = this.source.indexOf(id);
    const run = row < 0 ? undefined : runAt(this.layout.runs, row, "row");
    return run ? run.at + row - run.row : -1;
  };

  find(id: string) {
    return this.source.find(id);
  }

  /** The parts of the source's rows that are drawn at some places. */
  private parts(from: number, to: number): [number, number][] {
    return this.layout.runs.flatMap(({ at, row, length }): [number, number][] => {
      const [first, last] = [Math.max(from, at), Math.min(to, at + length - 1)];
      return first > last ? [] : [[row + first - at, row + last - at]];
    });
  }

  /** Reads all rows, those of folded groups too. */
  all(progress?: Progress, signal?: AbortSignal): Promise<Row[]> {
    return this.source.range(0, (this.source.total ?? 1) - 1, progress, signal);
  }

  /** Reads the rows that are drawn at some places. */
  async range(from: number, to: number, progress?: Progress, signal?: AbortSignal): Promise<Row[]> {
    const rows: Row[] = [];
    for (const [first, last] of this.parts(from, to)) {
      const done = rows.length;
      // oxlint-disable-next-line no-await-in-loop -- each part may be long, and says how far it is
      const part = await this.source.range(first, last, (count) => progress?.(done + count), signal);
      if (part.length < last - first + 1) throw incomplete();
      rows.push(...part);
    }
    return rows;
  }

  /** Reads so many rows from a place on, whatever heads are between them. */
  async rowsFrom(from: number, count: number, progress?: Progress, signal?: AbortSignal): Promise<Row[]> {
    let end = from - 1;
    let found = 0;
    for (const { at, length } of this.layout.runs) {
      if (at + length <= from || found >= count) continue;
      const first = Math.max(from, at);
      const taken = Math.min(count - found, at + length - first);
      found += taken;
      end = first + taken - 1;
    }
    if (found === 0) return [];
    const rows: Row[] = [];
    for (const [first, last] of this.parts(from, end))
      // oxlint-disable-next-line no-await-in-loop -- as in range
      rows.push(...(await this.source.range(first, last, progress, signal)));
    return rows;
  }

  ensure(from: number, to: number) {
    const parts = this.parts(from, to);
    const [first, last] = [parts[0]?.[0] ?? 0, parts.at(-1)?.[1] ?? 0];
    if (last - first < near) return this.source.ensure(first, last);
    const [largest, ...others] = parts.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]));
    if (largest) this.source.ensure(...largest);
    for (const part of others) {
      const missing = part.some((row) => this.source.at(row) === undefined);
      // The rows that do not come stay grey.
      if (missing) this.source.range(...part).catch(() => undefined);
    }
  }

  refresh() {
    this.source.refresh();
  }

  edit: RowSource["edit"] = (edits, changeSet) => this.source.edit(edits, changeSet);
  create: RowSource["create"] = (list, changeSet) => this.source.create(list, changeSet);
  begin: RowSource["begin"] = (values) => this.source.begin(values);
  delete: RowSource["delete"] = (...given) => this.source.delete(...given);

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    const stop = this.source.subscribe(listener);
    return () => {
      this.listeners.delete(listener);
      stop();
    };
  };

  snapshot = () => this.source.version + this.turn;
}
