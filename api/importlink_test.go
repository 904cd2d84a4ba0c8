package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// countries makes a table of twelve countries, of which one is there twice.
func (j *jobs) countries() string {
	j.t.Helper()
	table := j.ID("POST", "/bases/"+j.base+"/tables", `{"name":"Countries","fields":[{"name":"Name","type":"text"}]}`)
	var records []string
	for _, name := range append(slices.Clone(countryNames), "Twin", "Twin") {
		records = append(records, fmt.Sprintf(`{"fields":{"Name":%q}}`, name))
	}
	j.OK("POST", "/tables/"+table+"/records", `{"records":[`+strings.Join(records, ",")+`]}`)
	return table
}

var countryNames = []string{
	"Norway", "Chad", "Peru", "Fiji", "Cuba", "Mali", "Oman", "Togo", "Laos", "Korea, Republic of", "Guam",
}

// linkOf begins a dry run, and returns the link that is proposed for a column.
func linkOf(t *testing.T, j *jobs, c *apitest.Client, path, body string, column int) any {
	t.Helper()
	begun := c.OK("POST", path, body)
	j.goOn(begun["id"].(string))
	report := c.OK("GET", "/jobs/"+begun["id"].(string), "")["report"].(map[string]any)
	return report["reading"].(map[string]any)["columns"].([]any)[column].(map[string]any)["link"]
}

func TestAColumnOfNamesIsProposedAsALinkAndBecomesOne(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	table := j.countries()
	file := "Port,Country,Kind\n"
	for i, name := range append(slices.Clone(countryNames), "Atlantis", "Oman, Peru") {
		file += fmt.Sprintf("Port %d,%q,Kind %d\n", i, name, i)
	}
	imports := "/bases/" + j.base + "/imports"
	found, _ := linkOf(t, j, j.Client, imports, `{"dryRun":true,`+content(file)+`}`, 1).(map[string]any)
	if found["tableId"] != table || found["values"] != 13.0 || found["matched"] != 12.0 ||
		fmt.Sprint(found["unmatched"]) != "[Atlantis]" {
		t.Fatalf("proposed %v", found)
	}
	for what, text := range map[string]string{
		"too few match":         strings.ReplaceAll(file, "Norway", "Nowhere"),
		"an ambiguous name":     strings.ReplaceAll(file, "Norway", "Twin"),
		"a handful":             "Port,Country\nA,Norway\nB,Chad\nC,Peru\n",
		"the name of the table": "Country,Port\n" + strings.Join(countryNames[:9], ",\n"),
	} {
		column := 1
		if what == "the name of the table" {
			column = 0
		}
		if got := linkOf(t, j, j.Client, imports, `{"dryRun":true,`+content(text)+`}`, column); got != nil {
			t.Errorf("%s: proposed %v", what, got)
		}
	}

	columns := fmt.Sprintf(`"columns":[{},{"type":"link","config":{"linkedTableId":%q}},{}]`, table)
	j.Refused(http.StatusBadRequest, "POST", imports, `{`+columns+`,`+content(file)+`}`, "in the application")
	session := apitest.Principal(j.Person, j.Orgs[0].Org, organization.Owner)
	session.Kind = authz.Session
	person := &jobs{Client: j.server.As(t, session), t: t, server: j.server, base: j.base, table: j.table}
	for path, target := range map[string]string{imports: "", "/tables/" + j.table + "/imports": j.table} {
		text := file
		if target != "" {
			text = strings.ReplaceAll(file, "Port,Country,Kind", "Name,Country,Kind")
		}
		given := columns
		if target != "" {
			given = strings.Replace(columns, ",{}]", `,{"skip":true}]`, 1)
		}
		done := person.run(path, `{"onBad":"empty",`+given+`,`+content(text)+`}`)
		report := done["report"].(map[string]any)["tables"].([]any)[0].(map[string]any)
		if done["state"] != "done" || report["created"] != 13.0 || report["emptied"] != 1.0 ||
			!strings.Contains(fmt.Sprint(report["refusals"]), "Atlantis") {
			t.Fatalf("%s: %v", path, done)
		}
		made := done["tableId"].(string)
		if kinds := j.types(made); !strings.Contains(kinds, "Country link") {
			t.Errorf("the fields are %s", kinds)
		}
		linked := j.OK("GET", "/tables/"+made+
			`/records?filters=[{"fieldId":"Country","op":"is_not_empty"}]&limit=1`, "")
		if linked["total"] != 12.0 {
			t.Errorf("%s: %v records are linked", path, linked["total"])
		}
	}
}

func TestLinksAreProposedOnlyToTablesThatThePersonReadsInFull(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	table := j.countries()
	file := "Name,Country\n"
	for _, name := range countryNames {
		file += fmt.Sprintf("P,%q\n", name)
	}
	body, path := `{"dryRun":true,`+content(file)+`}`, "/tables/"+j.table+"/imports"
	editor := j.member(organization.Editor)
	if linkOf(t, j, editor, path, body, 1) == nil {
		t.Error("no link is proposed to an editor")
	}
	blind := apitest.Principal(editor.Person, j.Orgs[0].Org, organization.Editor)
	blind.Scopes = []authz.Scope{authz.DataWrite, authz.SchemaRead}
	if got := linkOf(t, j, j.server.As(t, blind), path, body, 1); got != nil {
		t.Errorf("a credential that may not read: proposed %v", got)
	}
	j.OK("PATCH", "/tables/"+table+"/permissions", `{"rules":[{"role":"editor","edit":true,
		"filter":[{"fieldId":"Name","op":"neq","value":"Peru"}]}]}`)
	if got := linkOf(t, j, editor, path, body, 1); got != nil {
		t.Errorf("to a table of which the person reads some records: proposed %v", got)
	}
}
