package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// nameLinks replaces the names of linked records in rows of an import by their ids. A cell is one name, or several
// that are separated by commas. A name that no record has, or more than one, is a mistake of its row.
func (e *Engine) nameLinks(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, rows []importRow,
) error {
	for _, f := range t.Fields {
		if f.Link == nil {
			continue
		}
		linked := s.Table(f.Link.LinkedTable)
		named := cellsOf(rows, f)
		if linked == nil || len(named.names)+len(named.ids) == 0 {
			continue
		}
		found, err := e.recordsNamed(ctx, actor.Org, linked, named)
		if err != nil {
			return err
		}
		for i := range rows {
			rows[i].nameLink(f, linked, found)
		}
	}
	return nil
}

// namedRecords are what the cells of a link field may name.
type namedRecords struct {
	names []string
	ids   []string
}

// cellsOf lists what the cells of a link field may name: each cell, and its parts.
func cellsOf(rows []importRow, f *schema.Field) namedRecords {
	seen := map[string]bool{}
	var out namedRecords
	add := func(name string) {
		switch {
		case name == "" || seen[name]:
			return
		case id.KindOf(name) == id.Record:
			out.ids = append(out.ids, name)
		default:
			out.names = append(out.names, name)
		}
		seen[name] = true
	}
	for i := range rows {
		for _, m := range rows[i].fields.Members() {
			if m.Name != f.Name {
				continue
			}
			cell, err := jsonvalue.Unquote(m.Value)
			if err != nil {
				continue
			}
			add(strings.TrimSpace(cell))
			for part := range strings.SplitSeq(cell, ",") {
				add(strings.TrimSpace(part))
			}
		}
	}
	return out
}

// recordsNamed finds the records with some ids, and those whose primary field has one of some values. Only a primary
// field of text is looked into.
func (e *Engine) recordsNamed(
	ctx context.Context, org uuid.UUID, t *schema.Table, named namedRecords,
) (map[string][]string, error) {
	found := map[string][]string{}
	var rows []uuid.UUID
	for _, public := range named.ids {
		if number, row, err := id.ParseRecord(public); err == nil && number == t.Number {
			rows = append(rows, row)
		}
	}
	column := ""
	if primary := t.Primary(); primary != nil {
		if _, text := primary.Kind.(*field.TextLike); text {
			column = "t." + primary.Column()
		}
	}
	err := e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1)", rows).Query(func(result pgx.Rows) error {
			var row uuid.UUID
			_, err := pgx.ForEachRow(result, []any{&row}, func() error {
				public := id.FormatRecord(t.Number, row)
				found[public] = []string{public}
				return nil
			})
			return err
		})
		if column == "" || len(named.names) == 0 {
			return
		}
		b.Queue("select t.id, "+column+" from "+t.Relation()+" t where "+column+" = any ($1::text[]) order by t.id",
			named.names).Query(func(result pgx.Rows) error {
			var row uuid.UUID
			var name string
			_, err := pgx.ForEachRow(result, []any{&row, &name}, func() error {
				found[name] = append(found[name], id.FormatRecord(t.Number, row))
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for records by name: %w", err)
	}
	return found, nil
}

// nameLink replaces the names in the cell of a link field.
func (r *importRow) nameLink(f *schema.Field, linked *schema.Table, found map[string][]string) {
	members := slices.Clone(r.fields.Members())
	i := slices.IndexFunc(members, func(m jsonvalue.Member) bool { return m.Name == f.Name })
	if i < 0 {
		return
	}
	cell, err := jsonvalue.Unquote(members[i].Value)
	if err != nil {
		return
	}
	parts := []string{strings.TrimSpace(cell)}
	if len(found[parts[0]]) == 0 { // neither a name, which may have a comma, nor an id
		parts = strings.Split(cell, ",")
	}
	value := []byte{'['}
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		public := part
		switch records := found[part]; len(records) {
		case 1:
			public = records[0]
		case 0:
			r.refuse(f, "%s is neither the id nor the name of a record in %q", field.Quote(part), linked.Name)
		default:
			r.refuse(f, "%d records in %q are called %s: %s; name one by its id", len(records), linked.Name,
				field.Quote(part), problem.List(records))
		}
		if len(value) > 1 {
			value = append(value, ',')
		}
		value = field.AppendString(value, public)
	}
	members[i].Value = append(value, ']')
	r.fields = jsonvalue.NewParsedObject(members, r.fields.Size())
}

func (r *importRow) refuse(f *schema.Field, format string, args ...any) {
	r.items = append(r.items, problem.Item{Path: "." + f.Name, Message: fmt.Sprintf(format, args...)})
}
