package transfer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// A base with every kind of field comes back in another organization as it was: its structure, its views, and what
// lists of them read, computed values among it.
func TestABaseWithEveryKindOfFieldComesBackElsewhere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from, to := newHouse(t, folder), newHouse(t, folder)
	from.everyKind()
	for _, kind := range field.All() {
		if !slices.ContainsFunc(slices.Collect(from.snapshot().Fields()), func(f *schema.Field) bool {
			return f.Type() == kind.Info().Type
		}) {
			t.Errorf("the base has no field of the type %s", kind.Info().Type)
		}
	}
	// One of the two people of the source is a member there too.
	h := to
	people := map[uuid.UUID]uuid.UUID{from.actor.Person: from.actor.Person}
	h.must(tenancytest.Join(t, h.s.DB, h.actor.Org, from.actor.Person, organization.Editor))
	raw := from.archived()
	job := to.bring(raw)
	a, err := archive.Open(bytes.NewReader(raw), int64(len(raw)))
	h.must(err)
	numbers := map[int32]int32{}
	for _, known := range a.Base.Tables {
		numbers[known.Number] = to.table(known.Name).Number
	}
	back := archive.NewRenaming(&a.Base, job.ID, numbers, people).Inverse()
	compareStructure(t, from, to, back)
	for _, name := range []string{"Things", "Boxes"} {
		views := []string{""}
		for _, v := range from.table(name).Views {
			if v.Access != schema.Personal {
				views = append(views, v.Name)
			}
		}
		for _, view := range views {
			compareLists(t, name+" "+view, from.list(name, view), to.list(name, view), back)
		}
	}
	// What is not there says who is no member: the editor who changed a record.
	for _, table := range job.Report.Tables {
		want := table.Name != "Things"
		if table.Matches == nil || *table.Matches != want {
			t.Errorf("that the records of %s are as in the manifest is %v", table.Name, table.Matches)
		}
	}
	if len(job.Report.NotMembers) != 1 {
		t.Errorf("the report lists as no members %v", job.Report.NotMembers)
	}
	compareLists(t, "comments on Boxes", from.said("Boxes"), to.said("Boxes"), back)
	// Who is no member here is named in the text of a comment, and not mentioned.
	me, importer := id.Format(id.User, from.actor.Person), id.Format(id.User, to.actor.Person)
	for i, want := range []string{
		importer + " Test Person, " + time.Now().UTC().Format("2 January 2006") + ":\nTheirs ",
		me + " Mine, for @Test Person and @[Test Person](" + me + ") ",
	} {
		if theirs := to.said("Things"); len(theirs) != 2 || !strings.Contains(theirs[i].raw, want) {
			t.Errorf("the comments on Things are %q, and not %q", theirs, want)
		}
	}
	// New records count on.
	made := to.create("Things", `{"Name":"new"}`)
	for _, one := range to.list("Things", "") {
		if one.id == made[0] && !strings.Contains(one.raw, fmt.Sprintf(`"f auto_number":%d`, len(odd["text"])+1)) {
			t.Errorf("the new record is %s", one.raw)
		}
	}
	found, err := dashboard.New(to.s.DB).List(to.ctx, to.actor.Org, to.base, func(string) bool { return true })
	if err != nil || len(found) != 1 || len(found[0].Tiles) != 2 || found[0].Tiles[0].View == "" {
		t.Errorf("the dashboards are %v, %v", found, err)
	}
}

func compareLists(t *testing.T, what string, was, is []listed, back *archive.Renaming) {
	t.Helper()
	if len(was) != len(is) {
		t.Errorf("%s: had %d records and has %d", what, len(was), len(is))
		return
	}
	for i := range was {
		got := string(back.JSON(json.RawMessage(is[i].raw)))
		if want := was[i].raw; stripped(got) != stripped(want) {
			t.Errorf("%s, record %d:\nwas %s\nis  %s", what, i, stripped(want), stripped(got))
		}
	}
}

// stripped takes out of a record what is another one elsewhere: the ids of files, and the person who is no member.
func stripped(raw string) string {
	var one map[string]any
	if json.Unmarshal([]byte(raw), &one) != nil {
		return raw
	}
	delete(one, "updatedBy")
	fields, _ := one["fields"].(map[string]any)
	if files, ok := fields["f attachment"].([]any); ok {
		for _, file := range files {
			delete(file.(map[string]any), "id") //nolint:forcetypeassert // of a test
		}
	}
	if fields["Name"] == "thing 5" {
		delete(fields, "f last_modified_by")
	}
	return string(jsonvalue.Must(one))
}

