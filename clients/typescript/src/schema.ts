// Code generated from clients/openapi.json by @hey-api/openapi-ts. DO NOT EDIT. 001d1daaa1b07666d6ec7fb6f5a8cc8a

export type Base = {
  id: string;
  /** permissions limit what you see or do in the base */
  limited?: boolean;
  name: string;
  /** yours in the base: viewer, commenter, editor or creator */
  role: string;
  tables: Array<Table>;
  /** of the formulas, an IANA name */
  timeZone: string;
};

export type BaseList = {
  bases: Array<BaseSummary>;
};

export type BaseSummary = {
  icon?: Icon;
  id: string;
  name: string;
  orgId: null | string;
  workspaceId: null | string;
};

export type BulkResult = {
  count: number;
  expiresAt?: string;
  newOptions?: Array<string>;
  planToken?: string;
  sample?: Array<PlanSample>;
};

export type Change = {
  action?: string;
  after: {
    [key: string]: unknown;
  } | null;
  before: {
    [key: string]: unknown;
  } | null;
  changeSet: string;
  comment?: string;
  credential: string;
  cursor: string;
  /** of the fields named */
  fieldIds?: {
    [key: string]: unknown;
  };
  id?: string;
  kind: 'created' | 'updated' | 'deleted' | 'linked' | 'restored' | 'schema' | 'commented';
  /** by field; added and removed from the other side */
  links?: {
    [key: string]: unknown;
  };
  name?: string;
  object?: 'base' | 'table' | 'field' | 'view';
  person: {
    id: string;
    name: string | null;
  } | null;
  record?: string;
  request: string;
  /** the values came back with their field or table; the version of the record stayed */
  returned?: boolean;
  table: string | null;
  thread?: string;
  time: string;
  version: number;
};

export type ChangeCredential = {
  id: string;
  kind?: string;
  name?: string;
};

export type ChangePerson = {
  id: string;
  name: null | string;
};

export type ChangeSet = {
  credential: ChangeCredential | null;
  firstTime: string;
  id: string;
  lastTime: string;
  name: null | string;
  person: ChangePerson | null;
  revertedBy: Array<string>;
  reverts: Array<string>;
  /** the first 20 */
  schema: Array<ChangedObject>;
  schemaCount: number;
  tables: Array<ChangedTable>;
};

export type ChangedObject = {
  /** properties */
  changed?: Array<string>;
  /** created, updated, deleted, restored or purged */
  does: string;
  id: string;
  name: string;
  /** base, table, field, view, column or record */
  object: string;
};

export type ChangedTable = {
  created: number;
  deleted: number;
  id: string;
  inTrash?: boolean;
  linked: number;
  name: string;
  restored: number;
  updated: number;
};

export type ColumnRead = {
  dates: StyleFound;
  /** the table whose records the values name; of a type link with linkedTableId, if you take it */
  link?: LinkFound;
  name: string;
  numbers: StyleFound;
  options?: Array<string>;
  samples: Array<string>;
  symbol?: string;
  type: string;
};

export type ColumnReport = {
  /** none: it was left out */
  field?: string;
  name: string;
  type?: string;
};

export type CreatedWebhook = {
  createdAt: string;
  /** up to where changes were told or wait in a delivery */
  cursor: string;
  /** paused, gone (it answered 410), failing (for five days), owner (may no longer set up webhooks), history (it has fallen behind what is kept) or filter (it no longer fits the table) */
  disabledReason: null | string;
  enabled: boolean;
  failingSince: null | string;
  /** ids; empty: all */
  fields: Array<string>;
  /** of records, before or after the change; empty: none */
  filters: Filters;
  id: string;
  includeValues: boolean;
  /** empty: all */
  kinds: Array<string>;
  name: string;
  /** when a delivery that failed is tried again */
  nextAttemptAt: null | string;
  /** until when the former secret signs as well */
  oldSecretUntil: null | string;
  /** who made it, enabled it or changed more than its name last; it ends with their right to set up webhooks */
  owner: Named;
  /** verifies messages; it is shown this once */
  secret?: string;
  /** ids; empty: all, and the base itself */
  tables: Array<string>;
  url: string;
};

