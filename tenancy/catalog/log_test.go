package catalog_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

type loggedChange struct {
	Object        string
	ID            uuid.UUID
	Before, After map[string]any
}

// logged lists the changes of the schema in the last change set.
func (b *bundle) logged(t *testing.T) []loggedChange {
	t.Helper()
	log := organization.SchemaName(b.org) + ".change"
	var changes []loggedChange
	for _, line := range b.rows(t, "select before::text from "+log+
		" where kind = 10 and number = (select max(number) from "+
		log+" where kind = 10)") {
		var part []loggedChange
		if err := json.Unmarshal([]byte(line), &part); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, part...)
	}
	return changes
}

func (b *bundle) loggedOf(t *testing.T, u uuid.UUID) loggedChange {
	t.Helper()
	for _, change := range b.logged(t) {
		if change.ID == u {
			return change
		}
	}
	t.Fatalf("the log does not tell of %s but of %+v", u, b.logged(t))
	return loggedChange{}
}

func TestLogHasChangesOfSchema(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.loggedOf(t, b.base.ID); got.Object != "base" || got.Before != nil || got.After["name"] != "Test Base" {
		t.Errorf("a new base: %+v", got)
	}
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	})
	if logged := b.logged(t); len(logged) != 4 { // the table, two fields and a view
		t.Errorf("a new table: %+v", logged)
	}
	x := table.FieldByName("X")
	name := "Y"
	if err := b.store.UpdateField(t.Context(), b.org, x.ID, catalog.FieldPatch{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if got := b.loggedOf(t, x.ID); got.Before["name"] != "X" || got.After["name"] != "Y" || len(b.logged(t)) != 1 {
		t.Errorf("a renamed field: %+v", b.logged(t))
	}
	err := b.store.UpdateView(t.Context(), b.org, table.Views[0].ID, catalog.ViewPatch{Config: schema.ViewConfig{
		"hiddenFields": json.RawMessage(`["Y"]`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	b.deleteField(t, b.fresh(t).Field(x.ID))
	if got := b.loggedOf(t, x.ID); got.After != nil || got.Before["name"] != "Y" ||
		got.Before["table_id"] != table.ID.String() {
		t.Errorf("a deleted field: %+v", got)
	}
	if got := b.loggedOf(t, table.Views[0].ID); len(got.Before["config"].(map[string]any)) != 1 ||
		len(got.After["config"].(map[string]any)) != 0 {
		t.Errorf("its view: %+v", got)
	}
	b.restore(t, x.PublicID())
	if got := b.loggedOf(t, x.ID); got.Before != nil || got.After["name"] != "Y" {
		t.Errorf("a restored field: %+v", got)
	}
	number := b.rows(t, "select max(number)::text from "+organization.SchemaName(b.org)+".change")
	if err := b.store.UpdateField(t.Context(), b.org, x.ID, catalog.FieldPatch{Name: &name}); err != nil {
		t.Fatal(err)
	}
	if again := b.rows(t, "select max(number)::text from "+organization.SchemaName(b.org)+
		".change"); again[0] != number[0] {
		t.Error("a change that changes nothing is in the log")
	}
	b.deleteField(t, b.fresh(t).Field(x.ID))
	entry := uuid.MustParse(b.rows(t, "select id::text from rowhouse.trash where org_id = $1", b.org)[0])
	err = b.store.Purge(t.Context(), b.org, catalog.TrashRequest{Items: []string{x.PublicID()}, Base: b.base.ID})
	if err != nil {
		t.Fatal(err)
	}
	if got := b.loggedOf(t, entry); got.Object != "trash" || got.After != nil ||
		got.Before["object_id"] != x.ID.String() {
		t.Errorf("a purged field: %+v", got)
	}
}

func TestLogHasValuesThatSchemaChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "Stage", Type: schema.SingleSelect, Config: json.RawMessage(`{"options":["Open","Done"]}`),
	})
	stage := table.FieldByName("Stage")
	ahead := time.Now().Add(time.Minute).UnixMicro()
	open, done := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	b.exec(t, "insert into "+table.Relation()+" (id, version, "+stage.Column()+
		") values ($1, 5, 'Open'), ($2, $3, 'Done')",
		open, done, ahead)
	rename := json.RawMessage(`{"options":[{"name":"Started","previousName":"Open"},"Done"]}`)
	if err := b.store.UpdateField(t.Context(), b.org, stage.ID, catalog.FieldPatch{Config: rename}); err != nil {
		t.Fatal(err)
	}
	entries := func() []string {
		return b.rows(t,
			"select table_number || ' ' || records::text || ' ' || previous::text || ' ' || before::text || ' ' || "+
				"(number = (select max(version) from "+table.Relation()+" where id = any (records)))::text from "+
				organization.SchemaName(b.org)+".change where kind = 2 order by number")
	}
	key := stage.Column()[1 : len(stage.Column())-1]
	want := number(table) + " {" + open.String() + `} {5} [{"` + key + `": "Open"}] true`
	if got := entries(); len(got) != 1 || got[0] != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	logged := b.rows(t, "select coalesce(o->>'renamed', '') from "+organization.SchemaName(b.org)+".change, "+
		"jsonb_array_elements(before) o where kind = 10 and o->>'id' = $1::uuid::text order by number", stage.ID)
	if got := logged[len(logged)-1]; got != `{"Open": "Started"}` {
		t.Errorf("the log tells of the renaming %s", got)
	}
	remove := json.RawMessage(`{"options":["Started"]}`)
	err := b.store.UpdateField(t.Context(), b.org, stage.ID, catalog.FieldPatch{Config: remove, Discard: true})
	if err != nil {
		t.Fatal(err)
	}
	want = number(table) + " {" + done.String() + `} {` + strconv.FormatInt(ahead, 10) + `} [{"` + key +
		`": "Done"}] true`
	if got := entries(); len(got) != 2 || got[1] != want { // one more than the version
		t.Fatalf("got %q, want %q", got, want)
	}
	if err := catalog.Retype(t.Context(), b.store, b.org, stage.ID, catalog.TypeChange{Type: schema.Text}); err != nil {
		t.Fatal(err)
	}
	if got := entries(); len(got) != 3 {
		t.Errorf("a changed type: %q", got)
	}
}

func number(table *schema.Table) string { return strconv.Itoa(int(table.Number)) }

func TestAuditEventNamesChangeSet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := id.New()
	base, err := b.store.CreateBase(db.WithActor(t.Context(), db.Actor{ChangeSet: set}), b.org, uuid.Nil, "Another")
	if err != nil {
		t.Fatal(err)
	}
	events, err := audit.List(t.Context(), b.db, b.org, audit.Filter{Limit: 1})
	if err != nil || len(events) != 1 || events[0].Subject != base.PublicID() || events[0].ChangeSet == nil ||
		*events[0].ChangeSet != set {
		t.Errorf("%+v, %v", events, err)
	}
	sets := b.rows(t, "select change_set::text from "+organization.SchemaName(b.org)+".change where kind = 10")
	if sets[len(sets)-1] != set.String() {
		t.Errorf("the log names %v", sets)
	}
}
