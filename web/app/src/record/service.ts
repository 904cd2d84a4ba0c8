import { createRecords, deleteRecord, deleteRecords, restoreTrash, updateRecords } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { Row, Values } from "../api/type.ts";
import { layoutsSaved } from "./layout.ts";

export const maxInOneRequest = 100;

/**
 * What the service does with the records of a table. Values are by field name. An update or a
 * deletion with a version is refused when the record has another one. What has the same change set
 * is undone together. What is sent again under the same key is done once.
 */
export type RecordService = {
  update: (
    tableId: string,
    records: { id: string; version?: number; fields: Values }[],
    changeSet?: string,
  ) => Promise<Row[]>;
  create: (tableId: string, records: { fields: Values }[], changeSet?: string, key?: string) => Promise<Row[]>;
  remove: (tableId: string, ids: string[], changeSet?: string) => Promise<void>;
  removeVersion: (id: string, version: number, changeSet?: string) => Promise<void>;
  restore: (baseId: string, ids: string[], changeSet?: string, key?: string) => Promise<void>;
};

export const recordService: RecordService = {
  update: async (tableId, records, changeSet) => {
    await layoutsSaved();
    return (await updateRecords({ tableId, body: { records } }, { changeSet })).records;
  },
  create: async (tableId, records, changeSet, idempotencyKey) => {
    await layoutsSaved();
    return (await createRecords({ tableId, body: { records } }, { idempotencyKey, changeSet })).records;
  },
  remove: async (tableId, ids, changeSet) => {
    await layoutsSaved();
    await deleteRecords({ tableId, body: { ids } }, { changeSet });
  },
  removeVersion: async (recordId, ifMatch, changeSet) => {
    await layoutsSaved();
    await deleteRecord({ recordId }, { changeSet, ifMatch });
  },
  restore: async (baseId, items, changeSet, idempotencyKey) => {
    await restoreTrash({ baseId, body: { items } }, { changeSet, idempotencyKey });
  },
};

/**
 * Deletes up to a hundred records. One that is gone already does not keep the others from being
 * deleted.
 */
export async function removeExisting(
  service: RecordService,
  tableId: string,
  ids: string[],
  changeSet: string | undefined,
): Promise<void> {
  try {
    await service.remove(tableId, ids, changeSet);
  } catch (error) {
    if (Problem.from(error).status !== 404) throw error;
    if (ids.length === 1) return;
    const half = Math.ceil(ids.length / 2);
    await removeExisting(service, tableId, ids.slice(0, half), changeSet);
    await removeExisting(service, tableId, ids.slice(half), changeSet);
  }
}
