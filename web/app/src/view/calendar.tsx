import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { Field, Row } from "../api/type.ts";
import { useBase } from "../access/base.ts";
import { kindOf } from "../field/kind/index.ts";
import { likeOf } from "../field/result.ts";
import { format } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Empty } from "../ui/state.tsx";
import type { RecordViewProps } from "./contract.ts";
import { addMonths, daysBetween, daysOf, monthOf, startOf, today } from "./month.ts";
import { choices, chosenField, endField, startField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";

const most = 1000;
const shownOnDay = 4;

/** Records on the days of a month. */
export function CalendarView({ table, state, source, position, onPosition, onOpen, onCreate }: RecordViewProps) {
  const text = useText();
  const t = text.view;
  const { canWrite, people } = useBase();
  const [now] = useState(today);
  const month = position ?? monthOf(now);
  const dates = choices(startField, table);
  const start = chosenField(startField, table, state.config);
  const end = chosenField(endField, table, state.config);
  const valueOn = start && kindOf(start.type).calendar?.on;
  const page = useMemo(() => daysOf(month), [month]);
  const first = page[0]!;
  const last = page.at(-1)!;
  const rows = useLoadedRows(source, most);

  const primary = table.fields.find((field) => field.isPrimary);
  const byDay = useMemo(() => {
    const days = new Map<string, Row[]>();
    if (!start) return days;
    for (const row of rows) {
      const from = dayOf(row.fields[start.name], start);
      if (!from) continue;
      const to = (end && dayOf(row.fields[end.name], end)) || from;
      for (const day of daysBetween(from < first ? first : from, to > last ? last : to))
        days.set(day, [...(days.get(day) ?? []), row]);
    }
    return days;
  }, [end, first, last, rows, start]);

  const words = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(people.locale.language, { ...options, timeZone: "UTC" });
  const title = words({ month: "long", year: "numeric" }).format(startOf(month));
  return (
    <>
      {!start ? (
        <Empty title={t.needDate} body={dates.length > 0 ? t.calendarNone : undefined} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-canvas p-4">
          <div className="mb-3 flex items-center gap-1">
            <h2 className="min-w-44 text-[18px]" aria-live="polite">
              {title}
            </h2>
            <IconButton label={t.previousMonth} onClick={() => onPosition(addMonths(month, -1))}>
              <ChevronLeft size={18} aria-hidden />
            </IconButton>
            <IconButton label={t.nextMonth} onClick={() => onPosition(addMonths(month, 1))}>
              <ChevronRight size={18} aria-hidden />
            </IconButton>
            <Button size="sm" className="ml-1" onClick={() => onPosition(monthOf(now))}>
              {t.today}
            </Button>
          </div>
          {source.total !== undefined && source.total > most && (
            <p className="pb-2 text-[13px] text-muted">{t.tooMany(most)}</p>
          )}
          <div className="grid grid-cols-7 text-[12.5px] text-faint" aria-hidden>
            {page.slice(0, 7).map((day) => (
              <span key={day} className="px-2 pb-1.5">
                {words({ weekday: "short" }).format(new Date(day))}
              </span>
            ))}
          </div>
          <ul
            className={join(
              "grid min-h-0 flex-1 auto-rows-fr grid-cols-7 overflow-y-",
              "auto rounded-lg border-t border-l border-line",
            )}
          >
            {page.map((day) => {
              const there = byDay.get(day) ?? [];
              const outside = monthOf(day) !== month;
              return (
                <li
                  key={day}
                  className={join(
                    "group relative flex min-h-24 min-w-0 flex-col gap-0.5 border-r border-b border-line p-1",
                    outside ? "bg-sunken" : "bg-surface",
                  )}
                >
                  <div className="flex h-6 items-center justify-between">
                    <time
                      dateTime={day}
                      className={join(
                        "grid h-5.5 min-w-5.5 place-items-center rounded-full px-1 text-[12.5px] tabular-nums",
                        day === now ? "bg-accent text-on-accent" : outside ? "text-faint" : "text-muted",
                      )}
                    >
                      {Number(day.slice(8))}
                    </time>
                    {canWrite && valueOn && (
                      <IconButton
                        size="sm"
                        label={t.addOn(day)}
                        className="size-5! opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
                        onClick={() => onCreate({ [start.name]: valueOn(day, start) })}
                      >
                        <Plus size={13} aria-hidden />
                      </IconButton>
                    )}
                  </div>
                  {there.slice(0, shownOnDay).map((row) => (
                    <button
                      key={row.id}
                      type="button"
                      onClick={() => onOpen(row.id)}
                      className={join(
                        "truncate rounded bg-accent-soft px-1.5 py-0.5 text-left",
                        "text-[12.5px] text-accent-ink hover:brightness-95",
                      )}
                    >
                      {(primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled}
                    </button>
                  ))}
                  {there.length > shownOnDay && (
                    <span className="px-1.5 text-[12px] text-muted">{t.moreOnDay(there.length - shownOnDay)}</span>
                  )}
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </>
  );
}

/** The day on which a value stands, in its field's zone. */
function dayOf(value: unknown, field: Field): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return kindOf(likeOf(field).type).calendar?.dayOf(value, field);
}
