//go:build chaos

package chaos

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A recordKey names a record of an organization.
type recordKey struct {
	table int32
	id    uuid.UUID
}

func (k recordKey) String() string { return id.FormatRecord(k.table, k.id) }

// The cells of a record by their keys in the log, each as JSON or, for a link field, as sorted ids.
type cells map[string][]string

func cell(raw json.RawMessage) []string {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return []string{string(raw)}
}

func linked(raw json.RawMessage) []string {
	var ids []string
	_ = json.Unmarshal(raw, &ids) // what is not a list differs from every list
	slices.Sort(ids)
	return ids
}

// A loggedChange is what an entry of the log says of one record.
type loggedChange struct {
	number   int64
	kind     changelog.Kind
	set      uuid.UUID
	previous int64
	before   map[string]json.RawMessage
}

// undone are the kinds in the order in which changes with one number are undone.
var undone = []changelog.Kind{
	changelog.Linked, changelog.Updated, changelog.Restored, changelog.Created, changelog.Deleted,
}

type storedRecord struct {
	version int64
	cells   cells
}

// A logAudit compares an organization's log of changes with its records, both in one snapshot of
// the administrator. Each change must have its entry, and each entry its change.
type logAudit struct {
	fields  map[int32]map[string]*schema.Field
	records map[recordKey]*storedRecord
	chains  map[recordKey][]loggedChange // the latest first
	states  map[recordKey]map[int64]cells

	entries, changes, gone int
	kinds                  map[changelog.Kind]int
	faults                 []string
}

// auditLog checks every record and every entry of an organization. The superuser's URL may name any
// database; name is the organization's database.
func auditLog(t *testing.T, database *db.DB, admin, name string, org uuid.UUID) *logAudit {
	t.Helper()
	a := &logAudit{
		fields: map[int32]map[string]*schema.Field{}, records: map[recordKey]*storedRecord{},
		chains: map[recordKey][]loggedChange{}, states: map[recordKey]map[int64]cells{},
		kinds: map[changelog.Kind]int{},
	}
	snapshot, err := catalog.NewStore(database, catalog.Options{}).Fresh(t.Context(), org)
	if err != nil {
		t.Fatal(err)
	}
	conn := connectAdmin(t, admin, name)
	defer func() { _ = conn.Close(context.Background()) }()
	err = pgx.BeginTxFunc(t.Context(), conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(tx pgx.Tx) error {
			for _, base := range snapshot.Bases {
				for _, table := range base.Tables {
					if err := a.readTable(t.Context(), tx, table); err != nil {
						return fmt.Errorf("reading the table %s: %w", table.Name, err)
					}
				}
			}
			return a.readLog(t.Context(), tx, org)
		})
	if err != nil {
		t.Fatal(err)
	}
	for key := range a.records {
		a.walk(key)
	}
	for key := range a.chains {
		if a.records[key] == nil {
			a.gone++
			a.walk(key)
		}
	}
	return a
}

