import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useBase, useRights } from "../access/base.ts";
import type { Table, Values, View } from "../api/type.ts";
import { FieldForm } from "../field/lazyform.ts";
import { FilterPanel, SortPanel } from "../filter/lazy.ts";
import { isUnsaved } from "../record/command.ts";
import { Conflicts } from "../record/conflicts.tsx";
import { ConflictDialog } from "../record/lazyconflict.ts";
import { UnsavedDialog } from "../record/lazyunsaved.ts";
import { loadRecordForms, NewRecord, RecordPanel } from "../record/lazy.ts";
import { useOutcome, useRefusals, useRows, useWriter } from "../record/rows.ts";
import { useText } from "../text/index.ts";
import { loadPopups } from "../ui/lazypopup.tsx";
import { preloadable } from "../ui/preloadable.tsx";
import { Failed, Waiting } from "../ui/state.tsx";
import { notify } from "../ui/toast.ts";
import type { BrokenViewProps } from "./brokenview.tsx";
import type { ViewHandle, ViewProps } from "./contract.ts";
import { filterProblems } from "./filterproblem.ts";
import { type ChartKind, type RecordKind, viewKind } from "./kind.ts";
import {
  ColorPanel,
  ExportItems,
  FieldMenu,
  FieldPanel,
  GroupPanel,
  HeadMenu,
  Moment,
  RowMenu,
  SelectionBar,
  PastBanner,
  SelectionSums,
} from "./lazy.ts";
import { NoRecords } from "./norecords.tsx";
import { rowQuery } from "./rowquery.ts";
import { canSaveView, useViewState } from "./state.ts";
import { Toolbar } from "./toolbar.tsx";
import { ViewList, ViewSwitch } from "./viewlist.tsx";

/**
 * Loads forms and panels once a table is shown, so that the first opens at once: a panel that is
 * loaded only when it opens takes the focus away, and makes a popover larger than the place that
 * was found for it. The report of changes that wait for the connection cannot be loaded without it.
 */
function useFormPreload(shown: boolean) {
  useEffect(() => {
    if (!shown) return undefined;
    // What cannot be loaded now is loaded when it is opened.
    const load = () => {
      const panels = [FieldPanel, FilterPanel, SortPanel, GroupPanel, ColorPanel, Moment, FieldForm, ExportItems];
      const ofGrid = [FieldMenu, RowMenu, HeadMenu, SelectionBar, SelectionSums];
      const parts = [...panels, ...ofGrid, ConflictDialog, UnsavedDialog];
      Promise.all([loadPopups(), loadRecordForms(), ...parts.map((part) => part.preload())]).catch(() => undefined);
    };
    const timer = setTimeout(load, 300);
    return () => clearTimeout(timer);
  }, [shown]);
}

const BrokenView = preloadable<BrokenViewProps>(async () => (await import("./brokenview.tsx")).BrokenView);

type Props = {
  table: Table;
  view: View;
  recordId?: string;
  onOpen: (recordId: string | undefined, commentId?: string) => void;
  /** The moment as of which the table is shown; now unless given. */
  asOf?: string;
  onAsOf: (asOf: string | undefined) => void;
};

/** A table through one of its views, next to the list of all, with a record open over it. */
export function ViewPage({ table, view, recordId, onOpen, asOf, onAsOf }: Props) {
  const text = useText();
  const { base, role } = useBase();
  const canSave = canSaveView(role, view);
  const state = useViewState(table, view, canSave);
  const kind = viewKind(view.type);
  // A position belongs to the view in which it was chosen.
  const [chosen, setChosen] = useState<{ viewId: string; position: string }>();
  const props: ViewProps = {
    table,
    view,
    state,
    position: chosen?.viewId === view.id ? chosen.position : undefined,
    onPosition: (position) => setChosen({ viewId: view.id, position }),
    onOpen: (id, commentId) => (isUnsaved(id) ? notify(text.base.notSavedYet) : onOpen(id, commentId)),
  };
  const { visible, ordered } = state;
  const writer = useWriter(table);
  return (
    <div className="flex h-full min-h-0">
      <title>{`${table.name} · ${base.name}`}</title>
      <ViewList table={table} view={view} />
      <section aria-label={view.name} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        {filterProblems(view).length > 0 ? (
          <BrokenView key={view.id} table={table} view={view} canSave={canSave} />
        ) : kind.shows === "entry" ? (
          <kind.Component {...props} switcher={<ViewSwitch table={table} view={view} />} />
        ) : kind.shows === "chart" ? (
          <Charted {...props} kind={kind} asOf={asOf} onAsOf={onAsOf} />
        ) : (
          <Records {...props} kind={kind} asOf={asOf} onAsOf={onAsOf} />
        )}
      </section>
      {recordId ? (
        <RecordPanel
          key={`${recordId}/${asOf}`}
          table={table}
          visible={visible}
          ordered={ordered}
          recordId={recordId}
          asOf={asOf}
          onClose={() => onOpen(undefined)}
        />
      ) : (
        <Conflicts table={table} writer={writer} />
      )}
    </div>
  );
}

