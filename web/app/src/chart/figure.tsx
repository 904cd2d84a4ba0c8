import { ChartColumn } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { useBase } from "../access/base.ts";
import type { ChartConfig, Filter, Table } from "../api/type.ts";
import { type Context, numbersIn } from "../field/context.ts";
import { formatNumber } from "../field/format.ts";
import { formatComputed, functionName } from "../field/summary.ts";
import type { RowQuery } from "../record/source.ts";
import { useWriter } from "../record/rows.ts";
import { type Groups, useGroups } from "../record/totals.ts";
import { type ChartText, useChartText } from "../text/chart.ts";
import { useGridText, type GridText } from "../text/grid.ts";
import { preloadable } from "../ui/preloadable.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { type Chart, type Missing, readChart, totalsFor } from "./chart.ts";
import { chartData, type ChartData, type Point, slicesOf } from "./data.ts";
import type { Writing } from "./option.ts";
import type { PlotProps } from "./plot.tsx";
import { ChartTable } from "./table.tsx";

/** ECharts is loaded with the first chart that it draws. */
const Plot = preloadable<PlotProps>(async () => (await import("./plot.tsx")).Plot, null);

const PointRecords = preloadable(async () => (await import("./records.tsx")).default, null);

/** What a chart shows, in words. */
function valueName({ fn, field }: Chart, t: ChartText, words: GridText): string {
  return field ? t.valueOf(functionName(field, fn, words), field.name) : t.records;
}

export function chartTitle(chart: Chart, t: ChartText, words: GridText): string {
  const value = valueName(chart, t, words);
  const part = ({ field, span }: NonNullable<Chart["group"]>) => (span ? t.bySpan(field.name, span) : field.name);
  if (!chart.group) return value;
  const title = t.by(value, part(chart.group));
  return chart.series ? t.dividedBy(title, part(chart.series)) : title;
}

/** A number as it was written without decimals that are zeros, which round numbers on an axis need not have. */
export function withoutCents(written: string, locale: string): string {
  const decimal = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value;
  return decimal ? written.replace(new RegExp(`[${decimal}]0+(?=\\D*$)`), "") : written;
}

/** How the values of a chart are written. */
function writingOf({ fn, field }: Chart, data: ChartData, context: Context): Writing {
  const counts = !field || fn === "count" || fn === "distinct";
  const value = (number: number) =>
    counts
      ? formatNumber(number, undefined, numbersIn(context), true)
      : formatComputed(number, field, context, true);
  const largest = Math.max(...data.values.flat().map((one) => Math.abs(one ?? 0)), 0);
  const compact = new Intl.NumberFormat(context.locale.tag, { notation: "compact", maximumFractionDigits: 1 });
  const long = largest >= 10_000 && field?.type !== "duration";
  const label = long ? (number: number) => compact.format(number) : value;
  return { value, label, axis: (number) => withoutCents(label(number), context.locale.tag) };
}

type Props = {
  table: Table;
  config: ChartConfig | undefined;
  /** Which records it draws. */
  query: RowQuery;
  asTable?: boolean;
  onOpen: (recordId: string) => void;
  /** What is shown next to the hint that something has to be chosen. */
  choose?: ReactNode;
};

/** A chart of the records that a query finds, which follows their changes. */
export function ChartFigure({ table, config, query, asTable = false, onOpen, choose }: Props) {
  const t = useChartText();
  const writer = useWriter(table);
  const chart = useMemo(() => readChart(table, config), [config, table]);
  const missing = typeof chart === "string" ? chart : undefined;
  const wanted = useMemo(() => (typeof chart === "string" ? undefined : totalsFor(chart)), [chart]);
  const { groups, problem, again } = useGroups({ tableId: table.id, query, writer }, wanted);
  // What was drawn stays until what is wanted now has come.
  const [drawn, setDrawn] = useState<{ chart: Chart; groups: Groups }>();
  if (groups && typeof chart !== "string" && (drawn?.chart !== chart || drawn.groups !== groups))
    setDrawn({ chart, groups });
  if (missing) return <Choose missing={missing} t={t} action={choose} />;
  if (problem) return <Failed error={problem} retry={again} />;
  if (!drawn) return <Waiting />;
  return <Drawn {...drawn} table={table} query={query} asTable={asTable} onOpen={onOpen} />;
}

