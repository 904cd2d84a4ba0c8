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
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

var (
	computedEdits = flag.Int("computed.edits", 100, "random edits of TestComputedFieldsAgreeWithAModel")
	computedSeed  = flag.Uint64("computed.seed", 0, "seed of these edits; 0 draws one")
)

// A model computes every computed field of three linked tables from scratch, in Go. Of values, nil is
// empty, and an errorValue is an error.
type computedModel struct {
	*bundle
	t       *testing.T
	random  *rand.Rand
	admin   *pgx.Conn // see nextDay
	tables  [3]*linkedTable
	names   int
	edits   int
	log     []string
	cells   map[cell]any // what has been computed since the last edit
	kept    int          // columns that were compared
	stale   int          // records that marks concerned then
	days    int          // tables with formulas of the day when one began
	matched int          // conditions on entries of lists that found records
}

type linkedTable struct {
	id      uuid.UUID
	public  string
	fields  []*linkedField
	records []*linkedRecord
	link    string // the name of its link to the next table
	linkID  uuid.UUID
	single  bool   // the link takes one record
	back    string // the name of the link of the one before, on this side
}

type linkedField struct {
	id       uuid.UUID
	name     string
	typ      modelType   // of its values, as the service declares it
	op       *computedOp // nil for what people write
	sources  [2]*linkedField
	filter   *linkedField // of linked records, by its values when they were of the type filtered
	filtered modelType
	sort     *linkedField // of linked records, which a lookup sorts by
	desc     bool
	limit    int // of a lookup; 0 is none
	table    int
	outward  bool // it reads the next table, and not the one before
	currency bool // its type, and not number
	gone     bool // it is in the trash
	round    bool // it computes from itself, since something came back from the trash
	constant int
	whole    bool // see computedOp
	small    bool
	width    int
}

