package record

import (
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// check reads each row by itself, so that its mistakes are known as its own: first those of cells, then
// what it lacks.
func (r *importRun) check(s *schema.Snapshot, t *schema.Table, keys []*schema.Field) {
	for i := range r.text.rows {
		row := &r.text.rows[i]
		if row.broken {
			continue
		}
		row.items = append(row.items, r.mistakes(s, t, keys, row)...)
		if r.in.EmptyUnfit && len(row.items) > 0 {
			r.emptyUnfit(s, t, keys, row)
		}
	}
}

// mistakes returns what is wrong with a row in addition to its items.
func (r *importRun) mistakes(
	s *schema.Snapshot, t *schema.Table, keys []*schema.Field, row *importRow,
) []problem.Item {
	single := r.newInput(s, t)
	read := single.add("", row.readable())
	if r.in.UpsertOn != nil {
		single.items = append(single.items, missingKeys(row.fields, keys)...)
	} else if len(row.items) == 0 && len(single.items) == 0 {
		single.applyDefaults(read)
	}
	return single.items
}

// emptyUnfit leaves the cells of a row out that have mistakes, if the rest of it fits.
func (r *importRun) emptyUnfit(s *schema.Snapshot, t *schema.Table, keys []*schema.Field, row *importRow) {
	rest := *row
	rest.fields, rest.items = row.readable(), nil
	if len(rest.fields.Members()) == len(row.fields.Members()) || len(r.mistakes(s, t, keys, &rest)) > 0 {
		return
	}
	for n, item := range row.items {
		refusal := r.text.refusal(row, item)
		if n == 0 {
			refusal.Cells = row.cells
		}
		r.emptied = append(r.emptied, refusal)
	}
	*row = rest
}
