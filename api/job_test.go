package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// jobs is a client with a table of fields whose values files write in different ways.
type jobs struct {
	*apitest.Client
	t           *testing.T
	server      *apitest.Server
	base, table string
}

func newJobs(t *testing.T) *jobs {
	t.Helper()
	s := apitest.New(t)
	c := s.Owner(t)
	j := &jobs{Client: c, t: t, server: s}
	j.base = c.ID("POST", "/bases", `{"name":"Shop/One"}`)
	j.table = c.ID("POST", "/bases/"+j.base+"/tables", `{"name":"Orders","fields":[{"name":"Name","type":"text"},
		{"name":"Amount","type":"number"},{"name":"Day","type":"date"},{"name":"Paid","type":"checkbox"},
		{"name":"State","type":"single_select","config":{"options":["Open","Shipped"]}}]}`)
	c.OK("POST", "/tables/"+j.table+"/records", `{"records":[
		{"fields":{"Name":"=1+1","Amount":12.5,"Day":"2024-02-29","Paid":true,"State":"Open"}},
		{"fields":{"Name":"two \"words\", and\na line","Day":"0099-01-01"}},
		{"fields":{"Name":"three","Amount":3,"State":"Shipped"}}]}`)
	return j
}

// member returns another member of the organization.
func (j *jobs) member(role organization.Role) *apitest.Client {
	j.t.Helper()
	org, person := j.Orgs[0].Org, tenancytest.Person(j.t, j.server.Deps.DB)
	if err := tenancytest.Join(j.t, j.server.Deps.DB, org, person, role); err != nil {
		j.t.Fatal(err)
	}
	return j.server.As(j.t, apitest.Principal(person, org, role))
}

// run begins a job, runs it, and returns it at its end.
func (j *jobs) run(path, body string) map[string]any {
	j.t.Helper()
	status, begun, raw := j.Do("POST", path, body)
	if status != http.StatusAccepted || begun["state"] != "queued" {
		j.t.Fatalf("%s: %d %s", path, status, raw)
	}
	return j.goOn(begun["id"].(string))
}

func (j *jobs) goOn(public string) map[string]any {
	j.t.Helper()
	which, err := id.Parse(id.Job, public)
	if err != nil {
		j.t.Fatal(err)
	}
	if err := j.server.Deps.Jobs.Run(j.t.Context(), j.Orgs[0].Org, which); err != nil {
		j.t.Fatal(err)
	}
	return j.OK("GET", "/jobs/"+public, "")
}

// file fetches the file of a job that is done.
func (j *jobs) file(job map[string]any) []byte {
	j.t.Helper()
	file, _ := job["file"].(map[string]any)
	if job["state"] != "done" || file == nil {
		j.t.Fatalf("the job ended as %v", job)
	}
	return j.fetch(file["url"].(string))
}

func (j *jobs) fetch(address string) []byte {
	j.t.Helper()
	token, name, _ := strings.Cut(strings.TrimPrefix(address, "http://rowhouse.test/files/"), "/")
	name, err := url.PathUnescape(name)
	if err != nil {
		j.t.Fatal(err)
	}
	link, err := j.server.Deps.Links.Read(token, name)
	if err != nil {
		j.t.Fatal(err)
	}
	var content attachment.Content
	if _, content, err = j.server.Deps.Files.Content(j.t.Context(), link.Org, link.File, false); err != nil {
		j.t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	raw, err := io.ReadAll(content)
	if err != nil {
		j.t.Fatal(err)
	}
	return raw
}

func TestExportsAreFilesWithAReport(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	exports := "/tables/" + j.table + "/exports"

	csv := j.run(exports, `{"format":"csv","fields":["Name","Amount"],"filters":[
		{"fieldId":"Amount","op":"is_not_empty"}],"sorts":[{"fieldId":"Amount","dir":"asc"}]}`)
	if got := string(j.file(csv)); got != "Name,Amount\r\nthree,3\r\n'=1+1,12.5\r\n" {
		t.Errorf("CSV: %q", got)
	}
	report, _ := json.Marshal(csv["report"])
	if !strings.Contains(string(report), `"guarded":1`) || !strings.Contains(string(report), `"rows":2`) ||
		!strings.Contains(string(report), "as a formula") {
		t.Errorf("the report is %s", report)
	}

	ndjson := strings.Split(strings.TrimSpace(string(j.file(j.run(exports, `{"format":"ndjson"}`)))), "\n")
	if len(ndjson) != 3 || !strings.Contains(ndjson[0], `"Name":"=1+1"`) ||
		!strings.Contains(ndjson[0], `"Paid":true`) {
		t.Errorf("NDJSON: %q", ndjson)
	}

	book, err := excelize.OpenReader(bytes.NewReader(j.file(j.run(exports, `{"format":"xlsx"}`))))
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{
		"A1": "Name", "A2": "=1+1", "B2": "12.5", "C2": "2024-02-29", "D2": "TRUE", "E2": "Open",
		"A3": "two \"words\", and\na line", "B3": "", "C3": "0099-01-01",
	} {
		if got, err := book.GetCellValue("Orders", cell); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", cell, got, err, want)
		}
	}
	if kind, err := book.GetCellType("Orders", "A2"); err != nil || kind != excelize.CellTypeInlineString {
		t.Errorf("a text is a cell of type %v, %v", kind, err)
	}
	if formula, err := book.GetCellFormula("Orders", "A2"); err != nil || formula != "" {
		t.Errorf("a text is the formula %q, %v", formula, err)
	}
}

