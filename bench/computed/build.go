package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/record/index"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A bench is an organization in a database of its own: "Plain" and "Computed" are small tables of the
// same fields, "Large" has many records, each linked to one of "Groups".
type bench struct {
	rows            int
	admin, database string
	conn            *pgx.Conn // the superuser's
	url             string    // of the database, for the service
	secret          []byte    // of the service
	opened          []*db.DB  // all of them; the builder of indexes uses the first one
	db              *db.DB
	store           *catalog.Store
	engine          *record.Engine
	actor           record.Actor
	tables          map[string]uuid.UUID
	stop            func() // ends the builder of indexes
}

// smallRows is how many records the small tables have, and groups how many the records of the large
// one are linked to.
const (
	smallRows = 2000
	groups    = 1000
)

func build(ctx context.Context, admin string, rows int) (_ *bench, err error) {
	b := &bench{
		rows: rows, admin: admin, database: "computed_" + strings.ToLower(rand.Text()), tables: map[string]uuid.UUID{},
	}
	defer func() {
		if err != nil {
			_ = b.close(context.WithoutCancel(ctx))
		}
	}()
	if err := migrations.CreateDatabase(ctx, admin, b.database); err != nil {
		return nil, err
	}
	target, err := url.Parse(admin)
	if err != nil {
		return nil, fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + b.database
	if b.conn, err = pgx.Connect(ctx, target.String()); err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	if err := migrations.Provision(ctx, target.String(), "bench", "bench"); err != nil {
		return nil, err
	}
	target.User = url.UserPassword("bench", "bench")
	if err := migrations.Up(ctx, target.String()); err != nil {
		return nil, err
	}
	b.url, b.secret = target.String(), []byte(rand.Text()+rand.Text())
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	if err := b.organization(ctx); err != nil {
		return nil, err
	}
	building, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	b.stop = func() { stop(); <-ended }
	builder := &index.Builder{Manager: b.engine.IndexManager()}
	go func() { defer close(ended); builder.Run(building) }()
	return b, nil
}

// open connects to the database, as a process does that begins.
func (b *bench) open(ctx context.Context) (err error) {
	b.db, err = db.Open(ctx, b.url, db.Options{Secrets: [][]byte{b.secret}, StatementTimeout: 5 * time.Minute})
	if err != nil {
		return err
	}
	b.opened = append(b.opened, b.db)
	b.store = catalog.NewStore(b.db, catalog.Options{})
	b.engine = record.New(b.db, b.store)
	return nil
}

func (b *bench) close(ctx context.Context) error {
	if b.stop != nil {
		b.stop()
	}
	for _, one := range b.opened {
		one.Close()
	}
	var failures []error
	if b.conn != nil {
		failures = append(failures, b.conn.Close(ctx))
	}
	conn, err := pgx.Connect(ctx, b.admin)
	if err != nil {
		return errors.Join(append(failures, err)...)
	}
	_, err = conn.Exec(ctx, "drop database if exists "+b.database+" with (force)")
	return errors.Join(append(failures, err, conn.Close(ctx))...)
}

func (b *bench) organization(ctx context.Context) error {
	b.actor.Person = id.New()
	err := b.db.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, 'load@example.com', 'Load')",
			b.actor.Person)
		return err
	})
	if err != nil {
		return fmt.Errorf("creating a person: %w", err)
	}
	org, err := organization.Create(ctx, b.db, b.actor.Person, "Load")
	if err != nil {
		return err
	}
	b.actor.Org = org.ID
	snapshot, err := b.store.Fresh(ctx, org.ID)
	if err != nil {
		return err
	}
	base, err := b.store.CreateBase(ctx, org.ID, snapshot.Workspaces[0].ID, "Load")
	if err != nil {
		return err
	}
	for _, name := range []string{"Groups", "Plain", "Computed", "Large"} {
		made, err := b.store.CreateTable(ctx, org.ID, base.ID, name, []catalog.FieldSpec{
			{Name: "Name", Type: schema.Text},
			{Name: "Amount", Type: schema.Number},
			{Name: "Rate", Type: schema.Number},
			{Name: "Due", Type: schema.Date},
			{Name: "Done", Type: schema.Checkbox},
		})
		if err != nil {
			return err
		}
		b.tables[name] = made.ID
		if name == "Groups" {
			continue
		}
		_, err = b.field(ctx, name, "Group", "link", map[string]any{"linkedTableId": b.table(ctx, "Groups").PublicID()})
		if err != nil {
			return err
		}
	}
	rows := map[string]int{"Groups": groups, "Plain": smallRows, "Computed": smallRows, "Large": b.rows}
	for _, name := range []string{"Groups", "Plain", "Computed", "Large"} {
		if err := b.load(ctx, name, rows[name]); err != nil {
			return fmt.Errorf("loading %s: %w", name, err)
		}
	}
	_, err = b.conn.Exec(ctx, "vacuum analyze")
	return err
}

