// Package field knows the kinds of field. A kind is one value of the interface Kind, in a file of its
// own: how its values are stored, read, written, filtered, sorted, searched, converted, aggregated and
// shown. What several kinds share is a struct that they embed: TextLike, NumberLike, TimeLike,
// OptionLike and UserLike. Everything else in the product asks a field's Kind and compares no type.
//
// The package knows nothing of tables, organizations and connections. A kind that depends on them, as a
// link depends on the table on its other side, gets what it needs through a parameter.
package field

import (
	"slices"
	"strconv"

	"github.com/rowhouse/rowhouse/problem"
)

// Type is the name of a kind in the API and in the database.
type Type string

// Kind returns the kind of a type that is known to exist.
func (t Type) Kind() Kind {
	if k := byType[t]; k != nil {
		return k
	}
	panic("field: unknown type " + string(t)) // types are parsed when they arrive, and the database holds no other ones
}

// Info returns the fixed properties of the type's kind.
func (t Type) Info() *Info { return t.Kind().Info() }

// A Kind is everything that the product knows of one type of field. Base implements it for a kind
// without values; the other bases build on that. Methods are called concurrently.
//
// SQL conditions and expressions read the record table under the alias t. User text must not become a
// part of them: it goes through Args.
type Kind interface {
	Info() *Info

	// Decode converts the JSON of one value, which is not null and not "", to its stored form; see
	// Value for the types that it may return. An error's text says what is wrong with the value, not
	// where it is.
	Decode(in *Input, raw []byte) (any, error)

	// Select is the expression that reads a field's values, and Encoder writes its results as JSON. The
	// encoder is resolved once for many records. A kind without values has neither.
	Select(f *Field) string
	Encoder(f *Field, files FileLinks) Encoder

	// Plain is the expression of a value for SQL that people write themselves (package sqlquery), with
	// a type of PostgreSQL that they know: numbers, texts, dates, arrays of texts, JSON. It is "" for a
	// kind without a value there.
	Plain(f *Field) string

	// Operators are the filter operators of the kind, in the order in which menus show them.
	Operators() []Operator

	// Order is the expression that sorts by a column of a field, "" if the kind has no order. An index
	// that serves the sort is on this expression. SortKey converts a value of the expression, as
	// PostgreSQL sent it, to an argument that is compared with the expression; it returns false for
	// other bytes.
	Order(f *Field, column string) string
	SortKey(raw []byte) (any, bool)

	// Aggregates are the aggregate functions of the kind.
	Aggregates() []Aggregate

	// Search adds the field to what a search reads.
	Search(s *Search, f *Field)

	// Meaning says what the JSON of a value means, if another kind needs more than the JSON; see
	// Source. Adapt converts the JSON of another kind's value to JSON that Decode accepts with
	// typecast.
	Meaning(f *Field, raw []byte) (any, error)
	Adapt(to *Field, from *Source) ([]byte, error)

	// Size is an SQL expression for the size of a column's value in bytes; "" for a few bytes. Unless
	// it is "", SizeOf returns the same for a decoded value.
	Size(column string) string

	// Show writes a value, decoded from JSON with numbers as json.Number, for a reader of text.
	Show(f *Field, names Names, value any) Shown
}

// An Encoder appends a value as JSON; raw is in the format in which pgx asks for the column's type,
// and never nil.
type Encoder func(dst, raw []byte) []byte

