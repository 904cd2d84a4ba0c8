package record_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// changes reads the change sets of the base in pages of a size. between is called after each page.
func (b *bundle) changes(t *testing.T, in history.BaseRequest, between func()) []history.ChangeSet {
	t.Helper()
	snapshot, err := b.store.Fresh(t.Context(), b.actor.Org)
	if err != nil {
		t.Fatal(err)
	}
	var sets []history.ChangeSet
	for {
		page, err := history.OfBase(t.Context(), b.db, snapshot, b.base, in)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Sets) > in.Limit || page.Cursor != "" && len(page.Sets) < in.Limit {
			t.Fatalf("a page of %d has %d change sets", in.Limit, len(page.Sets))
		}
		sets = append(sets, page.Sets...)
		if in.Cursor = page.Cursor; in.Cursor == "" {
			return sets
		}
		between()
	}
}

// expected are the change sets of a log that a request is to list.
func expected(log []logged, tables map[int32]*schema.Table, in history.BaseRequest) []history.ChangeSet {
	type key struct {
		set   uuid.UUID
		table int32
		kind  changelog.Kind
	}
	records, sets, latest := map[key]map[uuid.UUID]bool{}, map[uuid.UUID]*history.ChangeSet{}, map[uuid.UUID]int64{}
	for _, e := range log {
		table := tables[e.Table]
		if table == nil || e.Kind > changelog.Restored {
			continue
		}
		k := key{e.Set, e.Table, e.Kind}
		if records[k] == nil {
			records[k] = map[uuid.UUID]bool{}
		}
		for _, u := range e.Records {
			records[k][u] = true
		}
		s := sets[e.Set]
		at := changelog.TimeOf(e.Number)
		if s == nil {
			s = &history.ChangeSet{ID: e.Set, First: at, Person: e.Person, Credential: e.Credential}
			sets[e.Set] = s
		}
		s.Last = at
		if (in.Table == uuid.Nil || in.Table == table.ID) &&
			(in.Person == uuid.Nil || e.Person != nil && *e.Person == in.Person) &&
			(in.Credential == "" || in.Credential == e.Credential) &&
			!at.Before(in.Since) && (in.Until.IsZero() || at.Before(in.Until)) {
			latest[e.Set] = e.Number
		}
	}
	for k, all := range records {
		s := sets[k.set]
		i := slices.IndexFunc(s.Tables, func(t history.TableChanges) bool { return t.Table.Number == k.table })
		if i < 0 {
			i = len(s.Tables)
			s.Tables = append(s.Tables, history.TableChanges{Table: tables[k.table]})
		}
		c, n := &s.Tables[i], int64(len(all))
		*map[changelog.Kind]*int64{
			changelog.Created: &c.Created, changelog.Updated: &c.Updated, changelog.Deleted: &c.Deleted,
			changelog.Linked: &c.Linked, changelog.Restored: &c.Restored,
		}[k.kind] = n
	}
	var out []history.ChangeSet
	for set := range latest {
		slices.SortFunc(sets[set].Tables, func(a, b history.TableChanges) int {
			return int(a.Table.Position - b.Table.Position)
		})
		out = append(out, *sets[set])
	}
	slices.SortFunc(out, func(a, b history.ChangeSet) int {
		if x, y := latest[a.ID], latest[b.ID]; x != y {
			return int(y - x)
		}
		return -slices.Compare(a.ID[:], b.ID[:])
	})
	return out
}

// Requests of a few change sets do random writes, and somebody else writes while the pages are read.
func TestTheChangesOfABaseAreThoseOfItsLog(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		b := setup(t)
		w := &pastWorld{
			bundle: b, t: t, random: rand.New(rand.NewPCG(seed, 1)),
			tables: pastTables(t, b), past: map[string][]past{}, gone: map[string]bool{},
		}
		shown := map[int32]*schema.Table{}
		for _, table := range w.tables {
			shown[table.Number] = table
		}
		home := b.base
		other, err := b.store.CreateBase(t.Context(), b.actor.Org, uuid.Nil, "Other")
		if err != nil {
			t.Fatal(err)
		}
		b.base = other.ID
		elsewhere := b.table(t, "Elsewhere", field("N", schema.Number))
		b.base = home
		var actors []db.Actor
		for i := range 12 {
			person := b.actor.Person
			if i%3 == 0 {
				person = tenancytest.Person(t, b.db)
			}
			actors = append(actors, db.Actor{
				Person: person, Credential: []string{"key_a", "ses_b"}[i%2], ChangeSet: id.New(), Request: "r",
			})
		}
		step := func() {
			w.acting = actors[w.random.IntN(len(actors))]
			does := w.step()
			if w.random.IntN(4) == 0 {
				b.create(t, elsewhere, `{"N":1}`)
			}
			w.acting = db.Actor{}
			w.remember(does)
		}
		for range 50 {
			step()
		}
		log := b.log(t)
		middle := changelog.TimeOf(log[len(log)/2].Number)
		for _, in := range []history.BaseRequest{
			{},
			{Table: w.tables[1].ID},
			{Person: b.actor.Person},
			{Credential: "ses_b"},
			{Since: middle},
			{Until: middle},
			{Person: uuid.New()},
			{Since: middle, Table: w.tables[2].ID, Credential: "key_a"},
		} {
			log := b.log(t)
			in.Limit = 1 + w.random.IntN(5)
			// The tables were made by change sets of their own, of which package history has tests.
			got := b.changes(t, in, step)
			got = slices.DeleteFunc(got, func(s history.ChangeSet) bool { return s.ObjectCount > 0 })
			want := expected(log, shown, in)
			same := cmp.Comparer(func(a, b *schema.Table) bool { return a.ID == b.ID })
			ignore := cmpopts.IgnoreFields(history.ChangeSet{}, "PersonName")
			if diff := cmp.Diff(want, got, same, ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%+v: %s", in, diff)
			}
		}
	}
}

func TestAChangeSetSaysItsNameAndItsPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("N", schema.Number))
	actor := db.Actor{Person: b.actor.Person, Credential: "key_a", ChangeSet: id.New()}
	_, err := b.engine.Create(db.WithActor(t.Context(), actor), b.actor, u,
		record.Creation{Records: parsed([]string{`{"N":1}`})})
	if err != nil {
		t.Fatal(err)
	}
	err = b.db.Batch(t.Context(), b.actor.Org, func(batch *pgx.Batch) {
		batch.Queue("insert into rowhouse.change_set (org_id, id, person_id, credential, name) "+
			"values ($1, $2, $3, $4, $5)",
			b.actor.Org, actor.ChangeSet, actor.Person, actor.Credential, "Import")
	})
	if err != nil {
		t.Fatal(err)
	}
	sets := b.changes(t, history.BaseRequest{Limit: 5}, func() {})
	if len(sets) == 0 || sets[0].Name == nil || *sets[0].Name != "Import" || sets[0].PersonName == nil ||
		*sets[0].PersonName != "Test Person" || time.Since(sets[0].Last).Abs() > time.Minute {
		t.Errorf("%+v", sets)
	}
}
