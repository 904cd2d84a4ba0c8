package schema

import (
	"iter"
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A Snapshot is the whole schema of one organization at one version. It and everything that it
// references is immutable.
type Snapshot struct {
	Org        uuid.UUID
	Version    int64
	Workspaces []*Workspace // by position
	Bases      []*Base      // by position
	Groups     []*Group     // by name

	// PermissionVersion counts the changes of permissions and groups.
	PermissionVersion int64

	bases         map[uuid.UUID]*Base
	tables        map[uuid.UUID]*Table
	tableByNumber map[int32]*Table
	fields        map[uuid.UUID]*Field
	views         map[uuid.UUID]*View

	gone     map[string]string    // Table.gone
	columns  map[int32]KeptColumn // of computed fields, by their numbers
	topology db.Topology
	filters  FilterReader
	stores   bool      // it is one of Stored, or of Present
	present  *Snapshot // the one of Stored, if it is one of Present
	order    []*Field  // the computed fields, each behind those that it reads

	memo sync.Map // see Memoize

	access  access                 // of a whole snapshot; see For
	whole   *Snapshot              // of a person's snapshot
	roles   map[uuid.UUID]BaseRole // of the person, by base
	rights  map[uuid.UUID]string   // see RightsIn
	partial map[uuid.UUID]bool     // see IsPartial
	ruled   bool                   // the person reads only some records of a table
}

// New returns an empty snapshot. The caller adds workspaces, bases, tables, fields and views to it, parents first,
// and calls Complete once. filters reads the filters and sorts of computed fields.
func New(org uuid.UUID, topology db.Topology, filters FilterReader) *Snapshot {
	return &Snapshot{
		Org: org, bases: map[uuid.UUID]*Base{}, tables: map[uuid.UUID]*Table{}, tableByNumber: map[int32]*Table{},
		fields: map[uuid.UUID]*Field{}, views: map[uuid.UUID]*View{}, columns: map[int32]KeptColumn{},
		gone: map[string]string{}, topology: topology, filters: filters,
	}
}

// AddBase adds a base.
func (s *Snapshot) AddBase(b *Base) { s.Bases, s.bases[b.ID] = append(s.Bases, b), b }

// AddTable adds a table to a base. It does nothing if the snapshot lacks the base.
func (s *Snapshot) AddTable(base uuid.UUID, t *Table) {
	if t.Base = s.bases[base]; t.Base != nil {
		t.Base.Tables, s.tables[t.ID] = append(t.Base.Tables, t), t
	}
}

// AddField adds a field to a table. It does nothing if the snapshot lacks the table.
func (s *Snapshot) AddField(table uuid.UUID, f *Field) {
	if f.Table = s.tables[table]; f.Table != nil {
		f.BaseZone = f.Table.Base.TimeZone
		f.Table.Fields, s.fields[f.ID] = append(f.Table.Fields, f), f
	}
}

// AddView adds a view to a table. It does nothing if the snapshot lacks the table.
func (s *Snapshot) AddView(table uuid.UUID, v *View) {
	if v.Table = s.tables[table]; v.Table != nil {
		v.Table.Views, s.views[v.ID] = append(v.Table.Views, v), v
	}
}

// AddTrashed adds the name of a field in the trash, for messages about formulas that read it.
func (s *Snapshot) AddTrashed(field uuid.UUID, name string) {
	s.gone[id.Format(id.Field, field)] = name
}

// AddColumn sets the state of a computed field's column, by the number of the field.
func (s *Snapshot) AddColumn(number int32, column KeptColumn) {
	column.Expression, column.Day, _ = strings.Cut(column.Expression, daySeparator)
	s.columns[number] = column
}

// Columns returns the states of computed fields' columns, by the numbers of the fields, including those
// in the trash.
func (s *Snapshot) Columns() map[int32]KeptColumn { return s.columns }

// Memoize returns the value that make returned for the key when it was first called without an error.
// The value lives as long as the snapshot, so it may refer to it. Each V needs its own key type.
func Memoize[V any](s *Snapshot, key any, make func() (V, error)) (V, error) {
	if known, ok := s.memo.Load(key); ok {
		return known.(V), nil //nolint:forcetypeassert // a key type stands for one V
	}
	made, err := make()
	if err == nil {
		s.memo.Store(key, made)
	}
	return made, err
}

// Size is the number of tables, fields and views.
func (s *Snapshot) Size() int64 { return int64(len(s.tables) + len(s.fields) + len(s.views)) }

// Workspace returns the workspace with this id, or nil.
func (s *Snapshot) Workspace(u uuid.UUID) *Workspace {
	for _, w := range s.Workspaces {
		if w.ID == u {
			return w
		}
	}
	return nil
}

// Base returns the base with this id, or nil.
func (s *Snapshot) Base(u uuid.UUID) *Base { return s.bases[u] }

// Table returns the table with this id, or nil.
func (s *Snapshot) Table(u uuid.UUID) *Table { return s.tables[u] }

// TableByNumber returns the table whose record ids contain this number, or nil.
func (s *Snapshot) TableByNumber(n int32) *Table { return s.tableByNumber[n] }

// Field returns the field with this id, or nil.
func (s *Snapshot) Field(u uuid.UUID) *Field { return s.fields[u] }

// View returns the view with this id, or nil.
func (s *Snapshot) View(u uuid.UUID) *View { return s.views[u] }

// Tables yields all tables, in no order.
func (s *Snapshot) Tables() iter.Seq[*Table] { return maps.Values(s.tables) }

// Fields yields all fields, in no order.
func (s *Snapshot) Fields() iter.Seq[*Field] { return maps.Values(s.fields) }

// Views yields all views, in no order.
func (s *Snapshot) Views() iter.Seq[*View] { return maps.Values(s.views) }

// A Base has tables.
type Base struct {
	Org       uuid.UUID
	ID        uuid.UUID
	Workspace uuid.UUID
	Name      string
	Icon      *Icon
	Position  float64
	TimeZone  string   // of its formulas, an IANA name
	Access    *Access  // nil: it is open
	Tables    []*Table // by position
	Ruled     bool     // the person whose snapshot it is reads only some records of a table
}

// PublicID is the base's public identifier.
func (b *Base) PublicID() string { return id.Format(id.Base, b.ID) }

// A Table has fields, views, and records in a PostgreSQL table of its own.
type Table struct {
	Org      uuid.UUID
	ID       uuid.UUID
	Base     *Base
	Number   int32
	Version  int64
	Name     string
	Icon     *Icon
	Position float64
	Fields   []*Field // by position, the primary one first
	Views    []*View  // by position

	Permission *TablePermission // nil: the role in the base decides

	whole       *Table  // of a person's table
	rights      *Rights // see Table.Rights
	fieldByName map[string]*Field
	gone        map[string]string // names of the organization's fields in the trash, by their public ids
	relation    string            // see ReadFrom; "" for the table's own
	rows        *Rows             // see Table.Rows
}

// PublicID is the table's public identifier.
func (t *Table) PublicID() string { return id.Format(id.Table, t.ID) }

// Ref identifies the table and its version for package db.
func (t *Table) Ref() db.TableRef { return db.TableRef{Number: t.Number, Version: t.Version} }

// Relation is the quoted, schema-qualified name of the PostgreSQL table with the records. It contains
// no user text. For somebody who does not read all records it is a sub-select of those that they read, which needs an
// alias: whoever writes, or keeps records right, takes that of the whole table.
func (t *Table) Relation() string {
	switch {
	case t.relation != "":
		return t.relation
	case t.rows != nil:
		return t.visible()
	}
	return Relation(t.Org, "t_", t.Number)
}

// As returns a copy of the snapshot in which fields have other kinds, columns and configs, and computed
// fields follow them. It serves to read records as they were when the fields were so.
func (s *Snapshot) As(then map[uuid.UUID]field.Field) *Snapshot {
	out := s.copy(then)
	out.Complete()
	out.keepLimits(s)
	return out
}

// copy is a copy of the snapshot, whose fields may have other forms, before Complete and keepLimits.
func (s *Snapshot) copy(then map[uuid.UUID]field.Field) *Snapshot {
	out := New(s.Org, s.topology, s.filters)
	out.Version, out.Workspaces, out.columns = s.Version, s.Workspaces, s.columns
	out.PermissionVersion, out.Groups, out.whole, out.roles = s.PermissionVersion, s.Groups, s.whole, s.roles
	out.rights, out.partial, out.ruled = s.rights, s.partial, s.ruled
	for _, base := range s.Bases {
		b := *base
		b.Tables = nil
		out.Bases, out.bases[b.ID] = append(out.Bases, &b), &b
		for _, table := range base.Tables {
			t := *table
			t.Base, t.Fields, t.Views = &b, nil, nil
			b.Tables, out.tables[t.ID] = append(b.Tables, &t), &t
			for _, known := range table.Fields {
				f := *known
				f.Table, f.Pairs, f.Computed, f.Computation = &t, nil, nil, nil
				if form, ok := then[f.ID]; ok {
					f.Kind, f.Number, f.Config = form.Kind, form.Number, form.Config
				}
				if known.Link != nil {
					link := *known.Link
					f.Link = &link
				}
				t.Fields, out.fields[f.ID] = append(t.Fields, &f), &f
			}
			for _, known := range table.Views {
				v := *known
				v.Table = &t
				t.Views, out.views[v.ID] = append(t.Views, &v), &v
			}
		}
	}
	return out
}

// ReadFrom returns a copy of the table for statements that read its records from another relation with
// the same columns. pairs returns the relation with the pairs of a link field, with the columns of the
// join table that belong to the field's side.
func (t *Table) ReadFrom(relation string, pairs func(f *Field) string) *Table {
	out := *t
	out.relation = relation
	out.Fields = make([]*Field, len(t.Fields))
	copies := make(map[*Field]*Field, len(t.Fields))
	for i, f := range t.Fields {
		copied := *f
		copied.Table = &out
		if f.Pairs != nil {
			moved := *f.Pairs
			moved.Relation = pairs(f)
			copied.Pairs = &moved
		}
		copied.Computed = f.uncolumned() // the relation has only the columns that people write
		if f.readsRevealed() {
			copied.forget() // and not those that are hidden
		}
		out.Fields[i], copies[f] = &copied, &copied
	}
	out.fieldByName = make(map[string]*Field, len(t.fieldByName))
	for name, f := range t.fieldByName {
		out.fieldByName[name] = copies[f]
	}
	return &out
}

// FieldByName returns the field with exactly this name, in any Unicode composition, or nil.
func (t *Table) FieldByName(name string) *Field {
	if f := t.fieldByName[name]; f != nil {
		return f
	}
	return t.fieldByName[norm.NFC.String(name)]
}

// FieldByID returns the table's field with this public id, or nil.
func (t *Table) FieldByID(public string) *Field {
	u, err := id.Parse(id.Field, public)
	if err != nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.ID == u {
			return f
		}
	}
	return nil
}

