import type { TimeScale } from "../api/type.ts";
import { join } from "../ui/class.ts";
import { type Dependency, isEarly } from "./timebars.ts";
import { isWeekend, scaleOf, type Span, tickLabel, ticks } from "./timescale.ts";

type HeadProps = { scale: TimeScale; span: Span; today: number; language: string };

/** The two lines of units over a timeline. */
export function TimelineHead({ scale, span, today, language }: HeadProps) {
  const { width, major, minor } = scaleOf(scale);
  const at = (day: number) => (day - span.from) * width;
  return (
    <div aria-hidden className="sticky top-0 z-5 h-14 border-b border-line bg-canvas text-[12.5px]">
      {ticks(span, major).map(({ day, days }) => (
        <div
          key={day}
          style={{ left: at(day), width: days * width }}
          className="absolute top-0 flex h-7 items-center border-l border-line"
        >
          <span className="sticky left-0 truncate px-2 font-[560] text-ink">
            {tickLabel({ day, days }, major, true, language)}
          </span>
        </div>
      ))}
      {ticks(span, minor).map(({ day, days }) => (
        <div
          key={day}
          style={{ left: at(day), width: days * width }}
          className="absolute top-7 flex h-7 items-center border-l border-line text-faint tabular-nums"
        >
          <span
            className={join(
              "truncate px-2",
              minor === "day" && today === day && "ml-1.5 rounded-full bg-accent px-1.5 text-on-accent",
            )}
          >
            {tickLabel({ day, days }, minor, false, language)}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The lines between units, the weekends and today, behind the bars. */
export function TimelineLines({ scale, span, today }: Omit<HeadProps, "language">) {
  const { width, minor } = scaleOf(scale);
  const at = (day: number) => (day - span.from) * width;
  const days = minor === "day" ? ticks(span, "day").filter(({ day }) => isWeekend(day)) : [];
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0">
      {days.map(({ day }) => (
        <div key={day} style={{ left: at(day), width }} className="absolute inset-y-0 bg-sunken" />
      ))}
      {ticks(span, minor).map(({ day }) => (
        <div key={day} style={{ left: at(day) }} className="absolute inset-y-0 w-px bg-line" />
      ))}
      {today >= span.from && today < span.to && (
        <div style={{ left: at(today) + width / 2 - 1 }} className="absolute inset-y-0 w-0.5 bg-accent" />
      )}
    </div>
  );
}

type ArrowsProps = {
  list: Dependency[];
  /** The height at which the middle of a record's bar is; undefined where it has none. */
  middleOf: (recordId: string) => number | undefined;
  span: Span;
  width: number;
  isCritical: (dependency: Dependency) => boolean;
  describe: (dependency: Dependency) => string;
};

const bend = 10; // pixels between a bar and the turn of an arrow

/** Arrows from bars to those that depend on them; in red where these begin too early, bold on the critical path. */
export function TimelineArrows({ list, middleOf, span, width, isCritical, describe }: ArrowsProps) {
  return (
    <svg className="pointer-events-none absolute inset-0 size-full overflow-visible" role="presentation">
      {list.map((one) => {
        const { before, after } = one;
        const [y1, y2] = [middleOf(before.row.id), middleOf(after.row.id)];
        if (y1 === undefined || y2 === undefined) return null;
        const x1 = (before.to + 1 - span.from) * width - 2;
        const x2 = (after.from - span.from) * width;
        const turn = y1 + (y2 >= y1 ? 16 : -16);
        const path =
          x2 - x1 >= 2 * bend
            ? `M${x1} ${y1}H${x1 + bend}V${y2}H${x2 - 5}`
            : `M${x1} ${y1}H${x1 + bend}V${turn}H${x2 - bend}V${y2}H${x2 - 5}`;
        return (
          <g
            key={`${before.row.id}/${after.row.id}`}
            className={isEarly(one) ? "text-danger" : isCritical(one) ? "text-ink" : "text-faint"}
          >
            <title>{describe(one)}</title>
            <path
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth={isCritical(one) ? 2.5 : 1.5}
              strokeLinejoin="round"
            />
            <path d={`M${x2 - 1} ${y2}l-6 -4v8z`} fill="currentColor" />
          </g>
        );
      })}
    </svg>
  );
}
