import { type KeyboardEvent, useRef } from "react";
import type { Tone } from "../ui/tone.ts";
import { useTimelineText } from "../text/timeline.ts";
import { join } from "../ui/class.ts";
import { type Point, useDrag } from "./drag.ts";
import { type Bar, type BarPart, bounded, changedBar } from "./timebars.ts";

/** A change of a bar that is being dragged: by how many days, and from one lane to another. */
export type Drag = { id: string; part: BarPart; days: number; from: string; to: string };

type Props = {
  bar: Bar;
  name: string;
  /** The days of the bar, as they are read out. */
  range: string;
  /** The first day of the timeline, and the pixels of a day. */
  origin: number;
  width: number;
  top: number;
  height: number;
  /** The name is behind the bar, which is too short for it. */
  outside: boolean;
  tone: Tone | undefined;
  /** A delay of the record would delay the last one. */
  critical: boolean;
  /** Whether its days may change, and its lane. */
  movable: boolean;
  crosses: boolean;
  resizable: boolean;
  hint: string;
  drag: Drag | undefined;
  onDrag: (drag: Drag | undefined) => void;
  onChange: (part: BarPart, days: number, to: string) => void;
  onOpen: () => void;
  /** The lane of the bar, and the one at a point: its own where bars do not change lanes. */
  lane: string;
  laneUnder: (to: Point) => string;
  /** The lane above it, or below. */
  laneNext: (by: -1 | 1) => string | undefined;
};

/** A record on a timeline. It opens, moves by dragging it, and changes its length by dragging an end. */
export function TimelineBar(props: Props) {
  const { bar, name, range, origin, width, top, height, outside, tone, movable, crosses, resizable, hint } = props;
  const { drag, critical, onDrag, onChange, onOpen, lane, laneUnder, laneNext } = props;
  const t = useTimelineText();
  const label = critical ? t.critical(`${name}, ${range}`) : `${name}, ${range}`;
  const place = useRef<HTMLButtonElement>(null);
  const pressed = useRef({ x: 0, days: 0, to: lane });
  const id = bar.row.id;
  const shown = drag?.id === id ? changedBar(bar, drag.part, drag.days) : bar;

  const dragging = useDrag<BarPart>(place, {
    enabled: movable || crosses,
    onBegin: (part, { x }) => {
      pressed.current = { x, days: 0, to: lane };
      onDrag({ id, part, days: 0, from: lane, to: lane });
    },
    onMove: (part, point) => {
      const days = movable ? bounded(bar, part, Math.round((point.x - pressed.current.x) / width)) : 0;
      const to = part === "whole" ? laneUnder(point) : lane;
      if (days === pressed.current.days && to === pressed.current.to) return;
      pressed.current = { ...pressed.current, days, to };
      onDrag({ id, part, days, from: lane, to });
    },
    onEnd: () => onDrag(undefined),
    onDrop: (part) => {
      const { days, to } = pressed.current;
      if (days !== 0 || to !== lane) onChange(part, days, to);
    },
  });
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && dragging.cancel()) return event.stopPropagation();
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const to = event.key === "ArrowDown" ? laneNext(1) : event.key === "ArrowUp" ? laneNext(-1) : undefined;
    if (!event.shiftKey) return undefined;
    if (to !== undefined) {
      event.preventDefault();
      onChange("whole", 0, to);
    }
    if (step === 0 || !movable) return undefined;
    const part = event.ctrlKey || event.metaKey ? "end" : "whole";
    if (part === "end" && !resizable) return undefined;
    event.preventDefault();
    const days = bounded(bar, part, step);
    if (days !== 0) onChange(part, days, lane);
    return undefined;
  };

  const handle = "absolute inset-y-0 z-1 w-2 cursor-ew-resize";
  return (
    <button
      ref={place}
      type="button"
      data-bar={id}
      data-tone={tone}
      aria-label={label}
      aria-describedby={movable || crosses ? hint : undefined}
      title={`${name}\n${range}`}
      style={{
        left: (shown.from - origin) * width,
        width: (shown.to - shown.from + 1) * width - 2,
        top,
        height,
        boxShadow: critical
          ? "inset 0 0 0 2px var(--color-ink)"
          : "inset 0 0 0 1px color-mix(in srgb, currentColor 22%, transparent)",
      }}
      {...dragging.handlers}
      onKeyDown={key}
      onClick={() => dragging.isClick() && onOpen()}
      className={join(
        "group absolute flex items-center rounded-md text-left text-[12.5px] font-[510] select-none",
        "hover:z-2 hover:brightness-95",
        tone ? "bg-(--tone-fill) text-(--tone-ink)" : "bg-accent-soft text-accent-ink",
        (movable || crosses) && "cursor-grab",
        drag?.id === id && "z-3 cursor-grabbing",
      )}
    >
      {outside ? (
        <span className="absolute left-full ml-0.5 rounded bg-canvas px-1 whitespace-nowrap text-ink">{name}</span>
      ) : (
        <span className="sticky left-0 truncate px-2">{name}</span>
      )}
      {movable && resizable && (
        <>
          <span data-part="start" className={join(handle, "left-0")} />
          <span data-part="end" className={join(handle, "right-0")} />
        </>
      )}
    </button>
  );
}
