package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/formula"
)

// The fields of an organization that compute from others are a graph, across links too. A snapshot
// orders it, compiles each field to one expression of SQL, and decides where its values are read:
//
//   - in columns of the record table, where the values depend on the record alone. The table's trigger
//     (trigger.go) is the one place that writes them, so whoever writes a record keeps them right. A
//     change of the schema brings trigger and columns in line at its end (settle.go), and a job
//     fills the columns of large tables (Store.Fill);
//   - in the expression itself everywhere else: while the columns are being filled, where values depend
//     on the time, on people's names or on linked records, and in the past.

// A Computation is how a computed field of a table is computed.
type Computation struct {
	Type   formula.Type
	Became bool // typ is another one than is stored; see Field.become
	// piece is the value in SQL, of a record t and of what it needs: another computed field of the same
	// record is v_<number>.v.
	piece string
	needs []*Field // computed fields of the same record that it reads, each behind those that it reads
	reads []string // public ids of the fields that it reads
	alone bool     // see field.Linked.Alone

	entries *Entries // of a lookup that is a list; nil for others

	size     int    // of the piece, in bytes, with what it reads of linked records: see expansion.go
	expanded int    // size, with those of needs
	Excess   string // why that is too much; "" if it is not

	Kept    bool   // its values can stand in columns
	Columns string // names what the columns must hold: see rowhouse.computed_column

	// Of a field of Snapshot.Stored:
	Link   *Link    // through which a lookup, rollup or count reads; nil for a formula
	linked *Table   // on its other side
	far    []*Field // of the linked table that it reads
	value  *field.Linked
	daily  bool    // it depends on the day, as formulas do that read TODAY()
	marked bool    // it reads linked records, itself or through another field
	ready  bool    // its columns are filled
	joined bool    // see Readiness
	tables []int32 // numbers of the tables whose records it depends on through links, its own among them
}

// A KeptColumn is a row of rowhouse.computed_column.
type KeptColumn struct {
	Table      int32
	Type       string
	Expression string
	Day        string // for which they are filled; "" if they do not depend on it
	Filled     bool
	FilledTo   uuid.UUID
}

// compute finds out how the computed fields of the snapshot are computed.
func (s *Snapshot) compute() { s.order = s.computeIn(slices.Collect(maps.Values(s.tables))) }

// computeIn finds out how the computed fields of tables are computed, which read no others, and returns the fields in
// the order in which they are.
func (s *Snapshot) computeIn(tables []*Table) (ordered []*Field) {
	var computed []*Field
	for _, t := range tables {
		for _, f := range t.Fields {
			if f.Info().Computed {
				computed = append(computed, f)
			}
		}
	}
	if len(computed) == 0 {
		return nil
	}
	slices.SortFunc(computed, func(a, b *Field) int { return int(a.Number - b.Number) })
	c := &compiler{snapshot: s, scopes: map[*Table]*formula.Scope{}, sizes: map[*Table]int{}}
	ids, reads := make([]string, len(computed)), make(map[string][]string, len(computed))
	byID := make(map[string]*Field, len(computed))
	for i, f := range computed {
		ids[i] = f.PublicID()
		byID[ids[i]] = f
		read := readsOf(&f.Config)
		f.setComputation(&Computation{
			Type: resultType(f.Config.ResultType), reads: read, alone: !s.topology.PassesRows(),
		})
		reads[ids[i]] = append(slices.Clip(read), s.namedBy(read)...)
	}
	same := func(id string) string { return id }
	order, err := formula.Order(ids, reads, same)
	if err != nil { // nobody can save a round, but what comes back from the trash may close one
		var round []string
		for _, id := range ids {
			if formula.Through(id, reads, same) != nil {
				round = append(round, id)
			}
		}
		for _, id := range round {
			byID[id].break_("it computes from itself")
			reads[id] = nil
		}
		if order, err = formula.Order(ids, reads, same); err != nil {
			return nil
		}
	}
	for _, id := range order {
		ordered = append(ordered, byID[id])
		c.compile(byID[id])
	}
	return ordered
}

// mentioned finds the public ids of fields in a text.
var mentioned = regexp.MustCompile(`fld_[0-9a-z]{26}`)

// readsOf lists the public ids of the fields that a config computes from.
func readsOf(c *Config) []string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	add(c.LinkFieldID)
	add(c.FieldID)
	for _, id := range mentioned.FindAllString(string(c.Filters)+string(c.Sorts), -1) {
		add(id)
	}
	if c.LinkFieldID != "" { // the formula of a rollup reads its values alone
		return ids
	}
	if tree, err := formula.Parse(c.Formula); c.Formula != "" && err == nil {
		for _, id := range tree.References() {
			add(id)
		}
	}
	return ids
}

// resultType reads config.resultType.
func resultType(name string) formula.Type {
	base, list := strings.CutPrefix(name, "list of ")
	t := formula.Type{Base: formula.Text, List: list}
	for b := formula.Number; b <= formula.Datetime; b++ {
		if (formula.Type{Base: b}).String() == base {
			t.Base = b
		}
	}
	return t
}

