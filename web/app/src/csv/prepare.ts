import type { Batch } from "../api/invalidation.ts";
import { createField, createTable, deleteField, deleteRecords, deleteTable } from "../api/change.ts";
import { Problem } from "../api/problem.ts";
import type { FieldConfig, FieldType } from "../api/type.ts";

/** A field that an import makes. */
export type Spec = { name: string; type: FieldType; config?: FieldConfig };

/** What an import made in addition to records: a table, or fields of an existing one. */
export type Made = {
  tableId: string;
  newTable: boolean;
  fields: { id: string; name: string }[];
  /** Names the change set of the import, which is undone as a whole. */
  changeSet: string;
};

/**
 * How making or removing it went: what is there no more, and what is still there because it could
 * not be removed.
 */
export type Undone = { removed: string[]; kept: string[] };

/** Ends an import before any record was written. It says what was taken back. */
export class NotPrepared extends Error {
  constructor(
    readonly problem: Problem,
    readonly undone: Undone,
  ) {
    super(problem.message);
    this.name = "NotPrepared";
  }
}

const service = { createTable, createField, deleteTable, deleteField, deleteRecords };
export type ImportService = typeof service;
type Target = { tableId?: string; baseId: string; name: string };

const isThere = (error: unknown) => Problem.from(error).status !== 404;

/**
 * Makes the table, or the fields that an import needs in one. When a field cannot be made, those
 * before it are removed again, and NotPrepared says so. `keyFor` gives the idempotency key of a
 * request body. What is out of date afterwards is collected in `batch`.
 */
export async function prepare(
  target: Target,
  specs: Spec[],
  keyFor: (body: unknown) => string,
  batch: Batch,
  api: ImportService = service,
): Promise<Made> {
  const changeSet = keyFor({ changeSetOf: target, specs });
  if (target.tableId === undefined) {
    const body = { name: target.name, fields: specs };
    try {
      const { id } = await api.createTable(
        { baseId: target.baseId, body },
        { idempotencyKey: keyFor(body), batch, changeSet },
      );
      return { tableId: id, newTable: true, fields: [], changeSet };
    } catch (error) {
      throw new NotPrepared(Problem.from(error), { removed: [], kept: [] });
    }
  }
  const made: Made = { tableId: target.tableId, newTable: false, fields: [], changeSet };
  for (const spec of specs) {
    try {
      const { id } = await api.createField(
        { tableId: target.tableId, body: spec },
        { idempotencyKey: keyFor(spec), batch, changeSet },
      );
      made.fields.push({ id, name: spec.name });
    } catch (error) {
      throw new NotPrepared(Problem.from(error), await unmake(made, target.name, batch, api));
    }
  }
  return made;
}

/** Removes what prepare has made. */
export async function unmake(
  made: Made,
  tableName: string,
  batch: Batch,
  api: Pick<ImportService, "deleteTable" | "deleteField"> = service,
): Promise<Undone> {
  const undone: Undone = { removed: [], kept: [] };
  const parts = made.newTable
    ? [{ name: tableName, remove: () => api.deleteTable({ tableId: made.tableId }, { batch }) }]
    : made.fields.map(({ id, name }) => ({ name, remove: () => api.deleteField({ fieldId: id }, { batch }) }));
  for (const { name, remove } of parts) {
    try {
      await remove();
      undone.removed.push(name);
    } catch (error) {
      (isThere(error) ? undone.kept : undone.removed).push(name);
    }
  }
  return undone;
}

const maxInOneRequest = 100;

/**
 * Deletes the records that an import made, and returns how many are gone. It ends at the first
 * failure, whose problem it returns.
 */
export async function removeRecords(
  tableId: string,
  ids: string[],
  batch: Batch,
  api: Pick<ImportService, "deleteRecords"> = service,
): Promise<{ gone: number; problem?: Problem }> {
  const changeSet = crypto.randomUUID();
  let gone = 0;
  for (let start = 0; start < ids.length; start += maxInOneRequest) {
    const part = ids.slice(start, start + maxInOneRequest);
    try {
      await api.deleteRecords({ tableId, body: { ids: part } }, { batch, changeSet });
      gone += part.length;
    } catch (error) {
      return { gone, problem: Problem.from(error) };
    }
  }
  return { gone };
}
