import { createContext, useContext } from "react";
import type { Locale } from "../locale/locale.ts";
import type { Base, Field, Role, Row, Table } from "../api/type.ts";
import { atLeast } from "./role.ts";

/** What formatting and parsing of values need to know beyond their field. */
export type ValueContext = {
  locale: Locale;
  /** The base's time zone; UTC unless given. */
  timeZone?: string;
  people: { id: string; name: string; email?: string }[];
  /** The name of a record of another table, when it was read already. */
  nameOf?: (recordId: string) => string | undefined;
  /** A field of the base, by its id. */
  fieldOf?: (fieldId: string) => Field | undefined;
  /**
   * Whether dates have the day or the month first, where a column shows it or it differs from the
   * field or the locale.
   */
  dates?: "day" | "month";
  /** How numbers are written, where that is not as in the locale: in a column of a file. */
  numbers?: { decimal: "." | ","; group: string; groupSize: 2 | 3 };
};

/** The names of linked records, which are read when they are wanted. */
export type LinkNameReader = {
  learn: (records: { id: string; name: string }[]) => void;
  want: (rows: Row[], fields: Field[]) => void;
};

/** The base that is open, and what its visitor may do in it. */
export type OpenBase = {
  base: Base;
  orgId: string | null;
  role: Role | undefined;
  people: ValueContext;
  names: LinkNameReader;
};

export const BaseContext = createContext<OpenBase | null>(null);

/** The open base; `canShape` says whether the visitor may change its tables and fields. */
export function useBase(): OpenBase & { canWrite: boolean; canShape: boolean } {
  const open = useContext(BaseContext);
  if (!open) throw new Error("there is no open base here");
  return { ...open, canWrite: atLeast(open.role, "editor"), canShape: atLeast(open.role, "admin") };
}

export function tableOf(base: Base, tableId: string | undefined): Table | undefined {
  return base.tables.find((table) => table.id === tableId);
}
