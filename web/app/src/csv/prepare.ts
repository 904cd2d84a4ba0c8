import { post, Problem, remove } from "../api/client.ts";
import type { FieldConfig, FieldType } from "../api/type.ts";

/** A field that an import makes. */
export type Spec = { name: string; type: FieldType; config?: FieldConfig };

/** What an import made besides records: a table, or fields of one that was there. */
export type Made = { tableId: string; newTable: boolean; fields: { id: string; name: string }[] };

/** How making or removing it went: what is there no more, and what is still there because it could not be removed. */
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

type Api = { post: typeof post; remove: typeof remove };
type Target = { tableId?: string; baseId: string; name: string };

const isThere = (error: unknown) => Problem.from(error).status !== 404;

/**
 * Makes the table, or the fields that an import needs in one. When a field cannot be made, those before it are removed
 * again, and NotPrepared says so. `header` gives the headers of a request, so that the same one sent twice is done
 * once.
 */
export async function prepare(
  target: Target,
  specs: Spec[],
  header: (body: unknown) => Record<string, string>,
  api: Api = { post, remove },
): Promise<Made> {
  if (target.tableId === undefined) {
    const body = { name: target.name, fields: specs };
    try {
      const { id } = await api.post<{ id: string }>(`/bases/${target.baseId}/tables`, body, header(body));
      return { tableId: id, newTable: true, fields: [] };
    } catch (error) {
      throw new NotPrepared(Problem.from(error), { removed: [], kept: [] });
    }
  }
  const made: Made = { tableId: target.tableId, newTable: false, fields: [] };
  for (const spec of specs) {
    try {
      const { id } = await api.post<{ id: string }>(`/tables/${target.tableId}/fields`, spec, header(spec));
      made.fields.push({ id, name: spec.name });
    } catch (error) {
      throw new NotPrepared(Problem.from(error), await unmake(made, target.name, api));
    }
  }
  return made;
}

/** Removes what prepare has made. */
export async function unmake(made: Made, tableName: string, api: Pick<Api, "remove"> = { remove }): Promise<Undone> {
  const undone: Undone = { removed: [], kept: [] };
  const parts = made.newTable
    ? [{ path: `/tables/${made.tableId}`, name: tableName }]
    : made.fields.map((field) => ({ path: `/fields/${field.id}`, name: field.name }));
  for (const { path, name } of parts) {
    try {
      await api.remove(path);
      undone.removed.push(name);
    } catch (error) {
      (isThere(error) ? undone.kept : undone.removed).push(name);
    }
  }
  return undone;
}

const mostInOneRequest = 100;

/**
 * Deletes the records that an import made, and returns how many are gone. It ends at the first failure, whose problem
 * it returns.
 */
export async function removeRecords(
  tableId: string,
  ids: string[],
  api: Pick<Api, "remove"> = { remove },
): Promise<{ gone: number; problem?: Problem }> {
  let gone = 0;
  for (let start = 0; start < ids.length; start += mostInOneRequest) {
    const part = ids.slice(start, start + mostInOneRequest);
    try {
      await api.remove(`/tables/${tableId}/records`, { ids: part });
      gone += part.length;
    } catch (error) {
      return { gone, problem: Problem.from(error) };
    }
  }
  return { gone };
}
