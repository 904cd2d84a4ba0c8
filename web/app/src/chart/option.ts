import type { BarSeriesOption, LineSeriesOption, PieSeriesOption } from "echarts/charts";
import type { GridComponentOption, LegendComponentOption, TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { type Tone, tones } from "../ui/tone.ts";
import { type Chart } from "./chart.ts";
import { type ChartData, type Point, slicesOf } from "./data.ts";

export type Option = ComposeOption<
  | BarSeriesOption
  | LineSeriesOption
  | PieSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | TooltipComponentOption
>;

export type Look = {
  marks: Record<Tone, string>;
  ink: string;
  muted: string;
  line: string;
  surface: string;
};

/** Reads the colours of charts from the tokens, in the theme shown now. */
export function chartLook(): Look {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    marks: Object.fromEntries(tones.map((tone) => [tone, read(`--mark-${tone}`)])) as Record<Tone, string>,
    ink: read("--ink"),
    muted: read("--muted"),
    line: read("--line"),
    surface: read("--surface"),
  };
}

// Neighbours differ clearly.
const order: readonly Tone[] = [
  "teal",
  "orange",
  "indigo",
  "yellow",
  "pink",
  "blue",
  "green",
  "purple",
  "red",
  "gray",
];

const toneAt = (point: Point, index: number): Tone => point.tone ?? order[index % order.length]!;

/** How numbers are written: in full, next to what is drawn, and on an axis. */
export type Writing = Record<"value" | "label" | "axis", (value: number) => string>;

/** A value under the pointer. */
export type Hint = { title: string; lines: { name: string; value: string; colour: string }[] };

type Size = { width: number; height: number };
type Words = { others: (count: number) => string };
type Params = { dataIndex: number; seriesIndex: number };

const family = '"Hanken Grotesk Variable", ui-sans-serif, system-ui, sans-serif';
const narrow = 520; // pixels below which a pie has its names below it

/** What ECharts is to draw. `hint` makes the element of a tooltip. */
export function optionOf(
  chart: Chart,
  data: ChartData,
  look: Look,
  writing: Writing,
  size: Size,
  words: Words,
  hint: (hint: Hint) => HTMLElement,
): Option {
  const base: Option = {
    animation: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    animationDuration: 250,
    animationDurationUpdate: 250,
    textStyle: { fontFamily: family, fontSize: 12.5, color: look.muted },
    color: order.map((tone) => look.marks[tone]),
  };
  const tooltip = {
    confine: true,
    backgroundColor: "transparent",
    borderWidth: 0,
    padding: 0,
    extraCssText: "box-shadow: none",
    transitionDuration: 0,
  };
  return chart.kind === "pie"
    ? { ...base, ...pie(chart, data, look, writing, size, words, hint, tooltip) }
    : { ...base, ...axes(chart, data, look, writing, size, hint, tooltip) };
}

const legendOf = (look: Look): LegendComponentOption => ({
  type: "scroll",
  icon: "roundRect",
  itemWidth: 10,
  itemHeight: 10,
  itemGap: 16,
  textStyle: { color: look.ink, fontFamily: family, fontSize: 12.5, width: 220, overflow: "truncate" },
  pageIconColor: look.muted,
  pageIconInactiveColor: look.line,
  pageTextStyle: { color: look.muted },
});

