import type { Filter, Sort, Table, ViewConfig, ViewType } from "../api/type.ts";
import { ready } from "../filter/op.ts";
import type { RowQuery } from "../record/source.ts";
import { viewKind } from "./kind.ts";

const nonEmpty = <Item>(list: Item[]): Item[] | undefined => (list.length > 0 ? list : undefined);

type Selection = {
  type: ViewType;
  config: ViewConfig;
  filters: Filter[];
  sorts: Sort[];
  search?: string;
  position?: string;
  asOf?: string;
};

/**
 * The query for the rows of a table as a view shows them: conditions that are complete, those of
 * the view's position, and what is searched for.
 */
export function rowQuery(table: Table, { type, config, filters, sorts, search, position, asOf }: Selection): RowQuery {
  const kind = viewKind(type);
  const within = (kind.shows === "records" && kind.within?.(table, config, position)) || [];
  return {
    filters: nonEmpty([...ready(filters, table.fields), ...within]),
    sorts: nonEmpty(sorts),
    search: search || undefined,
    asOf,
  };
}
