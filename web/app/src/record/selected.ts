import { deleteSelectedRecords } from "../api/change.ts";
import type { Progress } from "./call.ts";
import type { RowQuery } from "./source.ts";

type Service = { deleteSelectedRecords: typeof deleteSelectedRecords };

/**
 * Deletes all records that a query finds except `except`, as many in each request as the service
 * takes, in one change set. Nothing is read before. Resolves with how many were deleted, also when
 * `signal` gives up the rest.
 */
export async function deleteFound(
  tableId: string,
  { filters, search }: Pick<RowQuery, "filters" | "search">,
  except: readonly string[],
  progress: Progress,
  signal: AbortSignal,
  service: Service = { deleteSelectedRecords },
): Promise<number> {
  const changeSet = crypto.randomUUID();
  // Queries have filters as the address of a list writes them.
  const conditions = filters as Record<string, unknown>[] | undefined;
  const body = { filters: conditions, search, except: except.length > 0 ? [...except] : undefined };
  let done = 0;
  for (let more = true; more && !signal.aborted;) {
    const answer = await service.deleteSelectedRecords({ tableId, body }, { changeSet });
    done += answer.count;
    progress(done);
    more = answer.more && answer.count > 0;
  }
  return done;
}
