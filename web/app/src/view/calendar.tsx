import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { type DragEvent, useMemo, useState } from "react";
import type { Row, Values } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import { kindOf } from "../field/kind/index.ts";
import { format, isWritable } from "../field/value.ts";
import { useText } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Empty } from "../ui/state.tsx";
import type { RecordViewProps } from "./contract.ts";
import { dayOf, movedDays } from "./movedday.ts";
import { addMonths, daysBetween, daysOf, monthOf, startOf, today } from "./month.ts";
import { choices, chosenField, endField, startField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { useRowTone } from "./tone.ts";

const maxEntries = 1000;
const shownOnDay = 4;

/** Records on the days of a month. */
export function CalendarView({ table, state, source, position, onPosition, onOpen, onCreate }: RecordViewProps) {
  const text = useText();
  const t = text.view;
  const { people } = useBase();
  const rights = useRights(table);
  const [now] = useState(() => today(people.timeZone));
  const month = position ?? monthOf(now);
  const dates = choices(startField, table);
  const start = chosenField(startField, table, state.config);
  const end = chosenField(endField, table, state.config);
  const valueOn = start && kindOf(start.type).calendar?.on;
  const page = useMemo(() => daysOf(month), [month]);
  const first = page[0]!;
  const last = page.at(-1)!;
  const rows = useLoadedRows(source, maxEntries);
  const toneOf = useRowTone(source, state);

  const primary = table.fields.find((field) => field.isPrimary);
  const byDay = useMemo(() => {
    const days = new Map<string, Row[]>();
    if (!start) return days;
    for (const row of rows) {
      const from = dayOf(row.fields[start.name], start, people);
      if (!from) continue;
      const to = (end && dayOf(row.fields[end.name], end, people)) || from;
      for (const day of daysBetween(from < first ? first : from, to > last ? last : to))
        days.set(day, [...(days.get(day) ?? []), row]);
    }
    return days;
  }, [end, first, last, people, rows, start]);

  const [moving, setMoving] = useState<{ id: string; from: string }>();
  const [over, setOver] = useState<string>();
  const [whole, setWhole] = useState<string>(); // the day all of whose records are shown
  const canAdd = rights.create && start !== undefined && isWritable(start);
  const canMove = rights.edit && start !== undefined && isWritable(start) && (end === undefined || isWritable(end));
  const drop = (event: DragEvent, day: string) => {
    event.preventDefault();
    const row = moving && source.find(moving.id);
    setMoving(undefined);
    setOver(undefined);
    if (!row || !start || moving.from === day) return;
    const fields = [start, ...(end ? [end] : [])];
    const days = { from: moving.from, to: day };
    const values = fields.map((field) => [field.id, movedDays(row.fields[field.name], field, people, days)]);
    source.edit([{ row, fields: Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values }]);
  };

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
          {source.total !== undefined && source.total > maxEntries && (
            <p className="pb-2 text-[13px] text-muted">{t.tooMany(maxEntries)}</p>
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
              "grid min-h-0 flex-1 auto-rows-[minmax(min-content,1fr)] grid-cols-7 overflow-y-auto",
              "rounded-lg border-t border-l border-line",
            )}
          >
            {page.map((day) => {
              const there = byDay.get(day) ?? [];
              const outside = monthOf(day) !== month;
              return (
                // Dragging is a second way; the form of a record moves it by keyboard.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                <li
                  key={day}
                  aria-label={day}
                  onDragOver={(event) => {
                    if (!moving) return;
                    event.preventDefault();
                    setOver(day);
                  }}
                  onDrop={(event) => drop(event, day)}
                  className={join(
                    "group relative flex min-h-24 min-w-0 flex-col gap-0.5 border-r border-b border-line p-1",
                    outside ? "bg-sunken" : "bg-surface",
                    moving && over === day && "outline-2 -outline-offset-2 outline-(--ring)",
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
                    {canAdd && valueOn && (
                      <IconButton
                        size="sm"
                        label={t.addOn(day)}
                        className="size-5! opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
                        onClick={() => onCreate({ [start.name]: valueOn(day, start, people) })}
                      >
                        <Plus size={13} aria-hidden />
                      </IconButton>
                    )}
                  </div>
                  {there.slice(0, whole === day ? undefined : shownOnDay).map((row) => (
                    <button
                      key={row.id}
                      type="button"
                      draggable={canMove}
                      onDragStart={(event) => {
                        event.dataTransfer.effectAllowed = "move";
                        event.dataTransfer.setData("text/plain", event.currentTarget.textContent ?? "");
                        setMoving({ id: row.id, from: day });
                      }}
                      onDragEnd={() => setMoving(undefined)}
                      onClick={() => onOpen(row.id)}
                      data-tone={toneOf(row)}
                      className={join(
                        "shrink-0 truncate rounded px-1.5 py-0.5 text-left text-[12.5px] hover:brightness-95",
                        toneOf(row) ? "bg-(--tone-fill) text-(--tone-ink)" : "bg-accent-soft text-accent-ink",
                      )}
                    >
                      {(primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled}
                    </button>
                  ))}
                  {there.length > shownOnDay && whole !== day && (
                    <button
                      type="button"
                      className="shrink-0 rounded px-1.5 text-left text-[12px] text-muted hover:bg-hover"
                      onClick={() => setWhole(day)}
                    >
                      {t.moreOnDay(there.length - shownOnDay)}
                    </button>
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
