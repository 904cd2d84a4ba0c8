package record

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// FindWords finds the records of a table that have all words of a text (query.WordSearch), the best first, and calls
// read for each with its rank. The record has no linked records, and is valid until read returns, so that no more
// than one of them is in memory. The search may begin again: i counts the records from 0.
func (e *Engine) FindWords(
	ctx context.Context, actor Actor, table uuid.UUID, text string, typos bool, limit int,
	read func(i int, r Record, rank int),
) error {
	return e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		search, err := query.NewWordSearch(t, text, typos)
		if err != nil {
			return err
		}
		e.indexes.Observe(search.Plan())
		var fields []*schema.Field
		for _, f := range t.Fields {
			if f.Link == nil {
				fields = append(fields, f)
			}
		}
		projection := query.NewProjection(t, fields, nil)
		compiler := query.NewCompiler(e.now(), e.db.Distributed())
		statement := search.Statement(compiler, projection, limit)
		err = e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
			b.Queue(statement, compiler.Values()...).Query(func(rows pgx.Rows) error {
				var written []byte
				for i := 0; rows.Next(); i++ {
					if i == 0 {
						if err := projection.CheckFormats(rows, 0); err != nil {
							return err
						}
					}
					raw := rows.RawValues()
					written = projection.Append(written[:0], raw)
					read(i, written, int(binary.BigEndian.Uint32(raw[len(raw)-1])))
				}
				return rows.Err()
			})
		})
		if err != nil {
			return fmt.Errorf("searching for words: %w", err)
		}
		return nil
	})
}
