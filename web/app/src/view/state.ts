import { useCallback, useEffect, useMemo, useState } from "react";
import { atLeastInBase } from "../access/role.ts";
import { updateView } from "../api/change.ts";
import type { BaseRole, Field, Filter, Sort, Table, View, ViewConfig } from "../api/type.ts";
import { ready } from "../filter/op.ts";
import { layoutsSaved, saveLayout } from "../record/layout.ts";
import { complain } from "../ui/toast.ts";

/**
 * What of a view's configuration says which records are shown; it is kept apart until somebody
 * saves it.
 */
const selecting = ["filters", "sorts"] as const;

export type ViewState = {
  config: ViewConfig;
  /** The fields that the view shows, in its order, the primary one first. */
  visible: Field[];
  /** Every field in the view's order. */
  ordered: Field[];
  filters: Filter[];
  sorts: Sort[];
  /** The filter and sorts were changed here and are not saved. */
  changed: boolean;
  /**
   * Changes keys of the configuration. The layout of those who may is saved; the selection waits
   * for save.
   */
  set: (change: ViewConfig) => void;
  save: () => Promise<void>;
  reset: () => void;
};

/**
 * Who may save a view: editors, and of a locked one creators. The service decides; this says what to
 * offer.
 */
export function canSaveView(role: BaseRole, view: View): boolean {
  return atLeastInBase(role, view.access === "locked" ? "creator" : "editor");
}

/**
 * Orders fields by a view's order; fields that the view does not know come last, the primary one
 * always first.
 */
export function orderFields(fields: Field[], order: string[] | undefined): Field[] {
  const place = new Map((order ?? []).map((id, index) => [id, index]));
  return fields.toSorted((a, b) => {
    if (a.isPrimary !== b.isPrimary) return a.isPrimary ? -1 : 1;
    return (place.get(a.id) ?? 10_000 + a.order) - (place.get(b.id) ?? 10_000 + b.order);
  });
}

/**
 * Reports whether a view hides a field: by its own list when it has one, by the field's default
 * otherwise.
 */
export function isHidden(field: Field, config: ViewConfig): boolean {
  if (field.isPrimary) return false;
  return config.hiddenFields ? config.hiddenFields.includes(field.id) : field.hidden === true;
}

/** What of a view was changed here, and what of that is saved since. */
type Local = { view: string; config: ViewConfig; saved: ViewConfig };

function withoutSaved({ view, config, saved }: Local): Local {
  const isSaved = (key: string, value: unknown) => key in saved && saved[key as keyof ViewConfig] === value;
  const kept = Object.entries(config).filter(([key, value]) => !isSaved(key, value));
  return { view, config: Object.fromEntries(kept), saved: {} };
}

/** The configuration of a view as it is shown: the saved one with what was changed here since. */
export function useViewState(table: Table, view: View, canSave: boolean): ViewState {
  const [local, setLocal] = useState<Local>({ view: view.id, config: {}, saved: {} });
  const own = useMemo(() => (local.view === view.id ? local.config : {}), [local, view.id]);
  const config = useMemo<ViewConfig>(() => ({ ...view.config, ...own }), [view.config, own]);
  // What was saved is kept until the view comes with it: without it, the view would be shown as it was before.
  const [read, setRead] = useState(view.config);
  if (read !== view.config) {
    setRead(view.config);
    setLocal(withoutSaved);
  }
  useEffect(() => () => void layoutsSaved(), []);

  const set = useCallback(
    (change: ViewConfig) => {
      setLocal((now) => {
        const { config: before, saved } = now.view === view.id ? now : { config: {}, saved: {} };
        return { view: view.id, config: { ...before, ...change }, saved };
      });
      const layout = Object.fromEntries(
        Object.entries(change).filter(([key]) => !(selecting as readonly string[]).includes(key)),
      );
      if (!canSave || Object.keys(layout).length === 0) return;
      saveLayout(view.id, layout, (saved) =>
        setLocal((now) => (now.view === view.id ? { ...now, saved: { ...now.saved, ...saved } } : now)),
      );
    },
    [canSave, view.id],
  );

  const ordered = useMemo(() => orderFields(table.fields, config.fieldOrder), [table.fields, config.fieldOrder]);
  const visible = useMemo(() => ordered.filter((field) => !isHidden(field, config)), [config, ordered]);
  const filters = useMemo(() => config.filters ?? [], [config.filters]);
  const sorts = useMemo(() => config.sorts ?? [], [config.sorts]);
  const changed = selecting.some(
    (key) => key in own && JSON.stringify(own[key] ?? []) !== JSON.stringify(view.config[key] ?? []),
  );

  const reset = useCallback(
    () =>
      setLocal((now) => ({
        ...now,
        config: Object.fromEntries(
          Object.entries(now.config).filter(([key]) => !(selecting as readonly string[]).includes(key)),
        ),
      })),
    [],
  );
  const save = useCallback(async () => {
    try {
      const config = { filters: ready(filters, table.fields), sorts };
      await updateView({ viewId: view.id, body: { config } });
      reset();
    } catch (error) {
      complain(error);
    }
  }, [filters, reset, sorts, table.fields, view.id]);

  return { config, visible, ordered, filters, sorts, changed, set, save, reset };
}
