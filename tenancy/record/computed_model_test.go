package record_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

var (
	computedEdits = flag.Int("computed.edits", 100, "random edits of TestComputedFieldsAgreeWithAModel")
	computedSeed  = flag.Uint64("computed.seed", 0, "seed of these edits; 0 draws one")
)

// A model computes every computed field of three linked tables from scratch, in Go. It knows numbers
// alone: nil is empty, and an errorValue is an error.
type computedModel struct {
	*bundle
	t      *testing.T
	random *rand.Rand
	tables [3]*linkedTable
	names  int
	edits  int
	log    []string
}

type linkedTable struct {
	id      uuid.UUID
	public  string
	fields  []*linkedField
	records []*linkedRecord
	link    string // the name of its link to the next table
	back    string // the name of the link of the one before, on this side
}

type linkedField struct {
	id       uuid.UUID
	name     string
	op       string // "" for a number that people write
	a, b     *linkedField
	table    int
	outward  bool // it reads the next table, and not the one before
	currency bool // its type, and not number
	gone     bool // it is in the trash
	round    bool // it computes from itself, since something came back from the trash
	constant float64
}

type linkedRecord struct {
	id     string
	values map[*linkedField]any
	next   []*linkedRecord // linked records of the next table, in their order
}

type errorValue string

func TestComputedFieldsAgreeWithAModel(t *testing.T) {
	t.Parallel()
	seed := *computedSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	m := &computedModel{bundle: setup(t), t: t, random: rand.New(rand.NewPCG(seed, 1))}
	defer func() {
		if t.Failed() {
			t.Logf("seed %d, edit %d\n%s", seed, m.edits, strings.Join(m.log[max(len(m.log)-40, 0):], "\n"))
		}
	}()
	m.begin()
	for n := range *computedEdits {
		m.edits = n + 1
		m.edit()
		if n%5 == 4 || n == *computedEdits-1 {
			m.compare()
		}
		if n%37 == 36 {
			m.unkept(t) // values are computed where they are read from here on
			m.compare()
			for _, table := range m.tables {
				number := m.schema(t, table.id).Number
				if _, err := m.store.Fill(t.Context(), m.actor.Org, number, later()); err != nil {
					t.Fatal(err)
				}
			}
			m.compare()
		}
		if t.Failed() {
			return
		}
	}
}

func (m *computedModel) begin() {
	for i := range m.tables {
		u := m.table(m.t, fmt.Sprintf("T%d", i), field("Name", schema.Text))
		m.tables[i] = &linkedTable{id: u, public: id.Format(id.Table, u)}
	}
	for i, table := range m.tables {
		next := m.tables[(i+1)%3]
		table.link = fmt.Sprintf("To %d", i)
		made := m.addField(m.t, table.id, field(table.link, schema.LinkType,
			fmt.Sprintf(`{"linkedTableId":%q}`, next.public)))
		snapshot, err := m.store.Fresh(m.t.Context(), m.actor.Org)
		if err != nil {
			m.t.Fatal(err)
		}
		next.back = snapshot.Field(snapshot.Field(made.ID).Link.Inverse).Name
	}
	for i := range m.tables {
		for range 2 {
			m.addPlain(i)
		}
	}
	for range 9 {
		m.addRecord(m.random.IntN(3))
	}
	for range 8 {
		m.addComputed(m.random.IntN(3))
	}
	m.compare()
}

func (m *computedModel) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *computedModel) name() string {
	m.names++
	return fmt.Sprintf("F%d", m.names)
}

func (m *computedModel) addPlain(i int) {
	f := &linkedField{name: m.name(), table: i}
	f.id = m.addField(m.t, m.tables[i].id, field(f.name, schema.Number)).ID
	m.tables[i].fields = append(m.tables[i].fields, f)
}