function Choose({ missing, t, action }: { missing: Missing; t: ChartText; action: ReactNode }) {
  const value = missing === "value";
  return (
    <Empty
      icon={<ChartColumn size={22} aria-hidden />}
      title={value ? t.needValue : t.needGroup}
      body={value ? t.needValueBody : t.needGroupBody}
      action={action}
    />
  );
}

type DrawnProps = Pick<Props, "table" | "query" | "onOpen"> & { chart: Chart; groups: Groups; asTable: boolean };

function Drawn({ chart, groups, table, query, asTable, onOpen }: DrawnProps) {
  const t = useChartText();
  const words = useGridText();
  const { people } = useBase();
  const data = useMemo(() => chartData(chart, groups, people), [chart, groups, people]);
  const writing = useMemo(() => writingOf(chart, data, people), [chart, data, people]);
  const [point, setPoint] = useState<{ name: string; filters: Filter[] }>();
  const show = useCallback((group: Point, series: Point | undefined) => {
    const parts = series ? [group, series] : [group];
    const filters = parts.map(({ filter }) => filter).filter((filter) => filter !== undefined);
    if (filters.length < parts.length) return;
    setPoint({ name: parts.map(({ label }) => label).join(" · "), filters });
  }, []);
  const title = chartTitle(chart, t, words);
  if (chart.kind === "number") {
    const value = data.values[0]?.[0];
    return (
      <figure className="flex min-h-0 flex-1 flex-col items-center justify-center gap-1 p-4 text-center">
        <span className="text-[clamp(32px,8cqi,64px)] leading-tight font-[620] tracking-tight tabular-nums">
          {value === null || value === undefined ? "–" : writing.value(value)}
        </span>
        <figcaption className="text-muted">{title}</figcaption>
      </figure>
    );
  }
  const nothing = data.values.every((row) => row.every((value) => value === null));
  if (data.groups.length === 0 || nothing)
    return <Empty icon={<ChartColumn size={22} aria-hidden />} title={t.empty} body={t.emptyBody} />;
  const line = chart.kind === "line" && chart.group?.span ? withoutNone(data) : data;
  const unsliced = chart.kind === "pie" ? data.groups.length - slicedGroups(data, chart) : 0;
  const numbers = { title, value: valueName(chart, t, words), chart, data, write: writing.value };
  return (
    <figure aria-label={title} className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      {asTable ? (
        <ChartTable {...numbers} onPoint={show} className="min-h-0 flex-1 overflow-auto" />
      ) : (
        <>
          <div aria-hidden className="min-h-0 min-w-0 flex-1">
            <Plot chart={chart} data={line} writing={writing} onPoint={show} />
          </div>
          <ChartTable {...numbers} className="sr-only" />
        </>
      )}
      {line !== data && !asTable && (
        <p className="px-1 pt-1 text-[13px] text-muted">{t.noPoint(chart.group?.field.name ?? "")}</p>
      )}
      {unsliced > 0 && !asTable && <p className="px-1 pt-1 text-[13px] text-muted">{t.noSlices(unsliced)}</p>}
      {data.more && (
        <p role="status" className="px-1 pt-1 text-[13px] text-muted">
          {t.more(groups.groups.length)}
        </p>
      )}
      <Suspense>
        {point && (
          <PointRecords
            table={table}
            query={query}
            name={point.name}
            filters={point.filters}
            onOpen={onOpen}
            onClose={() => setPoint(undefined)}
          />
        )}
      </Suspense>
    </figure>
  );
}

/** The groups that have a time. */
function withoutNone(data: ChartData): ChartData {
  const at = data.groups.findIndex(({ key }) => typeof key !== "string");
  if (at < 0) return data;
  return { ...data, groups: data.groups.toSpliced(at, 1), values: data.values.map((row) => row.toSpliced(at, 1)) };
}

const slicedGroups = (data: ChartData, { fn }: Chart) => {
  const slices = slicesOf(data, fn, String);
  const other = slices.find(({ point }) => point.key === undefined);
  return slices.length + (other ? Number(other.point.label) - 1 : 0);
};
