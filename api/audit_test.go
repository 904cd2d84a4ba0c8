package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// withoutEvent lists the operations without an audit event: a record contains its last author, what
// people have read of their inbox is private, and presence changes nothing in the database.
var withoutEvent = []string{"answer_form", "update_record", "delete_record", "mark_inbox_read", "set_presence"}

func TestEveryWriteRecordsOneAuditEvent(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	for _, op := range operation.Catalogue() {
		if op.ReadOnly && !op.AuditsReads || slices.Contains(withoutEvent, op.Name) {
			continue
		}
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			if op.Name == "query_sql" && s.Deps.DB.Distributed() {
				t.Skip("SQL is off on Citus")
			}
			c, w := newWorld(t, s)
			if slices.Contains(withSpareRecord, op.Name) {
				w.addFile(c)
			}
			org := c.Orgs[0].Org
			if strings.Contains(op.Path, "{deletedOrgId}") {
				var err error
				if org, err = id.Parse(id.Org, w["deletedOrgId"]); err != nil {
					t.Fatal(err)
				}
			}
			before, err := audit.List(t.Context(), s.Deps.DB, org, audit.Filter{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			if op.Name == "leave_org" { // the last owner cannot
				guest := *c.Principal
				guest.Orgs = slices.Clone(c.Orgs)
				guest.Person, guest.Orgs[0].Role = w.user(t), organization.Editor
				c = s.As(t, &guest)
			}
			method, path, body := w.request(t, op)
			if op.Name == "create_records" { // a single one leaves none
				body = `{"records":[{"fields":{}}]}`
			}
			answer := c.OK(method, path, body)
			if op.Name == "create_org" { // the event is in the log of the new organization
				if org, err = id.Parse(id.Org, answer["id"].(string)); err != nil {
					t.Fatal(err)
				}
				before = nil
			}
			after, err := audit.List(t.Context(), s.Deps.DB, org, audit.Filter{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			fresh := after[:len(after)-len(before)]
			if op.Name == "start_airtable_import" || op.Name == "start_product_import" {
				// The new base is an event of its own.
				if len(fresh) != 2 || fresh[1].Action != "create_base" ||
					bytes.Contains(fresh[1].Detail, []byte("token")) {
					t.Fatalf("the events are %+v", fresh)
				}
				fresh = fresh[:1]
			}
			if len(fresh) != 1 {
				t.Fatalf("%d events: %+v", len(fresh), fresh)
			}
			e := fresh[0]
			if e.Action != op.Name || e.Person == nil || *e.Person != c.Person || e.Credential != c.Credential ||
				e.CredentialKind != string(c.Kind) || e.Request == "" || e.Subject == "" {
				t.Errorf("the event says %+v", e)
			}
		})
	}
}

func TestAuditLogPagingAndFilters(t *testing.T) {
	t.Parallel()
	c := apitest.New(t).Owner(t)
	for i := range 5 {
		c.ID("POST", "/bases", fmt.Sprintf(`{"name":"Base %d"}`, i))
	}
	log := "/orgs/" + c.Org() + "/audit"
	var seen []string
	path := log + "?limit=2&action=create_base"
	for range 10 {
		page := c.OK("GET", path, "")
		for _, e := range page["events"].([]any) {
			seen = append(seen, e.(map[string]any)["detail"].(map[string]any)["name"].(string))
		}
		next, more := page["nextCursor"].(string)
		if !more {
			break
		}
		path = log + "?limit=2&action=create_base&cursor=" + next
	}
	if want := []string{"Base 4", "Base 3", "Base 2", "Base 1", "Base 0"}; !slices.Equal(seen, want) {
		t.Errorf("read %v, want %v", seen, want)
	}
	for query, want := range map[string]int{
		"userId=" + c.UserID(): 6, "since=2100-01-01T00:00:00Z": 0, "until=2100-01-01T00:00:00Z": 6,
		"subject=" + c.Org(): 1,
	} {
		if got := len(c.OK("GET", log+"?"+query, "")["events"].([]any)); got != want {
			t.Errorf("%s: %d events, want %d", query, got, want)
		}
	}
	c.Refused(http.StatusBadRequest, "GET", log+"?cursor=x", "", "nextCursor")
	c.Refused(http.StatusBadRequest, "GET", log+"?userId=x", "", "list_members")
	c.Refused(http.StatusBadRequest, "GET", log+"?since=yesterday", "", "since")
}

// marked reports whether the work of the person's latest request with a key was marked as done in
// its own transaction.
func marked(t *testing.T, s *apitest.Server, c *apitest.Client) (done bool) {
	t.Helper()
	err := s.Deps.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select done_at is not null and answer is not null from rowhouse.idempotency
			where person_id = $1 order by created_at desc limit 1`, c.Person).Scan(&done)
	})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// The event has the formula as it was written: it is what was done, and no value of a record.
func TestAFormulaThatSetsFieldsIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	owner := apitest.New(t).Owner(t)
	table := owner.ID("POST", "/bases/"+owner.ID("POST", "/bases", `{"name":"Shop"}`)+"/tables",
		`{"name":"Products","fields":[{"name":"Name","type":"text"},{"name":"Price","type":"number"}]}`)
	owner.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"Chair","Price":100}}`)
	owner.OK("PATCH", "/tables/"+table+"/records/where", `{"filters":[{"fieldId":"Name","op":"eq","value":"Chair"}],`+
		`"set":{"Price":{"formula":"{Price} * 1.05"}}}`)
	for _, event := range owner.OK("GET", "/orgs/"+owner.Org()+"/audit", "")["events"].([]any) {
		if event := event.(map[string]any); event["action"] == "update_records_where" {
			if got := fmt.Sprint(event["detail"].(map[string]any)["set"]); got != "map[Price:{Price} * 1.05]" {
				t.Errorf("the event says %v", event)
			}
			return
		}
	}
	t.Error("the audit log has no update")
}

// The error of a statement may quote records, so reading through errors is audited too.
func TestSQLThatFailsIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	if s.Deps.DB.Distributed() {
		t.Skip("SQL is off on Citus")
	}
	c := s.Owner(t)
	base := c.ID("POST", "/bases", `{"name":"Base"}`)
	c.Refused(http.StatusBadRequest, "POST", "/bases/"+base+"/sql", `{"sql":"select 'x'::integer"}`)
	events := c.OK("GET", "/orgs/"+c.Org()+"/audit?action=query_sql", "")["events"].([]any)
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	detail := events[0].(map[string]any)["detail"].(map[string]any)
	if detail["error"] != "sql_invalid" || detail["sha256"] == "" || detail["rows"] != nil {
		t.Errorf("the event says %v", detail)
	}
}

