import { patch, post, Problem, remove } from "../api/client.ts";
import type { Answer, Body, Row, Values } from "../api/type.ts";

export const mostInOneRequest = 100;

/** What the service does with the records of a table. Values are by field name. */
export type RecordService = {
  update: (tableId: string, records: { id: string; fields: Values }[]) => Promise<Row[]>;
  create: (tableId: string, records: { fields: Values }[]) => Promise<Row[]>;
  remove: (tableId: string, ids: string[]) => Promise<void>;
};

export const recordService: RecordService = {
  update: async (tableId, records) => {
    const body: Body<"update_records"> = { records };
    return (await patch<Answer<"update_records">>(`/tables/${tableId}/records`, body)).records;
  },
  create: async (tableId, records) => {
    const body: Body<"create_records"> = { records };
    return (
      await post<Answer<"create_records">>(`/tables/${tableId}/records`, body, {
        "Idempotency-Key": crypto.randomUUID(),
      })
    ).records;
  },
  remove: async (tableId, ids) => {
    await remove(`/tables/${tableId}/records`, { ids });
  },
};

/** Deletes up to a hundred records. Those that are gone already do not keep the others from being deleted. */
export async function removeThose(service: RecordService, tableId: string, ids: string[]): Promise<void> {
  try {
    await service.remove(tableId, ids);
  } catch (error) {
    if (Problem.from(error).status !== 404) throw error;
    if (ids.length === 1) return;
    const half = Math.ceil(ids.length / 2);
    await removeThose(service, tableId, ids.slice(0, half));
    await removeThose(service, tableId, ids.slice(half));
  }
}
