package sqlquery_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/sqlquery"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A bundle is an organization with a base of ships and captains.
type bundle struct {
	address         string // of the database
	db              *db.DB
	store           *catalog.Store
	engine          *record.Engine
	sql             *sqlquery.Store
	actor           record.Actor
	base            uuid.UUID
	ships, captains uuid.UUID
}

func field(name string, kind schema.Type, config ...string) catalog.FieldSpec {
	spec := catalog.FieldSpec{Name: name, Type: kind}
	if len(config) > 0 {
		spec.Config = json.RawMessage(config[0])
	}
	return spec
}

func setup(t testing.TB) *bundle {
	t.Helper()
	return setupOn(t, tenancytest.DatabaseURL(t), tenancytest.DB(t))
}

// fresh is setup in a database of its own, for tests that remove policies and rights.
func fresh(t testing.TB) (address string, database *db.DB) {
	t.Helper()
	address = tenancytest.FreshDatabaseURL(t)
	database, err := db.Open(t.Context(), address, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 12})
	check(t, err)
	t.Cleanup(database.Close)
	return address, database
}

func setupOn(t testing.TB, address string, database *db.DB) *bundle {
	t.Helper()
	if database.Distributed() {
		t.Skip("SQL is off on Citus")
	}
	org, owner := tenancytest.Org(t, database)
	store := catalog.NewStore(database, catalog.Options{})
	snapshot, err := store.Cached(t.Context(), org)
	check(t, err)
	base, err := store.CreateBase(t.Context(), org, snapshot.Workspaces[0].ID, "Harbour")
	check(t, err)
	b := &bundle{
		address: address,
		db:      database,
		store:   store,
		engine:  record.New(database, store),
		sql:     sqlquery.NewStore(database, store),
		actor:   record.Actor{Org: org, Person: owner},
		base:    base.ID,
	}
	b.captains = b.table(t, "Captains", field("Name", schema.Text), field("Age", schema.Number))
	b.ships = b.table(
		t,
		"Ships",
		field("Name", schema.Text),
		field("Kind", "single_select", `{"options":["Ferry","Tug"]}`),
		field("Tons", schema.Number),
		field("Built", "date"),
		field("Seen", "datetime"),
		field("Ready", "checkbox"),
		field("Tags", "multi_select", `{"options":["old","new"]}`),
		field("Owner", "user", `{"multiple":true}`),
		field("More", "json"),
		field("Number", "auto_number"),
		field("By", "created_by"),
		field("Files", "attachment"),
	)
	link, err := store.CreateField(t.Context(), org, b.ships, catalog.FieldSpec{
		Name: "Captains", Type: "link",
		Config: json.RawMessage(`{"linkedTableId":"` + b.tableOf(t, b.captains).PublicID() + `"}`),
	})
	check(t, err)
	_ = link
	return b
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) table(t testing.TB, name string, fields ...catalog.FieldSpec) uuid.UUID {
	t.Helper()
	made, err := b.store.CreateTable(t.Context(), b.actor.Org, b.base, name, fields)
	check(t, err)
	return made.ID
}

func (b *bundle) tableOf(t testing.TB, table uuid.UUID) *schema.Table {
	t.Helper()
	snapshot, err := b.store.Fresh(t.Context(), b.actor.Org)
	check(t, err)
	return snapshot.Table(table)
}

// create writes records and returns their ids.
func (b *bundle) create(t testing.TB, table uuid.UUID, records ...string) []string {
	t.Helper()
	var ids []string
	for len(records) > 0 {
		n := min(len(records), record.MaxBatch)
		var input []jsonvalue.ParsedObject
		for _, r := range records[:n] {
			input = append(input, jsonvaluetest.ParseObject([]byte(r)))
		}
		written, err := b.engine.Create(t.Context(), b.actor, table, record.Creation{Records: input})
		check(t, err)
		for _, raw := range written.Records {
			var made struct{ ID string }
			check(t, json.Unmarshal(raw, &made))
			ids = append(ids, made.ID)
		}
		records = records[n:]
	}
	return ids
}

// rows runs a statement and returns its rows as text.
func (b *bundle) rows(t testing.TB, sql string) string {
	t.Helper()
	result, err := b.sql.Run(t.Context(), b.actor.Org, b.base, sql, 100)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return joined(result)
}

func joined(result *sqlquery.Result) string {
	var rows []string
	for _, row := range result.Rows {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, " ")
}

// refused runs a statement that must fail and returns the message.
func (b *bundle) refused(t testing.TB, sql string) string {
	t.Helper()
	result, err := b.sql.Run(t.Context(), b.actor.Org, b.base, sql, 100)
	if err == nil {
		t.Fatalf("%s returns %s", sql, joined(result))
	}
	return err.Error()
}

// admin connects as the administrator of the database.
func (b *bundle) admin(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), tenancytest.AdminURLOf(t, b.address))
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// analyze lets the planner know how many records there are.
func analyze(t testing.TB, b *bundle) error {
	_, err := b.admin(t).Exec(t.Context(), "analyze "+b.tableOf(t, b.ships).Relation())
	return err
}

// purge empties the trash.
func (b *bundle) purge(t testing.TB) {
	t.Helper()
	for {
		again, err := b.store.PurgeBefore(t.Context(), b.actor.Org, time.Now().Add(time.Hour))
		check(t, err)
		if !again {
			return
		}
	}
}
