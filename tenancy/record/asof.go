package record

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Reads of the past. The records at a moment never change once every writer has ended that may have
// drawn a number up to it. So the statements of one read need not share a snapshot.

// maxSettled bounds the organizations whose last settled moment a process knows.
const maxSettled = 4096

func newSettled() *lru.Cache[uuid.UUID, changelog.Moment] {
	settled, err := lru.New[uuid.UUID, changelog.Moment](maxSettled)
	if err != nil {
		panic(err) // the size is positive
	}
	return settled
}

// Moment finds the moment that asOf names, and waits until it is settled.
func (e *Engine) Moment(ctx context.Context, org uuid.UUID, asOf string) (changelog.Moment, error) {
	return e.momentNamed(ctx, org, asOf)
}

// MomentOf is the moment of a version of a record, which is the number of the change that made it.
func (e *Engine) MomentOf(ctx context.Context, org uuid.UUID, version int64) (changelog.Moment, error) {
	return e.settle(ctx, org, changelog.Moment(version))
}

// momentNamed finds the moment that asOf names.
func (e *Engine) momentNamed(ctx context.Context, org uuid.UUID, asOf string) (changelog.Moment, error) {
	if id.KindOf(asOf) != id.ChangeSet {
		at, err := time.Parse(time.RFC3339, asOf)
		if err != nil {
			return 0, problem.Invalid("asOf", "%s is neither a moment, such as 2026-01-31T12:00:00Z, nor the id of a "+
				"change set", field.Quote(asOf))
		}
		return e.settle(ctx, org, changelog.MomentOf(at))
	}
	unknown := problem.Invalid("asOf", "%s is not a change set of the history that is kept", field.Quote(asOf))
	set, err := id.Parse(id.ChangeSet, asOf)
	if err != nil {
		return 0, unknown
	}
	var found *changelog.Moment
	if err := e.db.Batch(ctx, org, func(b *pgx.Batch) { changelog.Before(b, org, set, &found) }); err != nil {
		return 0, fmt.Errorf("looking for a change set: %w", err)
	}
	if found == nil {
		return 0, unknown
	}
	return e.settle(ctx, org, *found)
}

// settle waits until everything up to a moment has ended.
func (e *Engine) settle(ctx context.Context, org uuid.UUID, moment changelog.Moment) (changelog.Moment, error) {
	if known, ok := e.settled.Get(org); ok && moment <= known {
		return moment, nil
	}
	now, err := changelog.Horizon(ctx, e.db, org)
	if err != nil {
		return 0, err
	}
	e.settled.Add(org, now)
	if moment > now {
		return 0, problem.Invalid("asOf", "is in the future; it is %s", now.Time().Format(time.RFC3339Nano))
	}
	return moment, nil
}

// A pastRead is a read of a table's past.
type pastRead struct {
	*query.Past
	engine *Engine
	now    time.Time
	kept   changelog.Moment
}

func (e *Engine) newPastRead(
	ctx context.Context, s *schema.Snapshot, t *schema.Table, moment changelog.Moment,
) (*pastRead, error) {
	past, err := e.pastOf(ctx, s, t, moment)
	if err != nil {
		return nil, err
	}
	return &pastRead{Past: past.At(moment), engine: e, now: e.now()}, nil
}

// pastKey identifies the past of a table between two changes of its fields.
type pastKey struct {
	projectionKey

	epoch int
}

// evolutionKey identifies the evolution of a table.
type evolutionKey struct{ table uuid.UUID }

// Evolution returns the changes of the fields of a table.
func (e *Engine) Evolution(ctx context.Context, s *schema.Snapshot, t *schema.Table) (*changelog.Evolution, error) {
	return schema.Memoize(s, evolutionKey{t.ID}, func() (*changelog.Evolution, error) {
		send := func(queue func(b *pgx.Batch)) error { return e.db.Batch(ctx, t.Org, queue) }
		return changelog.ReadEvolution(send, t, nil)
	})
}

