import type { Field, Row, Values } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { kindOf } from "../field/kind/index.ts";
import { linkedOf } from "../field/linked.ts";
import { listOf } from "../field/list.ts";
import { likeOf } from "../field/result.ts";
import type { Tone } from "../ui/tone.ts";
import { dayOf, movedDays } from "./movedday.ts";
import { dayAt, dayNumber } from "./timescale.ts";

/** A record between two days, both included. */
export type Bar = { row: Row; from: number; to: number };

/** A bar with the line of its lane in which it is drawn. */
export type PlacedBar = Bar & { track: number };

export type Lane = { id: string; label: string; tone?: Tone; bars: PlacedBar[]; tracks: number };

/** How a bar changes: as a whole, or only at one of its ends. */
export type BarPart = "whole" | "start" | "end";

/** The bar of a record: a day where it has no end; nothing where it has no start. */
export function barOf(row: Row, start: Field, end: Field | undefined, context: Context): Bar | undefined {
  const first = dayOf(row.fields[start.name], start, context);
  if (first === undefined) return undefined;
  const from = dayNumber(first);
  const last = end && dayOf(row.fields[end.name], end, context);
  return { row, from, to: last === undefined ? from : Math.max(from, dayNumber(last)) };
}

/** Places bars on lines so that none is over another. `extent` is how many days a bar and its name take. */
export function placed<One extends Bar>(
  bars: readonly One[],
  extent: (bar: One) => number,
): { bars: (One & PlacedBar)[]; tracks: number } {
  const ends: number[] = []; // of the last bar on each line
  const list = bars
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.from);
      const track = free < 0 ? ends.length : free;
      ends[track] = bar.from + extent(bar);
      return { ...bar, track };
    });
  return { bars: list, tracks: ends.length };
}

type Column = { id: string; label: string; tone?: Tone };

/** The lanes of a value that links records; "" is that of those without a value. */
function linkedIds(value: unknown): string[] {
  const ids = listOf(value);
  return ids.length > 0 ? ids : [""];
}

/** The lanes that values can be in, those without a value last, and in which of them a value is. */
function columnsOf(field: Field, bars: readonly Bar[], context: Context, none: string) {
  const values = bars.map(({ row }) => row.fields[field.name]);
  const { stack } = kindOf(likeOf(field).type);
  if (stack) {
    const { none: empty, named } = stack.columns(field, context, values);
    return { columns: [...named, ...(empty ? [empty] : [])] as Column[], idsOf: stack.idsOf };
  }
  const linked = new Map(values.flatMap((value) => linkedOf(value, context)).map(({ id, name }) => [id, name]));
  const named = [...linked].map(([id, label]): Column => ({ id, label: label || "…" }));
  const columns = [...named.toSorted((a, b) => a.label.localeCompare(b.label)), { id: "", label: none }];
  return { columns, idsOf: linkedIds };
}

const maxOpen = 20; // columns, beyond which those without a bar are left out

/** The ids of the columns that a field has whatever its values are, unless they are many. People have none. */
function fixedColumns(field: Field, context: Context): string[] {
  const nobody = { ...context, people: [] };
  const { none, named = [] } = kindOf(likeOf(field).type).stack?.columns(field, nobody, []) ?? {};
  return named.length > maxOpen ? [] : [...named, ...(none ? [none] : [])].map(({ id }) => id);
}

/** The value of a record that goes from one lane to another, by their ids. It stays in others in which it is. */
export function laneValue(field: Field, row: Row, from: string, to: string, context: Context): unknown {
  const value = row.fields[field.name];
  const { stack } = kindOf(field.type);
  if (!stack) {
    const others = field.config?.multiple === false ? [] : listOf(value).filter((id) => id !== from && id !== to);
    return to === "" ? others : [...others, to];
  }
  const { none, named } = stack.columns(field, context, [value]);
  const column = [...named, ...(none ? [none] : [])].find(({ id }) => id === to);
  if (!column) return value;
  return stack.move ? stack.move(field, value, from, column) : column.value;
}

/**
 * The lanes of a timeline that have bars: one for each value of a field, or a single one. Where bars may go from lane
 * to lane, every option of a field has one.
 */