function axes(
  chart: Chart,
  data: ChartData,
  look: Look,
  writing: Writing,
  { width }: Size,
  hint: (hint: Hint) => HTMLElement,
  tooltip: TooltipComponentOption,
): Option {
  const { groups, series, values } = data;
  const divided = chart.series !== undefined;
  const bars = chart.kind === "bar";
  const slot = (width - 72) / Math.max(1, groups.length);
  const roomy = slot >= 44;
  const colourOf = (line: number, at: number): string => {
    const tone = divided ? toneAt(series[line]!, line) : bars ? (groups[at]?.tone ?? "teal") : "teal";
    return look.marks[tone];
  };
  const common = (line: number) => ({
    id: String(line),
    name: series[line]?.label,
    stack: divided && chart.stacked ? "all" : undefined,
    emphasis: { focus: divided ? ("series" as const) : ("none" as const) },
    itemStyle: { color: colourOf(line, 0) },
  });
  const labelled = bars && !divided && slot >= 56;
  return {
    grid: {
      left: 12,
      right: 16,
      top: divided ? 44 : labelled ? 28 : 16,
      bottom: 8,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: divided ? { ...legendOf(look), top: 4, left: 8, right: 8 } : undefined,
    tooltip: {
      ...tooltip,
      trigger: "axis",
      axisPointer: bars
        ? { type: "shadow", z: 0, shadowStyle: { color: look.line, opacity: 0.45 } }
        : { type: "line", z: 0, lineStyle: { color: look.line } },
      formatter: (params) => {
        const shown = (Array.isArray(params) ? params : [params]) as Params[];
        const at = shown[0]?.dataIndex ?? 0;
        return hint({
          title: groups[at]?.label ?? "",
          lines: shown.flatMap(({ seriesIndex }) => {
            const value = values[seriesIndex]?.[at];
            if (value === null || value === undefined) return [];
            const name = series[seriesIndex]?.label ?? "";
            return [{ name, value: writing.value(value), colour: colourOf(seriesIndex, at) }];
          }),
        });
      },
    },
    xAxis: {
      type: "category",
      data: groups.map(({ label }) => label),
      boundaryGap: bars,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: look.line } },
      axisLabel: {
        color: look.muted,
        fontSize: 12.5,
        interval: bars && roomy ? 0 : "auto",
        hideOverlap: true,
        rotate: !roomy && bars && !chart.group?.span && groups.length <= 40 ? 45 : 0,
        width: roomy && bars ? slot - 8 : 96,
        overflow: "truncate",
      },
    },
    yAxis: {
      type: "value",
      minInterval: chart.fn === "count" || chart.fn === "distinct" ? 1 : undefined,
      axisLabel: { color: look.muted, fontSize: 12.5, formatter: writing.axis },
      splitLine: { lineStyle: { color: look.line } },
    },
    series: values.map((row, line) =>
      bars
        ? {
            ...common(line),
            type: "bar",
            barMaxWidth: 88,
            data: row.map((value, at) => ({
              value,
              itemStyle: { color: colourOf(line, at), borderRadius: divided && chart.stacked ? 0 : [4, 4, 0, 0] },
            })),
            label: {
              show: labelled,
              position: "top",
              color: look.ink,
              fontSize: 12.5,
              formatter: ({ value }) => (typeof value === "number" ? writing.label(value) : ""),
            },
          }
        : {
            ...common(line),
            type: "line",
            data: row,
            connectNulls: true,
            symbol: "circle",
            symbolSize: row.length > 60 ? 0 : 7,
            showSymbol: row.length <= 60,
            lineStyle: { width: 2.25, color: colourOf(line, 0) },
            areaStyle: divided
              ? chart.stacked
                ? { color: colourOf(line, 0), opacity: 0.35 }
                : undefined
              : { color: colourOf(line, 0), opacity: 0.1 },
          },
    ),
  };
}

function pie(
  chart: Chart,
  data: ChartData,
  look: Look,
  writing: Writing,
  { width, height }: Size,
  words: Words,
  hint: (hint: Hint) => HTMLElement,
  tooltip: TooltipComponentOption,
): Option {
  const slices = slicesOf(data, chart.fn, words.others);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const share = (value: number) => `${Math.round((1000 * value) / total) / 10}%`;
  const below = width < narrow;
  const colourOf = (at: number) => look.marks[toneAt(slices[at]!.point, at)];
  const named = new Map(slices.map(({ point, value }) => [point.label, value]));
  const formatter = (name: string) => `${name}   ${writing.label(named.get(name) ?? 0)}`;
  const radius = Math.max(40, Math.min(below ? width / 2 - 16 : width / 4, (height - (below ? 72 : 24)) / 2));
  return {
    legend: below
      ? { ...legendOf(look), bottom: 4, left: 8, right: 8 }
      : { ...legendOf(look), orient: "vertical", left: "58%", top: "middle", formatter },
    tooltip: {
      ...tooltip,
      trigger: "item",
      formatter: (params) => {
        const at = (params as unknown as Params).dataIndex;
        const slice = slices[at];
        if (!slice) return "";
        const value = `${writing.value(slice.value)} · ${share(slice.value)}`;
        return hint({ title: slice.point.label, lines: [{ name: "", value, colour: colourOf(at) }] });
      },
    },
    series: [
      {
        type: "pie",
        radius: [radius * 0.58, radius],
        center: below ? ["50%", (height - 48) / 2] : ["30%", "50%"],
        itemStyle: { borderColor: look.surface, borderWidth: 2, borderRadius: 3 },
        label: {
          show: true,
          position: "inside",
          color: look.surface,
          fontWeight: 600,
          fontSize: 12,
          formatter: ({ value }) => (Number(value) / total >= 0.07 ? share(Number(value)) : ""),
        },
        labelLine: { show: false },
        data: slices.map(({ point, value }, at) => ({
          name: point.label,
          value,
          itemStyle: { color: colourOf(at) },
        })),
      },
    ],
  };
}
