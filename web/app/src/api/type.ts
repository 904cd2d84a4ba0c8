import type { components, operations } from "./schema.ts";

/**
 * The resources of /api/v1 as the application reads them. They follow the service's OpenAPI
 * document (schema.ts, written by `npm run generate`), narrowed where the document says only "a
 * string".
 */

/** The named schemas of the document, such as Record and Field. */
export type Schemas = components["schemas"];

/** The body of an operation's request. */
export type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;

type With<Whole, Part> = Omit<Whole, keyof Part> & Part;

export type Role = "owner" | "admin" | "editor" | "viewer" | "guest";
export const roles: Role[] = ["owner", "admin", "editor", "viewer", "guest"];

/** What a person may do in a base; each includes the ones after it. */
export type BaseRole = "creator" | "editor" | "commenter" | "viewer";
export const baseRoles: BaseRole[] = ["creator", "editor", "commenter", "viewer"];

export type Scope =
  "data:read" | "data:write" | "schema:read" | "schema:write" | "members:read" | "members:manage" | "mcp:tools";

export type BaseSummary = Schemas["BaseSummary"];
export type Icon = Schemas["Icon"];
export type Me = With<Schemas["Me"], { scopes: Scope[]; orgs: { orgId: string; role: Role }[] }>;
export type Org = With<Schemas["Org"], { role: Role }>;
export type Workspace = Schemas["Workspace"];
export type Base = With<Schemas["Base"], { role: BaseRole; tables: Table[] }>;
/** What the person may do with the records of a table. */
export type RecordRights = Schemas["RecordRights"];
export type Table = With<Schemas["Table"], { fields: Field[]; views: View[] }> & {
  /** The ids of the manual orders, by which views are sorted. They are fields of the service, and no columns. */
  orders?: string[];
};

export type FieldType = Exclude<Schemas["FieldType"], "rank">;

export type FieldConfig = Schemas["FieldConfig"];
export type Option = Schemas["SelectOption"];
export type Field = With<Schemas["Field"], { type: FieldType }>;

export const viewTypes = ["grid", "gallery", "kanban", "calendar", "timeline", "chart", "form"] as const;
export type ViewType = (typeof viewTypes)[number];

export type Leaf = { fieldId: string; op: string; value?: unknown };
export type Filter = Leaf | { and: Filter[] } | { or: Filter[] };
export type Sort = { fieldId: string; dir: "asc" | "desc" };

export const chartKinds = ["bar", "line", "pie", "number"] as const;
export type ChartKind = (typeof chartKinds)[number];
export const spans = ["day", "week", "month", "quarter", "year"] as const;
/** A span of time by which records are grouped. */
export type Span = (typeof spans)[number];
export type ChartGroup = { fieldId: string; span?: Span };

/** What a chart draws. What names a field is missing when the field is gone or hidden from the person. */
export type ChartConfig = {
  kind: ChartKind;
  value?: { fn: string; fieldId?: string };
  groupBy?: ChartGroup;
  seriesBy?: ChartGroup;
  stacked?: boolean;
  sort?: { by: "group" | "value"; dir: "asc" | "desc" };
  limit?: number;
};

/** A colour for the records that a filter finds, unless an earlier rule finds them. */
export type ColorRule = { filters: Filter[]; color: string };

export const timeScales = ["day", "week", "month", "quarter"] as const;
/** What a unit of a timeline shows. */
export type TimeScale = (typeof timeScales)[number];

export const calendarScales = ["month", "week", "day"] as const;
/** What a calendar shows at once. */
export type CalendarScale = (typeof calendarScales)[number];

/** How many cards a column of a board should have at most, by the value that its cards have. */
export type StackLimit = { fieldId: string; value: string | boolean | null; limit: number };

export type ViewConfig = {
  filters?: Filter[];
  sorts?: Sort[];
  groupBy?: string[];
  /** The function that each column shows of its field. */
  aggregates?: Record<string, string>;
  colorFieldId?: string;
  colorRules?: ColorRule[];
  chart?: ChartConfig;
  hiddenFields?: string[];
  fieldOrder?: string[];
  rowHeight?: string;
  frozenColumns?: number;
  columnWidths?: Record<string, number>;
  coverFieldId?: string;
  stackFieldId?: string;
  stackLimits?: StackLimit[];
  startFieldId?: string;
  endFieldId?: string;
  laneFieldId?: string;
  dependsOnFieldId?: string;
  timeScale?: TimeScale;
  calendarScale?: CalendarScale;
  title?: string;
  description?: string;
  submitLabel?: string;
  successMessage?: string;
  requiredFields?: string[];
  /** What a form says of its fields, by their ids. */
  formFields?: Record<string, FormField>;
  closedMessage?: string;
  redirectUrl?: string;
  closesTime?: string;
  maxAnswers?: number | null;
  prefill?: boolean;
  editAnswers?: boolean;
};

