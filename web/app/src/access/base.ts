import { createContext, useContext } from "react";
import type { Locale } from "../locale/locale.ts";
import type { Base, BaseRole, Field, RecordRights, Row, Table } from "../api/type.ts";
import { atLeastInBase } from "./role.ts";

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
  /** What the person may do in the base; a table may have rights of its own. */
  role: BaseRole;
  people: ValueContext;
  names: LinkNameReader;
};

export const BaseContext = createContext<OpenBase | null>(null);

type May = {
  /** They write comments. */
  canComment: boolean;
  /** They write records, unless a table says otherwise, and make views. */
  canWrite: boolean;
  /** They change tables, fields, permissions and shares. */
  canShape: boolean;
};

/** The open base, and what its visitor may do there. */
export function useBase(): OpenBase & May {
  const open = useContext(BaseContext);
  if (!open) throw new Error("there is no open base here");
  const { role } = open;
  return {
    ...open,
    canComment: atLeastInBase(role, "commenter"),
    canWrite: atLeastInBase(role, "editor"),
    canShape: atLeastInBase(role, "creator"),
  };
}

/** What the visitor of a base may do with the records of one of its tables. */
export function rightsIn(role: BaseRole, table: Table): RecordRights {
  const writes = atLeastInBase(role, "editor");
  return table.rights ?? { create: writes, edit: writes, delete: writes };
}

const writes = ({ rights }: Table) => rights !== undefined && (rights.create || rights.edit || rights.delete);

/** Reports whether the visitor of a base may change records of some table. */
export function writesIn(role: BaseRole, base: Base): boolean {
  return atLeastInBase(role, "editor") || base.tables.some(writes);
}

/** What the visitor of the open base may do with the records of a table. */
export function useRights(table: Table): RecordRights {
  return rightsIn(useBase().role, table);
}

/** The base as somebody sees it who looks at its past, which nobody changes. */
export function inPast(open: OpenBase): OpenBase {
  const tables = open.base.tables.map((table) => ({ ...table, rights: undefined }));
  return { ...open, role: "viewer", base: { ...open.base, tables } };
}

export function tableOf(base: Base, tableId: string | undefined): Table | undefined {
  return base.tables.find((table) => table.id === tableId);
}
