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
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A tenantLoad is many organizations with tables of their own in addition to the measured one. The
// service creates every table, and every table is written to and read from before the measurement.
type tenantLoad struct {
	list      []tenant
	createdIn time.Duration
	visitedIn time.Duration
	calls     int
}

// A tenant is one organization of the load, with a key of its own.
type tenant struct {
	header string
	tables []string // public ids
}

const (
	tablesEach = 10 // of an organization
	builders   = 4
	visitors   = 16
)

// compareAmongTenants creates the tenants, uses all of them, and measures a table among them in
// turn with one of a second service whose database contains nothing else.
func (b *bench) compareAmongTenants(ctx context.Context, r *report, redisURL string) error {
	before, _ := b.measured.memory()
	c, err := b.createTenants(ctx, b.measured, redisURL)
	if err != nil {
		return err
	}
	if err := b.visitTenants(ctx, c); err != nil {
		return err
	}
	visited, _ := b.measured.memory()
	backends, count, err := b.backends(ctx)
	if err != nil {
		return err
	}
	if err := b.createTable(ctx, b.measured, 1, b.set.rows); err != nil {
		return err
	}
	if err := b.load(ctx, r); err != nil {
		return err
	}
	if err := b.settle(ctx, r); err != nil {
		return err
	}
	if err := b.waitUntilIdle(ctx); err != nil {
		return err
	}
	if err := b.measure(ctx, r); err != nil {
		return err
	}
	now, peak := b.measured.memory()
	const mega = 1 << 20
	r.note("%d organizations with %d tables were made in %s; %d calls wrote to and read from every table in %s.",
		len(c.list), len(c.list)*tablesEach, c.createdIn.Round(time.Second), c.calls, c.visitedIn.Round(time.Second))
	r.note(
		"Memory of the service: %d MB before them, %d MB when all had been touched, %d MB at the end, %d MB at most.",
		before/mega, visited/mega, now/mega, peak/mega,
	)
	r.note("Memory of %d backends of PostgreSQL when all had been touched, without what they share: %d MB.",
		count, backends/mega)
	return nil
}

// createTenants creates the organizations with their tables.
func (b *bench) createTenants(ctx context.Context, p *program, redisURL string) (*tenantLoad, error) {
	fmt.Fprintf(os.Stderr, "Making %d tables in %d organizations.\n", b.set.tables, b.set.tables/tablesEach)
	target, err := url.Parse(p.login)
	if err != nil {
		return nil, fmt.Errorf("reading a URL: %w", err)
	}
	// This data need not survive a power failure.
	target.RawQuery = strings.TrimPrefix(target.RawQuery+"&synchronous_commit=off", "&")
	tenantDB, err := db.Open(ctx, target.String(), db.Options{
		MaxConns: 2 * builders,
		Secrets:  [][]byte{[]byte(p.secret)},
	})
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
	c := &tenantLoad{list: make([]tenant, b.set.tables/tablesEach)}
	began := time.Now()
	err = parallel(len(c.list), builders, func(_, i int) error {
		var err error
		c.list[i], err = createTenant(ctx, tenantDB, keys, i)
		if (i+1)%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d organizations after %s\n", i+1, time.Since(began).Round(time.Second))
		}
		return err
	})
	c.createdIn = time.Since(began)
	return c, err
}

// createTenant creates one organization with its tables.
func createTenant(ctx context.Context, tenantDB *db.DB, keys *apikey.Service, i int) (tenant, error) {
	person := id.New()
	err := tenantDB.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, $2, 'Load')",
			person, fmt.Sprintf("load%d@example.com", i))
		return err
	})
	if err != nil {
		return tenant{}, fmt.Errorf("making a person: %w", err)
	}
	org, err := organization.Create(ctx, tenantDB, person, fmt.Sprintf("Load %d", i))
	if err != nil {
		return tenant{}, err
	}
	_, key, err := keys.Create(ctx, apikey.Draft{Person: person, Name: "Load", Scopes: authz.AllScopes()})
	if err != nil {
		return tenant{}, err
	}
	store := catalog.NewStore(tenantDB, catalog.Options{})
	snapshot, err := store.Cached(ctx, org.ID)
	if err != nil {
		return tenant{}, err
	}
	base, err := store.CreateBase(ctx, org.ID, snapshot.Workspaces[0].ID, "Load")
	if err != nil {
		return tenant{}, err
	}
	h := tenant{header: "Authorization: Bearer " + key + "\r\n"}
	for t := range tablesEach {
		fields := []catalog.FieldSpec{
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
			return tenant{}, err
		}
		h.tables = append(h.tables, made.PublicID())
	}
	return h, nil
}

// visitTenants writes to every table through the service and lists it by a filter.
func (b *bench) visitTenants(ctx context.Context, c *tenantLoad) error {
	fmt.Fprintf(os.Stderr, "Visiting every table.\n")
	connections := make([]*connection, visitors)
	for i := range connections {
		conn, err := dial(ctx, b.measured.host, "")
		if err != nil {
			return err
		}
		defer conn.close()
		connections[i] = conn
	}
	var calls atomic.Int64
	began := time.Now()
	err := parallel(len(c.list), visitors, func(worker, i int) error {
		w, h := connections[worker], &c.list[i]
		w.header = h.header
		for t, table := range h.tables {
			path := "/api/v1/tables/" + table + "/records"
			for _, one := range []call{
				{"POST", path, recordsOf(rowsFrom((i*tablesEach+t)*5, 5))},
				{"GET", path + "?" + url.Values{
					"filters": {`[{"fieldId":"Amount","op":"gte","value":100}]`},
					"sorts":   {`[{"fieldId":"Amount","dir":"asc"}]`},
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
	c.visitedIn, c.calls = time.Since(began), int(calls.Load())
	return err
}

// neighbourWindow is longer than the bulkhead counts an organization as active after its last
// request (docs/decisions/0006-limits.md).
const neighbourWindow = 12 * time.Second

// waitUntilIdle waits until the tenants no longer count as active, and vacuums the tables that all
// organizations share, as autovacuum does within two minutes. Until then connections keep plans for
// the few rows that were there before and scan all new rows to count one table.
func (b *bench) waitUntilIdle(ctx context.Context) error {
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
	case <-time.After(neighbourWindow):
	}
	return ctx.Err()
}

// parallel calls do n times from some workers, until one call fails.
func parallel(n, workers int, do func(worker, i int) error) error {
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

// backends returns the unshared memory of the service's backends in bytes and their number. The
// memory is 0 where there is no /proc.
func (b *bench) backends(ctx context.Context) (bytes int64, count int, err error) {
	rows, err := b.measured.conn.Query(ctx, `select pid from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
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
