import type { DataEditorRef, GridSelection } from "@glideapps/glide-data-grid";
import { type RefObject, useEffect, useRef } from "react";

// https://www.w3.org/TR/edit-context/ — TypeScript's own types do not have it yet.
type TextUpdate = Event & { text: string };
type Composition = Event & { data: string };
type Context = EventTarget & {
  readonly text: string;
  updateText: (from: number, to: number, text: string) => void;
  updateSelection: (from: number, to: number) => void;
  updateControlBounds: (bounds: DOMRect) => void;
  updateSelectionBounds: (bounds: DOMRect) => void;
};
type Editable = HTMLCanvasElement & { editContext: Context | null };

let composed: string | undefined;

/** What was composed to open the editor that opens now. It is handed out once. */
export function takeComposed(): string | undefined {
  const text = composed;
  composed = undefined;
  return text;
}

/**
 * Lets input methods, and whatever else writes without a key, begin an edit of the selected cell. The grid is a canvas, in which a browser
 * composes nothing unless an edit context is attached to it; a browser without one opens the editor with Enter or F2, as before.
 */
export function useCompose(place: RefObject<HTMLElement | null>, grid: RefObject<DataEditorRef | null>, current: GridSelection["current"], editable: boolean) {
  const cell = useRef(current?.cell);
  useEffect(() => {
    cell.current = current?.cell;
  }, [current]);
  useEffect(() => {
    const Context = (window as unknown as { EditContext?: new () => Context }).EditContext;
    const canvas = place.current?.querySelector<Editable>("canvas[data-testid=data-grid-canvas]");
    if (!Context || !canvas || !editable) return undefined;
    const context = new Context();
    const shown = document.createElement("div");
    shown.className = "pointer-events-none fixed z-10 flex items-center border-2 border-accent bg-surface px-2 text-[13.5px] text-ink underline";
    let composing = false;
    const show = (text: string) => {
      const at = cell.current && grid.current?.getBounds(cell.current[0], cell.current[1]);
      shown.remove();
      if (!at || text === "") return;
      Object.assign(shown.style, { left: `${at.x}px`, top: `${at.y}px`, minWidth: `${at.width}px`, height: `${at.height}px` });
      shown.textContent = text;
      document.body.append(shown);
      const bounds = new DOMRect(at.x, at.y, at.width, at.height);
      context.updateControlBounds(bounds);
      context.updateSelectionBounds(bounds);
    };
    const open = (text: string) => {
      show("");
      context.updateText(0, context.text.length, "");
      context.updateSelection(0, 0);
      if (text === "" || !cell.current) return;
      composed = text;
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      // A cell without an editor takes no text.
      setTimeout(takeComposed, 100);
    };
    context.addEventListener("compositionstart", () => {
      composing = true;
    });
    context.addEventListener("textupdate", (event) => {
      if (composing) show(context.text);
      else open((event as TextUpdate).text);
    });
    context.addEventListener("compositionend", (event) => {
      composing = false;
      open((event as Composition).data);
    });
    canvas.editContext = context;
    return () => {
      show("");
      canvas.editContext = null;
    };
  }, [editable, grid, place]);
}
