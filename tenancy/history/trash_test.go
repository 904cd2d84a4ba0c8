package history_test

import (
	"context"
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
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

type bundle struct {
	*history.Trash
	actor record.Actor
	base  *schema.Base
}

func setupTrash(t *testing.T) *bundle {
	t.Helper()
	tenantDB := tenancytest.DB(t)
	org, owner := tenancytest.Org(t, tenantDB)
	store := catalog.NewStore(tenantDB, catalog.Options{})
	base, err := store.CreateBase(t.Context(), org, uuid.Nil, "The base")
	if err != nil {
		t.Fatal(err)
	}
	kept := history.NewTrash(history.TrashDeps{DB: tenantDB, Schema: store, Records: record.New(tenantDB, store)})
	return &bundle{kept, record.Actor{Org: org, Person: owner, Admin: true}, base}
}

// as returns a context for what the owner writes.
func (b *bundle) as(t *testing.T) context.Context {
	t.Helper()
	return db.WithActor(t.Context(), db.Actor{Person: b.actor.Person})
}

func (b *bundle) table(t *testing.T, name string, fields ...catalog.FieldSpec) *schema.Table {
	t.Helper()
	table, err := b.Schema.CreateTable(b.as(t), b.actor.Org, b.base.ID, name, fields)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := b.Schema.Fresh(b.as(t), b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot.Table(table.ID)
}

// create makes records with names and returns their ids.
func (b *bundle) create(t *testing.T, table *schema.Table, names ...string) []string {
	t.Helper()
	var objects []jsonvalue.ParsedObject
	for _, name := range names {
		objects = append(objects, jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"Name":%q}`, name)))
	}
	written, err := b.Records.Create(b.as(t), b.actor, table.ID, record.Creation{Records: objects})
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(names))
	for i, raw := range written.Records {
		var made struct{ ID string }
		if err := json.Unmarshal(raw, &made); err != nil {
			t.Fatal(err)
		}
		ids[i] = made.ID
	}
	return ids
}

func (b *bundle) delete(t *testing.T, table *schema.Table, ids ...string) {
	t.Helper()
	if _, err := b.Records.Delete(b.as(t), b.actor, table.ID, ids); err != nil {
		t.Fatal(err)
	}
}

// list lists the trash page by page, as kinds and names.
func (b *bundle) list(t *testing.T, query history.TrashQuery) []string {
	t.Helper()
	lines := []string{}
	for pages := 0; ; pages++ {
		items, next, err := b.List(b.as(t), b.actor.Org, query)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			lines = append(lines, string(item.Kind)+" "+item.Name)
			if item.DeletedBy != b.actor.Person || item.Person != "Test Person" || item.BaseName != "The base" ||
				item.KeptUntil.Sub(item.DeletedAt) != b.Keep {
				t.Errorf("the item says %+v", item)
			}
		}
		if next == "" {
			return lines
		}
		if query.Cursor = next; pages > 100 {
			t.Fatal("there is no end")
		}
	}
}

func (b *bundle) sees(t *testing.T, query history.TrashQuery, want ...string) {
	t.Helper()
	for _, limit := range []int{0, 1, 2} {
		query.Limit = limit
		if got := b.list(t, query); !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("listed by %d: %q, not %q", limit, got, want)
		}
	}
}

func (b *bundle) owner(t *testing.T, sql string, args ...any) {
	t.Helper()
	err := b.DB.SchemaTx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func TestTrashListsWhatWasDeleted(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	ctx, org := b.as(t), b.actor.Org
	table := b.table(t, "T", catalog.FieldSpec{Name: "Name", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	})
	gone := b.table(t, "Gone", catalog.FieldSpec{Name: "Name", Type: schema.Text})
	lost := b.create(t, gone, "with its table")
	b.delete(t, gone, lost...)
	ids := b.create(t, table, "first", "second", "third", "stays")
	b.delete(t, table, ids[0])
	if err := b.Schema.DeleteField(ctx, org, table.FieldByName("X").ID); err != nil {
		t.Fatal(err)
	}
	b.delete(t, table, ids[1])
	view, err := b.Schema.CreateView(ctx, org, table.ID, catalog.ViewSpec{
		Type: schema.Grid, Name: "Mine", Access: schema.Personal, By: schema.Viewer{Person: b.actor.Person},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Schema.DeleteView(ctx, org, view.ID, schema.Viewer{Admin: true}); err != nil {
		t.Fatal(err)
	}
	if err := b.Schema.DeleteTable(ctx, org, gone.ID); err != nil {
		t.Fatal(err)
	}
	b.delete(t, table, ids[2])
	admin := schema.Viewer{Admin: true}
	all := []string{"record third", "table Gone", "view Mine", "record second", "field X", "record first"}
	b.sees(t, history.TrashQuery{Base: b.base.ID, Viewer: admin}, all...)
	b.sees(t, history.TrashQuery{Viewer: schema.Viewer{Person: b.actor.Person}}, all...)
	b.sees(t, history.TrashQuery{
		Viewer: schema.Viewer{Person: uuid.New()}, Kinds: []catalog.TrashKind{catalog.TrashedView},
	})
	b.sees(
		t,
		history.TrashQuery{Viewer: admin, Kinds: []catalog.TrashKind{history.RecordKind}},
		"record third",
		"record second",
		"record first",
	)
	b.sees(t, history.TrashQuery{Viewer: admin, Reaches: func(uuid.UUID) bool { return false }})
	b.sees(t, history.TrashQuery{Base: uuid.New(), Viewer: admin})

	// A record that is there again is in the trash no more.
	_, second, err := id.ParseRecord(ids[1])
	if err != nil {
		t.Fatal(err)
	}
	b.owner(t, "insert into "+table.Relation()+" (id) values ($1)", second)
	b.sees(
		t,
		history.TrashQuery{Viewer: admin, Kinds: []catalog.TrashKind{history.RecordKind}},
		"record third",
		"record first",
	)
	b.delete(t, table, ids[1])
	b.sees(t, history.TrashQuery{Viewer: admin, Kinds: []catalog.TrashKind{history.RecordKind}},
		"record ", "record third",
		"record first")

	if err := b.Schema.DeleteBase(ctx, org, b.base.ID); err != nil {
		t.Fatal(err)
	}
	b.sees(t, history.TrashQuery{Viewer: admin}, "base The base", "table Gone", "view Mine", "field X")
	b.Keep = time.Nanosecond
	b.sees(t, history.TrashQuery{Viewer: admin})
}

// restorer notes what it is asked for.
type restorer struct{ asked []string }

func (r *restorer) Restore(
	_ context.Context, _ record.Actor, table uuid.UUID, records []string, _ bool,
) (map[string][]string, error) {
	r.asked = append(r.asked, table.String())
	r.asked = append(r.asked, records...)
	return map[string][]string{records[0]: {"without its links"}}, nil
}

func TestRecordsAreRestoredAndPurged(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	table, other := b.table(t, "T"), b.table(t, "Other")
	ids, others := b.create(t, table, "first", "second", "third"), b.create(t, other, "another")
	b.delete(t, table, ids[:2]...)
	b.delete(t, other, others...)
	restore := func(items ...string) ([]catalog.Restored, error) {
		return b.Restore(b.as(t), b.actor, b.base.ID, items, false)
	}
	if _, err := restore(ids[0]); problem.KindOf(err) != problem.KindConflict {
		t.Errorf("without a restorer: %v", err)
	}
	r := &restorer{}
	b.Restorer = r
	for name, items := range map[string][]string{
		"one that is there":        {ids[2]},
		"two tables":               {ids[0], others[0]},
		"records and other things": {ids[0], table.PublicID()},
		"one that was never there": {id.FormatRecord(table.Number, id.New())},
		"one that is no id":        {"rec_x"},
		"one of another base's":    {id.FormatRecord(1<<30, id.New())},
	} {
		if _, err := restore(items...); problem.KindOf(err) != problem.KindNotFound &&
			problem.KindOf(err) != problem.KindInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	restored, err := restore(ids[1], ids[0])
	if err != nil || len(restored) != 2 || restored[0].Name != "second" ||
		!slices.Equal(r.asked, []string{table.ID.String(), ids[1], ids[0]}) {
		t.Errorf("%+v %v %v", restored, r.asked, err)
	}
	if err := b.Purge(b.as(t), b.actor, b.base.ID, ids[:1]); err != nil {
		t.Fatal(err)
	}
	b.sees(t, history.TrashQuery{Viewer: schema.Viewer{Admin: true}}, "record another", "record second")
	if _, err := restore(ids[0]); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a purged record: %v", err)
	}
	var left string
	err = b.DB.Batch(t.Context(), b.actor.Org, func(batch *pgx.Batch) {
		batch.Queue("select string_agg(before::text, '') from " + changelog.Relation(b.actor.Org) + " where kind = 3").
			QueryRow(func(row pgx.Row) error { return row.Scan(&left) })
	})
	if err != nil || strings.Contains(left, "first") || !strings.Contains(left, "second") {
		t.Errorf("the log holds %s, %v", left, err)
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	ctx, org := b.as(t), b.actor.Org
	table := b.table(t, "T", catalog.FieldSpec{Name: "Name", Type: schema.Text}, catalog.FieldSpec{
		Name: "X",
		Type: schema.Text,
	},
		catalog.FieldSpec{Name: "Y", Type: schema.Text})
	for _, name := range []string{"X", "Y"} {
		if err := b.Schema.DeleteField(ctx, org, table.FieldByName(name).ID); err != nil {
			t.Fatal(err)
		}
	}
	b.owner(t,
		"update rowhouse.trash set deleted_at = deleted_at - interval '31 days' where org_id = $1 and name = 'X'", org)
	expired := []string{table.FieldByName("X").PublicID()}
	if _, err := b.Restore(ctx, b.actor, b.base.ID, expired, false); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("what is only waiting to be purged was restored: %v", err)
	}
	planned, err := b.Restore(ctx, b.actor, b.base.ID, []string{table.FieldByName("Y").PublicID()}, true)
	if err != nil || len(planned) != 1 || planned[0].Name != "Y" {
		t.Errorf("a dry run says %+v, %v", planned, err)
	}
	if err := b.PurgeOrg(ctx, org); err != nil {
		t.Fatal(err)
	}
	b.sees(t, history.TrashQuery{Viewer: schema.Viewer{Admin: true}}, "field Y")
	actions := tenancytest.Actions(t, b.DB, org)
	if actions[len(actions)-1] != "purge_trash" {
		t.Errorf("the audit log ends with %v", actions)
	}

	log := organization.SchemaName(org) + ".change"
	b.owner(t, "update rowhouse.organization set created_at = now() - interval '1 year' where org_id = $1", org)
	for _, month := range []string{"2026_01", "2001_02"} {
		b.addMonth(t, month)
	}
	parts := func() (names []string) {
		list := "select inhrelid::regclass::text from pg_inherits where inhparent = '" + log + "'::regclass"
		if b.DB.Distributed() { // the log has no parts, but entries of each month
			list = "select distinct '" + log + "_' || to_char(to_timestamp(number / 1000000), 'YYYY_MM') from " + log
		}
		err := b.DB.SchemaTx(ctx, org, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, list)
			if err != nil {
				return err
			}
			names, err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	was := len(parts())
	b.History = time.Since(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)) // the month had not ended then
	if err := b.DropOrgHistory(ctx, org); err != nil {
		t.Fatal(err)
	}
	if now := parts(); len(now) != was-1 || slices.Contains(now, log+"_2001_02") {
		t.Errorf("the log has %v", now)
	}
	b.History = time.Since(time.Date(2026, 2, 1, 0, 0, 1, 0, time.UTC))
	if err := b.DropOrgHistory(ctx, org); err != nil {
		t.Fatal(err)
	}
	if now := parts(); len(now) != was-2 {
		t.Errorf("the log has %v", now)
	}
	usage, err := b.Usage(ctx, org)
	if err != nil || usage.Bytes < 8192 || time.Since(usage.Since) > time.Hour || time.Since(usage.Since) < 0 {
		t.Errorf("%+v, %v", usage, err)
	}
}

// addMonth gives the log a part for a month, or on Citus two entries of the month.
func (b *bundle) addMonth(t *testing.T, month string) {
	t.Helper()
	log := organization.SchemaName(b.actor.Org) + ".change"
	if b.DB.Distributed() {
		first, err := time.Parse("2006_01", month)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []time.Time{first, first.AddDate(0, 1, 0).Add(-time.Microsecond)} {
			b.owner(t, "insert into "+log+" (number, change_set, table_number, kind, credential, records) values ($1, "+
				"$2, 0, 10, '', '{}')", at.UnixMicro(), id.New())
		}
		return
	}
	b.owner(t, `do $$ declare bounds record; begin
		bounds := gate.change_month(to_date('`+month+`', 'YYYY_MM'));
		execute format('create table `+log+"_"+month+` partition of `+log+` for values from (%s) to (%s)',
			bounds.low, bounds.high);
		alter table `+log+"_"+month+` enable row level security;
		alter table `+log+"_"+month+` force row level security;
	end $$`)
}

// While somebody writes, old parts stay, and writers wait no longer than a moment.
func TestOldHistoryWaitsForNobody(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	ctx, org := b.as(t), b.actor.Org
	table := b.table(t, "T")
	log := organization.SchemaName(org) + ".change"
	b.addMonth(t, "2001_02")
	b.owner(t, "update rowhouse.organization set created_at = now() - interval '1 year' where org_id = $1", org)
	err := b.DB.Tx(ctx, org, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select from "+log+" limit 1"); err != nil {
			return err
		}
		dropping := make(chan error)
		go func() { dropping <- b.DropOrgHistory(ctx, org) }()
		b.create(t, table, "meanwhile")
		if err := <-dropping; (err == nil) != b.DB.Distributed() { // readers keep nobody from deleting entries
			t.Errorf("while somebody reads, dropping: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DropOrgHistory(ctx, org); err != nil {
		t.Error(err)
	}
}

func TestAPurgedRecordHasItsEarlierHistory(t *testing.T) {
	t.Parallel()
	b := setupTrash(t)
	table := b.table(t, "Things")
	one := b.create(t, table, "A")[0]
	b.delete(t, table, one)
	if err := b.Purge(b.as(t), b.actor, b.base.ID, []string{one}); err != nil {
		t.Fatal(err)
	}
	page, err := history.OfRecord(t.Context(), b.DB, b.Records, b.actor.Org, one, history.RecordRequest{Limit: 10})
	if err != nil || len(page.Entries) != 2 {
		t.Fatalf("read %d changes, %v", len(page.Entries), err)
	}
	if text := page.AppendJSON(nil); strings.Contains(string(text), `"A"`) {
		t.Errorf("what was purged is told: %s", text)
	}
}
