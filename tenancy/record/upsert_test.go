package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestUpsertUpdatesWhatMatchesAndInsertsTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "U", field("Code", schema.Text), field("Year", schema.Number),
		field("Name", schema.Text, `{"default":"new"}`), field("On", schema.Checkbox))
	made := b.create(t, u, `{"Code":"a","Year":1,"Name":"one"}`, `{"Code":"a","Year":2,"Name":"two","On":true}`,
		`{"Code":"b","Year":1}`, `{"Code":"b","Year":1}`)
	upsert := func(on []string, objects ...string) (record.Written, error) {
		return b.engine.Create(t.Context(), b.actor, u, record.Creation{Records: parsed(objects), UpsertOn: on})
	}
	written, err := upsert([]string{"Code", "Year"}, `{"Code":"new","Year":1}`, `{"Code":"a","Year":2,"Name":"TWO"}`,
		`{"Code":"other","Year":2}`, `{"Code":"a","Year":1,"On":true}`)
	if err != nil {
		t.Fatal(err)
	}
	got := decodeAll(t, written.Records)
	if diff := cmp.Diff([]any{"new", "TWO", "new", "one"}, column(got, "Name")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{false, true, false, true}, column(got, "On")); diff != "" {
		t.Error(diff)
	}
	want := &record.Upserted{Created: []string{got[0].ID, got[2].ID}, Updated: []string{made[1].ID, made[0].ID}}
	if diff := cmp.Diff(want, written.Upsert); diff != "" {
		t.Error(diff)
	}
	if page, _ := b.list(t, u, query.Request{}); page.Total != 6 {
		t.Errorf("total %d, want 6", page.Total)
	}
	_, err = upsert([]string{"Code", "Year"}, `{"Code":"c","Year":1}`, `{"Code":"b","Year":1}`)
	wantItem(t, err, problem.KindInvalid, "records[1].fields", made[2].ID, made[3].ID)
	// A repetition of what matches nothing would create it each time.
	for _, blank := range []string{`{"Name":"n"}`, `{"Code":"a"}`, `{"Code":"a","Year":null}`, `{"Code":"","Year":1}`} {
		_, err = upsert([]string{"Code", "Year"}, `{"Code":"c","Year":1}`, blank)
		wantItem(t, err, problem.KindInvalid, "", "is empty, and upsertOn names it")
		if path := itemsOf(err)[0].Path; !strings.HasPrefix(path, "records[1].fields.") {
			t.Errorf("%s is refused at %s", blank, path)
		}
	}
	_, err = upsert([]string{"Code"}, `{"Code":"c"}`, `{"Code":"d"}`, `{"Code":"c"}`)
	wantItem(t, err, problem.KindInvalid, "records[2].fields", "records[0]")
	_, err = upsert([]string{}, `{"Code":"c"}`)
	wantItem(t, err, problem.KindInvalid, "upsertOn", "1 to 3")
	_, err = upsert([]string{"Codee"}, `{"Code":"c"}`)
	wantItem(t, err, problem.KindInvalid, "upsertOn[0]", `did you mean "Code"?`)
	_, err = upsert([]string{"On"}, `{"On":true}`)
	wantItem(t, err, problem.KindInvalid, "upsertOn[0]", "checkbox")
	if page, _ := b.list(t, u, query.Request{}); page.Total != 6 {
		t.Errorf("total %d, want 6", page.Total)
	}
}

// The locks of all transactions of a server have some thousand places. An upsert of many keys takes a few hundred.
func TestAnUpsertOfManyKeysTakesFewLocks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if b.db.Distributed() {
		t.Skip("on Citus it waits on the node of the shard")
	}
	u := b.table(t, "U", field("Code", schema.Text), field("N", schema.Number))
	b.create(t, u, `{"Code":"k0"}`)
	text := "Code,N\n"
	for i := range 3000 {
		text += fmt.Sprintf("k%d,%d\n", i, i)
	}
	done, admin, granted := make(chan error, 1), tenancytest.Admin(t), 0
	ref := b.schema(t, u).Ref()
	err := b.db.TableTx(t.Context(), b.actor.Org, ref, func(tx pgx.Tx) error {
		// The upsert waits for this record, when it holds all of its locks.
		if _, err := tx.Exec(t.Context(), "select id from "+b.schema(t, u).Relation()+" for update"); err != nil {
			return err
		}
		var pid int
		if err := tx.QueryRow(t.Context(), "select pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		go func() {
			_, err := b.engine.Import(t.Context(), b.actor, u, record.Import{CSV: text, UpsertOn: []string{"Code"}})
			done <- err
		}()
		// It may begin to wait while the locks are being listed, so that two lists have to agree.
		before := -1
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline) &&
			(granted == 0 || granted != before); {
			before = granted
			err := admin.QueryRow(t.Context(), `select coalesce(max(held), 0)
				from (select count(*) as held from pg_locks l where l.locktype = 'advisory' and l.granted
					and $1 = any (pg_blocking_pids(l.pid))
				group by l.pid) h`, pid).Scan(&granted)
			if err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if granted < 100 || granted > 300 {
		t.Errorf("the upsert held %d locks", granted)
	}
	if page, _ := b.list(t, u, query.Request{Limit: 1}); page.Total != 3000 {
		t.Errorf("there are %d records", page.Total)
	}
	// Its event is small.
	events, err := audit.List(t.Context(), b.db, b.actor.Org, audit.Filter{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(events[0].Detail); got != `{"count": 3000, "created": 2999, "updated": 1}` {
		t.Errorf("the event says %.200s", got)
	}
}

func TestWritersUpsertingTheSameKeysMakeNoDuplicates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "U", field("Code", schema.Text), field("Year", schema.Number), field("By", schema.Number))
	var wg sync.WaitGroup
	for writer := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(writer), 7))
			for range 12 {
				var objects []string
				for _, key := range rng.Perm(30)[:15] {
					objects = append(objects, fmt.Sprintf(`{"Code":"k%d","Year":%d,"By":%d}`, key, key%2, writer))
				}
				on := []string{"Code", "Year"}
				if rng.IntN(2) == 0 {
					slices.Reverse(on)
				}
				if _, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
					Records:  parsed(objects),
					UpsertOn: on,
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	page, records := b.list(t, u, query.Request{})
	codes := map[any]bool{}
	for _, code := range column(records, "Code") {
		if codes[code] {
			t.Errorf("%v is there twice", code)
		}
		codes[code] = true
	}
	if page.Total != 30 || len(codes) != 30 {
		t.Errorf("total %d, %d codes; want 30", page.Total, len(codes))
	}
}
