import type { Filter, View } from "../api/type.ts";

const filters = "config.filters";

/**
 * What of a view's filter no longer fits its fields; while there is something, the view shows no
 * records. A form shows none anyway.
 */
export function filterProblems(view: View): { path: string; message: string }[] {
  return view.type === "form" ? [] : (view.problems ?? []).filter((problem) => problem.path.startsWith(filters));
}

/**
 * The filter without the conditions that problems are about. Groups that hold no condition any more
 * go too.
 */
export function withoutBroken(list: Filter[], paths: string[], at = filters): Filter[] {
  return list.flatMap<Filter>((filter, index): Filter[] => {
    const here = `${at}[${index}]`;
    if ("and" in filter || "or" in filter) {
      const joined = "or" in filter ? "or" : "and";
      const inner = withoutBroken("or" in filter ? filter.or : filter.and, paths, `${here}.${joined}`);
      return inner.length === 0 ? [] : [joined === "or" ? { or: inner } : { and: inner }];
    }
    return paths.some((path) => path === here || path.startsWith(`${here}.`)) ? [] : [filter];
  });
}