export function lanesOf(
  bars: readonly Bar[],
  field: Field | undefined,
  context: Context,
  { none, extent, open }: { none: string; extent: (bar: Bar) => number; open?: boolean },
): Lane[] {
  if (!field) return bars.length > 0 ? [{ id: "", label: "", ...placed(bars, extent) }] : [];
  const { columns, idsOf } = columnsOf(field, bars, context, none);
  const shown = new Set(open && bars.length > 0 ? fixedColumns(field, context) : []);
  return columns.flatMap(({ id, label, tone }) => {
    const own = bars.filter(({ row }) => idsOf(row.fields[field.name]).includes(id));
    return own.length > 0 || shown.has(id) ? [{ id, label, tone, ...placed(own, extent) }] : [];
  });
}

/** By how many days a bar can change: its end does not come before its start. */
export function bounded({ from, to }: Bar, part: BarPart, days: number): number {
  if (part === "start") return Math.min(days, to - from);
  if (part === "end") return Math.max(days, from - to);
  return days;
}

/** The days of a bar that has changed. */
export function changedBar(bar: Bar, part: BarPart, days: number): Bar {
  return {
    ...bar,
    from: part === "end" ? bar.from : bar.from + days,
    to: part === "start" ? bar.to : bar.to + days,
  };
}

/** The values of a record, by field id, whose bar changes by some days. */
export function changedValues(
  bar: Bar,
  part: BarPart,
  days: number,
  { start, end, context }: { start: Field; end: Field | undefined; context: Context },
): Values {
  const { row } = bar;
  const by = { from: dayAt(0), to: dayAt(days) };
  const values: Values = {};
  const moved = (field: Field) => movedDays(row.fields[field.name], field, context, by);
  if (part !== "end") values[start.id] = moved(start);
  if (part !== "start" && end) {
    const day = dayAt(bar.to + days);
    const made = part === "end" ? kindOf(end.type).calendar?.on?.(day, end, context) : undefined;
    values[end.id] = moved(end) ?? made;
  }
  // Its start was its end as well.
  if (part === "start" && end && moved(end) === undefined)
    values[end.id] = kindOf(end.type).calendar?.on?.(dayAt(bar.to), end, context);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** An arrow from a bar to one that depends on it. */
export type Dependency = { before: Bar; after: Bar };

/** What depends on what, among some bars: a record depends on those that it links. */
export function dependencies(bars: readonly Bar[], field: Field | undefined): Dependency[] {
  if (!field) return [];
  const known = new Map(bars.map((bar) => [bar.row.id, bar]));
  return bars.flatMap((after) =>
    listOf(after.row.fields[field.name]).flatMap((id) => {
      const before = known.get(id);
      return before && before !== after ? [{ before, after }] : [];
    }),
  );
}

/** Reports whether a record begins before what it depends on has ended. */
export const isEarly = ({ before, after }: Dependency) => after.from <= before.to;

/**
 * The bars that have to move along with a changed one, by as many days: those that depend on it, or on one that moves,
 * and would begin before that has ended.
 */
export function pushed(bars: readonly Bar[], field: Field | undefined, changed: Bar, days: number): Bar[] {
  if (days <= 0) return [];
  const links = dependencies(bars, field);
  const moved = new Map([[changed.row.id, changed]]);
  for (const id of moved.keys()) {
    for (const { before, after } of links) {
      if (before.row.id !== id || moved.has(after.row.id)) continue;
      if (after.from <= moved.get(id)!.to) moved.set(after.row.id, changedBar(after, "whole", days));
    }
  }
  return bars.filter(({ row }) => row.id !== changed.row.id && moved.has(row.id));
}

/** Heights in pixels of what a timeline consists of. */
export type Heights = { line: number; bar: number; head: number; gap: number };

export type Stack = {
  lanes: { lane: Lane; top: number }[];
  /** Where the middle of a record's bar is; of one in several lanes, that of the first. */
  middles: ReadonlyMap<string, number>;
  height: number;
};

/** The lane at a height, with what it has above and below. */
export function laneAt({ lanes }: Stack, y: number, { head }: Heights): Lane | undefined {
  return lanes.findLast(({ top }) => y >= top - head)?.lane ?? lanes[0]?.lane;
}

/** Places lanes below each other. */
export function stacked(lanes: readonly Lane[], { line, bar, head, gap }: Heights): Stack {
  const middles = new Map<string, number>();
  let bottom = head > 0 ? 0 : gap;
  const list = lanes.map((lane) => {
    const top = bottom + head;
    bottom = top + lane.tracks * line + gap;
    for (const { row, track } of lane.bars)
      if (!middles.has(row.id)) middles.set(row.id, top + track * line + bar / 2);
    return { lane, top };
  });
  return { lanes: list, middles, height: bottom };
}
