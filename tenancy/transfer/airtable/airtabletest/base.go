package airtabletest

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Base is what a server serves. Its methods may be called while it does.
type Base struct {
	ID   string
	Name string

	mu      sync.Mutex
	tables  []*Table
	changes int // how often cells have changed, for what is kept of them
	last    int // number of the last id
}

// A Table is a table of a base.
type Table struct {
	ID, Name string

	base    *Base
	primary string
	fields  []*Field
	views   []map[string]any
	records []*Record
	byID    map[string]*Record
}

// A Field is a field of a table.
type Field struct {
	id, name, kind string
	description    string
	options        map[string]any
	compute        func(r *Record) any // of a value that is not stored
}

// A Record is a record of a table.
type Record struct {
	id       string
	created  time.Time
	cells    map[string]any
	comments []map[string]any
}

var epoch = time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)

// NewBase returns a base without tables.
func NewBase(name string) *Base { return &Base{ID: "appFAKE0000000001", Name: name} }

// id makes an id of what it is for, such as fld.
func (b *Base) id(prefix string) string {
	b.last++
	return fmt.Sprintf("%sFAKE%010d", prefix, b.last)
}

// Table adds a table.
func (b *Base) Table(name string) *Table {
	t := &Table{ID: b.id("tbl"), Name: name, base: b, byID: map[string]*Record{}}
	b.tables = append(b.tables, t)
	return t
}

func (b *Base) table(id string) *Table {
	at := slices.IndexFunc(b.tables, func(t *Table) bool { return t.ID == id || t.Name == id })
	if at < 0 {
		return nil
	}
	return b.tables[at]
}

// TableNamed finds a table.
func (b *Base) TableNamed(name string) *Table { return b.table(name) }

// Tables is how many tables there are.
func (b *Base) Tables() []*Table { return b.tables }

// Field adds a field; the first one is the primary field.
func (t *Table) Field(name, kind string, options map[string]any) *Field {
	f := &Field{id: t.base.id("fld"), name: name, kind: kind, options: options}
	t.fields = append(t.fields, f)
	if t.primary == "" {
		t.primary = f.id
	}
	return f
}

// View adds a view. A grid shows the named fields, or all.
func (t *Table) View(name, kind string, visible ...string) {
	view := map[string]any{"id": t.base.id("viw"), "name": name, "type": kind}
	if kind == "grid" {
		ids := []string{}
		for _, f := range t.fields {
			if len(visible) == 0 || slices.Contains(visible, f.name) {
				ids = append(ids, f.id)
			}
		}
		view["visibleFieldIds"] = ids
	}
	t.views = append(t.views, view)
}

// FieldNamed finds a field.
func (t *Table) FieldNamed(name string) *Field {
	at := slices.IndexFunc(t.fields, func(f *Field) bool { return f.name == name })
	if at < 0 {
		panic("airtabletest: no field " + name + " in " + t.Name)
	}
	return t.fields[at]
}

// Formula adds a formula, in which fields stand by name.
func (t *Table) Formula(name, formula, result string) *Field {
	return t.Field(name, "formula", map[string]any{
		"isValid": true, "formula": t.named(formula), "referencedFieldIds": []string{},
		"result": map[string]any{"type": result, "options": resultOptions(result)},
	})
}

func resultOptions(result string) map[string]any {
	switch result {
	case "number", "percent":
		return map[string]any{"precision": 2}
	case "currency":
		return map[string]any{"precision": 2, "symbol": "€"}
	case "date":
		return map[string]any{"dateFormat": map[string]any{"name": "iso", "format": "YYYY-MM-DD"}}
	case "dateTime":
		return map[string]any{
			"dateFormat": map[string]any{"name": "iso", "format": "YYYY-MM-DD"},
			"timeFormat": map[string]any{"name": "24hour", "format": "HH:mm"}, "timeZone": "utc",
		}
	}
	return nil
}

// named replaces names of fields in braces by ids, as the API writes formulas.
func (t *Table) named(formula string) string {
	for _, f := range t.fields {
		formula = strings.ReplaceAll(formula, "{"+f.name+"}", "{"+f.id+"}")
	}
	return formula
}

// Link adds a link to another table with the field on its other side; "" for none.
func (t *Table) Link(name string, to *Table, inverse string, single bool) *Field {
	f := t.Field(name, "multipleRecordLinks", map[string]any{
		"linkedTableId": to.ID, "isReversed": false, "prefersSingleRecordLink": single,
	})
	if inverse == "" {
		return f
	}
	other := to.Field(inverse, "multipleRecordLinks", map[string]any{
		"linkedTableId": t.ID, "isReversed": false, "prefersSingleRecordLink": false, "inverseLinkFieldId": f.id,
	})
	f.options["inverseLinkFieldId"] = other.id
	var from map[string][]string // which records link to one
	at := -1
	other.compute = func(r *Record) any {
		if at != t.base.changes {
			from, at = map[string][]string{}, t.base.changes
			for _, one := range t.records {
				links, _ := one.cells[f.id].([]string)
				for _, to := range links {
					from[to] = append(from[to], one.id)
				}
			}
		}
		if len(from[r.id]) == 0 {
			return nil
		}
		return from[r.id]
	}
	return f
}

