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
  const { records } = answer;
  while (answer.hasMore && records.length < query.limit && answer.cursor !== undefined) {
    const rest = { cursor: answer.cursor, limit: query.limit - records.length };
    // oxlint-disable-next-line no-await-in-loop -- each answer names the next
    answer = await read(tableId, { ...behind, ...rest }, signal);
    records.push(...answer.records);
  }
  return { ...answer, records };
}
