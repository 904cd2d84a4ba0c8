import { readPage, type RecordQuery } from "../api/query.ts";
import type { RowPage } from "../api/type.ts";

const maxAge = 3000; // milliseconds after which a prefetched response is read again

type Prefetched = { tableId: string; key: string; at: number; request: Promise<RowPage>; page?: RowPage };

// A page is opened once at a time, so one answer is all there is to keep.
let prefetched: Prefetched | undefined;

const keyOf = (tableId: string, query: RecordQuery) => JSON.stringify([tableId, query]);

function find(tableId: string, query: RecordQuery): Prefetched | undefined {
  if (prefetched?.key !== keyOf(tableId, query)) return undefined;
  return performance.now() - prefetched.at < maxAge ? prefetched : undefined;
}

/**
 * Begins to read a page of records that will soon be requested, while the code that shows it is
 * still loading. Returns when it has come or has failed; the caller that takes it gets the failure.
 */
export async function prefetchPage(tableId: string, query: RecordQuery): Promise<void> {
  const request = readPage(tableId, query);
  const mine: Prefetched = { tableId, key: keyOf(tableId, query), at: performance.now(), request };
  prefetched = mine;
  try {
    mine.page = await mine.request;
  } catch {
    // The caller that takes it gets the failure.
  }
}

/** Reads a page of records, or takes it when it was prefetched. It is taken once. */
export function readOrTake(tableId: string, query: RecordQuery, signal?: AbortSignal): Promise<RowPage> {
  const found = find(tableId, query);
  prefetched = undefined;
  return found?.request ?? readPage(tableId, query, signal);
}

/** A prefetched page that has come. It stays until it is taken or dropped. */
export function peekPage(tableId: string, query: RecordQuery): RowPage | undefined {
  return find(tableId, query)?.page;
}

/** Drops a prefetched page that has come, because it is shown. */
export function dropPage() {
  if (prefetched?.page) prefetched = undefined;
}

/** Drops what was prefetched of a table, because the table has changed. */
export function dropOld(tableId: string) {
  if (prefetched?.tableId === tableId) prefetched = undefined;
}
