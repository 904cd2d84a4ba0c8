import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import type { Tone } from "../ui/tone.ts";
import { useTimelineText } from "../text/timeline.ts";
import { join } from "../ui/class.ts";
import { type Bar, type BarPart, bounded, changedBar } from "./timebars.ts";

const threshold = 4; // pixels from which on a press is a drag
const hold = 350; // milliseconds for which a finger rests on a bar before it drags it

/** A change of a bar that is being dragged. */
export type Drag = { id: string; part: BarPart; days: number };

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
  movable: boolean;
  resizable: boolean;
  hint: string;
  drag: Drag | undefined;
  onDrag: (drag: Drag | undefined) => void;
  onChange: (part: BarPart, days: number) => void;
  onOpen: () => void;
};

type Press = { x: number; part: BarPart; days: number; dragging: boolean; timer?: ReturnType<typeof setTimeout> };

/** A record on a timeline. It opens, moves by dragging it, and changes its length by dragging an end. */
export function TimelineBar(props: Props) {
  const { bar, name, range, origin, width, top, height, outside, tone, movable, resizable, hint, drag } = props;
  const { critical, onDrag, onChange, onOpen } = props;
  const t = useTimelineText();
  const label = critical ? t.critical(`${name}, ${range}`) : `${name}, ${range}`;
  const place = useRef<HTMLButtonElement>(null);
  const press = useRef<Press>(undefined);
  const dragged = useRef(false); // the click that ends a drag opens nothing
  const id = bar.row.id;
  const shown = drag?.id === id ? changedBar(bar, drag.part, drag.days) : bar;

  // While a finger drags a bar, the page does not scroll.
  useEffect(() => {
    const button = place.current;
    const keep = (event: TouchEvent) => press.current?.dragging && event.preventDefault();
    button?.addEventListener("touchmove", keep, { passive: false });
    return () => button?.removeEventListener("touchmove", keep);
  }, []);

  const release = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
    onDrag(undefined);
  };
  const begin = () => {
    if (!press.current) return;
    press.current.dragging = true;
    onDrag({ id, part: press.current.part, days: 0 });
  };
  const down = (event: PointerEvent) => {
    dragged.current = false;
    if (!movable || event.button !== 0) return;
    const part = ((event.target as HTMLElement).dataset.part ?? "whole") as BarPart;
    press.current = { x: event.clientX, part, days: 0, dragging: false };
    if (event.pointerType === "touch") press.current.timer = setTimeout(begin, hold);
    else place.current?.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const now = press.current;
    if (!now) return;
    const by = event.clientX - now.x;
    if (!now.dragging) {
      if (Math.abs(by) < threshold) return;
      if (event.pointerType === "touch") return release(); // it scrolls
      begin();
    }
    const days = bounded(bar, now.part, Math.round(by / width));
    if (days === now.days) return;
    now.days = days;
    onDrag({ id, part: now.part, days });
  };
  const up = () => {
    const now = press.current;
    if (!now) return;
    dragged.current = now.dragging;
    release();
    if (now.dragging && now.days !== 0) onChange(now.part, now.days);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && press.current?.dragging) {
      event.stopPropagation();
      dragged.current = true;
      return release();
    }
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0 || !event.shiftKey || !movable) return undefined;
    const part = event.ctrlKey || event.metaKey ? "end" : "whole";
    if (part === "end" && !resizable) return undefined;
    event.preventDefault();
    const days = bounded(bar, part, step);
    if (days !== 0) onChange(part, days);
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
      aria-describedby={movable ? hint : undefined}
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
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={release}
      onContextMenu={(event) => press.current && event.preventDefault()}
      onKeyDown={key}
      onClick={() => {
        if (!dragged.current) onOpen();
        dragged.current = false;
      }}
      className={join(
        "group absolute flex items-center rounded-md text-left text-[12.5px] font-[510] select-none",
        "hover:z-2 hover:brightness-95",
        tone ? "bg-(--tone-fill) text-(--tone-ink)" : "bg-accent-soft text-accent-ink",
        movable && "cursor-grab",
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