export type FormField = FormWhen & {
  label?: string;
  help?: string;
  urlOnly?: boolean;
  files?: FormFiles;
  page?: FormPage;
};
/** Which files a field of files takes. */
export type FormFiles = { max?: number; types?: string[] };
/** A page of a form, which begins with a field. */
export type FormPage = { title?: string; description?: string } & FormWhen;
/** After which answers something is asked for: all of the conditions hold, or one of them. */
export type FormWhen = { condition?: FormCondition[]; match?: "any" };
export type FormCondition = { fieldId: string; op: string; value?: unknown };

export type ViewAccess = "collaborative" | "personal" | "locked";
export type View = With<
  Schemas["View"],
  { type: ViewType; config: ViewConfig; access?: ViewAccess; problems?: { path: string; message: string }[] }
>;

export type Dashboard = Schemas["Dashboard"];
/** A view or a text at a place in the 12 columns of a dashboard. */
export type Tile = Schemas["Tile"];

export type Values = Record<string, unknown>;
export type RecordGroup = Schemas["RecordGroup"];
export type RowPage = Schemas["RecordPage"];
export type Row = Schemas["Record"];

/** Who has what in a base. */
export type BaseAccess = Schemas["BaseAccess"];
export type Grant = Schemas["Grant"];
export type Group = Schemas["Group"];
export type BackupSettings = Schemas["BackupSettings"];
export type Backup = Schemas["Backup"];
export type Audience = Schemas["Audience"];
export type RowRule = With<Schemas["RowRule"], { filter: Filter[] }>;
export type TablePermissions = Schemas["TablePermissions"];

export type Member = With<Schemas["Member"], { role: Role }>;
export type Invitation = With<Schemas["Invitation"], { role: Role }>;

/** A linked record. */
export type Linked = { id: string; name: string };

/** A file in an attachment field. */
export type Attachment = { id: string; name: string; size: number; type: string; url?: string; thumbnailUrl?: string };

/** Who made a change; null is the service itself. */
export type Author = { id: string; name: string | null } | null;
/** What a change set did with the base, a table, a field or a view. */
export type SchemaChange = { object: string; id: string; name: string; does: string; changed?: string[] };
type ChangedTable = {
  id: string;
  name: string;
  inTrash?: boolean;
  created: number;
  updated: number;
  deleted: number;
  restored: number;
  linked: number;
};
/** A change set with detail full. */
export type ChangeSet = {
  id: string;
  name: string | null;
  firstTime: string;
  lastTime: string;
  person: Author;
  credential: { id: string; kind?: string; name?: string } | null;
  tables: ChangedTable[];
  schema: SchemaChange[];
  schemaCount: number;
  reverts: string[];
  revertedBy: string[];
};
/** A change of a record with detail full. */
export type RecordChange = {
  version: number;
  time: string;
  changeSet: string;
  request: string;
  person: Author;
  credential: string;
  kind: "created" | "updated" | "deleted" | "linked" | "restored";
  changes: { field: { id: string; name: string }; from: unknown; to: unknown }[];
};

export type RevertBody = NonNullable<Body<"revert_changes">>;
export type OnConflict = NonNullable<RevertBody["onConflict"]>;
/** What a revert does, or did. */
export type RevertPlan = Pick<Schemas["RevertPlan"], "records" | "schema" | "conflictCount" | "conflicts">;
/** A value, a whole record, or a table, field or view, that somebody else has changed since, or that no longer fits. */
export type RevertConflict = Schemas["RevertConflict"];

export type CommentCount = Schemas["CommentCount"];
export type Comment = Schemas["Comment"];
/** An item of the inbox: a comment that mentions the person, a reply, or a failed backup. */
export type Notice = Schemas["Notice"];

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled";
export type Job = With<Schemas["Job"], { state: JobState }>;

export const trashKinds = ["record", "table", "field", "view", "column"] as const;
/** A column is the former column of a field whose type was changed. */
export type TrashKind = (typeof trashKinds)[number];
/** A deleted organization, which can be restored. */
export type DeletedOrg = Schemas["DeletedOrg"];
/** A deleted base, in the trash of its organization. */
export type TrashedBase = Schemas["TrashItem"];
export type TrashItem = With<Schemas["TrashItem"], { kind: TrashKind }>;

/** The kinds of changes that a webhook sends. */
export const changeKinds = ["created", "updated", "deleted", "restored", "linked", "schema", "commented"] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type Webhook = With<Schemas["Webhook"], { filters: Filter[] }>;

export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/** A message of a webhook, and its outcome. */
export type Delivery = With<Schemas["WebhookDelivery"], { state: DeliveryState }>;
