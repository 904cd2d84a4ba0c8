package mcptest

import (
	"fmt"
	"slices"
	"strings"
)

// A Step calls an operation. $name in its arguments is replaced by the id that an earlier step
// saved under that name.
type Step struct {
	Operation string
	Arguments string
	SaveAs    string // name under which to save the id in the output
	IDPath    string // path of the id in the output, such as records.0.id; default id
}

// Steps call every operation of the catalogue, successfully and with errors.
var Steps = []Step{
	{"get_me", ``, "", ""},
	{"list_orgs", ``, "", ""},
	{"create_org", `"name":"Second"`, "", ""},
	{"create_org", `"name":" "`, "", ""},
	{"get_org", `"orgId":"$org"`, "", ""},
	{"update_org", `"orgId":"$org","name":"Parity"`, "", ""},
	{"list_workspaces", `"orgId":"$org"`, "", ""},
	{"create_workspace", `"orgId":"$org","name":"Side","color":"green"`, "workspace", ""},
	{"update_workspace", `"workspaceId":"$workspace","icon":{"kind":"emoji","value":"🏠"}`, "", ""},
	{"update_workspace", `"workspaceId":"$workspace","icon":{"kind":"sticker","value":"x"}`, "", ""},
	{"create_base", `"name":"CRM","workspaceId":"$workspace"`, "base", ""},
	{"create_base", `"nmae":"CRM"`, "", ""},
	{"list_bases", ``, "", ""},
	{"update_base", `"baseId":"$base","name":"Sales"`, "", ""},
	{
		"create_table",
		`"baseId":"$base","name":"Deals","fields":[{"name":"Name","type":"text"},{"name":"Amount","type":"currency",` +
			`"config":{"symbol":"€"}},{"name":"Stage","type":"single_select","config":{"options":["Open","Won"]}}]`,
		"table", "",
	},
	{"create_table", `"baseId":"$base","name":"deals"`, "", ""},
	{"list_tables", `"baseId":"$base"`, "", ""},
	{"update_table", `"tableId":"$table","name":"Deal"`, "", ""},
	{"create_field", `"tableId":"$table","name":"Notes","type":"long_text"`, "field", ""},
	{"create_field", `"tableId":"$table","name":"Notes","type":"nmber"`, "", ""},
	{"get_field", `"fieldId":"$field"`, "", ""},
	{"update_field", `"fieldId":"$field","name":"Remarks","width":240`, "", ""},
	{"list_fields", `"tableId":"$table"`, "", ""},
	{"create_view", `"tableId":"$table","type":"kanban","name":"Board"`, "view", ""},
	{
		"update_view",
		`"viewId":"$view","config":{"stackFieldId":"Stage","filters":[{"fieldId":"Amount","op":"gt","value":100}]}`, "",
		"",
	},
	{"get_view", `"viewId":"$view"`, "", ""},
	{"list_views", `"tableId":"$table"`, "", ""},
	{"describe_table", `"tableId":"$table"`, "", ""},
	{"describe_base", `"baseId":"$base"`, "", ""},
	{"describe_base", `"baseId":"$base","detail":"names","tableIds":["$table"]`, "", ""},
	{"describe_base", `"baseId":"$base","detail":"names"`, "", ""},
	{"describe_base", `"baseId":"$base","tableIds":["tbl_00000000000000000000000000"]`, "", ""},
	{"create_records", `"tableId":"$table","records":[{"fields":{"Name":"A","Amount":120.5,"Stage":"Open"}},` +
		`{"fields":{"Name":"B","Amount":80,"Stage":"Won"}},{"fields":{"Name":"C"}}]`, "record", "records.0.id"},
	{"create_records", `"tableId":"$table","fields":{"Name":"D","Stage":"Lost"}`, "", ""},
	{"create_records", `"tableId":"$table","fields":{"Nmae":"D"}`, "", ""},
	{"create_records", `"tableId":"$table","upsertOn":["Name"],"records":[{"fields":{"Name":"B","Amount":90}},` +
		`{"fields":{"Name":"E","Amount":1}}]`, "second", "records.1.id"},
	{"create_field", `"tableId":"$table","name":"Files","type":"attachment"`, "", ""},
	{"create_attachment", `"tableId":"$table","name":"plan.txt","content":"aGVsbG8="`, "file", ""},
	{"create_attachment", `"tableId":"$table","name":"plan.txt","content":"hello!"`, "", ""},
	{"create_upload", `"tableId":"$table","name":"plan.csv","size":100`, "", ""},
	{"create_upload", `"tableId":"$table","name":"plan.csv","size":100000000`, "", ""},
	{"import_records", `"tableId":"$table","file":"att_nothing"`, "", ""},
	{"import_records", `"tableId":"$table"`, "", ""},
	{"update_record", `"recordId":"$record","fields":{"Files":[{"id":"$file"}]}`, "", ""},
	{"read_attachment", `"recordId":"$record","attachmentId":"$file"`, "", ""},
	{"read_attachment", `"recordId":"$second","attachmentId":"$file"`, "", ""},
	{"check_formula", `"tableId":"$table","formula":"{Amount} * 2"`, "", ""},
	{"check_formula", `"tableId":"$table","formula":"{Amuont} * 2"`, "", ""},
	{"query_records", `"tableId":"$table"`, "", ""},
	{"query_records", `"tableId":"$table","filters":[{"fieldId":"Stage","op":"eq","value":"Open"}],` +
		`"sorts":[{"fieldId":"Amount","dir":"desc"}],"fields":["Name","Amount"],"limit":2`, "", ""},
	{"query_records", `"tableId":"$table","view":"$view"`, "", ""},
	{"query_records", `"tableId":"$table","filters":[{"fieldId":"Amount","op":"contains","value":"1"}]`, "", ""},
	{"query_records", `"tableId":"$table","limit":1000`, "", ""},
	{"query_records", `"tableId":"$table","format":"rows"`, "", ""},
	{"query_records", `"tableId":"$table","format":"rows","ids":"full","include":["version","createdTime"]`, "", ""},
	{"query_records", `"tableId":"$table","format":"rows","ids":"none","fields":["Stage","Name"],"limit":2`, "", ""},
	{"query_records", `"tableId":"$table","format":"records","ids":"short"`, "", ""},
	{"query_records", `"tableId":"$table","ids":"none"`, "", ""},
	{"query_records", `"tableId":"$table","format":"table"`, "", ""},
	{"search_records", `"tableId":"$table","q":"e","format":"rows"`, "", ""},
	{
		"aggregate_records",
		`"tableId":"$table","aggregates":[{"fn":"count"}],"groupBy":["Stage"],"format":"rows"`, "", "",
	},
	{
		"update_records",
		`"tableId":"$table","records":[{"id":"$record","fields":{"Name":"A"}}],"return":"ids"`, "", "",
	},
	{
		"update_records",
		`"tableId":"$table","records":[{"id":"$record","fields":{"Name":"A"}}],"return":"ids","ids":"short"`, "", "",
	},
	{
		"create_records",
		`"tableId":"$table","upsertOn":["Name"],"fields":{"Name":"B","Amount":91},"return":"none"`, "", "",
	},
	{"create_records", `"tableId":"$table","fields":{"Name":"D"},"return":"id"`, "", ""},
	{"search_records", `"tableId":"$table","q":"e"`, "", ""},
	{"query_sql", `"baseId":"$base","sql":"select 1 as one"`, "", ""},
	{
		"aggregate_records",
		`"tableId":"$table","aggregates":[{"fn":"count"},{"fn":"sum","fieldId":"Amount"}],"groupBy":["Stage"]`, "", "",
	},
	{"aggregate_records", `"tableId":"$table","aggregates":[{"fn":"sum","fieldId":"Name"}]`, "", ""},
	{"get_critical_path", `"tableId":"$table"`, "", ""},
	{"list_indexes", `"tableId":"$table"`, "", ""},
	{"get_record", `"recordId":"$record"`, "", ""},
	{"get_record", `"recordId":"rec_nonsense"`, "", ""},
	{"update_record", `"recordId":"$record","fields":{"Amount":null,"Stage":"Won"}`, "", ""},
	{"update_record", `"recordId":"$record","fields":{"Amount":"much"}`, "", ""},
	{
		"update_records",
		`"tableId":"$table","records":[{"id":"$record","fields":{"Name":"AA"}},{"id":"$second","fields":{"Amount":2}}]`,
		"", "",
	},
	{
		"update_records_where",
		`"tableId":"$table","filters":[{"fieldId":"Stage","op":"eq","value":"Won"}],"fields":{"Amount":7}`, "", "",
	},
	{"update_records_where", `"tableId":"$table","filters":[],"fields":{"Amount":7}`, "", ""},
	{"update_records_where", `"tableId":"$table","search":"A","set":{"Amount":{"formula":"{Amount} * 2"}}`, "", ""},
	{"update_records_where", `"tableId":"$table","search":"A","set":{"Amount":{"formula":"{Name}"}}`, "", ""},
	{"delete_records_where", `"tableId":"$table","filters":[{"fieldId":"Name","op":"eq","value":"Nobody"}]`, "", ""},
	{"delete_records_where", `"tableId":"$table","search":"Nobody","apply":"pln_x"`, "", ""},
	{"import_records", `"tableId":"$table","csv":"Name,Amount\nF,5\n"`, "", ""},
	{"import_records", `"tableId":"$table","csv":"Name,Amount\nG,many\n","plan":true`, "", ""},
	{"import_records", `"tableId":"$table","csv":"Name,Amount\nG,many\n"`, "", ""},
	{"export_records", `"tableId":"$table","fields":["Name","Amount"],"limit":2`, "", ""},
	{"export_records", `"tableId":"$table","fields":["Nam"]`, "", ""},
	{"create_download", `"tableId":"$table","fields":["Name"]`, "", ""},
	{"create_download", `"tableId":"$table","fields":["Nam"]`, "", ""},
	{"export_table", `"tableId":"$table","format":"csv"`, "job", ""},
	{"export_table", `"tableId":"$table","format":"pdf"`, "", ""},
	{"get_job", `"jobId":"$job"`, "", ""},
	{"export_base", `"baseId":"$base","format":"archive"`, "", ""},
	{"import_table", `"tableId":"$table","content":"TmFtZQpBbm90aGVyCg==","dryRun":true`, "", ""},
	{"import_table", `"tableId":"$table"`, "", ""},
	{"import_base", `"baseId":"$base","content":"TmFtZQpBbm90aGVyCg==","name":"Imported","dryRun":true`, "", ""},
	{"start_airtable_import", `"workspaceId":"$workspace","airtableBaseId":"Shop","token":"pat"`, "", ""},
	{
		"start_product_import",
		`"workspaceId":"$workspace","product":"nocodb","productBaseId":"p1","token":"t","address":"x"`, "", "",
	},
	{"start_archive_import", `"workspaceId":"$workspace","template":"crn"`, "", ""},
	{"list_templates", ``, "", ""},
	// A copy comes when its job runs, which would be between any two of the next steps.
	{"duplicate_base", `"baseId":"$base","records":"none"`, "", ""},
	{"duplicate_table", `"tableId":"$table","records":"none"`, "", ""},
	{"list_jobs", `"orgId":"$org"`, "", ""},
	{"cancel_job", `"jobId":"job_00000000000000000000000000"`, "", ""},
	{"create_comment", `"recordId":"$record","text":"Is this right, @[Me]($colleague)?"`, "comment", ""},
	{"create_comment", `"recordId":"$record","text":"Yes.","replyTo":"$comment"`, "", ""},
	{"create_comment", `"recordId":"$record","text":"@[Nobody](usr_00000000000000000000000000)"`, "", ""},
	{"create_comment", `"recordId":"$record","text":" "`, "", ""},
	{"create_comment", `"recordId":"$record","text":"x","replyTo":"$record"`, "", ""},
	{"list_comments", `"recordId":"$record"`, "", ""},
	{"list_comments", `"recordId":"$record","limit":1`, "", ""},
	{"list_comments", `"recordId":"$record","cursor":"x"`, "", ""},
	{"get_record_history", `"recordId":"$record","state":true`, "", ""},
	{"get_record_history", `"recordId":"$record","detail":"full"`, "", ""},
	{"get_record_history", `"recordId":"$record","limit":1`, "", ""},
	{"get_record_history", `"recordId":"$record","cursor":"x"`, "", ""},
	{"restore_record_version", `"recordId":"$record"`, "", ""},
	{"restore_record_version", `"recordId":"$record","asOf":"yesterday"`, "", ""},
	{"restore_record_version", `"recordId":"$record","version":1`, "", ""},
	{"merge_records", `"tableId":"$table","keep":"$record","merge":["$second"],"dryRun":true`, "", ""},
	{"merge_records", `"tableId":"$table","keep":"$record","merge":["$record"]`, "", ""},
	{"move_records", `"viewId":"$view","ids":["$record"],"after":"$second"`, "", ""},
	{"move_records", `"viewId":"$view","ids":["$record"],"before":"$record"`, "", ""},
	{"delete_record", `"recordId":"$record"`, "", ""},
	{"get_record_history", `"recordId":"$record","limit":1`, "", ""},
	{"delete_records", `"tableId":"$table","ids":["$second"]`, "", ""},
	{"delete_records", `"tableId":"$table","ids":["$record"]`, "", ""},
	{"list_change_sets", `"baseId":"$base","limit":3`, "", ""},
	{"list_change_sets", `"baseId":"$base","limit":3,"detail":"full"`, "", ""},
	{"list_change_sets", `"baseId":"$base","table":"$table","person":"$colleague"`, "", ""},
	{"list_change_sets", `"baseId":"$base","table":"tbl_00000000000000000000000000"`, "", ""},
	{"list_change_sets", `"baseId":"$base","since":"yesterday"`, "", ""},
	{"list_changes", `"baseId":"$base"`, "", ""},
	{"list_changes", `"baseId":"$base","cursor":"earliest","tables":["$table"],"limit":20`, "", ""},
	{"list_changes", `"baseId":"$base","cursor":"earliest","kinds":["deleted"]`, "", ""},
	{"list_changes", `"baseId":"$base","cursor":"x"`, "", ""},
	{"revert_changes", `"baseId":"$base","credential":"key_test","since":"2020-01-01T00:00:00Z","dryRun":true`, "", ""},
	{"revert_changes", `"baseId":"$base","changeSets":["chs_00000000000000000000000000"]`, "", ""},
	{"revert_changes", `"baseId":"$base","changeSets":["nonsense"]`, "", ""},
	{"revert_changes", `"baseId":"$base","since":"2020-01-01T00:00:00Z"`, "", ""},
	{"get_public_share", `"baseId":"$base"`, "", ""},
	{"set_public_share", `"baseId":"$base"`, "", ""},
	{"disable_public_share", `"baseId":"$base"`, "", ""},
	{"get_view_share", `"viewId":"$view"`, "", ""},
	{"set_view_share", `"viewId":"$view","password":"short"`, "", ""},
	{"disable_view_share", `"viewId":"$view"`, "", ""},
	{"answer_form", `"viewId":"$view","fields":{"Name":"Ada"}`, "", ""},
	{
		"create_dashboard",
		`"baseId":"$base","name":"Sales","tiles":[{"viewId":"$view","column":0,"row":0,"width":6,"height":4}]`,
		"dashboard", "",
	},
	{"list_dashboards", `"baseId":"$base"`, "", ""},
	{"get_dashboard", `"baseId":"$base","dashboardId":"$dashboard"`, "", ""},
	{
		"update_dashboard",
		`"baseId":"$base","dashboardId":"$dashboard","tiles":[{"text":"x","column":11,"row":0,"width":2,"height":1}]`,
		"", "",
	},
	{"delete_dashboard", `"baseId":"$base","dashboardId":"$dashboard"`, "", ""},
	{"list_members", `"orgId":"$org"`, "", ""},
	{"create_group", `"orgId":"$org","name":"Clients","members":["$colleague"]`, "group", ""},
	{"list_groups", `"orgId":"$org"`, "", ""},
	{"get_backup_settings", `"orgId":"$org"`, "", ""},
	{"start_backups", `"orgId":"$org"`, "", ""},
	{"list_backups", `"orgId":"$org"`, "", ""},
	{"update_group", `"orgId":"$org","groupId":"$group","name":"Buyers"`, "", ""},
	{"set_workspace_access", `"workspaceId":"$workspace","grants":[{"groupId":"$group","role":"viewer"}]`, "", ""},
	{"get_workspace_access", `"workspaceId":"$workspace"`, "", ""},
	{"set_base_access", `"baseId":"$base","grants":[{"userId":"$colleague","role":"commenter"}]`, "", ""},
	{"set_base_access", `"baseId":"$base","grants":[{"role":"emperor"}]`, "", ""},
	{"get_base_access", `"baseId":"$base"`, "", ""},
	{"set_table_permissions", `"tableId":"$table","delete":{"groupIds":["$group"]}`, "", ""},
	{"get_table_permissions", `"tableId":"$table"`, "", ""},
	{"explain_access", `"baseId":"$base","userId":"$colleague","tableId":"$table"`, "", ""},
	{"delete_group", `"orgId":"$org","groupId":"$group"`, "", ""},
	{"set_member_role", `"orgId":"$org","userId":"$colleague","role":"admin"`, "", ""},
	{"set_member_role", `"orgId":"$org","userId":"$colleague","role":"emperor"`, "", ""},
	{"remove_member", `"orgId":"$org","userId":"$colleague"`, "", ""},
	{"invite_member", `"orgId":"$org","email":"guest.$org@example.com"`, "invitation", ""},
	{"list_invitations", `"orgId":"$org"`, "", ""},
	{"revoke_invitation", `"orgId":"$org","invitationId":"$invitation"`, "", ""},
	{"leave_org", `"orgId":"$org"`, "", ""},
	{"delete_view", `"viewId":"$view"`, "", ""},
	{"delete_field", `"fieldId":"$field"`, "", ""},
	{"list_trash", `"baseId":"$base"`, "", ""},
	{"list_trash", `"baseId":"$base","kinds":["field"],"limit":1`, "", ""},
	{"list_trash", `"baseId":"$base","kinds":["fields"]`, "", ""},
	{"restore", `"baseId":"$base","items":["$field"]`, "", ""},
	{"restore", `"baseId":"$base","items":["$field"]`, "", ""},
	{"delete_table", `"tableId":"$table"`, "", ""},
	{"delete_workspace", `"workspaceId":"$workspace"`, "", ""},
	{"delete_base", `"baseId":"$base"`, "", ""},
	{"delete_workspace", `"workspaceId":"$workspace"`, "", ""},
	// Jobs have events of their own at times of their own.
	{"list_audit_events", `"orgId":"$org","action":"update_records"`, "", ""},
	{"delete_org", `"orgId":"$org"`, "", ""},
	{"get_org", `"orgId":"$org"`, "", ""},
	{"list_deleted_orgs", ``, "", ""},
	{"restore_org", `"deletedOrgId":"$org"`, "", ""},
	{"get_org", `"orgId":"$org"`, "", ""},
	{"restore_org", `"deletedOrgId":"$org"`, "", ""},
}

// init adds questions about the same records, with every operator and in every form, right or wrong
// for the field.
func init() {
	at := slices.IndexFunc(Steps, func(s Step) bool { return s.Operation == "list_indexes" })
	var questions []Step
	ask := func(operation, arguments string) {
		questions = append(questions, Step{operation, `"tableId":"$table",` + arguments, "", ""})
	}
	for _, op := range []string{
		"eq", "neq", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "gt", "gte", "lt", "lte",
		"between", "is_within", "has_any", "has_all", "has_none", "is_exactly", "is_empty", "is_not_empty",
	} {
		for field, value := range map[string]string{"Name": `"a"`, "Amount": `80`, "Stage": `["Open"]`} {
			filters := fmt.Sprintf(`"filters":[{"fieldId":%q,"op":%q,"value":%s}]`, field, op, value)
			ask("query_records", filters)
			if field == "Amount" {
				ask("aggregate_records", filters+`,"groupBy":["Stage"],"format":"rows"`)
			}
		}
	}
	slices.SortFunc(questions, func(a, b Step) int {
		return strings.Compare(a.Operation+a.Arguments, b.Operation+b.Arguments)
	})
	Steps = slices.Insert(Steps, at, questions...)
}
