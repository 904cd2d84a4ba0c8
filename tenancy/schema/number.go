package schema

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// sequence counts the records of a counted field on Citus.
func (f *Field) sequence() string {
	schemaName, _, _ := strings.Cut(f.Table.Relation(), ".")
	return schemaName + `."n_` + strings.Trim(f.Column(), `"`) + `"`
}

// number gives the column of a counted field its numbers on Citus, which adds no identity column to
// a table: the records that are there are numbered by their ids, and later ones by a sequence. The
// coordinator, on which all inserts begin, counts.
func (c *Change) number(ctx context.Context, f *Field) error {
	if !c.distributed || !f.Info().Counted {
		return nil
	}
	relation, column := f.Table.Relation(), f.Column()
	sequence := f.sequence()
	batch := &pgx.Batch{}
	batch.Queue("create sequence " + sequence)
	batch.Queue("alter sequence " + sequence + " owned by " + relation + "." + column)
	batch.Queue("grant usage on sequence " + sequence + " to rowhouse_app")
	batch.Queue("update " + relation + " as t set " + column + " = o.place from (select id, row_number() over (order by id) as place from " +
		relation + ") o where o.id = t.id")
	batch.Queue("alter table " + relation + " alter column " + column + " set default nextval('" + sequence + "')")
	batch.Queue("alter table " + relation + " alter column " + column + " set not null")
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("numbering the records: %w", err)
	}
	var numbered int64
	if err := c.QueryRow(ctx, "select coalesce(max("+column+"), 0) from "+relation).Scan(&numbered); err != nil {
		return fmt.Errorf("counting the numbered records: %w", err)
	}
	if _, err := c.Exec(ctx, "select setval($1::regclass, $2::bigint + 1, false)", sequence, numbered); err != nil {
		return fmt.Errorf("numbering the records to come: %w", err)
	}
	return nil
}
