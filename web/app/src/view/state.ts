import { useCallback, useEffect, useMemo, useState } from "react";
import { updateView } from "../api/change.ts";
import type { Field, Filter, Sort, Table, View, ViewConfig } from "../api/type.ts";
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

/** The configuration of a view as it is shown: the saved one with what was changed here since. */
export function useViewState(table: Table, view: View, canSave: boolean): ViewState {
  const [local, setLocal] = useState<{ view: string; config: ViewConfig }>({ view: view.id, config: {} });
  const own = useMemo(() => (local.view === view.id ? local.config : {}), [local, view.id]);
  const config = useMemo<ViewConfig>(() => ({ ...view.config, ...own }), [view.config, own]);
  useEffect(() => () => void layoutsSaved(), []);

  const set = useCallback(
    (change: ViewConfig) => {
      setLocal((now) => ({ view: view.id, config: { ...(now.view === view.id ? now.config : {}), ...change } }));
      const layout = Object.fromEntries(
        Object.entries(change).filter(([key]) => !(selecting as readonly string[]).includes(key)),
      );
      if (!canSave || Object.keys(layout).length === 0) return;
      saveLayout(view.id, layout, (saved) =>
        setLocal((now) => {
          if (now.view !== view.id) return now;
          const kept = Object.entries(now.config).filter(([key, value]) => saved[key as keyof ViewConfig] !== value);
          return { view: now.view, config: Object.fromEntries(kept) };
        }),
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
        view: now.view,
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
