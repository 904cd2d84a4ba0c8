package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An writeInput is the input of a write, read and checked as far as the schema goes: which fields are written, and the value of each
// record in each of them.
type writeInput struct {
	schema   *schema.Snapshot
	table    *schema.Table
	typecast bool

	fields []*schema.Field // with a column, that any of the rows writes
	rows   []row
	people []person               // that the database must know as members
	lacks  map[uuid.UUID][]string // options that typecast must add, by field
	items  []problem.Item
}

type row struct {
	id     uuid.UUID
	author uuid.UUID // the person who writes it
	path   string    // of its fields, as in records[3].fields
	size   int       // of the input, in bytes
	values []any     // by the index in writeInput.fields; shorter when the row has no value for the last ones
	given  []bool    // whether the row writes the field
	links  []linkValue
	files  []fileValue
}

type linkValue struct {
	field *schema.Field
	rows  []uuid.UUID
	path  string
}

type person struct {
	id   uuid.UUID
	path string
}

func newWriteInput(s *schema.Snapshot, t *schema.Table, typecast bool) *writeInput {
	return &writeInput{schema: s, table: t, typecast: typecast}
}

func (in *writeInput) fail(path, format string, args ...any) {
	if len(in.items) < maxItems {
		in.items = append(in.items, problem.Item{Path: path, Message: fmt.Sprintf(format, args...)})
	}
}

// err is what is wrong with the input, or nil. Options that have to be added come first: the input is read again afterwards.
func (in *writeInput) err() error {
	if len(in.items) > 0 {
		return problem.InvalidItems(in.items)
	}
	return nil
}

// add reads the fields of one record.
func (in *writeInput) add(path string, raw []byte) *row {
	in.rows = append(in.rows, row{path: path, size: len(raw)})
	r := &in.rows[len(in.rows)-1]
	raw = trim(raw)
	if kind(raw) != 'o' {
		in.fail(path, "must be an object of field names and values, not %s", kindName(raw))
		return r
	}
	if err := valid(raw); err != nil {
		in.fail(path, "%s", err)
		return r
	}
	var seen []*schema.Field
	err := members(raw, func(name string, value []byte) bool {
		f := in.table.FieldByName(name)
		at := path + "." + name
		switch {
		case f == nil:
			names := in.table.FieldNames()
			in.fail(at, "is not a field of %q%s; its fields are %s", in.table.Name, problem.DidYouMean(name, names), problem.List(names))
		case slices.Contains(seen, f):
			in.fail(at, "is given twice")
		default:
			seen = append(seen, f)
			in.set(r, f, at, value)
		}
		return len(in.items) < maxItems
	})
	if err != nil {
		in.fail(path, "%s", err)
	}
	return r
}

func (in *writeInput) set(r *row, f *schema.Field, path string, raw []byte) {
	d := decoder{field: f, typecast: in.typecast}
	if in.typecast {
		d.missing = func(f *schema.Field, name string) error { in.noteMissingOption(f, path, name); return nil }
	}
	if f.Link != nil {
		linked, err := d.decodeLink(raw, in.schema.Table(f.Link.LinkedTable))
		if err != nil {
			in.fail(path, "%s", err)
			return
		}
		r.links = append(r.links, linkValue{f, linked, path})
		return
	}
	if f.Type == schema.Attachment {
		files, err := decodeFiles(raw)
		if err != nil {
			in.fail(path, "%s", err)
			return
		}
		if len(files) > 0 {
			r.files = append(r.files, fileValue{f, files, path})
			return
		}
		raw = []byte("null")
	}
	value, err := d.decode(raw)
	if err != nil {
		in.fail(path, "%s", err)
		return
	}
	if value == nil && f.Config.Required {
		in.fail(path, "is required and cannot be empty")
		return
	}
	if people, ok := value.([]uuid.UUID); ok {
		for _, p := range people {
			in.people = append(in.people, person{p, path})
		}
	}
	in.put(r, f, value)
}

// put sets a checked value.
func (in *writeInput) put(r *row, f *schema.Field, value any) {
	i := slices.Index(in.fields, f)
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

// noteMissingOption notes the name of an option that is to be added, unless it can be none.
func (in *writeInput) noteMissingOption(f *schema.Field, path, name string) {
	var wrong *problem.Error
	if _, err := naming.Clean(path, name); errors.As(err, &wrong) {
		in.items = append(in.items, wrong.Items...)
		return
	}
	if in.lacks == nil {
		in.lacks = map[uuid.UUID][]string{}
	}
	if !slices.Contains(in.lacks[f.ID], name) {
		in.lacks[f.ID] = append(in.lacks[f.ID], name)
	}
}

// complete sets what a new record has where its input says nothing: defaults. It refuses required fields without a value.
func (in *writeInput) complete(r *row) {
	for _, f := range in.table.Fields {
		if len(f.Config.Default) == 0 && !f.Config.Required && f.Type != schema.Checkbox {
			continue
		}
		i := slices.Index(in.fields, f)
		if i >= 0 && i < len(r.given) && r.given[i] {
			continue
		}
		value := fieldDefault(f)
		switch {
		case value != nil:
			in.put(r, f, value)
		case f.Type == schema.Checkbox:
			if i >= 0 { // another row of the same statement says something, and the column takes no null
				in.put(r, f, false)
			}
		case f.Config.Required:
			in.fail(r.path+"."+f.Name, "is required")
		}
	}
}

// arrange puts the fields in the order of their numbers, so that the order in which an input names them makes no statement of its own.
func (in *writeInput) arrange() {
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
