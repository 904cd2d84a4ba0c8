package record_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// The engine is compared with a model of it: the same tables in memory, without SQL. Random schemas,
// writes and changes of the schema are done to both, and random lists, searches and aggregations are
// compared.
//
// A long run: go test ./tenancy/record -run Model -rapid.checks=1000 -rapid.steps=80 -timeout 2h

// A world is one organization: its tables as the engine has them, and as they should be.
type world struct {
	*bundle
	t      *testing.T
	me     string // the only member's public id
	mail   string
	tables []*modelTable
	rank   map[string]int // of every text that can occur, in the order of lists
	named  int            // names given
	long   bool
	asOf   string // that lists are asked for; "" is now
}

type modelTable struct {
	id     uuid.UUID
	name   string
	fields []*modelField // the primary one first
	rows   []*modelRow   // in the order of their ids
}

type modelField struct {
	table   *modelTable
	id      uuid.UUID
	name    string
	kind    schema.Type
	options []string
	zone    string // of a datetime
	several bool   // of a user field
	pairs   *pairs // of a link
	own     int    // which side of the pairs this field's records are
}

// A modelRow is a record. A value is nil, string (also dates, as they are written), float64, bool,
// []string, or moment.
type modelRow struct {
	id     string
	values map[*modelField]any
}

// pairs are what two link fields show of each other.
type pairs struct {
	sides  [2]*modelField
	linked map[[2]*modelRow]bool
}

// linkedTo lists the records to which a record is linked, in the order of ids.
func (f *modelField) linkedTo(r *modelRow) []*modelRow {
	var out []*modelRow
	for p := range f.pairs.linked {
		if p[f.own] == r {
			out = append(out, p[1-f.own])
		}
	}
	slices.SortFunc(out, func(a, b *modelRow) int { return cmp.Compare(a.id, b.id) })
	return out
}

func (f *modelField) other() *modelField { return f.pairs.sides[1-f.own] }

func (f *modelField) shape() shape { return shapes[f.kind] }

func TestTheEngineDoesWhatItsModelDoes(t *testing.T) {
	t.Parallel()
	checks := flag.Lookup("rapid.checks")
	long := checks.Value.String() != checks.DefValue
	if !long {
		if err := flag.Set("rapid.checks", "60"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, rt, long)
		rt.Repeat(map[string]func(*rapid.T){
			"create":        w.create,
			"create more":   w.create,
			"update":        w.update,
			"update more":   w.update,
			"upsert":        w.upsert,
			"delete":        w.delete,
			"list":          w.list,
			"list again":    w.list,
			"bounds":        w.bounds,
			"walk":          w.walk,
			"search":        w.search,
			"aggregate":     w.aggregate,
			"add field":     w.addField,
			"delete field":  w.deleteField,
			"rename field":  w.renameField,
			"change type":   w.changeType,
			"change option": w.changeOptions,
			"index":         w.index,
		})
	})
}

func newWorld(t *testing.T, rt *rapid.T, long bool) *world {
	w := &world{bundle: setup(t), t: t, long: long, rank: map[string]int{}}
	w.me = id.Format(id.User, w.actor.Person)
	w.mail = w.actor.Person.String() + "@example.com"
	for _, name := range []string{"First", "Second"} {
		m := &modelTable{name: name}
		specs := []catalog.FieldSpec{field("Name", schema.Text)}
		m.fields = []*modelField{{table: m, name: "Name", kind: schema.Text}}
		for range rapid.IntRange(1, 4).Draw(rt, "fields") {
			f, spec := w.drawField(rt, m)
			m.fields, specs = append(m.fields, f), append(specs, spec)
		}
		m.id = w.table(t, name, specs...)
		w.tables = append(w.tables, m)
		w.learnFields(rt, m)
	}
	w.learnRanks()
	return w
}

// learnFields notes the ids that fields were given.
func (w *world) learnFields(rt *rapid.T, m *modelTable) {
	there := w.schema(w.t, m.id)
	if len(there.Fields) != len(m.fields) {
		rt.Fatalf("%d fields, want %d", len(there.Fields), len(m.fields))
	}
	for _, f := range m.fields {
		known := there.FieldByName(f.name)
		if known == nil || known.Type() != f.kind {
			rt.Fatalf("field %q is %v, want %s", f.name, known, f.kind)
		}
		f.id = known.ID
	}
}

