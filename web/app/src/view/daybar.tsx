import { type KeyboardEvent, type RefObject, useRef } from "react";
import { join } from "../ui/class.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import type { RowBar } from "./calendarlayout.ts";
import { type Point, useDrag } from "./drag.ts";
import { type BarPart, bounded, changedBar } from "./timebars.ts";

/** Heights in pixels of a day's head, and of a line of bars. */
export const dayHeights = { head: 30, line: 24, bar: 22 };

const inset = 4; // pixels between a bar and the edges of its days

/** The day whose cell is at a point of the window. */
function dayUnder({ x, y }: Point): number | undefined {
  const cell = document.elementsFromPoint(x, y).find((one) => one instanceof HTMLElement && one.dataset.day);
  return cell instanceof HTMLElement ? Number(cell.dataset.day) : undefined;
}

type Props = {
  bar: RowBar;
  /** Where the lines of its day begin. */
  top: number;
  model: CalendarModel;
  hint: string;
  /** What scrolls the days. */
  box: RefObject<HTMLElement | null> | undefined;
  onFollow: (day: number) => void;
};

/**
 * A record over its days. It opens, moves by dragging it, and changes its last day by dragging its right edge. It
 * stands in the cell of its first day.
 */
export function DayBar({ bar, top, model, hint, box, onFollow }: Props) {
  const { entry, from, to, track } = bar;
  const { movable, resizable, drag } = model;
  const place = useRef<HTMLButtonElement>(null);
  const pressed = useRef({ day: 0, days: 0 });
  const dragging = useDrag<BarPart>(place, {
    enabled: movable,
    box,
    onBegin: (_part, point) => {
      pressed.current = { day: dayUnder(point) ?? from, days: 0 };
      model.onDrag(entry);
    },
    onMove: (part, point) => {
      const under = dayUnder(point);
      if (under === undefined) return;
      const days = bounded(entry, part, under - (part === "end" ? entry.to : pressed.current.day));
      if (days === pressed.current.days) return;
      pressed.current.days = days;
      model.onDrag(changedBar(entry, part, days));
    },
    onEnd: () => model.onDrag(undefined),
    onDrop: (part) => {
      if (pressed.current.days !== 0) model.changeDays(entry, part, pressed.current.days);
    },
  });
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && dragging.cancel()) return event.stopPropagation();
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 }[event.key];
    if (step === undefined || !event.shiftKey || !movable) return undefined;
    const part = event.ctrlKey || event.metaKey ? "end" : "whole";
    if (part === "end" && !resizable.days) return undefined;
    event.preventDefault();
    const days = bounded(entry, part, step);
    if (days === 0) return undefined;
    model.keepFocus(entry);
    model.changeDays(entry, part, days);
    if (part === "whole") onFollow(entry.from + days);
    return undefined;
  };

  const name = model.nameOf(entry.row);
  const range = model.rangeOf(entry);
  const tone = model.toneOf(entry.row);
  const begins = entry.from === from;
  const ends = entry.to === to;
  const left = begins ? inset : 0;
  const span = to - from + 1;
  return (
    <button
      ref={place}
      type="button"
      data-entry={entry.row.id}
      data-tone={tone}
      aria-describedby={movable ? hint : undefined}
      title={`${name}\n${range}`}
      style={{
        top: top + track * dayHeights.line,
        left,
        height: dayHeights.bar,
        width: `calc(${span * 100}% + ${span - 1 - left - (ends ? inset : 0)}px)`,
      }}
      {...dragging.handlers}
      onKeyDown={key}
      onClick={() => dragging.isClick() && model.onOpen(entry.row)}
      className={join(
        "absolute z-1 flex items-center gap-1.5 px-1.5 text-left text-[12.5px] select-none",
        "hover:brightness-95 focus-visible:z-2",
        begins && "rounded-l",
        ends && "rounded-r",
        tone ? "bg-(--tone-fill) text-(--tone-ink)" : "bg-accent-soft text-accent-ink",
        movable && "cursor-grab",
        drag?.row.id === entry.row.id && "cursor-grabbing opacity-60",
      )}
    >
      {entry.hours && begins && (
        <span aria-hidden className="shrink-0 tabular-nums max-sm:hidden">
          {model.clock(entry.hours.from)}
        </span>
      )}
      <span className="sticky left-[calc(var(--gutter,0px)+6px)] truncate">
        {name}
        <span className="sr-only">, {range}</span>
      </span>
      {movable && resizable.days && ends && (
        <span data-part="end" className="absolute inset-y-0 right-0 w-2 cursor-ew-resize" />
      )}
    </button>
  );
}
