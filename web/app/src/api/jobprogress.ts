import { cache } from "./cache.ts";
import { invalidate } from "./invalidation.ts";
import { key } from "./key.ts";
import type { JobProgress } from "./live.ts";
import type { Job } from "./type.ts";

/** Shows how far a job is. Where more than its count has changed, or it is not listed yet, jobs are read again. */
export function takeJobProgress(progress: JobProgress) {
  let counted = false;
  const counting = (job: Job): Job => {
    if (job.id !== progress.id || job.state !== progress.state || job.tableId !== progress.tableId) return job;
    counted = true;
    return { ...job, done: progress.done, total: progress.total };
  };
  cache.setQueriesData<Job | Job[]>({ queryKey: key.jobs }, (shown) =>
    Array.isArray(shown) ? shown.map(counting) : shown && counting(shown),
  );
  // What cannot be read now is read when it is next shown.
  if (!counted) invalidate([key.jobs]).catch(() => undefined);
}
