package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Get returns one record. Concurrent requests for records of one table share a round trip (db.Batcher).
func (e *Engine) Get(ctx context.Context, actor Actor, record string) (Record, error) {
	var out Record
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error {
		p, call := e.projectionOf(s, t), &getCall{row: row}
		key := getKey{actor.Org, p, readerOf(ctx, t)}
		err := e.gets.Do(ctx, key, call, func(ctx context.Context, calls []*getCall) error {
			return e.readRows(ctx, actor.Org, p, calls)
		})
		if err != nil {
			return abandoned(err)
		}
		if call.record == nil {
			return problem.NotFound("record", record)
		}
		out = call.record
		return nil
	})
	return out, err
}

// A getCall is the request for one row.
type getCall struct {
	row    uuid.UUID
	record Record // nil: there is no such row
}

// A getKey is what gets must have in common to share a round trip: the organization, and what they
// select.
type getKey struct {
	org        uuid.UUID
	projection *query.Projection
	reader     uuid.UUID
}

// readerOf is who reads the table, if it makes a difference among people with the same rights: each has records of
// their own.
func readerOf(ctx context.Context, t *schema.Table) uuid.UUID {
	if !t.Base.Ruled {
		return uuid.Nil
	}
	return db.PersonOf(ctx)
}

// maxSlowGets bounds the concurrent round trips for rows of one table when they are slow.
const maxSlowGets = 4

func newGets() *db.Batcher[getKey, *getCall] {
	return db.NewBatcher[getKey](db.BatcherOptions[*getCall]{MaxSize: MaxBatch, MaxConcurrent: maxSlowGets})
}

// abandoned maps the error of a caller whose context ended in a queue to an error that says so.
func abandoned(err error) error {
	if errors.Is(err, db.ErrAbandoned) {
		return problem.Unavailable(err)
	}
	return err
}

// readRows reads rows of a table.
func (e *Engine) readRows(ctx context.Context, org uuid.UUID, p *query.Projection, calls []*getCall) error {
	rows := make([]uuid.UUID, 0, len(calls))
	for _, r := range calls {
		if !slices.Contains(rows, r.row) {
			rows = append(rows, r.row)
		}
	}
	ref, found, changed := p.Table.Ref(), 0, false
	err := e.db.Read(ctx, org, func(b *pgx.Batch) {
		statement, argument := p.ByID, any(rows[0])
		if len(rows) > 1 {
			statement, argument = p.ByIDs, rows
		}
		b.Queue(statement, argument).Query(func(result pgx.Rows) error {
			for result.Next() {
				raw := result.RawValues()
				last := len(raw) - 1
				if binary.BigEndian.Uint64(
					raw[last],
				) != uint64(ref.Version) { //nolint:gosec // versions count up from one
					changed = true
					continue
				}
				found++
				written := Record(p.Append(make([]byte, 0, 512), raw))
				for _, r := range calls {
					if r.row == uuid.UUID(raw[0]) {
						r.record = written
					}
				}
			}
			return result.Err()
		})
	})
	switch {
	case err != nil:
		return fmt.Errorf("reading records: %w", err)
	case changed:
		return db.ErrSchemaChanged
	case found < len(rows): // the version of a row that does not exist is unknown
		if err := e.db.TableBatch(ctx, org, ref, func(*pgx.Batch) {}); err != nil {
			return fmt.Errorf("checking the version of a table: %w", err)
		}
	}
	return nil
}

// Titled returns the records of a table with these ids, each with its primary field only, in no order.
// It leaves out ids of other tables and of deleted records.
func (e *Engine) Titled(ctx context.Context, org, table uuid.UUID, records []string) ([]Record, error) {
	var out []Record
	err := e.OnTable(ctx, org, table, func(_ *schema.Snapshot, t *schema.Table) error {
		out = nil
		var calls []*getCall
		for _, public := range records {
			if number, row, err := id.ParseRecord(public); err == nil && number == t.Number {
				calls = append(calls, &getCall{row: row})
			}
		}
		projection := query.NewProjection(t, []*schema.Field{t.Primary()}, nil)
		for chunk := range slices.Chunk(calls, MaxBatch) {
			if err := e.readRows(ctx, org, projection, chunk); err != nil {
				return err
			}
		}
		for _, call := range calls {
			if call.record != nil {
				out = append(out, call.record)
			}
		}
		return nil
	})
	return out, err
}

