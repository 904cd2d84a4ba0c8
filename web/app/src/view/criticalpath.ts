import { useEffect, useState } from "react";
import { Problem } from "../api/problem.ts";
import { getCriticalPath } from "../api/read.ts";
import type { Field, Filter } from "../api/type.ts";
import type { RowSource } from "../record/source.ts";
import { follow } from "../record/totals.ts";

/** The records whose delay would delay the last one, and when that ends; or why nobody can say. */
export type CriticalPath = { ids: ReadonlySet<string>; end?: string; problem?: string };

type Wanted = { start: Field; end: Field | undefined; dependsOn: Field; filters: Filter[] };

/** The critical path of all records of a view, read again when records change. Without `wanted` nothing is read. */
export function useCriticalPath(source: RowSource, wanted: Wanted | undefined): CriticalPath | undefined {
  const { tableId, writer } = source;
  const query = wanted && {
    search: source.query.search,
    filters: JSON.stringify(wanted.filters),
    startFieldId: wanted.start.id,
    endFieldId: wanted.end?.id,
    dependsOnFieldId: wanted.dependsOn.id,
  };
  const key = JSON.stringify([tableId, query]);
  const [found, setFound] = useState<{ key: string; path: CriticalPath }>();
  useEffect(() => {
    if (!query) return undefined;
    return follow(
      { tableId, writer },
      (signal) => getCriticalPath({ tableId, query }, { signal }),
      ({ tasks, end }) => setFound({ key, path: { ids: new Set(tasks.map(({ id }) => id)), end } }),
      (error) => setFound({ key, path: { ids: new Set(), problem: Problem.from(error).message } }),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- the key is the query
  }, [key, writer]);
  return query && found?.key === key ? found.path : undefined;
}
