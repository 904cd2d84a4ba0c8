import { type RefObject, useState } from "react";
import { useCalendarText } from "../text/calendar.ts";
import { join } from "../ui/class.ts";
import type { Entry } from "./calendarentry.ts";
import { rowBars } from "./calendarlayout.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { DayBar, dayHeights } from "./daybar.tsx";
import { DayHead } from "./dayhead.tsx";
import { monthOf } from "./month.ts";
import { dayAt } from "./timescale.ts";

type Props = {
  model: CalendarModel;
  entries: readonly Entry[];
  days: readonly number[];
  /** How many lines of bars a row shows before it is asked for the others; all unless given. */
  lines?: number;
  /** The days have heads, with the names of their weekdays where these are given. */
  heads?: boolean;
  weekday?: Intl.DateTimeFormat;
  /** The month that the days are of, if only some of them are. */
  month?: string;
  /** The least height of the row in pixels. */
  height: number;
  hint: string;
  /** What scrolls the days. */
  box?: RefObject<HTMLElement | null>;
  onFollow: (day: number) => void;
};

const inset = 4; // pixels over the first bar where the days have no heads, and under the last

/** Days next to each other, with the bars of records over them. */
export function DayRow({ model, entries, days, lines, heads, weekday, month, height, hint, box, onFollow }: Props) {
  const t = useCalendarText();
  const [whole, setWhole] = useState(false);
  const first = days[0] ?? 0;
  const bars = rowBars(entries, first, days.at(-1) ?? first);
  const shown = whole || lines === undefined ? bars : bars.filter(({ track }) => track < lines);
  const top = heads ? dayHeights.head : inset;
  const { drag } = model;
  return days.map((day) => {
    const there = bars.filter(({ from, to }) => from <= day && day <= to);
    const visible = there.filter((bar) => shown.includes(bar));
    const used = Math.max(0, ...visible.map(({ track }) => track + 1));
    const hidden = there.length - visible.length;
    const folds = whole && lines !== undefined && used > lines;
    const bottom = top + (hidden > 0 ? (lines ?? 0) : used) * dayHeights.line;
    const below = hidden > 0 || folds;
    const outside = month !== undefined && monthOf(dayAt(day)) !== month;
    return (
      // A click and a drag are second ways: the head of a day has a button, and a record its form.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
      <li
        key={day}
        aria-label={dayAt(day)}
        data-day={day}
        onClick={(event) => event.target === event.currentTarget && model.addOn?.(day)}
        style={{ minHeight: Math.max(height, bottom + (below ? dayHeights.line : inset)) }}
        className={join(
          "group relative min-w-0 border-r border-b border-line",
          outside ? "bg-sunken" : "bg-surface",
          drag && drag.from <= day && day <= drag.to && "outline-2 -outline-offset-2 outline-(--ring)",
        )}
      >
        {heads && <DayHead day={day} model={model} weekday={weekday?.format(day * 864e5)} outside={outside} />}
        {shown
          .filter(({ from }) => from === day)
          .map((bar) => (
            <DayBar key={bar.row.id} bar={bar} top={top} model={model} hint={hint} box={box} onFollow={onFollow} />
          ))}
        {below && (
          <button
            type="button"
            data-folds={folds || undefined}
            style={{ top: bottom }}
            className="absolute inset-x-1 truncate rounded px-1.5 text-left text-[12px] text-muted hover:bg-hover"
            onClick={() => setWhole(!whole)}
          >
            {hidden > 0 ? t.moreOnDay(hidden) : t.fewer}
          </button>
        )}
      </li>
    );
  });
}
