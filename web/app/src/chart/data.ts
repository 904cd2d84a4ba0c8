import type { Field, Filter, RecordGroup } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { isEmpty } from "../field/kind.ts";
import { optionsOf, optionTone } from "../field/option.ts";
import { likeOf } from "../field/result.ts";
import { format } from "../field/value.ts";
import { chartTextOf } from "../text/chart.ts";
import { gridTextOf } from "../text/grid.ts";
import type { Tone } from "../ui/tone.ts";
import { adds, type Chart, type Grouped } from "./chart.ts";
import { filterOf } from "./filter.ts";
import { spanLabel, spansBetween } from "./span.ts";

/** A group of a chart, or one of the series that divide each group. */
export type Point = {
  key: unknown;
  label: string;
  /** The colour of its option. */
  tone?: Tone;
  /** Finds the records that it counts; undefined if no condition does. */
  filter?: Filter;
};

/** What a chart draws: a value for each series of each group. */
export type ChartData = {
  groups: Point[];
  series: Point[];
  values: (number | null)[][];
  /** There are more points than were read. */
  more: boolean;
};

const text = (key: unknown) => JSON.stringify(key ?? null);

function labelOf({ field, span }: Grouped, key: unknown, context: Context): string {
  const t = gridTextOf(context.locale);
  if (likeOf(field).type === "checkbox") return key === true ? t.boxFunctions.count : t.boxFunctions.empty;
  if (isEmpty(key)) return t.noValue(field.name);
  if (span) return spanLabel(String(key), span, context.locale);
  if (field.type === "link") return titleOf(key) || chartTextOf(context.locale).untitled;
  const shown = field.type === "multi_select" ? { ...field, type: "single_select" as const } : field;
  return format(key, shown, context);
}

const titleOf = (key: unknown) => String((key as { title?: unknown }).title ?? "");

function pointOf(grouped: Grouped, key: unknown, context: Context): Point {
  const { field } = grouped;
  const chosen = field.type === "single_select" || field.type === "multi_select";
  return {
    key,
    label: labelOf(grouped, key, context),
    tone: isEmpty(key) ? "gray" : chosen ? optionTone(field, String(key)) : undefined,
    filter: filterOf(grouped, key),
  };
}

/** The points of one grouping in their order: options as their field has them, spans of time by time. */
function ordered(points: Point[], field: Field, span: boolean): Point[] {
  if (span) return points.toSorted((a, b) => String(a.key ?? "~").localeCompare(String(b.key ?? "~")));
  const place = new Map(optionsOf(field).map(({ name }, index) => [name, index]));
  if (place.size === 0) return points;
  return points.toSorted((a, b) => (place.get(String(a.key)) ?? 1e6) - (place.get(String(b.key)) ?? 1e6));
}

const mostSpans = 1000; // which a chart fills up

/** Puts the spans of time in between that have no records, so that time passes evenly. */
function filled(points: Point[], grouped: Grouped, { sort, limit }: Chart, context: Context): Point[] {
  const days = points.map(({ key }) => key).filter((key) => typeof key === "string");
  const [first, last] = [days[0], days.at(-1)];
  if (!grouped.span || sort.by !== "group" || limit || !first || !last) return points;
  const all = spansBetween(first < last ? first : last, first < last ? last : first, grouped.span, mostSpans);
  if (!all) return points;
  const known = new Map(points.map((point) => [point.key, point]));
  const none = points.filter(({ key }) => typeof key !== "string");
  const spans = (first <= last ? all : all.toReversed()).map((day) => known.get(day) ?? pointOf(grouped, day, context));
  return [...spans, ...none];
}

/** Arranges the groups of an aggregation as a chart draws them. */
export function chartData(
  chart: Chart,
  { groups: found, hasMore }: { groups: RecordGroup[]; hasMore: boolean },
  context: Context,
): ChartData {
  const { group, series, result, fn, sort, limit } = chart;
  const whole: Point = { key: null, label: "" };
  const groups = new Map<string, Point>();
  const parts = new Map<string, Point>();
  const values = new Map<string, number>();
  for (const { key, results } of found) {
    const at = group ? key[group.name] : null;
    const part = series ? key[series.name] : null;
    const place = text(at);
    if (!groups.has(place)) groups.set(place, group ? pointOf(group, at, context) : whole);
    if (!parts.has(text(part))) parts.set(text(part), series ? pointOf(series, part, context) : whole);
    const value = results[result];
    if (typeof value === "number") values.set(`${place}/${text(part)}`, value);
  }
  const lines = series ? ordered([...parts.values()], series.field, series.span !== undefined) : [whole];
  const nothing = adds(fn) || fn === "distinct" ? 0 : null;
  const valueAt = (point: Point, line: Point) => values.get(`${text(point.key)}/${text(line.key)}`) ?? nothing;
  let places = group ? filled([...groups.values()], group, chart, context) : [...groups.values()];
  if (series && sort.by === "value") {
    const all = (point: Point) => lines.map((line) => valueAt(point, line) ?? 0);
    const size = (point: Point) => (adds(fn) ? all(point).reduce((sum, one) => sum + one, 0) : Math.max(...all(point)));
    const turn = sort.dir === "desc" ? -1 : 1;
    places = places.toSorted((a, b) => turn * (size(a) - size(b)));
  }
  const cut = limit !== undefined && places.length > limit;
  if (cut) places = places.slice(0, limit);
  // Whoever asks for the first ten does not miss the others.
  const more = hasMore && (limit === undefined || (series !== undefined && !cut));
  const rows = lines.map((line) => places.map((point) => valueAt(point, line)));
  return { groups: places, series: lines, values: rows, more };
}

const mostSlices = 12;

/** The slices of a pie: the largest, and the rest as one where it can be added up. Negative values have none. */
export function slicesOf(data: ChartData, fn: Chart["fn"], rest: (count: number) => string) {
  const all = data.groups.flatMap((point, index) => {
    const value = data.values[0]?.[index];
    return value !== null && value !== undefined && value > 0 ? [{ point, value }] : [];
  });
  if (all.length <= mostSlices || !adds(fn)) return all;
  const largest = new Set(all.toSorted((a, b) => b.value - a.value).slice(0, mostSlices - 1));
  const others = all.filter((one) => !largest.has(one));
  const value = others.reduce((sum, one) => sum + one.value, 0);
  const point: Point = { key: undefined, label: rest(others.length), tone: "gray" };
  return [...all.filter((one) => largest.has(one)), { point, value }];
}
