import { createContext, useContext } from "react";
import type { NameStore } from "../record/name.ts";
import { cache } from "../api/query.ts";
import type { Base, Role, Table, View } from "../api/type.ts";
import type { Context } from "../field/value.ts";
import { atLeast } from "../org/role.ts";

/** The base that is open, and what its visitor may do in it. */
export type Opened = { base: Base; orgId: string | null; role: Role | undefined; people: Context; names: NameStore };

export const OpenedContext = createContext<Opened | null>(null);

export function useOpened(): Opened & { canWrite: boolean; canShape: boolean } {
  const opened = useContext(OpenedContext);
  if (!opened) throw new Error("there is no open base here");
  return { ...opened, canWrite: atLeast(opened.role, "editor"), canShape: atLeast(opened.role, "admin") };
}

/** Who may save a view: editors, and of a locked one admins. The service decides; this says what to offer. */
export function canSaveView(role: Role | undefined, view: View): boolean {
  return atLeast(role, view.access === "locked" ? "admin" : "editor");
}

export function tableOf(base: Base, tableId: string | undefined): Table | undefined {
  return base.tables.find((table) => table.id === tableId);
}

/** Reads the base's schema anew, after it was changed. */
export function refreshBase(baseId: string): Promise<void> {
  return cache.invalidateQueries({ queryKey: ["base", baseId] });
}