// projectionKey names a projection of all fields of a table.
type projectionKey struct {
	table  uuid.UUID
	linker Linker
}

// projectionOf returns the projection of the fields that a table lists. It lives as long as the snapshot,
// because a longer life would keep replaced schemas in memory.
func (e *Engine) projectionOf(s *schema.Snapshot, t *schema.Table) *query.Projection {
	create := func() (*query.Projection, error) {
		return query.NewProjection(t, t.Listed(), fileLinks(e.linker, t.Org)), nil
	}
	if !e.perRequest {
		p, _ := schema.Memoize(s, projectionKey{t.ID, e.linker}, create)
		return p
	}
	p, _ := create()
	return p
}

// List returns a part of a table's records, and their total number.
func (e *Engine) List(ctx context.Context, actor Actor, table uuid.UUID, in query.Request) (Page, error) {
	if in.AsOf != "" || query.CursorMoment(in.Cursor) != 0 {
		return e.listPast(ctx, actor, table, in)
	}
	var page Page
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		plan, err := query.Parse(actor.viewer(), t, &in)
		if err != nil {
			return err
		}
		kept, err := e.keptPlan(actor, s, plan, &in)
		if err != nil {
			return err
		}
		if kept == nil {
			e.indexes.Observe(plan)
		}
		if err := e.resolveCursor(ctx, plan); err != nil {
			return err
		}
		if kept != nil {
			page, err = e.listKept(ctx, s, kept)
			return err
		}
		page, err = e.list(ctx, plan, e.projectionOfPlan(s, plan))
		return err
	})
	return page, err
}

// projectionOfPlan is the projection of the fields that a plan returns.
func (e *Engine) projectionOfPlan(s *schema.Snapshot, plan *query.Plan) *query.Projection {
	if plan.Fields == nil {
		return e.projectionOf(s, plan.Table)
	}
	return query.NewProjection(plan.Table, plan.Fields, fileLinks(e.linker, plan.Table.Org))
}

// Search returns the records that contain q in any field. It is List with only a search.
func (e *Engine) Search(
	ctx context.Context,
	actor Actor,
	table uuid.UUID,
	q string,
	limit int,
	offset int64,
	cursor string,
) (Page, error) {
	return e.SearchAsOf(ctx, actor, table, query.Request{Search: q, Limit: limit, Offset: offset, Cursor: cursor})
}

// SearchAsOf is List with only a search, whose text errors name as q.
func (e *Engine) SearchAsOf(ctx context.Context, actor Actor, table uuid.UUID, in query.Request) (Page, error) {
	if in.Search == "" {
		return Page{}, problem.Invalid("q", "must not be empty")
	}
	page, err := e.List(ctx, actor, table, in)
	var wrong *problem.Error
	if errors.As(err, &wrong) {
		for i := range wrong.Items {
			if wrong.Items[i].Path == "search" {
				return page, problem.Invalid("q", "%s", wrong.Items[i].Message)
			}
		}
	}
	return page, err
}

