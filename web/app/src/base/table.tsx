import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback } from "react";
import { text } from "../text/index.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failed, Waiting } from "../ui/state.tsx";
import { Problem } from "../api/client.ts";
import { tableOf, useOpened } from "./context.ts";
import { useViewState } from "./state.ts";
import { ViewList } from "./viewlist.tsx";
import { RecordPanel } from "../record/panel.tsx";
import type { Table, View } from "../api/type.ts";

const GridView = lazy(async () => ({ default: (await import("../view/grid.tsx")).GridView }));
const GalleryView = lazy(async () => ({ default: (await import("../view/gallery.tsx")).GalleryView }));
const KanbanView = lazy(async () => ({ default: (await import("../view/kanban.tsx")).KanbanView }));
const CalendarView = lazy(async () => ({ default: (await import("../view/calendar.tsx")).CalendarView }));
const FormView = lazy(async () => ({ default: (await import("../view/form.tsx")).FormView }));

const route = "/shell/base/$baseId/$tableId";

/** A table through one of its views, with the record that the address names open over it. */
export function TablePage() {
  const { tableId } = useParams({ from: route });
  const search = useSearch({ from: route });
  const { base } = useOpened();
  const table = tableOf(base, tableId);
  if (!table) return <Failed error={new Problem(404, "not_found", text.failure.pageTitle, text.failure.page)} />;
  const view = table.views.find((one) => one.id === search.view) ?? table.views[0];
  if (!view) return <Empty title={text.failure.pageTitle} />;
  return <ViewPage key={table.id} table={table} view={view} recordId={search.record} />;
}

export type ViewProps = { table: Table; view: View; state: ReturnType<typeof useViewState>; onOpen: (recordId: string) => void };

function ViewPage({ table, view, recordId }: { table: Table; view: View; recordId?: string }) {
  const { base, canShape } = useOpened();
  const navigate = useNavigate({ from: "/base/$baseId/$tableId" });
  const state = useViewState(base, table, view, canShape);
  const open = useCallback((record: string | undefined) => void navigate({ search: (now) => ({ ...now, record }), replace: true }), [navigate]);
  const Shown = { grid: GridView, gallery: GalleryView, kanban: KanbanView, calendar: CalendarView, form: FormView }[view.type] ?? GridView;
  return (
    <div className="flex h-full min-h-0">
      <title>{`${table.name} · ${base.name}`}</title>
      <ViewList table={table} view={view} />
      <section aria-label={view.name} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        <Suspense fallback={<Waiting />}>
          <Shown key={view.id} table={table} view={view} state={state} onOpen={open} />
        </Suspense>
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
