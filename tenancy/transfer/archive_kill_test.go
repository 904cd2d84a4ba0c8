package transfer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// Workers are killed at random moments, and all of the archive comes once.
func TestAKilledImportOfAnArchiveComesOnce(t *testing.T) {
	t.Parallel()
	const kills = 4
	h := newHouse(t, t.TempDir())
	base, err := h.s.Schema.CreateBase(h.ctx, h.actor.Org, h.workspace, "Many")
	h.must(err)
	h.base = base.ID
	for _, name := range []string{"Ports", "Calls"} {
		_, err = h.s.Schema.CreateTable(h.ctx, h.actor.Org, base.ID, name, []catalog.FieldSpec{
			{Name: "Name", Type: schema.Text},
			{Name: "Number", Type: "auto_number"},
			{Name: "Papers", Type: "attachment"},
		})
		h.must(err)
	}
	h.field("Calls", "Port", "link", `{"linkedTableId":"`+h.table("Ports").PublicID()+`"}`)
	h.field("Ports", "Visits", "count", `{"linkFieldId":"`+h.fieldID("Ports", "Calls")+`"}`)
	var ports []string
	for n := range 20 {
		paper := h.file("Ports", "paper.txt", fmt.Appendf(nil, "paper %d", n))
		ports = append(ports, h.create("Ports", fmt.Sprintf(`{"Name":"port %d","Papers":[{"id":%q}]}`, n, paper))...)
	}
	for block := range 40 {
		var calls []string
		for n := range 100 {
			calls = append(calls, fmt.Sprintf(`{"Name":"call %d.%d","Port":[%q]}`, block, n, ports[n%20]))
		}
		h.create("Calls", calls...)
	}
	for n := range 40 {
		h.say(h.actor, ports[n%20], fmt.Sprint("comment ", n), "")
	}
	raw := h.archived()
	begun, err := h.s.Begin(h.ctx, &transfer.Job{
		Org: h.actor.Org, Kind: transfer.ImportArchive, Person: h.actor.Person, ChangeSet: id.New(),
		Request: jsonvalue.Must(transfer.ArchiveImport{Workspace: h.workspace, File: h.upload(raw), Name: "Back"}),
	})
	h.must(err)
	killed := 0
	for until := time.Now().Add(2 * time.Minute); ; {
		killed += work(t, h.folder, h.actor.Org, begun.ID, killed < kills)
		j, err := h.s.Get(h.ctx, h.actor.Org, begun.ID)
		h.must(err)
		if !j.State.Ended() {
			if time.Now().After(until) {
				t.Fatalf("the job has come to %d records", j.Done)
			}
			continue
		}
		if t.Logf("%d workers were killed", killed); killed == 0 {
			t.Error("the import ended before a worker was killed")
		}
		if j.State != transfer.Done || j.Base == uuid.Nil || h.countBases() != 2 {
			t.Fatalf("the job is %s: %+v", j.State, j.Report)
		}
		for _, report := range j.Report.Tables {
			if report.Matches == nil || !*report.Matches || report.Name == "Ports" && report.Comments != 40 {
				t.Errorf("what came of %s is something else: %+v", report.Name, report)
			}
		}
		return
	}
}
