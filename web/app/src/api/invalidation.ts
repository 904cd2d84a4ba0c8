import { cache } from "./cache.ts";
import { type Key, key } from "./key.ts";
import type { Input, OperationName } from "./operationtype.ts";
import type { Base } from "./type.ts";

/**
 * The base that contains a table, a field or a view, if its schema was read; what was not read
 * cannot be out of date.
 */
function baseWith(id: string): Key[] {
  const read = cache.getQueriesData<Base>({ queryKey: key.base() });
  const holds = (base: Base) =>
    base.tables.some((table) => table.id === id || [...table.fields, ...table.views].some((part) => part.id === id));
  const base = read.find(([, data]) => data && holds(data))?.[1];
  return base ? [key.base(base.id)] : [];
}

/** The base of a view that nothing sorts: the first move of records gives it an order. */
function baseOfUnsorted(viewId: string): Key[] {
  const views = cache
    .getQueriesData<Base>({ queryKey: key.base() })
    .flatMap(([, base]) => base?.tables.flatMap((table) => table.views) ?? []);
  return views.some(({ id, config }) => id === viewId && !config.sorts?.length) ? baseWith(viewId) : [];
}

/** What a restoration of a part of a base may change. */
const restored = (baseId: string): Key[] => [
  key.base(baseId),
  key.bases,
  key.records(),
  key.record(),
  key.history(),
  key.changes(baseId),
  key.trash(baseId),
];

/** What an operation makes out of date. Every operation that changes something has an entry. */
type Table = { [Name in OperationName]?: (input: Input<Name>) => Key[] };