// A compiler compiles the computed fields of a snapshot, in their order.
type compiler struct {
	snapshot *Snapshot
	scopes   map[*Table]*formula.Scope // of the fields that are compiled, and of those that compute nothing
	sizes    map[*Table]int            // of the pieces of the fields that are compiled
}

// scope is what formulas of a table read.
func (c *compiler) scope(t *Table) *formula.Scope {
	if s := c.scopes[t]; s != nil {
		return s
	}
	s := &formula.Scope{Table: t.Number, TimeZone: t.Base.TimeZone, Gone: t.gone}
	for _, f := range t.Fields {
		if !f.Info().Computed {
			s.Fields = append(s.Fields, sourceOf(c.snapshot, f, "t"))
		}
	}
	c.scopes[t] = s
	return s
}

// sourceOf is a field that computes nothing as formulas read it. Names of people and records stand
// elsewhere, so that what reads them is computed when it is read.
func sourceOf(s *Snapshot, f *Field, alias string) formula.Field {
	source := formula.FromField(&f.Field, f.PublicID(), alias, formula.World{
		People: s.peopleNames, Linked: s.linkedNames,
	})
	source.Volatile = f.Info().People || f.Info().Paired
	return source
}

// peopleNames are the names of the people in a column, in its order.
func (s *Snapshot) peopleNames(column string, several bool) string {
	if !s.topology.JoinsShared() {
		return ""
	}
	if !several {
		column = "array[" + column + "]"
	}
	return "array(select coalesce(nullif(p.name, ''), p.email, '') from unnest(" + column +
		") with ordinality u(id, place) left join rowhouse.person p on p.id = u.id where u.id is not null " +
		"order by u.place)"
}

// compile compiles a field whose sources are compiled.
func (c *compiler) compile(f *Field) {
	scope := c.scope(f.Table)
	defer func() { scope.Fields = append(scope.Fields, f.asSource()) }()
	if f.revealed != nil {
		f.computeRevealed()
		return
	}
	if f.Computed.Broken != "" {
		return
	}
	if f.Type() != formulaType {
		l, err := c.snapshot.linkedOf(f)
		if err == nil {
			err = f.become(l.typ)
		}
		if err == nil {
			err = c.expand(f, l.size)
		}
		if err != nil {
			f.break_(err.Error())
			return
		}
		f.Computation.piece, f.Computation.entries = l.SQL(), l.entries
		if own := f.Computation; c.snapshot.stores {
			own.Kept, own.Link, own.linked, own.far, own.value = l.storable, l.link, l.table, l.reads, l.Linked
		}
		f.compiled()
		f.Computed.Foreign, f.Computed.Linked, f.Computed.Found = true, l.Linked, l.found
		if f.Kind = field.Of(f.Type(), &f.Config); l.options != nil {
			f.Kind, f.Computed.Options = field.Chosen(f.Kind), l.options
		}
		if c.snapshot.stores {
			c.store(f)
		}
		return
	}
	tree, err := formula.Parse(f.Config.Formula)
	if err != nil {
		f.break_(err.Error())
		return
	}
	checked, err := tree.Check(scope)
	if err == nil {
		err = f.become(checked.Type)
	}
	if err != nil {
		f.break_(err.Error())
		return
	}
	own := f.Computation
	own.piece = checked.SQL()
	own.needs = needsOf(f.Table, checked.Fields())
	if err := c.expand(f, len(own.piece)); err != nil {
		f.break_(err.Error())
		return
	}
	own.daily = checked.Daily
	own.Kept = !checked.Volatile || own.daily && c.snapshot.stores
	f.compiled()
	f.Computed.Foreign = checked.Volatile
	if c.snapshot.stores {
		c.store(f)
		return
	}
	if column := c.snapshot.columns[f.Number]; own.Kept && column.Filled && column.Expression == own.Columns {
		f.keep()
	}
}

// become gives a field the type that its values have become: lists or single values follow a link that takes one
// record or several from then on, and what is read. An error says that they are of another kind.
func (f *Field) become(t formula.Type) error {
	switch was := f.Computation.Type; {
	case t == was:
		return nil
	case t.Base != was.Base:
		return fmt.Errorf("its values have become %s", t)
	}
	f.Config.ResultType = t.String()
	f.Kind = field.Of(f.Type(), &f.Config)
	f.Computation.Type, f.Computation.Became, f.Computed.Type = t, true, t.Column()
	return nil
}

// asSource is a computed field as formulas of the same record read it.
func (f *Field) asSource() formula.Field {
	return formula.Field{
		ID: f.PublicID(), Name: f.Name, Type: f.Computation.Type, SQL: f.variable() + ".v", Fails: true,
		// It is not in a column, and so what reads it is not.
		Volatile: !f.Computation.Kept || f.Computation.daily, Daily: f.Computation.daily,
	}
}

// variable names the value of a computed field where others of its record are computed.
func (f *Field) variable() string { return "v_" + strconv.Itoa(int(f.Number)) }