// An archive that is exported is imported as a base of its own, by file and by content, by those who may make bases.
func TestArchiveOfABaseBecomesAnotherBase(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	j.ID("POST", "/bases/"+j.base+"/tables", `{"name":"Empty"}`)
	job := j.run("/bases/"+j.base+"/exports", `{"format":"archive"}`)
	raw := j.file(job)
	if name := job["file"].(map[string]any)["name"]; name != "Shop_One.zip" {
		t.Errorf("the file is called %v", name)
	}
	workspace := j.ID("POST", "/workspaces", `{"orgId":"`+j.Org()+`","name":"Other"}`)
	imports := "/workspaces/" + workspace + "/archive-imports"
	content := base64.StdEncoding.EncodeToString(raw)
	done := j.run(imports, `{"content":"`+content+`","name":"Shop two"}`)
	made, _ := done["baseId"].(string)
	notes := fmt.Sprint(done["report"])
	if done["state"] != "done" || made == j.base ||
		!strings.Contains(notes, "as the manifest of the archive says: 3 records.") {
		t.Fatalf("the import is %v", done)
	}
	was, is := j.OK("GET", "/bases/"+j.base+"?detail=names", ""), j.OK("GET", "/bases/"+made+"?detail=names", "")
	if is["name"] != "Shop two" || fmt.Sprint(was["tables"]) != fmt.Sprint(is["tables"]) {
		t.Errorf("the base was %v and is %v", was, is)
	}
	broken := j.run(imports, `{"content":"`+base64.StdEncoding.EncodeToString(raw[:len(raw)-40])+`"}`)
	if broken["state"] != "failed" || broken["baseId"] != nil ||
		!strings.Contains(fmt.Sprint(broken["report"]), "is no base archive, or is damaged") {
		t.Errorf("the import of a cut archive is %v", broken)
	}
	if list := fmt.Sprint(j.OK("GET", "/orgs/"+j.Org()+"/jobs", "")); !strings.Contains(list, broken["id"].(string)) {
		t.Error("the list lacks a job without a base")
	}
	if bases := j.OK("GET", "/bases", "")["bases"].([]any); len(bases) != 2 {
		t.Errorf("there are %d bases", len(bases))
	}
	creator := j.member(organization.Admin)
	creator.Refused(http.StatusNotFound, "GET", "/jobs/"+broken["id"].(string), "")
	j.member(organization.Editor).Refused(http.StatusForbidden, "POST", imports, `{"content":"`+content+`"}`)
	narrow := apitest.Principal(j.Person, j.Orgs[0].Org, organization.Owner)
	narrow.Scopes = []authz.Scope{authz.DataRead, authz.SchemaRead}
	reader := &jobs{Client: j.server.As(t, narrow), t: t, server: j.server}
	unnamed := fmt.Sprint(reader.run("/bases/"+j.base+"/exports", `{"format":"archive"}`)["report"])
	if !strings.Contains(unnamed, "addresses of people are not in the archive") {
		t.Errorf("the archive for a key that may not read members: %s", unnamed)
	}
	copied := j.run("/tables/"+j.table+"/duplicate", `{}`)
	if tables := j.OK("GET", "/bases/"+j.base+"?detail=names", "")["tables"].([]any); copied["state"] != "done" ||
		len(tables) != 3 || !strings.Contains(fmt.Sprint(tables), "Orders copy") {
		t.Errorf("the copy of the table is %v", copied)
	}
}

