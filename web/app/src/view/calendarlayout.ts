import type { Bar, PlacedBar } from "./timebars.ts";
import { placed } from "./timebars.ts";
import { type Entry, minutesOfDay } from "./calendarentry.ts";

/** The part of an entry that is in a row of days, on one of the row's lines. */
export type RowBar = PlacedBar & { entry: Entry };

/** The entries of a row of days from its first to its last, each cut off at the ends of the row. */
export function rowBars(entries: readonly Entry[], first: number, last: number): RowBar[] {
  const inRow = entries.filter(({ from, to }) => from <= last && to >= first);
  const bars = inRow.map((entry) => ({
    row: entry.row,
    entry,
    from: Math.max(entry.from, first),
    to: Math.min(entry.to, last),
  }));
  return placed(bars, ({ from, to }: Bar) => to - from + 1).bars;
}

/** The part of an entry that is on a day, in minutes of that day. */
export type Segment = { entry: Entry; day: number; from: number; to: number; isFirst: boolean; isLast: boolean };

/** The parts of an entry on the days that it touches; one of a night has two. */
export function segmentsOf(entry: Entry): Segment[] {
  const { hours, from: first, to: last } = entry;
  if (!hours) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const day = first + index;
    return {
      entry,
      day,
      from: Math.max(hours.from - day * minutesOfDay, 0),
      to: Math.min(hours.to - day * minutesOfDay, minutesOfDay),
      isFirst: day === first,
      isLast: day === last,
    };
  });
}

/** A segment with its place in the width of its day, in parts of that. */
export type Place = Segment & { left: number; width: number };

/** The shortest time that a segment is drawn for, in minutes: its name has to be read. */
export const shortest = 25;

const bottomOf = ({ from, to }: Segment) => Math.max(to, from + shortest);
const overlap = (a: Segment, b: Segment) => a.from < bottomOf(b) && b.from < bottomOf(a);

/** Places the segments of a day so that those at the same time stand next to each other. */
export function placedHours(segments: readonly Segment[]): Place[] {
  const places: Place[] = [];
  let group: { segment: Segment; column: number }[] = [];
  let bottoms: number[] = []; // of the columns of the group
  const flush = () => {
    const count = bottoms.length;
    for (const { segment, column } of group) {
      // It takes the columns to its right in which nothing is at its time.
      const right = group.filter((one) => one.column > column && overlap(one.segment, segment));
      const end = right.reduce((least, one) => Math.min(least, one.column), count);
      places.push({ ...segment, left: column / count, width: (end - column) / count });
    }
    group = [];
    bottoms = [];
  };
  for (const segment of segments.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (bottoms.every((bottom) => bottom <= segment.from)) flush();
    const free = bottoms.findIndex((bottom) => bottom <= segment.from);
    const column = free < 0 ? bottoms.length : free;
    bottoms[column] = bottomOf(segment);
    group.push({ segment, column });
  }
  flush();
  return places;
}