func compareStructure(t *testing.T, from, to *house, back *archive.Renaming) {
	t.Helper()
	was, is := from.snapshot().Base(from.base), to.snapshot().Base(to.base)
	if was.Name != is.Name || was.TimeZone != is.TimeZone || *was.Icon != *is.Icon ||
		len(was.Tables) != len(is.Tables) {
		t.Errorf("the base is %+v", is)
	}
	for i, one := range was.Tables {
		other := is.Tables[i]
		if one.Name != other.Name || len(one.Fields) != len(other.Fields) {
			t.Errorf("the table %s has %d fields, and %s had %d", other.Name, len(other.Fields), one.Name,
				len(one.Fields))
			continue
		}
		for j, f := range one.Fields {
			g := other.Fields[j]
			want := f.Name + string(f.Type()) + string(jsonvalue.Must(f.Config)) + fmt.Sprint(f.IsPrimary, f.Hidden)
			got := g.Name + string(g.Type()) + string(back.JSON(jsonvalue.Must(g.Config))) +
				fmt.Sprint(g.IsPrimary, g.Hidden)
			if want != got {
				t.Errorf("the field was %s and is %s", want, got)
			}
		}
		isPersonal := func(v *schema.View) bool { return v.Access == schema.Personal }
		views := slices.DeleteFunc(slices.Clone(one.Views), isPersonal)
		for j, v := range views {
			w := other.Views[j]
			want := v.Name + string(v.Type) + string(v.Access) + string(jsonvalue.Must(v.Config))
			got := w.Name + string(w.Type) + string(w.Access) + string(back.JSON(jsonvalue.Must(w.Config)))
			if want != got {
				t.Errorf("the view was %s and is %s", want, got)
			}
		}
	}
}

// countBases counts the bases of the organization.
func (h *house) countBases() (n int) {
	h.t.Helper()
	h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.base where org_id = $1", h.actor.Org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	}))
	return n
}

// describe has the ids of a base, or of one of its tables.
func (h *house) describe(base uuid.UUID, only ...string) *archive.Base {
	h.t.Helper()
	out := &archive.Base{}
	for _, t := range h.snapshot().Base(base).Tables {
		if len(only) > 0 && !slices.Contains(only, t.Name) {
			continue
		}
		one := archive.Table{ID: t.PublicID()}
		for _, f := range t.Fields {
			one.Fields = append(one.Fields, archive.Field{ID: f.PublicID()})
		}
		for _, v := range t.Views {
			one.Views = append(one.Views, archive.View{ID: v.PublicID()})
		}
		out.Tables = append(out.Tables, one)
	}
	return out
}

// The archive of somebody whom a row rule limits has the comments on the records that they read.
func TestAnArchiveHasTheCommentsThatItsPersonReads(t *testing.T) {
	t.Parallel()
	h := newHouse(t, t.TempDir())
	base, err := h.s.Schema.CreateBase(h.ctx, h.actor.Org, h.workspace, "Small")
	h.must(err)
	h.base = base.ID
	_, err = h.s.Schema.CreateTable(h.ctx, h.actor.Org, base.ID, "Ships", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
	})
	h.must(err)
	ships := h.create("Ships", `{"Name":"Aase"}`, `{"Name":"Tove"}`)
	h.say(h.actor, ships[0], "About Aase", "")
	h.say(h.actor, ships[1], "About Tove", "")
	other := tenancytest.Person(t, h.s.DB)
	h.must(tenancytest.Join(t, h.s.DB, h.actor.Org, other, organization.Editor))
	h.must(h.s.Schema.SetTablePermissions(h.ctx, h.actor.Org, h.table("Ships").ID, catalog.TableRule{
		Rules: &[]*schema.RowRule{{
			Audience: schema.Audience{Role: schema.BaseViewer},
			Filter:   []byte(`[{"fieldId":"` + h.fieldID("Ships", "Name") + `","op":"eq","value":"Aase"}]`),
		}},
	}))
	h.actor = record.Actor{Org: h.actor.Org, Person: other}
	h.ctx = db.WithActor(t.Context(), db.Actor{Person: other})
	said := string(h.parts(h.archived())[archive.CommentsPath(h.table("Ships").PublicID())])
	if !strings.Contains(said, "About Aase") || strings.Contains(said, "Tove") || strings.Contains(said, ships[1]) {
		t.Errorf("the archive has the comments %s", said)
	}
}
