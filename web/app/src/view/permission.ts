import { atLeast } from "../access/role.ts";
import type { Role, Table, View } from "../api/type.ts";
import { viewKind } from "./kind.ts";

/**
 * Who may save a view: editors, and of a locked one admins. The service decides; this says what to
 * offer.
 */
export function canSaveView(role: Role | undefined, view: View): boolean {
  return atLeast(role, view.access === "locked" ? "admin" : "editor");
}

/**
 * The views of a table that are offered to somebody: one that only makes records, as a form, is for
 * those who may create them. A table keeps at least one view.
 */
export function offeredViews(table: Table, canWrite: boolean): View[] {
  const offered = table.views.filter((view) => canWrite || viewKind(view.type).shows === "records");
  return offered.length > 0 ? offered : table.views;
}