// pastOf is projectionOf for the past, with the fields as they were.
func (e *Engine) pastOf(
	ctx context.Context, s *schema.Snapshot, t *schema.Table, moment changelog.Moment,
) (*query.Past, error) {
	evolution, err := e.Evolution(ctx, s, t)
	if err != nil {
		return nil, err
	}
	key := pastKey{projectionKey{t.ID, e.linker}, evolution.Epoch(moment)}
	create := func() (*query.Past, error) {
		then := s
		if key.epoch > 0 {
			then = s.As(evolution.At(moment))
		}
		links := fileLinks(e.linker, t.Org)
		return query.NewPast(then, then.Table(t.ID), links, e.db.Topology(), evolution.HasColumn), nil
	}
	if e.perRequest {
		return create()
	}
	return schema.Memoize(s, key, create)
}

// Settings of statements that compute records from the log. Statements that read much of it need enough
// memory for its values of each record. Statements that read a page are planned once, because planning
// takes as long as they do, and none is compiled. Caching unpacked entries (Memoize) does not pay off,
// because each is read once.
const (
	readsMuch = "select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)"
	readsPage = "select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true), " +
		"set_config('enable_memoize', 'off', true)"
)

// send sends statements, and then asks which history is kept, because having read the log keeps its parts.
func (r *pastRead) send(ctx context.Context, settings string, queue func(b *pgx.Batch)) error {
	err := r.engine.db.TableBatch(ctx, r.Table.Org, r.Table.Ref(), func(b *pgx.Batch) {
		b.Queue(settings)
		queue(b)
		r.askKept(b)
	})
	if err != nil {
		return err
	}
	return r.checkKept()
}

func (r *pastRead) askKept(b *pgx.Batch) {
	changelog.KeptSince(b, r.Now(), r.Moment, &r.kept, r.engine.db.Topology())
}

func (r *pastRead) checkKept() error {
	if r.Moment >= r.kept {
		return nil
	}
	return problem.Invalid("asOf", "is before the history that is kept, which begins at %s",
		r.kept.Time().Format(time.RFC3339Nano)).WithCode(problem.CodeHistoryNotKept)
}

// GetAsOf returns a record as it was.
func (e *Engine) GetAsOf(ctx context.Context, actor Actor, record, asOf string) (Record, error) {
	if asOf == "" {
		return e.Get(ctx, actor, record)
	}
	moment, err := e.momentNamed(ctx, actor.Org, asOf)
	if err != nil {
		return nil, err
	}
	var out Record
	err = e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, row uuid.UUID) error {
		r, err := e.newPastRead(ctx, s, t, moment)
		if err != nil {
			return err
		}
		statement := r.RecordStatement(r.now, row)
		out = nil
		err = r.send(ctx, readsPage, func(b *pgx.Batch) {
			b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
				for rows.Next() {
					if found := query.ReadStretch(rows.RawValues()); found.Record != nil {
						out = r.Whole.Append(make([]byte, 0, 512), found.Record)
					}
				}
				return rows.Err()
			})
		})
		switch {
		case err != nil:
			return fmt.Errorf("reading a record as it was: %w", err)
		case out == nil:
			return problem.NotFound("record", record)
		}
		return nil
	})
	return out, err
}

// listPast is List for the past.
func (e *Engine) listPast(ctx context.Context, actor Actor, table uuid.UUID, in query.Request) (Page, error) {
	moment := query.CursorMoment(in.Cursor)
	var err error
	if in.AsOf != "" {
		moment, err = e.momentNamed(ctx, actor.Org, in.AsOf)
	} else {
		moment, err = e.settle(ctx, actor.Org, moment)
	}
	if err != nil {
		return Page{}, err
	}
	var page Page
	err = e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		r, err := e.newPastRead(ctx, s, t, moment)
		if err != nil {
			return err
		}
		plan, err := r.Parse(actor.viewer(), &in)
		if err != nil {
			return err
		}
		fields, projection := r.Table.Fields, r.Whole
		if plan.Fields != nil {
			fields, projection = plan.Fields, query.NewProjection(r.Table, plan.Fields, fileLinks(e.linker, t.Org))
		}
		if err := r.resolveCursor(ctx, plan); err != nil {
			return err
		}
		page = Page{Limit: plan.Limit, Offset: plan.Position(), Problems: plan.Problems}
		memory, release := membudget.Of(ctx)
		defer release()
		err = memory.Read(ctx, func() error {
			if r.InOrder(plan) {
				return r.listInOrder(ctx, &page, plan, projection, fields, memory)
			}
			statement := r.Statement(r.now, plan, projection, fields)
			return r.send(ctx, readsMuch, func(b *pgx.Batch) {
				b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
					_, err := page.read(plan, projection, rows, memory)
					return err
				})
			})
		})
		if err != nil {
			return fmt.Errorf("listing records as they were: %w", err)
		}
		return nil
	})
	return page, err
}

