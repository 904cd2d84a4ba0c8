package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rowhouse/rowhouse/tenancy/transfer/airtable/airtabletest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/nocodb/nocodbtest"
)

// await waits for the end of a job.
func (c *caller) await(begun answer) answer {
	c.t.Helper()
	for range 10 {
		if job := c.ok("GET", "/jobs/"+begun.text("id")+"?wait=10", ""); job.text("endedAt") != "" {
			return job
		}
	}
	c.t.Fatalf("the job has not ended: %s", begun.raw)
	return answer{}
}

// fetch fetches a file at its address.
func fetch(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", address, response.StatusCode, err)
	}
	return string(content)
}

// testJobs brings a spreadsheet into a new table, more rows into it, and takes them out again.
func testJobs(t *testing.T, w *world) {
	f := w.newFleet(t)
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Ship", "B1": "Tons", "A2": "Tove", "B2": 12.5} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := book.Write(&file); err != nil {
		t.Fatal(err)
	}
	sent := f.send("POST", "/bases/"+f.base+"/uploads?name=vessels.xlsx", file.Bytes(), "application/octet-stream")
	made := f.await(f.ok("POST", "/bases/"+f.base+"/imports", fmt.Sprintf(`{"file":%q}`, sent.text("id"))))
	if made.text("state") != "done" || made.text("report.tables.0.name") != "vessels" {
		t.Fatalf("the import of a spreadsheet: %s", made.raw)
	}
	table := "/tables/" + made.text("tableId")
	sent = f.send("POST", table+"/imports/uploads?name=more.csv", []byte("Ship,Tons\nUlla,3\nVibe,much\n"), "text/csv")
	more := f.await(f.ok("POST", table+"/imports", fmt.Sprintf(`{"file":%q}`, sent.text("id"))))
	if more.get("report.tables.0.created") != 1.0 || more.get("report.tables.0.refusals.0.line") != 3.0 {
		t.Errorf("the import of more rows: %s", more.raw)
	}
	workspace := f.ok("GET", "/orgs/"+w.owner.org+"/workspaces", "").text("workspaces.0.id")
	moved := f.await(f.ok("POST", "/workspaces/"+workspace+"/airtable-imports", fmt.Sprintf(
		`{"airtableBaseId":"https://airtable.com/%s/tbl/viw","token":%q}`, w.service.Airtable.Base.ID,
		airtabletest.Token)))
	if moved.text("state") != "done" || moved.get("report.tables.2.created") != 18.0 {
		t.Errorf("the import of a base of Airtable: %s", moved.raw)
	}
	other := nocodbtest.Start(nocodbtest.Harbour(20)...)
	t.Cleanup(other.Close)
	moved = f.await(f.ok("POST", "/workspaces/"+workspace+"/product-imports", fmt.Sprintf(
		`{"product":"nocodb","productBaseId":%q,"address":"%s/dashboard/#/nc","token":%q}`, nocodbtest.Base, other.URL,
		nocodbtest.Token)))
	if moved.text("state") != "done" || moved.get("report.tables.0.created") != 20.0 ||
		moved.text("from.address") != other.URL {
		t.Errorf("the import of a base of NocoDB: %s", moved.raw)
	}
	exported := f.await(f.ok("POST", table+"/exports", `{"format":"csv"}`))
	if got := fetch(t, exported.text("file.url")); got != "Ship,Tons\r\nTove,12.5\r\nUlla,3\r\n" {
		t.Errorf("the export of the table: %q in %s", got, exported.raw)
	}
	archived := f.await(f.ok("POST", "/bases/"+f.base+"/exports", `{"format":"archive"}`))
	if archived.get("report.tables.1.rows") != 2.0 || archived.text("report.tables.1.sha256") == "" {
		t.Errorf("the archive of the base: %s", archived.raw)
	}
	into := "/workspaces/" + workspace
	sent = f.send("POST", into+"/uploads?name=base.zip", []byte(fetch(t, archived.text("file.url"))), "application/zip")
	restored := f.await(f.ok("POST", into+"/archive-imports", fmt.Sprintf(`{"file":%q}`, sent.text("id"))))
	if restored.text("state") != "done" || restored.get("report.tables.1.matches") != true {
		t.Errorf("the archive as a base: %s", restored.raw)
	}
	template := f.ok("GET", "/templates", "").text("templates.0.id")
	planned := f.await(f.ok("POST", into+"/archive-imports", fmt.Sprintf(`{"template":%q}`, template)))
	if planned.text("state") != "done" || planned.get("report.tables.0.matches") != true {
		t.Errorf("the template as a base: %s", planned.raw)
	}
	again := f.await(f.ok("POST", "/bases/"+f.base+"/duplicate", `{"name":"Again"}`))
	if again.text("state") != "done" {
		t.Errorf("the copy of the base: %s", again.raw)
	}
	if copied := f.await(f.ok("POST", table+"/duplicate", `{"records":false}`)); copied.text("state") != "done" {
		t.Errorf("the copy of the table: %s", copied.raw)
	}
	if ended := f.ok("POST", "/jobs/"+archived.text("id")+"/cancel", ""); ended.text("state") != "done" {
		t.Errorf("a job that had ended: %s", ended.raw)
	}
	if list := f.ok("GET", "/orgs/"+w.owner.org+"/jobs?limit=6", ""); list.text("jobs.4.id") != archived.text("id") ||
		list.text("nextCursor") == "" {
		t.Errorf("the list of jobs: %s", list.raw)
	}
}
