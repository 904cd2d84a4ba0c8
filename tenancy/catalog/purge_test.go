package catalog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestTrashDoesNotFillTable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{Name: "Number", Type: schema.AutoNumber})
	b.record(t, table)
	auto := table.FieldByName("Number")
	first, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{Name: "First", Type: schema.Text})
	if err != nil {
		t.Fatal(err)
	}
	first = b.fresh(t).Field(first.ID)
	b.deleteField(t, first)
	b.deleteField(t, auto)
	// Columns of a life before, some of them in the table still.
	err = b.db.SchemaTx(t.Context(), b.org, func(tx pgx.Tx) error {
		parts := make([]string, 1495)
		for i := range parts {
			parts[i] = fmt.Sprintf("add column x_%d text", i)
		}
		if _, err := tx.Exec(t.Context(), "alter table "+table.Relation()+" "+strings.Join(parts, ", ")); err != nil {
			return err
		}
		for i := range parts {
			parts[i] = fmt.Sprintf("drop column x_%d", i)
		}
		_, err := tx.Exec(t.Context(), "alter table "+table.Relation()+" "+strings.Join(parts[:500], ", "))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{
		Name: "New",
		Type: schema.Text,
	}); err != nil {
		t.Fatal(err)
	}
	kept := b.rows(t, "select name from rowhouse.trash where org_id = $1", b.org)
	if len(kept) != 0 {
		t.Errorf("the trash has %v beside a thousand columns", kept)
	}
}

func TestNumbersGoOnInTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text},
		catalog.FieldSpec{Name: "Number", Type: schema.AutoNumber})
	auto := table.FieldByName("Number")
	b.record(t, table)
	b.deleteField(t, auto)
	b.outlive(t, table, 1495)
	if _, err := b.store.CreateField(t.Context(), b.org, table.ID, catalog.FieldSpec{
		Name: "New",
		Type: schema.Text,
	}); err != nil {
		t.Fatal(err)
	}
	if n := columnsEver(t.Context(), t, b, table); n > 100 {
		t.Fatalf("the table was not rebuilt: %d columns", n)
	}
	b.record(t, table)
	b.restore(t, auto.PublicID())
	got := b.rows(t, "select "+auto.Column()+"::text from "+table.Relation()+" order by id")
	if !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("the records are numbered %v", got)
	}
}

func TestPersonalViewInTrashIsItsMakers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T")
	maker := schema.Viewer{Person: id.New()}
	view, err := b.store.CreateView(t.Context(), b.org, table.ID, catalog.ViewSpec{
		Type: schema.Grid, Name: "Mine", Access: schema.Personal, By: maker,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteView(t.Context(), b.org, view.ID, maker); err != nil {
		t.Fatal(err)
	}
	request := catalog.TrashRequest{
		Items: []string{view.PublicID()}, Base: b.base.ID,
		By: schema.Viewer{Person: id.New()},
	}
	if _, err := b.store.Restore(t.Context(), b.org, request); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("somebody else: %v", err)
	}
	request.By = maker
	if _, err := b.store.Restore(t.Context(), b.org, request); err != nil {
		t.Error(err)
	}
}

func TestPurgeLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.table(t, "A", catalog.FieldSpec{Name: "X", Type: schema.Text}, catalog.FieldSpec{
		Name: "Y",
		Type: schema.Text,
	}),
		b.table(t, "Other")
	b.link(t, "Link", a, other)
	b.record(t, a)
	y := a.FieldByName("Y")
	if err := catalog.Retype(t.Context(), b.store, b.org, y.ID, catalog.TypeChange{Type: schema.LongText}); err != nil {
		t.Fatal(err)
	}
	b.deleteField(t, y)
	if more, err := b.store.PurgeBefore(t.Context(), b.org, time.Now().Add(-time.Hour)); more || err != nil {
		t.Fatalf("purged something new: %v", err)
	}
	b.deleteTable(t, other)
	if err := b.store.DeleteBase(t.Context(), b.org, b.base.ID); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		more, err := b.store.PurgeBefore(t.Context(), b.org, time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		if i > 10 {
			t.Fatal("there is no end")
		}
	}
	left := b.rows(t, `select c.relname::text from pg_class c where c.relnamespace = $1::text::regnamespace and
		c.relkind = 'r'
		and (c.relname like 't\_%' or c.relname like 'l\_%')`, strings.Trim(strings.Split(a.Relation(), ".")[0], `"`))
	if len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if n := b.rows(t, "select id::text from rowhouse.trash where org_id = $1", b.org); len(n) > 0 {
		t.Errorf("the trash holds %v", n)
	}
	if n := b.rows(t, "select records::text from "+a.CountRelation()); len(n) > 0 {
		t.Errorf("counts: %v", n)
	}
}

