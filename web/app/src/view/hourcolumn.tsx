import { type RefObject, useRef, useState } from "react";
import { join } from "../ui/class.ts";
import { minutesOfDay, snapped, step } from "./calendarentry.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { useDrag } from "./drag.ts";
import { boxOf, timeUnder } from "./hourscale.ts";

const slot = 30; // minutes to which a click is rounded

type Props = {
  day: number;
  index: number;
  days: readonly number[];
  model: CalendarModel;
  grid: RefObject<HTMLElement | null>;
  box: RefObject<HTMLElement | null>;
};

/** The place behind the entries of a day. A click makes a record at its time, and a drag one from a time to another. */
export function HourColumn({ day, index, days, model, grid, box }: Props) {
  const { addAt, clock } = model;
  const place = useRef<HTMLDivElement>(null);
  const begun = useRef(0);
  const ended = useRef(0);
  const [drawn, setDrawn] = useState<{ from: number; to: number }>();
  const minuteAt = (y: number) => (grid.current ? timeUnder(grid.current, { x: 0, y }, days.length).minute : 0);
  const dragging = useDrag(place, {
    enabled: addAt !== undefined,
    box,
    onBegin: (_part, { y }) => {
      begun.current = Math.floor(minuteAt(y) / step) * step;
      ended.current = begun.current + step;
    },
    onMove: (_part, { y }) => {
      const minute = snapped(0, minuteAt(y));
      ended.current = minute === begun.current ? minute + step : minute;
      setDrawn({ from: Math.min(begun.current, ended.current), to: Math.max(begun.current, ended.current) });
    },
    onEnd: () => setDrawn(undefined),
    onDrop: () => {
      const times = [begun.current, ended.current].toSorted((a, b) => a - b);
      const [from = 0, to = 0] = times.map((minute) => day * minutesOfDay + minute);
      addAt?.(from, to);
    },
  });
  return (
    // A click and a drag are second ways: the head of the day has a button that makes a record on it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      ref={place}
      data-hours={day}
      style={{ left: `${(index * 100) / days.length}%`, width: `${100 / days.length}%` }}
      className={join("absolute inset-y-0", index > 0 && "border-l border-line")}
      {...dragging.handlers}
      onClick={({ clientY }) => {
        if (!dragging.isClick() || !addAt) return;
        const minute = Math.min(Math.floor(minuteAt(clientY) / slot) * slot, minutesOfDay - slot);
        addAt(day * minutesOfDay + minute);
      }}
    >
      {drawn && (
        <div
          style={boxOf(drawn.from, drawn.to)}
          className="absolute inset-x-0.5 rounded-md bg-accent px-1.5 py-0.5 text-[12px] text-on-accent tabular-nums"
        >
          {clock(drawn.from)} – {clock(drawn.to)}
        </div>
      )}
    </div>
  );
}
