package job_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const queue = "test"

var queues = map[string]int{queue: 1}

type greeting struct {
	Name string `json:"name"`
}

func (greeting) Kind() string { return "test_greeting" }

// ran collects the arguments of jobs in the order in which they ran.
type ran struct {
	mu    sync.Mutex
	names []string
	came  chan struct{}
}

func (h *ran) add(name string) {
	h.mu.Lock()
	h.names = append(h.names, name)
	h.mu.Unlock()
	h.came <- struct{}{}
}

func (h *ran) await(t *testing.T, n int) []string {
	t.Helper()
	for range n {
		select {
		case <-h.came:
		case <-time.After(time.Minute):
			t.Fatalf("%d jobs were expected", n)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.names)
}

func listening(t *testing.T, client *job.Client) *ran {
	t.Helper()
	h := &ran{came: make(chan struct{}, 100)}
	job.Handle(client, func(_ context.Context, g greeting) error {
		h.add(g.Name)
		return nil
	})
	return h
}

func insert(t *testing.T, client *job.Client, name string, to job.InsertOptions) {
	t.Helper()
	to.Queue = queue
	err := tenancytest.DB(t).SystemTx(t.Context(), func(tx pgx.Tx) error {
		return client.InsertTx(t.Context(), tx, greeting{name}, to)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestJobIsInsertedWithItsTransaction(t *testing.T) {
	t.Parallel()
	db, client := tenancytest.DB(t), jobtest.Open(t, queues)
	h := listening(t, client)
	jobtest.Start(t, client)
	undone := errors.New("undone")
	err := db.SystemTx(t.Context(), func(tx pgx.Tx) error {
		if err := client.InsertTx(t.Context(), tx, greeting{"rolled back"}, job.InsertOptions{
			Queue: queue,
		}); err != nil {
			return err
		}
		return undone
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	err = db.SystemTx(t.Context(), func(tx pgx.Tx) error {
		return client.InsertTx(t.Context(), tx, greeting{"committed"}, job.InsertOptions{Queue: queue})
	})
	if err != nil {
		t.Fatal(err)
	}
	if names := h.await(t, 1); !slices.Equal(names, []string{"committed"}) {
		t.Error(names)
	}
}

func TestJobSurvivesTheProcessThatQueuedIt(t *testing.T) {
	t.Parallel()
	prefix := uuid.NewString() + "_"
	var clients []*job.Client
	for range 2 {
		client, err := job.Open(t.Context(), tenancytest.JobURL(t), job.Options{Queues: queues, Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	_ = listening(t, clients[0]) // never started
	insert(t, clients[0], "waits", job.InsertOptions{})
	clients[0].Close(t.Context())
	h := listening(t, clients[1])
	t.Cleanup(func() { clients[1].Close(context.Background()) })
	jobtest.Start(t, clients[1])
	if names := h.await(t, 1); !slices.Equal(names, []string{"waits"}) {
		t.Error(names)
	}
}

func TestJobsRunByPriorityAndUniqueJobsOnce(t *testing.T) {
	t.Parallel()
	client := jobtest.Open(t, queues)
	h := listening(t, client)
	for range 3 {
		insert(t, client, "last", job.InsertOptions{Priority: 4, Unique: true})
	}
	insert(t, client, "second", job.InsertOptions{Priority: 2})
	insert(t, client, "first", job.InsertOptions{Priority: 1})
	waiting, err := client.Waiting(t.Context())
	if err != nil || waiting[queue] != 3 {
		t.Fatalf("%v waiting, %v", waiting, err)
	}
	jobtest.Start(t, client)
	if names := h.await(t, 3); !slices.Equal(names, []string{"first", "second", "last"}) {
		t.Error(names)
	}
}

// lockedBuffer is a buffer for concurrent writes.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

func TestDiscardedJobIsLoggedWithoutItsArguments(t *testing.T) {
	t.Parallel()
	var said lockedBuffer
	client := jobtest.OpenAt(t, tenancytest.JobURL(t), queues, slog.New(slog.NewTextHandler(&said, nil)))
	job.Handle(client, func(context.Context, greeting) error { return errors.New("the mail server is down") })
	insert(t, client, "hush", job.InsertOptions{Attempts: 1})
	jobtest.Start(t, client)
	for range 3000 { // the log comes after the count
		if _, _, discarded := client.Counts(); discarded == 1 && said.String() != "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if log := said.String(); !strings.Contains(log, "a job was discarded") ||
		!strings.Contains(log, "the mail server is down") ||
		!strings.Contains(log, "kind=test_greeting") || strings.Contains(log, "hush") {
		t.Error(log)
	}
}

func TestTablesMatchTheLibrary(t *testing.T) {
	t.Parallel()
	config, err := pgxpool.ParseConfig(tenancytest.JobURL(t))
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.RuntimeParams["role"] = "rowhouse_system"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: job.Schema})
	if err != nil {
		t.Fatal(err)
	}
	result, err := migrator.Validate(t.Context(), nil)
	if err != nil || !result.OK {
		t.Errorf("the library has migrations that ours lack: %+v, %v", result, err)
	}
	// The tables equal those that the library creates.
	fresh := tenancytest.FreshDatabaseURL(t)
	if config, err = pgxpool.ParseConfig(fresh); err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.RuntimeParams["role"] = "rowhouse_owner"
	owner, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(owner.Close)
	if _, err := owner.Exec(t.Context(), "create schema library"); err != nil {
		t.Fatal(err)
	}
	theirs, err := rivermigrate.New(riverpgxv5.New(owner), &rivermigrate.Config{Schema: "library"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Migrate(t.Context(), rivermigrate.DirectionUp, nil); err != nil {
		t.Fatal(err)
	}
	if ours, want := shape(t, owner, job.Schema), shape(t, owner, "library"); !slices.Equal(ours, want) {
		t.Errorf("the tables are\n%s\nand the library creates\n%s", strings.Join(ours, "\n"), strings.Join(want, "\n"))
	}
}

// shape describes the columns, indexes and constraints of a schema.
func shape(t *testing.T, pool *pgxpool.Pool, schema string) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `select replace(replace(line, $1 || '.', ''), 'pkey1', 'pkey') from (
			select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
			pg_get_expr(d.adbin, d.adrelid))
			from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
			left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
			where c.relnamespace = $1::regnamespace and c.relkind = 'r'
			union all
			select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
			where c.relnamespace = $1::regnamespace
			union all
			select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
			where connamespace = $1::regnamespace and contype = 'c'
			union all
			select c.relname || ' ' || c.relpersistence::text from pg_class c
			where c.relnamespace = $1::regnamespace and c.relkind = 'r'
		) described (line) order by 1`, schema)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTenantRoleCannotAccessTheQueue(t *testing.T) {
	t.Parallel()
	db := tenancytest.DB(t)
	org, _ := tenancytest.Org(t, db)
	for _, sql := range []string{
		"select count(*) from river.river_job", "delete from river.river_job",
		"insert into river.river_queue values ('x')",
	} {
		err := db.Tx(t.Context(), org, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), sql)
			return err
		})
		if !pgerror.Is(err, pgerrcode.InsufficientPrivilege) {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