export type DeletedOrPlanned = {
  /** the id of what was deleted; empty in a plan */
  deleted: string;
  expiresAt?: string;
  losses?: Array<ProblemItem>;
  lost?: number;
  planToken?: string;
  records?: number;
  refusal?: string;
  sample?: Array<PlanSample>;
  tables?: number;
};

export type Field = {
  config?: FieldConfig;
  hidden?: boolean;
  id: string;
  isPrimary: boolean;
  /** set on link fields */
  linkedTableId?: string;
  /** you may not write it */
  locked?: boolean;
  /** the key in records */
  name: string;
  /** option names of a select field */
  options?: Array<string>;
  /** position among the fields, from 0 */
  order: number;
  /** why a computed field shows errors alone */
  problem?: string;
  /** the service writes the values */
  readOnly?: boolean;
  type: string;
  width?: number;
};

export type FieldChanged = {
  expiresAt?: string;
  id: string;
  losses?: Array<ProblemItem>;
  lost?: number;
  planToken?: string;
  records?: number;
  refusal?: string;
  sample?: Array<PlanSample>;
  tables?: number;
};

export type FieldConfig = {
  dateFormat?: string;
  default?: unknown | null;
  description?: string;
  fieldId?: string;
  filters?: unknown | null;
  format?: string;
  formula?: string;
  function?: string;
  icon?: string;
  inverseFieldId?: string;
  label?: string;
  limit?: number;
  linkFieldId?: string;
  linkedTableId?: string;
  max?: number;
  multiple?: boolean;
  negative?: string;
  options?: Array<SelectOption>;
  precision?: number;
  required?: boolean;
  resultType?: string;
  sorts?: unknown | null;
  symbol?: string;
  thousands?: boolean;
  timeFormat?: string;
  timeZone?: string;
  unique?: boolean;
  url?: string;
};

export type FieldConfigIn = {
  [key: string]: unknown;
};

export type FieldDeleted = {
  /** fields that compute from it and show errors until it is restored */
  broken?: Array<FieldUse>;
  /** the id of what was deleted; empty in a plan */
  deleted: string;
  expiresAt?: string;
  losses?: Array<ProblemItem>;
  lost?: number;
  planToken?: string;
  records?: number;
  refusal?: string;
  sample?: Array<PlanSample>;
  tables?: number;
};

export type FieldIn = {
  /** options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
  config?: FieldConfigIn;
  name: string;
  type: FieldType;
};

export type FieldNamed = {
  id: string;
  name: string;
  type: string;
};

export type FieldType = 'text' | 'long_text' | 'email' | 'url' | 'phone' | 'number' | 'currency' | 'percent' | 'rating' | 'duration' | 'checkbox' | 'date' | 'datetime' | 'single_select' | 'multi_select' | 'user' | 'attachment' | 'json' | 'link' | 'formula' | 'lookup' | 'rollup' | 'count' | 'button' | 'auto_number' | 'created_time' | 'last_modified_time' | 'created_by' | 'last_modified_by' | 'rank';

export type FieldUse = {
  id: string;
  name: string;
  tableId: string;
};

export type File = {
  height?: number;
  id: string;
  name: string;
  size: number;
  thumbnailUrl?: string;
  type: string;
  url: string;
  width?: number;
};

/** conditions, all of which must hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id, a name, or of linked records a path such as Company.Country. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
export type Filters = Array<{
  [key: string]: unknown;
}>;

export type Icon = {
  /** a colour name, or # and six hexadecimal digits */
  color?: string;
  kind: 'emoji' | 'lucide' | 'image';
  /** the emoji, the name of the lucide icon, or the https address of the image */
  value: string;
};

export type ImportRefusal = {
  cells?: Array<string>;
  column?: number;
  field?: string;
  line: number;
  message: string;
};

export type Imported = {
  created: number;
  expiresAt?: string;
  ignoredFields?: Array<string>;
  moreRefusals?: number;
  newOptions?: Array<string>;
  nextOffset?: number;
  planToken?: string;
  readings?: Array<string>;
  refusals?: Array<ImportRefusal>;
  refused: number;
  /** CSV of all refused rows, for a day, if refusals leaves some out */
  refusedFile?: File;
  refusedLines?: string;
  rows?: number;
  skippedRows?: number;
  updated: number;
};

