import type { Problem } from "../api/problem.ts";

/**
 * What the service says of the password: it asks for it again for a key without an end, some time
 * after signing in.
 */
export const passwordProblem = (problem: Problem) => problem.items.find((item) => item.path === "password")?.message;
