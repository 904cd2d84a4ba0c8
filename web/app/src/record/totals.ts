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
function readTotals(source: Totalled, wanted: Totals, signal: AbortSignal) {
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

/**
 * Reads what follows from the records of a table, and reads it again when they change, until the returned function is
 * called.
 */
export function follow<Result>(
  source: Pick<Totalled, "tableId" | "writer">,
  read: (signal: AbortSignal) => Promise<Result>,
  found: (result: Result) => void,
  failed: (error: unknown) => void,
): () => void {
  let controller = new AbortController();
  const again = () => {
    controller.abort();
    const mine = (controller = new AbortController());
    read(mine.signal).then(
      (result) => mine.signal.aborted || found(result),
      (error: unknown) => mine.signal.aborted || failed(error),
    );
  };
  const pace = new Pace(again, 100, 400, 5000);
  const ask = () => pace.ask();
  again();
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
      (signal) => Promise.all(requests.map((one) => readTotals(source, one, signal))),
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
    const source = { tableId, query, writer };
    return follow(
      source,
      (signal) => readTotals(source, wanted, signal),
      (groups) => setAnswer({ key, groups }),
      // What was read before is still what was so.
      (error) => setAnswer((now) => (now?.key === key && now.groups ? now : { key, problem: Problem.from(error) })),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- the key is what is wanted
  }, [key, writer, turn]);
  const own = answer?.key === key ? answer : undefined;
  return { groups: own?.groups, problem: own?.problem, again: () => setTurn(turn + 1) };
}
