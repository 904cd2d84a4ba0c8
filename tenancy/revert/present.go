package revert

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// readPresent reads the present values of fields in records whose log does not have them.
func (r *run) readPresent(ctx context.Context, tx pgx.Tx, t *table) error {
	columns, links := map[string]*schema.Field{}, map[*schema.Field][]uuid.UUID{}
	var rows []uuid.UUID
	for _, one := range t.rows {
		if !one.there {
			continue
		}
		simple := len(one.own) == 1 && !one.movedOn()
		scalar := false
		for _, entries := range [][]entry{one.own, one.foreign} {
			for i := range entries {
				if entries[i].kind != changelog.Updated && entries[i].kind != changelog.Linked {
					continue
				}
				each(entries[i].was, func(key string, _ []byte) bool {
					switch f := t.fields[key]; {
					case f == nil:
					case f.Link != nil:
						if list := links[f]; len(list) == 0 || list[len(list)-1] != one.id {
							links[f] = append(list, one.id)
						}
					case !simple:
						columns[key], scalar = f, true
					}
					return true
				})
			}
		}
		if scalar {
			rows = append(rows, one.id)
		}
	}
	if len(rows) > 0 {
		if err := t.readColumns(ctx, tx, columns, rows); err != nil {
			return err
		}
	}
	for f, rows := range links {
		if err := t.readLinks(ctx, tx, f, rows); err != nil {
			return err
		}
	}
	return nil
}

// readMissing reads the present values for conflicts that have not needed them before.
func (t *table) readMissing(ctx context.Context, tx pgx.Tx, conflicts []*conflict) error {
	columns, rows := map[string]*schema.Field{}, []uuid.UUID{}
	for _, c := range conflicts {
		if c.field == nil || c.field.Link != nil || !c.row.there {
			continue
		}
		key := changelog.Key(&c.field.Field)
		if _, known := c.row.present[key]; !known {
			columns[key], rows = c.field, append(rows, c.row.id)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return t.readColumns(ctx, tx, columns, rows)
}

func (t *table) readColumns(ctx context.Context, tx pgx.Tx, columns map[string]*schema.Field, rows []uuid.UUID) error {
	// An object of a few columns at a time, because a function takes 100 arguments.
	var parts []string
	var pairs []string
	for key, f := range columns {
		pairs = append(pairs, "'"+key+"', t."+f.Column())
		if len(pairs) == 40 {
			parts, pairs = append(parts, "jsonb_build_object("+strings.Join(pairs, ", ")+")"), nil
		}
	}
	if len(pairs) > 0 {
		parts = append(parts, "jsonb_build_object("+strings.Join(pairs, ", ")+")")
	}
	result, err := tx.Query(ctx, "select t.id, ("+strings.Join(parts, " || ")+")::text from "+t.Relation()+
		" t where t.id = any ($1)", rows)
	if err != nil {
		return fmt.Errorf("reading present values: %w", err)
	}
	var u uuid.UUID
	var object []byte
	_, err = pgx.ForEachRow(result, []any{&u, &object}, func() error {
		one := t.byID[u]
		if one.present == nil {
			one.present = map[string][]byte{}
		}
		maps.Copy(one.present, membersOf(object))
		object = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading present values: %w", err)
	}
	return nil
}

func (t *table) readLinks(ctx context.Context, tx pgx.Tx, f *schema.Field, rows []uuid.UUID) error {
	own, other := f.Link.Own, f.Link.Other
	result, err := tx.Query(ctx, fmt.Sprintf("select l.%[2]s, jsonb_agg(l.%[3]s order by l.pos_%[2]s, l.%[3]s)::text "+
		"from %[1]s l where l.%[2]s = any ($1) group by l.%[2]s", f.Link.Relation(t.Org), own, other), rows)
	if err != nil {
		return fmt.Errorf("reading present links: %w", err)
	}
	key := changelog.Key(&f.Field)
	for _, u := range rows {
		one := t.byID[u]
		if one.present == nil {
			one.present = map[string][]byte{}
		}
		one.present[key] = []byte("[]")
	}
	var u uuid.UUID
	var list []byte
	_, err = pgx.ForEachRow(result, []any{&u, &list}, func() error {
		t.byID[u].present[key] = list
		list = nil
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading present links: %w", err)
	}
	return nil
}

// listOf reads a list of record uuids.
func listOf(raw []byte) []uuid.UUID {
	var list []uuid.UUID
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// A delta is the records that a link field gained and lost.
type delta struct{ Added, Removed []uuid.UUID }

func deltaOf(raw []byte) delta {
	var d delta
	_ = json.Unmarshal(raw, &d) // the service wrote it
	return d
}
