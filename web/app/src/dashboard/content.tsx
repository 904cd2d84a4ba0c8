import { useEffect, useMemo } from "react";
import { Link } from "../route/link.tsx";
import { useBase } from "../access/base.ts";
import type { Table, View } from "../api/type.ts";
import { ChartFigure } from "../chart/figure.tsx";
import { format } from "../field/value.ts";
import { useOutcome, useRows, useVersion, useWriter } from "../record/rows.ts";
import type { RowQuery } from "../record/source.ts";
import { useDashboardText } from "../text/dashboard.ts";
import { Button } from "../ui/button.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { ResultTable } from "../ui/resulttable.tsx";
import { filterProblems } from "../view/filterproblem.ts";
import { viewKind } from "../view/kind.ts";
import { rowQuery } from "../view/rowquery.ts";
import { isHidden, orderFields } from "../view/state.ts";

type Props = { table: Table; view: View; onOpen: (recordId: string) => void };

/** A view as a tile shows it: a chart is drawn, of records there are the first, and a form is opened. */
export function ViewContent({ table, view, onOpen }: Props) {
  const t = useDashboardText();
  const { base, people } = useBase();
  const { locale, timeZone } = people;
  const { type, config } = view;
  const kind = viewKind(type);
  const query = useMemo(() => {
    const { filters = [], sorts = [] } = config;
    return rowQuery(table, { type, config, filters, sorts, clock: { locale, timeZone } });
  }, [config, locale, table, timeZone, type]);
  if (filterProblems(view).length > 0) return <p className="p-4 text-muted">{t.broken}</p>;
  if (kind.shows === "chart")
    return <ChartFigure table={table} config={config.chart} query={query} onOpen={onOpen} />;
  if (kind.shows === "records") return <FirstRecords table={table} view={view} query={query} />;
  return (
    <div className="grid flex-1 place-items-center">
      <Button
        render={
          <Link
            to="/base/$baseId/$tableId"
            params={{ baseId: base.id, tableId: table.id }}
            search={{ view: view.id }}
          />
        }
      >
        {t.fillIn}
      </Button>
    </div>
  );
}

const most = 50; // records that a tile lists
const mostFields = 8;

function FirstRecords({ table, view, query }: Omit<Props, "onOpen"> & { query: RowQuery }) {
  const t = useDashboardText();
  const { people, names } = useBase();
  const source = useRows(table.id, query, useWriter(table));
  const version = useVersion(source);
  const { total, problem } = useOutcome(source);
  const fields = useMemo(() => {
    const ordered = orderFields(table.fields, view.config.fieldOrder);
    return ordered.filter((field) => !isHidden(field, view.config)).slice(0, mostFields);
  }, [table.fields, view.config]);
  const rows = useMemo(() => {
    const count = Math.min(total ?? 0, most);
    return Array.from({ length: count }, (_, index) => source.at(index)).filter((row) => row !== undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- a new version is what changes rows
  }, [source, total, version]);
  useEffect(() => names.want(rows, fields), [fields, names, rows]);
  if (total === undefined)
    return problem ? <Failed error={problem} retry={() => source.refresh()} /> : <Waiting />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ResultTable
        columns={fields.map(({ name }) => ({ name }))}
        rows={rows.map((row) => fields.map((field) => format(row.fields[field.name], field, people)))}
        empty={t.noRecords}
        className="min-h-0 flex-1 whitespace-nowrap"
      />
      {total > most && <p className="pt-1 text-[13px] text-muted">{t.first(most, total)}</p>}
    </div>
  );
}
