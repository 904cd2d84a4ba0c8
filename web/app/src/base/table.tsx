import { useCallback, useContext, useEffect, useMemo, useState } from "react";
import { currentLocale } from "../locale/locale.ts";
import type { Pages } from "../route/address.ts";
import { Navigate } from "../route/outlet.tsx";
import { currentSearch, entryState, navigate, useParams, useSearch } from "../route/router.ts";
import { BaseContext, inPast, rightsIn, tableOf, useBase } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { Problem } from "../api/problem.ts";
import { baseQuery } from "../api/query.ts";
import type { Table } from "../api/type.ts";
import { prefetchPage } from "../record/prefetch.ts";
import { pageSize } from "../record/source.ts";
import { useText } from "../text/index.ts";
import { Empty, Failed } from "../ui/state.tsx";
import { notify } from "../ui/toast.ts";
import { filterProblems } from "../view/filterproblem.ts";
import { viewKind } from "../view/kind.ts";
import { ViewPage } from "../view/page.tsx";
import { offeredViews } from "../view/permission.ts";
import { rowQuery } from "../view/rowquery.ts";

const maxWait = 150; // milliseconds to wait for the rows before the table is shown without them

const route = "/base/$baseId/$tableId";

export type TableSearch = Pages[typeof route];

/** Without a valid moment in the past, the present is shown. */
export const shownSearch = ({ asOf, ...search }: TableSearch): TableSearch =>
  asOf !== undefined && Date.parse(asOf) <= Date.now() ? { ...search, asOf } : search;

/** A table through one of its views, with the record that the address names open over it. */
export function TablePage() {
  const { tableId } = useParams(route);
  const search = shownSearch(useSearch(route));
  const { asOf } = search;
  const open = useContext(BaseContext);
  // Nobody can write into the past.
  const past = asOf !== undefined;
  const shown = useMemo(() => (past && open ? inPast(open) : open), [open, past]);
  return (
    <BaseContext value={shown}>
      <ShownTable tableId={tableId} search={search} />
    </BaseContext>
  );
}

function ShownTable({ tableId, search }: { tableId: string; search: TableSearch }) {
  const text = useText();
  const { base, role } = useBase();
  const params = useMemo(() => ({ baseId: base.id, tableId }), [base.id, tableId]);
  // Back closes a record that was opened here, and leaves the table where it was.
  const open = useCallback(
    (record: string | undefined, comment?: string) => {
      const { opened } = entryState();
      if (record === undefined && opened) return history.back();
      const now = currentSearch();
      const first = now.record === undefined;
      return void navigate({
        to: route,
        params,
        search: { ...now, record, comment },
        replace: !first,
        state: { opened: first || opened },
      });
    },
    [params],
  );
  const look = useCallback(
    (asOf: string | undefined) => void navigate({ to: route, params, search: { ...currentSearch(), asOf } }),
    [params],
  );
  const found = tableOf(base, tableId);
  // The list of views is the table's: who may not use a view is not offered it.
  const table = useMemo(() => {
    return found && { ...found, views: offeredViews(found, rightsIn(role, found).create) };
  }, [found, role]);
  const [seen, setSeen] = useState<string>();
  if (found && seen !== found.id) setSeen(found.id);
  // A table that was removed while it was open is left.
  const removed = !table && seen === tableId;
  useEffect(() => {
    if (removed) notify(text.base.tableGone);
  }, [removed, text]);
  if (removed) return <Navigate to="/base/$baseId" params={{ baseId: base.id }} />;
  if (!table) return <Failed error={new Problem(404, "not_found", text.failure.pageTitle, text.failure.page)} />;
  // An address of a form still leads to it, and to what it says to those who may not fill it in.
  const view = found?.views.find((one) => one.id === search.view) ?? table.views[0];
  if (!view) return <Empty title={text.failure.pageTitle} />;
  return (
    <ViewPage
      key={table.id}
      table={table}
      view={view}
      recordId={search.record}
      onOpen={open}
      asOf={search.asOf}
      onAsOf={look}
    />
  );
}

const viewOf = (table: Table, id: string | undefined) => table.views.find((one) => one.id === id) ?? table.views[0];

/**
 * Loads what a table's page will ask for: the code of its view and, unless that takes long, the
 * first rows. Failures are left to the page, which asks again and reports them.
 */
export async function loadTable(baseId: string, tableId: string, search: Pick<TableSearch, "view" | "asOf">) {
  try {
    const base = await cache.ensureQueryData(baseQuery(baseId));
    const table = tableOf(base, tableId);
    const view = table && viewOf(table, search.view);
    if (!view || filterProblems(view).length > 0) return;
    const { type, config } = view;
    const kind = viewKind(type);
    const { filters = [], sorts = [] } = config;
    const clock = { locale: currentLocale(), timeZone: base.timeZone };
    const selection = { type, config, filters, sorts, clock, asOf: search.asOf, saved: view };
    const query = rowQuery(table, selection);
    const rows = kind.shows === "records" && prefetchPage(tableId, { ...query, offset: 0, limit: pageSize });
    await kind.Component.preload();
    await Promise.race([rows, new Promise((resolve) => setTimeout(resolve, maxWait))]);
  } catch {
    // The page asks again.
  }
}