// resolveCursor is Engine.resolveCursor for the past.
func (r *pastRead) resolveCursor(ctx context.Context, plan *query.Plan) error {
	statement, needed := r.LongValues(r.now, plan)
	if !needed {
		return nil
	}
	var then [][]byte
	err := r.send(ctx, readsMuch, func(b *pgx.Batch) {
		b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				then = nil
				for _, raw := range rows.RawValues() {
					then = append(then, slices.Clone(raw))
				}
			}
			return rows.Err()
		})
	})
	if err != nil {
		return fmt.Errorf("looking for the values of a cursor: %w", err)
	}
	return plan.ResolveCursor(then)
}

// listInOrder lists records in the order of their ids, one stretch of the table after another until
// the page is full, because some records of a stretch may not have existed.
func (r *pastRead) listInOrder(
	ctx context.Context, page *Page, plan *query.Plan, projection *query.Projection, fields []*schema.Field,
	memory *membudget.Reservation,
) error {
	var buffer pageBuffer
	page.Records, page.HasMore, page.Cursor = make([][]byte, 0, plan.Limit), false, ""
	total, known := r.engine.totals.Past(r.Past)
	skip, last := plan.Offset, uuid.Nil
	stretch := query.Stretch{Behind: plan.Behind()}
	for {
		stretch.Skip, stretch.Limit = skip, int64(plan.Limit-len(page.Records))
		statement := r.StretchStatement(r.now, stretch, projection, fields)
		seen, unread := int64(0), false
		err := r.send(ctx, readsPage, func(b *pgx.Batch) {
			b.Queue(statement.SQL, statement.Args...).Query(func(rows pgx.Rows) error {
				for first := true; rows.Next(); first = false {
					if first {
						if err := projection.CheckFormats(rows, query.StretchColumns); err != nil {
							return err
						}
					}
					row := query.ReadStretch(rows.RawValues())
					if unread {
						continue
					}
					// A record that fits because another one did not exist is read with the next stretch.
					unread = row.There && row.Record == nil && skip == 0 && len(page.Records) < plan.Limit &&
						!page.HasMore
					if unread {
						continue
					}
					seen, stretch.Behind = seen+1, row.ID
					switch {
					case !row.There || page.HasMore:
						continue
					case skip > 0:
						skip--
						continue
					case len(page.Records) == plan.Limit:
						page.HasMore = true
						continue
					}
					record := buffer.add(projection, row.Record, plan.Limit)
					if buffer.size > membudget.MaxSize && len(page.Records) > 0 {
						page.HasMore = true
						continue
					}
					if !memory.Fits(buffer.size) {
						return membudget.ErrNoMemory
					}
					page.Records, last = append(page.Records, record), row.ID
				}
				return rows.Err()
			})
			if !known {
				counted := r.Total(r.now)
				b.Queue(counted.SQL, counted.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
			}
		})
		if err != nil {
			return err
		}
		if !known {
			r.engine.totals.AddPast(r.Past, total)
			known = true
		}
		if page.HasMore || !unread && seen < stretch.Most() {
			break
		}
	}
	memory.Done(buffer.size)
	page.Total = total
	if page.HasMore {
		page.Cursor = plan.CursorBehind(page.Offset+int64(len(page.Records)), last, nil)
	}
	return nil
}

// aggregatePast is Aggregate for the past.
func (e *Engine) aggregatePast(
	ctx context.Context,
	actor Actor,
	table uuid.UUID,
	in query.Aggregation,
) (Groups, error) {
	moment, err := e.momentNamed(ctx, actor.Org, in.AsOf)
	if err != nil {
		return Groups{}, err
	}
	var out Groups
	err = e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		r, err := e.newPastRead(ctx, s, t, moment)
		if err != nil {
			return err
		}
		plan, err := query.ParseAggregation(actor.viewer(), r.Table, &in)
		if err != nil {
			return err
		}
		if err := plan.RefusePast(); err != nil {
			return err
		}
		out, err = readGroups(ctx, plan, r.Aggregate(r.now, plan), func(ctx context.Context,
			queue func(b *pgx.Batch),
		) error {
			return r.send(ctx, readsMuch, queue)
		})
		return err
	})
	return out, err
}