export type Job = {
  /** of an import from Airtable */
  airtableBaseId?: string;
  /** none while the base of an archive is not made */
  baseId?: string;
  /** the change set of an import, for revert_changes */
  changes?: string;
  createdAt: string;
  /** rows */
  done: number;
  endedAt: null | string;
  /** the result, for a day */
  file?: JobFile;
  /** of an import from NocoDB or Baserow, for another one */
  from?: JobProduct;
  id: string;
  /** export_table, export_base, import_table, import_base, import_airtable, import_product, import_archive, duplicate_base or duplicate_table */
  kind: string;
  /** what came, what did not, and why */
  report?: Report;
  startedAt: null | string;
  /** queued, running, done, failed or cancelled */
  state: string;
  tableId?: string;
  /** rows; null while it is not known */
  total: null | number;
  /** whose job it is */
  userId: string;
};

export type JobFile = {
  name: string;
  size: number;
  type: string;
  /** needs no credential; whoever has it can fetch the file */
  url: string;
};

export type JobProduct = {
  address: string;
  product: string;
  productBaseId: string;
};

export type LeftOut = {
  /** cells, files or comments; 1 for a field or a view */
  count: number;
  field?: string;
  formula?: string;
  table: string;
  why: string;
};

export type LinkFound = {
  /** of them, those that name one record of the table each */
  matched: number;
  table: string;
  tableId: string;
  /** the first of the others */
  unmatched?: Array<string>;
  /** different ones of the column */
  values: number;
};

export type Me = {
  /** the bases that the credential can access */
  bases: Array<BaseSummary>;
  /** the user's id */
  id: string;
  /** the kind of credential */
  kind: 'api_key' | 'oauth' | 'session';
  orgs: Array<OrgRole>;
  /** the scopes granted to the credential */
  scopes: Array<string>;
};

export type Named = {
  id: string;
  name: string;
};

export type OrgRole = {
  orgId: string;
  /** owner, admin, editor, viewer or guest */
  role: string;
};

export type PlanSample = {
  after?: {
    [key: string]: unknown;
  };
  before: {
    [key: string]: unknown;
  };
  id: string;
  /** the primary value */
  title?: string;
};

export type ProblemCode = 'address_ended' | 'address_taken' | 'already_member' | 'ambiguous_id' | 'ambiguous_name' | 'another_address' | 'answered' | 'application_only' | 'base_in_trash' | 'beyond_numbers' | 'busy' | 'caller_gone' | 'change_set_closed' | 'change_set_full' | 'confirmation_required' | 'confirmation_used' | 'conflict' | 'credential_in_query' | 'cross_origin' | 'cursor_expired' | 'dead_link' | 'declined' | 'dependency_cycle' | 'field_in_trash' | 'file_address_ended' | 'file_gone' | 'file_protected' | 'file_too_large' | 'file_too_slow' | 'file_type_refused' | 'files_busy' | 'files_not_configured' | 'files_starting' | 'files_unavailable' | 'forbidden' | 'foreign_host' | 'foreign_origin' | 'form_closed' | 'formula_cycle' | 'formula_too_large' | 'gone' | 'header_too_large' | 'history_not_kept' | 'idempotency_answer_lost' | 'idempotency_answer_withheld' | 'idempotency_in_progress' | 'idempotency_key_reused' | 'impossible' | 'insufficient_role' | 'insufficient_scope' | 'internal' | 'invalid' | 'invalid_request_state' | 'invalid_token' | 'key_reaches_more' | 'known_device_needed' | 'last_owner' | 'last_view' | 'mail_not_queued' | 'mention_of_stranger' | 'mismatch' | 'name_taken' | 'narrowed_credential' | 'no_mail' | 'no_room_for_files' | 'no_such_method' | 'no_such_path' | 'no_such_version' | 'not_found' | 'not_restorable' | 'not_the_author' | 'not_unique' | 'other_person' | 'other_size' | 'partial_access' | 'password_required' | 'plan_expired' | 'plan_moved' | 'plan_of_other_credential' | 'plan_used' | 'precondition' | 'precondition_not_supported' | 'primary_field' | 'rate_limited' | 'record_exists' | 'records_moved' | 'records_too_large' | 'result_too_large' | 'revert_conflict' | 'revert_too_large' | 'row_rule' | 'schema_busy' | 'schema_changed' | 'slow_body' | 'sql_busy' | 'sql_invalid' | 'sql_not_set_up' | 'sql_timeout' | 'sql_too_costly' | 'sql_too_large' | 'sql_unavailable' | 'table_gone' | 'table_in_trash' | 'timeout' | 'too_large' | 'too_many_at_once' | 'too_many_comments' | 'too_many_large_answers' | 'too_many_large_bodies' | 'too_many_organizations' | 'too_many_records' | 'too_many_secrets' | 'too_many_uploads' | 'too_many_webhooks' | 'unauthenticated' | 'unavailable' | 'unconfirmed_address' | 'unreadable_file' | 'unreadable_type' | 'unsupported_media_type' | 'upload_cut_off' | 'upload_used' | 'value_refused' | 'values_would_be_lost' | 'version_changed' | 'view_as_reads' | 'view_locked' | 'webhook_disabled' | 'write_conflict' | 'wrong_password';

