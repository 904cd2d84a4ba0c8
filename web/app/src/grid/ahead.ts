import { readPage, type RecordQuery } from "../api/query.ts";
import type { RowPage } from "../api/type.ts";

const good = 3000; // milliseconds; what was read longer ago than that is read anew

type Kept = { key: string; at: number; page: Promise<RowPage> };

// A page is opened once at a time, so one answer is all there is to keep.
let kept: Kept | undefined;

const keyOf = (tableId: string, query: RecordQuery) => JSON.stringify([tableId, query]);

/** Begins to read a page of records that is about to be asked for, while the code that shows it is still on its way. */
export function readAhead(tableId: string, query: RecordQuery) {
  const page = readPage(tableId, query);
  page.catch(() => undefined); // told to the one who takes it
  kept = { key: keyOf(tableId, query), at: performance.now(), page };
}

/** Reads a page of records, or takes it when it was begun ahead. It is taken once. */
export function readOrTake(tableId: string, query: RecordQuery, signal?: AbortSignal): Promise<RowPage> {
  const ahead = kept;
  kept = undefined;
  if (ahead && ahead.key === keyOf(tableId, query) && performance.now() - ahead.at < good) return ahead.page;
  return readPage(tableId, query, signal);
}
