package transfer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// A productItem is something that has come: its id here, and what was brought.
type productItem struct {
	kind    string
	object  uuid.UUID
	brought productBrought
}

// productBrought is what was brought of a table, a field or a view.
type productBrought struct {
	Name string `json:"name"` // here; "" for one that has another until it is renamed
	// Says is a hash of the formula of a computed field.
	Says string `json:"says,omitempty"`
	// Owns says that the cells of this side of a link are read, and not those of its inverse.
	Owns bool `json:"owns,omitempty"`
}

// productItems are the items of a base but its records, files and comments, by their ids at the product. A table that
// has a name for its records in addition to a primary field of another type has that under the id of the field,
// followed by :text.
type productItems map[string]productItem

const textItem = ":text"

// loadItems reads the items, and notes which base of the product this is.
func (r *productRun) loadItems(ctx context.Context, base string) error {
	r.items = productItems{}
	var other string
	err := r.DB.Batch(ctx, r.j.Org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, object_id)
			select $1, $2, $3, 'base', $2 where not exists (select from rowhouse.airtable_item
				where org_id = $1 and base_id = $2 and kind = 'base')`, r.j.Org, r.j.Base, base)
		b.Queue(`select airtable_id, kind, object_id, brought from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and kind in ('base', 'table', 'field', 'view')`, r.j.Org, r.j.Base).
			Query(func(rows pgx.Rows) error {
				var name string
				var item productItem
				var brought []byte
				_, err := pgx.ForEachRow(rows, []any{&name, &item.kind, &item.object, &brought}, func() error {
					if item.kind == "base" && name != base {
						other = name
					}
					item.brought = productBrought{}
					if err := json.Unmarshal(brought, &item.brought); err != nil {
						return fmt.Errorf("reading what was brought of %s: %w", name, err)
					}
					r.items[name] = item
					return nil
				})
				return err
			})
	})
	if err != nil {
		return fmt.Errorf("reading what has come from a product: %w", err)
	}
	if other != "" {
		return problem.Conflict("This base came from the base %s and takes the changes of that one alone.", other)
	}
	return nil
}

// ProductBase returns which base of a product a base came from, or "".
func (s *Store) ProductBase(ctx context.Context, org, base uuid.UUID) (string, error) {
	var found string
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select coalesce(max(airtable_id), '') from rowhouse.airtable_item
			where org_id = $1 and base_id = $2 and kind = 'base'`, org, base).
			QueryRow(func(row pgx.Row) error { return row.Scan(&found) })
	})
	if err != nil {
		return "", fmt.Errorf("looking where a base came from: %w", err)
	}
	return found, nil
}

// A newItem is an item of something that the transaction makes under a name.
type newItem struct {
	theirs  string
	name    string // here
	brought productBrought
}

// A place is where new items are: in the base, in a table here, or in the table that the transaction makes.
type place struct {
	parent string    // the id at the product of the table; "" for tables
	table  uuid.UUID // here
	made   string    // the name of the table that the transaction makes
}

// queueItems queues the items of tables, of fields or of views that the transaction has made before. They are found by
// their names: of several, all but the latest are in the trash.
func (r *productRun) queueItems(b *pgx.Batch, kind string, in place, items []newItem) {
	ids, names, brought := make([]string, len(items)), make([]string, len(items)), make([]string, len(items))
	for i, item := range items {
		ids[i], names[i], brought[i] = item.theirs, item.name, string(jsonvalue.Must(item.brought))
	}
	object := map[string]string{
		"field": "rowhouse.field o where o.org_id = $1 and o.table_id = t.id and o.name = u.name",
		"view":  "rowhouse.view o where o.org_id = $1 and o.table_id = t.id and o.name = u.name",
		"table": "rowhouse.data_table o where o.org_id = $1 and o.base_id = $2 and o.name = u.name",
	}[kind]
	b.Queue(`insert into rowhouse.airtable_item (org_id, base_id, airtable_id, kind, parent, object_id, brought)
		select $1, $2, u.airtable_id, $3, $4, (select o.id from `+object+` order by o.id desc limit 1), u.brought::jsonb
		from unnest($7::text[], $8::text[], $9::text[]) u(airtable_id, name, brought),
			(select coalesce(nullif($5, '`+noUUID+`'::uuid), (select d.id from rowhouse.data_table d
				where d.org_id = $1 and d.base_id = $2 and d.name = $6 order by d.id desc limit 1)) as id) t
		on conflict (org_id, base_id, airtable_id) do update set object_id = excluded.object_id,
			brought = excluded.brought`,
		r.j.Org, r.j.Base, kind, in.parent, in.table, in.made, ids, names, brought)
}

// queueBrought queues a change of what was brought of an item.
func (r *productRun) queueBrought(b *pgx.Batch, theirs string, brought productBrought) {
	b.Queue("update rowhouse.airtable_item set brought = $4 where org_id = $1 and base_id = $2 and airtable_id = $3",
		r.j.Org, r.j.Base, theirs, []byte(jsonvalue.Must(brought)))
}

// reloadItems reads the items after a step that has made some.
func (r *productRun) reloadItems(ctx context.Context) error {
	for name, item := range r.items {
		if item.kind == "base" {
			return r.loadItems(ctx, name)
		}
	}
	return nil
}