export type ProblemDocument = {
  /** machine-readable */
  code: string;
  /** for code version_changed, the record as it is now; for revert_conflict, the plan with its conflicts */
  current?: {
    [key: string]: unknown;
  };
  /** what was wrong and what would be right */
  detail: string;
  /** each wrong place in the input */
  errors?: Array<ProblemItem>;
  /** where a person can do in the application what was refused */
  openInApp?: string;
  requestId: string;
  /** every scope that the call needs, for code insufficient_scope */
  scopes?: Array<string>;
  status: number;
  title: string;
  /** about:blank, for the title is the status's own */
  type: string;
};

export type ProblemItem = {
  message: string;
  path: string;
};

export type Reading = {
  columns: Array<ColumnRead>;
  delimiter: string;
  encoding: string;
  /** csv, xlsx, json, parquet, vcard, icalendar, trello or notion; encoding and delimiter are of csv */
  form: string;
  /** whether a row names the columns */
  hasHeader: boolean;
  /** as 3: Option, by the column from 1 */
  newOptions?: Array<string>;
  rows: number;
  /** of a spreadsheet, or table of an export of Notion */
  sheet?: string;
  /** all with rows */
  sheets?: Array<string>;
  /** with values, before the header */
  skippedRows: number;
  /** characters that the encoding does not have */
  unreadable: number;
};

export type Record = {
  createdTime?: string;
  fields: {
    [key: string]: unknown;
  };
  id: string;
  version?: number;
};

export type RecordChange = {
  changeSet: string;
  changes: Array<{
    field: {
      id: string;
      name: string;
    };
    from: unknown | null;
    to: unknown | null;
  }>;
  credential: string;
  kind: 'created' | 'updated' | 'deleted' | 'linked' | 'restored';
  person: {
    id: string;
    name: string | null;
  } | null;
  request: string;
  state?: {
    [key: string]: unknown;
  } | null;
  time: string;
  version: number;
};

export type RecordRights = {
  create: boolean;
  delete: boolean;
  edit: boolean;
};

export type RecordsDeletedOrPlanned = {
  /** how many a plan would delete */
  count?: number;
  /** empty in a plan */
  deleted: Array<string>;
  expiresAt?: string;
  planToken?: string;
  sample?: Array<PlanSample>;
};

export type RecordsWritten = {
  created?: Array<string>;
  records: Array<Record>;
  updated?: Array<string>;
};

export type Report = {
  expiresAt?: string;
  /** the first 1,000 */
  leftOut?: Array<LeftOut>;
  moreLeftOut?: number;
  /** the first 200 */
  notMembers?: Array<string>;
  notes?: Array<string>;
  planToken?: string;
  problem?: string;
  /** how a file is read, of a dry run */
  reading?: Reading;
  tables?: Array<TableReport>;
};

export type RevertAuthor = {
  at: string;
  changeSet: string;
  credential?: string;
  userId?: string;
};

export type RevertConflict = {
  by?: RevertAuthor;
  /** none: the whole record */
  fieldId?: string;
  /** record that has the unique value */
  holderId?: string;
  /** of the object */
  name?: string;
  /** table, field, view or base */
  objectId?: string;
  /** that is there now */
  present?: unknown | null;
  /** none: the whole object */
  property?: string;
  reason: string;
  /** none: a table, field or view */
  recordId?: string;
  tableId?: string;
  /** that the revert would write */
  value?: unknown | null;
};

