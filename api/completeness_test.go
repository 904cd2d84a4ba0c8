package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound/bucket/buckettest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb/nocodbtest"
)

// bodies contains a valid body for every operation that takes one; $name is replaced by an id of
// the world. An operation that is not listed has no body. A new operation that needs one and is not
// listed fails the test.
var bodies = map[string]string{
	"query_sql":               `{"sql":"select 1 as one"}`,
	"create_org":              `{"name":"Another"}`,
	"update_org":              `{"name":"Renamed"}`,
	"set_member_role":         `{"role":"viewer"}`,
	"invite_member":           `{"email":"new@example.com"}`,
	"create_group":            `{"name":"Another","members":["$userId"]}`,
	"update_group":            `{"name":"Renamed"}`,
	"set_base_access":         `{"grants":[{"userId":"$userId","role":"commenter"}]}`,
	"set_workspace_access":    `{"grants":[{"groupId":"$groupId","role":"viewer"}]}`,
	"set_table_permissions":   `{"delete":{"groupIds":["$groupId"]}}`,
	"explain_access":          `{"userId":"$userId","tableId":"$tableId"}`,
	"create_workspace":        `{"orgId":"$orgId","name":"Another"}`,
	"update_workspace":        `{"name":"Renamed"}`,
	"create_base":             `{"orgId":"$orgId","name":"Another"}`,
	"update_base":             `{"name":"Renamed"}`,
	"create_table":            `{"name":"Another"}`,
	"update_table":            `{"name":"Renamed"}`,
	"create_field":            `{"name":"Another","type":"text"}`,
	"update_field":            `{"width":200}`,
	"check_formula":           `{"formula":"{Name} & \"!\"","fieldId":"$fieldId"}`,
	"create_view":             `{"type":"grid"}`,
	"update_view":             `{"name":"Renamed"}`,
	"create_records":          `{"fields":{"Name":"Another"}}`,
	"update_records":          `{"records":[{"id":"$recordId","fields":{"Name":"Renamed"}}]}`,
	"delete_records":          `{"ids":["$recordId"]}`,
	"merge_records":           `{"keep":"$recordId","merge":["$spareRecordId"]}`,
	"move_records":            `{"ids":["$recordId"],"after":"$spareRecordId"}`,
	"update_records_where":    `{"filters":[{"fieldId":"Name","op":"is_not_empty"}],"fields":{"Name":"Renamed"}}`,
	"delete_records_where":    `{"filters":[{"fieldId":"Name","op":"is_not_empty"}]}`,
	"delete_selected_records": `{"filters":[{"fieldId":"Name","op":"is_not_empty"}]}`,
	"import_records":          `{"csv":"Name\nAnother\n"}`,
	"update_record":           `{"fields":{"Name":"Renamed"}}`,
	"revert_changes":          `{"credential":"key_test","since":"2020-01-01T00:00:00Z"}`,
	"restore_record_version":  `{"asOf":"$changeSetId"}`,
	"restore":                 `{"items":["$trashedViewId"]}`,
	"purge_trash":             `{"items":["$trashedViewId"]}`,
	"restore_bases":           `{"items":["$trashedBaseId"]}`,
	"purge_bases":             `{"items":["$trashedBaseId"]}`,
	"create_dashboard":        `{"name":"Another","tiles":[{"text":"A","column":0,"row":0,"width":6,"height":4}]}`,
	"update_dashboard":        `{"name":"Renamed"}`,
	"create_webhook":          `{"url":"https://example.com/hook"}`,
	"update_webhook":          `{"name":"Renamed"}`,
	"set_presence":            `{"page":"one","table":"$tableId","record":"$recordId","field":"$fieldId"}`,
	"create_upload":           `{"name":"a.csv"}`,
	"create_attachment":       `{"name":"a.txt","content":"aGVsbG8="}`,
	"create_comment":          `{"text":"Look at @[Somebody]($userId)","replyTo":"$commentId"}`,
	"update_comment":          `{"text":"Better"}`,
	"resolve_comment":         `{"resolved":true}`,
	"mark_inbox_read":         `{"all":true}`,
	"set_notifications":       `{"mail":false}`,
	"set_view_share":          `{"password":"six quiet boats"}`,
	"answer_form":             `{"fields":{"Name":"Ada"}}`,
	"export_table":            `{"format":"csv"}`,
	"export_base":             `{"format":"archive"}`,
	"import_table":            `{"content":"TmFtZQpBbm90aGVyCg=="}`,
	"import_base":             `{"content":"TmFtZQpBbm90aGVyCg==","name":"Imported"}`,
	"start_airtable_import":   `{"airtableBaseId":"appFAKE0000000001","token":"` + airtabletest.Token + `"}`,
	"start_product_import": `{"product":"nocodb","productBaseId":"` + nocodbtest.Base + `","token":"` +
		nocodbtest.Token + `"}`,
	"set_backup_settings":  backupBody,
	"start_archive_import": `{"content":"UEsDBA=="}`,
	"duplicate_base":       `{"records":false}`,
	"duplicate_table":      `{"records":false}`,
}

