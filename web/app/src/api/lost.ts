import { Problem } from "./problem.ts";

/**
 * Whether a page has to show the failure of a query instead of its content. It keeps its content,
 * and what is typed in it, through a failure that passes: the service is away for a moment, or the
 * person is signed out and is asked to sign in in another tab.
 */
export function isLost(query: { isError: boolean; data: unknown; error: unknown }): boolean {
  if (!query.isError) return false;
  const { status, temporary } = Problem.from(query.error);
  return query.data === undefined || (status !== 401 && !temporary);
}