// needsOf lists the computed fields among some, with all that they need, in an order in which each can
// be computed.
func needsOf(t *Table, ids []string) []*Field {
	var needs []*Field
	for _, id := range ids {
		f := t.FieldByID(id)
		if f == nil || f.Computation == nil {
			continue
		}
		for _, need := range append(slices.Clone(f.Computation.needs), f) {
			if !slices.ContainsFunc(needs, func(other *Field) bool { return other.ID == need.ID }) {
				needs = append(needs, t.own(need))
			}
		}
	}
	return needs
}

// own is the table's field that is the same as one of another copy of the table (ReadFrom).
func (t *Table) own(f *Field) *Field {
	if f.Table == t {
		return f
	}
	return t.Fields[slices.IndexFunc(t.Fields, func(other *Field) bool { return other.ID == f.ID })]
}

// setComputation makes the field one whose values are read in an expression that is not known yet.
func (f *Field) setComputation(c *Computation) {
	f.Computation = c
	number := strconv.Itoa(int(f.Number))
	f.Computed = &field.Computed{Value: `"c_` + number + `"`, Failure: `"ce_` + number + `"`, Type: c.Type.Column()}
}

// break_ makes every value of the field an error.
func (f *Field) break_(why string) {
	own := f.Computation
	own.piece, own.needs, own.Kept = formula.ErrorValue(field.SourceMissing, own.Type), nil, false
	own.size = len(own.piece)
	own.expanded = own.size
	f.Computed.SQL, f.Computed.Broken = own.piece, why
}

// compiled says how the field is read, and what its columns would have to hold.
func (f *Field) compiled() {
	c := f.Computation
	f.Computed.SQL = c.piece
	if len(c.needs) > 0 {
		f.Computed.SQL = "(select " + c.piece + " from " +
			strings.TrimPrefix(lateral(c.needs), " cross join lateral ") + ")"
	}
	if c.Kept {
		sum := sha256.Sum256([]byte(c.Type.Column() + " " + f.Computed.SQL))
		c.Columns = hex.EncodeToString(sum[:12])
	}
}

// lateral joins a record t with what some of its fields are computed to, which are in an order in which
// each can be computed. OFFSET 0 keeps the planner from writing a value where it is read, and so
// several times.
func lateral(fields []*Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(" cross join lateral (select " + f.Computation.piece + " as v offset 0) " + f.variable())
	}
	return b.String()
}

// keep has the field's values read in its columns.
func (f *Field) keep() {
	value, failure := f.KeptColumns()
	f.Computed = &field.Computed{
		Value: value, Failure: failure, Type: f.Computation.Type.Column(), Kept: true,
		SQL: formula.Stored(f.Computation.Type, "t."+value, "t."+failure),
	}
}

// KeptColumns are the quoted columns for the field's values and errors.
func (f *Field) KeptColumns() (value, failure string) {
	number := strconv.Itoa(int(f.Number))
	return `"f_` + number + `"`, `"e_` + number + `"`
}

// uncolumned says how the field is read where there are no columns with its values, nor with those of
// linked records.
func (f *Field) uncolumned() *field.Computed {
	if f.Computation == nil {
		return f.Computed
	}
	if !f.Computed.Kept {
		plain := *f.Computed
		plain.Found = nil
		return &plain
	}
	own := *f.Computation
	plain := *f
	plain.setComputation(&own)
	plain.compiled()
	return plain.Computed
}

// Together finds the fields whose expressions hold what other computed fields of the record need, and returns one
// expression for a row of their values, which computes each only once; "" if there are fewer than two.
func Together(t *Table, fields []*Field) (shared []*Field, sql string) {
	var ids, values []string
	for _, f := range fields {
		c := f.Computation
		if c != nil && !c.alone && !f.Computed.Kept && len(c.needs) > 0 {
			shared, ids, values = append(shared, f), append(ids, f.PublicID()), append(values, f.variable()+".v")
		}
	}
	if len(shared) < 2 {
		return nil, ""
	}
	return shared, "(select row(" + strings.Join(values, ", ") + ") from " +
		strings.TrimPrefix(lateral(needsOf(t, ids)), " cross join lateral ") + ")"
}

// From is what statements read the table's records from under the alias t, where they name columns of
// the given fields. It is the record table, unless values of these fields must be computed.
func (t *Table) From(fields []*Field) string {
	var live []string
	for _, f := range fields {
		if f.Computation != nil && !f.Computed.Kept {
			live = append(live, f.PublicID())
		}
	}
	if len(live) == 0 {
		return t.Relation() + " t"
	}
	columns := "t.*"
	if t.relation == "" && t.rows == nil {
		columns = "t.ctid, t.*" // by which a search names records
	}
	needs := needsOf(t, live)
	for _, f := range needs {
		if f.Computed.Kept {
			continue // it has columns of this name, which hold the same
		}
		v, typ := f.variable()+".v", f.Computation.Type
		columns += ", " + formula.Value(typ, v) + " as " + f.Computed.Value + ", " + formula.Error(typ, v) +
			" as " + f.Computed.Failure
	}
	return "(select " + columns + " from " + t.Relation() + " t" + lateral(needs) + ") t"
}