// Primary returns the table's primary field.
func (t *Table) Primary() *Field {
	for _, f := range t.Fields {
		if f.IsPrimary {
			return f
		}
	}
	return nil
}

// FieldNames lists the names of the fields in their order.
func (t *Table) FieldNames() []string {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	return names
}

// A Field is a column of a table.
type Field struct {
	field.Field // its kind, number, name and config

	ID        uuid.UUID
	Table     *Table
	IsPrimary bool
	Position  float64
	Hidden    bool
	Width     *int32
	Link      *Link // of a field whose values are pairs; nil for others

	linkedSeen string           // what a link's records are read from; "" if the person reads all of them
	revealed   *Field           // of the whole snapshot, whose values this copy of it has
	Permission *FieldPermission // nil: who may read the table sees it, and who may edit records writes it
	Locked     bool             // the person whose snapshot it is does not write it

	Computation *Computation // of a computed field; nil for others
}

// PublicID is the field's public identifier.
func (f *Field) PublicID() string { return id.Format(id.Field, f.ID) }

// A Link describes where the pairs of a link field are stored. A link field and its inverse share
// one join table with the columns a and b, uuid, primary key (a, b), and an index on (b, a). A row
// also has a position on either side: pos_a orders the b of one a.
type Link struct {
	Number      int32
	Own, Other  string // the columns of this field's records and of the linked ones: "a" and "b", or the reverse
	LinkedTable uuid.UUID
	Inverse     uuid.UUID // the field on the other side
}

