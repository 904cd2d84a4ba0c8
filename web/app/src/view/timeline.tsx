import { type DragEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Field, Row, Values } from "../api/type.ts";
import { useBase, useRights } from "../access/base.ts";
import { kindOf } from "../field/kind/index.ts";
import { format, isWritable } from "../field/value.ts";
import { ready } from "../filter/op.ts";
import { useRows } from "../record/rows.ts";
import { useText } from "../text/index.ts";
import { useTimelineText } from "../text/timeline.ts";
import { join } from "../ui/class.ts";
import { Empty } from "../ui/state.tsx";
import { complain, notify } from "../ui/toast.ts";
import type { RecordViewProps } from "./contract.ts";
import { useCriticalPath } from "./criticalpath.ts";
import type { Point } from "./drag.ts";
import { choices, chosenField, dependsOnField, endField, laneField, startField } from "./fieldsetting.ts";
import { useLoadedRows } from "./loadedrows.ts";
import { scaleIn, today as dayToday } from "./month.ts";
import {
  type Bar,
  barOf,
  type BarPart,
  changedBar,
  changedValues,
  dependencies,
  type Lane,
  laneAt,
  lanesOf,
  laneValue,
  pushed,
  stacked,
} from "./timebars.ts";
import { type Drag, TimelineBar } from "./timelinebar.tsx";
import { TimelineArrows, TimelineHead, TimelineLines } from "./timelinegrid.tsx";
import { TimelineTools } from "./timelinetools.tsx";
import { dayAt, dayNumber, scaleOf, spanOf, tickLabel } from "./timescale.ts";
import { useTimeScroll } from "./timescroll.ts";
import { useRowTone } from "./tone.ts";
import { dragType, Unscheduled } from "./unscheduled.tsx";

const maxBars = 1000;
const maxUnscheduled = 200;
const heights = { line: 32, bar: 26, head: 34, gap: 6 };
const letter = 7; // the width in pixels of a letter of a name, roughly

const focusTime = 5000; // milliseconds within which a bar that changed its lane is drawn there

/** Gives a bar that has changed its lane the focus back: it is another element there. */
function useMovedFocus(ground: RefObject<HTMLElement | null>) {
  const wanted = useRef<{ id: string; to: string; until: number }>(undefined);
  useEffect(() => {
    if (!wanted.current || document.activeElement !== document.body) return;
    const { id, to, until } = wanted.current;
    const bar = ground.current?.querySelector<HTMLElement>(`[data-lane="${CSS.escape(to)}"] [data-bar="${id}"]`);
    if (bar && Date.now() < until) bar.focus();
    if (bar || Date.now() >= until) wanted.current = undefined;
  });
  return (id: string, to: string) => {
    wanted.current = { id, to, until: Date.now() + focusTime };
  };
}

/** Records as bars between two days, in lanes by the values of a field. */
export function TimelineView(props: RecordViewProps) {
  const { table, state } = props;
  const text = useText();
  const t = useTimelineText();
  const start = chosenField(startField, table, state.config);
  if (start) return <Timeline {...props} start={start} />;
  return <Empty title={t.needDate} body={choices(startField, table).length > 0 ? text.view.calendarNone : undefined} />;
}

