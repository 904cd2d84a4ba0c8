package changelog_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func (w *world) join(t *testing.T, person uuid.UUID, credential, set string) (uuid.UUID, error) {
	t.Helper()
	return changelog.Join(t.Context(), w.db, changelog.Joiner{
		Org: w.org, Person: person, Credential: credential, Set: set,
	})
}

func (w *world) joined(t *testing.T, person uuid.UUID, credential, set string) uuid.UUID {
	t.Helper()
	u, err := w.join(t, person, credential, set)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// log appends an entry of some records.
func (w *world) log(t *testing.T, set uuid.UUID, person *uuid.UUID, kind changelog.Kind, records int) {
	t.Helper()
	err := w.db.TableTx(t.Context(), w.org, w.table.Ref(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "insert into "+changelog.Relation(w.org)+" (number, change_set, person, "+
			"table_number, kind, credential, records) select "+db.ChangeNumber+", $1, $2, $3, $4, '', "+
			"array_agg(gen_random_uuid()) from generate_series(1, $5) returning number",
			set, person, w.table.Number, kind, records)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func wantProblem(t *testing.T, err error, kind problem.Kind, words string) {
	t.Helper()
	if problem.KindOf(err) != kind || err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, and not a problem of kind %s with %q", err, kind, words)
	}
}

func TestANameStandsForAChangeSetOfItsCredential(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	person := id.New()
	first := w.joined(t, person, "key_a", "Import")
	if again := w.joined(t, person, "key_a", "Import"); again != first {
		t.Error("the same name is another change set")
	}
	for _, other := range []struct{ credential, name string }{{"key_b", "Import"}, {"key_a", "import"}} {
		if w.joined(t, person, other.credential, other.name) == first {
			t.Errorf("%s of %s is the same change set", other.name, other.credential)
		}
	}
	foreign := newWorld(t)
	if foreign.joined(t, person, "key_a", "Import") == first {
		t.Error("another organization has the same change set")
	}
	if _, err := foreign.join(t, person, "key_a", id.Format(id.ChangeSet, first)); err == nil {
		t.Error("another organization joined the change set by its id")
	}
	w.log(t, first, &person, changelog.Linked, 100_000)
	w.log(t, first, &person, changelog.Updated, 99_999)
	if again := w.joined(t, person, "key_a", "Import"); again != first {
		t.Error("a change set with 99,999 records is full")
	}
	w.log(t, first, &person, changelog.Created, 1)
	full := w.joined(t, person, "key_a", "Import")
	if full == first {
		t.Error("a change set takes more than 100,000 records")
	}
	_, err := w.join(t, person, "key_a", id.Format(id.ChangeSet, first))
	wantProblem(t, err, problem.KindConflict, "100000 changed records")
	w.age(t, full)
	if w.joined(t, person, "key_a", "Import") == full {
		t.Error("a change set takes requests after an hour")
	}
}

// age makes a change set an hour older.
func (w *world) age(t *testing.T, set uuid.UUID) {
	t.Helper()
	if _, err := tenancytest.Admin(t).Exec(t.Context(), "update rowhouse.change_set set created_at = created_at - "+
		"interval '1 hour' where id = $1", set); err != nil {
		t.Fatal(err)
	}
}

func TestAnIDStandsForAChangeSetOfItsPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	me, other := id.New(), id.New()
	public := func(u uuid.UUID) string { return id.Format(id.ChangeSet, u) }
	named := w.joined(t, me, "key_a", "Import")
	if got := w.joined(t, me, "ses_b", public(named)); got != named {
		t.Error("a person's other credential did not join by the id")
	}
	request := id.New() // the change set of a request that joined none
	w.log(t, request, &me, changelog.Created, 1)
	if got := w.joined(t, me, "key_a", public(request)); got != request {
		t.Error("a person did not join the change set of a request")
	}
	for _, set := range []uuid.UUID{named, request} {
		_, err := w.join(t, other, "key_a", public(set))
		wantProblem(t, err, problem.KindInvalid, "that you began")
	}
	for _, unknown := range []string{public(id.New()), "chs_x", "chs_"} {
		_, err := w.join(t, me, "key_a", unknown)
		wantProblem(t, err, problem.KindInvalid, "that you began")
	}
	old := id.New()
	millis := time.Now().Add(-61 * time.Minute).UnixMilli()
	for i := range 6 {
		old[i] = byte(millis >> (8 * (5 - i)))
	}
	w.log(t, old, &me, changelog.Created, 1)
	_, err := w.join(t, me, "key_a", public(old))
	wantProblem(t, err, problem.KindConflict, "more than an hour ago")
	for _, name := range []string{"", " x", "a\nb", strings.Repeat("x", 101), "\xff"} {
		_, err := w.join(t, me, "key_a", name)
		wantProblem(t, err, problem.KindInvalid, "")
	}
}

func TestRequestsAtOnceJoinOneChangeSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	person := id.New()
	var all sync.WaitGroup
	sets := make([]uuid.UUID, 12)
	for i := range sets {
		all.Go(func() {
			var err error
			if sets[i], err = w.join(t, person, "key_a", "Import"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, set := range sets {
		if set != sets[0] {
			t.Fatalf("requests joined %v", sets)
		}
	}
}

// An organization has no log before its first table.
func TestAChangeSetMayBeginBeforeTheLog(t *testing.T) {
	t.Parallel()
	w := &world{db: tenancytest.DB(t)}
	w.org, _ = tenancytest.Org(t, w.db)
	person := id.New()
	set := w.joined(t, person, "key_a", "Set-up")
	if again := w.joined(t, person, "key_a", id.Format(id.ChangeSet, set)); again != set {
		t.Error("the change set was not joined by its id")
	}
}
