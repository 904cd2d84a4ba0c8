import { moveRecords } from "../api/change.ts";
import type { Sort, Table, View } from "../api/type.ts";
import { refreshRows } from "../record/refresh.ts";
import type { RowSource } from "../record/source.ts";
import { complain } from "../ui/toast.ts";

const most = 100; // records that a request moves

/** The ids of rows in their order; undefined for those that were not read. */
type Ids = (string | undefined)[];

/** Where records go: next to which other one, and behind it or before it. */
export type Destination = { near: string; behind: boolean };

/** Reports whether records can be moved by hand: nothing sorts them but a manual order. */
export function isMovable(table: Table, view: View, sorts: readonly Sort[]): boolean {
  const isManual = ({ fieldId, dir }: Sort) => dir === "asc" && table.orders?.includes(fieldId) === true;
  const saved = view.config.sorts ?? [];
  return [sorts, saved].every((list) => list.length === 0 || (list[0] !== undefined && isManual(list[0])));
}

/** Rows in their order after some of them, as far as they were read, were put next to another one. */
export function arranged(shown: Ids, moved: readonly string[], near: string, behind: boolean): Ids {
  const left = shown.filter((id) => id === undefined || !moved.includes(id));
  const at = left.indexOf(near);
  return at < 0 ? shown : left.toSpliced(behind ? at + 1 : at, 0, ...moved.filter((id) => shown.includes(id)));
}

/** Moves records within the manual order of a view, in one change set. They show at their new place at once. */
export async function moveTo(
  view: View,
  source: RowSource,
  records: readonly string[],
  to: Destination,
  changeSet: string = crypto.randomUUID(),
): Promise<void> {
  let settled: (() => void) | undefined;
  try {
    await source.writer.settle();
    let near = source.writer.idOf(to.near);
    const ids = records.map((id) => source.writer.idOf(id)).filter((id) => id !== near);
    settled = source.reorder((shown) => arranged(shown, ids, near, to.behind));
    for (let from = 0; from < ids.length; from += most) {
      const some = ids.slice(from, from + most);
      const body = { ids: some, [to.behind ? "after" : "before"]: near };
      await moveRecords({ viewId: view.id, body }, { changeSet });
      if (to.behind) near = some.at(-1) ?? near;
    }
  } catch (error) {
    complain(error);
  }
  settled?.();
  refreshRows(new Set([source.tableId]));
}
