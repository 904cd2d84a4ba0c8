package api_test

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// What each mark in a marked world means, and which scopes reveal it. A scope that may change an
// object may see its name.
var marks = []struct {
	marks  []string
	scopes []authz.Scope
}{
	{
		// Names of bases, tables and views, and of everything that was deleted.
		[]string{
			"MarkWorkspace", "MarkBase", "MarkTable", "MarkOther", "MarkView", "MarkPersonal", "MarkGoneBase",
			"MarkGoneTable", "MarkGoneField", "MarkGoneView", "MarkFormer",
		},
		[]authz.Scope{authz.SchemaRead, authz.SchemaWrite},
	},
	// Records are read and written by the names of their fields.
	{[]string{"MarkField", "MarkLink"}, []authz.Scope{
		authz.DataRead, authz.DataWrite, authz.SchemaRead, authz.SchemaWrite,
	}},
	{[]string{"MarkValue", "MarkGoneValue", "MarkPast", "MarkComment"}, []authz.Scope{authz.DataRead}},
	{[]string{"guest@example.com"}, []authz.Scope{authz.MembersRead, authz.MembersManage}},
}

func newMarkedWorld(t *testing.T, s *apitest.Server) (*apitest.Client, world) {
	t.Helper()
	c, w := newWorld(t, s)
	w.addFile(c)
	c.OK("PATCH", "/workspaces/"+w["workspaceId"], `{"name":"MarkWorkspace"}`)
	c.OK("PATCH", "/bases/"+w["baseId"], `{"name":"MarkFormer"}`)
	c.OK("PATCH", "/bases/"+w["baseId"], `{"name":"MarkBase"}`)
	c.OK("PATCH", "/views/"+w["viewId"], `{"name":"MarkView"}`)
	c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"grid","name":"MarkPersonal","access":"personal"}`)
	c.OK("PATCH", "/fields/"+w["fieldId"], `{"name":"MarkField"}`)
	other := c.ID(
		"POST",
		"/bases/"+w["baseId"]+"/tables",
		`{"name":"MarkOther","fields":[{"name":"Name","type":"text"}]}`,
	)
	p := *c.Principal
	p.Kind = authz.Session // only the application creates links
	s.As(t, &p).
		ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"MarkLink","type":"link","config":{"linkedTableId":"`+
			other+`"}}`)
	// The field on the other side has the former name of the table.
	c.OK("PATCH", "/tables/"+w["tableId"], `{"name":"MarkTable"}`)
	gone := c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"MarkGoneField","type":"text"}`)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"MarkField":"MarkPast","MarkGoneField":"MarkPast"}}`)
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"MarkField":"MarkValue"}}`)
	c.OK("DELETE", "/fields/"+gone, "")
	table := c.ID(
		"POST",
		"/bases/"+w["baseId"]+"/tables",
		`{"name":"MarkGoneTable","fields":[{"name":"Name","type":"text"}]}`,
	)
	c.OK("POST", "/tables/"+table+"/records", `{"fields":{"Name":"MarkGoneValue"}}`)
	c.OK("DELETE", "/tables/"+table, "")
	view := c.ID("POST", "/tables/"+w["tableId"]+"/views", `{"type":"grid","name":"MarkGoneView"}`)
	c.OK("DELETE", "/views/"+view, "")
	base := c.ID("POST", "/bases", `{"name":"MarkGoneBase"}`)
	c.OK("DELETE", "/bases/"+base, "")
	made := c.OK("POST", "/tables/"+w["tableId"]+"/records", `{"fields":{"MarkField":"MarkGoneValue"}}`)
	c.OK("DELETE", "/records/"+made["records"].([]any)[0].(map[string]any)["id"].(string), "")
	c.ID("POST", "/records/"+w["recordId"]+"/comments", `{"text":"MarkComment @[Somebody](`+w["userId"]+`)"}`)
	return c, w
}

// mistakes are requests whose errors could reveal what exists.
func (w world) mistakes() [][3]string {
	records := "/tables/" + w["tableId"] + "/records"
	list := [][3]string{
		{"GET", records + "?view=viw_00000000000000000000000000", ""},
		{"GET", records + "?view=Mark", ""},
		{"GET", records + "?asOf=2020-01-01T00:00:00Z", ""},
		{"GET", records + "?fields=Mark", ""},
		{"GET", records + "?sorts=" + url.QueryEscape(`[{"fieldId":"Mark"}]`), ""},
		{"GET", records + "?filters=" + url.QueryEscape(`[{"fieldId":"MarkLink.Mark","op":"eq","value":"x"}]`), ""},
		{"POST", records, `{"fields":{"Mark":"x"}}`},
		{"POST", records, `{"fields":{"MarkLink":["x"]}}`},
		{"POST", records, `{"fields":{"MarkLink":["` + w["recordId"] + `"]}}`},
		{"POST", records, `{"fields":{"MarkField":"x"},"upsertOn":["Mark"]}`},
		{"POST", records + "/import", `{"csv":"Mark\nx\n"}`},
		{"POST", records + "/export", `{"view":"Mark"}`},
		{"GET", "/bases/" + w["baseId"] + "/changes?cursor=earliest", ""},
		{"GET", "/bases/" + w["baseId"] + "/changes?cursor=earliest&tables=Mark", ""},
		{"GET", "/bases/" + w["baseId"] + "/change-sets?table=Mark", ""},
		{"GET", "/bases/" + w["baseId"] + "/trash?kinds=table", ""},
		{"GET", "/bases/" + w["baseId"] + "/search?q=Mark", ""},
		{"GET", "/bases/" + w["baseId"] + "/search?q=MarkValue", ""},
		{"GET", records + "/search?q=MarkValue", ""},
		{"GET", "/orgs/" + w["orgId"] + "/trash?kinds=base", ""},
		{"GET", "/records/" + w["recordId"] + "/history?state=true", ""},
		{
			"POST", "/bases/" + w["baseId"] + "/changes/revert",
			`{"credential":"key_test","since":"2020-01-01T00:00:00Z","dryRun":true}`,
		},
		{"POST", "/tables/" + w["tableId"] + "/formula", `{"formula":"{Mark}"}`},
	}
	for _, statement := range []string{
		`select * from x`, `select * from mark`, `select * from "Mark Table"`, `select tables.x from tables`,
		`select * from information_schema.tables`, `select * from pg_catalog.pg_class`, `select mark from "x"`,
		`select 1/0`, `select 'x'::regclass`, `select * from "base"."mark"`, `select * from mark.x`,
	} {
		list = append(list, [3]string{"POST", "/bases/" + w["baseId"] + "/sql", `{"sql":` + quoted(statement) + `}`})
	}
	return list
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }

// A credential with one scope gets no name and no value that its scope does not cover, whatever it
// asks for.
func TestEachScopeGivesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	for _, scope := range authz.AllScopes() {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			owner, w := newMarkedWorld(t, s)
			p := apitest.Principal(owner.Person, owner.Orgs[0].Org, organization.Owner)
			p.Scopes = []authz.Scope{scope}
			c := s.As(t, p)
			check := func(name, method, path, body string) {
				t.Helper()
				status, _, text := c.Do(method, path, body)
				for _, kind := range marks {
					for _, mark := range kind.marks {
						if strings.Contains(text, mark) && !strings.Contains(body+path, mark) &&
							!slices.Contains(kind.scopes, scope) {
							t.Errorf("%s tells %s: %d %.600s", name, mark, status, text)
						}
					}
				}
			}
			for _, one := range w.mistakes() {
				check(strings.Join(one[:], " "), one[0], one[1], one[2])
			}
			operations := slices.Clone(operation.Catalogue())
			rank := func(op *operation.Operation) int { // deletions come last
				switch {
				case op.ReadOnly:
					return 0
				case op.Destructive:
					return 2
				}
				return 1
			}
			slices.SortStableFunc(
				operations,
				func(a, b *operation.Operation) int { return cmp.Compare(rank(a), rank(b)) },
			)
			for _, op := range operations {
				// GET /me gives everybody the names of their bases, and the audit log contains the
				// names that objects had when somebody changed them.
				if op.Name == "get_me" || op.Name == "list_audit_events" {
					continue
				}
				method, path, body := w.request(t, op)
				check(op.Name, method, path, body)
			}
		})
	}
}
