package history_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A world is an organization with a base.
type world struct {
	*testing.T
	db    *db.DB
	store *catalog.Store
	org   uuid.UUID
	owner uuid.UUID
	base  uuid.UUID
}

func setup(t *testing.T) *world {
	t.Helper()
	database := tenancytest.DB(t)
	org, owner := tenancytest.Org(t, database)
	w := &world{T: t, db: database, store: catalog.NewStore(database, catalog.Options{}), org: org, owner: owner}
	base, err := w.store.CreateBase(t.Context(), org, w.fresh().Workspaces[0].ID, "Base")
	w.must(err)
	w.base = base.ID
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) fresh() *schema.Snapshot {
	w.Helper()
	s, err := w.store.Fresh(w.Context(), w.org)
	w.must(err)
	return s
}

// as returns a context whose changes are one change set of a person.
func (w *world) as(person uuid.UUID, credential string) (context.Context, uuid.UUID) {
	set := id.New()
	return db.WithActor(w.Context(), db.Actor{Person: person, Credential: credential, ChangeSet: set}), set
}

func (w *world) table(name string) *schema.Table {
	w.Helper()
	made, err := w.store.CreateTable(w.Context(), w.org, w.base, name, []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text}, {Name: "Note", Type: schema.Text}, {Name: "Last", Type: schema.Text},
	})
	w.must(err)
	return w.fresh().Table(made.ID)
}

func (w *world) create(t *schema.Table, set uuid.UUID, objects ...string) {
	w.Helper()
	ctx := db.WithActor(w.Context(), db.Actor{Person: w.owner, Credential: "ses_a", ChangeSet: set})
	var in record.Creation
	for _, o := range objects {
		in.Records = append(in.Records, jsonvaluetest.ParseObject([]byte(o)))
	}
	_, err := record.New(w.db, w.store).
		Create(ctx, record.Actor{Org: w.org, Person: w.owner}, t.ID, in)
	w.must(err)
}

func (w *world) trash(items ...string) catalog.TrashRequest {
	return catalog.TrashRequest{Items: items, Base: w.base, By: schema.Viewer{Admin: true}}
}

// list reads the change sets of the base in pages of two.
func (w *world) list(in history.BaseRequest) []history.ChangeSet {
	w.Helper()
	var sets []history.ChangeSet
	for in.Limit = 2; ; {
		page, err := history.OfBase(w.Context(), w.db, w.fresh(), w.base, in)
		w.must(err)
		if len(page.Sets) > 2 || page.Cursor != "" && len(page.Sets) < 2 {
			w.Fatalf("a page of 2 has %d change sets", len(page.Sets))
		}
		sets = append(sets, page.Sets...)
		if in.Cursor = page.Cursor; in.Cursor == "" {
			return sets
		}
	}
}

// described writes what change sets did, the newest first.
func described(sets []history.ChangeSet) []string {
	lines := []string{}
	for i := range sets {
		var parts []string
		for _, o := range sets[i].Objects {
			parts = append(parts, strings.TrimSpace(
				fmt.Sprint(o.Does, " ", o.Object, " ", o.Name, " ", strings.Join(o.Changed, "+"))))
		}
		for _, t := range sets[i].Tables {
			part := fmt.Sprintf("%d new and %d changed in %s", t.Created, t.Updated, t.Table.Name)
			if t.InTrash {
				part += " in the trash"
			}
			parts = append(parts, part)
		}
		lines = append(lines, strings.Join(parts, ", "))
	}
	return lines
}

