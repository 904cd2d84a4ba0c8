import { createRecords } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { Values } from "../api/type.ts";

export type Refused = { line: number; reason: string };
export type Outcome = {
  imported: number;
  /**
   * The records that were made, as far as the service named them: fewer than imported when an
   * answer was lost.
   */
  ids: string[];
  /** Rows that the service did not take, by their line. */
  refused: Refused[];
  /** Lines of rows that were not tried, because the import was stopped or could not go on. */
  left: number[];
  stopped: boolean;
  /** Why the import could not go on. */
  problem?: Problem;
};
/** Writes records and answers their ids. */
type Send = (tableId: string, records: { fields: Values }[], key: string, changeSet: string) => Promise<string[]>;

const batchSize = 100;
const longestWait = 8000; // milliseconds between two tries

const sendBatch: Send = async (tableId, records, key, changeSet) => {
  const answer = await createRecords({ tableId, body: { records } }, { idempotencyKey: key, changeSet });
  return answer.records.map((record) => record.id);
};

type Input = { line: number; values: Values };
type Options = {
  onProgress: (done: number) => void;
  /**
   * Called with what keeps a request from being answered, and without anything when the import goes
   * on.
   */
  onPause?: (problem?: Problem) => void;
  signal: AbortSignal;
  changeSet: string;
  send?: Send;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Waits, but not longer than until the connection is back or the signal is given. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

/**
 * Writes rows as records, a hundred a request, one request after the other: records stand in the
 * order in which they were made, which is to be the file's. A request that the service refuses is
 * divided until the rows at fault are found; they are reported and all others are written. A
 * request that got no answer, or that found nobody signed in, is sent again for as long as it
 * takes, under the same idempotency key, so that no row is written twice. Any other failure ends
 * the import; the outcome says what was done until then.
 */
export async function importRows(
  tableId: string,
  rows: Input[],
  { onProgress, onPause, signal, changeSet, send = sendBatch, wait = sleep }: Options,
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, ids: [], refused: [], left: [], stopped: false };
  let done = 0;
  const leave = (part: Input[]) => {
    outcome.left.push(...part.map((row) => row.line));
  };
  const written = (part: Input[]) => {
    outcome.imported += part.length;
    done += part.length;
    onProgress(done);
  };

  const write = async (part: Input[]): Promise<void> => {
    if (part.length === 0) return;
    if (signal.aborted || outcome.problem) return leave(part);
    const key = crypto.randomUUID();
    for (let attempt = 0; ; attempt++) {
      try {
        const ids = await send(
          tableId,
          part.map((row) => ({ fields: row.values })),
          key,
          changeSet,
        );
        if (attempt > 0) onPause?.();
        outcome.ids.push(...ids);
        return written(part);
      } catch (error) {
        const problem = Problem.from(error);
        if (problem.temporary || problem.status === 401 || problem.code === "idempotency_in_progress") {
          if (signal.aborted) return leave(part);
          onPause?.(problem);
          await wait(
            problem.retryAfter ? problem.retryAfter * 1000 : Math.min(longestWait, 400 * 2 ** attempt),
            signal,
          );
          continue;
        }
        if (attempt > 0) onPause?.();
        if (problem.code === "idempotency_answer_lost") return written(part); // it was done, and its answer is gone
        if (problem.status === 400 || problem.status === 409 || problem.status === 413) return divide(part, problem);
        outcome.problem = problem;
        return leave(part);
      }
    }
  };

  const refuse = (row: Input, reason: string) => {
    outcome.refused.push({ line: row.line, reason });
    done++;
    onProgress(done);
  };

  const divide = async (part: Input[], problem: Problem): Promise<void> => {
    const only = part[0];
    if (part.length === 1 && only) return refuse(only, problem.message);
    const named = new Map<number, string>();
    for (const item of problem.items) {
      const index = Number(/^records\[(\d+)\]/.exec(item.path)?.[1] ?? NaN);
      if (Number.isInteger(index) && index < part.length && !named.has(index)) named.set(index, item.message);
    }
    if (named.size > 0) {
      for (const [index, reason] of named) refuse(part[index]!, reason);
      return write(part.filter((_, index) => !named.has(index)));
    }
    const half = Math.ceil(part.length / 2);
    await write(part.slice(0, half));
    return write(part.slice(half));
  };

  for (let next = 0; next < rows.length; next += batchSize) await write(rows.slice(next, next + batchSize));
  outcome.stopped = signal.aborted;
  outcome.refused.sort((a, b) => a.line - b.line);
  outcome.left.sort((a, b) => a - b);
  return outcome;
}
