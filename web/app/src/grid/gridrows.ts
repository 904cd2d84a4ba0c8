import type { RowSource } from "../record/source.ts";

/** What the grid needs of the rows that it draws, by their places in it. */
export type GridRows = Pick<
  RowSource,
  | "tableId"
  | "query"
  | "writer"
  | "total"
  | "at"
  | "indexOf"
  | "find"
  | "range"
  | "ensure"
  | "refresh"
  | "edit"
  | "create"
  | "begin"
  | "delete"
  | "snapshot"
> & { subscribe: (listener: () => void) => () => void };