// drawn is a random field of a table that is there.
func (m *computedModel) drawn(i int, fits func(f *linkedField) bool) *linkedField {
	var some []*linkedField
	for _, f := range m.tables[i].fields {
		if !f.gone && fits(f) {
			some = append(some, f)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[m.random.IntN(len(some))]
}

func anyField(*linkedField) bool { return true }

var computedOps = []string{"+", "*", "/", "if", "sum", "max", "count", "counta"}

// config draws what a field computes, and writes its config. It is nil where there is nothing to read.
func (m *computedModel) config(f *linkedField) (kind string, config map[string]any) {
	f.op, f.constant = computedOps[m.random.IntN(len(computedOps))], float64(m.random.IntN(5))
	f.a, f.b = m.drawn(f.table, anyField), m.drawn(f.table, anyField)
	f.outward = m.random.IntN(2) == 0
	link, other := m.tables[f.table].link, (f.table+1)%3
	if !f.outward {
		link, other = m.tables[f.table].back, (f.table+2)%3
	}
	if f.op == "sum" || f.op == "max" || f.op == "counta" {
		f.a, f.b = m.drawn(other, anyField), nil
	}
	if f.op != "count" && f.a == nil {
		return "", nil
	}
	switch f.op {
	case "count":
		f.a, f.b = nil, nil
		return "count", map[string]any{"linkFieldId": link}
	case "sum", "max", "counta":
		return "rollup", map[string]any{
			"linkFieldId": link, "fieldId": f.a.name, "function": strings.ToUpper(f.op),
		}
	case "if":
		return "formula", map[string]any{
			"formula": fmt.Sprintf("IF({%s} > %g, {%s}, {%s} + 1)", f.a.name, f.constant, f.b.name, f.a.name),
		}
	}
	return "formula", map[string]any{"formula": fmt.Sprintf("{%s} %s {%s}", f.a.name, f.op, f.b.name)}
}

func (m *computedModel) addComputed(i int) {
	f := &linkedField{name: m.name(), table: i}
	kind, config := m.config(f)
	if config == nil || m.links(f, nil, nil) > maxLinks {
		return
	}
	raw, err := json.Marshal(config)
	if err != nil {
		m.t.Fatal(err)
	}
	m.note("create %s of table %d: %s %s", f.name, i, kind, raw)
	f.id = m.addField(m.t, m.tables[i].id, field(f.name, schema.Type(kind), string(raw))).ID
	m.tables[i].fields = append(m.tables[i].fields, f)
}

func (m *computedModel) addRecord(i int) {
	r := &linkedRecord{values: map[*linkedField]any{}}
	object := m.values(i, r)
	object["Name"] = "r"
	raw, err := json.Marshal(object)
	if err != nil {
		m.t.Fatal(err)
	}
	written, err := m.engine.Create(m.t.Context(), m.actor, m.tables[i].id, record.Creation{
		Records: parsed([]string{string(raw)}),
	})
	if err != nil {
		m.t.Fatal(err)
	}
	r.id = decode(m.t, written.Records[0]).ID
	m.note("record %s of table %d: %s", r.id, i, raw)
	m.tables[i].records = append(m.tables[i].records, r)
}

// values draws values of some fields of a record.
func (m *computedModel) values(i int, r *linkedRecord) map[string]any {
	object := map[string]any{}
	for _, f := range m.tables[i].fields {
		if f.op != "" || f.gone || m.random.IntN(3) == 0 {
			continue
		}
		var value any = float64(m.random.IntN(9) - 3)
		if m.random.IntN(5) == 0 {
			value = nil
		}
		r.values[f], object[f.name] = value, value
	}
	return object
}

func (m *computedModel) edit() {
	i := m.random.IntN(3)
	table := m.tables[i]
	var r *linkedRecord
	if len(table.records) > 0 {
		r = table.records[m.random.IntN(len(table.records))]
	}
	switch n := m.random.IntN(100); {
	case n < 45 && r != nil:
		m.write(i, r, m.values(i, r))
	case n < 65 && r != nil:
		next := m.tables[(i+1)%3].records
		r.next = nil
		ids := []string{}
		for _, at := range m.random.Perm(len(next))[:m.random.IntN(min(len(next), 3)+1)] {
			r.next, ids = append(r.next, next[at]), append(ids, next[at].id)
		}
		m.write(i, r, map[string]any{table.link: ids})
	case n < 73 && len(table.records) < 30: // a page shows all of them
		m.addRecord(i)
	case n < 79 && r != nil:
		m.note("delete %s", r.id)
		if _, err := m.engine.Delete(m.t.Context(), m.actor, table.id, []string{r.id}); err != nil {
			m.t.Fatal(err)
		}
		table.records = slices.DeleteFunc(table.records, func(o *linkedRecord) bool { return o == r })
		for _, before := range m.tables[(i+2)%3].records {
			before.next = slices.DeleteFunc(before.next, func(o *linkedRecord) bool { return o == r })
		}
	case n < 85 && len(table.fields) < 12:
		m.addComputed(i)
	case n < 91:
		m.trashOrRestore(i)
	case n < 95:
		m.rewrite(i)
	case n < 97:
		m.retype(i)
	default:
		m.rename(i)
	}
}

func (m *computedModel) write(i int, r *linkedRecord, object map[string]any) {
	raw, err := json.Marshal(object)
	if err != nil {
		m.t.Fatal(err)
	}
	m.note("write %s of table %d: %s", r.id, i, raw)
	if _, err := m.engine.UpdateOne(m.t.Context(), m.actor, r.id, jsonvaluetest.ParseObject(raw), false); err != nil {
		m.t.Fatal(err)
	}
}

// trashOrRestore deletes a field, or brings one back.
func (m *computedModel) trashOrRestore(i int) {
	for _, f := range m.tables[i].fields {
		if f.gone {
			m.note("restore %s", f.name)
			restored, err := m.store.Restore(m.t.Context(), m.actor.Org, schema.TrashRequest{
				Items: []string{id.Format(id.Field, f.id)}, Base: m.base,
			})
			if err != nil {
				m.t.Fatal(err)
			}
			f.gone, f.name = false, restored[0].Name
			return
		}
	}
	f := m.drawn(i, anyField)
	if f == nil {
		return
	}
	m.note("trash %s", f.name)
	if err := m.store.DeleteField(m.t.Context(), m.actor.Org, f.id); err != nil {
		m.t.Fatal(err)
	}
	f.gone = true
}

// rewrite has a field compute something else, unless it would compute from itself.
func (m *computedModel) rewrite(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op != "" })
	if f == nil {
		return
	}
	next := *f
	kind, config := m.config(&next)
	linked := func(op string) string {
		switch op {
		case "sum", "max", "counta":
			return "rollup"
		case "count":
			return "count"
		}
		return "formula"
	}
	if config == nil || kind != linked(f.op) {
		return
	}
	for _, table := range m.tables {
		for _, one := range table.fields {
			if m.links(one, f, &next) > maxLinks {
				return
			}
		}
	}
	raw, err := json.Marshal(config)
	if err != nil {
		m.t.Fatal(err)
	}
	err = m.store.UpdateField(m.t.Context(), m.actor.Org, f.id, schema.FieldPatch{Config: raw})
	if round := m.reaches(&next, f, map[*linkedField]bool{}); round != (err != nil) {
		m.t.Fatalf("%s: %s: a round is %t: %v", f.name, raw, round, err)
	}
	if err != nil {
		return
	}
	m.note("rewrite %s: %s", f.name, raw)
	f.op, f.a, f.b, f.outward, f.constant = next.op, next.a, next.b, next.outward, next.constant
}

