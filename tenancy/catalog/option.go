package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// moveOptions updates the records of a select field after a change of its options: it renames values of
// renamed options and clears values of removed ones. Unless discard is set, it refuses to remove
// options that records use and returns their number. The caller must have locked the table.
func (c *Change) moveOptions(
	ctx context.Context,
	f *schema.Field,
	config *schema.Config,
	renamed map[string]string,
	discard bool,
) error {
	kind, ok := f.Kind.(field.Optioned)
	if !ok {
		return nil
	}
	var from, to, removed []string
	for _, option := range f.Config.Options {
		switch name, isRenamed := renamed[option.Name]; {
		case isRenamed:
			from, to = append(from, option.Name), append(to, name)
		case !config.HasOption(option.Name):
			removed = append(removed, option.Name)
		}
	}
	relation, column := f.Table.Relation(), f.Column()
	if len(removed) > 0 && (!discard || c.weighs()) {
		count := "select count(*) from " + relation + " where " + kind.HoldsAny(column, "$1")
		var holders int64
		if err := c.QueryRow(ctx, count, removed).Scan(&holders); err != nil {
			return fmt.Errorf("counting records that hold the removed options: %w", err)
		}
		c.Lose(int(holders))
		if holders > 0 && !discard {
			options := "one of the options"
			if len(removed) == 1 {
				options = "the option"
			}
			return problem.Conflict("%s with %s %s would lose it; give discard: true to clear it there, or "+
				"previousName to rename an option.", problem.Count(int(holders), "record"), options,
				problem.List(removed)).WithCode(problem.CodeValuesWouldBeLost)
		}
	}
	if len(from)+len(removed) == 0 {
		return nil
	}
	holds, moved := kind.HoldsAny("t."+column, "$1::text[]"), slices.Concat(from, removed)
	if err := c.LogValues(ctx, f, holds, moved); err != nil {
		return err
	}
	var shown []uuid.UUID
	var values [][]byte
	if c.OnlyPlanned() {
		var err error
		if shown, values, err = c.valuesOf(ctx, f, holds, moved); err != nil {
			return err
		}
	}
	// It is one statement, so that options may swap their names.
	before, after := from, make([]*string, 0, len(from)+len(removed))
	for i := range to {
		after = append(after, &to[i])
	}
	for _, name := range removed {
		before, after = append(before, name), append(after, nil)
	}
	batch := &pgx.Batch{}
	batch.Queue(kind.Rename(relation, column), before, after)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("moving records to the changed options: %w", err)
	}
	if len(shown) > 0 {
		_, after, err := c.valuesOf(ctx, f, "t.id = any ($1)", shown)
		if err != nil {
			return err
		}
		for i, row := range shown {
			c.Show(f, row, values[i], after[i])
		}
	}
	return nil
}
