import { minutesOfDay } from "./calendarentry.ts";
import { shortest } from "./calendarlayout.ts";
import type { Point } from "./drag.ts";

const hourHeight = 48; // pixels

export const dayHeight = 24 * hourHeight;

/** The pixels from the beginning of a day to a time of it. */
export const heightOf = (minutes: number) => (minutes / 60) * hourHeight;

/** Where what is on a day from one minute to another is drawn; what is short still has room for its name. */
export function boxOf(from: number, to: number): { top: number; height: number } {
  const length = Math.max(to - from, shortest);
  return { top: heightOf(Math.min(from, minutesOfDay - length)), height: heightOf(length) - 1 };
}

const bound = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** The column of a grid of hours at a point of the window, and the minute of its day; at an edge outside of it. */
export function timeUnder(grid: HTMLElement, { x, y }: Point, columns: number): { column: number; minute: number } {
  const { left, top, width } = grid.getBoundingClientRect();
  return {
    column: bound(Math.floor(((x - left) / width) * columns), columns - 1),
    minute: bound(((y - top) / hourHeight) * 60, minutesOfDay),
  };
}

/** The time of a day that a grid of hours begins with: eight, or where no entry would be in sight that of the first. */
export function firstShown(times: readonly number[], height: number): number {
  const morning = 8 * 60;
  const first = Math.min(...times);
  if (!Number.isFinite(first)) return morning;
  const inSight = (height / hourHeight) * 60 - 60;
  return first < morning || first > morning + inSight ? Math.max(0, first - 30) : morning;
}
