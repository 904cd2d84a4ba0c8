import type { ProvideEditorComponent } from "@glideapps/glide-data-grid";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { kindOf } from "../field/kind/index.ts";
import type { FieldCell } from "./fieldcell.ts";
import { takeComposing } from "./inputmethod.ts";

type EditorProps = Parameters<ProvideEditorComponent<FieldCell>>[0];

const edge = 8; // pixels that stay free between an editor and the window's edge

/** Where a box that should begin at a position begins, so that it ends inside the window. */
const inside = (at: number, length: number, window: number) =>
  at >= 0 && at + length <= window ? at : Math.max(edge, Math.min(at, window - edge - length));

/**
 * The editor that the grid lays over a cell, by the kind of its field. It stays inside the window.
 */
export function FieldEditor(props: EditorProps) {
  const { target, onFinishedEditing } = props;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = place.current?.closest<HTMLElement>(".gdg-style");
    if (!box) return undefined;
    const settle = () => {
      box.style.maxWidth = `${Math.max(target.width, Math.min(400, window.innerWidth - 2 * edge))}px`;
      box.style.maxHeight = `${window.innerHeight - 2 * edge}px`;
      box.style.left = `${inside(target.x - 1, box.offsetWidth, window.innerWidth)}px`;
      box.style.top = `${inside(target.y - 1, box.offsetHeight, window.innerHeight)}px`;
    };
    settle();
    const observer = new ResizeObserver(settle);
    observer.observe(box);
    return () => observer.disconnect();
  }, [target]);
  // The library closes the editor some time after the key; until then clicks and keys would go to
  // the editor.
  const closeAtOnce = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onFinishedEditing(undefined, [0, 0]);
  };
  return (
    <div ref={place} role="presentation" className="flex min-h-0 flex-col" onKeyDown={closeAtOnce}>
      <Editor {...props} />
    </div>
  );
}

function Editor({ value: cell, initialValue, target, onChange, onFinishedEditing }: EditorProps) {
  const [empty] = useState(takeComposing);
  const { field, value, context } = cell.data;
  const kind = kindOf(field.type);
  const Shown = kind.cell.Editor;
  const withValue = (next: unknown): FieldCell => ({ ...cell, data: { ...cell.data, value: next } });
  return (
    Shown && (
      <Shown
        kind={kind}
        field={field}
        value={value}
        context={context}
        height={target.height}
        initial={empty ? "" : initialValue}
        onChange={(next) => onChange(withValue(next))}
        onDone={(next, movement) => onFinishedEditing(withValue(next), movement)}
        onCancel={() => onFinishedEditing(undefined, [0, 0])}
      />
    )
  );
}
