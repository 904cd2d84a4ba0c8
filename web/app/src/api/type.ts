/** The resources of /api/v1 as the application reads them. */

export type Role = "owner" | "admin" | "editor" | "viewer";
export const roles: Role[] = ["owner", "admin", "editor", "viewer"];

export type Scope =
  | "data:read"
  | "data:write"
  | "schema:read"
  | "schema:write"
  | "members:read"
  | "members:manage"
  | "mcp:tools";

export type Icon = { kind: "emoji" | "lucide" | "image"; value: string; color?: string };

export type Me = {
  id: string;
  kind: string;
  scopes: Scope[];
  orgs: { orgId: string; role: Role }[];
  bases: BaseSummary[];
};

export type Org = { id: string; name: string; role: Role };
export type Workspace = { id: string; name: string; color: string; icon?: Icon | null; isDefault?: boolean };
export type BaseSummary = { id: string; name: string; workspaceId: string | null; orgId: string | null; icon?: Icon | null };
export type Base = { id: string; name: string; tables: Table[] };
export type Table = { id: string; name: string; icon?: Icon | null; fields: Field[]; views: View[] };

export type FieldType =
  | "text"
  | "long_text"
  | "email"
  | "url"
  | "phone"
  | "number"
  | "currency"
  | "percent"
  | "rating"
  | "duration"
  | "checkbox"
  | "date"
  | "datetime"
  | "single_select"
  | "multi_select"
  | "user"
  | "attachment"
  | "json"
  | "link"
  | "button"
  | "auto_number"
  | "created_time"
  | "last_modified_time"
  | "created_by"
  | "last_modified_by";

export type Option = { name: string; color?: string };

export type FieldConfig = {
  description?: string;
  required?: boolean;
  unique?: boolean;
  default?: unknown;
  options?: Option[];
  precision?: number;
  symbol?: string;
  max?: number;
  icon?: string;
  format?: string;
  dateFormat?: string;
  timeFormat?: string;
  timeZone?: string;
  linkedTableId?: string;
  inverseFieldId?: string;
  multiple?: boolean;
  label?: string;
  url?: string;
};

export type Field = {
  id: string;
  name: string;
  type: FieldType;
  isPrimary: boolean;
  order: number;
  options?: string[];
  linkedTableId?: string;
  config?: FieldConfig;
  hidden?: boolean;
  width?: number | null;
};

export const viewTypes = ["grid", "gallery", "kanban", "calendar", "form"] as const;
export type ViewType = (typeof viewTypes)[number];

export type Leaf = { fieldId: string; op: string; value?: unknown };
export type Filter = Leaf | { and: Filter[] } | { or: Filter[] };
export type Sort = { fieldId: string; dir: "asc" | "desc" };

export type ViewConfig = {
  filters?: Filter[];
  sorts?: Sort[];
  groupBy?: unknown;
  hiddenFields?: string[];
  fieldOrder?: string[];
  rowHeight?: string;
  frozenColumns?: number;
  columnWidths?: Record<string, number>;
  coverFieldId?: string;
  stackFieldId?: string;
  startFieldId?: string;
  endFieldId?: string;
  title?: string;
  description?: string;
  submitLabel?: string;
  successMessage?: string;
  requiredFields?: string[];
};

export type View = { id: string; name: string; type: ViewType; config: ViewConfig };

export type Values = Record<string, unknown>;
export type Row = { id: string; createdTime?: string; fields: Values };
export type Page = { records: Row[]; total: number; offset: number; limit: number; hasMore: boolean };
export type RowPage = Page;

export type Member = { userId: string; name: string; email: string; role: Role; since?: string };
export type Invitation = { id: string; email: string; role: Role; createdAt: string; expiresAt: string };

/** What a record looks like as a linked one. */
export type Linked = { id: string; name: string };

/** A file in an attachment field. */
export type Attachment = { id: string; name: string; size: number; type: string; url?: string; thumbnailUrl?: string };
