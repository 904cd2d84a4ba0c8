import type { DataEditorRef, GridMouseEventArgs, Item } from "@glideapps/glide-data-grid";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Field } from "../api/type.ts";
import { type Failure, failureMark, failureOf } from "../field/failure.ts";
import { kindOf } from "../field/kind/index.ts";
import type { GridRows } from "./gridrows.ts";
import { join } from "../ui/class.ts";

type Area = { x: number; y: number; width: number; height: number };
type Tip = { area: Area; message: string };

/** The error in a cell, if there is one. */
function failureAt(source: GridRows, fields: Field[], [column, index]: Item): Failure | undefined {
  const field = fields[column];
  const row = source.at(index);
  if (!field || !row || !kindOf(field.type).computed) return undefined;
  const failure = failureOf(row.fields[field.name]);
  return failure && field.problem ? { ...failure, message: `${failure.message} (${field.problem})` } : failure;
}

/**
 * Says why a cell is an error while the pointer is on it, and while it is the current one. Assistive
 * technology reads it as the text of the cell.
 */
export function useErrorTip(
  source: GridRows,
  fields: Field[],
  current: Item | undefined,
  version: number,
  grid: RefObject<DataEditorRef | null>,
) {
  const [hovered, setHovered] = useState<{ cell: Item; area: Area }>();
  const [focused, setFocused] = useState<Tip>();
  const [column, index] = current ?? [-1, -1];
  useEffect(() => {
    const failure = column < 0 ? undefined : failureAt(source, fields, [column, index]);
    const area = failure && grid.current?.getBounds(column, index);
    setFocused(failure && area ? { area, message: failure.message } : undefined);
    // oxlint-disable-next-line react/exhaustive-deps -- a new version may have another value
  }, [column, index, source, fields, version, grid]);
  const failure = hovered && failureAt(source, fields, hovered.cell);
  const tip = hovered && failure ? { area: hovered.area, message: failure.message } : focused;
  return {
    onHover: (at: GridMouseEventArgs) => {
      const failed = at.kind === "cell" && failureAt(source, fields, at.location) !== undefined;
      setHovered(failed ? { cell: at.location, area: at.bounds } : undefined);
    },
    /** The cells have moved. */
    onScroll: () => {
      setHovered(undefined);
      setFocused(undefined);
    },
    tip: tip && <ErrorTip {...tip} />,
  };
}

const edge = 8; // pixels that stay free between the tip and the window's edge

function ErrorTip({ area, message }: Tip) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const below = area.y + area.height + 4;
    const fits = below + current.offsetHeight <= window.innerHeight - edge;
    current.style.top = `${fits ? below : area.y - 4 - current.offsetHeight}px`;
    current.style.left = `${Math.max(edge, Math.min(area.x, window.innerWidth - edge - current.offsetWidth))}px`;
  }, [area]);
  return createPortal(
    <div
      ref={box}
      role="tooltip"
      className={join(
        "pointer-events-none fixed z-30 max-w-80 rounded-md border border-line",
        "bg-surface px-2.5 py-1.5 shadow-high",
      )}
    >
      <p className="text-[13px] font-[560] text-danger">{failureMark}</p>
      <p className="text-[13px] break-words text-ink">{message}</p>
    </div>,
    document.body,
  );
}
