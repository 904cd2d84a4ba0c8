package record

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Titles reads records by their ids, which may be of several tables, each with only its primary field.
// It leaves out records that do not exist.
func (e *Engine) Titles(ctx context.Context, org uuid.UUID, records []string) (map[string]Record, error) {
	var found map[string]Record
	err := e.OnSchema(ctx, org, func(s *schema.Snapshot) error {
		found = map[string]Record{}
		byTable, seen := map[*schema.Table][]*getCall{}, map[string]bool{}
		for _, record := range records {
			number, row, err := id.ParseRecord(record)
			t := s.TableByNumber(number)
			if err != nil || t == nil || t.Primary() == nil || seen[record] {
				continue
			}
			seen[record] = true
			byTable[t] = append(byTable[t], &getCall{row: row})
		}
		for t, calls := range byTable {
			p := query.NewProjection(t, []*schema.Field{t.Primary()}, nil)
			if err := e.readRows(ctx, org, p, calls); err != nil {
				return err
			}
			for _, call := range calls {
				if call.record != nil {
					found[id.FormatRecord(t.Number, call.row)] = call.record
				}
			}
		}
		return nil
	})
	return found, err
}

// FindShort finds the records of a table whose ids have one of the short forms (id.Short). It returns
// the ids of each, which are several if the form is not unique. It reads the whole table.
func (e *Engine) FindShort(
	ctx context.Context, org, table uuid.UUID, short []string,
) (found map[string][]string, err error) {
	ends := make([][]byte, len(short))
	for i, s := range short {
		if ends[i], err = id.ParseShort(s); err != nil {
			return nil, err
		}
	}
	err = e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		found = map[string][]string{}
		err := e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
			b.Queue("select t.id from "+t.Relation()+" t where substring(uuid_send(t.id) from 12) = any ($1::bytea[])",
				ends).Query(func(rows pgx.Rows) error {
				var row uuid.UUID
				_, err := pgx.ForEachRow(rows, []any{&row}, func() error {
					public := id.FormatRecord(t.Number, row)
					found[id.Short(public)] = append(found[id.Short(public)], public)
					return nil
				})
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("looking for short ids: %w", err)
		}
		return nil
	})
	return found, err
}
