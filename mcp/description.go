package mcp

import (
	"strings"

	"github.com/rowhouse/rowhouse/api/operation"
)

// toolDescriptions replace what the catalogue says of an operation where an agent needs fewer words: what the
// title, the schema or the instructions of the server say is not said again.
var toolDescriptions = map[string]string{
	"aggregate_records": "Counts, sums, medians and the like, in groups. Results are keyed as in sum(Price). A " +
		"record with " +
		"several links is in the group of each.",
	"create_attachment": "Upload a file of up to 1 MB, then write [{id}] to an attachment field of the table. " +
		"POST larger " +
		"ones to /api/v1/tables/{tableId}/uploads?name=….",
	"create_base": "In a workspace, or in the default workspace of an organization if you belong to several.",
	"create_org":  "You become its owner.",
	"create_records": "Up to 100, all or none: records, or fields for one. upsertOn (1 to 3 field names) " +
		"updates matching records.",
	"create_table": "With fields, or with a text field Name. The first text-like field is primary.",
	"create_view":  "update_view sets filters, sorts and layout.",

	"create_workspace": "Workspaces group an organization's bases.",
	"delete_base":      "With its tables and records. An admin can restore it.",
	"delete_field":     "With its values, and the other side of a link. restore brings it back.",
	"delete_org":       "With everything in it, for good. Only an owner may.",
	"delete_records":   "Up to 100, all or none. restore brings them back.",
	"delete_table":     "With its records, and the link fields that point here. restore brings all back.",
	"delete_view":      "restore brings it back.",
	"delete_workspace": "Only an empty one.",
	"delete_records_where": "Every record that the filters find, up to 10,000, all or none. revert_changes " +
		"undoes it.",
	"describe_base":  "Tables, fields and views. Call this before you read or write records.",
	"describe_table": "Fields with types and options, and views.",

	"disable_public_share": "The share id stops working at once.",
	"export_records": "CSV as import_records takes it, with filters as in query_records. Links and files by name, " +
		"people by id.",
	"fetch":              "A search result as text, or rowhouse://docs/filters or rowhouse://docs/field-types.",
	"get_me":             "Your roles, scopes, organizations and bases.",
	"get_public_share":   "Whether a base is public. The page is {service}/share/{publicShareId}.",
	"get_record":         "One record with all its fields.",
	"get_record_history": "Changes of a record, even deleted, newest first.",
	"import_records": "Create or upsert records from CSV, whose first line names fields. Values are converted, " +
		"select options " +
		"added. All or none, or with skipRefused all that fit.",
	"invite_member":     "Mails a link that is valid for 14 days.",
	"leave_org":         "You lose access at once.",
	"list_audit_events": "Who changed schemas, shares, members and credentials, newest first.",
	"list_bases":        "Every base you can access. describe_base has tables and fields.",
	"list_change_sets":  "Who changed how many records, and which tables, fields and views, newest first.",
	"list_changes": "Changes since a cursor with before and after, oldest first. Without a cursor you get " +
		"that of now.",
	"list_comments":    "Latest thread first.",
	"list_fields":      "With types and options.",
	"list_indexes":     "Made and dropped by use.",
	"list_invitations": "Pending and expired ones.",
	"list_members":     "With roles, e-mail addresses and the ids that user fields take.",
	"list_orgs":        "Organizations that you belong to, with your roles.",
	"list_tables":      "Ids and names only.",
	"list_trash":       "What was deleted in a base, latest first; restore takes the ids.",
	"list_views":       "query_records applies the filters and sorts of one.",
	"list_workspaces":  "The first is the default.",
	"query_records": "Filter, sort and page the records of a table, with the exact total. eq on text is " +
		"case-sensitive, " +
		"contains is not. More than five records come as columns and rows with short ids.",
	"read_attachment": "Text of a file in a record (text, CSV, JSON, Markdown, HTML, PDF), or an image.",
	"check_formula":   "The type of a formula and its values in five records, or its mistakes and where they are.",
	"remove_member":   "They lose access at once; what they wrote stays.",
	"restore":         "Bring back records, tables, fields or views, all or none. A column undoes a change of type.",
	"revert_changes": "Take back change sets, or all by a credential since a moment, all or none. Call with " +
		"dryRun first. What " +
		"others changed since is a conflict.",
	"revoke_invitation": "Its link stops working at once.",
	"query_sql": "Run one SELECT of PostgreSQL over the tables of a base. Tables and columns have the names of " +
		"tables and fields, in double quotes if they contain spaces; case does not matter. Each table also has id " +
		"(to join), record_id (for other operations), created_at and updated_at. A link field is a table of its own, " +
		`"Table__Field" with id, linked_id and position.`,
	"create_field": "Durations are in seconds; 12.5 in a percent field means 12.5 %. Links and buttons are created " +
		"in the application alone.",
	"search":         "Find bases, tables and records by words, in any order and with a typo, best first, for fetch.",
	"search_records": "Records of a table with a text in any field, ignoring case.",
	"set_member_role": "A viewer reads, an editor writes records, an admin changes schemas and members, an " +
		"owner does all.",
	"set_public_share": "Anyone with the share id can read the base. regenerate replaces the id.",
	"update_base":      "Change name, icon or timeZone (of formulas), or move it to another workspace.",
	"update_field":     "A change that would lose values, or break a filter of a view, needs discard.",
	"update_org":       "Only an owner may.",
	"update_record":    "As update_records, for one.",
	"update_records":   "Up to 100, all or none. Merges fields into each record; null or an empty string clears one.",
	"update_records_where": "Sets the same fields of every record that the filters find, up to 10,000, all or " +
		"none. plan: true, in any tool, changes nothing, says what would happen, and answers a planToken for apply.",
	"update_table": "Change name or icon.",
	"update_view": "config sets the given keys and keeps the others: filters, sorts, groupBy, hiddenFields, " +
		"fieldOrder, " +
		"rowHeight, columnWidths, coverFieldId, stackFieldId, startFieldId, endFieldId, form texts. unset " +
		"removes keys.",
	"update_workspace": "Change name, colour or icon.",
}

// toolDescription returns the description of a tool. Its title comes before it.
func toolDescription(def *operation.Def) string {
	if text, ok := toolDescriptions[def.Name]; ok {
		return text
	}
	return strings.TrimSpace(def.Summary + " " + def.Description)
}