// learnRanks asks PostgreSQL for the order of all texts, which is the collation's and not the
// engine's.
func (w *world) learnRanks(further ...string) {
	all := slices.AppendSeq(slices.Concat(texts, optionNames, further), maps.Keys(w.rank))
	slices.Sort(all)
	all = slices.Compact(all)
	err := w.db.Tx(w.t.Context(), w.actor.Org, func(tx pgx.Tx) error {
		rows, err := tx.Query(w.t.Context(),
			`select x from unnest($1::text[]) x order by x collate gate.natural_order`, all)
		if err != nil {
			return err
		}
		ordered, err := pgx.CollectRows(rows, pgx.RowTo[string])
		for i, s := range ordered {
			w.rank[s] = i
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) someTable(rt *rapid.T) *modelTable {
	return rapid.SampledFrom(w.tables).Draw(rt, "table")
}

// fields that a draw can be made from; none skips the step.
func (m *modelTable) where(rt *rapid.T, label string, fits func(f *modelField) bool) *modelField {
	var fields []*modelField
	for _, f := range m.fields {
		if fits(f) {
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 {
		rt.Skip("no such field")
	}
	return rapid.SampledFrom(fields).Draw(rt, label)
}

func (m *modelTable) insert(r *modelRow) {
	at, _ := slices.BinarySearchFunc(m.rows, r, func(a, b *modelRow) int { return cmp.Compare(a.id, b.id) })
	m.rows = slices.Insert(m.rows, at, r)
}

func (m *modelTable) byID(public string) *modelRow {
	at := slices.IndexFunc(m.rows, func(r *modelRow) bool { return r.id == public })
	if at < 0 {
		return nil
	}
	return m.rows[at]
}

// compare holds a record as it came from the engine against the model's.
func (w *world) compare(rt *rapid.T, m *modelTable, r *modelRow, raw []byte) {
	got := rec{}
	if err := json.Unmarshal(raw, &got); err != nil {
		rt.Fatalf("%v in %s", err, raw)
	}
	if got.ID != r.id {
		rt.Fatalf("record %s, want %s", got.ID, r.id)
	}
	if len(got.Fields) != len(m.fields) {
		rt.Fatalf("%d fields in %s, want %d", len(got.Fields), raw, len(m.fields))
	}
	for _, f := range m.fields {
		value := got.Fields[f.name]
		if list, ok := value.([]any); ok && f.pairs != nil {
			slices.SortFunc(list, func(a, b any) int { return cmp.Compare(a.(string), b.(string)) }) // ids
		}
		have, err := json.Marshal(value)
		if err != nil {
			rt.Fatal(err)
		}
		want, err := json.Marshal(seen(f, r))
		if err != nil {
			rt.Fatal(err)
		}
		if string(have) != string(want) {
			rt.Fatalf("%s of %s (%s) is %s, want %s", f.name, r.id, f.kind, have, want)
		}
	}
}

// seen is a value as the API shows it.
func seen(f *modelField, r *modelRow) any {
	switch value := r.values[f].(type) {
	case moment:
		return value.String()
	case []string:
		if f.shape() == shapeUser && !f.several {
			return value[0]
		}
		return value
	case nil:
		if f.kind == schema.Checkbox {
			return false
		}
		if f.pairs == nil {
			return nil
		}
		var ids []string
		for _, o := range f.linkedTo(r) {
			ids = append(ids, o.id)
		}
		if ids == nil {
			return nil
		}
		return ids
	default:
		return value
	}
}

// holds reports whether a search finds the record.
func (w *world) holds(m *modelTable, r *modelRow, text string) bool {
	for _, f := range m.fields {
		for _, s := range w.words(f, r) {
			if strings.Contains(searchFold(s), searchFold(text)) {
				return true
			}
		}
	}
	return false
}

// words are the texts that a search looks at in one field of a record.
func (w *world) words(f *modelField, r *modelRow) []string {
	if f.pairs != nil {
		var out []string
		for _, o := range f.linkedTo(r) {
			if s, ok := o.values[f.other().table.fields[0]].(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	switch value := r.values[f].(type) {
	case string:
		return []string{value}
	case float64:
		return []string{string(numberJSON(value))}
	case moment:
		return []string{value.String()}
	case []string:
		if f.shape() == shapeUser {
			return []string{"Test Person", w.mail}
		}
		return value
	}
	return nil
}

// fold is text in one case of letters, as a filter compares it.
func fold(s string) string {
	return strings.NewReplacer("ς", "σ", "i̇", "i").Replace(strings.ToLower(s))
}

// searchFold is fold without accents, as a search compares texts.
func searchFold(s string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(fold(s)))
	return strings.NewReplacer("ß", "ss", "ø", "o", "æ", "ae").Replace(letters)
}
