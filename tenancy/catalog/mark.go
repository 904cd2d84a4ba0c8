package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A markChange is what a change of the schema does to the triggers that write marks.
type markChange struct {
	gone  []string // statements
	fresh []schema.MarkTrigger
}

// marksChanged compares the triggers that there are with those that there have to be, and locks the tables of new ones,
// so that no writer is at work that they would not see.
func (c *Change) marksChanged(ctx context.Context, s *schema.Snapshot) (markChange, error) {
	var out markChange
	needed := s.MarkTriggers()
	var relations []string
	for t := range s.Tables() {
		relations = append(relations, t.Relation())
	}
	for f := range s.Fields() {
		if f.Link != nil && f.Link.Own == "a" {
			relations = append(relations, f.Link.Relation(s.Org))
		}
	}
	there, err := c.lines(ctx, `select c.relname || ' ' || g.tgname from unnest($1::text[]) r(name)
		join pg_trigger g on g.tgrelid = to_regclass(r.name) join pg_class c on c.oid = g.tgrelid
		where g.tgname like 'mark\_%' and not g.tgisinternal`, relations)
	if err != nil {
		return out, err
	}
	var locked []*schema.Table
	for _, one := range needed {
		if one.Remade || !slices.Contains(there, one.Key) {
			out.fresh, locked = append(out.fresh, one), append(locked, one.Tables...)
		}
	}
	for _, line := range there {
		table, name, _ := strings.Cut(line, " ")
		is := func(one schema.MarkTrigger) bool { return one.Key == line && !one.Remade }
		if !slices.ContainsFunc(needed, is) {
			out.gone = append(out.gone, fmt.Sprintf(`drop trigger "%s" on "%s"."%s"`, name,
				organization.SchemaName(c.Org), table))
		}
	}
	return out, c.lockTables(ctx, locked...)
}

// begin drops triggers that are no longer needed, whose columns may go.
func (m *markChange) begin(ctx context.Context, c *Change) error {
	batch := &pgx.Batch{}
	for _, statement := range m.gone {
		batch.Queue(statement)
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("dropping triggers that write marks: %w", err)
	}
	return nil
}

// end makes the triggers that are needed, whose columns are there by now.
func (m *markChange) end(ctx context.Context, c *Change) error {
	if len(m.fresh) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue("select gate.add_stale_marks($1, $2)", c.Org, organization.SchemaName(c.Org))
	for _, one := range m.fresh {
		batch.Queue("create trigger " + one.Name + one.Rest)
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("making triggers that write marks: %w", err)
	}
	return nil
}
