import { afterEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import { takeJobProgress } from "../../src/api/jobprogress.ts";
import { key } from "../../src/api/key.ts";
import type { Job } from "../../src/api/type.ts";

const listed = [...key.jobs, "org_1"];
const one = [...key.jobs, "one", "job_1"];
const job = (id: string) =>
  ({ id, kind: "import_table", state: "running", done: 0, total: null, endedAt: null }) as Job;
const progress = { id: "job_1", kind: "import_table", done: 4000, total: 9000 } as const;

afterEach(() => {
  cache.clear();
  vi.restoreAllMocks();
});

test("the count of a job is shown without a request, and another state has jobs read again", () => {
  const reread = vi.spyOn(cache, "invalidateQueries");
  cache.setQueryData(listed, [job("job_2"), job("job_1")]);
  cache.setQueryData(one, job("job_1"));
  takeJobProgress({ ...progress, state: "running" });
  expect(cache.getQueryData(listed)).toEqual([job("job_2"), { ...job("job_1"), done: 4000, total: 9000 }]);
  expect(cache.getQueryData(one)).toMatchObject({ done: 4000, total: 9000 });
  expect(reread).not.toHaveBeenCalled();
  takeJobProgress({ ...progress, state: "done" });
  expect(reread).toHaveBeenCalledWith({ queryKey: key.jobs });
  expect(cache.getQueryData(one)).toMatchObject({ state: "running" }); // its report comes with the state
});

test("a job that is not listed yet has jobs read again", () => {
  cache.setQueryData(listed, [job("job_2")]);
  const reread = vi.spyOn(cache, "invalidateQueries");
  takeJobProgress({ ...progress, state: "running" });
  expect(reread).toHaveBeenCalledOnce();
});
