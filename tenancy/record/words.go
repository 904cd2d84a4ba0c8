package record

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// FindWords returns the latest records of a table that have all of some words (query.WordSearch).
func (e *Engine) FindWords(
	ctx context.Context, actor Actor, table uuid.UUID, words []string, typos bool, limit int,
) ([]Record, error) {
	var found []Record
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		search, err := query.NewWordSearch(t, words, typos)
		if err != nil {
			return err
		}
		e.indexes.Observe(search.Plan())
		projection := e.projectionOf(s, t)
		compiler := query.NewCompiler(e.now(), e.db.Distributed())
		statement := search.Statement(compiler, projection, limit)
		found = nil
		err = e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
			b.Queue(statement, compiler.Values()...).Query(func(rows pgx.Rows) error {
				for first := true; rows.Next(); first = false {
					if first {
						if err := projection.CheckFormats(rows, 0); err != nil {
							return err
						}
					}
					found = append(found, Record(projection.Append(nil, rows.RawValues())))
				}
				return rows.Err()
			})
		})
		if err != nil {
			return fmt.Errorf("searching for words: %w", err)
		}
		return nil
	})
	return found, err
}
