//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// testDeadlock runs 20 writers that update the same 100 records concurrently, each request in an
// order of its own. Every request must succeed without a deadlock.
func (e *environment) testDeadlock(t *testing.T) {
	p := e.start(t)
	n := e.tenant(t, p)
	const writers, rounds, many = 20, 50, 100
	path := "/api/v1/tables/" + n.table + "/records"
	ids := e.records(t, p, n, many)
	before := e.deadlocks(t)
	var done, failed atomic.Int64
	var all sync.WaitGroup
	until := time.Now().Add(3 * time.Minute)
	began := time.Now()
	for w := range writers {
		all.Go(func() {
			for round := range rounds {
				if time.Now().After(until) {
					t.Errorf("writer %d is at round %d after 3 minutes", w, round)
					return
				}
				changes := make([]string, 0, many)
				for _, at := range rand.Perm(many) {
					changes = append(changes,
						fmt.Sprintf(`{"id":%q,"fields":{"Batch":"%d","Number":%d}}`, ids[at], w, round))
				}
				status, raw, err := e.request(p, http.MethodPatch, path, n.key,
					`{"records":[`+strings.Join(changes, ",")+`]}`)
				if err != nil || status != http.StatusOK {
					failed.Add(1)
					t.Errorf("writer %d, round %d: %d %.300s %v", w, round, status, raw, err)
					continue
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	time.Sleep(2 * time.Second) // sessions of PostgreSQL publish their counts when idle
	deadlocks := e.deadlocks(t) - before
	if deadlocks > 0 {
		t.Errorf("%d deadlocks", deadlocks)
	}
	report(t, "Deadlocks", "%d writers changed the same %d records %d times in random orders in %.1f s; "+
		"%d requests failed, %d deadlocks (wanted: none of either)",
		writers, many, done.Load(), took.Seconds(), failed.Load(), deadlocks)
}

// records creates records and returns their ids.
func (e *environment) records(t *testing.T, p *process, n *tenant, many int) []string {
	t.Helper()
	records := make([]string, many)
	for i := range records {
		records[i] = fmt.Sprintf(`{"fields":{"Name":"%d"}}`, i)
	}
	status, raw, err := e.request(p, http.MethodPost, "/api/v1/tables/"+n.table+"/records", n.key,
		`{"records":[`+strings.Join(records, ",")+`]}`)
	var made struct{ Records []struct{ ID string } }
	if err != nil || status != http.StatusOK || json.Unmarshal(raw, &made) != nil || len(made.Records) != many {
		t.Fatalf("%d %.300s %v", status, raw, err)
	}
	ids := make([]string, many)
	for i := range ids {
		ids[i] = made.Records[i].ID
	}
	return ids
}

// deadlocks returns how many deadlocks PostgreSQL has counted.
func (e *environment) deadlocks(t *testing.T) int64 {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), e.admin)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var count int64
	if err := conn.QueryRow(
		context.Background(), "select coalesce(sum(deadlocks), 0)::bigint from pg_stat_database",
	).Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}
