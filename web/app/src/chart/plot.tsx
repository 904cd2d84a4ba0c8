import { BarChart, LineChart, PieChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use as register } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { useEffect, useRef, useState } from "react";
import { useChartText } from "../text/chart.ts";
import { useTheme } from "../ui/theme.ts";
import type { Chart } from "./chart.ts";
import { type ChartData, type Point, slicesOf } from "./data.ts";
import { chartLook, type Hint, optionOf, type Writing } from "./option.ts";

register([BarChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

function add(parent: HTMLElement, className: string, text = ""): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.textContent = text;
  parent.append(element);
  return element;
}

/** The element of a tooltip. ECharts would write HTML with styles in it, which the content policy refuses. */
function hintElement({ title, lines }: Hint): HTMLElement {
  const box = document.createElement("div");
  box.className =
    "max-w-72 rounded-lg border border-line bg-surface px-3 py-2 font-sans text-[13px] text-ink shadow-high";
  add(box, "truncate font-[560]", title);
  for (const { name, value, colour } of lines) {
    const line = add(box, "mt-1 flex items-center gap-2");
    add(line, "size-2.5 shrink-0 rounded-sm").style.backgroundColor = colour;
    if (name) add(line, "min-w-0 flex-1 truncate text-muted", name);
    add(line, "tabular-nums", value);
  }
  return box;
}

export type PlotProps = {
  chart: Chart;
  data: ChartData;
  writing: Writing;
  /** Opens the records of a group, or of a series in it. */
  onPoint: (group: Point, series: Point | undefined) => void;
};

/** A chart as ECharts draws it, in the size of what it is in. */
export function Plot({ chart, data, writing, onPoint }: PlotProps) {
  const t = useChartText();
  const { shown: theme } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<EChartsType>(undefined);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const clicked = useRef<(dataIndex: number, seriesIndex: number) => void>(undefined);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const echart = init(element, undefined, { renderer: "svg" });
    drawn.current = echart;
    echart.on("click", ({ dataIndex, seriesIndex = 0 }) => clicked.current?.(dataIndex, seriesIndex));
    const watch = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0) return;
      echart.resize();
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      echart.dispose();
    };
  }, []);
  useEffect(() => {
    if (size.width === 0) return;
    const option = optionOf(chart, data, chartLook(), writing, size, t, hintElement);
    drawn.current?.setOption(option, { notMerge: true });
    // The colours are read from the theme.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chart, data, size, t, theme, writing]);
  useEffect(() => {
    clicked.current = (dataIndex, seriesIndex) => {
      const slice = chart.kind === "pie" ? slicesOf(data, chart.fn, t.others)[dataIndex]?.point : undefined;
      const group = slice ?? data.groups[dataIndex];
      if (group) onPoint(group, chart.series && data.series[seriesIndex]);
    };
  }, [chart, data, onPoint, t]);
  return <div ref={place} className="size-full min-h-0 min-w-0" />;
}