// While both run, the binary of before the trash deletes for good.
func TestBinaryWithoutTrashDeletesNextToIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	a, other := b.table(t, "A", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	}),
		b.table(t, "Other")
	link, x := b.link(t, "Link", a, other), a.FieldByName("X")
	b.exec(t, "insert into "+link.Link.Relation(b.org)+" values ($1, $2)", b.record(t, a), b.record(t, other))
	b.deleteField(t, link)
	b.deleteField(t, x)
	old := func(statements ...string) {
		t.Helper()
		err := b.db.SchemaTx(t.Context(), b.org, func(tx pgx.Tx) error {
			for _, sql := range statements {
				if _, err := tx.Exec(t.Context(), sql); err != nil {
					return fmt.Errorf("%s: %w", sql, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		b.store.Forget(b.org)
	}
	drop := func(table *schema.Table) {
		t.Helper()
		old("drop table "+table.Relation(), "delete from rowhouse.data_table where id = '"+table.ID.String()+"'",
			fmt.Sprintf("delete from %s where table_number = %d", table.CountRelation(), table.Number))
	}
	drop(other)
	b.refuses(t, "deleted for good", link.PublicID())
	drop(a)
	b.refuses(t, "deleted for good", x.PublicID())
	for more := true; more; {
		var err error
		if more, err = b.store.PurgeBefore(t.Context(), b.org, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if left := b.rows(t, "select name from rowhouse.trash where org_id = $1", b.org); len(left) > 0 {
		t.Errorf("the trash has %v", left)
	}
}

func TestDeletedOrganizationLeavesNoTrash(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.deleteTable(t, b.table(t, "T"))
	tenancytest.DeleteOrg(t, b.db, b.org)
	conn := tenancytest.Admin(t)
	var left int
	err := conn.QueryRow(t.Context(), `select (select count(*) from rowhouse.trash where org_id = $1) +
		(select count(*) from pg_namespace where nspname = $2)`, b.org, organization.SchemaName(b.org)).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
}

func TestViewComesBackWithoutFieldsThatWent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	table := b.table(t, "T", catalog.FieldSpec{Name: "Title", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	})
	x := table.FieldByName("X")
	view, err := b.store.CreateView(t.Context(), b.org, table.ID, catalog.ViewSpec{
		Type: schema.Grid, Name: "V", Config: schema.ViewConfig{"hiddenFields": json.RawMessage(`["X"]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteView(t.Context(), b.org, view.ID, admin); err != nil {
		t.Fatal(err)
	}
	b.deleteField(t, x)
	b.restore(t, view.PublicID())
	if config, _ := json.Marshal(b.fresh(t).View(view.ID).Config); string(config) != "{}" {
		t.Errorf("the view says %s", config)
	}
	// A view that was changed meanwhile stays as it is.
	b.restore(t, x.PublicID())
	hide := catalog.ViewPatch{Config: schema.ViewConfig{
		"hiddenFields": json.RawMessage(`["X"]`),
		"rowHeight":    json.RawMessage(`"tall"`),
	}}
	if err := b.store.UpdateView(t.Context(), b.org, view.ID, hide); err != nil {
		t.Fatal(err)
	}
	b.deleteField(t, x)
	change := catalog.ViewPatch{Config: schema.ViewConfig{"hiddenFields": json.RawMessage(`["Title"]`)}}
	if err := b.store.UpdateView(t.Context(), b.org, view.ID, change); err != nil {
		t.Fatal(err)
	}
	before, _ := json.Marshal(b.fresh(t).View(view.ID).Config)
	b.restore(t, x.PublicID())
	if after, _ := json.Marshal(b.fresh(t).View(view.ID).Config); string(after) != string(before) {
		t.Errorf("the view says %s, not %s", after, before)
	}
}
