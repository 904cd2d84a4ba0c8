package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of size, in bytes.
const (
	// MaxRecord bounds the values of one record together. Text counts its UTF-8, JSON its stored form.
	MaxRecord = 1 << 20
	// SmallChange is the size of a change of one record up to which the record's size is not
	// checked: changes of all 500 fields of a record add half of MaxRecord at most.
	SmallChange = 1 << 10
)

// A writeInput is the parsed input of a write, checked against the schema: which fields it writes, and
// the value of each record in each of them.
type writeInput struct {
	schema    *schema.Snapshot
	table     *schema.Table
	typecast  bool
	exclusive bool      // it takes LockLinks exclusively (queueLinkLock)
	counted   bool      // the response has the number of written records, and not the records
	person    uuid.UUID // who writes
	// styleOf says how the texts of a field write numbers and dates; nil for values that are of no
	// column.
	styleOf func(f *schema.Field) field.Style

	fields         []*schema.Field // with a column, that any of the rows writes
	rows           []row
	people         []person               // that the database must know as members
	missingOptions map[uuid.UUID][]string // options that typecast must add, by field
	items          []problem.Item

	given field.Input     // the value that is read, kept here so that none is allocated for each value
	seen  []*schema.Field // the fields of the record that is read, kept likewise
}

// A mark is a place in an input, to which it can be taken back.
type mark struct{ fields, rows, people, items int }

func (in *writeInput) mark() mark {
	return mark{len(in.fields), len(in.rows), len(in.people), len(in.items)}
}

// takeBack forgets what was added behind a mark, and returns the mistakes.
func (in *writeInput) takeBack(to mark) []problem.Item {
	items := slices.Clone(in.items[to.items:])
	in.fields, in.rows = in.fields[:to.fields], in.rows[:to.rows]
	in.people, in.items = in.people[:to.people], in.items[:to.items]
	return items
}

type row struct {
	id     uuid.UUID
	author uuid.UUID // the person who writes it
	// createdAt is when the record was created, if not now. All rows of an input have one, or none has.
	createdAt time.Time
	origin    changelog.Origin
	// demanded is the version that the record must have; nil demands none.
	demanded *int64
	known    bool   // it changes a record, which may be too large already; the statement checks that it does not grow
	path     string // of its fields, as in records[3].fields
	size     int    // of the input, in bytes
	values   []any  // by the index in writeInput.fields; shorter when the row has no value for the last ones
	given    []bool // whether the row writes the field
	links    []linkValue
	files    []fileValue
}

type linkValue struct {
	field *schema.Field
	rows  []uuid.UUID
	path  string
	far   map[uuid.UUID]*int32 // positions of the record in the lists of these, where known; others come last
}

type person struct {
	id    uuid.UUID
	path  string
	row   int // of the input
	field *schema.Field
}

// lockedField is the mistake of a value for a field that the caller may not write.
const lockedField = "may not be written by you; creators of the base decide who may"

func newWriteInput(s *schema.Snapshot, t *schema.Table, typecast bool) *writeInput {
	return &writeInput{schema: s, table: t, typecast: typecast}
}

