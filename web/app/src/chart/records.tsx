import { useMemo } from "react";
import { useBase } from "../access/base.ts";
import type { Filter, Table } from "../api/type.ts";
import { format } from "../field/value.ts";
import { useOutcome, useRows, useVersion, useWriter } from "../record/rows.ts";
import { pageSize, type RowQuery } from "../record/source.ts";
import { useChartText } from "../text/chart.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Failed, Waiting } from "../ui/state.tsx";

type Props = {
  table: Table;
  query: RowQuery;
  /** Of the group. */
  name: string;
  filters: Filter[];
  onOpen: (recordId: string) => void;
  onClose: () => void;
};

/** The records that a point of a chart counts. */
export default function PointRecords({ table, query, name, filters, onOpen, onClose }: Props) {
  const t = useChartText();
  const { people } = useBase();
  const wanted = useMemo<RowQuery>(
    () => ({ ...query, filters: [...((query.filters as Filter[] | undefined) ?? []), ...filters] }),
    [filters, query],
  );
  const source = useRows(table.id, wanted, useWriter(table));
  useVersion(source);
  const { total, problem } = useOutcome(source);
  const primary = table.fields.find((field) => field.isPrimary);
  const rows = Array.from({ length: Math.min(total ?? 0, pageSize) }, (_, index) => source.at(index));
  return (
    <Dialog open onClose={onClose} title={total === undefined ? name : t.recordsOf(name, total)}>
      {total === undefined ? (
        problem ? (
          <Failed error={problem} retry={() => source.refresh()} />
        ) : (
          <Waiting />
        )
      ) : (
        <ul className="-mx-2 pb-2">
          {rows.map(
            (row) =>
              row && (
                <li key={row.id}>
                  <button
                    type="button"
                    className="w-full truncate rounded-md px-2 py-1.5 text-left hover:bg-hover"
                    onClick={() => {
                      onClose();
                      onOpen(row.id);
                    }}
                  >
                    {(primary && format(row.fields[primary.name], primary, people)) || t.untitled}
                  </button>
                </li>
              ),
          )}
        </ul>
      )}
      {(total ?? 0) > pageSize && <p className="pb-3 text-[13px] text-muted">{t.firstRecords(pageSize)}</p>}
    </Dialog>
  );
}
