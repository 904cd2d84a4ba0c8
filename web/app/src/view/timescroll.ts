import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { TimeScale } from "../api/type.ts";
import { dayAt, scaleOf, type Span, startOfUnit } from "./timescale.ts";

type Options = {
  scale: TimeScale;
  span: Span;
  today: number;
  /** Reads the days around another one. */
  onAround: (day: string) => void;
};

export type TimeScroll = {
  /** The first day of the unit that is shown, which is the title. */
  unit: number;
  onScroll: () => void;
  /** Shows a day at a part of the width from the left. */
  show: (day: number, part: number) => void;
  /** Shows the days before or after. */
  turn: (step: -1 | 1) => void;
  /** Keeps the day in the middle where it is while the scale becomes another one. */
  rescale: (next: TimeScale) => void;
  /** The day at a place of the window. */
  dayUnder: (x: number) => number;
};

const near = 1 / 4; // of the width, from the left, is where today is, and the day that gives the title

/** What of a timeline is in view, in the box that scrolls. Days come in at its edges as it is scrolled. */
export function useTimeScroll(
  box: RefObject<HTMLDivElement | null>,
  { scale, span, today, onAround }: Options,
): TimeScroll {
  const { width, major } = scaleOf(scale);
  const left = useRef(today); // the day at the left edge, perhaps a part of one
  const begun = useRef(false);
  const [unit, setUnit] = useState(() => startOfUnit(today, major));
  const shown = (by = width) => (box.current?.clientWidth ?? 0) / by;
  useLayoutEffect(() => {
    const place = box.current;
    if (!place) return;
    if (!begun.current) left.current -= (place.clientWidth / width) * near;
    begun.current = true;
    place.scrollTo({ left: (left.current - span.from) * width, behavior: "instant" });
  }, [box, span.from, width]);
  const go = (day: number, by = width) => {
    left.current = day;
    onAround(dayAt(Math.round(day + shown(by) / 2)));
    box.current?.scrollTo({ left: (day - span.from) * width, behavior: "instant" });
  };
  return {
    unit: startOfUnit(unit, major),
    onScroll: () => {
      const place = box.current;
      if (!place) return;
      left.current = span.from + place.scrollLeft / width;
      setUnit(startOfUnit(Math.floor(left.current + shown() * near), major));
      const margin = place.clientWidth / 4;
      if (place.scrollLeft < margin || place.scrollLeft > place.scrollWidth - place.clientWidth - margin)
        onAround(dayAt(Math.round(left.current + shown() / 2)));
    },
    show: (day, part) => go(day - shown() * part),
    turn: (step) => go(left.current + step * Math.max(1, Math.round(shown() * 0.75))),
    rescale: (next) => {
      const by = scaleOf(next).width;
      go(left.current + shown() / 2 - shown(by) / 2, by);
    },
    dayUnder: (x) => {
      const place = box.current;
      if (!place) return today;
      return span.from + Math.floor((x - place.getBoundingClientRect().left + place.scrollLeft) / width);
    },
  };
}
