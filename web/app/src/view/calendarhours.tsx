import { useId, useLayoutEffect, useMemo, useRef } from "react";
import { useCalendarText } from "../text/calendar.ts";
import { join } from "../ui/class.ts";
import { minutesOfDay } from "./calendarentry.ts";
import { placedHours, type Segment, segmentsOf } from "./calendarlayout.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { DayHead } from "./dayhead.tsx";
import { DayRow } from "./dayrow.tsx";
import { HourColumn } from "./hourcolumn.tsx";
import { HourEntry, timeOf } from "./hourentry.tsx";
import { boxOf, dayHeight, firstShown, heightOf } from "./hourscale.ts";
import { dayAt } from "./timescale.ts";

const leastColumn = 104; // pixels of a day of a week
const gutter = 58; // pixels of the hours' names
const margin = 12; // pixels over the first hour that is shown, for the upper half of its name
const dayLines = 3; // of entries that take whole days

type Props = {
  model: CalendarModel;
  days: readonly number[];
  language: string;
  /** Shows a day to which a record went. */
  onFollow: (day: number) => void;
};

/** Records at their hours, on one day or on those of a week, and over them those that take whole days. */
export function CalendarHours({ model, days, language, onFollow }: Props) {
  const t = useCalendarText();
  const [dayHint, hourHint] = [useId(), useId()];
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const { entries, drag, clock, now, today } = model;
  const count = days.length;
  const first = days[0] ?? 0;
  const whole = useMemo(() => entries.filter(({ hours }) => !hours), [entries]);
  const places = useMemo(() => {
    const byDay = new Map(days.map((day): [number, Segment[]] => [day, []]));
    for (const segment of entries.flatMap(segmentsOf)) byDay.get(segment.day)?.push(segment);
    return [...byDay.values()].flatMap(placedHours);
    // oxlint-disable-next-line react/exhaustive-deps -- the first of the days and their number are all of them
  }, [entries, first, count]);
  const hasWhole = whole.some(({ from, to }) => from < first + count && to >= first);

  // It begins with the morning, and on a narrow screen with today.
  const begun = useRef(false);
  useLayoutEffect(() => {
    const [place, top] = [box.current, head.current];
    if (begun.current || !place || !top) return;
    begun.current = true;
    const times = places.filter(({ isFirst }) => isFirst).map(({ from }) => from);
    const time = firstShown(times, place.clientHeight - top.clientHeight);
    const column = (place.scrollWidth - gutter) / count;
    const left = Math.max(0, days.indexOf(today)) * column;
    place.scrollTo({ top: heightOf(time) - margin, left, behavior: "instant" });
  });

  const columns = {
    display: "grid",
    gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))`,
  };
  const weekday = new Intl.DateTimeFormat(language, { weekday: count > 1 ? "short" : "long", timeZone: "UTC" });
  const nowDay = now === undefined ? undefined : Math.floor(now / minutesOfDay);
  const nowIndex = nowDay === undefined ? -1 : days.indexOf(nowDay);
  const corner = "sticky left-0 z-1 shrink-0 border-r border-line bg-surface text-right text-[11.5px] text-muted";
  return (
    <div
      ref={box}
      role="group"
      aria-label={t.hours}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and may have nothing to focus
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-lg border border-line bg-surface"
    >
      <p id={dayHint} hidden>
        {t.dayKeys}
      </p>
      <p id={hourHint} hidden>
        {t.hourKeys}
      </p>
      <div
        style={{
          minWidth: count > 1 ? gutter + count * leastColumn : undefined,
          ["--gutter" as string]: `${gutter}px`, // where names of bars come to stand as one scrolls
        }}
      >
        <div ref={head} className="sticky top-0 z-3 border-b border-line-strong bg-surface">
          <div className="flex">
            <div className={corner} style={{ width: gutter }} />
            <div className="flex-1" style={columns}>
              {days.map((day) => (
                <div key={day} className="group min-w-0 border-r border-line last:border-r-0">
                  <DayHead day={day} model={model} weekday={weekday.format(day * 864e5)} />
                </div>
              ))}
            </div>
          </div>
          {hasWhole && (
            // All of them may be more than there is room for. A bar of scrolling would move the days from their hours.
            <div
              className={join(
                "flex border-t border-line [scrollbar-width:none]",
                "has-[[data-folds]]:max-h-[40vh] has-[[data-folds]]:overflow-y-auto",
              )}
            >
              <div className={`${corner} px-1.5 pt-1.5`} style={{ width: gutter }}>
                {t.allDay}
              </div>
              <ul className="flex-1 *:border-b-0 *:last:border-r-0" style={columns}>
                <DayRow
                  key={first}
                  model={{ ...model, addOn: undefined, drag: drag?.hours ? undefined : drag }}
                  entries={whole}
                  days={days}
                  lines={dayLines}
                  height={0}
                  hint={dayHint}
                  onFollow={onFollow}
                />
              </ul>
            </div>
          )}
        </div>
        <div className="flex">
          <div aria-hidden className={`${corner} z-2!`} style={{ width: gutter, height: dayHeight }}>
            {Array.from({ length: 23 }, (_, index) => (
              <span
                key={index}
                className="absolute right-1.5 -translate-y-1/2 tabular-nums"
                style={{ top: heightOf((index + 1) * 60) }}
              >
                {clock((index + 1) * 60)}
              </span>
            ))}
          </div>
          <div ref={grid} className="relative isolate flex-1" style={{ height: dayHeight }}>
            {Array.from({ length: 23 }, (_, index) => (
              <div
                key={index}
                aria-hidden
                className="absolute inset-x-0 h-px bg-line"
                style={{ top: heightOf((index + 1) * 60) }}
              />
            ))}
            {days.map((day, index) => (
              <HourColumn key={index} day={day} index={index} days={days} model={model} grid={grid} box={box} />
            ))}
            <ul>
              {places.map((place) => (
                <li key={`${place.entry.row.id}/${place.day - place.entry.from}`} aria-label={dayAt(place.day)}>
                  <HourEntry
                    place={place}
                    days={days}
                    model={model}
                    grid={grid}
                    box={box}
                    hint={hourHint}
                    onFollow={onFollow}
                  />
                </li>
              ))}
            </ul>
            {drag &&
              segmentsOf(drag).map(({ day, from, to }) => {
                const index = days.indexOf(day);
                if (index < 0) return null;
                return (
                  <div
                    key={day}
                    aria-hidden
                    style={{
                      ...boxOf(from, to),
                      left: `${(index * 100) / count}%`,
                      width: `calc(${100 / count}% - 4px)`,
                    }}
                    className={
                      "pointer-events-none absolute z-2 ml-0.5 overflow-hidden rounded-md bg-accent px-1.5 py-0.5 " +
                      "text-[12.5px] leading-4.5 text-on-accent shadow-high"
                    }
                  >
                    <span className="block truncate font-[560]">{model.nameOf(drag.row)}</span>
                    <span className="block truncate tabular-nums">{timeOf(drag, model)}</span>
                  </div>
                );
              })}
            {now !== undefined && nowIndex >= 0 && (
              <div
                aria-hidden
                data-now
                style={{
                  top: heightOf(now % minutesOfDay),
                  left: `${(nowIndex * 100) / count}%`,
                  width: `${100 / count}%`,
                }}
                className="pointer-events-none absolute z-1 h-0.5 -translate-y-1/2 bg-danger"
              >
                <span className="absolute -top-1 -left-1 size-2.5 rounded-full bg-danger" />
              </div>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}
