import type { Filter, Sort, Table } from "../api/type.ts";
import { ready } from "../filter/op.ts";
import type { RowQuery } from "../grid/source.ts";

const nonEmpty = <T,>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** The query for the rows of a table as a view shows them: conditions that are whole, and what is searched for. */
export function rowQuery(table: Table, filters: Filter[], sorts: Sort[], search: string): RowQuery {
  return { filters: nonEmpty(ready(filters, table.fields)), sorts: nonEmpty(sorts), search: search || undefined };
}
