package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// pairedAtOnce is how many pairs a link has at most through which columns are filled in the transaction of a change.
const pairedAtOnce = 10_000

// fillMarked fills the columns of fields that read linked records, or leaves them to a job.
func (c *settling) fillMarked(ctx context.Context, s *schema.Snapshot) error {
	for _, f := range s.Order() {
		if !slices.Contains(c.fresh, f) {
			continue
		}
		if err := c.setDefault(ctx, f); err != nil {
			return err
		}
		now, err := c.fillsAtOnce(ctx, f)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		if now {
			batch.Queue("select set_config('" + schema.ComputeSetting + "', 'on', true)")
			one := []*schema.Field{f}
			batch.Queue("update " + f.Table.Relation() + " t set " + schema.FilledBy(one) +
				schema.FillFrom(one, "true"))
			batch.Queue("select set_config('" + schema.ComputeSetting + "', '', true)")
		}
		c.queueColumn(batch, f, now)
		if err := c.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("filling the columns of %s: %w", f.PublicID(), err)
		}
		if c.filled[f.Number] = now; !now && !slices.Contains(c.unfilled, f.Table.Number) {
			c.unfilled = append(c.unfilled, f.Table.Number)
		}
	}
	return nil
}

// fillsAtOnce reports whether a field is computed for few records from few others, and what it reads is filled.
func (c *settling) fillsAtOnce(ctx context.Context, f *schema.Field) (bool, error) {
	own := f.Computation
	for _, read := range f.Reads() {
		if filled, fresh := c.filled[read.Number]; !filled && (fresh || !read.Ready()) {
			return false, nil
		}
	}
	few := fmt.Sprintf("(select count(*) from (select from %s limit %d) x) <= %d", f.Table.Relation(), filledAtOnce+1,
		filledAtOnce)
	if own.Link != nil {
		few += fmt.Sprintf(" and (select count(*) from (select from %s limit %d) x) <= %d", own.Link.Relation(c.Org),
			pairedAtOnce+1, pairedAtOnce)
	}
	var now bool
	if err := c.QueryRow(ctx, "select "+few).Scan(&now); err != nil {
		return false, fmt.Errorf("counting what is to be filled: %w", err)
	}
	return now, nil
}

// setDefault gives the columns of a field what they hold in a record without links, which a new record is.
func (c *settling) setDefault(ctx context.Context, f *schema.Field) error {
	if f.Computation.Link == nil {
		return nil
	}
	value, failure := f.KeptColumns()
	var values [2]string
	err := c.QueryRow(ctx, f.Unlinked()).Scan(&values[0], &values[1])
	if err != nil {
		return fmt.Errorf("computing what no linked records give: %w", err)
	}
	for i, column := range []string{value, failure} {
		_, err := c.Exec(ctx, "alter table "+f.Table.Relation()+" alter column "+column+" set default "+values[i])
		if err != nil {
			return fmt.Errorf("setting what a new record has: %w", err)
		}
	}
	return nil
}
