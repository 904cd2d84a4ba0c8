package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// filledAtOnce is how many records a table has at most whose columns are filled in the transaction of
// the change that adds them. Writers of the table wait for it.
const filledAtOnce = 1000

// queueColumns queues the query of what the columns of computed fields hold.
func queueColumns(b *pgx.Batch, s *schema.Snapshot) {
	b.Queue("select field_number, table_number, type, expression, filled, coalesce(filled_to, $2) "+
		"from rowhouse.computed_column where org_id = $1", s.Org, uuid.Nil).Query(func(rows pgx.Rows) error {
		var number int32
		var column schema.KeptColumn
		_, err := pgx.ForEachRow(rows, []any{
			&number, &column.Table, &column.Type, &column.Expression, &column.Filled, &column.FilledTo,
		}, func() error {
			s.AddColumn(number, column)
			return nil
		})
		return err
	})
}

// settle brings the columns of computed fields, and the triggers that compute them, in line with what
// the change has made of the schema. It comes last in a change.
func (c *Change) settle(ctx context.Context) error {
	var computes bool
	err := c.QueryRow(ctx, "select exists (select from rowhouse.field where org_id = $1 and type = any ($2)) or "+
		"exists (select from rowhouse.computed_column where org_id = $1 and expression <> '')",
		c.Org, schema.ComputedTypes()).Scan(&computes)
	if err != nil {
		return fmt.Errorf("looking for computed fields: %w", err)
	}
	if !computes {
		return nil
	}
	before := c.Snapshot
	if err := c.refresh(ctx); err != nil {
		return err
	}
	after := c.Snapshot
	c.Snapshot = before
	if err := c.former.snapshot.RefuseExpansion(after); err != nil {
		return err
	}
	if err := c.storeTypes(ctx, after); err != nil {
		return err
	}
	kept := map[int32]bool{} // by number of the field
	stored := after.Stored()
	tables := slices.SortedFunc(stored.Tables(), func(a, b *schema.Table) int {
		return cmp.Compare(a.Number, b.Number)
	})
	for _, t := range tables {
		for _, f := range t.Kept() {
			kept[f.Number] = true
		}
		if c.computesDifferently(after.Table(t.ID)) {
			c.touched[t.ID] = true // a process that computes its fields as before loads the schema again
		}
	}
	if !c.topology.HasTriggers() {
		return nil
	}
	var given []int32 // up
	stale := map[int32]bool{}
	for number, column := range after.Columns() {
		if column.Expression != "" && !kept[number] {
			given = append(given, number)
			stale[column.Table] = true
		}
	}
	if len(given) > 0 {
		_, err := c.Exec(ctx, "update rowhouse.computed_column set expression = '', filled = false where org_id = $1 "+
			"and field_number = any ($2)", c.Org, given)
		if err != nil {
			return fmt.Errorf("giving up computed columns: %w", err)
		}
	}
	marks, err := c.marksChanged(ctx, stored)
	if err != nil {
		return err
	}
	if err := marks.begin(ctx, c); err != nil {
		return err
	}
	filling := &settling{Change: c, filled: map[int32]bool{}}
	for _, t := range tables {
		var fresh []*schema.Field
		for _, f := range t.Kept() {
			if after.Columns()[f.Number].Expression != f.Computation.Columns {
				fresh = append(fresh, f)
			}
		}
		if len(fresh) == 0 && !stale[t.Number] {
			continue
		}
		if err := filling.settleTable(ctx, stored, t, fresh); err != nil {
			return fmt.Errorf("settling the computed fields of a table: %w", err)
		}
	}
	if err := marks.end(ctx, c); err != nil {
		return err
	}
	return filling.fillMarked(ctx, stored)
}

// storeTypes stores the types that values have become.
func (c *Change) storeTypes(ctx context.Context, s *schema.Snapshot) error {
	batch := &pgx.Batch{}
	for f := range s.Fields() {
		if f.Computation != nil && f.Computation.Became {
			batch.Queue("update rowhouse.field set config = $3 where org_id = $1 and id = $2", c.Org, f.ID, f.Config)
		}
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("storing the types of computed values: %w", err)
	}
	return nil
}

// computesDifferently reports whether fields of a table are computed otherwise than before the change, which may have
// been one of another table.
func (c *Change) computesDifferently(t *schema.Table) bool {
	return slices.ContainsFunc(t.Fields, func(f *schema.Field) bool {
		if f.Computation == nil {
			return false
		}
		was := c.former.snapshot.Field(f.ID)
		return was == nil || was.Computed == nil || was.Computed.SQL != f.Computed.SQL
	})
}

