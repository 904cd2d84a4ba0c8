import { join } from "./class.ts";

export const numeric = "text-right tabular-nums";

/** A value of a result as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

type Props = {
  columns: readonly { name: string; type?: string }[]; // two may have the same name
  rows: readonly (readonly unknown[])[];
  empty: string; // shown when there are no rows
  className: string; // says how high it may be
};

/** The rows of a result, which scroll below the names of their columns. Numbers stand at the right. */
export function ResultTable({ columns, rows, empty, className }: Props) {
  const isNumber = (place: number) => rows.some((row) => typeof row[place] === "number");
  return (
    <div className={join("overflow-auto rounded-md border border-line", className)}>
      <table className="w-full border-collapse text-left text-[13px]">
        <thead className="sticky top-0 bg-canvas">
          <tr>
            {columns.map(({ name, type }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th
                key={index}
                scope="col"
                className={join("border-b border-line px-3 py-1.5 font-[560]", isNumber(index) && numeric)}
                title={type}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} className="border-b border-line last:border-0">
              {row.map((value, place) => (
                <td
                  // oxlint-disable-next-line react/no-array-index-key
                  key={place}
                  className={join("px-3 py-1", typeof value === "number" ? numeric : "max-w-96 truncate")}
                >
                  {shown(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="p-3 text-muted">{empty}</p>}
    </div>
  );
}
