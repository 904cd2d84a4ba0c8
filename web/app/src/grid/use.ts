import { useEffect, useMemo, useSyncExternalStore } from "react";
import { text } from "../text/index.ts";
import { complain } from "../ui/toast.ts";
import { type RowQuery, RowSource } from "./source.ts";
import { type Status, type Writer, writerOf } from "./writer.ts";

const anew = 20_000; // milliseconds between looks at what others changed

/** The writer of a table. */
export function useWriter(tableId: string): Writer {
  return writerOf(tableId);
}

export function useStatus(writer: Writer): Status {
  return useSyncExternalStore(
    (listener) => writer.on({ status: listener }),
    () => writer.status,
  );
}

/** The rows of a table under a query. They are looked at anew while the page is visible, when it becomes so, and at intervals. */
export function useRows(tableId: string, query: RowQuery, writer: Writer, refresh: (source: RowSource) => void): RowSource {
  const key = JSON.stringify(query);
  // oxlint-disable-next-line react/exhaustive-deps -- the key is the query
  const source = useMemo(() => new RowSource(tableId, query, writer), [tableId, key, writer]);
  useEffect(() => {
    source.open();
    source.ensure(0, 0);
    return () => source.close();
  }, [source]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible" && !writer.dirty) refresh(source);
    };
    const timer = setInterval(look, anew);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [refresh, source, writer]);
  return source;
}

/** A number that rises with every change of the rows, for what shows them. */
export function useVersion(source: RowSource): number {
  return useSyncExternalStore(source.subscribe, source.snapshot);
}

/** Tells when the service refused edits, and forgets records that were deleted elsewhere on the page. */
export function useReverts(source: RowSource) {
  useEffect(() => source.writer.on({ reverted: (_changes, problem) => complain(problem, text.base.reverted) }), [source]);
  useEffect(() => {
    const gone = () => source.refresh();
    window.addEventListener("rowhouse:deleted", gone);
    return () => window.removeEventListener("rowhouse:deleted", gone);
  }, [source]);
}
