import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import { tableOf, useBase } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import type { Problem } from "../api/problem.ts";
import { baseQuery } from "../api/query.ts";
import type { Table } from "../api/type.ts";
import { useText } from "../text/index.ts";
import { complain } from "../ui/toast.ts";
import type { Conflict } from "./conflict.ts";
import { onRefreshRows } from "./refresh.ts";
import { type RowQuery, RowSource } from "./source.ts";
import type { Status, Writer } from "./writer.ts";
import { writerOf } from "./adoption.ts";
import { allWriters, onWriters, writersVersion } from "./writers.ts";

const reportDelay = 300; // milliseconds in which refusals are reported together

/** The writer of a table, which knows the table's fields as they are now. */
export function useWriter(table: Table): Writer {
  const { base, orgId } = useBase();
  const writer = writerOf(table.id);
  useLayoutEffect(() => {
    writer.locate({ orgId: orgId ?? "", baseId: base.id, tableId: table.id });
    writer.know(table.fields, async () => {
      const now = await cache.fetchQuery({ ...baseQuery(base.id), staleTime: 0 });
      return tableOf(now, table.id)?.fields ?? table.fields;
    });
  }, [base.id, orgId, table.fields, table.id, writer]);
  return writer;
}

export function useStatus(writer: Writer): Status {
  return useSyncExternalStore(
    (listener) => writer.on({ status: listener }),
    () => writer.status,
  );
}

/** The values that a person has to choose next, because others changed them meanwhile. */
export function useConflict(writer: Writer): Conflict | undefined {
  return useSyncExternalStore(
    (listener) => writer.on({ conflict: listener }),
    () => writer.conflict,
  );
}

/**
 * The rows of a table under a query. While the rows of another query are read, the previous ones
 * stay.
 */
export function useRows(tableId: string, query: RowQuery, writer: Writer): RowSource {
  const key = JSON.stringify(query);
  // oxlint-disable-next-line react/exhaustive-deps -- the key is the query
  const wanted = useMemo(() => new RowSource(tableId, query, writer), [tableId, key, writer]);
  const settled = useSyncExternalStore(
    wanted.subscribe,
    () => wanted.total !== undefined || wanted.problem !== undefined,
  );
  const [previous, setPrevious] = useState(wanted);
  if (settled && previous !== wanted) setPrevious(wanted);
  const source = settled || previous.tableId !== tableId ? wanted : previous;
  useEffect(() => {
    const release = wanted.hold();
    wanted.ensure(0, 0);
    return release;
  }, [wanted]);
  useEffect(() => source.hold(), [source]);
  useEffect(
    () => onRefreshRows((tables) => (!tables || tables.has(source.tableId)) && source.refresh()),
    [source],
  );
  return source;
}

type Versioned = { subscribe: (listener: () => void) => () => void; snapshot: () => number };

/** A number that rises with every change of the rows, for components that show them. */
export function useVersion(source: Versioned): number {
  return useSyncExternalStore(source.subscribe, source.snapshot);
}

/** How many rows there are, once they were read, and why they were not. */
export function useOutcome(source: RowSource): { total: number | undefined; problem: Problem | undefined } {
  const total = useSyncExternalStore(source.subscribe, () => source.total);
  const problem = useSyncExternalStore(source.subscribe, () => source.problem);
  return { total, problem };
}

/** What the page's writers have not done yet, what was refused of it, and what a person has to decide. */
export type Unsaved = Status & {
  refused: number;
  /** How many conflicts a person has to decide. */
  conflicts: number;
  /** Why what waits was not sent. */
  problem?: Problem;
};

/** What of all tables is not done yet. */
export function useUnsaved(): Unsaved {
  useSyncExternalStore(onWriters, writersVersion);
  const all = allWriters();
  const states = all.map(({ status }) => status.state);
  return {
    state: states.includes("waiting") ? "waiting" : states.includes("saving") ? "saving" : "idle",
    count: all.reduce((sum, { status }) => sum + status.count, 0),
    refused: all.reduce((sum, { refused }) => sum + refused.length, 0),
    conflicts: all.reduce((sum, { conflicts }) => sum + conflicts.length, 0),
    problem: all.find(({ problem }) => problem !== undefined)?.problem,
  };
}

/** Reports edits that the service refused; refusals within a short while are reported together. */
export function useRefusals(writer: Writer) {
  const { reverted, revertedMany } = useText().base;
  useEffect(() => {
    let refused: { count: number; problem: Problem } | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const report = () => {
      if (!refused) return;
      const { count, problem } = refused;
      complain(problem, count === 1 ? reverted : revertedMany(count));
      refused = undefined;
    };
    const stop = writer.on({
      reverted: (ids, problem) => {
        if (ids.length === 0) return;
        if (refused) refused.count += ids.length;
        else {
          refused = { count: ids.length, problem };
          timer = setTimeout(report, reportDelay);
        }
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
      report();
    };
  }, [reverted, revertedMany, writer]);
}
