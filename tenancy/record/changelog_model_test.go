package record_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Records remember what they were, and the log must lead back to it. Random writes are done to two
// linked tables and one that is linked with itself.
//
// A long run: go test ./tenancy/record -run ChangeLogLeads -rapid.checks=200 -timeout 2h; with -history.steps=20
// there are more and shorter histories in the same time.

var historySteps = flag.Int("history.steps", 80, "writes of each history of TestTheChangeLogLeadsBack…")

type pastWorld struct {
	*bundle
	t      *testing.T
	acting db.Actor // of what the next steps write
	random *rand.Rand
	tables []*schema.Table
	past   map[string][]past // by the record's id, the oldest first
	gone   map[string]bool

	upserted bool // by the last step
}

// pastTables are two tables with links of each form between them, and one linked with itself.
func pastTables(t *testing.T, b *bundle) []*schema.Table {
	t.Helper()
	common := []catalog.FieldSpec{
		field("Name", schema.Text), field("N", schema.Number), field("Done", schema.Checkbox),
		field("Tags", schema.MultiSelect, `{"options":["a","b","c"]}`), field("Doc", schema.JSON),
	}
	first, second := b.table(t, "First", common...), b.table(t, "Second", common[:2]...)
	own := b.table(t, "Own", common[:2]...)
	b.link(t, first, second, "Many", true, true)
	b.link(t, first, second, "One", false, true)
	b.link(t, second, first, "Only", false, false)
	b.link(t, own, own, "Parent", false, true)
	b.link(t, own, own, "Twin", false, false)
	b.link(t, own, own, "Friends", true, true)
	return []*schema.Table{b.schema(t, first), b.schema(t, second), b.schema(t, own)}
}

// link adds a link field; it says whether it and the one on the other side hold several records.
func (b *bundle) link(t *testing.T, from, to uuid.UUID, name string, multiple, inverse bool) *schema.Field {
	t.Helper()
	made, err := b.store.CreateField(t.Context(), b.actor.Org, from, field(name, schema.LinkType,
		fmt.Sprintf(`{"linkedTableId":%q,"multiple":%t}`, id.Format(id.Table, to), multiple)))
	if err != nil {
		t.Fatal(err)
	}
	if !inverse {
		config := json.RawMessage(`{"multiple":false}`)
		patch := catalog.FieldPatch{Config: config}
		if err := b.store.UpdateField(t.Context(), b.actor.Org, made.Link.Inverse, patch); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

func TestTheChangeLogLeadsBackToEveryStateOfARecord(t *testing.T) {
	seeds := 6
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() != checks.DefValue {
		n, err := strconv.Atoi(checks.Value.String())
		if err != nil {
			t.Fatal(err)
		}
		seeds = n
	}
	t.Parallel()
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			w := &pastWorld{
				bundle: b, t: t, random: rand.New(rand.NewPCG(uint64(seed), 0)),
				tables: pastTables(t, b),
				past:   map[string][]past{}, gone: map[string]bool{},
			}
			for step := range *historySteps {
				does := w.step()
				w.remember(fmt.Sprintf("step %d, %s", step, does))
			}
			w.check()
			w.checkHistories()
		})
	}
}

// step does one write and says which.
func (w *pastWorld) step() string {
	table := w.tables[w.random.IntN(len(w.tables))]
	there := w.living(table)
	what := w.random.IntN(10)
	if len(there) < 2 || what < 2 && len(there) < 9 {
		what = 0
	}
	var err error
	var input any
	w.upserted = what == 3
	switch {
	case what == 0 || what == 1 && len(there) < 9:
		objects := make([]string, 1+w.random.IntN(3))
		for i := range objects {
			objects[i] = w.object(table)
		}
		input = objects
		_, err = w.engine.Create(
			db.WithActor(w.t.Context(), w.acting),
			w.actor,
			table.ID,
			record.Creation{Records: parsed(objects)},
		)
	case what == 2:
		n := 1 + w.random.IntN(2)
		input = there[:n]
		_, err = w.engine.Delete(db.WithActor(w.t.Context(), w.acting), w.actor, table.ID, there[:n])
	case what == 3:
		objects := make([]string, 1+w.random.IntN(3))
		for i := range objects {
			objects[i] = w.object(table)
		}
		input = objects
		_, err = w.engine.Create(db.WithActor(w.t.Context(), w.acting), w.actor, table.ID,
			record.Creation{Records: parsed(objects), UpsertOn: []string{"N"}})
		if problem.KindOf(err) == problem.KindInvalid && err != nil {
			err = nil // a key occurs twice
		}
	case what < 6:
		object := w.object(table)
		input = there[0] + object
		_, err = w.engine.UpdateOne(
			db.WithActor(w.t.Context(), w.acting),
			w.actor,
			there[0],
			jsonvaluetest.ParseObject([]byte(object)),
			false,
		)
	default:
		changes := make([]record.Change, 1+w.random.IntN(min(3, len(there))))
		var all []string
		for i := range changes {
			object := w.object(table)
			all = append(all, there[i], object)
			changes[i] = record.Change{ID: there[i], Fields: jsonvaluetest.ParseObject([]byte(object))}
		}
		input = all
		_, err = w.engine.Update(db.WithActor(w.t.Context(), w.acting), w.actor, table.ID, changes, false)
	}
	if err != nil {
		w.t.Fatalf("%d of %s: %v: %v", what, table.Name, input, err)
	}
	return fmt.Sprintf("%d of %s: %v", what, table.Name, input)
}

