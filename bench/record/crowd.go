package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A crowd is many organizations with tables of their own beside the one that is measured. Every table is made as the service makes it, and
// every one is written to and read from through the service before the second measuring.
type crowd struct {
	houses []house
	built  time.Duration
	asked  time.Duration
	calls  int
}

// A house is one organization of the crowd, with a key of its own.
type house struct {
	header string
	tables []string // public ids
}

const (
	tablesEach = 10 // of an organization
	builders   = 4
	visitors   = 16
)

// besides makes the crowd, visits all of it, and measures a table beside it in turns with one of another service, on a database that holds nothing else.
func (b *bench) besides(ctx context.Context, r *report, redisURL string) error {
	before, _ := b.measured.memory()
	c, err := b.gather(ctx, b.measured.login, redisURL)
	if err != nil {
		return err
	}
	if err := b.visit(ctx, c); err != nil {
		return err
	}
	visited, _ := b.measured.memory()
	backends, count, err := b.backends(ctx)
	if err != nil {
		return err
	}
	if err := b.makeTable(ctx, b.measured, 1, b.set.rows); err != nil {
		return err
	}
	if err := b.load(ctx, r); err != nil {
		return err
	}
	if err := b.settle(ctx, r); err != nil {
		return err
	}
	if err := b.rest(ctx); err != nil {
		return err
	}
	if err := b.measure(ctx, r); err != nil {
		return err
	}
	now, most := b.measured.memory()
	const mega = 1 << 20
	r.note("%d organizations with %d tables were made in %s; %d calls wrote to and read from every table in %s.",
		len(c.houses), len(c.houses)*tablesEach, c.built.Round(time.Second), c.calls, c.asked.Round(time.Second))
	r.note("Memory of the service: %d MB before them, %d MB when all had been touched, %d MB at the end, %d MB at most.",
		before/mega, visited/mega, now/mega, most/mega)
	r.note("Memory of %d backends of PostgreSQL when all had been touched, without what they share: %d MB.", count, backends/mega)
	return nil
}

// gather makes the crowd.
func (b *bench) gather(ctx context.Context, database, redisURL string) (*crowd, error) {
	fmt.Fprintf(os.Stderr, "Making %d tables in %d organizations.\n", b.set.tables, b.set.tables/tablesEach)
	target, err := url.Parse(database)
	if err != nil {
		return nil, fmt.Errorf("reading a URL: %w", err)
	}
	// What is made here need not outlive a power cut.
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&synchronous_commit=off", "&")
	tenantDB, err := db.Open(ctx, target.String(), db.Options{MaxConns: builders})
	if err != nil {
		return nil, err
	}
	defer tenantDB.Close()
	options, err := credential.ClientOptions(redisURL)
	if err != nil {
		return nil, err
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	cache := credential.New(client, credential.Options{})
	defer cache.Close()
	keys := apikey.New(apikey.Deps{DB: tenantDB, Cache: cache})
	defer keys.Close(ctx)
	c := &crowd{houses: make([]house, b.set.tables/tablesEach)}
	began := time.Now()
	err = each(len(c.houses), builders, func(_, i int) error {
		var err error
		c.houses[i], err = settleIn(ctx, tenantDB, keys, i)
		if (i+1)%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d organizations after %s\n", i+1, time.Since(began).Round(time.Second))
		}
		return err
	})
	c.built = time.Since(began)
	return c, err
}

