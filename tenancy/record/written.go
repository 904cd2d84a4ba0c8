package record

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A WrittenPage is a part of the records of a table, with the values that records hold themselves: those that people
// have written, and the numbers and places that records have got. It is valid until the next one.
type WrittenPage struct {
	Version int64 // of the table's schema
	Total   int64 // records of the table
	Fields  []*schema.Field
	Records []WrittenRecord
}

// A WrittenRecord is a record with the values of the page's fields as JSON; empty or null for none.
type WrittenRecord struct {
	Row                  uuid.UUID
	CreatedAt, UpdatedAt time.Time
	CreatedBy, UpdatedBy uuid.UUID // zero: nobody known
	Values               []json.RawMessage
}

// IsWritten reports whether records hold values of the field themselves.
func IsWritten(f *schema.Field) bool { return f.Link != nil || f.Info().Column != "" }

// WrittenPages calls use with the records of a table that the actor reads, in the order of their creation, a part at a
// time, until it returns an error.
func (e *Engine) WrittenPages(
	ctx context.Context, actor Actor, table uuid.UUID, use func(p *WrittenPage) error,
) error {
	var request query.Request
	err := e.OnTable(ctx, actor.Org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		request.Fields = []string{}
		for _, f := range t.Fields {
			if IsWritten(f) {
				request.Fields = append(request.Fields, f.PublicID())
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return e.pages(ctx, actor, table, request, true, func(p *ExportPage, _ query.Request) (bool, error) {
		page, err := e.writtenPage(ctx, actor.Org, table, p)
		if err != nil {
			return false, err
		}
		return true, use(page)
	})
}

func (e *Engine) writtenPage(ctx context.Context, org, table uuid.UUID, p *ExportPage) (*WrittenPage, error) {
	if err := p.readValues(); err != nil {
		return nil, err
	}
	page := &WrittenPage{Version: p.version, Total: p.Total, Records: make([]WrittenRecord, len(p.Records))}
	var columns []int
	for at, f := range p.fields {
		if IsWritten(f) {
			page.Fields, columns = append(page.Fields, f), append(columns, at)
		}
	}
	rows := make([]uuid.UUID, len(p.Records))
	place := make(map[uuid.UUID]int, len(rows))
	for i, raw := range p.Records {
		row, err := rowOf(raw)
		if err != nil {
			return nil, err
		}
		rows[i], place[row] = row, i
		values := make([]json.RawMessage, len(columns))
		for to, at := range columns {
			values[to] = p.values[i][at]
		}
		page.Records[i] = WrittenRecord{Row: row, Values: values}
	}
	if len(rows) == 0 {
		return page, nil
	}
	err := e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		return e.db.TableBatch(ctx, org, t.Ref(), func(b *pgx.Batch) {
			statement := "select t.id, t.created_at, t.updated_at, coalesce(t.created_by, $2), " +
				"coalesce(t.updated_by, $2) from " + t.Whole().Relation() + " t where t.id = any ($1)"
			b.Queue(statement, rows, uuid.Nil).Query(func(found pgx.Rows) error {
				var row uuid.UUID
				var r WrittenRecord
				_, err := pgx.ForEachRow(found, []any{&row, &r.CreatedAt, &r.UpdatedAt, &r.CreatedBy, &r.UpdatedBy},
					func() error {
						own := &page.Records[place[row]]
						own.CreatedAt, own.UpdatedAt = r.CreatedAt.UTC(), r.UpdatedAt.UTC()
						own.CreatedBy, own.UpdatedBy = r.CreatedBy, r.UpdatedBy
						return nil
					})
				return err
			})
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading who has written records: %w", err)
	}
	return page, nil
}

// rowOf is the row of a record as the engine writes it.
func rowOf(record []byte) (row uuid.UUID, err error) {
	public := ""
	failure := jsonvalue.Members(record, func(name string, value []byte) bool {
		if name == "id" {
			public, err = jsonvalue.Unquote(value)
		}
		return name != "id"
	})
	if failure != nil || err != nil {
		return row, fmt.Errorf("reading a record: %w", failure)
	}
	_, row, err = id.ParseRecord(public)
	return row, err //nolint:wrapcheck // the engine wrote it
}
