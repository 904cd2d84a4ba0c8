package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/delimited"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A column is proposed as a link if at least fewestNamed different values of it name records of a table, and at most
// one in oneOf does not. A column of more than mostNames values, or of longer ones than mostName bytes, is none.
const (
	fewestNamed = 6
	oneOf       = 10
	mostNames   = 20_000
	mostName    = 500
	unmatched   = 10 // shown
)

// A LinkFound is a table whose records a column names.
type LinkFound struct {
	TableID string `json:"tableId"`
	Table   string `json:"table"`
	Values  int    `json:"values" jsonschema:"different ones of the column"`
	Matched int    `json:"matched" jsonschema:"of them, those that name one record of the table each"`
	// Unmatched are the first of the others.
	Unmatched []string `json:"unmatched,omitzero" jsonschema:"the first of the others"`
}

// ProposeLinks finds columns of texts, among those that wanted allows, whose values are names of records of one of the
// tables, which the caller reads in full.
func (e *Engine) ProposeLinks(
	ctx context.Context, p *Preview, tables []*schema.Table, wanted func(column int) bool,
) error {
	values, err := p.distinctTexts(wanted)
	if err != nil || len(values) == 0 {
		return err
	}
	names := map[string]bool{}
	for _, cells := range values {
		for _, cell := range cells {
			for _, name := range field.Parts(cell) {
				names[name] = true
			}
		}
	}
	delete(names, "")
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	for _, t := range tables {
		found, err := e.countNamed(ctx, t, list)
		if err != nil {
			return err
		}
		for column, cells := range values {
			link := matchCells(cells, found)
			best := p.Columns[column].Link
			if link.Matched < fewestNamed || (link.Values-link.Matched)*oneOf > link.Values ||
				best != nil && best.Matched >= link.Matched {
				continue
			}
			link.TableID, link.Table = t.PublicID(), t.Name
			p.Columns[column].Link = &link
		}
	}
	return nil
}

// matchCells counts the cells of which each name is that of one record.
func matchCells(cells []string, found map[string]int) LinkFound {
	link := LinkFound{Values: len(cells)}
	for _, cell := range cells {
		names := field.SplitNames(cell, func(name string) bool { return found[name] > 0 })
		if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return found[name] != 1 }) {
			link.Matched++
		} else if len(link.Unmatched) < unmatched {
			link.Unmatched = append(link.Unmatched, shortened(cell))
		}
	}
	return link
}

// distinctTexts are the different values of the columns of texts that may be names, in their order.
func (p *Preview) distinctTexts(wanted func(column int) bool) (map[int][]string, error) {
	values, seen := map[int][]string{}, map[int]map[string]bool{}
	for i := range p.Columns {
		if slices.Contains(textTypes, p.Columns[i].Type) && wanted(i) {
			seen[i] = map[string]bool{}
		}
	}
	for row, err := range p.text.Rows() {
		if err != nil {
			return nil, unreadable(err)
		}
		if len(seen) == 0 {
			break
		}
		for i, known := range seen {
			if i >= len(row.Cells) {
				continue
			}
			cell := strings.TrimSpace(delimited.Unguard(row.Cells[i]))
			if cell == "" || known[cell] {
				continue
			}
			if len(known) == mostNames || len(cell) > mostName || strings.ContainsRune(cell, 0) {
				delete(seen, i)
				delete(values, i)
				continue
			}
			cell = strings.Clone(cell)
			known[cell] = true
			values[i] = append(values[i], cell)
		}
	}
	for i, cells := range values {
		if len(cells) < fewestNamed {
			delete(values, i)
		}
	}
	return values, nil
}

// countNamed counts the records of a table by some names.
func (e *Engine) countNamed(ctx context.Context, t *schema.Table, names []string) (map[string]int, error) {
	found := map[string]int{}
	title := t.Title()
	err := e.db.TableBatch(ctx, t.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select "+title+", count(*) from "+t.TitleFrom()+
			" where "+title+" = any ($1::text[]) group by 1", names).
			Query(func(rows pgx.Rows) error {
				var name string
				var count int
				_, err := pgx.ForEachRow(rows, []any{&name, &count}, func() error {
					found[name] = count
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("counting records by name: %w", err)
	}
	return found, nil
}
