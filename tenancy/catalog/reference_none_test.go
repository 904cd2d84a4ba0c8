package catalog_test

// namesNothing are columns of the metadata, and keys of configs, that can hold ids or names and name no option,
// field, table, view or person whose renaming or deletion they would have to follow. A * is all columns of a table.
var namesNothing = []string{
	// Credentials and people: those of a person go with the person.
	"api_key.*", "oauth_client.*", "oauth_consent.*", "oauth_device.*", "oauth_grant.*", "oauth_question.*",
	"oauth_signing_key.*", "session.*", "mailed_token.*", "person.*", "member.role", "invitation.email",
	"invitation.role", "approval.*", "invitation.bases",
	// What happened, in the words of then.
	"audit_event.*", "change_set.*", "change_set_revert.*", "idempotency.*", "webhook_delivery.*",
	// Their own names and properties.
	"base.icon", "base.name", "base.time_zone", "dashboard.name", "base_share.share_id", "view_share.share_id",
	"view_share.password_hash", "person_group.name", "data_table.icon", "data_table.name", "field.name", "field.type",
	"field.link_side", "organization.name", "organization.icon", "deleted_organization.*", "view.access", "view.name",
	"view.type", "workspace.color", "workspace.icon", "workspace.name", "webhook.disabled_reason", "webhook.lease",
	"webhook.name", "webhook.position", "webhook.url", "comment.credential", "comment.text", "comment_notice.reason",
	"attachment.name", "attachment.state", "attachment.type", "job.kind", "job.state", "job.lease", "job.file_id",
	"job.change_set", "job.caller", "job.progress", "job.report",
	// The ids of another service, and ours of then: what is gone is left out by the next import.
	"airtable_item.*", "backup.*", "backup_setting.*", "base.scratch",
	// Who wrote something, or where it is: a table number and a record survive in the trash with it.
	"attachment.created_by", "attachment.table_id", "comment.person_id", "comment.record_id", "comment.resolved_by",
	"trash.base_id", "trash.change_set", "trash.kind", "trash.name", "trash.object_id", "trash.person_id",
	"trash.table_id",
	// Derived from the schema at the end of each of its changes.
	"computed_column.*", "record_index.*", "sql_base.*", "sql_class.*",
	// Keys of configs.
	"field.config.description", "field.config.required", "field.config.unique", "field.config.options",
	"field.config.precision", "field.config.symbol", "field.config.max", "field.config.icon", "field.config.format",
	"field.config.dateFormat", "field.config.timeFormat", "field.config.timeZone", "field.config.multiple",
	"field.config.thousands", "field.config.negative", "field.config.label", "field.config.url",
	"field.config.resultType", "field.config.function", "field.config.limit", "view.config.rowHeight",
	"view.config.timeScale", "view.config.calendarScale", "view.config.frozenColumns", "view.config.title",
	"view.config.description", "view.config.submitLabel", "view.config.successMessage", "view.config.closedMessage",
	"view.config.redirectUrl", "view.config.closesTime", "view.config.maxAnswers", "view.config.prefill",
	"view.config.editAnswers",
}
