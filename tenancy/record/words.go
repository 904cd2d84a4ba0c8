package record

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// FindWords finds the records of a table that have all words of a text (query.WordSearch) and, unless period is nil, a
// date in it, the best first, and calls read for each with its rank. The record has no linked records, and is valid
// until read returns, so that no more than one of them is in memory. The search may begin again: i counts the records
// from 0.
func (e *Engine) FindWords(
	ctx context.Context, actor Actor, table uuid.UUID, text string, typos bool, period *query.Period, limit int,
	read func(i int, r Record, rank int),
) error {
	return e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		search, err := query.NewWordSearch(t, text, typos)
		if err != nil {
			return err
		}
		search.Period = period
		e.indexes.Observe(search.Plan())
		var fields []*schema.Field
		for _, f := range t.Fields {
			if f.Link == nil {
				fields = append(fields, f)
			}
		}
		projection := query.NewProjection(t, fields, nil)
		compiler := query.NewCompiler(e.now(), e.db.Topology())
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

// BySize sorts tables of an organization by size, the smallest first.
func (e *Engine) BySize(ctx context.Context, s *schema.Snapshot, tables []*schema.Table) ([]*schema.Table, error) {
	if len(tables) < 2 {
		return tables, nil
	}
	sizes := map[int32]int64{}
	err := e.db.Batch(ctx, s.Org, func(b *pgx.Batch) {
		b.Queue("select table_number, sum(records)::bigint from " + schema.CountRelation(s.Org) + " group by 1").
			Query(func(rows pgx.Rows) error {
				var number int32
				var size int64
				_, err := pgx.ForEachRow(rows, []any{&number, &size}, func() error {
					sizes[number] = size
					return nil
				})
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the sizes of tables: %w", err)
	}
	sorted := slices.Clone(tables)
	slices.SortStableFunc(sorted, func(a, b *schema.Table) int { return cmp.Compare(sizes[a.Number], sizes[b.Number]) })
	return sorted, nil
}
