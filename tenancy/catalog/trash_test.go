package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// rows reads text as the owner.
func (b *bundle) rows(t *testing.T, sql string, args ...any) []string {
	t.Helper()
	var lines []string
	err := b.db.SchemaTx(t.Context(), b.org, func(tx pgx.Tx) error {
		rows, err := tx.Query(t.Context(), sql, args...)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return lines
}

// dump is everything that the organization has but for versions: metadata, values, links, indexes that
// enforce something, and foreign keys.
func (b *bundle) dump(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, table := range []string{"base", "data_table", "field", "view"} {
		lines = append(lines, b.rows(t, "select '"+table+" ' || (to_jsonb(r) - 'version')::text from rowhouse."+table+
			" r where org_id = $1 order by id", b.org)...)
	}
	snapshot := b.fresh(t)
	for _, base := range snapshot.Bases {
		for _, table := range base.Tables {
			columns := "t.id::text"
			joins := map[string]bool{}
			for _, f := range table.Fields {
				if f.Link != nil {
					joins[f.Link.Relation(b.org)] = true
				} else if f.Info().Column != "" {
					columns += " || ' ' || coalesce(t." + f.Column() + "::text, 'null')"
				}
			}
			lines = append(lines, b.rows(t, "select "+columns+" from "+table.Relation()+" t order by id")...)
			for _, join := range slices.Sorted(maps.Keys(joins)) {
				lines = append(lines, b.rows(t, "select to_jsonb(l)::text from "+join+" l order by a, b")...)
				lines = append(lines, b.rows(t, `select conrelid::regclass || ' ' || conname || ' ' ||
					pg_get_constraintdef(oid)
					from pg_constraint where conrelid = to_regclass($1::text) order by 1`, join)...)
			}
			lines = append(lines, b.rows(t, `select pg_get_indexdef(indexrelid) from pg_index
				where indrelid = to_regclass($1::text) and indisunique order by 1`, table.Relation())...)
			lines = append(lines, fmt.Sprint(b.rows(t, "select coalesce(sum(records), 0)::text from "+
				table.CountRelation()+
				" where table_number = $1", table.Number)))
		}
	}
	return lines
}

func (b *bundle) restore(t *testing.T, items ...string) []catalog.Restored {
	t.Helper()
	restored, err := b.store.Restore(t.Context(), b.org, catalog.TrashRequest{Items: items, Base: b.base.ID, By: admin})
	if err != nil {
		t.Fatalf("restoring %v: %v", items, err)
	}
	return restored
}

func (b *bundle) refuses(t *testing.T, words string, items ...string) {
	t.Helper()
	_, err := b.store.Restore(t.Context(), b.org, catalog.TrashRequest{Items: items, Base: b.base.ID, By: admin})
	if problem.KindOf(err) != problem.KindConflict || !strings.Contains(err.Error(), words) {
		t.Fatalf("restoring %v: %v", items, err)
	}
}

func (b *bundle) deleteField(t *testing.T, f *schema.Field) {
	t.Helper()
	if err := b.store.DeleteField(t.Context(), b.org, f.ID); err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) deleteTable(t *testing.T, table *schema.Table) {
	t.Helper()
	if err := b.store.DeleteTable(t.Context(), b.org, table.ID); err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) link(t *testing.T, name string, from, to *schema.Table) *schema.Field {
	t.Helper()
	made, err := b.store.CreateField(t.Context(), b.org, from.ID, catalog.FieldSpec{
		Name: name, Type: schema.LinkType, Config: json.RawMessage(`{"linkedTableId":"` + to.PublicID() + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.fresh(t).Field(made.ID)
}

func (b *bundle) record(t *testing.T, table *schema.Table) uuid.UUID {
	t.Helper()
	row := uuid.Must(uuid.NewV7())
	b.exec(t, "insert into "+table.Relation()+" (id) values ($1)", row)
	b.exec(t, "insert into "+table.CountRelation()+" values ($1, 0, 1, 1) on conflict (table_number, slot) do update "+
		"set records = record_count.records + 1", table.Number)
	return row
}

var admin = schema.Viewer{Admin: true}

func (b *bundle) same(t *testing.T, before []string) {
	t.Helper()
	if diff := cmp.Diff(before, b.dump(t)); diff != "" {
		t.Error(diff)
	}
}

func TestFieldOfEveryTypeComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "All types")
	for _, kind := range field.All() {
		info := kind.Info()
		spec := catalog.FieldSpec{Name: "A " + string(info.Type), Type: info.Type}
		switch {
		case info.Paired:
			spec.Config = json.RawMessage(`{"linkedTableId":"` + table.PublicID() + `"}`)
		case info.Unique && info.Type == schema.Text:
			spec.Config = json.RawMessage(`{"unique":true}`)
		case info.Computed:
			spec.Config = computedConfig(info.Type)
		}
		if _, err := b.store.CreateField(t.Context(), b.org, table.ID, spec); err != nil {
			t.Fatalf("%s: %v", info.Type, err)
		}
	}
	table = b.fresh(t).Table(table.ID)
	row, other := b.record(t, table), b.record(t, table)
	b.exec(t, "update "+table.Relation()+" set "+table.FieldByName("A text").Column()+" = 'a'||id, "+
		table.FieldByName("A number").Column()+" = 7, "+table.FieldByName("A checkbox").Column()+" = true")
	link := table.FieldByName("A link")
	b.exec(t, "insert into "+link.Link.Relation(b.org)+" values ($1, $2, 3, 4), ($2, $1, 1, 2)", row, other)
	hidden, err := json.Marshal(table.FieldNames()[1:])
	if err != nil {
		t.Fatal(err)
	}
	err = b.store.UpdateView(t.Context(), b.org, table.Views[0].ID, catalog.ViewPatch{Config: schema.ViewConfig{
		"hiddenFields": hidden, "theirs": json.RawMessage(`{"kept":null}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	before := b.dump(t)
	var gone []*schema.Field
	for _, f := range table.Fields {
		if f.IsPrimary || b.fresh(t).Field(f.ID) == nil { // the inverse of a link goes with it
			continue
		}
		b.deleteField(t, f)
		gone = append(gone, f)
	}
	if left := len(b.fresh(t).Table(table.ID).Fields); left != 1 {
		t.Fatalf("%d fields are left, want the primary one", left)
	}
	// Writers are not hindered, and numbers go on.
	third := b.record(t, table)
	b.exec(t, "update "+table.Relation()+" set "+table.Primary().Column()+" = 'changed' where id = $1", third)
	for _, f := range slices.Backward(gone) {
		b.restore(t, f.PublicID())
	}
	b.exec(t, "delete from "+table.Relation()+" where id = $1", third)
	b.exec(t, "update "+table.CountRelation()+" set records = 2 where table_number = $1", table.Number)
	b.same(t, before)
	if n := len(b.rows(t, "select id::text from rowhouse.trash where org_id = $1", b.org)); n != 0 {
		t.Errorf("%d entries are left in the trash", n)
	}
}

func TestTablesAndBasesComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other, third := b.table(t, "A", catalog.FieldSpec{
		Name: "Code", Type: schema.Text,
		Config: json.RawMessage(`{"unique":true}`),
	}), b.table(t, "Other"), b.table(t, "Third")
	toOther, self := b.link(t, "To other", a, other), b.link(t, "Self", a, a)
	b.link(t, "To third", other, third)
	x, y, z := b.record(t, a), b.record(t, a), b.record(t, other)
	b.exec(t, "update "+a.Relation()+" set "+a.FieldByName("Code").Column()+" = id::text")
	b.exec(t, "insert into "+toOther.Link.Relation(b.org)+" values ($1, $2)", x, z)
	b.exec(t, "insert into "+self.Link.Relation(b.org)+" values ($1, $2)", x, y)
	other = b.fresh(t).Table(other.ID)
	err := b.store.UpdateView(t.Context(), b.org, other.Views[0].ID, catalog.ViewPatch{Config: schema.ViewConfig{
		"columnWidths": json.RawMessage(`{"A":123,"Name":77}`),
	}})
	if err != nil {
		t.Fatal(err)
	}
	before := b.dump(t)

	b.deleteTable(t, a)
	if f := b.fresh(t).Table(other.ID).FieldByName("A"); f != nil {
		t.Fatal("the inverse stayed")
	}
	b.restore(t, a.PublicID())
	b.same(t, before)

	// A record that is deleted meanwhile takes its links along.
	b.deleteTable(t, other)
	b.exec(t, "delete from "+a.Relation()+" where id = $1", y)
	b.restore(t, other.PublicID())
	b.exec(t, "insert into "+a.Relation()+" (id) values ($1)", y)
	b.exec(t, "update "+a.Relation()+" set "+a.FieldByName("Code").Column()+" = id::text")
	b.exec(t, "insert into "+self.Link.Relation(b.org)+" values ($1, $2)", x, y)
	b.same(t, before)

	for range 2 { // a second time, with what the first one restored
		if err := b.store.DeleteBase(t.Context(), b.org, b.base.ID); err != nil {
			t.Fatal(err)
		}
		if b.fresh(t).Base(b.base.ID) != nil || b.fresh(t).Table(a.ID) != nil {
			t.Fatal("the base is there")
		}
		_, err = b.store.Restore(t.Context(), b.org, catalog.TrashRequest{
			Items: []string{b.base.PublicID()}, By: admin,
		})
		if err != nil {
			t.Fatal(err)
		}
		b.same(t, before)
	}
}

func TestLinkWhoseOtherTableIsInTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.table(t, "A"), b.table(t, "Other")
	link := b.link(t, "Link", a, other)
	x, y := b.record(t, a), b.record(t, other)
	b.exec(t, "insert into "+link.Link.Relation(b.org)+" values ($1, $2)", x, y)
	before := b.dump(t)

	b.deleteField(t, link)
	b.deleteTable(t, other)
	b.refuses(t, `needs the table "Other"`, link.PublicID())
	b.deleteTable(t, a)
	b.refuses(t, `in the trash`, link.PublicID())
	b.restore(t, link.PublicID(), a.PublicID(), other.PublicID()) // in whichever order they are named
	b.same(t, before)

	b.deleteTable(t, a)
	b.deleteTable(t, other)
	restored := b.restore(t, a.PublicID())
	if len(restored[0].Notes) != 1 || !strings.Contains(restored[0].Notes[0], `The link "Link" stays in the trash`) {
		t.Fatalf("%+v", restored)
	}
	if b.fresh(t).Field(link.ID) != nil {
		t.Fatal("half a link")
	}
	b.restore(t, other.PublicID())
	b.restore(t, link.PublicID())
	b.same(t, before)

	b.deleteTable(t, a)
	b.deleteTable(t, other)
	purge := catalog.TrashRequest{Items: []string{other.PublicID()}, Base: b.base.ID, By: admin}
	if err := b.store.Purge(t.Context(), b.org, purge); err != nil {
		t.Fatal(err)
	}
	restored = b.restore(t, a.PublicID())
	if len(restored[0].Notes) != 1 || !strings.Contains(restored[0].Notes[0], `deleted for good`) {
		t.Fatalf("%+v", restored)
	}
	if got := b.rows(t, "select to_regclass($1)::text where to_regclass($1) is not null",
		link.Link.Relation(b.org)); len(got) > 0 {
		t.Errorf("%v is left", got)
	}
}

func TestNameThatIsTakenGetsAddition(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	})
	for i, want := range []string{"x (restored)", "x (restored 2)"} {
		f := b.fresh(t).Table(table.ID).FieldByName("X")
		if i > 0 {
			f = b.fresh(t).Table(table.ID).FieldByName("x")
		}
		b.deleteField(t, f)
		if _, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{
			Name: "x",
			Type: schema.Number,
		}); err != nil {
			t.Fatal(err)
		}
		if got := b.restore(t, f.PublicID()); !strings.EqualFold(got[0].Name, want) {
			t.Errorf("came back as %q", got[0].Name)
		}
	}
	b.deleteTable(t, table)
	b.table(t, "t")
	if got := b.restore(t, table.PublicID()); got[0].Name != "T (restored)" {
		t.Errorf("the table came back as %q", got[0].Name)
	}
	view, err := b.store.CreateView(t.Context(), b.org, table.ID, catalog.ViewSpec{Type: schema.Grid, Name: "Mine"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteView(t.Context(), b.org, view.ID, admin); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.CreateView(t.Context(), b.org, table.ID, catalog.ViewSpec{
		Type: schema.Grid,
		Name: "MINE",
	}); err != nil {
		t.Fatal(err)
	}
	if got := b.restore(t, view.PublicID()); got[0].Name != "Mine (restored)" {
		t.Errorf("the view came back as %q", got[0].Name)
	}
}

func TestUniqueFieldWithDuplicatesIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{Name: "Code", Type: schema.Text, Config: json.RawMessage(`{"unique":true}`)})
	code := table.FieldByName("Code")
	b.deleteField(t, code)
	b.exec(t, "insert into "+table.Relation()+" (id, "+code.Column()+
		") values (gen_random_uuid(), 'twice'), (gen_random_uuid(), 'twice')")
	b.refuses(t, "twice", code.PublicID())
	b.exec(t, "update "+table.Relation()+" set "+code.Column()+" = id::text")
	b.restore(t, code.PublicID())
	err := b.db.Tx(t.Context(), b.org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update "+table.Relation()+" set "+code.Column()+" = 'x'")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), code.UniqueIndex()) {
		t.Errorf("the field is not unique: %v", err)
	}
}

func TestFormerColumnComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "X", Type: schema.Text, Config: json.RawMessage(`{"unique":true}`),
	})
	x := table.FieldByName("X")
	for _, value := range []string{"12", "not a number"} {
		b.exec(t, "insert into "+table.Relation()+" (id, "+x.Column()+") values ($1, $2)", id.New(), value)
	}
	before := b.dump(t)
	if err := catalog.Retype(t.Context(), b.store, b.org, x.ID, catalog.TypeChange{
		Type: schema.Number, Patch: catalog.FieldPatch{Discard: true},
	}); err != nil {
		t.Fatal(err)
	}
	numbers := b.dump(t)
	column := func() string {
		found := b.rows(t, "select id::text from rowhouse.trash where org_id = $1 and kind = 'column'", b.org)
		if len(found) != 1 {
			t.Fatalf("the trash has %v", found)
		}
		return id.Format(id.Column, uuid.MustParse(found[0]))
	}
	b.restore(t, column())
	b.same(t, before)
	b.restore(t, column())
	b.same(t, numbers)
	former := column()
	b.deleteField(t, x)
	b.refuses(t, "itself is in the trash", former)
	b.restore(t, x.PublicID(), former)
	b.same(t, before)
}
