//go:build scale

// Package scale drills a database of several nodes: `make scale CITUS=<folder>`.
package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const organizations = 6

// A writer writes numbered records to a table of its own organization, one after the other.
type writer struct {
	engine *record.Engine
	actor  record.Actor
	table  uuid.UUID

	acknowledged []int // by the service
	failed       atomic.Int64
	written      atomic.Int64
	slowest      atomic.Int64 // in nanoseconds
}

func (w *writer) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		began := time.Now()
		_, err := w.engine.Create(context.WithoutCancel(ctx), w.actor, w.table, record.Creation{
			Records: []jsonvalue.ParsedObject{jsonvaluetest.ParseObject(fmt.Appendf(nil, `{"Name":"record %d"}`, n))},
		})
		if err != nil {
			w.failed.Add(1)
		} else {
			w.acknowledged = append(w.acknowledged, n)
			w.written.Add(1)
		}
		w.slowest.Store(max(w.slowest.Load(), int64(time.Since(began))))
		time.Sleep(2 * time.Millisecond)
	}
}

// names reads the names of all records.
func (w *writer) names(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for cursor := ""; ; {
		page, err := w.engine.List(t.Context(), w.actor, w.table, query.Request{Limit: 100, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			_, rest, _ := strings.Cut(string(r), `"Name":"`)
			name, _, _ := strings.Cut(rest, `"`)
			found[name] = true
		}
		if cursor = page.Cursor; !page.HasMore {
			return found
		}
	}
}

type drill struct {
	services *local.Services
	database *db.DB
	admin    *pgx.Conn
	writers  []*writer
}

func begin(t *testing.T) *drill {
	t.Helper()
	citus := os.Getenv("CITUS")
	if citus == "" {
		t.Fatal("CITUS is not set: run `make scale CITUS=<folder of a PostgreSQL with Citus>`")
	}
	dir, err := filepath.Abs(filepath.Join("..", "..", ".rowhouse", "scale"))
	if err != nil {
		t.Fatal(err)
	}
	services, err := local.Start(t.Context(), dir, local.Options{Citus: citus})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := services.Stop(context.Background()); err != nil {
			t.Log(err)
		}
	})
	t.Setenv("TEST_ADMIN_DATABASE_URL", services.AdminURL)
	t.Setenv("TEST_REDIS_URL", services.RedisURL)
	address := tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), address, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	d := &drill{services: services, database: database}
	if d.admin, err = pgx.Connect(t.Context(), tenancytest.AdminURLOf(t, address)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.admin.Close(context.Background()) })
	store := catalog.NewStore(database, catalog.Options{})
	for range organizations {
		w := &writer{engine: record.New(database, store)}
		w.actor.Org, w.actor.Person = tenancytest.Org(t, database)
		base, err := store.CreateBase(t.Context(), w.actor.Org, uuid.Nil, "Base")
		if err != nil {
			t.Fatal(err)
		}
		table, err := store.CreateTable(t.Context(), w.actor.Org, base.ID, "Table",
			[]catalog.FieldSpec{{Name: "Name", Type: schema.Text}})
		if err != nil {
			t.Fatal(err)
		}
		w.table = table.ID
		d.writers = append(d.writers, w)
	}
	return d
}

