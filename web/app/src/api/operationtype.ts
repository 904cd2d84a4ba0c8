import type { accountOperations, accountPaths } from "./accountschema.ts";
import type { operations, paths } from "./schema.ts";
import type { Method } from "./client.ts";
import type {
  Base,
  ChangeSet,
  Delivery,
  Invitation,
  Job,
  Me,
  Member,
  Org,
  RecordChange,
  TrashItem,
  Webhook,
} from "./type.ts";

/** The types of operations, as the service's OpenAPI document states them. */

type Operations = operations & accountOperations;
type Paths = paths & accountPaths;
export type OperationName = keyof Operations;

type PathOf<Name extends OperationName> = Operations[Name]["parameters"] extends { path: infer Path extends object }
  ? Path
  : unknown;
type QueryOf<Name extends OperationName> = Operations[Name]["parameters"] extends infer Given
  ? "query" extends keyof Given
    ? [NonNullable<Given["query"]>] extends [never]
      ? unknown
      : { query?: Given["query"] }
    : unknown
  : unknown;
type BodyOf<Name extends OperationName> = Operations[Name] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? { body: Body }
  : "requestBody" extends keyof Operations[Name]
    ? Operations[Name] extends { requestBody?: { content: { "application/json": infer Body } } }
      ? { body?: Body }
      : unknown
    : unknown;

/** The input of an operation: the parameters of its path by name, its query and its body. */
export type Input<Name extends OperationName> = PathOf<Name> & QueryOf<Name> & BodyOf<Name>;

/** Responses that the application reads more narrowly than the document states them (see type.ts). */
type Narrowed = {
  get_me: Me;
  list_orgs: { orgs: Org[] };
  describe_base: Base;
  get_record_history: { entries: RecordChange[]; complete: boolean; nextCursor: string | null };
  list_change_sets: { changeSets: ChangeSet[]; nextCursor: string | null };
  list_members: { members: Member[] };
  list_invitations: { invitations: Invitation[] };
  get_job: Job;
  list_jobs: { jobs: Job[]; nextCursor: string | null };
  import_table: Job;
  import_base: Job;
  list_webhooks: { webhooks: Webhook[] };
  list_webhook_deliveries: { deliveries: Delivery[]; nextCursor: string | null };
  list_trash: { items: TrashItem[]; nextCursor: string | null };
};

export type Result<Name extends OperationName> = Name extends keyof Narrowed
  ? Narrowed[Name]
  : Operations[Name]["responses"] extends { 200: { content: { "application/json": infer Answer } } }
    ? Answer
    : never;

/** The method and the path at which an operation is served. */
export type Address<Name extends OperationName> = {
  [Path in keyof Paths]: {
    [Verb in Method]: Paths[Path] extends Record<Lowercase<Verb>, Operations[Name]>
      ? [method: Verb, path: Path]
      : never;
  }[Method];
}[keyof Paths];
