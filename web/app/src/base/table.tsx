import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { late } from "../ui/late.tsx";
import { Empty, Failed } from "../ui/state.tsx";
import { filterProblems } from "../view/broken.ts";
import { BrokenView } from "../view/broken.tsx";
import { rowQuery } from "../view/query.ts";
import { readAhead } from "../grid/ahead.ts";
import { pageSize } from "../grid/source.ts";
import { Problem } from "../api/client.ts";
import { baseQuery, cache } from "../api/query.ts";
import { canSaveView, tableOf, useOpened } from "./context.ts";
import { useViewState } from "./state.ts";
import { usableViews } from "./usable.ts";
import { ViewList } from "./viewlist.tsx";
import { RecordPanel } from "../record/panel.tsx";
import type { Table, View } from "../api/type.ts";

export type ViewProps = { table: Table; view: View; state: ReturnType<typeof useViewState>; onOpen: (recordId: string) => void };

const views = {
  grid: late<ViewProps>(async () => (await import("../view/grid.tsx")).GridView),
  gallery: late<ViewProps>(async () => (await import("../view/gallery.tsx")).GalleryView),
  kanban: late<ViewProps>(async () => (await import("../view/kanban.tsx")).KanbanView),
  calendar: late<ViewProps>(async () => (await import("../view/calendar.tsx")).CalendarView),
  form: late<ViewProps>(async () => (await import("../view/form.tsx")).FormView),
};

const patience = 150; // milliseconds after which a table is shown without its rows, rather than not at all

const route = "/shell/base/$baseId/$tableId";

/** A table through one of its views, with the record that the address names open over it. */
export function TablePage() {
  const { tableId } = useParams({ from: route });
  const search = useSearch({ from: route });
  const { base, role, canWrite } = useOpened();
  const found = tableOf(base, tableId);
  // The list of views is the table's: who may not use a view is not offered it.
  const mayFill = role === undefined || canWrite;
  const table = useMemo(() => found && { ...found, views: usableViews(found, mayFill) }, [found, mayFill]);
  if (!table) return <Failed error={new Problem(404, "not_found", text.failure.pageTitle, text.failure.page)} />;
  // An address of a form still leads to it, and to what it says to those who may not fill it in.
  const view = found?.views.find((one) => one.id === search.view) ?? table.views[0];
  if (!view) return <Empty title={text.failure.pageTitle} />;
  return <ViewPage key={table.id} table={table} view={view} recordId={search.record} />;
}

/** Loads what a table's page will ask for: the code of its view and, unless that takes long, the first rows. Failures are left to the page. */
export async function loadAhead(baseId: string, tableId: string, viewId: string | undefined) {
  try {
    const base = await cache.ensureQueryData(baseQuery(baseId));
    const table = tableOf(base, tableId);
    const view = table && viewOf(table, viewId);
    if (!view || filterProblems(view).length > 0) return;
    const query = { ...rowQuery(table, view.config.filters ?? [], view.config.sorts ?? [], ""), offset: 0, limit: pageSize };
    const rows = view.type === "form" ? undefined : readAhead(tableId, query);
    await views[view.type].ahead();
    await Promise.race([rows, new Promise((go) => setTimeout(go, patience))]);
  } catch {
    // The page asks again, and tells.
  }
}

const viewOf = (table: Table, id: string | undefined) => table.views.find((one) => one.id === id) ?? table.views[0];

function ViewPage({ table, view, recordId }: { table: Table; view: View; recordId?: string }) {
  const { base, role } = useOpened();
  const canSave = canSaveView(role, view);
  const navigate = useNavigate({ from: "/base/$baseId/$tableId" });
  const state = useViewState(base, table, view, canSave);
  const open = useCallback((record: string | undefined) => void navigate({ search: (now) => ({ ...now, record }), replace: true }), [navigate]);
  const Shown = views[view.type] ?? views.grid;
  return (
    <div className="flex h-full min-h-0">
      <title>{`${table.name} · ${base.name}`}</title>
      <ViewList table={table} view={view} />
      <section aria-label={view.name} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        {filterProblems(view).length > 0 ? (
          <BrokenView key={view.id} table={table} view={view} canSave={canSave} />
        ) : (
          <Shown key={view.id} table={table} view={view} state={state} onOpen={open} />
        )}
      </section>
      {recordId && <RecordPanel key={recordId} table={table} state={state} recordId={recordId} onClose={() => open(undefined)} />}
    </div>
  );
}

/** What a view shows that has no records: nothing there yet, or nothing that matches. */
export function NoRecords({ narrowed, onClear, onAdd }: { narrowed: boolean; onClear: () => void; onAdd?: () => void }) {
  return narrowed ? (
    <Empty title={text.base.noMatchTitle} body={text.base.noMatchBody} action={<Button onClick={onClear}>{text.base.clearFilter}</Button>} />
  ) : (
    <Empty
      title={text.base.noRecordsTitle}
      body={text.base.noRecordsBody}
      action={
        onAdd && (
          <Button look="primary" onClick={onAdd}>
            {text.base.newRecord}
          </Button>
        )
      }
    />
  );
}
