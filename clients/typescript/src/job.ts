import type { Job } from "./schema.js";
import type { Sender } from "./sender.js";

export type JobOptions = { signal?: AbortSignal };

const jobWait = 25; // seconds that one request waits for the end of a job

/** A job that failed or was cancelled. */
export class JobError extends Error {
  override readonly name = "JobError";

  constructor(readonly job: Job) {
    super(`the job ${job.state}${job.report?.problem ? `: ${job.report.problem}` : ""}`);
  }
}

export async function waitForJob(sender: Sender, id: string, { signal }: JobOptions = {}): Promise<Job> {
  for (;;) {
    const query = { wait: jobWait };
    const job = await sender.send<Job>("GET", `/jobs/${encodeURIComponent(id)}`, { query, signal });
    if (job.endedAt === null) continue;
    if (job.state !== "done") throw new JobError(job);
    return job;
  }
}
