import { useEffect, useSyncExternalStore } from "react";
import { navigate, useParams, useSearch } from "../route/router.ts";
import { useBase, writesIn } from "../access/base.ts";
import { RevertQuestion } from "./lazy.ts";
import { onTablesRemoved } from "./revert.ts";
import { undoOf } from "./undo.ts";

/** Leaves the open table when an undo removes it. */
function useLeaving(baseId: string) {
  const { tableId } = useParams();
  useEffect(
    () =>
      onTablesRemoved((gone) =>
        tableId !== undefined && gone.includes(tableId)
          ? navigate({ to: "/base/$baseId", params: { baseId }, replace: true })
          : undefined,
      ),
    [baseId, tableId],
  );
}

/** Makes Ctrl+Z and Ctrl+Y work wherever in a base nobody types and no dialog is open. */
export function UndoKeys() {
  const { base, role } = useBase();
  const { asOf } = useSearch(); // the past is read-only
  const writes = writesIn(role, base);
  const undo = undoOf(base.id);
  useLeaving(base.id);
  const question = useSyncExternalStore(undo.subscribe, undo.question);
  useEffect(() => {
    if (!writes || asOf !== undefined) return undefined;
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y"))
        return;
      const at = event.target instanceof Element ? event.target : undefined;
      if (at?.closest("input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]")) return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) void undo.redo();
      else void undo.undo();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [asOf, writes, undo]);
  return question && <RevertQuestion question={question} />;
}