func (w *world) want(in history.BaseRequest, want ...string) []history.ChangeSet {
	w.Helper()
	sets := w.list(in)
	if got := described(sets); !slices.Equal(got, want) {
		w.Errorf("%+v lists\n%s\nand not\n%s", in, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return sets
}

func text(s string) *string { return &s }

func TestChangesOfSchemaAreListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx := t.Context()
	trees := w.table("Trees")
	note := trees.FieldByName("Note")
	own, set := w.as(w.owner, "ses_a")
	w.create(trees, set, `{"Name":"Oak","Note":"1"}`, `{"Name":"Elm"}`)
	w.must(w.store.UpdateField(own, w.org, note.ID, catalog.FieldPatch{Name: text("Remark")}))
	hidden := true
	w.must(w.store.UpdateField(own, w.org, note.ID, catalog.FieldPatch{Hidden: &hidden}))
	w.must(w.store.DeleteField(ctx, w.org, note.ID))
	_, err := w.store.Restore(ctx, w.org, w.trash(note.PublicID()))
	w.must(err)
	w.must(catalog.Retype(ctx, w.store, w.org, note.ID, catalog.TypeChange{Type: schema.Number}))
	w.must(w.store.UpdateBase(ctx, w.org, w.base, catalog.Patch{Name: text("Park")}, nil))
	base, made := "created base Base", "created table Trees"
	both := "updated field Remark hidden+name, 2 new and 0 changed in Trees"
	retyped := "updated field Remark type, 0 new and 1 changed in Trees"
	sets := w.want(history.BaseRequest{}, "updated base Park name", retyped, "restored field Remark",
		"deleted field Remark", both, made, base)
	if of := sets[4]; of.ID != set || of.Person == nil || *of.Person != w.owner || of.Credential != "ses_a" ||
		of.ObjectCount != 1 || of.Objects[0].ID != note.PublicID() || !of.Last.After(of.First) ||
		time.Since(of.First).Abs() > time.Minute {
		t.Errorf("%+v", of)
	}
	w.want(history.BaseRequest{Credential: "ses_a"}, both)
	w.want(history.BaseRequest{Person: w.owner}, both)
	w.want(history.BaseRequest{Since: sets[3].First, Until: sets[1].First}, "restored field Remark",
		"deleted field Remark")
	w.want(history.BaseRequest{Table: trees.ID}, retyped, "restored field Remark", "deleted field Remark", both, made)

	position := 2.0 // the place alone is not worth a word
	w.must(w.store.UpdateField(ctx, w.org, note.ID, catalog.FieldPatch{Position: &position}))
	w.want(history.BaseRequest{Since: sets[0].First}, "updated base Park name")
}

func TestChangesOfOtherBasesAreNotListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	other, err := w.store.CreateBase(t.Context(), w.org, uuid.Nil, "Other")
	w.must(err)
	w.must(w.store.UpdateBase(t.Context(), w.org, other.ID, catalog.Patch{Name: text("Another")}, nil))
	w.must(w.store.UpdateWorkspace(t.Context(), w.org, w.fresh().Workspaces[0].ID, catalog.Patch{Name: text("W")}))
	home := w.base
	w.base = other.ID
	elsewhere := w.table("Elsewhere")
	w.must(w.store.DeleteTable(t.Context(), w.org, elsewhere.ID))
	w.must(w.store.Purge(t.Context(), w.org, w.trash(elsewhere.PublicID())))
	w.base = home
	w.want(history.BaseRequest{}, "created base Base")

	// One entry of the log has objects of both bases.
	for _, base := range []uuid.UUID{w.base, other.ID} {
		w.must(w.store.DeleteBase(t.Context(), w.org, base))
	}
	_, err = w.store.Restore(t.Context(), w.org, catalog.TrashRequest{
		Items: []string{id.Format(id.Base, w.base), id.Format(id.Base, other.ID)},
	})
	w.must(err)
	w.want(history.BaseRequest{}, "restored base Base", "deleted base Base", "created base Base")
}

func TestChangesOfDeletedTablesAreListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx := t.Context()
	trees, stones := w.table("Trees"), w.table("Stones")
	_, err := w.store.CreateField(ctx, w.org, trees.ID, catalog.FieldSpec{
		Name: "On", Type: schema.LinkType,
		Config: json.RawMessage(fmt.Sprintf(`{"linkedTableId":%q}`, stones.PublicID())),
	})
	w.must(err)
	w.create(trees, id.New(), `{"Name":"Oak"}`)
	w.must(w.store.DeleteTable(ctx, w.org, trees.ID))
	gone := "deleted table Trees, deleted field Trees"
	written := "1 new and 0 changed in Trees"
	w.want(history.BaseRequest{}, gone, written+" in the trash", "created field On, created field Trees",
		"created table Stones", "created table Trees", "created base Base")
	w.want(history.BaseRequest{Table: trees.ID}, gone, written+" in the trash", "created field On, created field Trees",
		"created table Trees")
	_, err = w.store.Restore(ctx, w.org, w.trash(trees.PublicID()))
	w.must(err)
	if got := described(w.list(history.BaseRequest{})); got[0] != "restored table Trees, restored field Trees" ||
		got[2] != written {
		t.Errorf("of a restored table: %q", got)
	}
	w.must(w.store.DeleteTable(ctx, w.org, trees.ID))
	w.must(w.store.Purge(ctx, w.org, w.trash(trees.PublicID())))
	// What was in the table is not known any more.
	if got := described(w.list(history.BaseRequest{})); got[0] != "purged table Trees" || got[1] != gone ||
		slices.Contains(got, written) || !slices.Contains(got, "created table Trees") {
		t.Errorf("of a purged table: %q", got)
	}
	_, err = history.OfBase(ctx, w.db, w.fresh(), w.base, history.BaseRequest{Limit: 1, Table: trees.ID})
	if of := (*problem.Error)(nil); !errors.As(err, &of) || of.Kind != problem.KindInvalid {
		t.Errorf("of a table that is gone: %v", err)
	}
}

func TestAChangeSetListsTheFirstObjects(t *testing.T) {
	t.Parallel()
	w := setup(t)
	trees := w.table("Trees")
	own, _ := w.as(w.owner, "ses_a")
	for i := range history.MaxObjects + 3 {
		_, err := w.store.CreateField(own, w.org, trees.ID, catalog.FieldSpec{
			Name: fmt.Sprint("F", i), Type: schema.Text,
		})
		w.must(err)
	}
	of := w.list(history.BaseRequest{})[0]
	if len(of.Objects) != history.MaxObjects || of.ObjectCount != history.MaxObjects+3 || of.Objects[0].Name != "F0" {
		t.Errorf("%d of %d: %+v", len(of.Objects), of.ObjectCount, of.Objects)
	}
}

func TestPersonalViewsOfOthersAreNotListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ctx := t.Context()
	trees := w.table("Trees")
	maker := schema.Viewer{Person: tenancytest.Person(t, w.db)}
	own, set := w.as(maker.Person, "ses_b")
	mine, err := w.store.CreateView(own, w.org, trees.ID, catalog.ViewSpec{
		Name: "Mine", Type: schema.Grid, Access: schema.Personal, By: maker,
	})
	w.must(err)
	rest := []string{"created table Trees", "created base Base"}
	member := schema.Viewer{Person: w.owner}
	w.want(history.BaseRequest{By: member}, rest...)
	w.want(history.BaseRequest{By: member, Table: trees.ID}, rest[0])
	for _, by := range []schema.Viewer{maker, {Person: w.owner, Admin: true}} {
		sets := w.want(history.BaseRequest{By: by}, append([]string{"created view Mine"}, rest...)...)
		if sets[0].ID != set {
			t.Errorf("%+v", sets[0])
		}
	}
	// A change set that also did something else says that alone.
	w.create(trees, set, `{"Name":"Oak"}`)
	w.want(history.BaseRequest{By: member}, append([]string{"1 new and 0 changed in Trees"}, rest...)...)
	w.must(w.store.DeleteView(ctx, w.org, mine.ID, maker))
	w.must(w.store.Purge(ctx, w.org, w.trash(id.Format(id.View, mine.ID))))
	w.want(history.BaseRequest{By: member}, append([]string{"1 new and 0 changed in Trees"}, rest...)...)
	got := described(w.list(history.BaseRequest{By: maker}))
	if got[0] != "purged view Mine" || got[1] != "deleted view Mine" {
		t.Errorf("its maker sees %q", got)
	}
}

func TestPurgedRecordsAreListed(t *testing.T) {
	t.Parallel()
	w := setup(t)
	trees := w.table("Trees")
	w.must(w.store.PurgeRecords(t.Context(), w.org, trees.ID, []uuid.UUID{id.New()}))
	sets := w.want(history.BaseRequest{}, "purged record", "created table Trees", "created base Base")
	if !strings.HasPrefix(sets[0].Objects[0].ID, "rec_") {
		t.Errorf("%+v", sets[0].Objects)
	}
}
