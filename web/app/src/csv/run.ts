import { importFile } from "../api/change.ts";
import { base64, type FilePart } from "../api/importfile.ts";
import { Problem } from "../api/problem.ts";
import type { Schemas, Body } from "../api/type.ts";

export type Refused = { line: number; reason: string; cells?: string[] };
export type Outcome = {
  imported: number;
  /** The records that were made. */
  ids: string[];
  /** Rows that the service did not take, by their line. */
  refused: Refused[];
  /** How many rows were not tried, because the import was stopped or could not go on. */
  left: number;
  /** The line of the first of them. */
  leftFrom?: number;
  stopped: boolean;
  /** Why the import could not go on. */
  problem?: Problem;
};

type Sent = Body<"import_file">;
type Done = Schemas["Imported"];
/** Has a part written. */
type Send = (tableId: string, body: Sent, key: string, changeSet: string) => Promise<Done>;

const longestWait = 8000; // milliseconds between two tries

const sendPart: Send = (tableId, body, key, changeSet) =>
  importFile({ tableId, body }, { idempotencyKey: key, changeSet });

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

export type Form = Pick<Sent, "encoding" | "delimiter" | "columns">;

/**
 * Has the parts of a file written, one after the other: records stand in the order in which they
 * were made, which is to be the file's. A request that got no answer, or that found nobody signed
 * in, is sent again for as long as it takes, under the same idempotency key, so that no row is
 * written twice. Any other failure ends the import; the outcome says what was done until then.
 */
export async function importParts(
  tableId: string,
  file: Blob,
  parts: FilePart[],
  form: Form,
  { onProgress, onPause, signal, changeSet, send = sendPart, wait = sleep }: Options,
): Promise<Outcome> {
  const outcome: Outcome = { imported: 0, ids: [], refused: [], left: 0, stopped: false };
  let done = 0;

  /** Reports whether the part was written. */
  const write = async (part: FilePart): Promise<boolean> => {
    const key = crypto.randomUUID();
    const body = { ...form, line: part.line, content: await base64(file.slice(part.from, part.to)) };
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await send(tableId, body, key, changeSet);
        if (attempt > 0) onPause?.();
        outcome.imported += answer.created;
        outcome.ids.push(...(answer.ids ?? []));
        // The first mistake of each refused row comes with the cells of the row.
        for (const { line, field, message, cells } of answer.refusals ?? [])
          if (cells) outcome.refused.push({ line, reason: field ? `${field}: ${message}` : message, cells });
        return true;
      } catch (error) {
        const problem = Problem.from(error);
        if (problem.temporary || problem.status === 401 || problem.code === "idempotency_in_progress") {
          if (signal.aborted) return false;
          onPause?.(problem);
          await wait(
            problem.retryAfter ? problem.retryAfter * 1000 : Math.min(longestWait, 400 * 2 ** attempt),
            signal,
          );
          continue;
        }
        if (attempt > 0) onPause?.();
        if (problem.code === "idempotency_answer_lost") {
          outcome.imported += part.rows; // it was done, and its answer is gone
          return true;
        }
        outcome.problem = problem;
        return false;
      }
    }
  };

  for (const part of parts) {
    if (signal.aborted || outcome.problem || !(await write(part))) {
      outcome.leftFrom ??= part.line;
      outcome.left += part.rows;
      continue;
    }
    done += part.rows;
    onProgress(done);
  }
  outcome.stopped = signal.aborted && outcome.left > 0;
  return outcome;
}
