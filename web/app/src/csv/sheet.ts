/** A row of a file and its place in it, counted from 1. */
export type SheetRow = { line: number; cells: string[] };

/**
 * A file as it was read: the names of its columns, and its rows. A name is "" where the file has
 * none.
 */
export type Sheet = { encoding: string; hasHeader: boolean; header: string[]; rows: SheetRow[]; unreadable: number };
