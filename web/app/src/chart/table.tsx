import { useChartText } from "../text/chart.ts";
import { join } from "../ui/class.ts";
import { numeric } from "../ui/resulttable.tsx";
import type { Chart } from "./chart.ts";
import type { ChartData, Point } from "./data.ts";

type Props = {
  title: string;
  /** What the numbers are. */
  value: string;
  chart: Chart;
  data: ChartData;
  write: (value: number) => string;
  onPoint?: (group: Point, series: Point | undefined) => void;
  className: string;
};

const head = "border-b border-line bg-canvas px-3 py-1.5 font-[560]";

/** The numbers of a chart: a row for each group, a column for each series. */
export function ChartTable({ title, value: named, chart, data, write, onPoint, className }: Props) {
  const t = useChartText();
  const columns = chart.series ? data.series : data.series.map((one) => ({ ...one, label: named }));
  return (
    <div className={className}>
      <table className="w-full border-collapse text-left text-[13px]">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0">
          <tr>
            <th scope="col" className={head}>
              {chart.group?.field.name ?? t.groupColumn}
            </th>
            {columns.map((series) => (
              <th key={JSON.stringify(series.key)} scope="col" className={join(head, numeric)}>
                {series.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.groups.map((group, row) => (
            <tr key={JSON.stringify(group.key)} className="border-b border-line last:border-0">
              <th scope="row" className="max-w-96 truncate px-3 py-1.5 font-normal">
                {onPoint && group.filter ? (
                  <button
                    type="button"
                    className="rounded text-left hover:text-accent-ink hover:underline"
                    aria-label={t.open(group.label)}
                    onClick={() => onPoint(group, undefined)}
                  >
                    {group.label}
                  </button>
                ) : (
                  group.label
                )}
              </th>
              {columns.map((series, column) => {
                const value = data.values[column]?.[row];
                return (
                  <td key={JSON.stringify(series.key)} className={join("px-3 py-1.5", numeric)}>
                    {value === null || value === undefined ? "" : write(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