// Info is the fixed properties of a kind.
type Info struct {
	Type        Type
	Place       int    // position in lists and menus of kinds, ascending
	Title       string // for documentation
	Description string // one sentence for documentation
	Value       string // JSON Schema of a value as it is read

	// Column is the SQL type of the column f_<number>; "" if the kind has no column of its own.
	// ColumnRule follows it in the column's definition. Counted says that the database numbers the
	// records in the column.
	Column     string
	ColumnRule string
	Counted    bool
	SentAsText bool   // an entry of an array of values is sent as text and cast where it is used
	ValueCast  string // the cast of one value that is sent; "" is Column's

	// System is the record table's own column with the values, for read-only kinds without Column.
	// SystemNumber is the negative number of the column in a search, and SystemCode its letter in the
	// names of indexes, if it can be in one.
	System       string
	SystemNumber int32
	SystemCode   string

	Hundredths bool // a value of 100 is 1 to computations

	Computed bool // values are computed from others: see Field.Computed

	People bool // values are users, whose names are stored elsewhere
	Paired bool // values are pairs in a join table, and each field has an inverse in the linked table

	Keys []Key // of the config, beyond those that Base gives every kind

	ReadOnly        bool   // the service writes the values
	ApplicationOnly bool   // created in the application only, not with an API credential
	Primary         bool   // may be the primary field
	Unique          bool   // may be required and unique, and have a default
	NoDefault       bool   // has no default, although its values may be required
	UpsertKey       bool   // records may be matched on it
	Ungrouped       bool   // records cannot be grouped by it, although it has an order
	Convertible     bool   // may become another kind, and another one may become this unless it is read-only
	NeverNull       bool   // the column always holds a value, Unset where nothing is given
	Unset           any    // what is stored for no value
	Empty           string // JSON of a value that is not set; "" is null
	Collated        bool   // compared in one order and sorted in another, that of people or of options
	Unbounded       bool   // a value can be too long for an index
	Unindexed       bool   // no index is built on the column
	Unlisted        bool   // records have its values only where they are asked for by name
	Roles           []Role

	Ask Ask // how a page without the application asks for a value
}

// An Ask is how a page without the application asks for a value of a kind. A public form asks for nothing else.
type Ask string

// The ways. Those but the last five are types of HTML's input.
const (
	AskNothing  Ask = "" // of links and people, which such a page would have to list
	AskText     Ask = "text"
	AskEmail    Ask = "email"
	AskURL      Ask = "url"
	AskPhone    Ask = "tel"
	AskNumber   Ask = "number"
	AskDate     Ask = "date"
	AskMoment   Ask = "datetime-local"
	AskYes      Ask = "checkbox"
	AskLongText Ask = "long_text"
	AskDuration Ask = "duration"
	AskRating   Ask = "rating" // a whole number from 1 to Field.MaxRating
	AskOption   Ask = "option"
	AskOptions  Ask = "options"
	AskFiles    Ask = "files"
)

// A Role is what a field can do in a view.
type Role string

// The roles.
const (
	RoleCover Role = "cover" // of a card
	RoleStack Role = "stack" // of a board
	RoleStart Role = "start" // of an event
	RoleEnd   Role = "end"
)

// HasValues reports whether records hold values of the kind.
func (i *Info) HasValues() bool { return i.Value != "" }

// Required reports whether fields of the kind may require a value.
func (i *Info) Required() bool { return i.Unique || i.Column != "" && !i.ReadOnly }

// Default reports whether fields of the kind may have a default.
func (i *Info) Default() bool { return i.Required() && !i.NoDefault }

// EmptyJSON is the JSON of a value that is not set.
func (i *Info) EmptyJSON() string {
	if i.Empty == "" {
		return "null"
	}
	return i.Empty
}

// Array is the type of the array in which many values are sent, and the cast of one of its entries.
func (i *Info) Array() (array, cast string) {
	if i.SentAsText {
		return "text[]", "::" + i.Column
	}
	return i.Column + "[]", ""
}

// Cast is the cast of a value that is sent by itself.
func (i *Info) Cast() string {
	if i.ValueCast != "" {
		return i.ValueCast
	}
	return "::" + i.Column
}

// A Field is what a kind knows of a field.
type Field struct {
	Kind   Kind
	Number int32
	Name   string
	Config Config
	// BaseZone is the time zone of the field's base, an IANA name; "" is UTC. Relative days use its
	// clock, and a timestamp without a time zone of its own is shown in it.
	BaseZone string
	Pairs    *Pairs // of a kind whose values are pairs in a join table
	// Computed says where the values of a computed field are read; nil for a field without values yet.
	Computed *Computed
}

// Type is the name of the field's kind.
func (f *Field) Type() Type { return f.Kind.Info().Type }

// Info is the fixed properties of the field's kind.
func (f *Field) Info() *Info { return f.Kind.Info() }

// Column is the quoted name of the column with the field's values; "" if there is none. Renaming does
// not change it, and it contains no user text.
func (f *Field) Column() string {
	info := f.Kind.Info()
	switch {
	case f.Computed != nil:
		return f.Computed.Value
	case info.Column != "":
		return `"f_` + strconv.Itoa(int(f.Number)) + `"`
	case info.System != "":
		return `"` + info.System + `"`
	}
	return ""
}