// living lists the records of a table in a random order.
func (w *pastWorld) living(table *schema.Table) []string {
	var out []string
	for one := range w.past {
		if number, _, _ := id.ParseRecord(one); number == table.Number && !w.gone[one] {
			out = append(out, one)
		}
	}
	slices.Sort(out)
	w.random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// object is the input for a record: a value for some fields.
func (w *pastWorld) object(table *schema.Table) string {
	values := map[string]any{}
	for _, f := range table.Fields {
		if w.random.IntN(3) > 0 {
			continue
		}
		empty := w.random.IntN(4) == 0
		switch {
		case f.Link != nil:
			isLinked := func(t *schema.Table) bool { return t.ID == f.Link.LinkedTable }
			there := w.living(w.tables[slices.IndexFunc(w.tables, isLinked)])
			most := 3
			if f.Single() {
				most = 1
			}
			values[f.Name] = append([]string{}, there[:w.random.IntN(min(most, len(there))+1)]...)
		case f.Type() == schema.Checkbox:
			values[f.Name] = w.random.IntN(2) == 0
		case empty:
			values[f.Name] = nil
		case f.Type() == schema.Number:
			values[f.Name] = float64(w.random.IntN(6)) / 2
		case f.Type() == schema.MultiSelect:
			values[f.Name] = []string{"a", "b", "c"}[w.random.IntN(3):]
		case f.Type() == schema.JSON:
			values[f.Name] = map[string]any{"x": []any{w.random.IntN(3), nil, "é"}}
		default:
			values[f.Name] = []string{"x", "X", "it's \"y\"", "ß"}[w.random.IntN(4)]
		}
	}
	return string(marshal(values))
}

// remember reads every record. What is as it was has its version, and what is not has a later one.
func (w *pastWorld) remember(after string) {
	w.t.Helper()
	now := w.present(w.t, w.tables)
	for one := range w.past {
		if _, there := now[one]; !there {
			w.gone[one] = true
		}
	}
	for one, p := range now {
		known := w.past[one]
		if len(known) == 0 {
			w.past[one] = []past{p}
			continue
		}
		last := known[len(known)-1]
		same := p.shown == last.shown && (p.version == last.version || !w.isOwn(one) && !w.upserted)
		if p.version < last.version || same != (p.version == last.version) {
			w.t.Fatalf("after %s record %s went from version %d to %d, from %s to %s", after, one, last.version,
				p.version, last.shown, p.shown)
		}
		if p.version != last.version {
			w.past[one] = append(known, p)
		}
	}
}

// check walks from every record's last state to its creation, and meets every entry once.
func (w *pastWorld) check() {
	w.t.Helper()
	trail := w.newTrail(w.t, w.tables)
	for one, known := range w.past {
		last := known[len(known)-1]
		if w.gone[one] {
			last = past{version: trail.deletion(one)}
		}
		w.compare(one, trail.walk(one, last), known)
	}
	trail.checkAllMet()
}

// ownLinks is how many sides of links the table has that is linked with itself.
const ownLinks = 6

// isOwn reports whether a record is of the table that is linked with itself, where a request may
// write both sides of several links. Each side is a change with the next number, and a later one may take back
// an earlier one. So may the new records of an upsert take links from those that it has updated. Another
// request's number is hundreds of microseconds away.
func (w *pastWorld) isOwn(one string) bool {
	number, _, _ := id.ParseRecord(one)
	return number == w.tables[2].Number
}

func (w *pastWorld) compare(one string, found, known []past) {
	w.t.Helper()
	for len(found) > 0 {
		got := found[0]
		switch {
		case len(known) > 0 && got.version == known[0].version:
			if text(got.fields) != text(known[0].fields) {
				w.t.Fatalf("%s at version %d is in the log %s, and was %s", one, got.version, text(got.fields),
					text(known[0].fields))
			}
			known = known[1:]
		case len(found) > 1 && found[1].version <= got.version+ownLinks: // see isOwn
		default:
			for _, later := range found[1:] {
				w.t.Logf("%d later it was %s", later.version-got.version, text(later.fields))
			}
			w.t.Fatalf("nobody has seen %s, deleted %v, at version %d: %s", one, w.gone[one], got.version,
				text(got.fields))
		}
		found = found[1:]
	}
	if len(known) > 0 {
		w.t.Fatalf("the log does not lead from %s to version %d: %s", one, known[0].version, text(known[0].fields))
	}
}
