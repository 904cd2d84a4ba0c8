import { CalendarDays, ClipboardList, LayoutGrid, type LucideIcon, SquareKanban, Table2 } from "lucide-react";
import type { Filter, Table, ViewConfig, ViewType } from "../api/type.ts";
import { loadControls } from "../field/control/index.ts";
import { loadEditors } from "../field/editor/index.ts";
import { preloadable } from "../ui/preloadable.tsx";
import type { EntryViewProps, RecordViewProps } from "./contract.ts";
import { coverField, endField, type FieldSetting, initialField, stackField, startField } from "./fieldsetting.ts";
import { monthFilters, monthOf, today } from "./month.ts";

type Common = { icon: LucideIcon; settings: FieldSetting[] };

/** A kind of view that shows records, and what its toolbar offers. */
export type RecordKind = Common & {
  shows: "records";
  fields: boolean;
  filters: boolean;
  sorts: boolean;
  groups: boolean;
  rowHeights: boolean;
  /** The toolbar offers a new record. */
  creates: boolean;
  /**
   * Restricts the records to those at a position, whatever the size of the table; without one, to
   * the current day of the base.
   */
  within?: (table: Table, config: ViewConfig, position: string | undefined, zone: string) => Filter[];
  Component: ReturnType<typeof preloadable<RecordViewProps>>;
};

/** A kind of view that takes entries and shows no records. */
type EntryKind = Common & { shows: "entry"; Component: ReturnType<typeof preloadable<EntryViewProps>> };

export type ViewKind = RecordKind | EntryKind;

const everything = { fields: true, filters: true, sorts: true } as const;

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
    groups: false,
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
    within: (table, config, position, zone) => monthFilters(table, config, position ?? monthOf(today(zone))),
    Component: preloadable(async () => (await import("./calendar.tsx")).CalendarView),
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
  const config: ViewConfig = {};
  for (const setting of viewKind(type).settings) {
    const field = initialField(setting, table);
    if (field) config[setting.key] = field.id;
  }
  return config;
}