// Relation is the quoted, schema-qualified name of the join table.
func (l *Link) Relation(org uuid.UUID) string { return Relation(org, "l_", l.Number) }

// Relation builds the name of a PostgreSQL table for tenant data. Nothing else does.
func Relation(org uuid.UUID, prefix string, number int32) string {
	return `"` + organization.SchemaName(org) + `"."` + prefix + strconv.Itoa(int(number)) + `"`
}

// RecordRelation is Table.Relation for a table of which only the number is known, as in the trash.
func RecordRelation(org uuid.UUID, number int32) string { return Relation(org, "t_", number) }

// CountRelation is the quoted, schema-qualified name of the record counts of an organization: for each
// table, how many records it has and how many writes it has seen. Writers keep the counts in their own
// transactions, spread over slots so that they seldom wait for each other. Readers add the slots up. A
// writer locks its slot last and then commits.
func CountRelation(org uuid.UUID) string {
	return `"` + organization.SchemaName(org) + `"."record_count"`
}

// CountRelation is CountRelation of the table's organization.
func (t *Table) CountRelation() string { return CountRelation(t.Org) }

// A View is a saved way to look at a table.
type View struct {
	ID        uuid.UUID
	Table     *Table
	Name      string
	Type      ViewType
	Config    ViewConfig
	Position  float64
	Access    ViewAccess
	CreatedBy uuid.UUID // uuid.Nil for views that were made before this was kept
	Concealed bool      // its filter names a field that the person does not see, so it shows nothing
}

