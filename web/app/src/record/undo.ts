import { useEffect } from "react";
import { currentText } from "../text/index.ts";
import { complain, tell } from "../ui/toast.ts";
import type { Undone, Writer } from "./writer.ts";

function report(undone: Undone) {
  const { base } = currentText();
  if (undone.state === "nothing") tell(base.nothingToUndo);
  else if (undone.state === "final") tell(base.cannotBeUndone(undone.what), base.undoAgain);
}

/** Undo and redo of a table's edits, which report what they could not do. */
export function undoAndRedo(writer: Writer) {
  return {
    undo: () => void writer.undo().then(report, complain),
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
