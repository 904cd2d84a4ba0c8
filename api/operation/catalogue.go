package operation

import "slices"

// Catalogue returns every operation in the order in which documentation and tools list them. An
// operation that is not listed here is not served.
func Catalogue() []*Operation {
	return []*Operation{
		GetMe,
		ListOrgs, CreateOrg, GetOrg, UpdateOrg, DeleteOrg, ListDeletedOrgs, RestoreOrg, PurgeOrg,
		ListMembers, SetMemberRole, RemoveMember, LeaveOrg, ListInvitations, InviteMember, RevokeInvitation,
		ListGroups, CreateGroup, UpdateGroup, DeleteGroup,
		ListAuditEvents,
		ListInbox, MarkInboxRead, GetNotifications, SetNotifications,
		ListOrgTrash, RestoreBases, PurgeBases, GetRetention,
		ListWorkspaces, CreateWorkspace, UpdateWorkspace, DeleteWorkspace,
		GetWorkspaceAccess, SetWorkspaceAccess,
		ListBases, CreateBase, DescribeBase, UpdateBase, DeleteBase, SearchBase,
		GetBaseAccess, SetBaseAccess, ExplainAccess,
		ListTables, CreateTable, DescribeTable, UpdateTable, DeleteTable, ListIndexes,
		GetTablePermissions, SetTablePermissions,
		ListFieldTypes, ListFields, CreateField, GetField, UpdateField, DeleteField, CheckFormula,
		ListViews, CreateView, GetView, UpdateView, GetViewShare, SetViewShare, DisableViewShare, DeleteView,
		AnswerForm,
		ListDashboards, CreateDashboard, GetDashboard, UpdateDashboard, DeleteDashboard,
		QuerySQL,
		ListRecords, SearchRecords, AggregateRecords, GetCriticalPath, CreateRecords, UpdateRecords, DeleteRecords,
		MergeRecords, MoveRecords,
		UpdateRecordsWhere, DeleteRecordsWhere, DeleteSelectedRecords, ImportRecords,
		ExportRecords, CreateDownload, ExportTable, ExportBase, ImportTable, ImportBase,
		StartAirtableImport, StartProductImport, StartArchiveImport, ListTemplates, DuplicateBase, DuplicateTable,
		GetBackupSettings, SetBackupSettings, DeleteBackupSettings, StartBackups, ListBackups,
		GetJob, ListJobs, CancelJob, GetRecord,
		UpdateRecord, DeleteRecord, GetRecordHistory, RestoreRecordVersion, ListChangeSets, ListChanges, RevertChanges,
		SetPresence,
		CreateAttachment, CreateUpload, ReadAttachment,
		ListComments, CreateComment, GetComment, UpdateComment, DeleteComment, ResolveComment, CountComments,
		ListTrash, Restore, PurgeTrash,
		ListWebhooks, CreateWebhook, GetWebhook, UpdateWebhook, DeleteWebhook, RotateWebhookSecret,
		ListWebhookDeliveries, SendWebhookDelivery,
		GetPublicShare, SetPublicShare, DisablePublicShare,
	}
}

// Tools returns the operations that agents have a tool for, in the order of the catalogue.
func Tools() []*Operation { return ToolsOf(Catalogue()) }

// ToolsOf returns the operations of a list that agents have a tool for.
func ToolsOf(list []*Operation) []*Operation {
	return slices.DeleteFunc(slices.Clone(list), func(op *Operation) bool { return op.Agent.NotATool != "" })
}

// Tool returns the operation of the catalogue that agents have a tool for by this name, or nil.
func Tool(name string) *Operation {
	tools := Tools()
	if i := slices.IndexFunc(tools, func(op *Operation) bool { return op.Name == name }); i >= 0 {
		return tools[i]
	}
	return nil
}
