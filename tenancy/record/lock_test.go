package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// deadlocks counts the statements that PostgreSQL ended because of one.
func (e *ear) deadlocks() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, s := range e.sent {
		if pgerror.Is(s.Err, pgerrcode.DeadlockDetected) {
			n++
		}
	}
	return n
}

// Eight writers of the same records: each changes all of them, links them, or upserts them, in an
// order of its own. Some delete others that are linked to, which takes the same locks.
func TestWritersOfTheSameRecordsDoNotDeadlock(t *testing.T) {
	t.Parallel()
	e := &ear{}
	database, err := db.Open(t.Context(), tenancytest.DatabaseURL(t),
		db.Options{Secrets: tenancytest.Secrets(), MaxConns: 10, Tracer: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	b := setupOn(t, database)
	targets := b.table(t, "Target", field("Name", schema.Text))
	u := b.table(t, "Same", field("Name", schema.Text), field("N", schema.Number))
	to := field("To", schema.LinkType, `{"linkedTableId":"`+b.schema(t, targets).PublicID()+`"}`)
	if _, err := b.store.CreateField(t.Context(), b.actor.Org, u, to); err != nil {
		t.Fatal(err)
	}
	const many, writers, rounds = 40, 8, 12
	inputs := make([]string, many)
	for i := range inputs {
		inputs[i] = fmt.Sprintf(`{"Name":"r%d"}`, i)
	}
	recs, linked := b.create(t, u, inputs...), b.create(t, targets, inputs...)
	doomed := make([][]rec, rounds)
	for i := range doomed {
		doomed[i] = b.create(t, u, inputs...)
	}
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(w)))
			for round := range rounds {
				order := random.Perm(many)
				if w%2 == 0 {
					slices.Sort(order) // several of them in the same order
				}
				var err error
				switch w {
				case 0, 1, 2, 3: // changes, two of them with links
					changes := make([]record.Change, many)
					for i, at := range order {
						fields := fmt.Sprintf(`{"N":%d}`, round)
						if w > 1 {
							to, _ := json.Marshal([]string{linked[order[(i+1)%many]].ID, linked[at].ID})
							fields = fmt.Sprintf(`{"N":%d,"To":%s}`, round, to)
						}
						changes[i] = record.Change{ID: recs[at].ID, Fields: jsonvaluetest.ParseObject([]byte(fields))}
					}
					_, err = b.engine.Update(t.Context(), b.actor, u, changes, false)
				case 4, 5:
					objects := make([]string, many)
					for i, at := range order {
						objects[i] = fmt.Sprintf(`{"Name":"r%d"}`, at)
					}
					_, err = b.engine.Create(t.Context(), b.actor, targets, record.Creation{
						Records: parsed(objects), UpsertOn: []string{"Name"},
					})
				default: // two delete the same ones, of whom one comes too late
					ids := make([]string, many)
					for i, at := range order {
						ids[i] = doomed[round][at].ID
					}
					if _, err = b.engine.Delete(
						t.Context(), b.actor, u, ids,
					); problem.KindOf(err) == problem.KindNotFound {
						err = nil
					}
				}
				if err != nil {
					t.Errorf("writer %d, round %d: %v", w, round, err)
				}
			}
		})
	}
	all.Wait()
	if n := e.deadlocks(); n > 0 {
		t.Errorf("%d deadlocks", n)
	}
}

// Two transactions that insert the same unique values in opposite orders wait for each other,
// whatever is locked first. One of them is run again, and then finds that the values are taken.
func TestADeadlockIsRetriedBeforeItIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "Unique", field("Name", schema.Text), field("Code", schema.Text, `{"unique":true}`))
	for round := range 5 {
		var all sync.WaitGroup
		errs := make([]error, 4)
		for w := range errs {
			all.Go(func() {
				objects := make([]string, record.MaxBatch)
				for i := range objects {
					objects[i] = fmt.Sprintf(`{"Code":"%d-%d"}`, round, i)
				}
				if w%2 == 1 {
					slices.Reverse(objects)
				}
				_, errs[w] = b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: parsed(objects)})
			})
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			switch {
			case err == nil:
				made++
			case codeOf(err) != "not_unique":
				t.Errorf("round %d: %v", round, err)
			}
		}
		if made != 1 {
			t.Errorf("round %d: %d of the writers made the records", round, made)
		}
	}
}

// What PostgreSQL ends because of a deadlock is a conflict that passes, and not an outage.
func TestADeadlockIsAConflict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "do $$ begin raise sqlstate '40P01' using message = 'deadlock detected'; end $$")
		return err
	})
	if problem.KindOf(err) != problem.KindConflict || codeOf(err) != "write_conflict" {
		t.Errorf("%v", err)
	}
}

func codeOf(err error) string {
	var e *problem.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
