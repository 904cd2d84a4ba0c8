/**
 * The operations on the log of changes, in the form of schema.ts, until the service's OpenAPI
 * document has them.
 */

/** A person; null is the service itself, and the name of who has left is null. */
export type Person = { id: string; name: string | null } | null;

/** How many records of a table a change set changed, and how. */
export type TableChange = {
  id: string;
  name: string;
  created: number;
  updated: number;
  deleted: number;
  restored: number;
  linked: number;
};

export type ChangeSet = {
  id: string;
  lastTime: string;
  person: Person;
  credential: { id: string; kind?: string; name?: string } | null;
  tables: TableChange[];
  /** The change sets that this one reverts. */
  reverts?: string[];
  /** The change sets that reverted this one. */
  revertedBy?: string[];
};

/** One change of a record. */
export type RecordChange = {
  version: number;
  time: string;
  changeSet: string;
  person: Person;
  credential: string;
  kind: "created" | "updated" | "deleted" | "linked" | "restored";
  changes: { field: { id: string; name: string }; from: unknown; to: unknown }[];
};

/** A value, or a whole record, that somebody else has changed since, or that no longer fits. */
export type RevertConflict = {
  tableId: string;
  recordId: string;
  fieldId?: string;
  reason: string;
  /** What the revert would write, and what is there now. */
  value?: unknown;
  present?: unknown;
  by?: { userId?: string; credential?: string; changeSet: string; at: string };
};

/** What a revert does, or did. */
export type RevertPlan = {
  records: number;
  conflictCount: number;
  conflicts: RevertConflict[];
};

export type OnConflict = "fail" | "skip" | "overwrite";

export type RevertBody = {
  changeSets?: string[];
  credential?: string;
  since?: string;
  dryRun?: boolean;
  onConflict?: OnConflict;
};

/** A column is the former column of a field whose type was changed. */
export type TrashKind = "record" | "table" | "field" | "view" | "column";

type Named = { id: string; name: string };

export type TrashItem = {
  id: string;
  kind: TrashKind;
  name: string;
  table?: Named;
  deletedAt: string;
  deletedBy?: Named;
  keptUntil: string;
};

/** What came back, under what name, and what of it did not. */
export type RestoredItem = { id: string; name: string; notes?: string[] };

type Operation<Answer, Path, Query = undefined, Body = undefined> = {
  parameters: Query extends undefined ? { path: Path; query?: never } : { path: Path; query?: Query };
  requestBody: Body extends undefined ? undefined : { content: { "application/json": Body } };
  responses: { 200: { content: { "application/json": Answer } } };
};

type Page = { cursor?: string; limit?: number };

export interface changeOperations {
  get_record_history: Operation<
    { entries: RecordChange[]; complete: boolean; nextCursor: string | null },
    { recordId: string },
    Page
  >;
  list_changes: Operation<
    { changes: ChangeSet[]; nextCursor: string | null },
    { baseId: string },
    Page & { person?: string; credential?: string; table?: string }
  >;
  revert_changes: Operation<RevertPlan, { baseId: string }, undefined, RevertBody>;
  list_trash: Operation<
    { items: TrashItem[]; nextCursor: string | null },
    { baseId: string },
    Page & { kinds?: TrashKind[] }
  >;
  restore: Operation<{ restored: RestoredItem[] }, { baseId: string }, undefined, { items: string[] }>;
  purge_trash: Operation<{ purged: string[] }, { baseId: string }, undefined, { items: string[] }>;
}

export interface changePaths {
  "/api/v1/records/{recordId}/history": { get: changeOperations["get_record_history"] };
  "/api/v1/bases/{baseId}/changes": { get: changeOperations["list_changes"] };
  "/api/v1/bases/{baseId}/changes/revert": { post: changeOperations["revert_changes"] };
  "/api/v1/bases/{baseId}/trash": { get: changeOperations["list_trash"] };
  "/api/v1/bases/{baseId}/trash/restore": { post: changeOperations["restore"] };
  "/api/v1/bases/{baseId}/trash/purge": { post: changeOperations["purge_trash"] };
}
