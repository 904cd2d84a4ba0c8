import { useEffect, useMemo, useState } from "react";
import { aggregateRecords } from "../api/read.ts";
import type { RecordGroup } from "../api/type.ts";
import { Pace } from "./pace.ts";
import { onRefreshRows } from "./refresh.ts";
import type { RowSource } from "./source.ts";

/** What is computed over the records of a query. */
export type Totals = {
  aggregates: { fn: string; fieldId?: string }[];
  groupBy?: string[];
  orderBy?: { by: string; dir: "asc" | "desc" }[];
};

export type Groups = { groups: RecordGroup[]; hasMore: boolean };

const maxGroups = 1000; // in an answer of the service

/** Computes totals over the records that a source finds. */
function readTotals(source: RowSource, { aggregates, groupBy, orderBy }: Totals, signal?: AbortSignal) {
  const { search, filters, asOf } = source.query;
  const query = {
    search,
    filters: filters === undefined ? undefined : JSON.stringify(filters),
    asOf,
    aggregates: JSON.stringify(aggregates),
    groupBy,
    orderBy: orderBy && JSON.stringify(orderBy),
    limit: groupBy && maxGroups,
  };
  return aggregateRecords({ tableId: source.tableId, query }, { signal }) as Promise<Groups>;
}

/** The totals of a source, and which groups they are of. */
export type Found = { source: RowSource; groupedBy: string; totals: Groups[] };

const groupsOf = (wanted: readonly Totals[]) => JSON.stringify(wanted.map((one) => [one.groupBy, one.orderBy]));

/**
 * Totals over the records that a source finds, read again when records change; undefined until they
 * were read. What was found last stays while the same groups are read again.
 */
export function useTotals(source: RowSource, wanted: readonly Totals[]): Found | undefined {
  const key = JSON.stringify(wanted);
  const [found, setFound] = useState<Found>();
  // oxlint-disable-next-line react/exhaustive-deps -- the key is what is wanted
  const requests = useMemo(() => wanted, [key]);
  useEffect(() => {
    if (requests.length === 0) return undefined;
    let controller = new AbortController();
    const read = () => {
      controller.abort();
      const mine = (controller = new AbortController());
      Promise.all(requests.map((one) => readTotals(source, one, mine.signal))).then(
        (totals) => mine.signal.aborted || setFound({ source, groupedBy: groupsOf(requests), totals }),
        () => undefined, // the rows say why nothing comes; the next change asks again
      );
    };
    const pace = new Pace(read, 100, 400, 5000);
    const ask = () => pace.ask();
    read();
    const stop = source.writer.on({ saved: ask, made: ask, gone: ask, renewed: ask, received: ask, schema: ask });
    const stopRefresh = onRefreshRows((tables) => (!tables || tables.has(source.tableId)) && ask());
    return () => {
      stop();
      stopRefresh();
      pace.stop();
      controller.abort();
    };
  }, [requests, source]);
  return requests.length > 0 && found?.groupedBy === groupsOf(requests) ? found : undefined;
}