func (in *writeInput) fail(path, format string, args ...any) {
	if len(in.items) < maxItems {
		in.items = append(in.items, problem.Item{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// err is the first mistake of the input, or nil. Options that must be added come first, because the
// input is read again after that.
func (in *writeInput) err() error {
	if len(in.items) > 0 {
		return problem.InvalidItems(in.items)
	}
	return nil
}

// add reads the fields of one record.
func (in *writeInput) add(path string, fields jsonvalue.ParsedObject) *row {
	in.rows = append(in.rows, row{path: path, size: fields.Size()})
	r := &in.rows[len(in.rows)-1]
	if n := len(in.fields); n > 0 {
		r.values, r.given = make([]any, 0, n), make([]bool, 0, n)
	}
	in.seen = in.seen[:0]
	for _, member := range fields.Members() {
		f := in.table.FieldByName(member.Name)
		switch {
		case f == nil:
			in.failUnknown(path+"."+member.Name, member.Name)
		case slices.Contains(in.seen, f):
			in.fail(path+"."+member.Name, "is given twice")
		default:
			in.seen = append(in.seen, f)
			in.set(r, f, member.Name, member.Value)
		}
		if len(in.items) >= maxItems {
			break
		}
	}
	if err := fields.Invalid; err != nil {
		in.fail(path, "%s", err)
	}
	return r
}

// set reads a value that the input gives under a name.
func (in *writeInput) set(r *row, f *schema.Field, name string, raw []byte) {
	if f.Locked {
		in.fail(r.path+"."+name, lockedField)
		return
	}
	given := &in.given
	*given = field.Input{Field: &f.Field, Typecast: in.typecast}
	if in.styleOf != nil {
		given.Style = in.styleOf(f)
	}
	if in.typecast {
		given.NewOption = func(option string) error { in.noteMissingOption(f, r.path+"."+name, option); return nil }
	}
	value, err := given.Decode(raw)
	if err != nil {
		in.fail(r.path+"."+name, "%s", err)
		return
	}
	if value == nil && f.Config.Required {
		in.fail(r.path+"."+name, "is required and cannot be empty")
		return
	}
	switch value.(type) {
	case string, float64, bool, time.Time, nil: // the usual ones need no path
		in.put(r, f, value)
		return
	}
	path := r.path + "." + name
	switch v := value.(type) {
	case field.Rows:
		r.links = append(r.links, linkValue{field: f, rows: v, path: path})
		return
	case field.Files:
		r.files = append(r.files, fileValue{f, v, path})
		return
	case []uuid.UUID:
		for _, p := range v {
			in.people = append(in.people, person{p, path, len(in.rows) - 1, f})
		}
	}
	in.put(r, f, value)
}

// put sets a checked value.
func (in *writeInput) put(r *row, f *schema.Field, value any) {
	i := len(r.values) // where it is if the rows name their fields in one order
	if i >= len(in.fields) || in.fields[i] != f {
		i = slices.Index(in.fields, f)
	}
	if i < 0 {
		i = len(in.fields)
		in.fields = append(in.fields, f)
	}
	for len(r.values) <= i {
		r.values = append(r.values, nil)
		r.given = append(r.given, false)
	}
	r.values[i], r.given[i] = value, true
}

// noteMissingOption records the name of an option to add, unless it cannot be one.
func (in *writeInput) noteMissingOption(f *schema.Field, path, name string) {
	var wrong *problem.Error
	if _, err := naming.Clean(path, name); errors.As(err, &wrong) {
		in.items = append(in.items, wrong.Items...)
		return
	}
	if in.missingOptions == nil {
		in.missingOptions = map[uuid.UUID][]string{}
	}
	if !slices.Contains(in.missingOptions[f.ID], name) {
		in.missingOptions[f.ID] = append(in.missingOptions[f.ID], name)
	}
}

// applyRules gives a new record the values that it leaves out and that a row rule asks for, so that the person may
// create it.
func (in *writeInput) applyRules(r *row) {
	rows := in.table.Rows()
	if rows == nil {
		return
	}
	for _, given := range rows.Given {
		f := given.Field
		if theirs := in.table.FieldByID(f.PublicID()); theirs != nil {
			f = theirs
		}
		if i := slices.Index(in.fields, f); i >= 0 && i < len(r.given) && r.given[i] {
			continue
		}
		if value := given.Value; value != nil {
			in.put(r, f, value)
		} else {
			in.put(r, f, []uuid.UUID{in.person})
		}
	}
}

// applyDefaults sets the defaults of fields that a new record leaves out. It refuses required fields
// without a value.
func (in *writeInput) applyDefaults(r *row) {
	in.applyRules(r)
	for _, f := range in.table.AllFields() {
		if len(f.Config.Default) == 0 && !f.Config.Required && f.Unset() == nil {
			continue
		}
		i := slices.Index(in.fields, f)
		if i >= 0 && i < len(r.given) && r.given[i] {
			continue
		}
		value := f.Default()
		switch {
		case value != nil:
			in.put(r, f, value)
		case f.Unset() != nil:
			if i >= 0 { // another row of the statement writes it, and the column takes no null
				in.put(r, f, f.Unset())
			}
		case f.Config.Required && f.Table == in.table: // who does not see a field cannot fill it
			in.fail(r.path+"."+f.Name, "is required")
		}
	}
}

// sortFields puts the fields in the order of their numbers, so that inputs that name the same
// fields share a statement.
func (in *writeInput) sortFields() {
	byNumber := func(a, b *schema.Field) int { return cmp.Compare(a.Number, b.Number) }
	if slices.IsSortedFunc(in.fields, byNumber) {
		return
	}
	before := in.fields
	in.fields = slices.SortedFunc(slices.Values(before), byNumber)
	for i := range in.rows {
		r := in.rows[i]
		in.rows[i].values, in.rows[i].given = make([]any, len(before)), make([]bool, len(before))
		for to, f := range in.fields {
			in.rows[i].values[to], in.rows[i].given[to] = r.value(slices.Index(before, f))
		}
	}
}

// value returns a row's value for the field at i, and whether it has one.
func (r *row) value(i int) (any, bool) {
	if i >= len(r.given) || !r.given[i] {
		return nil, false
	}
	return r.values[i], true
}

// valueOf is the value that a row writes into a field, or nil.
func (r *row) valueOf(in *writeInput, f *schema.Field) any {
	at := slices.Index(in.fields, f)
	if at < 0 {
		return nil // none of the rows writes it
	}
	value, _ := r.value(at)
	return value
}

// valueSize is the size of what a row writes.
func (r *row) valueSize() int {
	n := 0
	for i, value := range r.values {
		if r.given[i] {
			n += field.SizeOf(value)
		}
	}
	return n
}

// checkSize refuses rows that are too large by themselves.
func (in *writeInput) checkSize() error {
	all := 0
	for i := range in.rows {
		n := in.rows[i].valueSize()
		if all += n; n > MaxRecord && !in.rows[i].known {
			in.fail(in.rows[i].path, "holds %d bytes of values; a record holds at most 1 MB (%d bytes)", n, MaxRecord)
		}
	}
	if err := in.err(); err != nil {
		return err
	}
	if all > membudget.MaxSize && in.counted {
		return valuesTooLarge()
	}
	if all > membudget.MaxSize {
		return answerTooLarge()
	}
	return nil
}

// needsSizeCheck reports whether the database must check the size of the record that a row changes,
// because the row does not say what else the record contains.
func (r *row) needsSizeCheck() bool { return r.size > SmallChange }

// hasChanges reports whether a row changes anything.
func (r *row) hasChanges() bool {
	return slices.Contains(r.given, true) || len(r.links) > 0 || len(r.files) > 0
}

// split separates rows that change something from those that do not. A row without any field writes
// nothing: the record keeps the time and author of its last change.
func split(rows []row) (changed, unchanged []row) {
	if !slices.ContainsFunc(rows, func(r row) bool { return !r.hasChanges() }) {
		return rows, nil
	}
	for _, r := range rows {
		if r.hasChanges() {
			changed = append(changed, r)
		} else {
			unchanged = append(unchanged, r)
		}
	}
	return changed, unchanged
}
