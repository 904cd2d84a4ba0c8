import { expect, test } from "vitest";
import { english } from "../../src/locale/locale.ts";
import type { Field, Row, TimeScale } from "../../src/api/type.ts";
import { scaleIn, timelineFilters } from "../../src/view/month.ts";
import {
  bounded,
  changedBar,
  changedValues,
  dependencies,
  isEarly,
  laneAt,
  lanesOf,
  laneValue,
  placed,
  pushed,
  stacked,
} from "../../src/view/timebars.ts";
import { dayAt, dayNumber, isWeekend, scaleOf, spanOf, ticks } from "../../src/view/timescale.ts";

const context = { locale: { language: "en", tag: "en-GB" }, people: [], timeZone: "UTC" } as never;
const field = (id: string, type: string) => ({ id, name: id, type }) as Field;
const [start, end, after] = [field("start", "date"), field("end", "date"), field("after", "link")];
const bar = (id: string, from: number, to: number, fields: Record<string, unknown> = {}) => ({
  row: { id, fields } as Row,
  from,
  to,
});

test("days are counted, and weeks begin on Monday", () => {
  expect(dayAt(dayNumber("2027-03-01"))).toBe("2027-03-01");
  expect(isWeekend(dayNumber("2027-03-06"))).toBe(true);
  expect(isWeekend(dayNumber("2027-03-08"))).toBe(false);
});

test("a span is divided into units without a gap", () => {
  const around = dayNumber("2028-02-29");
  for (const scale of ["day", "week", "month", "quarter"] as TimeScale[]) {
    const span = spanOf(scale, around);
    for (const unit of [scaleOf(scale).minor, scaleOf(scale).major]) {
      let day = span.from;
      for (const tick of ticks(span, unit)) {
        expect(tick.day).toBe(day);
        day += tick.days;
      }
      expect(day).toBe(span.to);
    }
  }
});

test("all days of a span are read, whatever the scale", () => {
  const table = { id: "t", fields: [start] } as never;
  for (const timeScale of ["day", "week", "month", "quarter"] as TimeScale[]) {
    const span = spanOf(timeScale, dayNumber("2027-05-05"));
    const [filter] = timelineFilters(table, { startFieldId: "start", timeScale }, "2027-05-05", english);
    const [first, last] = (filter as { value: string[] }).value as [string, string];
    expect(dayNumber(first)).toBeLessThanOrEqual(span.from);
    expect(dayNumber(last)).toBeGreaterThanOrEqual(span.to - 1);
  }
});

test("a view without a scale that is known goes by weeks", () => {
  expect([undefined, null, "era", "day"].map((timeScale) => scaleIn({ timeScale } as never))).toEqual([
    "week",
    "week",
    "week",
    "day",
  ]);
});

test("bars that overlap are on different lines", () => {
  const { bars, tracks } = placed([bar("b", 3, 4), bar("a", 0, 3), bar("c", 5, 6)], ({ from, to }) => to - from + 1);
  expect(bars.map(({ row, track }) => [row.id, track])).toEqual([["a", 0], ["b", 1], ["c", 0]]);
  expect(tracks).toBe(2);
});

test("a record is in the lane of each record that it links", () => {
  const names: Record<string, string> = { x: "Roof", y: "Attic" };
  const bars = [bar("a", 0, 1, { after: ["x", "y"] }), bar("b", 0, 1)];
  const named = { locale: { language: "en" }, people: [], nameOf: (id: string) => names[id] } as never;
  const lanes = lanesOf(bars, after, named, { none: "None", extent: () => 2 });
  expect(lanes.map(({ label, bars: list }) => [label, list.map(({ row }) => row.id).join()])).toEqual([
    ["Attic", "a"],
    ["Roof", "a"],
    ["None", "b"],
  ]);
});

