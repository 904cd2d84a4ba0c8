import { Plus } from "lucide-react";
import { useCalendarText } from "../text/calendar.ts";
import { IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import type { CalendarModel } from "./calendarmodel.ts";
import { dayAt } from "./timescale.ts";

type Props = {
  day: number;
  model: CalendarModel;
  /** The name of its weekday, where no line over the calendar has it. */
  weekday?: string;
  /** It is a day of another month. */
  outside?: boolean;
};

/** The number of a day, and the way to a new record on it. */
export function DayHead({ day, model, weekday, outside }: Props) {
  const t = useCalendarText();
  const iso = dayAt(day);
  const { addOn, today } = model;
  return (
    <div className="pointer-events-none flex h-7.5 items-center justify-between gap-1 px-1">
      <span className="flex min-w-0 items-center gap-1.5">
        {weekday && <span className="truncate pl-1 text-[12.5px] text-muted">{weekday}</span>}
        <time
          dateTime={iso}
          className={join(
            "grid h-5.5 min-w-5.5 place-items-center rounded-full px-1 text-[12.5px] tabular-nums",
            day === today ? "bg-accent text-on-accent" : outside ? "text-faint" : "text-muted",
          )}
        >
          {Number(iso.slice(8))}
        </time>
      </span>
      {addOn && (
        <IconButton
          size="sm"
          label={t.addOn(iso)}
          className={join(
            "pointer-events-auto size-5! opacity-0 group-hover:opacity-100 focus-visible:opacity-100",
            weekday && "pointer-coarse:opacity-100",
          )}
          onClick={() => addOn(day)}
        >
          <Plus size={13} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
