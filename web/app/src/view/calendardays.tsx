import { useId, useRef } from "react";
import { useCalendarText } from "../text/calendar.ts";
import { join } from "../ui/class.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { DayRow } from "./dayrow.tsx";

const shownLines = 4;
const leastColumn = 104; // pixels of a day of a week whose days are its columns

type Props = {
  model: CalendarModel;
  days: readonly number[];
  language: string;
  /** The month whose days these are; without one, they are a week or a day. */
  month: string | undefined;
  /** Shows a day to which a record went. */
  onFollow: (day: number) => void;
};

/** Records on days, in rows of a week or of a single day. */
export function CalendarDays({ model, days, language, month, onFollow }: Props) {
  const t = useCalendarText();
  const hint = useId();
  const box = useRef<HTMLDivElement>(null);
  const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const columns = Math.min(7, days.length);
  const weeks = Array.from({ length: days.length / columns }, (_, index) =>
    days.slice(index * columns, (index + 1) * columns),
  );
  const grid = {
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    minWidth: month === undefined && columns > 1 ? columns * leastColumn : undefined,
  };
  return (
    <div
      ref={box}
      role="group"
      aria-label={t.days}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and may have nothing to focus
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col overflow-auto"
    >
      <p id={hint} hidden>
        {t.dayKeys}
      </p>
      {month !== undefined && (
        <div aria-hidden style={grid} className="sticky top-0 z-3 grid bg-canvas text-[12.5px] text-faint">
          {days.slice(0, columns).map((day) => (
            <span key={day} className="truncate px-2 pb-1.5">
              {weekday.format(day * 864e5)}
            </span>
          ))}
        </div>
      )}
      <ul
        style={grid}
        className={join(
          "grid flex-1 auto-rows-[minmax(min-content,1fr)] overflow-clip",
          "rounded-lg border-t border-l border-line",
        )}
      >
        {weeks.map((week) => (
          <DayRow
            key={week[0]}
            model={model}
            entries={model.entries}
            days={week}
            lines={month === undefined ? undefined : shownLines}
            heads
            weekday={month === undefined ? weekday : undefined}
            month={month}
            height={96}
            hint={hint}
            box={box}
            onFollow={onFollow}
          />
        ))}
      </ul>
    </div>
  );
}