export const outdated = {
  create_org: () => [key.me, key.orgs, key.bases],
  update_org: () => [key.orgs],
  delete_org: () => [key.everything],
  restore_org: () => [key.everything],
  purge_org: () => [key.deletedOrgs],
  leave_org: () => [key.everything],
  set_member_role: ({ orgId }) => [key.members(orgId), key.me, key.orgs],
  remove_member: ({ orgId }) => [key.members(orgId), key.me, key.orgs],
  invite_member: ({ orgId }) => [key.invitations(orgId)],
  revoke_invitation: ({ orgId }) => [key.invitations(orgId)],

  create_workspace: ({ body }) => [key.workspaces(body.orgId)],
  update_workspace: () => [key.workspaces()],
  delete_workspace: () => [key.workspaces()],

  create_base: () => [key.bases],
  update_base: ({ baseId }) => [key.bases, key.base(baseId)],
  delete_base: () => [key.bases, key.trashedBases()],
  set_public_share: ({ baseId }) => [key.share(baseId)],
  disable_public_share: ({ baseId }) => [key.share(baseId)],

  set_view_share: ({ viewId }) => [key.viewShare(viewId)],
  disable_view_share: ({ viewId }) => [key.viewShare(viewId)],

  set_base_access: ({ baseId, body }) => (body?.plan ? [] : [key.access(baseId), key.base(baseId), key.bases]),
  set_workspace_access: ({ workspaceId, body }) =>
    body?.plan ? [] : [key.workspaceAccess(workspaceId), key.access(), key.base(), key.bases, key.workspaces()],
  set_table_permissions: ({ tableId, body }) => (body?.plan ? [] : [key.permissions(tableId), ...baseWith(tableId)]),
  create_group: ({ orgId }) => [key.groups(orgId)],
  update_group: ({ orgId, body }) => (body?.plan ? [] : [key.groups(orgId), key.access()]),
  delete_group: ({ orgId }) => [key.groups(orgId), key.access()],

  set_backup_settings: ({ orgId, body }) => (body.dryRun ? [] : [key.backupSettings(orgId)]),
  delete_backup_settings: ({ orgId }) => [key.backupSettings(orgId), key.backups(orgId)],
  start_backups: ({ orgId }) => [key.backups(orgId)],

  create_table: ({ baseId }) => [key.base(baseId)],
  update_table: ({ tableId }) => baseWith(tableId),
  delete_table: ({ tableId }) => [...baseWith(tableId), key.trash()],
  create_field: ({ tableId }) => baseWith(tableId),
  // Another type or another formula makes other values.
  update_field: ({ fieldId, body }) => [...baseWith(fieldId), ...(body?.type || body?.config ? [key.record()] : [])],
  delete_field: ({ fieldId }) => [...baseWith(fieldId), key.trash()],
  create_view: ({ tableId }) => baseWith(tableId),
  update_view: ({ viewId }) => baseWith(viewId),
  delete_view: ({ viewId }) => [...baseWith(viewId), key.trash()],

  answer_form: ({ viewId }) => [key.records(), key.viewShare(viewId)],
  create_records: ({ tableId }) => [key.records(tableId)],
  update_records: ({ tableId }) => [key.records(tableId), key.history()],
  // The records of other tables now link to the kept record.
  merge_records: ({ body }) => (body?.dryRun ? [] : [key.records(), key.record(), key.history()]),
  // Who moves records reads the rows again.
  move_records: ({ viewId }) => [...baseOfUnsorted(viewId), key.history()],
  delete_records: ({ tableId }) => [key.records(tableId)],
  delete_selected_records: ({ tableId }) => [key.records(tableId)],
  update_records_where: ({ tableId, body }) => (body?.plan ? [] : [key.records(tableId), key.history()]),
  delete_records_where: ({ tableId }) => [key.records(tableId)],
  import_records: ({ tableId }) => baseWith(tableId),
  export_table: () => [key.jobs],
  export_base: () => [key.jobs],
  import_table: ({ body }) => (body?.dryRun ? [] : [key.jobs]),
  import_base: ({ body }) => (body?.dryRun ? [] : [key.jobs]),
  start_airtable_import: () => [key.jobs, key.bases],
  start_product_import: () => [key.jobs, key.bases],
  start_archive_import: () => [key.jobs],
  duplicate_base: () => [key.jobs],
  duplicate_table: () => [key.jobs],
  cancel_job: () => [key.jobs],
  delete_record: () => [key.records()],
  restore_record_version: ({ body }) => (body?.dryRun ? [] : [key.records(), key.record(), key.history()]),
  set_presence: () => [],
  revert_changes: ({ baseId, body }) => (body?.dryRun ? [] : restored(baseId)),
  restore: ({ baseId }) => restored(baseId),
  purge_trash: ({ baseId }) => [key.trash(baseId)],
  restore_bases: ({ orgId }) => [key.bases, key.base(), key.trashedBases(orgId)],
  purge_bases: ({ orgId }) => [key.trashedBases(orgId)],

  create_dashboard: ({ baseId }) => [key.dashboards(baseId)],
  update_dashboard: ({ baseId }) => [key.dashboards(baseId)],
  delete_dashboard: ({ baseId }) => [key.dashboards(baseId)],
  create_webhook: ({ baseId }) => [key.webhooks(baseId)],
  update_webhook: ({ baseId }) => [key.webhooks(baseId)],
  delete_webhook: ({ baseId }) => [key.webhooks(baseId)],
  rotate_webhook_secret: ({ baseId }) => [key.webhooks(baseId)],
  send_webhook_delivery: ({ baseId, webhookId }) => [key.webhooks(baseId), key.deliveries(webhookId)],
  create_comment: ({ recordId }) => [key.comments(recordId), key.commentCounts()],
  update_comment: () => [key.comments()],
  delete_comment: () => [key.comments()],
  resolve_comment: () => [key.comments()],
  mark_inbox_read: () => [key.inbox],
  set_notifications: ({ orgId }) => [key.notifications(orgId)],

  update_profile: () => [key.profile],
  resend_verification: () => [],
  open_base: () => [key.ownBases],
  mark_base: () => [key.ownBases],
  unmark_base: () => [key.ownBases],
  delete_account: () => [], // the page is left
  change_email: () => [], // nothing has changed before the link is opened
  change_password: () => [key.sessions],
  end_session: () => [key.sessions],
  end_other_sessions: () => [key.sessions],
  create_key: () => [key.keys],
  revoke_key: () => [key.keys],
  rotate_key: () => [key.keys],
  revoke_member_key: ({ orgId }) => [key.memberKeys(orgId)],
  revoke_connected_app: () => [key.connectedApps],
} satisfies Table;

type Listener = (keys: Key[]) => void;
const listeners = new Set<Listener>();

/** Calls the listener with the keys of what has become out of date. Returns the function to stop. */
export function onInvalidate(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Reads again what is shown of the keys, and the rest when it is next shown. */
export async function invalidate(keys: Key[]): Promise<void> {
  if (keys.length === 0) return;
  for (const listener of listeners) listener(keys);
  await Promise.all(keys.map((one) => cache.invalidateQueries({ queryKey: one })));
}

/** Collects what several operations make out of date, to read it again once. */
export class Batch {
  private keys = new Map<string, Key>();

  add(keys: Key[]) {
    for (const one of keys) this.keys.set(JSON.stringify(one), one);
  }

  async refresh() {
    const keys = [...this.keys.values()];
    this.keys.clear();
    await invalidate(keys);
  }
}