// resolveCursor reads the sort values that were too long for the plan's cursor.
func (e *Engine) resolveCursor(ctx context.Context, plan *query.Plan) error {
	statement, row := plan.LongValues()
	if statement == "" {
		return nil
	}
	var now [][]byte
	err := e.db.TableBatch(ctx, plan.Table.Org, plan.Table.Ref(), func(b *pgx.Batch) {
		b.Queue(statement, row).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				now = nil
				for _, raw := range rows.RawValues() {
					now = append(now, slices.Clone(raw))
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return fmt.Errorf("looking for the values of a cursor: %w", err)
	}
	return plan.ResolveCursor(now)
}

// list sends the plan in one statement, so that page and total come from one snapshot.
func (e *Engine) list(ctx context.Context, plan *query.Plan, projection *query.Projection) (Page, error) {
	compiler := query.NewCompiler(e.now(), e.db.Topology()).For(db.PersonOf(ctx))
	statement, hint := plan.Statement(compiler, projection, e.totals)
	page := Page{Limit: plan.Limit, Offset: plan.Position(), Problems: plan.Problems}
	var writes int64
	memory, release := membudget.Of(ctx)
	defer release()
	err := memory.Read(ctx, func() error { // it waits for memory without a connection
		return e.db.TableBatch(ctx, plan.Table.Org, plan.Table.Ref(), func(b *pgx.Batch) {
			if more := plan.PresentMemory(); more != "" {
				b.Queue(more)
			}
			b.Queue(statement, compiler.Values()...).Query(func(rows pgx.Rows) (err error) {
				writes, err = page.read(plan, projection, rows, memory)
				return err
			})
		})
	})
	if err != nil {
		return Page{}, fmt.Errorf("listing records: %w", err)
	}
	e.totals.Add(hint, writes, page.Total)
	return page, nil
}

// read fills the page from the rows of the plan's statement, and returns the stamp with which its total
// is valid. The page ends at its limit, or before the record that would make it larger than
// membudget.MaxSize; it has at least one record.
func (p *Page) read(
	plan *query.Plan,
	projection *query.Projection,
	rows pgx.Rows,
	memory *membudget.Reservation,
) (writes int64, err error) {
	var buffer pageBuffer
	p.Records, p.Colors, p.HasMore, p.Cursor = make([][]byte, 0, plan.Limit), nil, false, ""
	var last uuid.UUID
	lastSort := make([][]byte, len(plan.Sorts))
	for first := true; rows.Next(); first = false {
		if first {
			if err := projection.CheckFormats(rows, 2); err != nil {
				return 0, err
			}
		}
		row := plan.ReadRow(rows.RawValues())
		writes, p.Total = row.Writes, row.Total
		if row.Record == nil || p.HasMore {
			continue
		}
		if len(p.Records) == plan.Limit {
			p.HasMore = true
			continue
		}
		record := buffer.add(projection, row.Record, plan.Limit)
		if buffer.size > membudget.MaxSize && len(p.Records) > 0 {
			p.HasMore = true
			continue
		}
		if !memory.Fits(buffer.size) {
			return 0, membudget.ErrNoMemory
		}
		p.Records = append(p.Records, record)
		if plan.Colored() {
			p.Colors = append(p.Colors, row.Color)
		}
		last = uuid.UUID(row.Record[0])
		for i, value := range row.Sort {
			lastSort[i] = copyValue(lastSort[i], value)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	memory.Done(buffer.size)
	if p.HasMore {
		p.Cursor = plan.CursorBehind(p.Offset+int64(len(p.Records)), last, lastSort)
	}
	return writes, nil
}

// Aggregate returns counts, sums and the like over the records of a table.
func (e *Engine) Aggregate(ctx context.Context, actor Actor, table uuid.UUID, in query.Aggregation) (Groups, error) {
	if in.AsOf != "" {
		return e.aggregatePast(ctx, actor, table, in)
	}
	var out Groups
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		kept, known, err := e.aggregateKept(ctx, actor, s, t, &in)
		if known || err != nil && !pgerror.Is(err, db.StateStale) {
			out = kept
			return err
		}
		plan, err := query.ParseAggregation(actor.viewer(), t, &in)
		if err != nil {
			return err
		}
		out, err = e.aggregate(ctx, plan)
		return err
	})
	return out, err
}

func (e *Engine) aggregate(ctx context.Context, plan *query.AggregationPlan) (Groups, error) {
	compiler := query.NewCompiler(e.now(), e.db.Topology())
	statement := plan.Statement(compiler)
	send := func(ctx context.Context, queue func(b *pgx.Batch)) error {
		return e.db.TableBatch(ctx, plan.Table.Org, plan.Table.Ref(), func(b *pgx.Batch) {
			if more := plan.PresentMemory(); more != "" {
				b.Queue(more)
			}
			queue(b)
		})
	}
	return readGroups(ctx, plan, query.Statement{SQL: statement, Args: compiler.Values()}, send)
}

// readGroups sends the statement of an aggregation.
func readGroups(
	ctx context.Context,
	plan *query.AggregationPlan,
	statement query.Statement,
	send func(ctx context.Context, queue func(b *pgx.Batch)) error,
) (Groups, error) {
	var out Groups
	err := send(ctx, func(b *pgx.Batch) {
		b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
			out = Groups{}
			for rows.Next() {
				if len(out.Groups) == plan.Limit {
					out.HasMore = true
					continue
				}
				out.Groups = append(out.Groups, plan.AppendGroup(make([]byte, 0, 128), rows.RawValues()))
			}
			return rows.Err()
		})
	})
	if pgerror.Is(err, pgerrcode.NumericValueOutOfRange) {
		return Groups{}, plan.BeyondNumbers().Because(err)
	}
	if err != nil {
		return Groups{}, fmt.Errorf("aggregating records: %w", err)
	}
	return out, nil
}
