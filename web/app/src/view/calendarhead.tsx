import { ChevronLeft, ChevronRight } from "lucide-react";
import { type CalendarScale, calendarScales } from "../api/type.ts";
import { useCalendarText } from "../text/calendar.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";

type Props = {
  title: string;
  scale: CalendarScale;
  onScale: (scale: CalendarScale) => void;
  onTurn: (step: -1 | 1) => void;
  onToday: () => void;
};

// Room for the longest title, so that the arrows stay where they are as one turns.
const titleWidth: Record<CalendarScale, string> = { month: "sm:min-w-44", week: "sm:min-w-62", day: "sm:min-w-76" };

/** What is over a calendar: the days that it shows, the way to others, and how many they are. */
export function CalendarHead({ title, scale, onScale, onTurn, onToday }: Props) {
  const t = useCalendarText();
  const { today } = useText().view;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-1">
      <h2 className={join("text-[18px] max-sm:w-full", titleWidth[scale])} aria-live="polite">
        {title}
      </h2>
      <IconButton label={t.previous[scale]} onClick={() => onTurn(-1)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <IconButton label={t.next[scale]} onClick={() => onTurn(1)}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
      <Button size="sm" className="ml-1" onClick={onToday}>
        {today}
      </Button>
      <span className="flex-1" />
      <div
        role="group"
        aria-label={t.scale}
        className="flex rounded-md border border-line-strong bg-surface p-0.5 shadow-low"
      >
        {calendarScales.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === scale}
            onClick={() => onScale(one)}
            className={join(
              "h-6 rounded px-2.5 text-[13px] font-[560] transition-colors duration-100",
              one === scale ? "bg-accent-soft text-accent-ink" : "text-muted hover:bg-hover hover:text-ink",
            )}
          >
            {t.scales[one]}
          </button>
        ))}
      </div>
    </div>
  );
}
