import type { ReactNode, Ref } from "react";
import type { Table, Values, View } from "../api/type.ts";
import type { RowQuery, RowSource } from "../record/source.ts";
import type { FieldSetting } from "./fieldsetting.ts";
import type { ViewState } from "./state.ts";

/** What the toolbar of a view offers. */
export type ToolbarKind = {
  settings: FieldSetting[];
  fields: boolean;
  filters: boolean;
  sorts: boolean;
  groups: boolean;
  rowHeights: boolean;
  colors: boolean;
  /** The toolbar offers a new record. */
  creates: boolean;
};

/**
 * What the page of a view gives to the part that draws it. The page owns the toolbar, the query and
 * the rows.
 */
export type ViewProps = {
  table: Table;
  view: View;
  state: ViewState;
  /** Where in its records the view is, such as a month; undefined where it begins. */
  position: string | undefined;
  onPosition: (position: string) => void;
  /** Opens a record, at a comment on it if one is given. */
  onOpen: (recordId: string, commentId?: string) => void;
};

/** The further props of a view that shows records. Its rows were read, at least the first of them. */
export type RecordViewProps = ViewProps & {
  source: RowSource;
  /** Opens the dialog for a new record that begins with values, by field name. */
  onCreate: (start?: Values) => void;
  /** What is shown when there are no records. */
  empty: ReactNode;
  onSearch: () => void;
  ref?: Ref<ViewHandle>;
};

/** The further props of a view that draws a chart of its records. */
export type ChartViewProps = ViewProps & {
  /** Which records it is of. */
  query: RowQuery;
};

/** What the toolbar gives to what only charts have in it. */
export type ChartOptionsProps = Pick<ViewProps, "table" | "state">;

/** The further props of a view that takes entries. */
export type EntryViewProps = ViewProps & { switcher: ReactNode };

/** What the page asks of a view that shows records. */
export type ViewHandle = {
  /** Makes a record in place, where the view can do that. */
  add: () => void;
};