// compare reads every cell of every table, and finds records by one of them.
func (m *computedModel) compare() {
	m.t.Helper()
	for _, table := range m.tables {
		for _, f := range table.fields {
			f.round = m.reaches(f, f, map[*linkedField]bool{})
		}
	}
	for i, table := range m.tables {
		_, rows := m.list(m.t, table.id, query.Request{})
		if len(rows) != len(table.records) {
			m.t.Fatalf("table %d has %d records, want %d", i, len(rows), len(table.records))
		}
		shown := map[string]rec{}
		for _, row := range rows {
			shown[row.ID] = row
		}
		for _, r := range table.records {
			for _, f := range table.fields {
				if f.gone {
					continue
				}
				want, got := m.value(f, r), shown[r.id].Fields[f.name]
				if object, failed := got.(map[string]any); failed {
					got = errorValue(object["error"].(string))
				}
				if !sameCell(got, want) {
					m.t.Errorf("%s of %s is %v, want %v", f.name, r.id, got, want)
				}
			}
		}
		m.compareFound(i)
	}
}

// compareFound compares what a filter on a computed field finds.
func (m *computedModel) compareFound(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op != "" })
	if f == nil {
		return
	}
	var want []string
	for _, r := range m.tables[i].records {
		if x, ok := m.value(f, r).(float64); ok && x >= 1.37 {
			want = append(want, r.id)
		}
	}
	page, rows := m.list(m.t, m.tables[i].id, query.Request{
		Filters: fmt.Appendf(nil, `[{"fieldId":%q,"op":"gte","value":1.37}]`, f.name),
	})
	var got []string
	for _, row := range rows {
		got = append(got, row.ID)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || page.Total != int64(len(want)) {
		m.t.Errorf("%s finds %v of %d, want %v", f.name, got, page.Total, want)
	}
}
