package record

import (
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// check reads each row, and makes one input of those that fit. The mistakes of a row are its own: first those of cells,
// then what it lacks.
func (r *importRun) check(s *schema.Snapshot, t *schema.Table, keys []*schema.Field) {
	r.begin(s, t)
	r.emptied = nil
	refused := false
	for i := range r.text.rows {
		row := &r.text.rows[i]
		if row.broken {
			continue
		}
		row.items = append(row.items, r.read(keys, row)...)
		if r.in.EmptyUnfit && len(row.items) > 0 {
			r.emptyUnfit(keys, row)
		}
		refused = refused || len(row.items) > 0 || len(r.emptied) > 0
	}
	if refused && len(r.input.missingOptions) > 0 { // some of them may be of rows that are left out
		r.collect(s, t)
	}
}

// begin makes an input of no rows.
func (r *importRun) begin(s *schema.Snapshot, t *schema.Table) {
	r.kept, r.input = make([]*importRow, 0, len(r.text.rows)), r.newInput(s, t)
	r.input.rows = make([]row, 0, len(r.text.rows))
	r.input.counted = true
	r.creation = Creation{Typecast: true, UpsertOn: r.in.UpsertOn, styleOf: r.text.styleOf}
}

// keep adds a row that fits to what is written.
func (r *importRun) keep(row *importRow) {
	r.kept = append(r.kept, row)
	if r.in.UpsertOn != nil {
		r.creation.Records = append(r.creation.Records, row.fields)
		r.creation.Lines = append(r.creation.Lines, row.line)
	}
}

// read adds a row to the input, or returns what is wrong with it in addition to its items.
func (r *importRun) read(keys []*schema.Field, row *importRow) []problem.Item {
	in, before := r.input, r.input.mark()
	path := linePath(row.line)
	read := in.add(path, row.readable())
	if r.in.UpsertOn != nil {
		for _, item := range missingKeys(row.fields, keys) {
			in.items = append(in.items, problem.Item{Path: path + item.Path, Message: item.Message})
		}
	} else if len(row.items) == 0 && len(in.items) == before.items {
		in.applyDefaults(read)
	}
	if len(row.items) == 0 && len(in.items) == before.items {
		r.keep(row)
		return nil
	}
	items := in.takeBack(before)
	for i := range items {
		items[i].Path = strings.TrimPrefix(items[i].Path, path)
	}
	return items
}

// emptyUnfit leaves the cells of a row out that have mistakes, if the rest of it fits.
func (r *importRun) emptyUnfit(keys []*schema.Field, row *importRow) {
	former := *row
	row.fields, row.items = former.readable(), nil
	cut := row.unnamed || len(row.fields.Members()) < len(former.fields.Members())
	if !cut || len(r.read(keys, row)) > 0 {
		*row = former
		return
	}
	for n, item := range former.items {
		refusal := r.text.refusal(&former, item)
		if n == 0 {
			refusal.Cells = row.cells
		}
		r.emptied = append(r.emptied, refusal)
	}
}
