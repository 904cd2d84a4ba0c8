import { importBase, importTable } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import { getJob } from "../api/read.ts";
import type { Body, Job, Schemas } from "../api/type.ts";
import { upload } from "../api/upload.ts";
import { csvTextOf } from "../text/csv.ts";
import type { Locale } from "../locale/locale.ts";
import type { Preview } from "./plan.ts";

/** Where the records of a file go: into a table, or into a new one of a base. */
export type Target = { tableId: string } | { baseId: string };

type Choice = Omit<Body<"import_table"> & Body<"import_base">, "content" | "dryRun">;

/** What an import of a file is asked to do. */
export type Request = Choice & { file: string };

/** How a file is read, and which of its rows do not fit. */
export type Checked = Preview &
  Pick<Schemas["TableReport"], "refusals" | "moreRefusals"> & {
    refused: number;
    planToken?: string; // with which the import is as it was checked, or refused
  };

/** Sends a file to the service, which keeps it for a day, and returns its id. */
export async function sendFile(
  target: Target,
  file: File,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<string> {
  const to = "tableId" in target ? (`tables/${target.tableId}/imports` as const) : (`bases/${target.baseId}` as const);
  return (await upload({ to, file, signal, onProgress })).id;
}

/** Begins the import of a file. It goes on when the page is closed. */
export const beginImport = (target: Target, { name, ...request }: Request, key?: string): Promise<Job> => {
  const options = key === undefined ? {} : { idempotencyKey: key };
  return "tableId" in target
    ? importTable({ tableId: target.tableId, body: request as Body<"import_table"> }, options)
    : importBase({ baseId: target.baseId, body: { ...request, name } as Body<"import_base"> }, options);
};

/** The import of a sheet, or of a file that has none: its job, or why it did not begin. */
export type Part = { name: string; job?: Job; problem?: string };

const messageOf = (error: unknown, otherwise: string) => (error instanceof Problem ? error.message : otherwise);

/** Begins the import of a part of a file. Where too many are under way, it waits for one of those before it. */
export async function beginPart(
  target: Target,
  request: Request,
  before: Part[],
  signal: AbortSignal,
  unreadable: string,
): Promise<Part> {
  const name = request.sheet ?? "";
  const waiting = before.filter(({ job }) => job);
  for (;;) {
    try {
      // A key of its own for each try, because a refusal is the answer to its key.
      return { name, job: await beginImport(target, request, crypto.randomUUID()) };
    } catch (error) {
      const first = waiting.shift()?.job;
      if (!first || !(error instanceof Problem && error.status === 409))
        return { name, problem: messageOf(error, unreadable) };
      await follow(first, signal);
    }
  }
}

/** Follows the import of a part to its end, or as far as the service can be asked. */
export async function followPart(
  part: Part,
  signal: AbortSignal,
  unreadable: string,
  onProgress: (part: Part) => void,
): Promise<Part> {
  if (!part.job) return part;
  try {
    return { ...part, job: await follow(part.job, signal, (job) => onProgress({ ...part, job })) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...part, problem: messageOf(error, unreadable) };
  }
}

const waitAtOnce = 20; // seconds
const pause = 2000; // milliseconds, while the service cannot be reached

/** Follows a job to its end. Throws an AbortError when the signal is given, which leaves the job running. */
async function follow(job: Job, signal: AbortSignal, onProgress?: (job: Job) => void): Promise<Job> {
  let now = job;
  while (now.endedAt === null) {
    try {
      now = await getJob({ jobId: job.id, query: { wait: onProgress ? 1 : waitAtOnce } }, { signal });
      onProgress?.(now);
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem && error.temporary)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return now;
}

/** Has a file read, and its values checked if the request says what the columns are for. Nothing is written. */
export async function check(target: Target, request: Request, signal: AbortSignal, locale: Locale): Promise<Checked> {
  const body = { ...request, dryRun: true };
  const { report } = await follow(await beginImport(target, body), signal);
  if (!report?.reading)
    throw new Problem(400, "invalid", csvTextOf(locale).unreadable, report?.problem ?? csvTextOf(locale).unreadable);
  const { refused = 0, refusals, moreRefusals } = report.tables?.[0] ?? {};
  return { ...(report.reading as Preview), refused, refusals, moreRefusals, planToken: report.planToken };
}