// backupBody is a bucket of the store that the server of the tests reaches.
const backupBody = `{"endpoint":"https://s3.example.com","bucket":"` + buckettest.Name + `","accessKey":"` +
	buckettest.AccessKey + `","secretKey":"` + buckettest.SecretKey + `"}`

// withSpareRecord lists the operations whose requests name what world.addFile adds.
var withSpareRecord = []string{"merge_records", "move_records", "restore_record_version"}

// A world has one resource of every kind.
type world map[string]string

func newWorld(t *testing.T, s *apitest.Server) (*apitest.Client, world) {
	t.Helper()
	c := s.Owner(t)
	w := world{"orgId": c.Org()}
	w["workspaceId"] = c.ID("POST", "/workspaces", `{"orgId":"`+c.Org()+`","name":"Spare"}`)
	w["baseId"] = c.ID("POST", "/bases", `{"name":"Base"}`)
	w["tableId"] = c.ID("POST", "/bases/"+w["baseId"]+"/tables", `{"name":"Table"}`)
	w["fieldId"] = c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Spare","type":"text"}`)
	w["dateFieldId"] = c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Day","type":"date"}`)
	session := *c.Principal
	session.Kind = authz.Session // only the application creates links
	w["linkFieldId"] = s.As(t, &session).ID("POST", "/tables/"+w["tableId"]+"/fields",
		`{"name":"After","type":"link","config":{"linkedTableId":"`+w["tableId"]+`"}}`)
	created := c.OK("POST", "/tables/"+w["tableId"]+"/records", `{"fields":{"Name":"First"}}`)
	w["recordId"] = created["records"].([]any)[0].(map[string]any)["id"].(string)
	w["changeSetId"] = created["changeSet"].(string)
	w["viewId"] = c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"form"}`)
	w["dashboardId"] = c.ID("POST", "/bases/"+w["baseId"]+"/dashboards", `{"name":"Dashboard"}`)
	w["invitationId"] = c.ID("POST", "/orgs/"+c.Org()+"/invitations", `{"email":"guest@example.com"}`)
	w["trashedViewId"] = c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"gallery"}`)
	c.OK("DELETE", "/views/"+w["trashedViewId"], "")
	w["trashedBaseId"] = c.ID("POST", "/bases", `{"name":"Former"}`)
	c.OK("DELETE", "/bases/"+w["trashedBaseId"], "")
	w.addWebhook(t, s, c, `{"url":"https://example.com/hook"}`)
	other := tenancytest.Person(t, s.Deps.DB)
	if err := tenancytest.Join(t, s.Deps.DB, c.Orgs[0].Org, other, organization.Editor); err != nil {
		t.Fatal(err)
	}
	w["userId"] = id.Format(id.User, other)
	former, err := organization.Create(t.Context(), s.Deps.DB, c.Person, "Former")
	if err != nil {
		t.Fatal(err)
	}
	if err := organization.Delete(t.Context(), s.Deps.DB, former.ID, c.Person); err != nil {
		t.Fatal(err)
	}
	w["deletedOrgId"] = id.Format(id.Org, former.ID)
	w["groupId"] = c.ID("POST", "/orgs/"+c.Org()+"/groups", `{"name":"Group"}`)
	c.OK("PUT", "/orgs/"+c.Org()+"/backups/settings", backupBody)
	w["jobId"] = c.ID("POST", "/tables/"+w["tableId"]+"/exports", `{"format":"csv"}`)
	w["commentId"] = c.ID("POST", "/records/"+w["recordId"]+"/comments", `{"text":"First"}`)
	return c, w
}