// settleIn makes one organization with its tables.
func settleIn(ctx context.Context, tenantDB *db.DB, keys *apikey.Service, i int) (house, error) {
	person := id.New()
	err := tenantDB.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, $2, 'Load')", person, fmt.Sprintf("load%d@example.com", i))
		return err
	})
	if err != nil {
		return house{}, fmt.Errorf("making a person: %w", err)
	}
	org, err := organization.Create(ctx, tenantDB, person, fmt.Sprintf("Load %d", i))
	if err != nil {
		return house{}, err
	}
	_, key, err := keys.Create(ctx, apikey.Draft{Person: person, Name: "Load", Scopes: authz.AllScopes()})
	if err != nil {
		return house{}, err
	}
	store := schema.NewStore(tenantDB)
	snapshot, err := store.Cached(ctx, org.ID)
	if err != nil {
		return house{}, err
	}
	base, err := store.CreateBase(ctx, org.ID, snapshot.Workspaces[0].ID, "Load")
	if err != nil {
		return house{}, err
	}
	h := house{header: "Authorization: Bearer " + key + "\r\n"}
	for t := range tablesEach {
		fields := []schema.FieldSpec{
			{Name: "Name", Type: schema.Text},
			{Name: "Email", Type: schema.Email},
			{Name: "Amount", Type: schema.Number},
			{Name: "Status", Type: schema.SingleSelect, Config: encode(object{"options": statuses})},
			{Name: "Notes", Type: schema.LongText},
			{Name: "Due", Type: schema.Date},
			{Name: "Score", Type: schema.Number},
			{Name: "Done", Type: schema.Checkbox},
		}
		made, err := store.CreateTable(ctx, org.ID, base.ID, fmt.Sprintf("Load %d", t), fields)
		if err != nil {
			return house{}, err
		}
		h.tables = append(h.tables, made.PublicID())
	}
	return h, nil
}

// visit writes to every table of the crowd, and lists it by a filter, through the service.
func (b *bench) visit(ctx context.Context, c *crowd) error {
	fmt.Fprintf(os.Stderr, "Visiting every table.\n")
	wires := make([]*wire, visitors)
	for i := range wires {
		w, err := dial(ctx, b.measured.host, "")
		if err != nil {
			return err
		}
		defer w.close()
		wires[i] = w
	}
	var calls atomic.Int64
	began := time.Now()
	err := each(len(c.houses), visitors, func(worker, i int) error {
		w, h := wires[worker], &c.houses[i]
		w.header = h.header
		for t, table := range h.tables {
			path := "/api/v1/tables/" + table + "/records"
			for _, one := range []call{
				{"POST", path, recordsOf(rowsFrom((i*tablesEach+t)*5, 5))},
				{"GET", path + "?" + url.Values{
					"filters": {`[{"fieldId":"Amount","op":"gte","value":100}]`}, "sorts": {`[{"fieldId":"Amount","dir":"asc"}]`},
				}.Encode(), nil},
			} {
				if _, err := w.send(one); err != nil {
					return err
				}
				calls.Add(1)
			}
		}
		return ctx.Err()
	})
	c.asked, c.calls = time.Since(began), int(calls.Load())
	return err
}

// neighbourly is longer than an organization is remembered as a neighbour after its last request (docs/decisions/0006-limits.md).
const neighbourly = 12 * time.Second

// rest waits until the crowd is no neighbour any more, and does what autovacuum does by itself within a minute or two: it gathers statistics of the
// tables that hold something of every organization. Until then a connection goes on with plans for the few rows that were there before, and
// reads all that has come since to find the count of one table.
func (b *bench) rest(ctx context.Context) error {
	rows, err := b.measured.conn.Query(ctx, `select format('%I.%I', schemaname, relname) from pg_stat_all_tables
		where schemaname in ('rowhouse', 'pg_catalog') and n_mod_since_analyze > 1000`)
	if err != nil {
		return fmt.Errorf("looking for tables that have grown: %w", err)
	}
	grown, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("looking for tables that have grown: %w", err)
	}
	for _, table := range grown {
		if _, err := b.measured.conn.Exec(ctx, "vacuum analyze "+table); err != nil {
			return fmt.Errorf("vacuuming: %w", err)
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(neighbourly):
	}
	return ctx.Err()
}

// each does n things with some workers, until one fails.
func each(n, workers int, do func(worker, i int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, workers)
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[worker] = do(worker, i); errs[worker] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// backends is the memory of the service's backends that they do not share, in bytes, and how many they are; 0 where there is no /proc.
func (b *bench) backends(ctx context.Context) (bytes int64, count int, err error) {
	rows, err := b.measured.conn.Query(ctx, "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'")
	if err != nil {
		return 0, 0, fmt.Errorf("looking at the backends: %w", err)
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return 0, 0, fmt.Errorf("looking at the backends: %w", err)
	}
	if runtime.GOOS != "linux" {
		return 0, len(pids), nil
	}
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue // It ended a moment ago.
		}
		bytes += kilobytes(string(text), "RssAnon") << 10
	}
	return bytes, len(pids), nil
}
