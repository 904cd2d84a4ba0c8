/**
 * The keys under which responses of the service are cached. A key also covers all keys that begin
 * with it.
 */
export const key = {
  everything: [],
  me: ["me"],
  orgs: ["orgs"],
  deletedOrgs: ["deleted orgs"],
  workspaces: (orgId?: string) => (orgId === undefined ? ["workspaces"] : ["workspaces", orgId]),
  bases: ["bases"],
  base: (baseId?: string) => (baseId === undefined ? ["base"] : ["base", baseId]),
  field: (fieldId: string) => ["field", fieldId],
  share: (baseId: string) => ["share", baseId],
  viewShare: (viewId: string) => ["viewShare", viewId],
  members: (orgId: string) => ["members", orgId],
  everyMember: ["members"],
  groups: (orgId: string) => ["groups", orgId],
  backupSettings: (orgId: string) => ["backupSettings", orgId],
  retention: (orgId: string) => ["retention", orgId],
  backups: (orgId: string) => ["backups", orgId],
  /** Who has what in a base. */
  access: (baseId?: string) => (baseId === undefined ? ["access"] : ["access", baseId]),
  workspaceAccess: (workspaceId: string) => ["workspaceAccess", workspaceId],
  permissions: (tableId: string) => ["permissions", tableId],
  invitations: (orgId: string) => ["invitations", orgId],
  audit: (orgId: string) => ["audit", orgId],
  record: (recordId?: string) => (recordId === undefined ? ["record"] : ["record", recordId]),
  /** Pages of records; the rows of views are kept elsewhere (record/source.ts). */
  records: (tableId?: string) => (tableId === undefined ? ["records"] : ["records", tableId]),
  found: (baseId: string) => ["found", baseId],
  history: (recordId?: string) => (recordId === undefined ? ["history"] : ["history", recordId]),
  changes: (baseId?: string) => (baseId === undefined ? ["changes"] : ["changes", baseId]),
  trash: (baseId?: string) => (baseId === undefined ? ["trash"] : ["trash", baseId]),
  trashedBases: (orgId?: string) => (orgId === undefined ? ["trashed bases"] : ["trashed bases", orgId]),
  dashboards: (baseId: string) => ["dashboards", baseId],
  webhooks: (baseId: string) => ["webhooks", baseId],
  deliveries: (webhookId: string) => ["deliveries", webhookId],
  comments: (recordId?: string) => (recordId === undefined ? ["comments"] : ["comments", recordId]),
  commentCounts: (tableId?: string) =>
    tableId === undefined ? ["comments", "count"] : ["comments", "count", tableId],
  inbox: ["inbox"],
  jobs: ["jobs"],
  templates: ["templates"],
  notifications: (orgId: string) => ["notifications", orgId],
  ownBases: ["account", "bases"],
  deletion: ["account", "deletion"],
  profile: ["account", "profile"],
  sessions: ["account", "sessions"],
  keys: ["account", "keys"],
  memberKeys: (orgId: string) => ["account", "org", orgId, "keys"],
  memberRemoval: (orgId: string, userId: string) => ["org", orgId, "removal", userId],
  groupDeletion: (orgId: string, groupId: string) => ["org", orgId, "group deletion", groupId],
  connectedApps: ["account", "apps"],
} as const;

export type Key = readonly unknown[];
