import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { Field, Filter, Row } from "../api/type.ts";
import { useOpened } from "../base/context.ts";
import type { ViewProps } from "../base/table.tsx";
import { Toolbar } from "../base/toolbar.tsx";
import { fromLocal, partsOf } from "../field/date.ts";
import { format } from "../field/value.ts";
import { NewRecord } from "../record/create.tsx";
import { text } from "../text/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { join } from "../ui/class.ts";
import { Empty, Failed } from "../ui/state.tsx";
import { daysBetween, isoDay, type Month, monthOf, pageOf, step } from "./month.ts";
import { FieldChoice } from "./setting.tsx";
import { useAllRows } from "./use.ts";

const t = text.view;
const most = 1000;
const shownOnDay = 4;

/** Records on the days of a month. */
export function CalendarView({ table, view, state, onOpen }: ViewProps) {
  const { canWrite, people } = useOpened();
  const [today] = useState(() => isoDay(new Date(Date.now() - new Date().getTimezoneOffset() * 60_000)));
  const [month, setMonth] = useState<Month>(() => monthOf(today));
  const [creating, setCreating] = useState<string>();
  const dates = table.fields.filter((field) => ["date", "datetime", "created_time", "last_modified_time"].includes(field.type));
  const start = dates.find((field) => field.id === state.config.startFieldId);
  const end = dates.find((field) => field.id === state.config.endFieldId);
  const page = useMemo(() => pageOf(month), [month]);
  const first = page[0]!;
  const last = page.at(-1)!;

  // Only the records of the month are read, whatever the size of the table.
  const within = useMemo(() => {
    if (!start) return state;
    const span: Filter[] = end
      ? [
          { fieldId: start.id, op: "lte", value: last },
          { or: [{ fieldId: end.id, op: "gte", value: first }, { and: [{ fieldId: end.id, op: "is_empty" }, { fieldId: start.id, op: "gte", value: first }] }] },
        ]
      : [{ fieldId: start.id, op: "between", value: [first, last] }];
    return { ...state, filters: [...state.filters, ...span] };
  }, [end, first, last, start, state]);
  const { source, rows, status, search, setSearch } = useAllRows(table, within, most);

  const primary = table.fields.find((field) => field.isPrimary);
  const byDay = useMemo(() => {
    const days = new Map<string, Row[]>();
    if (!start) return days;
    for (const row of rows) {
      const from = dayOf(row.fields[start.name], start);
      if (!from) continue;
      const to = (end && dayOf(row.fields[end.name], end)) || from;
      for (const day of daysBetween(from < first ? first : from, to > last ? last : to)) days.set(day, [...(days.get(day) ?? []), row]);
    }
    return days;
  }, [end, first, last, rows, start]);

  const title = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.UTC(month.year, month.month - 1, 1));
  return (
    <>
      <Toolbar table={table} view={view} state={state} status={status} total={source.total} search={search} onSearch={setSearch}>
        <FieldChoice label={t.start} fields={dates} value={start?.id} onChange={(startFieldId) => state.set({ startFieldId })} />
        <FieldChoice label={t.end} none={t.noEnd} fields={dates} value={end?.id} onChange={(endFieldId) => state.set({ endFieldId })} />
      </Toolbar>
      {!start ? (
        <Empty title={t.needDate} body={dates.length > 0 ? t.calendarNone : undefined} />
      ) : source.problem ? (
        <Failed error={source.problem} retry={() => source.refresh()} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col bg-canvas p-4">
          <div className="mb-3 flex items-center gap-1">
            <h2 className="min-w-44 text-[18px]" aria-live="polite">
              {title}
            </h2>
            <IconButton label={t.previousMonth} onClick={() => setMonth(step(month, -1))}>
              <ChevronLeft size={18} aria-hidden />
            </IconButton>
            <IconButton label={t.nextMonth} onClick={() => setMonth(step(month, 1))}>
              <ChevronRight size={18} aria-hidden />
            </IconButton>
            <Button size="sm" className="ml-1" onClick={() => setMonth(monthOf(today))}>
              {t.today}
            </Button>
          </div>
          {source.total !== undefined && source.total > most && <p className="pb-2 text-[13px] text-muted">{t.tooMany(most)}</p>}
          <div className="grid grid-cols-7 text-[12.5px] text-faint" aria-hidden>
            {page.slice(0, 7).map((day) => (
              <span key={day} className="px-2 pb-1.5">
                {new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" }).format(new Date(day))}
              </span>
            ))}
          </div>
          <ul className="grid min-h-0 flex-1 auto-rows-fr grid-cols-7 overflow-y-auto rounded-lg border-t border-l border-line">
            {page.map((day) => {
              const there = byDay.get(day) ?? [];
              const outside = monthOf(day).month !== month.month;
              return (
                <li key={day} className={join("group relative flex min-h-24 min-w-0 flex-col gap-0.5 border-r border-b border-line p-1", outside ? "bg-sunken" : "bg-surface")}>
                  <div className="flex h-6 items-center justify-between">
                    <time dateTime={day} className={join("grid h-5.5 min-w-5.5 place-items-center rounded-full px-1 text-[12.5px] tabular-nums", day === today ? "bg-accent text-on-accent" : outside ? "text-faint" : "text-muted")}>
                      {Number(day.slice(8))}
                    </time>
                    {canWrite && ["date", "datetime"].includes(start.type) && (
                      <IconButton size="sm" label={t.addOn(day)} className="size-5! opacity-0 group-hover:opacity-100 focus-visible:opacity-100" onClick={() => setCreating(day)}>
                        <Plus size={13} aria-hidden />
                      </IconButton>
                    )}
                  </div>
                  {there.slice(0, shownOnDay).map((row) => (
                    <button
                      key={row.id}
                      type="button"
                      onClick={() => onOpen(row.id)}
                      className="truncate rounded bg-accent-soft px-1.5 py-0.5 text-left text-[12.5px] text-accent-ink hover:brightness-95"
                    >
                      {(primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled}
                    </button>
                  ))}
                  {there.length > shownOnDay && <span className="px-1.5 text-[12px] text-muted">{t.moreOnDay(there.length - shownOnDay)}</span>}
                </li>
              );
            })}
          </ul>
        </div>
      )}
      {creating && start && (
        <NewRecord
          table={table}
          fields={state.ordered}
          start={{ [start.name]: start.type === "date" ? creating : noon(creating, start) }}
          onClose={() => setCreating(undefined)}
          onMade={() => source.refresh(0, most - 1)}
        />
      )}
    </>
  );
}

/** The day on which a value stands, in its field's zone. */
function dayOf(value: unknown, field: Field): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  if (field.type === "date") return value.slice(0, 10);
  const parts = partsOf(value, field.config?.timeZone);
  return parts && isoDay(new Date(Date.UTC(parts.year, parts.month - 1, parts.day)));
}

function noon(day: string, field: Field): string {
  const [year, month, date] = day.split("-").map(Number);
  return fromLocal(year!, month!, date!, 12, 0, field.config?.timeZone);
}
