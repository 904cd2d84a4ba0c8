import { post, Problem } from "../api/client.ts";
import type { Row, Values } from "../api/type.ts";

export type Refused = { line: number; reason: string };
export type Outcome = { imported: number; refused: Refused[]; stopped: boolean };
type Send = (tableId: string, records: { fields: Values }[], key: string) => Promise<unknown>;

const batchSize = 100;
const patience = 8; // times that a request without an answer is sent again, with growing waits

const sendBatch: Send = (tableId, records, key) => post<{ records: Row[] }>(`/tables/${tableId}/records`, { records }, { "Idempotency-Key": key });

type Input = { line: number; values: Values };
type Options = { onProgress: (done: number) => void; signal: AbortSignal; send?: Send; wait?: (ms: number) => Promise<void> };

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Writes rows as records in their order, a hundred a request. A request that the service refuses is divided until the
 * rows at fault are found; they are reported and all others are written. A request that got no answer is sent again under
 * the same idempotency key, so that no row is written twice.
 */
export async function importRows(tableId: string, rows: Input[], { onProgress, signal, send = sendBatch, wait = sleep }: Options): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, refused: [], stopped: false };
  let done = 0;

  const write = async (part: Input[]): Promise<void> => {
    if (part.length === 0 || signal.aborted) return;
    const key = crypto.randomUUID();
    for (let attempt = 0; ; attempt++) {
      try {
        await send(tableId, part.map((row) => ({ fields: row.values })), key);
        outcome.imported += part.length;
        done += part.length;
        onProgress(done);
        return;
      } catch (error) {
        const problem = Problem.from(error);
        if (problem.passing && attempt < patience && !signal.aborted) {
          await wait(problem.retryAfter ? problem.retryAfter * 1000 : Math.min(8000, 400 * 2 ** attempt));
          continue;
        }
        if (problem.status !== 400 && problem.status !== 409 && problem.status !== 413) throw problem;
        return divide(part, problem);
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

  for (let next = 0; next < rows.length && !signal.aborted; next += batchSize) await write(rows.slice(next, next + batchSize));
  outcome.stopped = signal.aborted;
  outcome.refused.sort((a, b) => a.line - b.line);
  return outcome;
}
