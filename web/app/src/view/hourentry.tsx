import { type KeyboardEvent, type RefObject, useRef } from "react";
import { join } from "../ui/class.ts";
import { type Entry, minutesOfDay, movedEntry, resizedEntry, snapped, step, stepped } from "./calendarentry.ts";
import type { Place } from "./calendarlayout.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { useDrag } from "./drag.ts";
import { boxOf, timeUnder } from "./hourscale.ts";

const twoLines = 52; // minutes from which on the time stands below the name

type Props = {
  place: Place;
  days: readonly number[];
  model: CalendarModel;
  /** The columns of the days, and what scrolls them. */
  grid: RefObject<HTMLElement | null>;
  box: RefObject<HTMLElement | null>;
  hint: string;
  onFollow: (day: number) => void;
};

/** The minutes by which an entry moves when its column and its time change, within a day from its first minute on. */
function movement({ hours }: Entry, columns: number, minutes: number): number {
  if (!hours) return 0;
  const start = hours.from % minutesOfDay;
  const time = Math.min(Math.max(snapped(start, minutes), 0), minutesOfDay - step);
  return columns * minutesOfDay + time - start;
}

/** A record at its hours. It opens, moves by dragging it, and ends at another time by dragging its lower edge. */
export function HourEntry({ place, days, model, grid, box, hint, onFollow }: Props) {
  const { entry, day, from, to, isLast } = place;
  const { movable, resizable, drag } = model;
  const button = useRef<HTMLButtonElement>(null);
  const pressed = useRef({ column: 0, minute: 0, by: 0 });
  const hours = entry.hours ?? { from: 0, to: 0 };
  const dragging = useDrag<"end">(button, {
    enabled: movable,
    box,
    onBegin: (_part, point) => {
      if (grid.current) pressed.current = { ...timeUnder(grid.current, point, days.length), by: 0 };
      model.onDrag(entry);
    },
    onMove: (part, point) => {
      if (!grid.current) return;
      const { column, minute } = timeUnder(grid.current, point, days.length);
      const minutes = minute - pressed.current.minute;
      const midnight = (day + 1) * minutesOfDay;
      const by =
        part === "end"
          ? Math.min(Math.max(snapped(hours.to, minutes), hours.from + step), midnight) - hours.to
          : movement(entry, column - pressed.current.column, minutes);
      if (by === pressed.current.by) return;
      pressed.current.by = by;
      model.onDrag(part === "end" ? resizedEntry(entry, hours.to + by) : movedEntry(entry, by));
    },
    onEnd: () => model.onDrag(undefined),
    onDrop: (part) => {
      const { by } = pressed.current;
      if (by === 0) return;
      if (part === "end") model.resizeHours(entry, hours.to + by);
      else model.moveHours(entry, by);
    },
  });
  const resize = (direction: -1 | 1) => {
    const end = Math.max(stepped(hours.to, direction), hours.from + step);
    if (end !== hours.to) model.resizeHours(entry, end);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape" && dragging.cancel()) return event.stopPropagation();
    const column = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const direction = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    if ((!column && !direction) || !event.shiftKey || !movable) return undefined;
    event.preventDefault();
    model.keepFocus(entry);
    if (event.ctrlKey || event.metaKey) return direction && resizable.hours ? resize(direction) : undefined;
    const by = direction ? stepped(hours.from, direction) - hours.from : (column ?? 0) * minutesOfDay;
    model.moveHours(entry, by);
    onFollow(movedEntry(entry, by).from);
    return undefined;
  };

  const name = model.nameOf(entry.row);
  const range = model.rangeOf(entry);
  const tone = model.toneOf(entry.row);
  const index = days.indexOf(day);
  const share = 100 / days.length;
  const wide = to - from >= twoLines;
  return (
    <button
      ref={button}
      type="button"
      data-entry={entry.row.id}
      data-tone={tone}
      aria-describedby={movable ? hint : undefined}
      title={`${name}\n${range}`}
      style={{
        ...boxOf(from, to),
        left: `calc(${(index + place.left) * share}% + 1px)`,
        width: `calc(${place.width * share}% - ${place.left + place.width >= 1 ? 8 : 3}px)`,
      }}
      {...dragging.handlers}
      onKeyDown={key}
      onClick={() => dragging.isClick() && model.onOpen(entry.row)}
      className={join(
        "absolute overflow-hidden rounded-md border border-surface px-1.5 text-left text-[12.5px] leading-4.5",
        "select-none hover:z-1 hover:brightness-95 focus-visible:z-1",
        wide ? "flex flex-col justify-start py-0.5" : "flex items-center gap-1.5",
        tone ? "bg-(--tone-fill) text-(--tone-ink)" : "bg-accent-soft text-accent-ink",
        movable && "cursor-grab",
        drag?.row.id === entry.row.id && "cursor-grabbing opacity-50",
      )}
    >
      <span className="max-w-full shrink-0 truncate font-[560]">
        {name}
        <span className="sr-only">, {range}</span>
      </span>
      <span aria-hidden className="max-w-full truncate tabular-nums">
        {timeOf(entry, model)}
      </span>
      {movable && resizable.hours && isLast && (
        <span data-part="end" className="absolute inset-x-0 bottom-0 h-2 cursor-ns-resize" />
      )}
    </button>
  );
}

/** The hours of an entry, as they stand in it. */
export function timeOf({ hours }: Entry, { clock }: Pick<CalendarModel, "clock">): string {
  if (!hours) return "";
  return hours.open ? clock(hours.from) : `${clock(hours.from)} – ${clock(hours.to)}`;
}