// connectAdmin connects to a database as the superuser.
func connectAdmin(t *testing.T, admin, name string) *pgx.Conn {
	t.Helper()
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	conn, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func (a *logAudit) readTable(ctx context.Context, tx pgx.Tx, table *schema.Table) error {
	fields := map[string]*schema.Field{}
	a.fields[table.Number] = fields
	for _, f := range table.Fields {
		fields[changelog.Key(&f.Field)] = f
	}
	rows, err := tx.Query(ctx, "select t.id, t.version, to_jsonb(t) from "+table.Relation()+" t")
	if err != nil {
		return err
	}
	key, version, values := recordKey{table: table.Number}, int64(0), map[string]json.RawMessage{}
	_, err = pgx.ForEachRow(rows, []any{&key.id, &version, &values}, func() error {
		a.records[key] = &storedRecord{version, a.cellsOf(table.Number, values)}
		values = nil
		return nil
	})
	if err != nil {
		return err
	}
	for name, f := range fields {
		if f.Link == nil {
			continue
		}
		rows, err := tx.Query(ctx, fmt.Sprintf("select %s, array_agg(%s::text order by %[2]s::text) from %s group by 1",
			f.Link.Own, f.Link.Other, f.Link.Relation(table.Org)))
		if err != nil {
			return err
		}
		var others []string
		_, err = pgx.ForEachRow(rows, []any{&key.id, &others}, func() error {
			if r := a.records[key]; r == nil {
				a.fault("%s is not there and has links in %s", key, f.Name)
			} else {
				r.cells[name] = slices.Clone(others)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cellsOf returns the current values of a table's fields.
func (a *logAudit) cellsOf(table int32, values map[string]json.RawMessage) cells {
	out := cells{}
	for name, f := range a.fields[table] {
		if raw, given := values[name]; given && f.Link == nil {
			out[name] = cell(raw)
		} else if given {
			out[name] = linked(raw)
		}
	}
	return out
}

func (a *logAudit) readLog(ctx context.Context, tx pgx.Tx, org uuid.UUID) error {
	rows, err := tx.Query(ctx, "select number, kind, table_number, change_set, records, previous, before from "+
		changelog.Relation(org)+" where kind <> $1", changelog.Schema)
	if err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	for rows.Next() {
		var c loggedChange
		var key recordKey
		var records []uuid.UUID
		var previous []int64
		var before []map[string]json.RawMessage
		if err := rows.Scan(&c.number, &c.kind, &key.table, &c.set, &records, &previous, &before); err != nil {
			return fmt.Errorf("reading an entry of the log: %w", err)
		}
		a.entries++
		for i, record := range records {
			key.id, c.previous, c.before = record, 0, nil
			if previous != nil {
				c.previous = previous[i]
			}
			if before != nil {
				c.before = before[i]
			}
			a.changes++
			a.kinds[c.kind]++
			a.chains[key] = append(a.chains[key], c)
		}
	}
	for _, chain := range a.chains {
		slices.SortFunc(chain, func(x, y loggedChange) int {
			return cmp.Or(cmp.Compare(y.number, x.number),
				cmp.Compare(slices.Index(undone, x.kind), slices.Index(undone, y.kind)))
		})
	}
	return rows.Err()
}

func (a *logAudit) fault(format string, args ...any) {
	a.faults = append(a.faults, fmt.Sprintf(format, args...))
}

// walk follows a record's chain to its creation, and undoes its changes one after the other.
func (a *logAudit) walk(key recordKey) {
	chain, stored := a.chains[key], a.records[key]
	var state cells
	switch {
	case stored == nil && chain[0].kind != changelog.Deleted:
		a.fault("%s is not there, and its last change is %d of kind %d", key, chain[0].number, chain[0].kind)
		return
	case stored == nil:
	case len(chain) == 0:
		a.fault("%s has version %d and is not in the log", key, stored.version)
		return
	case chain[0].number != stored.version || chain[0].kind == changelog.Deleted:
		a.fault("%s has version %d, and its last change is %d of kind %d", key, stored.version, chain[0].number,
			chain[0].kind)
		return
	default:
		state = stored.cells
	}
	a.states[key] = map[int64]cells{}
	for i := 0; i < len(chain); {
		number, first := chain[i].number, chain[i].kind
		a.states[key][number] = maps.Clone(state)
		var before []int64
		for ; i < len(chain) && chain[i].number == number; i++ {
			first = chain[i].kind
			if first != changelog.Created && chain[i].previous != number { // number: changed before by the same request
				before = append(before, chain[i].previous)
			}
			state = a.undo(key, state, chain[i])
		}
		slices.Sort(before)
		before = slices.Compact(before)
		switch {
		case first == changelog.Created:
			if len(before) > 0 || i < len(chain) {
				a.fault("%s was changed before its creation %d", key, number)
			}
		case i == len(chain):
			a.fault("the first change %d of %s follows %v, and is not its creation", number, key, before)
		case !slices.Equal(before, []int64{chain[i].number}):
			a.fault("the change %d of %s follows %v, and the log has %d before it", number, key, before,
				chain[i].number)
		}
	}
}

// undo returns what a record was before a change: nil if it was not there.
func (a *logAudit) undo(key recordKey, state cells, c loggedChange) cells {
	if (state == nil) != (c.kind == changelog.Deleted) {
		a.fault("the change %d of %s is of kind %d, and the record was there afterwards: %t", c.number, key, c.kind,
			state != nil)
	}
	switch c.kind {
	case changelog.Created, changelog.Restored:
		return nil
	case changelog.Deleted:
		return a.cellsOf(key.table, c.before)
	}
	state = maps.Clone(state)
	if state == nil || len(c.before) == 0 {
		a.fault("the change %d of %s changed nothing", c.number, key)
		return cells{}
	}
	for name, was := range c.before {
		switch f := a.fields[key.table][name]; {
		case f == nil: // the field is gone
		case c.kind == changelog.Linked:
			a.undoLink(key, state, name, c.number, was)
		default:
			before := cell(was)
			if f.Link != nil {
				before = linked(was)
			}
			// A list of links may have changed only its order.
			if slices.Equal(before, state[name]) && (f.Link == nil || len(before) < 2) {
				a.fault("%s of %s was %v before %d and after it", f.Name, key, before, c.number)
			}
			state[name] = before
		}
	}
	return state
}

func (a *logAudit) undoLink(key recordKey, state cells, name string, number int64, was json.RawMessage) {
	var delta struct{ Added, Removed []string }
	if err := json.Unmarshal(was, &delta); err != nil || len(delta.Added)+len(delta.Removed) == 0 {
		a.fault("the links that %s gained and lost at %d are %s", key, number, was)
	}
	linked := slices.Clone(state[name])
	for _, added := range delta.Added {
		at := slices.Index(linked, added)
		if at < 0 {
			a.fault("%s gained %s in %s at %d and does not hold it", key, added, name, number)
			continue
		}
		linked = slices.Delete(linked, at, at+1)
	}
	for _, removed := range delta.Removed {
		if slices.Contains(linked, removed) {
			a.fault("%s lost %s in %s at %d and holds it", key, removed, name, number)
			continue
		}
		linked = append(linked, removed)
	}
	slices.Sort(linked)
	state[name] = linked
}

// An acknowledgement is the response to a successful write.
type acknowledgement struct {
	set     uuid.UUID      // its change set
	kind    changelog.Kind // of the entry, if the response has no versions
	records []answeredRecord
}

type answeredRecord struct {
	key     recordKey
	version int64
	fields  map[string]json.RawMessage // by name
}

// acknowledged checks that acknowledged writes are in the log: each record under the change set and
// with the version of the response, and the response's values at that version. It returns how many
// records it has found.
func (a *logAudit) acknowledged(all []acknowledgement) (found int) {
	for _, one := range all {
		for _, r := range one.records {
			at := slices.IndexFunc(a.chains[r.key], func(c loggedChange) bool {
				return c.set == one.set && (one.kind == 0 || c.kind == one.kind) &&
					(r.version == 0 || c.number == r.version)
			})
			if at < 0 {
				a.fault("the acknowledged change set %s of %s, version %d, is not in the log",
					id.Format(id.ChangeSet, one.set), r.key, r.version)
				continue
			}
			found++
			state := a.states[r.key][r.version]
			for name, f := range a.fields[r.key.table] {
				if raw, given := r.fields[f.Name]; given && f.Link == nil && !slices.Equal(cell(raw), state[name]) {
					a.fault("%s was answered with %s %s at version %d, and the log leads back to %v", r.key, f.Name,
						raw, r.version, state[name])
				}
			}
		}
	}
	return found
}

// check reports the faults.
func (a *logAudit) check(t *testing.T) {
	t.Helper()
	for _, fault := range a.faults[:min(10, len(a.faults))] {
		t.Error(fault)
	}
	if len(a.faults) > 10 {
		t.Errorf("and %d faults more", len(a.faults)-10)
	}
}

// String counts what was compared.
func (a *logAudit) String() string {
	return fmt.Sprintf("%d records and %d deleted ones against %d entries with %d changes (%d created, %d updated, "+
		"%d deleted, %d linked, %d restored): %d faults", len(a.records), a.gone, a.entries, a.changes,
		a.kinds[changelog.Created], a.kinds[changelog.Updated], a.kinds[changelog.Deleted],
		a.kinds[changelog.Linked], a.kinds[changelog.Restored], len(a.faults))
}
