import { useEffect, useMemo, useState } from "react";
import { aggregateRecords } from "../api/read.ts";
import { Problem } from "../api/problem.ts";
import type { RecordGroup } from "../api/type.ts";
import { Pace } from "./pace.ts";
import { onRefreshRows } from "./refresh.ts";
import type { RowSource } from "./source.ts";

/** What is computed over the records of a query. */
export type Totals = {
  aggregates: { fn: string; fieldId?: string }[];
  groupBy?: string[];
  orderBy?: { by: string; dir: "asc" | "desc" }[];
  /** The most groups; what the service allows unless given. */
  limit?: number;
};

/** Which records totals are of, and who knows of their changes. */
export type Totalled = Pick<RowSource, "tableId" | "query" | "writer">;

export type Groups = { groups: RecordGroup[]; hasMore: boolean };

export const maxGroups = 1000; // in an answer of the service

/** Computes totals over the records that a source finds. */
function readTotals(source: Totalled, wanted: Totals, signal?: AbortSignal) {
  const { aggregates, groupBy, orderBy, limit = maxGroups } = wanted;
  const { search, filters, asOf } = source.query;
  const query = {
    search,
    filters: filters === undefined ? undefined : JSON.stringify(filters),
    asOf,
    aggregates: JSON.stringify(aggregates),
    groupBy,
    orderBy: orderBy && JSON.stringify(orderBy),
    limit: groupBy && limit,
  };
  return aggregateRecords({ tableId: source.tableId, query }, { signal }) as Promise<Groups>;
}

/** Reads totals, and reads them again when records change, until the returned function is called. */
function follow(
  source: Totalled,
  requests: readonly Totals[],
  found: (totals: Groups[]) => void,
  failed: (error: unknown) => void,
): () => void {
  let controller = new AbortController();
  const read = () => {
    controller.abort();
    const mine = (controller = new AbortController());
    Promise.all(requests.map((one) => readTotals(source, one, mine.signal))).then(
      (totals) => mine.signal.aborted || found(totals),
      (error: unknown) => mine.signal.aborted || failed(error),
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
    return follow(
      source,
      requests,
      (totals) => setFound({ source, groupedBy: groupsOf(requests), totals }),
      () => undefined, // the rows say why nothing comes; the next change asks again
    );
  }, [requests, source]);
  return requests.length > 0 && found?.groupedBy === groupsOf(requests) ? found : undefined;
}

/** Groups of records, or why they could not be read. `key` says of what they are. */
type Answer = { key: string; groups?: Groups; problem?: Problem };

/**
 * One aggregation over the records of a query, read again when records change. What was found last
 * stays until then. Without `wanted` nothing is read.
 */
export function useGroups({ tableId, query, writer }: Totalled, wanted: Totals | undefined) {
  const key = JSON.stringify([tableId, query, wanted]);
  const [answer, setAnswer] = useState<Answer>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!wanted) return undefined;
    return follow(
      { tableId, query, writer },
      [wanted],
      ([groups]) => setAnswer({ key, groups }),
      // What was read before is still what was so.
      (error) => setAnswer((now) => (now?.key === key && now.groups ? now : { key, problem: Problem.from(error) })),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- the key is what is wanted
  }, [key, writer, turn]);
  const own = answer?.key === key ? answer : undefined;
  return { groups: own?.groups, problem: own?.problem, again: () => setTurn(turn + 1) };
}
