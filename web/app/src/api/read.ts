import { operation } from "./operation.ts";

/** The operations that only read. */

export const getMe = operation<"get_me">(["GET", "/api/v1/me"]);
export const listOrgs = operation<"list_orgs">(["GET", "/api/v1/orgs"]);
export const listDeletedOrgs = operation<"list_deleted_orgs">(["GET", "/api/v1/deleted-orgs"]);
export const getRetention = operation<"get_retention">(["GET", "/api/v1/orgs/{orgId}/retention"]);
export const listAuditEvents = operation<"list_audit_events">(["GET", "/api/v1/orgs/{orgId}/audit"]);
export const listMembers = operation<"list_members">(["GET", "/api/v1/orgs/{orgId}/members"]);
/** What a removal of a member would change, requested with `plan`. */
export const planMemberRemoval = operation<"remove_member">(["DELETE", "/api/v1/orgs/{orgId}/members/{userId}"]);
export const listInvitations = operation<"list_invitations">(["GET", "/api/v1/orgs/{orgId}/invitations"]);
export const listWorkspaces = operation<"list_workspaces">(["GET", "/api/v1/orgs/{orgId}/workspaces"]);
export const listBases = operation<"list_bases">(["GET", "/api/v1/bases"]);
export const describeBase = operation<"describe_base">(["GET", "/api/v1/bases/{baseId}"]);
export const getBaseAccess = operation<"get_base_access">(["GET", "/api/v1/bases/{baseId}/access"]);
export const getWorkspaceAccess = operation<"get_workspace_access">(["GET", "/api/v1/workspaces/{workspaceId}/access"]);
export const getTablePermissions = operation<"get_table_permissions">(["GET", "/api/v1/tables/{tableId}/permissions"]);
export const listGroups = operation<"list_groups">(["GET", "/api/v1/orgs/{orgId}/groups"]);
/** What the deletion of a group would change, requested with `plan`. */
export const planGroupDeletion = operation<"delete_group">(["DELETE", "/api/v1/orgs/{orgId}/groups/{groupId}"]);
export const getBackupSettings = operation<"get_backup_settings">(["GET", "/api/v1/orgs/{orgId}/backups/settings"]);
export const listBackups = operation<"list_backups">(["GET", "/api/v1/orgs/{orgId}/backups"]);
export const getField = operation<"get_field">(["GET", "/api/v1/fields/{fieldId}"]);
export const checkFormula = operation<"check_formula">(["POST", "/api/v1/tables/{tableId}/formula/check"]);
export const getPublicShare = operation<"get_public_share">(["GET", "/api/v1/bases/{baseId}/share"]);
export const getViewShare = operation<"get_view_share">(["GET", "/api/v1/views/{viewId}/share"]);
export const queryRecords = operation<"query_records">(["GET", "/api/v1/tables/{tableId}/records"]);
export const aggregateRecords = operation<"aggregate_records">(["GET", "/api/v1/tables/{tableId}/records/aggregate"]);
export const getCriticalPath = operation<"get_critical_path">([
  "GET",
  "/api/v1/tables/{tableId}/records/critical-path",
]);
export const exportRecords = operation<"export_records">(["POST", "/api/v1/tables/{tableId}/records/export"]);
export const querySql = operation<"query_sql">(["POST", "/api/v1/bases/{baseId}/sql"]);
export const searchBase = operation<"search_base">(["GET", "/api/v1/bases/{baseId}/search"]);
export const getRecord = operation<"get_record">(["GET", "/api/v1/records/{recordId}"]);
export const getRecordHistory = operation<"get_record_history">(["GET", "/api/v1/records/{recordId}/history"]);
export const listChangeSets = operation<"list_change_sets">(["GET", "/api/v1/bases/{baseId}/change-sets"]);
export const listTrash = operation<"list_trash">(["GET", "/api/v1/bases/{baseId}/trash"]);
export const listOrgTrash = operation<"list_org_trash">(["GET", "/api/v1/orgs/{orgId}/trash"]);
export const listDashboards = operation<"list_dashboards">(["GET", "/api/v1/bases/{baseId}/dashboards"]);
export const listWebhooks = operation<"list_webhooks">(["GET", "/api/v1/bases/{baseId}/webhooks"]);
export const listWebhookDeliveries = operation<"list_webhook_deliveries">([
  "GET",
  "/api/v1/bases/{baseId}/webhooks/{webhookId}/deliveries",
]);
export const countComments = operation<"count_comments">(["GET", "/api/v1/tables/{tableId}/comments/count"]);
export const listComments = operation<"list_comments">(["GET", "/api/v1/records/{recordId}/comments"]);
export const listInbox = operation<"list_inbox">(["GET", "/api/v1/inbox"]);
export const listJobs = operation<"list_jobs">(["GET", "/api/v1/orgs/{orgId}/jobs"]);
export const getJob = operation<"get_job">(["GET", "/api/v1/jobs/{jobId}"]);
export const listTemplates = operation<"list_templates">(["GET", "/api/v1/templates"]);
export const getNotifications = operation<"get_notifications">(["GET", "/api/v1/orgs/{orgId}/notifications"]);
export const getUploadLimits = operation<"get_upload_limits">(["GET", "/api/v1/uploads"]);
export const getProfile = operation<"get_profile">(["GET", "/account/api/profile"]);
export const listOwnBases = operation<"list_own_bases">(["GET", "/account/api/bases"]);
export const getDeletion = operation<"get_deletion">(["GET", "/account/api/deletion"]);
export const listSessions = operation<"list_sessions">(["GET", "/account/api/sessions"]);
export const listKeys = operation<"list_keys">(["GET", "/account/api/keys"]);
export const listMemberKeys = operation<"list_member_keys">(["GET", "/account/api/orgs/{orgId}/keys"]);
export const listConnectedApps = operation<"list_connected_apps">(["GET", "/account/api/apps"]);
