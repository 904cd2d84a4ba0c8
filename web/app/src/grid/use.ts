import { useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from "react";
import { Problem } from "../api/client.ts";
import { baseQuery, cache } from "../api/query.ts";
import type { Table } from "../api/type.ts";
import { tableOf, useOpened } from "../base/context.ts";
import { text } from "../text/index.ts";
import { complain, tell } from "../ui/toast.ts";
import { type RowQuery, RowSource } from "./source.ts";
import { type Status, type Undone, type Writer, writerOf } from "./writer.ts";

const anew = 20_000; // milliseconds between looks at what others changed
const gather = 300; // milliseconds in which refusals are told together

/** The writer of a table, which knows the table's fields as they are now. */
export function useWriter(table: Table): Writer {
  const { base } = useOpened();
  const writer = writerOf(table.id);
  useLayoutEffect(() => {
    writer.know(table.fields, async () => {
      const now = await cache.fetchQuery({ ...baseQuery(base.id), staleTime: 0 });
      return tableOf(now, table.id)?.fields ?? table.fields;
    });
  }, [base.id, table.fields, table.id, writer]);
  return writer;
}

export function useStatus(writer: Writer): Status {
  return useSyncExternalStore(
    (listener) => writer.on({ status: listener }),
    () => writer.status,
  );
}

/** The rows of a table under a query. They and the fields are looked at anew while the page is visible, when it becomes so, and at intervals. */
export function useRows(
  tableId: string,
  query: RowQuery,
  writer: Writer,
  refresh: (source: RowSource) => void,
): RowSource {
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
      if (document.visibilityState !== "visible" || writer.dirty) return;
      // What cannot be read now is read with the next look.
      writer.learn().catch(() => undefined);
      refresh(source);
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

/** Tells when the service refused edits, and reads the rows anew that were changed elsewhere on the page. */
export function useReverts(source: RowSource) {
  useEffect(() => {
    let refused: { count: number; problem: Problem } | undefined;
    const say = () => {
      if (refused)
        complain(refused.problem, refused.count === 1 ? text.base.reverted : text.base.revertedMany(refused.count));
      refused = undefined;
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = source.writer.on({
      reverted: (ids, problem) => {
        if (refused) refused.count += ids.length;
        else {
          refused = { count: ids.length, problem };
          timer = setTimeout(say, gather);
        }
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
      say();
    };
  }, [source]);
  useEffect(() => {
    const gone = () => source.refresh();
    window.addEventListener("rowhouse:deleted", gone);
    return () => window.removeEventListener("rowhouse:deleted", gone);
  }, [source]);
}

function say(done: Undone) {
  if (done.state === "nothing") tell(text.base.nothingToUndo);
  else if (done.state === "final") tell(text.base.cannotBeUndone(done.what), text.base.undoAgain);
}

/** Undo and redo of a table's edits, with what there is to say about them. */
export function undoAndRedo(writer: Writer) {
  return {
    undo: () => void writer.undo().then(say, complain),
    redo: () => void writer.redo().catch(complain),
  };
}

/** Lets Ctrl+Z and Ctrl+Y work wherever on the page nobody types and no dialog is open. */
export function useUndoKeys(writer: Writer) {
  useEffect(() => {
    const { undo, redo } = undoAndRedo(writer);
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y"))
        return;
      const at = event.target instanceof Element ? event.target : undefined;
      if (at?.closest("input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]")) return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [writer]);
}
