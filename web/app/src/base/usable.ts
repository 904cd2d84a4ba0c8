import type { Table, View } from "../api/type.ts";

/**
 * The views of a table that somebody can use: a form is for those who may create records. A table keeps at least one
 * view.
 */
export function usableViews(table: Table, canWrite: boolean): View[] {
  const usable = table.views.filter((view) => canWrite || view.type !== "form");
  return usable.length > 0 ? usable : table.views;
}
