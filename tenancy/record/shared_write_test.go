package record_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// concurrentWrites are writes of single records that arrive while another one is in progress.
type concurrentWrites struct {
	*bundle
	table uuid.UUID
	ref   db.TableRef
	name  string // of its relation
}

func newConcurrentWrites(t *testing.T, fields ...catalog.FieldSpec) *concurrentWrites {
	t.Helper()
	// Whoever waits for long fails.
	tenantDB, err := db.Open(t.Context(), tenancytest.DatabaseURL(t), db.Options{
		Secrets:          tenancytest.Secrets(),
		StatementTimeout: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tenantDB.Close)
	b := setupOn(t, tenantDB)
	b.engine.NeverOverlapWrites()
	u := b.table(t, "T", fields...)
	s := b.schema(t, u)
	return &concurrentWrites{b, u, s.Ref(), s.Relation()}
}

func (c *concurrentWrites) add(t *testing.T, fields string) (rec, error) {
	t.Helper()
	written, err := c.engine.Create(t.Context(), c.actor, c.table, record.Creation{
		Records: parsed([]string{fields}), Single: true,
	})
	if err != nil {
		return rec{}, err
	}
	return decode(t, written.Records[0]), nil
}

func (c *concurrentWrites) change(t *testing.T, id, fields string) (rec, error) {
	t.Helper()
	raw, err := c.engine.UpdateOne(t.Context(), c.actor, id, jsonvaluetest.ParseObject([]byte(fields)), false)
	if err != nil {
		return rec{}, err
	}
	return decode(t, raw), nil
}

// come runs do(0), which waits for its table, and meanwhile the others, all of which come while it
// is under way. It returns when all are through, and says how many transactions that took.
func (c *concurrentWrites) come(t *testing.T, n int, do func(i int)) (transactions int) {
	t.Helper()
	before := c.transactions(t)
	var all sync.WaitGroup
	c.hold(t, func() { c.gather(t, &all, n, do) })
	all.Wait()
	return c.transactions(t) - before
}

// hold runs fn while nobody can write into the table.
func (c *concurrentWrites) hold(t *testing.T, fn func()) {
	t.Helper()
	err := c.db.Tx(t.Context(), c.actor.Org, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "select pg_advisory_xact_lock(20737, $1)", c.ref.Number); err != nil {
			return err
		}
		fn()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// gather starts the writes of come, while the caller holds the table's schema.
func (c *concurrentWrites) gather(t *testing.T, all *sync.WaitGroup, n int, do func(i int)) {
	t.Helper()
	all.Go(func() { do(0) })
	waiting(t, c.bundle, c.ref.Number, 1)
	for i := 1; i < n; i++ {
		all.Go(func() { do(i) })
	}
	until(t, func() bool { return c.engine.WaitingWrites() == n-1 })
}

// transactions is how many have written into the table.
func (c *concurrentWrites) transactions(t *testing.T) (n int) {
	t.Helper()
	err := c.db.Tx(t.Context(), c.actor.Org, func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), `select coalesce(sum(writes), 0)
			from `+schema.CountRelation(c.actor.Org)+" where table_number = $1", c.ref.Number).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func until(t *testing.T, is func() bool) {
	t.Helper()
	for range 5000 {
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("did not happen within five seconds")
}

func TestWritesOfDifferentPeopleShareATransactionAndKeepTheirAuthors(t *testing.T) {
	t.Parallel()
	const n = 12
	c := newConcurrentWrites(t, field("N", schema.Number), field("By", schema.CreatedBy),
		field("Last", schema.LastModifiedBy))
	authors := []uuid.UUID{c.actor.Person, tenancytest.Person(t, c.db), tenancytest.Person(t, c.db)}
	of := func(i int) (record.Actor, string) {
		person := authors[i%len(authors)]
		return record.Actor{Org: c.actor.Org, Person: person}, id.Format(id.User, person)
	}
	ids := make([]string, n)
	if took := c.come(t, n, func(i int) {
		actor, author := of(i)
		written, err := c.engine.Create(t.Context(), actor, c.table, record.Creation{
			Records: parsed([]string{fmt.Sprintf(`{"N":%d}`, i)}), Single: true,
		})
		if err != nil {
			t.Errorf("creating %d: %v", i, err)
			return
		}
		r := decode(t, written.Records[0])
		if r.Fields["N"] != float64(i) || r.Fields["By"] != author || r.Fields["Last"] != author {
			t.Errorf("creating %d as %s gave %v", i, author, r.Fields)
		}
		ids[i] = r.ID
	}); took != 2 {
		t.Errorf("%d creations took %d transactions", n, took)
	}
	if took := c.come(t, n, func(i int) {
		actor, author := of(i + 1)
		raw, err := c.engine.UpdateOne(t.Context(), actor, ids[i], jsonvaluetest.ParseObject([]byte(`{"N":0}`)), false)
		if err != nil {
			t.Errorf("updating %d: %v", i, err)
			return
		}
		_, creator := of(i)
		if r := decode(t, raw); r.Fields["By"] != creator || r.Fields["Last"] != author {
			t.Errorf("updating %d as %s gave %v", i, author, r.Fields)
		}
	}); took != 2 {
		t.Errorf("%d updates took %d transactions", n, took)
	}
}

func TestSingleWritesThatComeTogetherShareATransaction(t *testing.T) {
	t.Parallel()
	const n = 12
	c := newConcurrentWrites(t, field("Name", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox))
	ids := make([]string, n)
	if took := c.come(t, n, func(i int) {
		r, err := c.add(t, fmt.Sprintf(`{"Name":"r%d","N":%d}`, i, i))
		if err != nil || r.Fields["N"] != float64(i) || r.Fields["Name"] != fmt.Sprintf("r%d", i) ||
			r.Fields["Done"] != false {
			t.Errorf("creating %d gave %v, %v", i, r, err)
		}
		ids[i] = r.ID
	}); took != 2 {
		t.Errorf("%d creations took %d transactions", n, took)
	}
	if took := c.come(t, n, func(i int) {
		r, err := c.change(t, ids[i], fmt.Sprintf(`{"N":%d}`, 100+i))
		if err != nil || r.ID != ids[i] || r.Fields["N"] != float64(100+i) ||
			r.Fields["Name"] != fmt.Sprintf("r%d", i) {
			t.Errorf("changing %d gave %v, %v", i, r, err)
		}
	}); took != 2 {
		t.Errorf("%d changes took %d transactions", n, took)
	}
	page, records := c.list(t, c.table, query.Request{})
	if page.Total != n || len(records) != n {
		t.Errorf("%d records, a total of %d", len(records), page.Total)
	}
	for i, one := range ids {
		raw, err := c.engine.Get(t.Context(), c.actor, one)
		if err != nil || decode(t, raw).Fields["N"] != float64(100+i) {
			t.Errorf("record %d is %s, %v", i, raw, err)
		}
	}
}

func TestAWriteThatIsRefusedIsRefusedAlone(t *testing.T) {
	t.Parallel()
	const n = 8
	c := newConcurrentWrites(t, field("Name", schema.Text, `{"unique":true}`), field("N", schema.Number))
	if _, err := c.add(t, `{"Name":"taken"}`); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var twins int
	c.come(t, n, func(i int) {
		name := fmt.Sprintf("r%d", i)
		switch i {
		case 2:
			name = "taken"
		case 3, 4:
			name = "twin"
		}
		r, err := c.add(t, `{"Name":"`+name+`"}`)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case name == "twin" && err == nil:
			twins++
		case name == "taken" || name == "twin":
			if problem.KindOf(err) != problem.KindConflict || !strings.Contains(err.Error(), `"Name"`) {
				t.Errorf("a value that is there already gave %v, %v", r, err)
			}
		case err != nil || r.Fields["Name"] != name:
			t.Errorf("creating %s gave %v, %v", name, r, err)
		}
	})
	page, records := c.list(t, c.table, query.Request{})
	// This is with the one before, without a second one of it and of the twins.
	if twins != 1 || page.Total != n-1 || len(records) != n-1 {
		t.Errorf("%d of two twins, %d records, a total of %d", twins, len(records), page.Total)
	}
	gone := records[n-2]
	if _, err := c.engine.DeleteOne(t.Context(), c.actor, gone.ID); err != nil {
		t.Fatal(err)
	}
	c.come(t, n-1, func(i int) {
		r, err := c.change(t, records[i].ID, fmt.Sprintf(`{"N":%d}`, i))
		if records[i].ID == gone.ID {
			if problem.KindOf(err) != problem.KindNotFound {
				t.Errorf("changing a record that is gone gave %v, %v", r, err)
			}
		} else if err != nil || r.ID != records[i].ID || r.Fields["N"] != float64(i) {
			t.Errorf("changing %d gave %v, %v", i, r, err)
		}
	})
}

func TestWritesThatWaitedForAChangeTogetherAreWrittenForWhatCameOfIt(t *testing.T) {
	t.Parallel()
	const n = 8
	c := newConcurrentWrites(t, field("Name", schema.Text), field("Note", schema.Text))
	note := c.schema(t, c.table).FieldByName("Note").ID
	var all sync.WaitGroup
	former, next := "Note", "Remark"
	err := catalog.NewStore(c.db, catalog.Options{}).Change(t.Context(), c.actor.Org, func(s *catalog.Change) error {
		f := s.Snapshot.Field(note)
		if err := s.LockTable(t.Context(), f.Table); err != nil {
			return err
		}
		c.gather(t, &all, n, func(i int) {
			r, err := c.add(t, fmt.Sprintf(`{"Name":"r%d"}`, i))
			if _, there := r.Fields[next]; err != nil || !there || r.Fields["Name"] != fmt.Sprintf("r%d", i) {
				t.Errorf("creating %d gave %v, %v", i, r, err)
			}
			r, err = c.add(t, `{"`+former+`":"x"}`)
			if problem.KindOf(err) != problem.KindInvalid {
				t.Errorf("a field as it was called before gave %v, %v", r, err)
			}
		})
		s.SetAuditEvent(audit.Event{Action: "update_field", Subject: "x"})
		return s.PatchField(t.Context(), f, catalog.FieldPatch{Name: &next})
	})
	if err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if page, _ := c.list(t, c.table, query.Request{}); page.Total != n {
		t.Errorf("%d records of %d", page.Total, n)
	}
}

func TestALargeRecordIsWrittenByItself(t *testing.T) {
	t.Parallel()
	c := newConcurrentWrites(t, field("Name", schema.Text), field("Note", schema.LongText))
	var all sync.WaitGroup
	add := func(fields string) {
		if _, err := c.add(t, fields); err != nil {
			t.Error(err)
		}
	}
	before := c.transactions(t)
	c.hold(t, func() {
		c.gather(t, &all, 4, func(int) { add(`{"Note":"small"}`) })
		all.Go(func() { add(`{"Note":"` + strings.Repeat("x", 70_000) + `"}`) })
		waiting(t, c.bundle, c.ref.Number, 2) // the first, and the large one, which is not in line
	})
	all.Wait()
	if took := c.transactions(t) - before; took != 3 {
		t.Errorf("it took %d transactions", took)
	}
}

func TestChangesOfOneRecordAreAllMadeOneAfterAnother(t *testing.T) {
	t.Parallel()
	const n = 6
	c := newConcurrentWrites(t, field("Name", schema.Text), field("N", schema.Number))
	row, err := c.add(t, `{"Name":"a","N":-1}`)
	if err != nil {
		t.Fatal(err)
	}
	if took := c.come(t, n, func(i int) {
		if r, err := c.change(t, row.ID, fmt.Sprintf(`{"N":%d}`, i)); err != nil || r.Fields["N"] != float64(i) {
			t.Errorf("change %d gave %v, %v", i, r, err)
		}
	}); took != n {
		t.Errorf("%d changes took %d transactions", n, took)
	}
}

// Whoever holds a row keeps those from their writes that want it, and nobody who came with them.
func TestALockedRowDelaysNobodyElse(t *testing.T) {
	t.Parallel()
	const n = 8
	c := newConcurrentWrites(t, field("Name", schema.Text), field("N", schema.Number))
	records := make([]rec, n)
	for i := range records {
		records[i], _ = c.add(t, `{"N":-1}`)
	}
	_, locked, err := id.ParseRecord(records[n-1].ID)
	if err != nil {
		t.Fatal(err)
	}
	var others, last sync.WaitGroup
	others.Add(n - 1)
	err = c.db.Tx(t.Context(), c.actor.Org, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "select from "+c.name+" where id = $1 for update", locked); err != nil {
			return err
		}
		last.Go(func() {
			c.come(t, n, func(i int) {
				if i < n-1 {
					defer others.Done()
				}
				if r, err := c.change(t, records[i].ID, fmt.Sprintf(`{"N":%d}`, i)); err != nil ||
					r.Fields["N"] != float64(i) {
					t.Errorf("change %d gave %v, %v", i, r, err)
				}
			})
		})
		others.Wait() // until the database ends this transaction, if the lock delayed them
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	last.Wait()
}

// Others who write into the table hold its counts until they have committed.
func TestLockedCountsDoNotSplitASharedTransaction(t *testing.T) {
	t.Parallel()
	const n = 6
	c := newConcurrentWrites(t, field("Name", schema.Text))
	err := c.db.Tx(t.Context(), c.actor.Org, func(tx pgx.Tx) error { // for each connection, so that all are locked
		_, err := tx.Exec(t.Context(),
			"insert into "+schema.CountRelation(c.actor.Org)+` (table_number, slot, records, writes)
			select $1, slot, 0, 0 from generate_series(0, 31) slot returning slot`, c.ref.Number)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	first, leave := context.WithCancel(t.Context())
	defer leave()
	before := c.transactions(t)
	err = c.db.Tx(t.Context(), c.actor.Org, func(counts pgx.Tx) error {
		if _, err := counts.Exec(
			t.Context(), "select from "+schema.CountRelation(c.actor.Org)+" where table_number = $1 for update",
			c.ref.Number,
		); err != nil {
			return err
		}
		c.hold(t, func() {
			c.gather(t, &all, n, func(i int) {
				ctx := t.Context()
				if i == 0 {
					ctx = first
				}
				_, err := c.engine.Create(ctx, c.actor, c.table, record.Creation{
					Records: parsed([]string{`{"Name":"x"}`}), Single: true,
				})
				if err != nil && i > 0 {
					t.Error(err)
				}
			})
		})
		leave() // the others go
		until(t, func() bool { return c.engine.WaitingWrites() == 0 })
		time.Sleep(100 * time.Millisecond) // longer than they wait for a row
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if took := c.transactions(t) - before; took > 2 {
		t.Errorf("%d creations took %d transactions", n, took)
	}
}

func TestARequestThatMustNotBeDoneTwiceIsDoneByItself(t *testing.T) {
	t.Parallel()
	c := newConcurrentWrites(t, field("Name", schema.Text))
	overtaken := db.WithActor(t.Context(), db.Actor{Person: c.actor.Person, Attempt: uuid.New()})
	c.come(t, 4, func(i int) {
		if _, err := c.add(t, fmt.Sprintf(`{"Name":"r%d"}`, i)); err != nil {
			t.Error(err)
		}
		if i == 2 {
			_, err := c.engine.Create(overtaken, c.actor, c.table, record.Creation{
				Records: parsed([]string{`{"Name":"x"}`}), Single: true,
			})
			if problem.KindOf(err) != problem.KindConflict {
				t.Errorf("a request that another run has taken over gave %v", err)
			}
		}
	})
	if page, _ := c.list(t, c.table, query.Request{}); page.Total != 4 {
		t.Errorf("%d records", page.Total)
	}
}
