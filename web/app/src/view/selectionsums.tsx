import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Field, Row } from "../api/type.ts";
import { type Context, numbersIn } from "../field/context.ts";
import { formatNumber } from "../field/format.ts";
import { formatComputed } from "../field/summary.ts";
import type { GridRows } from "../grid/gridrows.ts";
import { type SelectedCells, sumUp } from "../grid/sums.ts";
import { useVersion } from "../record/rows.ts";
import { useGridText } from "../text/grid.ts";
import { join } from "../ui/class.ts";

const most = 2000; // rows that are read for it

export type SelectionSumsProps = { source: GridRows; fields: Field[]; cells: SelectedCells; context: Context };

/** The rows of some cells, those that were not read yet with a delay; undefined until they came. */
function useRowsOf(source: GridRows, { y, height }: SelectedCells): Row[] | undefined {
  const version = useVersion(source);
  const [read, setRead] = useState<{ key: string; rows: Row[] }>();
  const key = `${y}/${height}`;
  const atHand = useMemo(() => {
    const rows = Array.from({ length: Math.min(height, most) }, (_, index) => source.at(y + index));
    return height <= most && rows.every((row) => row !== undefined) ? (rows as Row[]) : undefined;
    // oxlint-disable-next-line react/exhaustive-deps -- a new version is what changes rows
  }, [height, source, version, y]);
  const missing = atHand === undefined && height <= most;
  useEffect(() => {
    if (!missing) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      source.range(y, y + height - 1, undefined, controller.signal).then(
        (rows) => setRead({ key, rows }),
        () => undefined, // the count of the cells stays
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [height, key, missing, source, y]);
  return atHand ?? (read?.key === key ? read.rows : undefined);
}

/** What the selected cells come to, at the lower edge of the grid. */
export function SelectionSums({ source, fields, cells, context }: SelectionSumsProps) {
  const t = useGridText();
  const shown = useDeferredValue(cells);
  const rows = useRowsOf(source, shown);
  const chosen = useMemo(() => shown.columns.flatMap((column) => fields[column] ?? []), [fields, shown]);
  const sums = useMemo(() => rows && sumUp(rows, chosen), [chosen, rows]);
  const whole = (value: number) => formatNumber(value, undefined, numbersIn(context), true);
  const write = (value: number, grouped = false) =>
    sums?.field ? formatComputed(value, sums.field, context, grouped) : whole(Math.round(value * 100) / 100);
  const parts: [string, string, string?][] = sums ? [[t.functions.count, whole(sums.filled)]] : [];
  if (sums?.numbers) {
    const { sum, count, min, max } = sums.numbers;
    parts.push([t.functions.sum, write(sum, true)], [t.functions.avg, write(sum / count)]);
    parts.push([t.functions.min, write(min), "max-md:hidden"], [t.functions.max, write(max), "max-md:hidden"]);
  }
  return (
    <div
      role="status"
      aria-label={t.selection}
      className={join(
        "pointer-events-none absolute right-4 bottom-12 z-10 flex max-w-[calc(100%-32px)] gap-4 rounded-lg",
        "border border-line bg-surface px-3 py-1.5 text-[13px] whitespace-nowrap shadow-high max-sm:right-2",
      )}
    >
      <span className="text-muted tabular-nums">{t.cells(shown.columns.length * shown.height)}</span>
      {parts.map(([name, value, look]) => (
        <span key={name} className={look}>
          <span className="text-muted">{name} </span>
          <span className="font-[560] tabular-nums">{value}</span>
        </span>
      ))}
    </div>
  );
}