function Timeline({
  table,
  state,
  source,
  position,
  onPosition,
  onOpen,
  onCreate,
  start,
}: RecordViewProps & { start: Field }) {
  const text = useText();
  const t = useTimelineText();
  const hint = useId();
  const { people, names } = useBase();
  const rights = useRights(table);
  const { locale, timeZone } = people;
  const today = useMemo(() => dayNumber(dayToday({ locale, timeZone })), [locale, timeZone]);
  const scale = scaleIn(state.config);
  const { width, major } = scaleOf(scale);
  const around = position === undefined ? today : dayNumber(position);
  const span = spanOf(scale, around);
  const box = useRef<HTMLDivElement>(null);
  const scroll = useTimeScroll(box, { scale, span, today, onAround: onPosition });
  const { language } = people.locale;

  const end = chosenField(endField, table, state.config);
  const laneBy = chosenField(laneField, table, state.config);
  const dependsOn = chosenField(dependsOnField, table, state.config);
  const primary = table.fields.find((field) => field.isPrimary);
  const nameOf = (row: Row) =>
    (primary && format(row.fields[primary.name], primary, people)) || text.base.record.untitled;
  const rows = useLoadedRows(source, maxBars);
  const toneOf = useRowTone(source, state);
  useEffect(() => {
    if (laneBy?.type === "link") names.want(rows, [laneBy]);
  }, [laneBy, names, rows]);

  const nameWidth = (bar: Bar) => nameOf(bar.row).length * letter + 16;
  const barWidth = (bar: Bar) => (bar.to - bar.from + 1) * width;
  const isOutside = (bar: Bar) => barWidth(bar) < Math.min(140, nameWidth(bar));
  const extent = (bar: Bar) => (barWidth(bar) + (isOutside(bar) ? nameWidth(bar) : 0)) / width;
  const bars = rows.flatMap((row) => barOf(row, start, end, people) ?? []);
  const between = laneBy !== undefined && rights.edit && isWritable(laneBy);
  const sizes = { ...heights, head: laneBy ? heights.head : 0 };
  const stack = stacked(lanesOf(bars, laneBy, people, { none: text.view.uncategorized, extent, open: between }), sizes);
  const { lanes, middles, height } = stack;

  const [asked, setAsked] = useState(false);
  const filters = ready(state.filters, table.fields);
  const path = useCriticalPath(source, asked && dependsOn ? { start, end, dependsOn, filters } : undefined);
  const isCritical = ({ row }: Bar) => path?.ids.has(row.id) ?? false;

  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState("");
  const movable = rights.edit && isWritable(start) && (end === undefined || isWritable(end));
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const rangeOf = ({ from, to }: Bar) => t.range(dates.format(from * 864e5), dates.format(to * 864e5));
  const ground = useRef<HTMLDivElement>(null);
  const laneUnder = (lane: Lane, { x, y }: Point) => {
    if (!between || !box.current || !ground.current) return lane.id;
    const { left, right, top, bottom } = box.current.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) return lane.id;
    return (laneAt(stack, y - ground.current.getBoundingClientRect().top, sizes) ?? lane).id;
  };
  /** The next lane in which the record of a bar is not. */
  const laneNext = (lane: Lane, { row }: Bar, by: -1 | 1) => {
    const at = lanes.findIndex((one) => one.lane === lane);
    const others = by > 0 ? lanes.slice(at + 1) : lanes.slice(0, at).toReversed();
    const next = others.find((one) => !one.lane.bars.some((bar) => bar.row.id === row.id));
    return between ? next?.lane.id : undefined;
  };
  const moved = useMovedFocus(ground);
  const changeLane = (bar: Bar, from: string, to: string): Values =>
    laneBy && from !== to ? ({ [laneBy.id]: laneValue(laneBy, bar.row, from, to, people) } as Values) : {};
  const change = (bar: Bar, part: BarPart, days: number, from: string, to: string) => {
    const fields = { start, end, context: people };
    const next = changedBar(bar, part, days);
    const others = part === "start" ? [] : pushed(bars, dependsOn, next, days);
    // What is moved along later belongs to the same change.
    const changeSet = others.length > 0 ? crypto.randomUUID() : undefined;
    if (from !== to) moved(bar.row.id, to);
    const values = days === 0 ? {} : changedValues(bar, part, days, fields);
    source.edit([{ row: bar.row, fields: { ...values, ...changeLane(bar, from, to) } }], changeSet);
    const lane = lanes.find((one) => one.lane.id === to)?.lane.label ?? "";
    const shown = t.moved(nameOf(bar.row), rangeOf(next));
    setSaid(from === to ? shown : `${text.view.moved(nameOf(bar.row), lane)}. ${shown}`);
    if (others.length === 0) return;
    const push = () =>
      source.edit(
        others.map((one) => ({ row: one.row, fields: changedValues(one, "whole", days, fields) })),
        changeSet,
      );
    const detail = others.map((one) => nameOf(one.row)).join(", ");
    notify(t.early(others.length), detail, { label: t.push(days), run: push });
  };

  const valueOn = kindOf(start.type).calendar?.on;
  const without = { fieldId: start.id, op: "is_empty" };
  const waiting = useRows(table.id, { ...source.query, filters: [...filters, without] }, source.writer);
  const unscheduled = useLoadedRows(waiting, maxUnscheduled).filter((row) => !barOf(row, start, end, people));
  const waitingTone = useRowTone(waiting, state);
  const [listed, setListed] = useState(false);
  const schedule = async (row: Row, day: number) => {
    if (!valueOn) return;
    waiting.edit([{ row, fields: { [start.id]: valueOn(dayAt(day), start, people) } as Values }]);
    setSaid(t.moved(nameOf(row), dates.format(day * 864e5)));
    try {
      await source.writer.settle();
    } catch (error) {
      complain(error);
    }
    source.refresh();
    waiting.refresh();
  };
  const drop = (event: DragEvent) => {
    const row = waiting.find(event.dataTransfer.getData(dragType));
    if (!row) return;
    event.preventDefault();
    void schedule(row, scroll.dayUnder(event.clientX));
  };

  const drawn = bars.map((bar) => (drag?.id === bar.row.id ? changedBar(bar, drag.part, drag.days) : bar));
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-canvas">
      <p role="status" className="sr-only">
        {said}
      </p>
      <p id={hint} hidden>
        {[movable && t.keys, between && t.laneKeys].filter(Boolean).join(" ")}
      </p>
      <TimelineTools
        table={table}
        state={state}
        title={tickLabel({ day: scroll.unit, days: 1 }, major, true, language)}
        scale={scale}
        onScale={(next) => {
          scroll.rescale(next);
          state.set({ timeScale: next });
        }}
        onTurn={scroll.turn}
        onToday={() => scroll.show(today, 0.25)}
        critical={dependsOn && asked}
        onCritical={() => setAsked(!asked)}
        unscheduled={waiting.total}
        listed={listed}
        onList={() => setListed(!listed)}
      />
      {path && (
        <p role="status" className={join("px-4 pb-2 text-[13px]", path.problem ? "text-danger" : "text-muted")}>
          {path.problem ?? (path.end ? t.ends(path.ids.size, dates.format(dayNumber(path.end) * 864e5)) : t.noPath)}
        </p>
      )}
      {(source.total ?? 0) > maxBars && (
        <p className="px-4 pb-2 text-[13px] text-muted">{text.view.tooMany(maxBars)}</p>
      )}
      <div className="flex min-h-0 flex-1 border-t border-line max-sm:flex-col">
        {/* Dropping and double clicks are second ways: the list of the unscheduled has buttons, the toolbar a form. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={box}
          role="group"
          aria-label={t.bars}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and may have no bar to focus
          tabIndex={0}
          onScroll={scroll.onScroll}
          onDragOver={(event) => movable && event.dataTransfer.types.includes(dragType) && event.preventDefault()}
          onDrop={drop}
          onDoubleClick={({ target, clientX }) => {
            if (!valueOn || !rights.create || (target as Element).closest("[data-bar]")) return;
            onCreate({ [start.name]: valueOn(dayAt(scroll.dayUnder(clientX)), start, people) });
          }}
          className="relative min-h-0 min-w-0 flex-1 overflow-auto"
        >
          <div className="flex min-h-full flex-col" style={{ width: (span.to - span.from) * width }}>
            <TimelineHead scale={scale} span={span} today={today} language={language} />
            <div ref={ground} className="relative flex-1" style={{ minHeight: height + 24 }}>
              <TimelineLines scale={scale} span={span} today={today} />
              {dependsOn && (
                <TimelineArrows
                  list={dependencies(drawn, dependsOn)}
                  middleOf={(id) => middles.get(id)}
                  span={span}
                  width={width}
                  isCritical={({ before, after }) => isCritical(before) && isCritical(after)}
                  describe={({ before, after }) => t.dependency(nameOf(before.row), nameOf(after.row))}
                />
              )}
              {lanes.map(({ lane, top }) => (
                <section key={lane.id} data-lane={lane.id} aria-label={lane.label || undefined}>
                  {drag && drag.from !== drag.to && drag.to === lane.id && (
                    <div
                      aria-hidden
                      style={{ top: top - heights.head, height: heights.head + lane.tracks * heights.line }}
                      className="absolute inset-x-0 bg-accent-soft/60 outline-2 -outline-offset-2 outline-(--ring)"
                    />
                  )}
                  {laneBy && (
                    <div
                      style={{ top: top - heights.head, height: heights.head }}
                      className="absolute inset-x-0 flex items-center border-t border-line"
                    >
                      <h3 className="sticky left-3 flex items-center gap-2 text-[13px] font-[560]">
                        <span className={lane.tone && "tone"} data-tone={lane.tone}>
                          {lane.label}
                        </span>
                        <span className="text-faint tabular-nums">{lane.bars.length}</span>
                      </h3>
                    </div>
                  )}
                  <ul>
                    {lane.bars.map((bar) => (
                      <li key={bar.row.id}>
                        <TimelineBar
                          bar={bar}
                          name={nameOf(bar.row)}
                          range={rangeOf(bar)}
                          origin={span.from}
                          width={width}
                          top={top + bar.track * heights.line}
                          height={heights.bar}
                          outside={isOutside(bar)}
                          tone={toneOf(bar.row)}
                          critical={isCritical(bar)}
                          movable={movable}
                          crosses={between}
                          resizable={end !== undefined}
                          hint={hint}
                          drag={drag}
                          onDrag={setDrag}
                          onChange={(part, days, to) => change(bar, part, days, lane.id, to)}
                          lane={lane.id}
                          laneUnder={(to) => laneUnder(lane, to)}
                          laneNext={(by) => laneNext(lane, bar, by)}
                          onOpen={() => onOpen(bar.row.id)}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
              {bars.length === 0 && (
                <p className="sticky left-0 w-fit px-4 pt-4 text-muted">{t.empty}</p>
              )}
            </div>
          </div>
        </div>
        {listed && (
          <Unscheduled
            rows={unscheduled}
            total={waiting.total ?? 0}
            nameOf={nameOf}
            toneOf={waitingTone}
            movable={movable && valueOn !== undefined}
            onOpen={onOpen}
            onToday={(row) => void schedule(row, today)}
            onClose={() => setListed(false)}
          />
        )}
      </div>
    </div>
  );
}
