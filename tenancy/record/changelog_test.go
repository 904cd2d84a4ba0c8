package record_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A logged entry is a row of the log.
type logged struct {
	Number     int64
	Set        uuid.UUID
	Person     *uuid.UUID
	Table      int32
	Kind       changelog.Kind
	Credential string
	Request    *string
	Records    []uuid.UUID
	Previous   []int64
	Before     []map[string]any
}

// log reads the whole log.
func (b *bundle) log(t *testing.T) []logged {
	t.Helper()
	var out []logged
	err := b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) (err error) {
		out, err = readLog(t.Context(), tx, b.actor.Org, 0, math.MaxInt64)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// readLog reads the entries with numbers above one and up to another.
func readLog(ctx context.Context, q queryer, org uuid.UUID, above, upTo int64) ([]logged, error) {
	rows, err := q.Query(ctx, `select number, change_set, person, table_number, kind, credential, request, records,
		previous, before from `+changelog.Relation(org)+` where number > $1 and number <= $2 and kind <> 10 order by
			number`,
		above, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[logged])
}

// A past is what a record was at a version.
type past struct {
	version int64
	fields  map[string]any // by the key in the log, in a form that does not depend on where it was read
	shown   string         // the fields as the API shows them
}

// pastOf reads a record as the engine gives it.
func pastOf(t *testing.T, table *schema.Table, raw []byte) past {
	t.Helper()
	var r struct {
		Version int64          `json:"version"`
		Fields  map[string]any `json:"fields"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	p := past{version: r.Version, fields: map[string]any{}, shown: text(r.Fields)}
	for _, f := range table.Fields {
		p.fields[changelog.Key(&f.Field)] = plain(f, r.Fields[f.Name])
	}
	return p
}

// present reads every record. A list shows a record as a request for it alone does.
func (b *bundle) present(t *testing.T, tables []*schema.Table) map[string]past {
	t.Helper()
	out := map[string]past{}
	for _, table := range tables {
		page, rows := b.list(t, table.ID, query.Request{})
		for i, raw := range page.Records {
			out[rows[i].ID] = pastOf(t, table, raw)
		}
		if len(rows) > 0 {
			raw, err := b.engine.Get(t.Context(), b.actor, rows[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			if alone := pastOf(t, table, raw); alone.shown != out[rows[0].ID].shown ||
				alone.version != out[rows[0].ID].version {
				t.Fatalf("%s is %s at version %d alone, and listed %s at version %d", rows[0].ID, alone.shown,
					alone.version, out[rows[0].ID].shown, out[rows[0].ID].version)
			}
		}
	}
	return out
}

func text(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

// plain gives the values of the log and of the API one form: linked records have no order, and the
// ids of the log.
func plain(f *schema.Field, value any) any {
	list, _ := value.([]any)
	switch {
	case f.Link != nil:
		ids := []string{}
		for _, one := range list {
			u, err := uuid.Parse(one.(string))
			if err != nil {
				if _, u, err = id.ParseRecord(one.(string)); err != nil {
					panic(err)
				}
			}
			ids = append(ids, u.String())
		}
		slices.Sort(ids)
		return ids
	case f.Type() == schema.MultiSelect && len(list) == 0:
		return nil
	case f.Type() == schema.Checkbox && value == nil:
		return false
	}
	return value
}

// A trail is the whole log, to be walked from records to their creations.
type trail struct {
	t       *testing.T
	entries []logged
	at      map[string][]place // where a record is, by table, id and number
	fields  map[string]*schema.Field
	met     map[place]int
}

type place struct{ entry, index int }

func (b *bundle) newTrail(t *testing.T, tables []*schema.Table) *trail {
	t.Helper()
	trail := &trail{
		t: t, entries: b.log(t), at: map[string][]place{}, fields: map[string]*schema.Field{}, met: map[place]int{},
	}
	for _, table := range tables {
		for _, f := range table.Fields {
			trail.fields[changelog.Key(&f.Field)] = f
		}
	}
	for e, entry := range trail.entries {
		for i, u := range entry.Records {
			key := fmt.Sprint(id.FormatRecord(entry.Table, u), entry.Number)
			trail.at[key] = append(trail.at[key], place{e, i})
		}
	}
	return trail
}

// deletion returns the number of a record's deletion.
func (l *trail) deletion(one string) int64 {
	number, u, _ := id.ParseRecord(one)
	for _, e := range l.entries {
		if e.Kind == changelog.Deleted && e.Table == number && slices.Contains(e.Records, u) {
			return e.Number
		}
	}
	l.t.Fatalf("no deletion of %s", one)
	return 0
}

// walk undoes the changes of a record from its last state, and returns its states, the oldest
// first. A deleted record's last state is its deletion, which is not among what is returned.
func (l *trail) walk(one string, last past) []past {
	l.t.Helper()
	var states []past
	fields := map[string]any{}
	for key, value := range last.fields {
		fields[key] = value
	}
	for version := last.version; ; {
		places := l.at[fmt.Sprint(one, version)]
		if len(places) == 0 {
			l.t.Fatalf("the version %d of %s is not in the log", version, one)
		}
		if kind := l.entries[places[0].entry].Kind; kind != changelog.Deleted {
			copied := map[string]any{}
			for key, value := range fields {
				copied[key] = value
			}
			states = append([]past{{version: version, fields: copied}}, states...)
		}
		slices.SortStableFunc(places, func(a, b place) int { // what stood there before is undone last
			return int(l.entries[b.entry].Kind) - int(l.entries[a.entry].Kind)
		})
		previous := version
		for _, p := range places {
			l.met[p]++
			entry := l.entries[p.entry]
			if entry.Kind == changelog.Created {
				continue
			}
			previous = min(previous, entry.Previous[p.index])
			for key, was := range entry.Before[p.index] {
				l.undo(fields, entry.Kind, key, was)
			}
			if entry.Kind == changelog.Deleted {
				for key, f := range l.fields {
					if f.Table.Number == entry.Table && fields[key] == nil {
						fields[key] = plain(f, nil)
					}
				}
			}
		}
		if previous == version {
			created := func(p place) bool { return l.entries[p.entry].Kind == changelog.Created }
			if !slices.ContainsFunc(places, created) {
				l.t.Fatalf("the version %d of %s is its first, and not its creation", version, one)
			}
			return states
		}
		if previous > version {
			l.t.Fatalf("the version before %d of %s is %d", version, one, previous)
		}
		version = previous
	}
}

func (l *trail) undo(fields map[string]any, kind changelog.Kind, key string, was any) {
	f := l.fields[key]
	if f == nil {
		return // created_at and others of a deleted record
	}
	if kind != changelog.Linked {
		fields[key] = plain(f, was)
		return
	}
	delta := was.(map[string]any)
	links := slices.Clone(fields[key].([]string))
	for _, added := range plain(f, delta["added"]).([]string) {
		at := slices.Index(links, added)
		if at < 0 {
			l.t.Errorf("%s gained %s and does not hold it", f.Name, added)
			continue
		}
		links = slices.Delete(links, at, at+1)
	}
	for _, removed := range plain(f, delta["removed"]).([]string) {
		if slices.Contains(links, removed) {
			l.t.Errorf("%s lost %s and holds it", f.Name, removed)
			continue
		}
		links = append(links, removed)
	}
	slices.Sort(links)
	fields[key] = links
}

// checkAllMet reports entries that no walk has met, or two.
func (l *trail) checkAllMet() {
	l.t.Helper()
	for e, entry := range l.entries {
		for i, u := range entry.Records {
			if n := l.met[place{e, i}]; n != 1 {
				l.t.Errorf("the change %d of kind %d of %s was met %d times", entry.Number, entry.Kind,
					id.FormatRecord(entry.Table, u), n)
			}
		}
	}
}