type Shown = ViewProps & Pick<Props, "asOf" | "onAsOf">;

/** The query of a view's records, with what is searched for in them. */
function useQuery({ table, view, state, position, asOf }: Shown) {
  const { people } = useBase();
  const { locale, timeZone } = people;
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const { config, filters, sorts } = state;
  const query = useMemo(
    () =>
      rowQuery(table, {
        type: view.type,
        config,
        filters,
        sorts,
        search: wanted,
        position,
        clock: { locale, timeZone },
        asOf,
        saved: view,
      }),
    [asOf, config, filters, locale, position, sorts, table, timeZone, view, wanted],
  );
  return { query, search, setSearch };
}

/** The toolbar of a view that draws its records, and what it draws. */
function Charted({ kind, ...props }: Shown & { kind: ChartKind }) {
  const { table, view, state, asOf, onAsOf } = props;
  const { query, search, setSearch } = useQuery(props);
  useFormPreload(true);
  return (
    <>
      {asOf !== undefined && <PastBanner asOf={asOf} fields={state.visible} onNow={() => onAsOf(undefined)} />}
      <Toolbar
        kind={kind}
        table={table}
        view={view}
        state={state}
        query={query}
        total={undefined}
        search={search}
        onSearch={setSearch}
        asOf={asOf}
        onAsOf={onAsOf}
        options={<kind.Options table={table} state={state} />}
      />
      <kind.Component {...props} query={query} />
    </>
  );
}

const retryTime = 10_000; // ms after which rows that did not come are asked for again

/** The toolbar of a view that shows records, and its records as the toolbar's query finds them. */
function Records({ kind, ...shown }: Shown & { kind: RecordKind }) {
  const { asOf, onAsOf, ...props } = shown;
  const { table, view, state } = props;
  const { names } = useBase();
  const rights = useRights(table);
  const writer = useWriter(table);
  const handle = useRef<ViewHandle>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const [entry, setEntry] = useState<Values>();
  const { visible } = state;
  const { query, search, setSearch } = useQuery(shown);
  const source = useRows(table.id, query, writer);
  const { total, problem } = useOutcome(source);
  useFormPreload(total !== undefined);
  const failed = total === undefined && problem?.temporary === true;
  useEffect(() => {
    if (!failed) return undefined;
    const again = () => source.refresh();
    const timer = setInterval(again, retryTime);
    window.addEventListener("online", again);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", again);
    };
  }, [failed, source]);
  useRefusals(writer);
  useEffect(() => {
    const want = () => names.want(source.inView(), visible);
    want();
    return source.subscribe(want);
  }, [names, source, visible]);

  const create = (start: Values = {}) => setEntry(start);
  const add = () => (handle.current ? handle.current.add() : create());
  const clear = () => {
    setSearch("");
    state.set({ filters: [] });
  };
  const narrowed = source.query.filters !== undefined || source.query.search !== undefined;
  return (
    <>
      {asOf !== undefined && <PastBanner asOf={asOf} fields={visible} onNow={() => onAsOf(undefined)} />}
      <Toolbar
        kind={kind}
        table={table}
        view={view}
        state={state}
        query={query}
        total={total}
        search={search}
        onSearch={setSearch}
        searchRef={searchBox}
        onAdd={add}
        asOf={asOf}
        onAsOf={onAsOf}
      />
      {total !== undefined ? (
        <kind.Component
          {...props}
          ref={handle}
          source={source}
          onCreate={create}
          onSearch={() => searchBox.current?.focus()}
          empty={
            <NoRecords
              narrowed={narrowed}
              past={asOf !== undefined}
              onClear={clear}
              onAdd={rights.create ? add : undefined}
            />
          }
        />
      ) : problem ? (
        <Failed error={problem} retry={() => source.refresh()} />
      ) : (
        <Waiting />
      )}
      {entry && (
        <NewRecord
          table={table}
          fields={state.ordered}
          start={entry}
          onClose={() => setEntry(undefined)}
          onMade={() => source.refresh()}
        />
      )}
    </>
  );
}
