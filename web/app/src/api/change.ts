import { type Batch, invalidate, outdated } from "./invalidation.ts";
import type { Key } from "./key.ts";
import { operation } from "./operation.ts";
import type { Address } from "./operationtype.ts";

/**
 * The operations that change something. Each reads again what it makes out of date before its
 * promise resolves.
 */

type ChangeName = keyof typeof outdated;

function change<Name extends ChangeName>(name: Name, ...address: Address<Name>) {
  const keysOf = outdated[name] as (input: unknown) => Key[];
  const refresh = async (input: unknown, batch: Batch | undefined) => {
    if (batch) batch.add(keysOf(input));
    else await invalidate(keysOf(input));
  };
  return operation<Name>(address, refresh);
}

export const createOrg = change("create_org", "POST", "/api/v1/orgs");
export const updateOrg = change("update_org", "PATCH", "/api/v1/orgs/{orgId}");
export const deleteOrg = change("delete_org", "DELETE", "/api/v1/orgs/{orgId}");
export const restoreOrg = change("restore_org", "POST", "/api/v1/deleted-orgs/{deletedOrgId}/restore");
export const purgeOrg = change("purge_org", "DELETE", "/api/v1/deleted-orgs/{deletedOrgId}");
export const leaveOrg = change("leave_org", "POST", "/api/v1/orgs/{orgId}/leave");
export const setMemberRole = change("set_member_role", "PATCH", "/api/v1/orgs/{orgId}/members/{userId}");
export const removeMember = change("remove_member", "DELETE", "/api/v1/orgs/{orgId}/members/{userId}");
export const inviteMember = change("invite_member", "POST", "/api/v1/orgs/{orgId}/invitations");
export const revokeInvitation = change(
  "revoke_invitation",
  "DELETE",
  "/api/v1/orgs/{orgId}/invitations/{invitationId}",
);
export const createWorkspace = change("create_workspace", "POST", "/api/v1/workspaces");
export const updateWorkspace = change("update_workspace", "PATCH", "/api/v1/workspaces/{workspaceId}");
export const deleteWorkspace = change("delete_workspace", "DELETE", "/api/v1/workspaces/{workspaceId}");
export const createBase = change("create_base", "POST", "/api/v1/bases");
export const updateBase = change("update_base", "PATCH", "/api/v1/bases/{baseId}");
export const deleteBase = change("delete_base", "DELETE", "/api/v1/bases/{baseId}");
export const setPublicShare = change("set_public_share", "PUT", "/api/v1/bases/{baseId}/share");
export const disablePublicShare = change("disable_public_share", "DELETE", "/api/v1/bases/{baseId}/share");
export const setViewShare = change("set_view_share", "PUT", "/api/v1/views/{viewId}/share");
export const disableViewShare = change("disable_view_share", "DELETE", "/api/v1/views/{viewId}/share");
export const setBaseAccess = change("set_base_access", "PATCH", "/api/v1/bases/{baseId}/access");
export const setWorkspaceAccess = change("set_workspace_access", "PATCH", "/api/v1/workspaces/{workspaceId}/access");
export const setTablePermissions = change("set_table_permissions", "PATCH", "/api/v1/tables/{tableId}/permissions");
export const createGroup = change("create_group", "POST", "/api/v1/orgs/{orgId}/groups");
export const updateGroup = change("update_group", "PATCH", "/api/v1/orgs/{orgId}/groups/{groupId}");
export const deleteGroup = change("delete_group", "DELETE", "/api/v1/orgs/{orgId}/groups/{groupId}");
export const setBackupSettings = change("set_backup_settings", "PUT", "/api/v1/orgs/{orgId}/backups/settings");
export const deleteBackupSettings = change("delete_backup_settings", "DELETE", "/api/v1/orgs/{orgId}/backups/settings");
export const startBackups = change("start_backups", "POST", "/api/v1/orgs/{orgId}/backups");
export const createTable = change("create_table", "POST", "/api/v1/bases/{baseId}/tables");
export const updateTable = change("update_table", "PATCH", "/api/v1/tables/{tableId}");
export const deleteTable = change("delete_table", "DELETE", "/api/v1/tables/{tableId}");
export const createField = change("create_field", "POST", "/api/v1/tables/{tableId}/fields");
export const updateField = change("update_field", "PATCH", "/api/v1/fields/{fieldId}");
export const deleteField = change("delete_field", "DELETE", "/api/v1/fields/{fieldId}");
export const createView = change("create_view", "POST", "/api/v1/tables/{tableId}/views");
export const updateView = change("update_view", "PATCH", "/api/v1/views/{viewId}");
export const deleteView = change("delete_view", "DELETE", "/api/v1/views/{viewId}");
export const answerForm = change("answer_form", "POST", "/api/v1/views/{viewId}/answers");
export const createRecords = change("create_records", "POST", "/api/v1/tables/{tableId}/records");
export const updateRecords = change("update_records", "PATCH", "/api/v1/tables/{tableId}/records");
export const exportTable = change("export_table", "POST", "/api/v1/tables/{tableId}/exports");
export const exportBase = change("export_base", "POST", "/api/v1/bases/{baseId}/exports");
export const importTable = change("import_table", "POST", "/api/v1/tables/{tableId}/imports");
export const importBase = change("import_base", "POST", "/api/v1/bases/{baseId}/imports");
export const startAirtableImport = change(
  "start_airtable_import",
  "POST",
  "/api/v1/workspaces/{workspaceId}/airtable-imports",
);
export const startProductImport = change(
  "start_product_import",
  "POST",
  "/api/v1/workspaces/{workspaceId}/product-imports",
);
export const startArchiveImport = change(
  "start_archive_import",
  "POST",
  "/api/v1/workspaces/{workspaceId}/archive-imports",
);
export const duplicateBase = change("duplicate_base", "POST", "/api/v1/bases/{baseId}/duplicate");
export const duplicateTable = change("duplicate_table", "POST", "/api/v1/tables/{tableId}/duplicate");
export const cancelJob = change("cancel_job", "POST", "/api/v1/jobs/{jobId}/cancel");
export const updateRecordsWhere = change("update_records_where", "PATCH", "/api/v1/tables/{tableId}/records/where");
export const deleteRecords = change("delete_records", "DELETE", "/api/v1/tables/{tableId}/records");
export const mergeRecords = change("merge_records", "POST", "/api/v1/tables/{tableId}/records/merge");
export const moveRecords = change("move_records", "POST", "/api/v1/views/{viewId}/records/move");
export const deleteSelectedRecords = change(
  "delete_selected_records",
  "DELETE",
  "/api/v1/tables/{tableId}/records/selected",
);
export const deleteRecord = change("delete_record", "DELETE", "/api/v1/records/{recordId}");
export const restoreRecordVersion = change("restore_record_version", "POST", "/api/v1/records/{recordId}/restore");
export const setPresence = change("set_presence", "PUT", "/api/v1/bases/{baseId}/presence");
export const revertChanges = change("revert_changes", "POST", "/api/v1/bases/{baseId}/changes/revert");
export const restoreTrash = change("restore", "POST", "/api/v1/bases/{baseId}/trash/restore");
export const purgeTrash = change("purge_trash", "POST", "/api/v1/bases/{baseId}/trash/purge");
export const restoreBases = change("restore_bases", "POST", "/api/v1/orgs/{orgId}/trash/restore");
export const purgeBases = change("purge_bases", "POST", "/api/v1/orgs/{orgId}/trash/purge");
export const createDashboard = change("create_dashboard", "POST", "/api/v1/bases/{baseId}/dashboards");
export const updateDashboard = change(
  "update_dashboard",
  "PATCH",
  "/api/v1/bases/{baseId}/dashboards/{dashboardId}",
);
export const deleteDashboard = change(
  "delete_dashboard",
  "DELETE",
  "/api/v1/bases/{baseId}/dashboards/{dashboardId}",
);
export const createWebhook = change("create_webhook", "POST", "/api/v1/bases/{baseId}/webhooks");
export const updateWebhook = change("update_webhook", "PATCH", "/api/v1/bases/{baseId}/webhooks/{webhookId}");
export const deleteWebhook = change("delete_webhook", "DELETE", "/api/v1/bases/{baseId}/webhooks/{webhookId}");
export const rotateWebhookSecret = change(
  "rotate_webhook_secret",
  "POST",
  "/api/v1/bases/{baseId}/webhooks/{webhookId}/secret",
);
export const sendWebhookDelivery = change(
  "send_webhook_delivery",
  "POST",
  "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries/{deliveryId}/send",
);
export const createComment = change("create_comment", "POST", "/api/v1/records/{recordId}/comments");
export const updateComment = change("update_comment", "PATCH", "/api/v1/comments/{commentId}");
export const deleteComment = change("delete_comment", "DELETE", "/api/v1/comments/{commentId}");
export const resolveComment = change("resolve_comment", "PUT", "/api/v1/comments/{commentId}/resolution");
export const markInboxRead = change("mark_inbox_read", "POST", "/api/v1/orgs/{orgId}/inbox/read");
export const setNotifications = change("set_notifications", "PATCH", "/api/v1/orgs/{orgId}/notifications");
export const updateProfile = change("update_profile", "PATCH", "/account/api/profile");
export const resendVerification = change("resend_verification", "POST", "/account/api/verification");
export const openBase = change("open_base", "PUT", "/account/api/bases/{baseId}/opened");
export const markBase = change("mark_base", "PUT", "/account/api/bases/{baseId}/favorite");
export const unmarkBase = change("unmark_base", "DELETE", "/account/api/bases/{baseId}/favorite");
export const deleteAccount = change("delete_account", "POST", "/account/api/deletion");
export const changeEmail = change("change_email", "POST", "/account/api/email");
export const changePassword = change("change_password", "POST", "/account/api/password");
export const endSession = change("end_session", "DELETE", "/account/api/sessions/{sessionId}");
export const endOtherSessions = change("end_other_sessions", "DELETE", "/account/api/sessions");
export const createKey = change("create_key", "POST", "/account/api/keys");
export const revokeKey = change("revoke_key", "DELETE", "/account/api/keys/{keyId}");
export const rotateKey = change("rotate_key", "POST", "/account/api/keys/{keyId}/rotate");
export const revokeMemberKey = change("revoke_member_key", "DELETE", "/account/api/orgs/{orgId}/keys/{keyId}");
export const revokeConnectedApp = change("revoke_connected_app", "DELETE", "/account/api/apps/{appId}");
