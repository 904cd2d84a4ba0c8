import { useMemo, useRef } from "react";
import { useBase } from "../access/base.ts";
import type { CalendarScale, Field } from "../api/type.ts";
import { useCalendarText } from "../text/calendar.ts";
import { useText } from "../text/index.ts";
import { Empty } from "../ui/state.tsx";
import { complain } from "../ui/toast.ts";
import { CalendarDays } from "./calendardays.tsx";
import { isMoment } from "./calendarentry.ts";
import { CalendarHead } from "./calendarhead.tsx";
import { CalendarHours } from "./calendarhours.tsx";
import { maxEntries, useCalendar } from "./calendarmodel.ts";
import { titleOf, turned } from "./calendarspan.ts";
import type { RecordViewProps } from "./contract.ts";
import { choices, chosenField, startField } from "./fieldsetting.ts";
import { calendarDays, calendarScaleIn, monthOf, today as dayToday } from "./month.ts";
import { dayAt, dayNumber } from "./timescale.ts";

/** Records on the days of a month or of a week, or at the hours of a week or a day. */
export function CalendarView(props: RecordViewProps) {
  const { table, state } = props;
  const text = useText();
  const t = useCalendarText();
  const start = chosenField(startField, table, state.config);
  if (start) return <Calendar {...props} start={start} />;
  return <Empty title={t.needDate} body={choices(startField, table).length > 0 ? text.view.calendarNone : undefined} />;
}

function Calendar(props: RecordViewProps & { start: Field }) {
  const { state, source, position, onPosition, start } = props;
  const text = useText();
  const { people } = useBase();
  const box = useRef<HTMLDivElement>(null);
  const { locale, timeZone } = people;
  const today = useMemo(() => dayToday({ locale, timeZone }), [locale, timeZone]);
  const scale = calendarScaleIn(state.config);
  const day = position ?? today;
  const days = calendarDays(scale, day, people.locale.firstDay);
  const numbers = days.map(dayNumber);
  const model = useCalendar({ ...props, today: dayNumber(today), box });
  const { language } = people.locale;

  const follow = async (to: number) => {
    if (numbers.includes(to)) return;
    try {
      // Before the service has the new day, it does not find the record there.
      await source.writer.settle();
      onPosition(dayAt(to));
    } catch (error) {
      complain(error);
    }
  };
  const rescale = (next: CalendarScale) => {
    // From a month that has today, one comes to today, and from another one to its first day.
    if (scale === "month" && monthOf(day) === monthOf(today)) onPosition(today);
    else onPosition(day);
    state.set({ calendarScale: next });
  };
  const parts = { model, days: numbers, language, onFollow: (to: number) => void follow(to) };
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col bg-canvas p-4 max-sm:p-2">
      <p role="status" className="sr-only">
        {model.said}
      </p>
      <CalendarHead
        title={titleOf(scale, day, days, language)}
        scale={scale}
        onScale={rescale}
        onTurn={(step) => onPosition(turned(scale, day, step, today))}
        onToday={() => onPosition(today)}
      />
      {source.total !== undefined && source.total > maxEntries && (
        <p className="pb-2 text-[13px] text-muted">{text.view.tooMany(maxEntries)}</p>
      )}
      {scale !== "month" && isMoment(start) ? (
        <CalendarHours key={scale} {...parts} />
      ) : (
        <CalendarDays key={scale} {...parts} month={scale === "month" ? monthOf(day) : undefined} />
      )}
    </div>
  );
}