type linkedRecord struct {
	id     string
	values map[*linkedField]any
	next   []*linkedRecord // linked records of the next table, in their order
	back   []*linkedRecord // those of the table before that link to it, in the order in which they came to
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
	defer func() {
		t.Logf("%d columns compared, %d marked records, %d lists found by entries, %d formulas of another day", m.kept,
			m.stale, m.matched, m.days)
	}()
	for n := range *computedEdits {
		m.edits = n + 1
		m.edit()
		if n%5 == 4 || n == *computedEdits-1 {
			m.compare()
			m.checkKept()
		}
		if n%23 == 22 {
			m.nextDay()
			m.compare()
			m.fill()
			m.compare()
		}
		if n%37 == 36 {
			m.unkept(t) // values are computed where they are read from here on
			m.compare()
			m.fill()
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
			fmt.Sprintf(`{"linkedTableId":%q,"multiple":%t}`, next.public, i > 0)))
		table.linkID, table.single = made.ID, i == 0
		snapshot, err := m.store.Fresh(m.t.Context(), m.actor.Org)
		if err != nil {
			m.t.Fatal(err)
		}
		next.back = snapshot.Field(snapshot.Field(made.ID).Link.Inverse).Name
	}
	for i := range m.tables {
		for _, typ := range []modelType{"number", "number", "text", "boolean", "date"} {
			m.addPlain(i, typ)
		}
	}
	for range 9 {
		m.addRecord(m.random.IntN(3))
	}
	for range 12 {
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

func (m *computedModel) addPlain(i int, typ modelType) {
	f := &linkedField{name: m.name(), table: i, typ: typ, whole: true, small: true, width: 6}
	kind := map[modelType]schema.Type{
		"number": schema.Number, "text": schema.Text, "boolean": schema.Checkbox, "date": schema.Date,
	}[typ]
	f.id = m.addField(m.t, m.tables[i].id, field(f.name, kind)).ID
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

func (m *computedModel) addComputed(i int) {
	f := &linkedField{name: m.name(), table: i}
	if !m.draw(f) || m.links(f, nil, nil) > maxLinks {
		return
	}
	raw := m.encoded(m.config(f))
	m.note("create %s of table %d: %s %s of %s", f.name, i, f.op.kind, raw, f.typ)
	made := m.addField(m.t, m.tables[i].id, field(f.name, schema.Type(f.op.kind), string(raw)))
	if f.id = made.ID; made.Config.ResultType != string(f.typ) {
		m.t.Errorf("%s is of %s, want %s", raw, made.Config.ResultType, f.typ)
	}
	m.tables[i].fields = append(m.tables[i].fields, f)
}

func (m *computedModel) encoded(value any) []byte {
	raw, err := json.Marshal(value)
	if err != nil {
		m.t.Fatal(err)
	}
	return raw
}

func (m *computedModel) addRecord(i int) {
	r := &linkedRecord{values: map[*linkedField]any{}}
	object := m.values(i, r)
	object["Name"] = "r"
	raw := m.encoded(object)
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

var modelTexts = []string{"a", "b", "Ærø 🚢", "7", "-2", "x y"}

// values draws values of some fields of a record.
func (m *computedModel) values(i int, r *linkedRecord) map[string]any {
	object := map[string]any{}
	for _, f := range m.tables[i].fields {
		if f.op != nil || f.gone || m.random.IntN(3) == 0 {
			continue
		}
		var value any
		switch {
		case m.random.IntN(5) == 0:
		case f.typ == "number":
			value = float64(m.random.IntN(9) - 3)
		case f.typ == "text":
			value = modelTexts[m.random.IntN(len(modelTexts))]
		case f.typ == "boolean":
			value = m.random.IntN(2) == 0
		default:
			value = modelDay(fmt.Sprintf("2026-01-%02d", 1+m.random.IntN(9)))
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
		was := r.next
		r.next = nil
		ids := []string{}
		most := 3
		if table.single {
			most = 1
		}
		for _, at := range m.random.Perm(len(next))[:m.random.IntN(min(len(next), most)+1)] {
			r.next, ids = append(r.next, next[at]), append(ids, next[at].id)
		}
		for _, other := range was {
			if !slices.Contains(r.next, other) {
				other.back = without(other.back, r)
			}
		}
		for _, other := range r.next {
			if !slices.Contains(was, other) {
				other.back = append(other.back, r)
			}
		}
		m.write(i, r, map[string]any{table.link: ids})
	case n < 73 && len(table.records) < 30: // a page shows all of them
		m.addRecord(i)
	case n < 79 && r != nil:
		m.note("delete %s", r.id)
		if _, err := m.engine.Delete(m.t.Context(), m.actor, table.id, []string{r.id}); err != nil {
			m.t.Fatal(err)
		}
		table.records = without(table.records, r)
		for _, before := range r.back {
			before.next = without(before.next, r)
		}
		for _, next := range r.next {
			next.back = without(next.back, r)
		}
	case n < 85 && len(table.fields) < 17:
		m.addComputed(i)
	case n < 91:
		m.trashOrRestore(i)
	case n < 95:
		m.rewrite(i)
	case n < 97:
		m.retype(i)
	case n < 98:
		m.rename(i)
	default:
		m.toggle(i)
	}
	m.follow()
}

func without(records []*linkedRecord, r *linkedRecord) []*linkedRecord {
	return slices.DeleteFunc(slices.Clone(records), func(o *linkedRecord) bool { return o == r })
}

func (m *computedModel) write(i int, r *linkedRecord, object map[string]any) {
	raw := m.encoded(object)
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
			restored, err := m.store.Restore(m.t.Context(), m.actor.Org, catalog.TrashRequest{
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

// compare reads every cell of every table, and finds records by one of them.
func (m *computedModel) compare() {
	m.t.Helper()
	m.engine.ComputePresent([]int{-1, 0, 2, 5000}[m.random.IntN(4)])
	m.cells = map[cell]any{}
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
				want, got := shownAs(m.value(f, r)), shown[r.id].Fields[f.name]
				if object, failed := got.(map[string]any); failed {
					got = errorValue(object["error"].(string))
				}
				if !sameCell(got, want) {
					m.t.Errorf("%s of %s is %v, want %v", f.name, r.id, got, want)
				}
			}
		}
		m.compareFound(i)
		m.compareOrder(i)
		m.compareEntries(i)
		m.compareGroups(i)
		m.compareThrough(i)
	}
}

// compareFound compares what a filter on a computed field finds.
func (m *computedModel) compareFound(i int) {
	f := m.drawn(i, func(f *linkedField) bool { return f.op != nil })
	if f == nil {
		return
	}
	condition := map[string]any{"fieldId": f.name}
	var holds func(value any) bool
	if f.typ.list() {
		condition["op"] = "is_not_empty"
		holds = func(value any) bool {
			list, ok := shownAs(value).([]any)
			return ok && slices.ContainsFunc(list, func(entry any) bool { return entry != nil })
		}
	} else {
		condition["op"], condition["value"] = conditionOn(f.typ)
		holds = conditionHolds
	}
	var want []string
	for _, r := range m.tables[i].records {
		if holds(m.value(f, r)) {
			want = append(want, r.id)
		}
	}
	page, rows := m.list(m.t, m.tables[i].id, query.Request{Filters: m.encoded([]any{condition})})
	var got []string
	for _, row := range rows {
		got = append(got, row.ID)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || page.Total != int64(len(want)) {
		m.t.Errorf("%s finds %v of %d, want %v", f.name, got, page.Total, want)
	}
}
