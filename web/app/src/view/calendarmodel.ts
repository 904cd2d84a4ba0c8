import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useBase, useRights } from "../access/base.ts";
import type { Field, Row, Values } from "../api/type.ts";
import { zoneOf } from "../field/context.ts";
import { kindOf } from "../field/kind/index.ts";
import { format, isWritable } from "../field/value.ts";
import { useCalendarText } from "../text/calendar.ts";
import { useText } from "../text/index.ts";
import type { Tone } from "../ui/tone.ts";
import {
  type Entry,
  type EntryFields,
  entryOf,
  isMoment,
  minutesOf,
  minutesOfDay,
  momentAt,
  movedEntry,
  movedHours,
  resizedDays,
  resizedEntry,
  resizedHours,
} from "./calendarentry.ts";
import type { RecordViewProps } from "./contract.ts";
import { chosenField, endField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { type BarPart, changedBar, changedValues } from "./timebars.ts";
import { dayAt } from "./timescale.ts";
import { useRowTone } from "./tone.ts";

export const maxEntries = 1000;
const refocusTime = 3000; // milliseconds after a key within which an entry gets the focus back

/** The entries of a calendar, and what can be done with them. */
export type CalendarModel = {
  entries: Entry[];
  today: number;
  movable: boolean;
  /** Entries end where people may say so: on a day, and at an hour. */
  resizable: { days: boolean; hours: boolean };
  nameOf: (row: Row) => string;
  toneOf: (row: Row) => Tone | undefined;
  /** When an entry is, as it is read out. */
  rangeOf: (entry: Entry) => string;
  /** Minutes of a day as the clock of the start shows them. */
  clock: (minute: number) => string;
  /** How the entry is that is being dragged; it keeps the record. */
  drag: Entry | undefined;
  onDrag: (changed: Entry | undefined) => void;
  changeDays: (entry: Entry, part: BarPart, days: number) => void;
  moveHours: (entry: Entry, by: number) => void;
  resizeHours: (entry: Entry, end: number) => void;
  /** Has the entry keep the focus when a key moves it. */
  keepFocus: (entry: Entry) => void;
  onOpen: (row: Row) => void;
  /** Makes a record on a day, and one at a time; undefined where that is not allowed. */
  addOn: ((day: number) => void) | undefined;
  addAt: ((from: number, to?: number) => void) | undefined;
  /** The minutes since 1970 that the clock shows now. */
  now: number | undefined;
  /** What was changed last, for those who do not see it. */
  said: string;
};

type Options = RecordViewProps & { start: Field; today: number; box: RefObject<HTMLElement | null> };

/** Gives an entry the focus again after a key moved it, and with it its place in the page. */
function useKeptFocus(box: RefObject<HTMLElement | null>) {
  const kept = useRef({ id: "", until: 0 });
  useLayoutEffect(() => {
    const { id, until } = kept.current;
    if (Date.now() > until || (document.activeElement && document.activeElement !== document.body)) return;
    box.current?.querySelector<HTMLElement>(`[data-entry="${id}"]`)?.focus();
  });
  return (id: string) => (kept.current = { id, until: Date.now() + refocusTime });
}

/** What the clock of a zone shows, as long as it is wanted. */
function useClock(zone: string | undefined): number | undefined {
  const read = () => minutesOf(new Date().toISOString(), zone);
  const [now, setNow] = useState(read);
  useEffect(() => {
    const timer = setInterval(() => setNow(minutesOf(new Date().toISOString(), zone)), 20_000);
    return () => clearInterval(timer);
  }, [zone]);
  return now;
}

export function useCalendar({ table, state, source, onOpen, onCreate, start, today, box }: Options): CalendarModel {
  const text = useText();
  const t = useCalendarText();
  const { people } = useBase();
  const rights = useRights(table);
  const end = chosenField(endField, table, state.config);
  const primary = table.fields.find((field) => field.isPrimary);
  const rows = useLoadedRows(source, maxEntries);
  const toneOf = useRowTone(source, state);
  const keep = useKeptFocus(box);
  const [drag, onDrag] = useState<Entry>();
  const [said, setSaid] = useState("");
  const zone = zoneOf(start, people);
  const now = useClock(zone);
  const sorted = state.sorts.length > 0;
  const fields = useMemo<EntryFields>(() => ({ start, end, context: people }), [end, people, start]);
  const entries = useMemo(() => {
    const list = rows.flatMap((row) => entryOf(row, fields) ?? []);
    // Those of a day are in the view's order, and without one by the clock.
    return sorted ? list : list.toSorted((a, b) => (a.hours?.from ?? 0) - (b.hours?.from ?? 0));
  }, [fields, rows, sorted]);

  const nameOf = (row: Row) =>
    (primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled;
  const twelve = start.config?.timeFormat === "12h";
  const clock = (minute: number) => t.clock(minute % minutesOfDay, twelve);
  const dates = new Intl.DateTimeFormat(people.locale.language, { dateStyle: "medium", timeZone: "UTC" });
  const date = (day: number) => dates.format(day * 864e5);
  const rangeOf = ({ from, to, hours }: Entry) => {
    if (!hours) return t.range(date(from), date(to));
    const begin = t.at(date(from), clock(hours.from));
    if (hours.open) return begin;
    return t.range(begin, from === to ? clock(hours.to) : t.at(date(to), clock(hours.to)));
  };

  const edit = (changed: Entry, values: Values) => {
    source.edit([{ row: changed.row, fields: values }]);
    setSaid(t.moved(nameOf(changed.row), rangeOf(changed)));
  };
  const movable = rights.edit && isWritable(start) && (end === undefined || isWritable(end));
  const resizable = movable && end !== undefined;
  const valueOn = kindOf(start.type).calendar?.on;
  const canAdd = rights.create && isWritable(start) && valueOn !== undefined;
  return {
    entries,
    today,
    movable,
    resizable: { days: resizable, hours: resizable && isMoment(end) },
    nameOf,
    toneOf,
    rangeOf,
    clock,
    drag,
    onDrag,
    changeDays: (entry, part, days) => {
      const { hours, ...bar } = entry;
      const changed = part === "whole" && hours ? movedEntry(entry, days * minutesOfDay) : changedBar(bar, part, days);
      edit(changed, part === "end" ? resizedDays(entry, days, fields) : changedValues(entry, part, days, fields));
    },
    moveHours: (entry, by) => edit(movedEntry(entry, by), movedHours(entry, by, fields)),
    resizeHours: (entry, to) => {
      const changed = resizedEntry(entry, to);
      edit(changed, resizedHours(changed, fields));
    },
    keepFocus: (entry) => keep(entry.row.id),
    onOpen: (row) => onOpen(row.id),
    addOn: canAdd ? (day) => onCreate({ [start.name]: valueOn(dayAt(day), start, people) }) : undefined,
    addAt:
      canAdd && isMoment(start)
        ? (from, to) => {
            const ends = to !== undefined && end && isWritable(end) && isMoment(end);
            onCreate({
              [start.name]: momentAt(from, zone),
              ...(ends ? { [end.name]: momentAt(to, zone) } : {}),
            });
          }
        : undefined,
    now,
    said,
  };
}