export type RevertLeftOut = {
  /** its number in the log */
  field: string;
  records: number;
  tableId: string;
};

export type RevertObject = {
  /** restored, removed or updated */
  does: string;
  id: string;
  name: string;
  /** base, table, field or view */
  object: string;
};

export type RevertPlan = {
  /** what is reverted, the first 100 */
  changeSets: Array<string>;
  conflictCount: number;
  /** the first 100 */
  conflicts: Array<RevertConflict>;
  dryRun?: boolean;
  /** fields that are gone */
  leftOut?: Array<RevertLeftOut>;
  /** what does not come back, and why; the first 100 */
  notes?: Array<string>;
  /** that change */
  records: number;
  /** tables, fields and views that change */
  schema?: Array<RevertObject>;
  tables: Array<RevertTable>;
};

export type RevertTable = {
  /** that the change sets created */
  deleted: number;
  /** that they deleted */
  restored: number;
  tableId: string;
  updated: number;
};

export type SqlResult = {
  columns: Array<{
    name: string;
    type: string;
  }>;
  /** PostgreSQL's estimate */
  cost: number;
  milliseconds: number;
  rows: Array<Array<unknown>>;
  /** there are more rows */
  truncated: boolean;
};

export type SearchHit = {
  id: string;
  /** how many of the words it lacks, as nothing has all of them */
  missing?: number;
  /** higher is better */
  score: number;
  /** the first other field in which a word was found */
  snippet?: string;
  table: string;
  tableId: string;
  /** the primary value */
  title: string;
  /** found with one letter different, as nothing has the words given */
  typo?: boolean;
  /** of another time than asked for, as nothing of that time was found */
  undated?: boolean;
};

export type SearchHits = {
  hasMore: boolean;
  /** how a time in q was understood: the first and the last day */
  period?: string;
  results: Array<SearchHit>;
  /** how many of them were searched; fewer if time ran out */
  searched: number;
  /** of the base */
  tables: number;
};

export type SelectOption = {
  color?: string;
  name: string;
};

/** [{fieldId, dir}], dir asc or desc; empty values last */
export type Sorts = Array<{
  [key: string]: unknown;
}>;

export type StyleFound = {
  examples?: Array<string>;
  found: string;
  style?: string;
};

export type Table = {
  fields: Array<Field>;
  icon?: Icon;
  id: string;
  name: string;
  /** set if the table has permissions of its own */
  rights?: RecordRights;
  views: Array<View>;
};

export type TableNamed = {
  /** in their order */
  fields: Array<Named>;
  id: string;
  name: string;
};

export type TableReport = {
  columns?: Array<ColumnReport>;
  comments?: number;
  created?: number;
  /** cells that were left empty because they do not fit */
  emptied?: number;
  fields?: number;
  files?: number;
  /** fields that compute */
  formulas?: number;
  gone?: number;
  /** ids; the first 1,000 */
  goneRecords?: Array<string>;
  /** cells that a spreadsheet would run as a formula; they are text */
  guarded?: number;
  id?: string;
  links?: number;
  /** the records that came of an archive are as its manifest says */
  matches?: boolean;
  moreRefusals?: number;
  name: string;
  /** the first 1,000 */
  refusals?: Array<ImportRefusal>;
  /** rows */
  refused?: number;
  /** that an export wrote, or that the file has */
  rows: number;
  /** of the table's file in an archive */
  sha256?: string;
  /** records that are as the import before brought them */
  unchanged?: number;
  /** not for links alone */
  updated?: number;
  views?: number;
};

export type UploadAddress = {
  expiresAt: string;
  /** of the file, once it was sent */
  id: string;
  maxBytes: number;
  method: string;
  /** needs no credential; whoever has it can use it */
  url: string;
};

/** values by field name */
export type Values = {
  [key: string]: unknown;
};

export type View = {
  /** collaborative, personal or locked */
  access?: string;
  config: {
    [key: string]: unknown;
  };
  /** user id */
  createdBy?: string;
  id: string;
  name: string;
  /** what in config no longer matches the fields; if filters do not, the view shows nothing */
  problems?: Array<ProblemItem>;
  type: string;
};

export type ViewProblem = {
  message?: string;
  path?: string;
};
