import { numeric, shown } from "./resulttable.tsx";

export type Bar = { name: string; value: number };

const minBars = 2;
const maxBars = 60; // beyond which bars show less than the table

/**
 * The bars of a result: one for each row, with the first column of numbers as their length and the
 * columns before it as their names. Undefined where a chart would show nothing.
 */
export function barsOf(rows: readonly (readonly unknown[])[]): Bar[] | undefined {
  if (rows.length < minBars || rows.length > maxBars) return undefined;
  const place = (rows[0] ?? []).findIndex((_, at) => rows.every((row) => typeof row[at] === "number"));
  if (place < 1) return undefined;
  return rows.map((row) => ({
    name: row.slice(0, place).map(shown).filter(Boolean).join(" · "),
    value: row[place] as number,
  }));
}

/** Bars next to their names, to the right of zero, or to its left for negative values. */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const values = bars.map(({ value }) => value);
  const least = Math.min(0, ...values);
  const span = Math.max(0, ...values) - least || 1;
  const share = (value: number) => `${(100 * value) / span}%`;
  return (
    <ul aria-label={label} className="flex flex-col gap-1 overflow-auto text-[13px]">
      {bars.map(({ name, value }, index) => (
        // Two bars may have the same name.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="grid grid-cols-[minmax(5rem,30%)_1fr_minmax(4rem,auto)] items-center gap-3">
          <span className="truncate" title={name}>
            {name}
          </span>
          <span className="relative h-4 rounded-sm bg-sunken" aria-hidden>
            <span
              className="absolute inset-y-0 rounded-sm bg-accent"
              style={{ left: share(Math.min(value, 0) - least), width: share(Math.abs(value)) }}
            />
          </span>
          <span className={numeric}>{value}</span>
        </li>
      ))}
    </ul>
  );
}
