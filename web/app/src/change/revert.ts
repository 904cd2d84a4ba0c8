import { cache } from "../api/cache.ts";
import { revertChanges } from "../api/change.ts";
import { Batch, invalidate } from "../api/invalidation.ts";
import { key } from "../api/key.ts";
import { baseQuery } from "../api/query.ts";
import type { ChangeSet, RevertBody, RevertPlan } from "../api/type.ts";

type Listener = (tableIds: readonly string[]) => Promise<void> | undefined;
const listeners = new Set<Listener>();

/**
 * Calls the listener with tables that a revert has removed, and waits for it. Returns the function
 * to stop.
 */
export function onTablesRemoved(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Reverts changes, and reads again what is then out of date. Tables that are gone are left before,
 * and the rest is read by the new schema.
 */
export async function revert(baseId: string, body: RevertBody): Promise<RevertPlan> {
  const batch = new Batch();
  try {
    const plan = await revertChanges({ baseId, body }, { batch });
    if (body.dryRun || !plan.schema?.length) return plan;
    const gone = plan.schema.flatMap(({ object, does, id }) => (object === "table" && does === "removed" ? [id] : []));
    if (gone.length > 0) {
      const { queryKey } = baseQuery(baseId);
      cache.setQueryData(
        queryKey,
        (base) => base && { ...base, tables: base.tables.filter(({ id }) => !gone.includes(id)) },
      );
      await Promise.all([...listeners].map((listener) => listener(gone)));
    }
    await invalidate([key.base(baseId)]);
    return plan;
  } finally {
    await batch.refresh();
  }
}

/** Whether a revert could change anything. A base stays, and purged objects are gone. */
export function isRevertible({ tables, schema }: ChangeSet): boolean {
  if (schema.some(({ object, does }) => object === "base" && does !== "updated")) return false;
  return tables.length > 0 || schema.some(({ does }) => does !== "purged");
}

/** Whether reverting a change set needs the right to change tables and fields. */
export function changesTables({ schema }: ChangeSet): boolean {
  return schema.some(({ object }) => object !== "view");
}
