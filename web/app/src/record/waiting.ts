import type { Problem } from "../api/problem.ts";

/** Why changes wait: no answer came, nobody is signed in, too many requests, or the service fails. */
export type Cause = "offline" | "signedOut" | "tooMany" | "failing";

export function causeOf(problem: Problem | undefined): Cause {
  if (problem?.status === 401) return "signedOut";
  if (problem?.status === 429) return "tooMany";
  return problem && problem.status !== 0 ? "failing" : "offline";
}