// addFile adds a file to the record, which can be taken back, and another record before it.
func (w world) addFile(c *apitest.Client) {
	made := c.OK("POST", "/tables/"+w["tableId"]+"/records", `{"fields":{}}`)["records"].([]any)
	w["spareRecordId"] = made[0].(map[string]any)["id"].(string)
	c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Papers","type":"attachment"}`)
	w["attachmentId"] = c.ID("POST", "/tables/"+w["tableId"]+"/attachments", `{"name":"a.txt","content":"aGVsbG8="}`)
	changed := c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Papers":["`+w["attachmentId"]+`"]}}`)
	w["changeSetId"] = changed["changeSet"].(string)
	// The view has an order already, which the first move begins.
	move := `{"ids":["` + w["spareRecordId"] + `"],"before":"` + w["recordId"] + `"}`
	c.OK("POST", "/views/"+w["viewId"]+"/records/move", move)
}

// addWebhook adds a webhook with a delivery.
func (w world) addWebhook(t *testing.T, s *apitest.Server, c *apitest.Client, body string) {
	t.Helper()
	w["webhookId"] = c.ID("POST", "/bases/"+w["baseId"]+"/webhooks", body)
	webhook, err := id.Parse(id.Webhook, w["webhookId"])
	if err != nil {
		t.Fatal(err)
	}
	delivery, org := id.New(), c.Orgs[0].Org
	if err := s.Deps.DB.Batch(t.Context(), org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.webhook_delivery
				(org_id, webhook_id, id, from_position, to_position, changes, state)
			select org_id, id, $3, position, position, 1, 'delivered' from rowhouse.webhook
			where org_id = $1 and id = $2`, org, webhook, delivery)
	}); err != nil {
		t.Fatal(err)
	}
	w["deliveryId"] = id.Format(id.Delivery, delivery)
}

// user is the member of the world's organization who is not its owner.
func (w world) user(t *testing.T) uuid.UUID {
	t.Helper()
	u, err := id.Parse(id.User, w["userId"])
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var parameter = regexp.MustCompile(`[{$](\w+)}?`)

func (w world) fill(t *testing.T, text string) string {
	t.Helper()
	return parameter.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match, "{$}")
		if w[name] == "" {
			t.Fatalf("the world has no %s", name)
		}
		return w[name]
	})
}

// request returns a valid request of an operation.
func (w world) request(t *testing.T, op *operation.Operation) (method, path, body string) {
	t.Helper()
	body = bodies[op.Name]
	if body == "" && len(op.Input().Required) > len(op.PathParameters()) && op.Method != http.MethodGet {
		t.Fatalf("%s needs a body: add one to bodies", op.Name)
	}
	path = w.fill(t, op.Path)
	if query := queries[op.Name]; query != "" {
		path += "?" + w.fill(t, query)
	}
	if body != "" {
		body = parameter.ReplaceAllStringFunc(body, func(match string) string {
			if match[0] != '$' {
				return match
			}
			return w.fill(t, match)
		})
	}
	return op.Method, path, body
}

// queries contains the query of operations that need one.
var queries = map[string]string{
	"search_records": "q=x", "search_base": "q=x",
	"get_critical_path": "startFieldId={dateFieldId}&dependsOnFieldId={linkFieldId}",
}

func TestCatalogueMatchesRoutesAndOpenAPI(t *testing.T) {
	t.Parallel()
	var catalogue, routes, described []string
	names := map[string]bool{}
	for _, op := range operation.Catalogue() {
		catalogue = append(catalogue, op.Method+" "+api.Prefix+op.Path+" "+op.Name)
		if names[op.Name] {
			t.Errorf("two operations are called %s", op.Name)
		}
		names[op.Name] = true
		if op.Title == "" || op.Summary == "" || op.Description == "" {
			t.Errorf("%s lacks a title, a summary or a description", op.Name)
		}
		// SQL and formulas are too long for a URL, and reveal too much in a log of URLs.
		readsByPost := op.Name == "query_sql" || op.Name == "check_formula" ||
			op.Name == "export_records" || // its GET streams
			op.Name == "create_download" || // filters, as in export_records
			op.Name == "explain_access" // the ids of a person and of a record
		if op.ReadOnly != (op.Method == http.MethodGet || readsByPost) || op.ReadOnly && op.Destructive {
			t.Errorf("%s: what it says of itself does not fit its method", op.Name)
		}
	}
	handler := api.New(api.Options{Deps: apitest.Deps(t), Authenticate: nil})
	err := chi.Walk(handler.(chi.Routes), func(
		method, route string,
		_ http.Handler,
		_ ...func(http.Handler) http.Handler,
	) error {
		if route != api.Prefix+"/openapi.json" {
			routes = append(routes, method+" "+route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := api.Describe(operation.Catalogue(), "http://rowhouse.test", attachment.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, op := range methods {
			described = append(described, strings.ToUpper(method)+" "+path+" "+op.OperationID)
		}
	}
	// File endpoints are not in the catalogue, and neither is the stream of a base, which does not
	// end. TestOnlyReadersWatchABase probes it.
	catalogue = append(catalogue, "POST "+api.Prefix+"/tables/{tableId}/uploads upload_file",
		"GET "+api.Prefix+"/uploads get_upload_limits",
		"POST "+api.Prefix+"/bases/{baseId}/uploads upload_import",
		"POST "+api.Prefix+"/tables/{tableId}/imports/uploads upload_table_import",
		"POST "+api.Prefix+"/workspaces/{workspaceId}/uploads upload_archive",
		"GET "+api.Prefix+"/bases/{baseId}/live watch_base",
		"GET "+api.Prefix+"/tables/{tableId}/records/export stream_records",
		"PUT "+api.Prefix+"/uploads/{token} send_upload",
		"GET "+api.Prefix+"/downloads/{token} fetch_download")
	slices.Sort(catalogue)
	slices.Sort(routes)
	slices.Sort(described)
	if !slices.Equal(catalogue, described) {
		t.Errorf("the catalogue has\n%s\nOpenAPI has\n%s", strings.Join(catalogue, "\n"), strings.Join(described, "\n"))
	}
	for i := range catalogue {
		catalogue[i] = catalogue[i][:strings.LastIndex(catalogue[i], " ")]
	}
	for _, route := range slices.Clone(catalogue) { // every GET has a HEAD
		if path, ok := strings.CutPrefix(route, http.MethodGet+" "); ok {
			catalogue = append(catalogue, http.MethodHead+" "+path)
		}
	}
	slices.Sort(catalogue)
	if !slices.Equal(catalogue, routes) {
		t.Errorf("the catalogue has\n%s\nthe routes are\n%s", strings.Join(catalogue, "\n"), strings.Join(routes, "\n"))
	}
}

func TestEveryOperationRejectsUnauthorizedCallers(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	owner, w := newWorld(t, s)
	w.addFile(owner)
	for _, op := range s.Operations {
		t.Run(op.Name, func(t *testing.T) { rejectsUnauthorized(t, s, owner, w, op) })
	}
}

// rejectsUnauthorized calls an operation without a credential, with each wrong scope and with each role that is too
// weak.
func rejectsUnauthorized(t *testing.T, s *apitest.Server, owner *apitest.Client, w world, op *operation.Operation) {
	t.Helper()
	org := owner.Orgs[0].Org
	method, path, body := w.request(t, op)
	s.As(t, &authz.Principal{}).Anonymous(t).Refused(http.StatusUnauthorized, method, path, body)
	if op.Scope == authz.None {
		return
	}
	for _, scope := range authz.AllScopes() {
		if scope == op.Scope {
			continue
		}
		p := apitest.Principal(owner.Person, org, organization.Owner)
		p.Scopes = []authz.Scope{scope}
		s.As(t, p).Refused(http.StatusForbidden, method, path, body, "insufficient_scope", string(op.Scope))
	}
	for _, role := range organization.Roles {
		if role.AtLeast(op.RequiredRole()) {
			continue
		}
		want, says := http.StatusForbidden, []string{"insufficient_role", string(op.RequiredRole())}
		if op.Name == "create_base" { // the placement rules say so
			want = http.StatusBadRequest
		}
		p := apitest.Principal(tenancytest.Person(t, s.Deps.DB), org, role)
		if role == organization.Guest {
			switch target := op.PathParameters(); {
			case len(target) > 0 && target[0] != "orgId": // to a guest to whom nothing was given, nothing exists
				want, says = http.StatusNotFound, []string{"not_found"}
			case op.BaseFiltered && op.RequiredRole() == organization.Viewer: // the result is about no base
				s.As(t, p).OK(method, path, body)
				continue
			}
		}
		s.As(t, p).Refused(want, method, path, body, says...)
	}
}

func TestForeignAndMissingIDsGiveSameError(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	us, ours := newWorld(t, s)
	ours.addFile(us)
	theirs, missing := strangers(t, s, ours)
	for _, op := range s.Operations {
		hidesForeign(t, us, op, ours, theirs, missing)
	}
}

// strangers returns the world of another organization, and a world whose ids belong to nothing.
func strangers(t *testing.T, s *apitest.Server, ours world) (theirs, missing world) {
	t.Helper()
	them, theirs := newWorld(t, s)
	theirs.addFile(them)
	missing = world{}
	for name, public := range ours {
		kind, _, _ := strings.Cut(public, "_")
		missing[name] = id.Format(id.Kind(kind), uuid.Must(uuid.NewV7()))
	}
	number, _, err := id.ParseRecord(ours["recordId"])
	if err != nil {
		t.Fatal(err)
	}
	missing["recordId"] = id.FormatRecord(number, uuid.Must(uuid.NewV7()))
	missing["spareRecordId"] = id.FormatRecord(number, uuid.Must(uuid.NewV7()))
	missing["commentId"] = id.FormatComment(number, uuid.Must(uuid.NewV7()))
	return theirs, missing
}

// hidesForeign replaces each id of a call by an id of another organization, and by an id of
// nothing. Both must give the same error.
func hidesForeign(t *testing.T, us *apitest.Client, op *operation.Operation, ours, theirs, missing world) {
	t.Helper()
	method, path, body := ours.request(t, op)
	for name, own := range ours {
		if !strings.Contains(path+body, own) {
			continue
		}
		ask := func(replacement string) string {
			status, _, raw := us.Do(method, strings.ReplaceAll(path, own, replacement),
				strings.ReplaceAll(body, own, replacement))
			raw = regexp.MustCompile(`"requestId":"[^"]*"`).ReplaceAllString(raw, "")
			return fmt.Sprint(status, " ", strings.ReplaceAll(raw, replacement, "<id>"))
		}
		foreign, absent := ask(theirs[name]), ask(missing[name])
		if foreign != absent {
			t.Errorf("%s with a foreign %s says\n%s\nwith a missing one\n%s", op.Name, name, foreign, absent)
		}
		if !strings.HasPrefix(foreign, "404") && !strings.HasPrefix(foreign, "400") {
			t.Errorf("%s with a foreign %s is answered with %s", op.Name, name, foreign)
		}
	}
}