test("where bars may go from lane to lane, options without a bar have one, unless they are many", () => {
  const wood = { name: "Wood" };
  const trade: Field = { ...field("Trade", "single_select"), config: { options: [wood, { name: "Glass" }] } };
  const bars = [bar("a", 0, 1, { Trade: "Wood" })];
  const of = (field: Field, open: boolean, list = bars) =>
    lanesOf(list, field, context, { none: "None", extent: () => 2, open }).map(({ label, tracks }) => [label, tracks]);
  expect(of(trade, false)).toEqual([["Wood", 1]]);
  expect(of(trade, true)).toEqual([["Wood", 1], ["Glass", 0], ["No value", 0]]);
  expect(of(trade, true, [])).toEqual([]);
  const options = [wood, ...Array.from({ length: 30 }, (_, at) => ({ name: `${at}` }))];
  expect(of({ ...trade, config: { options } }, true)).toEqual([["Wood", 1]]);
});

const value = (of: Field, now: unknown, from: string, to: string) =>
  laneValue(of, { id: "r", fields: { [of.name]: now } } as Row, from, to, context);
const lane = (id: string, tracks: number) => ({ id, label: id, bars: [], tracks });

test("a record goes from one lane to another, and stays in the others", () => {
  expect(value(after, ["a", "b"], "a", "c")).toEqual(["b", "c"]);
  expect(value(after, ["a", "b"], "a", "b")).toEqual(["b"]);
  expect(value(after, ["a", "b"], "a", "")).toEqual(["b"]);
  expect(value(after, [], "", "c")).toEqual(["c"]);
  const one = { ...after, config: { multiple: false } } as Field;
  expect(value(one, ["a"], "a", "c")).toEqual(["c"]);
  const trade = { ...field("trade", "single_select"), config: { options: [{ name: "Wood" }, { name: "Stone" }] } };
  expect(value(trade as Field, "Wood", "Wood", "Stone")).toBe("Stone");
  expect(value(trade as Field, "Wood", "Wood", "")).toBeNull();
});

test("a lane has what is between its head and the next one", () => {
  const sizes = { line: 30, bar: 26, head: 20, gap: 5 };
  const stack = stacked([lane("a", 1), lane("b", 2)], sizes);
  expect([-9, 0, 54, 55, 139, 900].map((y) => laneAt(stack, y, sizes)?.id)).toEqual(["a", "a", "a", "b", "b", "b"]);
  expect(laneAt(stacked([], sizes), 10, sizes)).toBeUndefined();
});

test("an end that is dragged does not come before the start", () => {
  expect(bounded(bar("a", 2, 5), "end", -9)).toBe(-3);
  expect(bounded(bar("a", 2, 5), "start", 9)).toBe(3);
  expect(changedBar(bar("a", 2, 5), "start", 3)).toMatchObject({ from: 5, to: 5 });
});

test("a change writes what it changes, and the end of a record that had none", () => {
  const fields = { start, end, context };
  const day = dayNumber("2027-03-03");
  const both = bar("a", day, day + 1, { start: "2027-03-03", end: "2027-03-04" });
  expect(changedValues(both, "whole", 2, fields)).toEqual({ start: "2027-03-05", end: "2027-03-06" });
  expect(changedValues(both, "start", -1, fields)).toEqual({ start: "2027-03-02" });
  const single = bar("b", day, day, { start: "2027-03-03" });
  expect(changedValues(single, "end", 2, fields)).toEqual({ end: "2027-03-05" });
  expect(changedValues(single, "start", -1, fields)).toEqual({ start: "2027-03-02", end: "2027-03-03" });
  expect(changedValues(single, "whole", 1, fields)).toEqual({ start: "2027-03-04" });
});

test("those that depend on a moved record move along where they would begin before it ends", () => {
  const list = [
    bar("a", 0, 2),
    bar("b", 3, 5, { after: ["a"] }),
    bar("c", 6, 7, { after: ["b"] }),
    bar("d", 20, 21, { after: ["c"] }),
  ];
  const later = changedBar(list[0]!, "whole", 2);
  expect(pushed(list, after, later, 2).map(({ row }) => row.id)).toEqual(["b", "c"]);
  expect(pushed(list, after, changedBar(list[0]!, "whole", -2), -2)).toEqual([]);
  // Records that depend on each other end it.
  const circle = [bar("x", 0, 2, { after: ["y"] }), bar("y", 3, 4, { after: ["x"] })];
  expect(pushed(circle, after, changedBar(circle[0]!, "whole", 3), 3).map(({ row }) => row.id)).toEqual(["y"]);
  expect(dependencies([later, ...list.slice(1)], after).map(isEarly)).toEqual([true, false, false]);
});
