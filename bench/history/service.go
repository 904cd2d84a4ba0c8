package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A history is a table in a database of its own.
type history struct {
	rows     int
	admin    string // URL of the superuser's database next to it
	database string
	conn     *pgx.Conn // the superuser's
	db       *db.DB
	engine   *record.Engine
	actor    record.Actor
	base     uuid.UUID
	table    *schema.Table
	records  []string
	singly   int // how many of the last records changeSingly has changed
}

func build(ctx context.Context, admin string, rows int) (_ *history, err error) {
	h := &history{rows: rows, admin: admin, database: "history_" + strings.ToLower(rand.Text())}
	defer func() {
		if err != nil {
			_ = h.close(context.WithoutCancel(ctx))
		}
	}()
	if err := migrations.CreateDatabase(ctx, admin, h.database); err != nil {
		return nil, err
	}
	target, err := url.Parse(admin)
	if err != nil {
		return nil, fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + h.database
	if h.conn, err = pgx.Connect(ctx, target.String()); err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	if err := migrations.Provision(ctx, target.String(), "bench", "bench"); err != nil {
		return nil, err
	}
	target.User = url.UserPassword("bench", "bench")
	if err := migrations.Up(ctx, target.String()); err != nil {
		return nil, err
	}
	h.db, err = db.Open(ctx, target.String(), db.Options{Secrets: [][]byte{[]byte(rand.Text() + rand.Text())}})
	if err != nil {
		return nil, err
	}
	return h, h.createTable(ctx)
}

func (h *history) createTable(ctx context.Context) error {
	h.actor.Person = id.New()
	err := h.db.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, 'load@example.com', 'Load')",
			h.actor.Person)
		return err
	})
	if err != nil {
		return fmt.Errorf("creating a person: %w", err)
	}
	org, err := organization.Create(ctx, h.db, h.actor.Person, "Load")
	if err != nil {
		return err
	}
	h.actor.Org = org.ID
	store := catalog.NewStore(h.db, catalog.Options{})
	h.engine = record.New(h.db, store)
	snapshot, err := store.Fresh(ctx, org.ID)
	if err != nil {
		return err
	}
	base, err := store.CreateBase(ctx, org.ID, snapshot.Workspaces[0].ID, "Load")
	if err != nil {
		return err
	}
	h.base = base.ID
	h.table, err = store.CreateTable(ctx, org.ID, base.ID, "Load", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text},
		{Name: "Email", Type: schema.Email},
		{Name: "Amount", Type: schema.Number},
		{
			Name: "Status", Type: schema.SingleSelect,
			Config: json.RawMessage(`{"options":["New","Open","Waiting","Done"]}`),
		},
		{Name: "Notes", Type: schema.LongText},
		{Name: "Due", Type: schema.Date},
		{Name: "Done", Type: schema.Checkbox},
	})
	return err
}

// load writes the records.
func (h *history) load(ctx context.Context) error {
	fmt.Fprintf(os.Stderr, "Loading %d records.\n", h.rows)
	for first := 0; first < h.rows; first += record.MaxBatch {
		in := record.Creation{}
		for i := range record.MaxBatch {
			n := first + i
			in.Records = append(in.Records, values(map[string]any{
				"Name": fmt.Sprintf("Customer %d", n), "Email": fmt.Sprintf("customer%d@example.com", n),
				"Amount": n % 1000, "Status": "New", "Notes": strings.Repeat("some words about it ", 6),
				"Due": "2026-05-01", "Done": n%2 == 0,
			}))
		}
		written, err := h.engine.Create(ctx, h.actor, h.table.ID, in)
		if err != nil {
			return fmt.Errorf("loading: %w", err)
		}
		for _, raw := range written.Records {
			var one struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal(raw, &one); err != nil {
				return fmt.Errorf("reading a record: %w", err)
			}
			h.records = append(h.records, one.ID)
		}
	}
	return h.vacuum(ctx)
}

// vacuum does what autovacuum would do a little later.
func (h *history) vacuum(ctx context.Context) error {
	if _, err := h.conn.Exec(ctx, "vacuum analyze"); err != nil {
		return fmt.Errorf("vacuuming: %w", err)
	}
	if _, err := h.conn.Exec(ctx, "checkpoint"); err != nil {
		return fmt.Errorf("writing a checkpoint: %w", err)
	}
	return nil
}

// values is an object as the API reads it.
func values(fields map[string]any) jsonvalue.ParsedObject {
	var members []jsonvalue.Member
	size := 0
	for name, value := range fields {
		raw, err := json.Marshal(value)
		if err != nil {
			panic(err) // what is given here always has JSON
		}
		members = append(members, jsonvalue.Member{Name: name, Value: raw})
		size += len(name) + len(raw)
	}
	return jsonvalue.NewParsedObject(members, size)
}