// An export is in the audit log, even if its reader disconnected before the end.
func TestExportsAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	path := "/tables/" + w["tableId"] + "/records/export"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL()+api.Prefix+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", c.Key())
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	c.OK("POST", path, `{"limit":1}`)
	events, err := audit.List(t.Context(), s.Deps.DB, c.Orgs[0].Org, audit.Filter{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Action != "export_records" || e.Subject != w["tableId"] || e.Credential != c.Credential ||
			!strings.Contains(string(e.Detail), `"rows": 1`) && !strings.Contains(string(e.Detail), `"rows":1`) {
			t.Errorf("the event says %+v: %s", e, e.Detail)
		}
	}
}

// The audit log names removed members and the roles that they had.
func TestTheAuditLogNamesMembersAndRoles(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	member := "/orgs/" + w["orgId"] + "/members/" + w["userId"]
	var name string
	for _, m := range c.OK("GET", "/orgs/"+w["orgId"]+"/members", "")["members"].([]any) {
		if one := m.(map[string]any); one["userId"] == w["userId"] || one["id"] == w["userId"] {
			name = one["name"].(string)
		}
	}
	c.OK("PATCH", member, `{"role":"viewer"}`)
	c.OK("DELETE", member, "")
	events := c.OK("GET", "/orgs/"+w["orgId"]+"/audit?limit=2", "")["events"].([]any)
	for i, role := range []map[string]any{{"role": "viewer"}, {"from": "editor", "to": "viewer"}} {
		detail := events[i].(map[string]any)["detail"].(map[string]any)
		for key, value := range role {
			if name == "" || detail["name"] != name || detail[key] != value {
				t.Errorf("%s: the event says %v", name, events[i])
			}
		}
	}
}