// A settling is the part of a change that brings columns in line with the schema.
type settling struct {
	*Change
	fresh  []*schema.Field // whose columns are to be filled and that read linked records, themselves or through others
	filled map[int32]bool  // by number of a field: its columns are filled in this change
}

// settleTable has the trigger of a table compute what its fields say now, and makes columns for those
// fields that are computed otherwise than they were.
func (c *settling) settleTable(
	ctx context.Context, s *schema.Snapshot, t *schema.Table, fresh []*schema.Field,
) error {
	if err := c.LockTable(ctx, t); err != nil {
		return err
	}
	if err := c.makeColumns(ctx, s, t, fresh); err != nil {
		return err
	}
	function, err := s.Trigger(t)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(function)
	batch.Queue("select gate.attach_trigger(to_regclass($1::text), 'compute', $2)", t.Relation(),
		schema.TriggerFunction(t.Org, t.Number))
	var many bool
	batch.Queue("select count(*) > $1 from (select from "+t.Relation()+" limit $1 + 1) t", filledAtOnce).
		QueryRow(func(row pgx.Row) error { return row.Scan(&many) })
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("changing the trigger: %w", err)
	}
	marked := func(f *schema.Field) bool { return f.Marked() }
	for _, f := range fresh {
		if marked(f) {
			c.fresh = append(c.fresh, f)
		}
	}
	fresh = slices.DeleteFunc(fresh, marked)
	if len(fresh) == 0 {
		return nil
	}
	batch = &pgx.Batch{}
	if !many {
		queueFill(batch, t, fresh)
	}
	for _, f := range fresh {
		c.filled[f.Number] = !many
		c.queueColumn(batch, f, !many)
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("filling the columns: %w", err)
	}
	if many {
		c.unfilled = append(c.unfilled, t.Number)
	}
	return nil
}

// queueColumn queues the note of what a field's columns hold.
func (c *settling) queueColumn(b *pgx.Batch, f *schema.Field, filled bool) {
	expression := field.Literal(f.Computation.Columns)
	if filled {
		expression = f.FilledToday()
	}
	b.Queue(`insert into rowhouse.computed_column (org_id, field_number, table_number, type, expression, filled)
		values ($1, $2, $3, $4, `+expression+`, $5)
		on conflict (org_id, field_number) do update set type = excluded.type,
		expression = excluded.expression, filled = excluded.filled, filled_to = null`,
		c.Org, f.Number, f.Table.Number, f.Computation.Type.Column(), filled)
}

// makeColumns gives fields columns of the types of their values. A column of another type is dropped, and
// still counts towards the columns that the table has had.
func (c *Change) makeColumns(ctx context.Context, s *schema.Snapshot, t *schema.Table, fields []*schema.Field) error {
	var alterations []string
	alter := func() error {
		batch := &pgx.Batch{}
		if len(alterations) > 0 {
			batch.Queue(releaseSQL, t.Relation())
		}
		for _, alteration := range alterations { // one column that is dropped and added takes two statements
			batch.Queue("alter table " + t.Relation() + " " + alteration)
		}
		alterations = nil
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("making the columns: %w", err)
		}
		return nil
	}
	room := 0
	for i, f := range fields {
		value, failure := f.KeptColumns()
		was, is := s.Columns()[f.Number].Type, f.Computation.Type.Column()
		if was == is {
			continue
		}
		if room--; room < 0 || i == 0 {
			if err := alter(); err != nil {
				return err
			}
			if err := c.makeColumnRoom(ctx, t); err != nil {
				return err
			}
			var err error
			if room, err = c.columnRoom(ctx, t); err != nil {
				return err
			}
		}
		if was != "" {
			alterations = append(alterations, "drop column if exists "+value)
		}
		alterations = append(alterations, "add column if not exists "+value+" "+is)
		if was == "" {
			room--
			alterations = append(alterations, "add column if not exists "+failure+" smallint")
		}
	}
	return alter()
}

// queueFill queues the computation of all records.
func queueFill(b *pgx.Batch, t *schema.Table, fields []*schema.Field) {
	b.Queue("select set_config('" + schema.ComputeSetting + "', 'on', true)")
	isPlain := func(f *schema.Field) bool { return !f.Daily() }
	for _, some := range [][]*schema.Field{
		slices.DeleteFunc(slices.Clone(fields), (*schema.Field).Daily),
		slices.DeleteFunc(slices.Clone(fields), isPlain),
	} {
		if len(some) > 0 {
			b.Queue("update " + t.Relation() + " t set " + schema.FilledBy(some) + schema.FillFrom(some, "true"))
		}
	}
	b.Queue("select set_config('" + schema.ComputeSetting + "', '', true)")
}
