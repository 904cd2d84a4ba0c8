import type { Filter, Sort, Table, View, ViewConfig, ViewType } from "../api/type.ts";
import { ready } from "../filter/op.ts";
import type { RowQuery } from "../record/source.ts";
import { groupFields, groupSorts } from "./group.ts";
import { viewKind } from "./kind.ts";
import type { Clock } from "./month.ts";

const nonEmpty = <Item>(list: Item[]): Item[] | undefined => (list.length > 0 ? list : undefined);

type Selection = {
  type: ViewType;
  config: ViewConfig;
  filters: Filter[];
  sorts: Sort[];
  search?: string;
  position?: string;
  clock: Clock;
  asOf?: string;
  /** The view as it is saved, whose rules give colours. */
  saved?: View;
};

/** What asks for the colours of a view's records, if it has rules. The past has none. */
const colorsOf = (view: View | undefined) =>
  view && nonEmpty(view.config.colorRules ?? []) && { view: view.id, rules: view.config.colorRules ?? [] };

/**
 * The query for the rows of a table as a view shows them: complete conditions, the conditions of
 * the view's position, and the search.
 */
export function rowQuery(table: Table, selection: Selection): RowQuery {
  const { type, config, filters, sorts, search, position, clock, asOf, saved } = selection;
  const kind = viewKind(type);
  const grouped = kind.shows === "records" && kind.groups ? groupFields(table.fields, config) : [];
  const within = (kind.shows === "records" && kind.within?.(table, config, position, clock)) || [];
  return {
    filters: nonEmpty([...ready(filters, table.fields), ...within]),
    sorts: nonEmpty(groupSorts(grouped, sorts)),
    search: search || undefined,
    asOf,
    colorsOf: asOf === undefined && kind.shows === "records" ? colorsOf(saved) : undefined,
  };
}
