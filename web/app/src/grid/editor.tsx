import type { ProvideEditorComponent } from "@glideapps/glide-data-grid";
import { useLayoutEffect, useRef, useState } from "react";
import { kindOf } from "../field/kind/index.ts";
import type { FieldCell } from "./fieldcell.ts";
import { takeComposing } from "./inputmethod.ts";

type EditorProps = Parameters<ProvideEditorComponent<FieldCell>>[0];

const edge = 8; // pixels that stay free between an editor and the window's edge

/**
 * The editor that the grid lays over a cell, by the kind of its field. It stays inside the window.
 */
export function FieldEditor(props: EditorProps) {
  const { target } = props;
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = place.current?.closest<HTMLElement>(".gdg-style");
    if (!box) return undefined;
    const settle = () => {
      box.style.maxWidth = `${Math.max(target.width, Math.min(400, window.innerWidth - 2 * edge))}px`;
      box.style.maxHeight = `${window.innerHeight - 2 * edge}px`;
      box.style.left = `${Math.max(edge, Math.min(target.x - 1, window.innerWidth - edge - box.offsetWidth))}px`;
      box.style.top = `${Math.max(edge, Math.min(target.y - 1, window.innerHeight - edge - box.offsetHeight))}px`;
    };
    settle();
    const observer = new ResizeObserver(settle);
    observer.observe(box);
    return () => observer.disconnect();
  }, [target]);
  return (
    <div ref={place} className="flex min-h-0 flex-col">
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