// PublicID is the view's public identifier.
func (v *View) PublicID() string { return id.Format(id.View, v.ID) }

// Complete computes look-ups by name and number, the inverse of each link, and how computed fields are
// computed.
func (s *Snapshot) Complete() {
	type end struct {
		number int32
		side   string
	}
	links := map[end]*Field{}
	for _, table := range s.tables {
		s.tableByNumber[table.Number] = table
		table.gone = s.gone
		table.fieldByName = make(map[string]*Field, len(table.Fields))
		for _, f := range table.Fields {
			if composed := norm.NFC.String(f.Name); table.fieldByName[composed] == nil {
				table.fieldByName[composed] = f // a name of before names were composed
			}
			table.fieldByName[f.Name] = f
			if f.Link != nil {
				links[end{f.Link.Number, f.Link.Own}] = f
			}
		}
	}
	for _, f := range links {
		if inverse := links[end{f.Link.Number, f.Link.Other}]; inverse != nil {
			f.Link.Inverse = inverse.ID
		}
		f.Pairs = s.pairs(f.Link)
	}
	s.compute()
	s.access.limited = s.limits()
	for _, f := range links {
		if linked := s.tables[f.Link.LinkedTable]; linked != nil && !linked.titleIsKept() {
			f.Pairs.LinkedPrimary = 0
		}
	}
}

// pairs describes a link to the kind of its field.
func (s *Snapshot) pairs(l *Link) *field.Pairs {
	p := &field.Pairs{Relation: l.Relation(s.Org), Number: l.Number, Own: l.Own, Other: l.Other}
	if linked := s.tables[l.LinkedTable]; linked != nil {
		p.Linked, p.LinkedName = linked.Number, linked.Name
		if primary := linked.Primary(); primary != nil {
			p.LinkedPrimary = primary.Number
		}
	}
	return p
}
