import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Table } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import type { ViewState } from "../base/state.ts";
import type { RowSource } from "../grid/source.ts";
import { useReverts, useRows, useStatus, useUndoKeys, useVersion, useWriter } from "../grid/use.ts";
import { rowQuery } from "./query.ts";

/** The rows of a view that shows all of them at once, up to a bound. */
export function useAllRows(table: Table, state: ViewState, most: number) {
  const writer = useWriter(table);
  const status = useStatus(writer);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const query = useMemo(() => rowQuery(table, state.filters, state.sorts, wanted), [state.filters, state.sorts, table, wanted]);
  const source = useRows(table.id, query, writer, useCallback((one: RowSource) => one.refresh(0, most - 1), [most]));
  const version = useVersion(source);
  useReverts(source);
  useUndoKeys(writer);
  if (source.total !== undefined) source.ensure(0, most - 1);
  // oxlint-disable-next-line react/exhaustive-deps -- a new version is what makes new rows
  const rows = useMemo(() => source.loaded().slice(0, most), [source, version, most, status]);
  const { names } = useOpened();
  useEffect(() => names.want(rows, state.visible), [names, rows, state.visible]);
  return { source, rows, status, search, setSearch, narrowed: query.filters !== undefined || query.search !== undefined };
}