// table returns the current table.
func (b *bench) table(ctx context.Context, name string) *schema.Table {
	snapshot, err := b.store.Fresh(ctx, b.actor.Org)
	if err != nil {
		return nil
	}
	return snapshot.Table(b.tables[name])
}

func (b *bench) field(ctx context.Context, table, name, kind string, config map[string]any) (*schema.Field, error) {
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("encoding a config: %w", err)
	}
	return b.store.CreateField(ctx, b.actor.Org, b.tables[table], catalog.FieldSpec{
		Name: name, Type: schema.Type(kind), Config: raw,
	})
}

// numberedID is the id of record i of a table, in SQL; bench.record is the same in Go.
const numberedID = "(lpad(to_hex(%d::bigint), 8, '0') || '000070008000' || lpad(to_hex(%s), 12, '0'))::uuid"

// load writes records directly to the database, because the service would take long for a million.
func (b *bench) load(ctx context.Context, name string, rows int) error {
	if err := b.loadRecords(ctx, name, rows); err != nil || name == "Groups" {
		return err
	}
	t := b.table(ctx, name)
	own := fmt.Sprintf(numberedID, t.Number, "i")
	far := fmt.Sprintf(numberedID, b.table(ctx, "Groups").Number, fmt.Sprintf("1 + i %% %d", groups))
	link := t.FieldByName("Group").Link
	_, err := b.conn.Exec(ctx, "insert into "+link.Relation(b.actor.Org)+" ("+link.Own+", "+link.Other+", pos_"+
		link.Own+", pos_"+link.Other+") select "+own+", "+far+", 1, i from generate_series(1, $1::bigint) i", rows)
	return err
}

func (b *bench) loadRecords(ctx context.Context, name string, rows int) error {
	fmt.Fprintf(os.Stderr, "Loading %d records of %s.\n", rows, name)
	t := b.table(ctx, name)
	column := func(name string) string { return t.FieldByName(name).Column() }
	own := fmt.Sprintf(numberedID, t.Number, "i")
	_, err := b.conn.Exec(ctx, "insert into "+t.Relation()+" (id, created_by, updated_by, version, "+column("Name")+
		", "+column("Amount")+", "+column("Rate")+", "+column("Due")+", "+column("Done")+") select "+own+
		", $1, $1, 1, 'Customer ' || i, i % 1009, 1 + i % 7, date '2026-01-01' + (i % 365)::integer, i % 2 = 0 "+
		"from generate_series(1, $2::bigint) i", b.actor.Person, rows)
	if err != nil {
		return err
	}
	_, err = b.conn.Exec(ctx, "insert into "+t.CountRelation()+" (table_number, slot, records, writes) "+
		"values ($1, 0, $2, 1) on conflict (table_number, slot) do update set records = excluded.records",
		t.Number, rows)
	return err
}
