import type { Field, Linked } from "../api/type.ts";
import type { Context } from "./context.ts";
import { listOf } from "./list.ts";

/**
 * The linked records of a link value, which is a list of their ids, with their names as far as they
 * are known.
 */
export function linkedOf(value: unknown, context?: Pick<Context, "nameOf">): Linked[] {
  return listOf(value).map((id) => ({ id, name: context?.nameOf?.(id) ?? "" }));
}

/** The id of the table whose records a field links to. */
export const linkedTable = (field: Field) => field.config?.linkedTableId ?? field.linkedTableId;