// Rollup adds a rollup of a field of linked records. The API does not say what it computes.
func (t *Table) Rollup(name, link string, of *Table, field, result string, fn func(values []any) any) *Field {
	through, target := t.FieldNamed(link), of.FieldNamed(field)
	f := t.Field(name, "rollup", map[string]any{
		"isValid": true, "recordLinkFieldId": through.id, "fieldIdInLinkedTable": target.id,
		"referencedFieldIds": []string{},
		"result":             map[string]any{"type": result, "options": resultOptions(result)},
	})
	f.compute = func(r *Record) any { return fn(linkedValues(r, through, of, target)) }
	return f
}

// Lookup adds a lookup.
func (t *Table) Lookup(name, link string, of *Table, field string) *Field {
	through, target := t.FieldNamed(link), of.FieldNamed(field)
	f := t.Field(name, "multipleLookupValues", map[string]any{
		"isValid": true, "recordLinkFieldId": through.id, "fieldIdInLinkedTable": target.id,
		"result": map[string]any{"type": target.kind},
	})
	f.compute = func(r *Record) any {
		if values := linkedValues(r, through, of, target); len(values) > 0 {
			return values
		}
		return nil
	}
	return f
}

// Count adds a count of linked records.
func (t *Table) Count(name, link string) *Field {
	through := t.FieldNamed(link)
	return t.Field(name, "count", map[string]any{"isValid": true, "recordLinkFieldId": through.id})
}

func linkedValues(r *Record, through *Field, of *Table, target *Field) []any {
	links, _ := r.cells[through.id].([]string)
	if through.compute != nil {
		links, _ = through.compute(r).([]string)
	}
	var values []any
	for _, id := range links {
		one := of.byID[id]
		if one == nil {
			continue
		}
		value := one.cells[target.id]
		if target.compute != nil {
			value = target.compute(one)
		}
		if value != nil {
			values = append(values, value)
		}
	}
	return values
}

// Add adds a record with cells by the names of fields, and returns its id.
func (t *Table) Add(cells map[string]any) string {
	r := &Record{
		id: t.base.id("rec"), created: epoch.Add(time.Duration(t.base.last) * time.Minute), cells: map[string]any{},
	}
	for name, value := range cells {
		r.cells[t.FieldNamed(name).id] = value
	}
	t.records = append(t.records, r)
	t.byID[r.id] = r
	t.base.changes++
	return r.id
}

// Set sets a cell of a record; nil empties it.
func (t *Table) Set(record, field string, value any) {
	t.base.mu.Lock()
	defer t.base.mu.Unlock()
	t.base.changes++
	cells := t.byID[record].cells
	if value == nil {
		delete(cells, t.FieldNamed(field).id)
		return
	}
	cells[t.FieldNamed(field).id] = value
}

// IDs lists the records.
func (t *Table) IDs() []string {
	ids := make([]string, len(t.records))
	for i, r := range t.records {
		ids[i] = r.id
	}
	return ids
}

// Cell is the cell of a record.
func (t *Table) Cell(record, field string) any { return t.byID[record].cells[t.FieldNamed(field).id] }

// Created is when a record was created.
func (t *Table) Created(record string) time.Time { return t.byID[record].created }

// Remove deletes a record, with the links to it.
func (t *Table) Remove(record string) {
	t.base.mu.Lock()
	defer t.base.mu.Unlock()
	t.remove(record)
}

func (t *Table) remove(record string) {
	t.base.changes++
	delete(t.byID, record)
	t.records = slices.DeleteFunc(t.records, func(r *Record) bool { return r.id == record })
	for _, other := range t.base.tables {
		for _, f := range other.fields {
			if f.kind != "multipleRecordLinks" || f.compute != nil {
				continue
			}
			for _, r := range other.records {
				links, ok := r.cells[f.id].([]string)
				if at := slices.Index(links, record); ok && at >= 0 {
					if r.cells[f.id] = slices.Delete(slices.Clone(links), at, at+1); len(links) == 1 {
						delete(r.cells, f.id)
					}
				}
			}
		}
	}
}

// Comment adds a comment to a record.
func (t *Table) Comment(record, author, text string) {
	t.base.mu.Lock()
	defer t.base.mu.Unlock()
	r := t.byID[record]
	r.comments = append(r.comments, map[string]any{
		"id": t.base.id("com"), "text": text, "createdTime": "2025-05-03T08:30:00.000Z", "lastUpdatedTime": nil,
		"author": map[string]any{
			"id": "usrFAKE00000000001", "email": strings.ToLower(author) + "@example.com", "name": author,
		},
		"mentioned": map[string]any{"usrFAKE00000000002": map[string]any{
			"id": "usrFAKE00000000002", "type": "user", "displayName": "Bea", "email": "bea@example.com",
		}},
	})
}

// File is a new attachment.
func (b *Base) File(name string) map[string]any {
	id := b.id("att")
	return map[string]any{"id": id, "filename": name, "size": len(Content(id)), "type": "text/plain"}
}

// schema is the answer about the tables.
func (b *Base) schema() []any {
	var out []any
	for _, t := range b.tables {
		var fields []any
		for _, f := range t.fields {
			one := map[string]any{"id": f.id, "name": f.name, "type": f.kind}
			if f.options != nil {
				one["options"] = f.options
			}
			if f.description != "" {
				one["description"] = f.description
			}
			fields = append(fields, one)
		}
		out = append(out, map[string]any{
			"id": t.ID, "name": t.Name, "primaryFieldId": t.primary, "fields": fields, "views": t.views,
		})
	}
	return out
}

// chance is a number from 0 to below n that depends on what it is for alone.
func chance(n int, of ...any) int {
	h := fnv.New64a()
	fmt.Fprint(h, of...)
	return int(h.Sum64() % uint64(n))
}