// node returns the port of the worker that has an organization.
func (d *drill) node(t *testing.T, w *writer) int {
	t.Helper()
	var port int
	err := d.admin.QueryRow(t.Context(),
		"select distinct nodeport from citus_shards where table_name::text like $1 || '.%'",
		organization.SchemaName(w.actor.Org)).Scan(&port)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// move moves an organization as docs/how-to/run-on-several-machines.md says.
func (d *drill) move(t *testing.T, w *writer, port int) {
	t.Helper()
	name := organization.SchemaName(w.actor.Org)
	for _, sql := range []string{
		`select citus_schema_move($1::text::regnamespace, (select nodename from pg_dist_node
			where nodeport = $2), $2, 'block_writes')`,
		`select gate.sharpen_table(c.oid, $1::uuid) from pg_class c
			where c.relnamespace = $2::text::regnamespace and c.relkind = 'r'`,
	} {
		args := []any{name, port}
		if strings.Contains(sql, "sharpen") {
			args = []any{w.actor.Org, name}
		}
		if _, err := d.admin.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// checkPolicies fails unless each shard of an organization has row-level security, forced, and the
// policy that is evaluated once per query.
func (d *drill) checkPolicies(t *testing.T, w *writer) {
	t.Helper()
	rows, err := d.admin.Query(t.Context(), `select r.result from citus_tables t, run_command_on_shards(t.table_name,
		$$select c.relrowsecurity and c.relforcerowsecurity
		and pg_get_expr(p.polqual, p.polrelid) ~ 'SELECT\s+CASE\s+WHEN .sha256'
		from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'organization'
		where c.oid = '%s'::regclass$$) r
		where t.table_name::text like $1 || '.%'`, organization.SchemaName(w.actor.Org))
	if err != nil {
		t.Fatal(err)
	}
	results, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 3 { // the table, the counts and the log
		t.Errorf("%d shards: %v", len(results), results)
	}
	for _, result := range results {
		if result != "t" {
			t.Errorf("the shards answer %v", results)
		}
	}
}

func (d *drill) writing(t *testing.T, what string, expect func(w *writer, failed, written int64), during func()) {
	t.Helper()
	failed, written := make([]int64, len(d.writers)), make([]int64, len(d.writers))
	for i, w := range d.writers {
		failed[i], written[i] = w.failed.Load(), w.written.Load()
		w.slowest.Store(0)
	}
	began := time.Now()
	during()
	var figures []string
	for i, w := range d.writers {
		more, wrong := w.written.Load()-written[i], w.failed.Load()-failed[i]
		expect(w, wrong, more)
		slowest := time.Duration(w.slowest.Load()).Milliseconds()
		figures = append(figures, fmt.Sprintf("%d/%d (%d ms)", more, wrong, slowest))
	}
	t.Logf("%s, %.1f s: written/failed (slowest) %s", what, time.Since(began).Seconds(), strings.Join(figures, ", "))
}

// Six organizations are written to while one of them moves to the other node, and while that node
// is lost and comes back.
func TestOrganizationsOutliveAMoveAndALostNode(t *testing.T) {
	d := begin(t)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, w := range d.writers {
		all.Go(func() { w.run(ctx) })
	}
	t.Cleanup(all.Wait)
	t.Cleanup(stop)
	undisturbed := func(w *writer, failed, written int64) {
		if failed > 0 || written == 0 {
			t.Errorf("the organization on node %d: %d writes failed, %d did not", d.node(t, w), failed, written)
		}
	}
	d.writing(t, "calm", undisturbed, func() { time.Sleep(3 * time.Second) })

	moved := d.writers[0]
	from := d.node(t, moved)
	to := d.services.WorkerPorts()[0]
	if to == from {
		to = d.services.WorkerPorts()[1]
	}
	d.writing(t, "an organization is moved", undisturbed, func() {
		time.Sleep(time.Second)
		d.move(t, moved, to)
		time.Sleep(time.Second)
	})
	if now := d.node(t, moved); now != to {
		t.Fatalf("the organization is on node %d, not %d", now, to)
	}
	for _, w := range d.writers {
		d.checkPolicies(t, w)
	}

	lost := map[*writer]bool{}
	for _, w := range d.writers {
		lost[w] = d.node(t, w) == to
	}
	d.writing(t, "a node is lost and comes back", func(w *writer, failed, written int64) {
		switch {
		case !lost[w]:
			undisturbed(w, failed, written)
		case failed == 0:
			t.Error("nothing failed on the lost node: it was not lost")
		}
	}, func() {
		time.Sleep(time.Second)
		if err := d.services.KillWorker(to); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := d.database.CheckWorkers(t.Context()); !errors.Is(err, db.ErrWorkerLost) {
			t.Errorf("the service says of the lost worker: %v", err)
		}
		if err := d.database.CheckIsolation(t.Context()); err != nil {
			t.Errorf("a process does not start while a worker is lost: %v", err)
		}
		if err := d.services.StartWorker(t.Context(), to); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := d.database.CheckWorkers(t.Context()); err != nil {
			t.Errorf("the service says of the worker that is back: %v", err)
		}
	})
	d.writing(t, "afterwards", undisturbed, func() { time.Sleep(2 * time.Second) })

	stop()
	all.Wait()
	acknowledged, missing := 0, 0
	for _, w := range d.writers {
		found := w.names(t)
		for _, n := range w.acknowledged {
			acknowledged++
			if !found[fmt.Sprintf("record %d", n)] {
				missing++
			}
		}
	}
	if missing > 0 {
		t.Errorf("%d acknowledged writes are lost", missing)
	}
	t.Logf("%d acknowledged writes, %d lost", acknowledged, missing)
}
