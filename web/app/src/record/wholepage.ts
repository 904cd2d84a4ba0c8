import { Problem } from "../api/problem.ts";
import type { RecordQuery } from "../api/query.ts";
import type { RowPage } from "../api/type.ts";
import { currentText } from "../text/index.ts";

export type ReadRows = (tableId: string, query: RecordQuery, signal?: AbortSignal) => Promise<RowPage>;

/** Why a range of rows is not given: some of them did not come. */
export function incomplete(): Problem {
  const { failure, base } = currentText();
  return new Problem(-1, "incomplete", failure.unexpected, base.rowsMissing);
}

const parallel = 4; // pages that are read at once

/** Does work for each of some pages, for several at once. */
export async function atOnce(pages: readonly number[], work: (page: number) => Promise<void>): Promise<void> {
  const left = [...pages];
  const worker = async () => {
    // oxlint-disable-next-line no-await-in-loop -- each worker has one page after the other
    for (let page = left.shift(); page !== undefined; page = left.shift()) await work(page);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

/** Reads the pages of a list up to a row, each from where the one before ended, which costs the same however many. */
export async function readByCursor(
  read: (place: { offset: number } | { cursor: string }) => Promise<RowPage>,
  { to, size }: { to: number; size: number },
  take: (page: number, answer: RowPage) => void,
): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page * size <= to; page++) {
    // oxlint-disable-next-line no-await-in-loop -- each answer names the next
    const answer = await read(cursor === undefined ? { offset: page * size } : { cursor });
    take(page, answer);
    cursor = answer.cursor;
    if (!answer.hasMore) break;
  }
}

/**
 * Reads a whole page, in several requests where the service ends one early because its answers are
 * bounded in bytes.
 */
export async function readWhole(
  read: ReadRows,
  tableId: string,
  query: RecordQuery & { limit: number },
  signal?: AbortSignal,
): Promise<RowPage> {
  const { offset: _, ...behind } = query;
  let answer = await read(tableId, query, signal);
  const { records, colors } = answer;
  while (answer.hasMore && records.length < query.limit && answer.cursor !== undefined) {
    const rest = { cursor: answer.cursor, limit: query.limit - records.length };
    // oxlint-disable-next-line no-await-in-loop -- each answer names the next
    answer = await read(tableId, { ...behind, ...rest }, signal);
    records.push(...answer.records);
    colors?.push(...(answer.colors ?? []));
  }
  return { ...answer, records, colors };
}
