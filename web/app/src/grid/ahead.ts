import { readPage, type RecordQuery } from "../api/query.ts";
import type { RowPage } from "../api/type.ts";

const good = 3000; // milliseconds; what was read longer ago than that is read anew

type Kept = { key: string; at: number; asked: Promise<RowPage>; page?: RowPage };

// A page is opened once at a time, so one answer is all there is to keep.
let kept: Kept | undefined;

const keyOf = (tableId: string, query: RecordQuery) => JSON.stringify([tableId, query]);
const held = (tableId: string, query: RecordQuery) =>
  kept && kept.key === keyOf(tableId, query) && performance.now() - kept.at < good ? kept : undefined;

/**
 * Begins to read a page of records that is about to be asked for, while the code that shows it is still on its way. Returns when it has
 * come or has failed, which is told to the one who takes it.
 */
export async function readAhead(tableId: string, query: RecordQuery): Promise<void> {
  const asked = readPage(tableId, query);
  const mine: Kept = { key: keyOf(tableId, query), at: performance.now(), asked };
  kept = mine;
  try {
    mine.page = await asked;
  } catch {
    // Told to the one who takes it.
  }
}

/** Reads a page of records, or takes it when it was begun ahead. It is taken once. */
export function readOrTake(tableId: string, query: RecordQuery, signal?: AbortSignal): Promise<RowPage> {
  const ahead = held(tableId, query);
  kept = undefined;
  return ahead?.asked ?? readPage(tableId, query, signal);
}

/** A page of records that was begun ahead and has come. It stays until somebody takes or forgets it. */
export function lookAhead(tableId: string, query: RecordQuery): RowPage | undefined {
  return held(tableId, query)?.page;
}

/** Forgets a page that was shown as lookAhead gave it. */
export function forgetAhead() {
  if (kept?.page) kept = undefined;
}
