package transfer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive/template"
)

// A copy of a base, and of a table in it, has what the original has; without its records it has the structure.
func TestCopiesHaveWhatTheOriginalHas(t *testing.T) {
	t.Parallel()
	h := newHouse(t, t.TempDir())
	h.everyKind()
	original := h.base
	number := h.table("Things").FieldByName("f number")
	h.must(h.s.Schema.SetTablePermissions(h.ctx, h.actor.Org, number.Table.ID, catalog.TableRule{
		Fields: map[uuid.UUID]catalog.FieldRule{
			number.ID: {Actions: map[string]*schema.Audience{"edit": {Role: schema.BaseCreator}}},
		},
		Rules: &[]*schema.RowRule{{
			Audience: schema.Audience{Role: schema.BaseViewer},
			Filter:   []byte(`[{"fieldId":"` + number.PublicID() + `","op":"gt","value":1}]`),
		}},
	}))
	things, boxes := h.table("Things"), h.table("Boxes")
	was := h.list("Boxes", "")
	job := h.done(transfer.DuplicateBase, original, uuid.Nil,
		transfer.ArchiveImport{Base: original, Workspace: h.workspace, Name: "Copied"})
	h.base = job.Base
	for _, report := range job.Report.Tables {
		if report.Matches == nil || !*report.Matches {
			t.Errorf("the copy of %s is another one: %+v", report.Name, job.Report)
		}
	}
	copied := h.table("Things").FieldByName("f number")
	rules := jsonvalue.Must(h.table("Things").Permission)
	if copied.Permission == nil || copied.Permission.Edit == nil || !bytes.Contains(rules, []byte(copied.PublicID())) {
		t.Errorf("the permissions of the copy are %+v, %s", copied.Permission, rules)
	}
	back := archive.NewRenaming(h.describe(original), job.ID, map[int32]int32{
		things.Number: h.table("Things").Number, boxes.Number: h.table("Boxes").Number,
	}, nil).Inverse()
	compareLists(t, "the copy of Boxes", was, h.list("Boxes", ""), back)
	if said := h.said("Boxes"); len(said) > 0 {
		t.Errorf("the copy has the comments %q", said)
	}

	h.base = original
	job = h.done(transfer.DuplicateTable, original, things.ID,
		transfer.ArchiveImport{Base: original, Table: things.ID, Name: "Things copy"})
	if job.Table != h.table("Things copy").ID || job.Base != original {
		t.Errorf("the job is about %v of %v", job.Table, job.Base)
	}
	own := archive.NewRenaming(h.describe(original, "Things"), job.ID, map[int32]int32{
		things.Number: h.table("Things copy").Number,
	}, nil).Inverse()
	compareLists(t, "the copy of Things", h.list("Things", ""), h.list("Things copy", ""), own)
	if inverse := h.table("Boxes").FieldByName("Things copy"); inverse == nil || inverse.Link == nil {
		t.Error("the linked table shows no records of the copy")
	}
	again := h.done(transfer.DuplicateTable, original, boxes.ID, transfer.ArchiveImport{
		Base: original, Table: boxes.ID, Name: "Boxes", WithoutRecords: true,
	})
	if list := h.list("Boxes 2", ""); len(list) != 0 || again.Report.Tables[0].Matches != nil {
		t.Errorf("the copy without records has %v", list)
	}
	if now := fmt.Sprint(h.list("Boxes", "")); strings.Contains(now, "ERROR") {
		t.Errorf("the original is %s", now)
	}
}

// Each template becomes a base of which nothing is left out and nothing shows errors.
func TestTemplatesBecomeBases(t *testing.T) {
	t.Parallel()
	h := newHouse(t, t.TempDir())
	for _, name := range template.Names {
		found, err := template.Get(name)
		h.must(err)
		raw, err := found.Archive(time.Now())
		h.must(err)
		j := h.bring(raw)
		if len(j.Report.LeftOut) > 0 || len(j.Report.Notes) != 1 {
			t.Errorf("%s: %+v, %v", name, j.Report.LeftOut, j.Report.Notes)
		}
		for _, table := range h.snapshot().Base(h.base).Tables {
			for _, record := range h.list(table.Name, "") {
				if strings.Contains(record.raw, `"error"`) {
					t.Errorf("%s, %s: %s", name, table.Name, record.raw)
				}
			}
		}
	}
}