// An editor who is not the person of a job does not see it; a creator does, without its file.
func TestJobIsSeenByItsPersonAndByCreators(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	org := j.Orgs[0].Org
	editor, colleague := j.member(organization.Editor), j.member(organization.Editor)
	own := &jobs{Client: editor, t: t, server: j.server, base: j.base, table: j.table}
	job := own.run("/tables/"+j.table+"/exports", `{"format":"csv"}`)
	public := job["id"].(string)
	own.file(job)
	list := func(c *apitest.Client) string { return fmt.Sprint(c.OK("GET", "/orgs/"+c.Org()+"/jobs", "")) }
	if !strings.Contains(list(editor), public) || !strings.Contains(list(j.Client), public) {
		t.Error("the person and a creator do not see the job in their lists")
	}
	if strings.Contains(list(colleague), public) {
		t.Error("a colleague sees the job")
	}
	colleague.Refused(http.StatusNotFound, "GET", "/jobs/"+public, "")
	colleague.Refused(http.StatusNotFound, "POST", "/jobs/"+public+"/cancel", "")
	if seen := j.OK("GET", "/jobs/"+public, ""); seen["state"] != "done" || seen["file"] != nil {
		t.Errorf("a creator sees %v", seen)
	}
	narrow := apitest.Principal(editor.Person, org, organization.Editor)
	narrow.Bases = []uuid.UUID{uuid.New()}
	j.server.As(t, narrow).Refused(http.StatusNotFound, "GET", "/jobs/"+public, "")
	writer := apitest.Principal(editor.Person, org, organization.Editor)
	writer.Scopes = []authz.Scope{authz.DataWrite}
	if seen := j.server.As(t, writer).OK("GET", "/jobs/"+public, ""); seen["file"] != nil {
		t.Errorf("a credential that does not read gets %v", seen["file"])
	}
}

// A job works with the rights that its person has while it works, and not with those of its beginning.
func TestJobEndsWithTheRightsOfItsPerson(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	editor := j.member(organization.Editor)
	begun := editor.OK("POST", "/tables/"+j.table+"/exports", `{"format":"csv"}`)
	j.OK("DELETE", "/orgs/"+j.Org()+"/members/"+id.Format(id.User, editor.Person), "")
	if job := j.goOn(begun["id"].(string)); job["state"] != "failed" ||
		!strings.Contains(fmt.Sprint(job["report"]), "may not do this") {
		t.Errorf("the job ended as %v", job)
	}
}

// An organization runs one job at a time, so one that has ended must not keep the next one waiting.
func TestEndedJobKeepsNoLease(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	for range 3 {
		if job := j.run("/tables/"+j.table+"/exports", `{"format":"csv"}`); job["state"] != "done" {
			t.Fatalf("the job ended as %v", job)
		}
	}
	leases := 0
	err := j.server.Deps.DB.Batch(t.Context(), j.Orgs[0].Org, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.job where lease is not null or leased_until is not null").
			QueryRow(func(row pgx.Row) error { return row.Scan(&leases) })
	})
	if err != nil || leases > 0 {
		t.Errorf("%d ended jobs have a lease, %v", leases, err)
	}
}

func TestCancelledJobDoesNotRun(t *testing.T) {
	t.Parallel()
	j := newJobs(t)
	public := j.ID("POST", "/tables/"+j.table+"/exports", `{"format":"csv"}`)
	if got := j.OK("POST", "/jobs/"+public+"/cancel", ""); got["state"] != "cancelled" {
		t.Errorf("the job is %v", got)
	}
	if got := j.goOn(public); got["state"] != "cancelled" || got["file"] != nil {
		t.Errorf("the job ran: %v", got)
	}
}

// A job reads and writes the records that row rules give its person, and the base as an archive only whole.
func TestJobObeysRowRules(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	r := newRuled(t, s)
	own := &jobs{Client: r.editor, t: t, server: s, base: r.base, table: r.tasks}
	for _, format := range []string{"csv", "ndjson"} {
		content := string(own.file(own.run("/tables/"+r.tasks+"/exports", `{"format":"`+format+`"}`)))
		if !strings.Contains(content, "Mine") || strings.Contains(content, "Secret") {
			t.Errorf("the export as %s is %s", format, content)
		}
	}
	if content := own.file(own.run("/tables/"+r.projects+"/exports", `{"format":"ndjson"}`)); strings.Contains(
		string(content), r.other) || strings.Contains(string(content), "73217324") {
		t.Errorf("the export of the linked table is %s", content)
	}
	status, _, answer := r.editor.Do("POST", "/bases/"+r.base+"/exports", `{"format":"archive"}`)
	if status == http.StatusAccepted {
		job := own.goOn(strings.Split(strings.Split(answer, `"id":"`)[1], `"`)[0])
		archive, err := zip.NewReader(bytes.NewReader(own.file(job)), int64(len(own.file(job))))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range archive.File {
			content, err := part.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(content)
			if err != nil || strings.Contains(string(text), "Secret") {
				t.Errorf("the archive's %s has %s, %v", part.Name, text, err)
			}
		}
	}
}
