package schema

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy"
)

// moveOptions makes the records of a select field follow its options: values of renamed options are renamed, values of removed
// ones are cleared, or the change is refused with their number unless discard is set. The table must be held.
func (c *Change) moveOptions(ctx context.Context, f *Field, config *Config, renamed map[string]string, discard bool) error {
	if f.Type != SingleSelect && f.Type != MultiSelect {
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
	if len(removed) > 0 && !discard {
		count := "select count(*) from " + relation + " where " + column + " = any ($1)"
		if f.Type == MultiSelect {
			count = "select count(*) from " + relation + " where " + column + " && $1"
		}
		var held int64
		if err := c.QueryRow(ctx, count, removed).Scan(&held); err != nil {
			return fmt.Errorf("counting records that hold the removed options: %w", err)
		}
		if held > 0 {
			return tenancy.Conflict("%d records hold the options %s; give discard: true to clear them there, or previousName to rename an option.",
				held, tenancy.List(removed)).WithCode("values_would_be_lost")
		}
	}
	if len(from)+len(removed) == 0 {
		return nil
	}
	// One statement, so that options may swap their names.
	statement := "update " + relation + " r set " + column + ` = m.after
		from unnest($1::text[], $2::text[]) as m(before, after) where r.` + column + " = m.before"
	if f.Type == MultiSelect {
		statement = "update " + relation + " set " + column + ` = nullif(array(
			select coalesce(m.after, v.value) from unnest(` + column + `) with ordinality as v(value, place)
			left join unnest($1::text[], $2::text[]) as m(before, after) on m.before = v.value
			where m.before is null or m.after is not null order by v.place), '{}')
			where ` + column + " && $1"
	}
	before, after := from, make([]*string, 0, len(from)+len(removed))
	for i := range to {
		after = append(after, &to[i])
	}
	for _, name := range removed {
		before, after = append(before, name), append(after, nil)
	}
	batch := &pgx.Batch{}
	batch.Queue(statement, before, after)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("moving records to the changed options: %w", err)
	}
	return nil
}
