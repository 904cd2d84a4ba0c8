import type { Table, View } from "../api/type.ts";
import { viewKind } from "./kind.ts";

/**
 * The views of a table that are offered to somebody: one that only makes records, as a form, is for
 * those who may create them. A table keeps at least one view.
 */
export function offeredViews(table: Table, mayCreate: boolean): View[] {
  const offered = table.views.filter((view) => mayCreate || viewKind(view.type).shows !== "entry");
  return offered.length > 0 ? offered : table.views;
}