// Unset is the value of the field's column if none is given; nil is null.
func (f *Field) Unset() any {
	if info := f.Info(); info.NeverNull && !info.ReadOnly {
		return info.Unset
	}
	return nil
}

// column is Column under the alias t.
func (f *Field) column() string { return "t." + f.Column() }

// Order is the expression that sorts by the field, for the record table under an alias that ends in a
// point; "" if there is none.
func (f *Field) Order(alias string) string { return f.Kind.Order(f, alias+f.Column()) }

// CanGroup reports whether records can be grouped by the field.
func (f *Field) CanGroup() bool { return !f.Info().Ungrouped && f.Order("") != "" }

// CanIndex reports whether an index can be on the field's column.
func (f *Field) CanIndex() bool {
	kept := f.Computed == nil || f.Computed.Kept
	return kept && f.Column() != "" && !f.Info().Unindexed && f.Order("") != ""
}

// CanBeKey reports whether records can be matched on the field.
func (f *Field) CanBeKey() bool { info := f.Info(); return info.UpsertKey && !info.ReadOnly }

// searchNumber is the number of the field's column in a search.
func (f *Field) searchNumber() int32 {
	if info := f.Info(); info.System != "" {
		return info.SystemNumber
	}
	return f.Number
}

// Pairs describe where the values of a field are stored that are pairs of records, and which table is
// on its other side.
type Pairs struct {
	Relation      string // the quoted name of the join table
	Number        int32  // of the join table
	Own, Other    string // its columns: of this field's records, and of the linked ones
	Linked        int32  // the number of the linked table; 0 when it is gone
	LinkedName    string
	LinkedPrimary int32 // the number of its primary field; 0 when it has none
}

// Key identifies the pairs of a field.
func (p *Pairs) Key() string { return p.Relation + " " + p.Own }

// A Search is what a search reads: the numbers of columns with text, of columns with users, and four
// numbers for each link, in the form of gate.find_records; and the numbers of the linked tables, whose
// records it reads too.
type Search struct {
	Columns, Users, Links, Linked []int32
}

// addLink adds the four numbers of a column of linked records, once.
func (s *Search) addLink(link []int32) {
	for known := range slices.Chunk(s.Links, len(link)) {
		if slices.Equal(known, link) {
			return
		}
	}
	s.Links = append(s.Links, link...)
	if linked := link[2]; !slices.Contains(s.Linked, linked) {
		s.Linked = append(s.Linked, linked)
	}
}

var (
	ordered []Kind
	byType  = map[Type]Kind{}
)

// Register adds a kind to the product, and returns it. Call it while variables are initialized, or in
// TestMain before anything else, because readers take no lock.
func Register(k Kind) Kind {
	info := k.Info()
	if byType[info.Type] != nil {
		panic("field: the type " + string(info.Type) + " is registered twice")
	}
	byType[info.Type] = k
	at, _ := slices.BinarySearchFunc(ordered, info.Place, func(other Kind, place int) int {
		return other.Info().Place - place
	})
	ordered = slices.Insert(ordered, at, k)
	return k
}

// Of returns the kind of a field of a stored type. A later version may have stored a type that this one
// does not know: such a field is shown without values. Computed fields of one type have kinds by their
// results.
func Of(t Type, c *Config) Kind {
	if k := byType[t]; k != nil {
		if varied, ok := k.(*ComputedLike); ok {
			return varied.of(c.ResultType)
		}
		return k
	}
	return &Base{Info{Type: t, Title: string(t), ReadOnly: true}}
}

// All lists the kinds in their order. The list must not be changed.
func All() []Kind { return ordered }

// Parse finds the type with a name. The error, at path, lists the valid types.
func Parse(path, name string) (Type, error) {
	if _, ok := byType[Type(name)]; ok {
		return Type(name), nil
	}
	var names []string
	for _, k := range ordered {
		if !k.Info().Unlisted {
			names = append(names, string(k.Info().Type))
		}
	}
	return "", problem.Invalid(path, "%q is not a field type%s; the types are %s",
		name, problem.DidYouMean(name, names), problem.List(names))
}

// PrimaryTypes lists the types that may be the primary field.
func PrimaryTypes() []string {
	var names []string
	for _, k := range ordered {
		if k.Info().Primary {
			names = append(names, string(k.Info().Type))
		}
	}
	return names
}
