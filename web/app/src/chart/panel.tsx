import { useId } from "react";
import type { ChartConfig, ChartGroup, Field, Span } from "../api/type.ts";
import { spans } from "../api/type.ts";
import { functionName, type SummaryFunction } from "../field/summary.ts";
import { useChartText } from "../text/chart.ts";
import { useGridText } from "../text/grid.ts";
import { Select, Switch } from "../ui/form.tsx";
import { groupOf, isTimed, makesGroups, valueFunctions } from "./chart.ts";

export type ChartPanelProps = {
  fields: Field[];
  chart: ChartConfig;
  onChange: (chart: ChartConfig) => void;
};

const limits = [5, 10, 20, 50];

/** What a chart shows, by which fields, and in which order. */
export function ChartPanel({ fields, chart, onChange }: ChartPanelProps) {
  const t = useChartText();
  const words = useGridText();
  const set = (change: Partial<ChartConfig>) => onChange({ ...chart, ...change });
  const { kind, value, groupBy, seriesBy, sort, limit } = chart;
  const valued = fields.filter((field) => valueFunctions(field).some((fn) => fn !== "count"));
  const of = fields.find(({ id }) => id === value?.fieldId);
  const choose = (fieldId: string) => {
    const field = fields.find(({ id }) => id === fieldId);
    if (!field) return set({ value: { fn: "count" } });
    const known = valueFunctions(field);
    const kept = value?.fieldId && known.find((fn) => fn === value.fn);
    return set({ value: { fn: kept || known.find((fn) => fn === "sum") || known[0] || "count", fieldId } });
  };
  const grouping = fields.filter(makesGroups);
  const order = `${sort?.by ?? "group"} ${sort?.dir ?? "asc"}` as keyof typeof t.orders;
  return (
    <div className="flex w-[min(400px,calc(100vw-24px))] flex-col gap-3 p-4">
      <Line label={t.value}>
        {(id) => (
          <>
            <Select id={id} value={value ? (of?.id ?? "") : "?"} onChange={(event) => choose(event.target.value)}>
              {!value && (
                <option value="?" disabled>
                  {t.choose}
                </option>
              )}
              <option value="">{t.records}</option>
              {valued.map((field) => (
                <option key={field.id} value={field.id}>
                  {field.name}
                </option>
              ))}
            </Select>
            {of && value && (
              <Select
                aria-label={words.summaryOf(of.name)}
                value={value.fn}
                onChange={(event) => set({ value: { fn: event.target.value, fieldId: of.id } })}
              >
                {valueFunctions(of).map((fn: SummaryFunction) => (
                  <option key={fn} value={fn}>
                    {functionName(of, fn, words)}
                  </option>
                ))}
              </Select>
            )}
          </>
        )}
      </Line>
      {kind !== "number" && (
        <>
          <GroupLine label={t.group} fields={grouping} value={groupBy} onChange={(to) => set({ groupBy: to })} />
          {kind !== "pie" && (
            <GroupLine
              label={t.series}
              none={t.noSeries}
              fields={grouping.filter(({ id }) => id !== groupBy?.fieldId)}
              value={seriesBy}
              onChange={(to) => set({ seriesBy: to })}
            />
          )}
          <Line label={t.order}>
            {(id) => (
              <Select
                id={id}
                value={order}
                onChange={(event) => {
                  const [by, dir] = event.target.value.split(" ") as ["group" | "value", "asc" | "desc"];
                  set({ sort: { by, dir } });
                }}
              >
                {(Object.keys(t.orders) as (keyof typeof t.orders)[]).map((one) => (
                  <option key={one} value={one}>
                    {t.orders[one]}
                  </option>
                ))}
              </Select>
            )}
          </Line>
          <Line label={t.limit}>
            {(id) => (
              <Select
                id={id}
                value={limit ?? ""}
                onChange={(event) => set({ limit: Number(event.target.value) || undefined })}
              >
                <option value="">{t.all}</option>
                {[...new Set([...limits, ...(limit ? [limit] : [])])].map((count) => (
                  <option key={count} value={count}>
                    {t.first(count)}
                  </option>
                ))}
              </Select>
            )}
          </Line>
          {seriesBy && kind !== "pie" && (
            <Switch
              label={kind === "bar" ? t.stacked : t.stackedLines}
              checked={chart.stacked === true}
              onChange={(stacked) => set({ stacked })}
            />
          )}
        </>
      )}
    </div>
  );
}

function Line({ label, children }: { label: string; children: (id: string) => React.ReactNode }) {
  const id = useId();
  return (
    <div className="grid grid-cols-[84px_minmax(0,1fr)] items-center gap-2">
      <label htmlFor={id} className="text-[13px] text-muted">
        {label}
      </label>
      <div className="flex min-w-0 gap-1.5">{children(id)}</div>
    </div>
  );
}

type GroupLineProps = {
  label: string;
  none?: string;
  fields: Field[];
  value: ChartGroup | undefined;
  onChange: (value: ChartGroup | undefined) => void;
};

function GroupLine({ label, none, fields, value, onChange }: GroupLineProps) {
  const t = useChartText();
  const chosen = fields.find(({ id }) => id === value?.fieldId);
  return (
    <Line label={label}>
      {(id) => (
        <>
          <Select
            id={id}
            value={chosen?.id ?? ""}
            onChange={(event) => {
              const field = fields.find((one) => one.id === event.target.value);
              onChange(field && groupOf(field));
            }}
          >
            {(none !== undefined || !chosen) && <option value="">{none ?? "–"}</option>}
            {fields.map((field) => (
              <option key={field.id} value={field.id}>
                {field.name}
              </option>
            ))}
          </Select>
          {chosen && isTimed(chosen) && (
            <Select
              aria-label={t.spanOf(label)}
              value={value?.span ?? ""}
              onChange={(event) =>
                onChange({ fieldId: chosen.id, span: (event.target.value || undefined) as Span | undefined })
              }
            >
              {spans.map((span) => (
                <option key={span} value={span}>
                  {t.span[span]}
                </option>
              ))}
              <option value="">{t.span.each}</option>
            </Select>
          )}
        </>
      )}
    </Line>
  );
}
