import { CalendarDays, ChartColumn, ChartGantt, ClipboardList, LayoutGrid, SquareKanban, Table2 } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { Filter, Table, ViewConfig, ViewType } from "../api/type.ts";
import { loadControls } from "../field/control/index.ts";
import { loadEditors } from "../field/editor/index.ts";
import { isWritable } from "../field/value.ts";
import { preloadable } from "../ui/preloadable.tsx";
import type { ChartOptionsProps, ChartViewProps, EntryViewProps, RecordViewProps, ToolbarKind } from "./contract.ts";
import {
  choices,
  coverField,
  endField,
  type FieldSetting,
  initialField,
  laneField,
  stackField,
  startField,
} from "./fieldsetting.ts";
import { firstGroup } from "./group.ts";
import { calendarFilters, type Clock, timelineFilters, today } from "./month.ts";

type Common = {
  icon: LucideIcon;
  settings: FieldSetting[];
  /** What a new view begins with in addition to its settings. */
  initial?: (table: Table) => ViewConfig;
};

/** A kind of view that shows records, and what its toolbar offers. */
export type RecordKind = Common & ToolbarKind & {
  shows: "records";
  /**
   * Restricts the records to those at a position, whatever the size of the table; without one, to
   * the current day.
   */
  within?: (table: Table, config: ViewConfig, position: string | undefined, clock: Clock) => Filter[];
  Component: ReturnType<typeof preloadable<RecordViewProps>>;
};

/** A kind of view that draws its records, and reads none of them. */
export type ChartKind = Common &
  ToolbarKind & {
    shows: "chart";
    /** Further parts of the toolbar. */
    Options: ReturnType<typeof preloadable<ChartOptionsProps>>;
    Component: ReturnType<typeof preloadable<ChartViewProps>>;
  };

/** A kind of view that takes entries and shows no records. */
type EntryKind = Common & { shows: "entry"; Component: ReturnType<typeof preloadable<EntryViewProps>> };

export type ViewKind = RecordKind | ChartKind | EntryKind;

const everything = { fields: true, filters: true, sorts: true, colors: true } as const;

/** Every kind of view, with what it can do. */
const kinds: Record<ViewType, ViewKind> = {
  grid: {
    ...everything,
    shows: "records",
    icon: Table2,
    settings: [],
    groups: true,
    rowHeights: true,
    creates: true,
    Component: preloadable(async () => {
      const [{ GridView }] = await Promise.all([import("./grid.tsx"), loadEditors()]);
      return GridView;
    }),
  },
  gallery: {
    ...everything,
    shows: "records",
    icon: LayoutGrid,
    settings: [coverField],
    groups: true,
    rowHeights: false,
    creates: true,
    Component: preloadable(async () => (await import("./gallery.tsx")).GalleryView),
  },
  kanban: {
    ...everything,
    shows: "records",
    icon: SquareKanban,
    settings: [stackField],
    groups: false,
    rowHeights: false,
    creates: false,
    Component: preloadable(async () => (await import("./kanban.tsx")).KanbanView),
  },
  calendar: {
    ...everything,
    shows: "records",
    icon: CalendarDays,
    settings: [startField, endField],
    groups: false,
    rowHeights: false,
    creates: false,
    within: (table, config, position, clock) =>
      calendarFilters(table, config, position ?? today(clock), clock.locale),
    Component: preloadable(async () => (await import("./calendar.tsx")).CalendarView),
  },
  timeline: {
    ...everything,
    shows: "records",
    icon: ChartGantt,
    settings: [startField, endField],
    groups: false,
    rowHeights: false,
    creates: true,
    initial: (table) => ({
      endFieldId: choices(startField, table).filter(isWritable)[1]?.id,
      laneFieldId: initialField(laneField, table)?.id,
    }),
    within: (table, config, position, clock) =>
      timelineFilters(table, config, position ?? today(clock), clock.locale),
    Component: preloadable(async () => (await import("./timeline.tsx")).TimelineView),
  },
  chart: {
    shows: "chart",
    icon: ChartColumn,
    settings: [],
    fields: false,
    filters: true,
    sorts: false,
    groups: false,
    rowHeights: false,
    colors: false,
    creates: false,
    initial: (table) => ({ chart: { kind: "bar", value: { fn: "count" }, groupBy: firstGroup(table) } }),
    Options: preloadable(async () => (await import("./chart.tsx")).ChartOptions, null),
    Component: preloadable(async () => (await import("./chart.tsx")).ChartView),
  },
  form: {
    shows: "entry",
    icon: ClipboardList,
    settings: [],
    Component: preloadable(async () => {
      const [{ FormView }] = await Promise.all([import("./form.tsx"), loadControls()]);
      return FormView;
    }),
  },
};

/** The kind of a view. One that this version does not know is shown as a grid. */
export function viewKind(type: ViewType): ViewKind {
  return kinds[type] ?? kinds.grid;
}

/** What a new view begins with: the fields that it is built on, when the table has such. */
export function initialConfig(type: ViewType, table: Table): ViewConfig {
  const { settings, initial } = viewKind(type);
  const config: ViewConfig = { ...initial?.(table) };
  for (const setting of settings) {
    const field = initialField(setting, table);
    if (field) config[setting.key] = field.id;
  }
  return config;
}