// change changes two cells of every nth record in one change set.
func (h *history) change(ctx context.Context, round, nth int) (uuid.UUID, error) {
	fmt.Fprintf(os.Stderr, "Changing %d records.\n", h.rows/nth)
	set := id.New()
	acting := db.WithActor(ctx, db.Actor{
		Person: h.actor.Person, Kind: "api_key", Credential: id.Format(id.Key, h.actor.Person), ChangeSet: set,
	})
	var changes []record.Change
	for n := 0; n < h.rows; n += nth {
		changes = append(changes, record.Change{ID: h.records[n], Fields: values(map[string]any{
			"Amount": 10_000*round + n, "Status": []string{"Open", "Waiting", "Done"}[round%3],
		})})
		if len(changes) < record.MaxBatch && n+nth < h.rows {
			continue
		}
		if _, err := h.engine.Update(acting, h.actor, h.table.ID, changes, false); err != nil {
			return set, fmt.Errorf("changing records: %w", err)
		}
		changes = nil
	}
	return set, h.vacuum(ctx)
}

// Cells that changeSingly writes. The length of a log entry depends on the replaced value.
var (
	shortCells = []map[string]any{
		{"Name": "Somebody else"},
		{"Email": "changed@example.com"},
		{"Amount": -1},
		{"Status": "Done"},
		{"Due": "2027-01-31"},
		{"Done": nil},
	}
	longCells = []map[string]any{{"Notes": "Called back."}} // 114 characters stood there
)

// changeSingly changes one cell of each of the last records in a request of its own, so in as many
// change sets, with the cells in turn, and returns the bytes that the log takes for one.
func (h *history) changeSingly(ctx context.Context, cells []map[string]any, count int) (float64, error) {
	fmt.Fprintf(os.Stderr, "Changing %d records, one by one.\n", count)
	before, err := h.logSize(ctx)
	if err != nil {
		return 0, err
	}
	for i := range count {
		record := h.rows - 1 - h.singly - i
		cell := cells[i%len(cells)]
		if _, ok := cell["Done"]; ok {
			cell = map[string]any{"Done": record%2 != 0} // the other one
		}
		acting := db.WithActor(ctx, db.Actor{
			Person: h.actor.Person, Kind: "api_key", Credential: id.Format(id.Key, h.actor.Person), ChangeSet: id.New(),
		})
		if _, err := h.engine.UpdateOne(acting, h.actor, h.records[record], values(cell), false); err != nil {
			return 0, fmt.Errorf("changing a record: %w", err)
		}
	}
	h.singly += count
	if err := h.vacuum(ctx); err != nil {
		return 0, err
	}
	after, err := h.logSize(ctx)
	return float64(after-before) / float64(count), err
}

// logSize is the size of the log on disk, in bytes.
func (h *history) logSize(ctx context.Context) (size int64, err error) {
	err = h.conn.QueryRow(ctx, "select sum(pg_total_relation_size(c.oid)) from pg_class c "+
		"where c.relname like 'change\\_2%' and c.relkind = 'r'").Scan(&size)
	if err != nil {
		return 0, fmt.Errorf("measuring the log: %w", err)
	}
	return size, nil
}

// processorTime is the processor time of this process and of its PostgreSQL backends so far, in
// seconds. On a quiet machine a revert takes about as long.
func (h *history) processorTime(ctx context.Context) (float64, error) {
	rows, err := h.conn.Query(ctx, `select pid from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
	if err != nil {
		return 0, fmt.Errorf("looking at the backends: %w", err)
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		return 0, fmt.Errorf("looking at the backends: %w", err)
	}
	ticks := 0
	for _, pid := range append(pids, os.Getpid()) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it ended a moment ago, or there is no /proc
		}
		_, rest, _ := strings.Cut(string(status), ") ")
		if fields := strings.Fields(rest); len(fields) > 12 {
			user, _ := strconv.Atoi(fields[11])
			system, _ := strconv.Atoi(fields[12])
			ticks += user + system
		}
	}
	return float64(ticks) / 100, nil
}

// revert reverts a change set and returns how many seconds it took, of the clock and of processors.
func (h *history) revert(ctx context.Context, set uuid.UUID, in revert.Request) (plan revert.Plan, t took, err error) {
	ctx = db.WithActor(ctx, db.Actor{
		Person: h.actor.Person, Kind: "api_key", Credential: "key_load", ChangeSet: id.New(),
	})
	in.ChangeSets = []uuid.UUID{set}
	before, err := h.processorTime(ctx)
	if err != nil {
		return plan, t, err
	}
	began := time.Now()
	plan, err = revert.New(h.db, h.engine).Revert(ctx, h.actor, h.base, in)
	t.clock = time.Since(began).Seconds()
	if err != nil {
		return plan, t, fmt.Errorf("reverting: %w", err)
	}
	after, err := h.processorTime(ctx)
	if err != nil {
		return plan, t, err
	}
	t.processor = after - before
	if in.DryRun {
		return plan, t, nil
	}
	return plan, t, h.vacuum(ctx)
}

type took struct{ clock, processor float64 } // in seconds

func (h *history) close(ctx context.Context) error {
	if h.db != nil {
		h.db.Close()
	}
	if h.conn != nil {
		_ = h.conn.Close(ctx)
	}
	conn, err := pgx.Connect(ctx, h.admin)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "drop database if exists "+h.database+" with (force)"); err != nil {
		return fmt.Errorf("dropping the database: %w", err)
	}
	return nil
}
