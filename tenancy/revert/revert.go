// Package revert reverts changes: it restores deleted records, and undoes whole change sets from the
// log of changes (package changelog). Changes of tables, fields and views are reverted first
// (schema.go, and package catalog), because records depend on them.
//
// A revert reads the entries of its change sets, the versions of the records, and the later changes of
// others in records that have moved on. It decides in memory the new value of every field (plan.go,
// link.go), and writes the values in chunks, in one transaction. What it writes is a change set like
// any other, and can be reverted too.
package revert

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/internal/progress"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of one revert.
const (
	MaxRecords    = 100_000
	MaxChangeSets = 1000      // that are named
	MaxConflicts  = 100       // that are listed
	maxValues     = 256 << 20 // bytes of values in the entries
)

// An OnConflict says what happens to values that somebody else has changed since.
type OnConflict string

// What becomes of them.
const (
	Fail      OnConflict = "fail"      // nothing is written
	Skip      OnConflict = "skip"      // they stay
	Overwrite OnConflict = "overwrite" // they are written, if they fit
)

// A Request says what to revert: change sets, or all changes of a credential since a moment.
type Request struct {
	ChangeSets []uuid.UUID
	Credential string // its public id
	Since      time.Time
	DryRun     bool       // write nothing
	OnConflict OnConflict // default Fail

	// What the caller may do to the schema, if the change sets have changed it.
	By        schema.Viewer
	MayView   error // an error if the caller may not change views
	MayDefine error // an error if the caller may not change tables and fields
	MayWrite  error // an error if the caller's role does not let them write records
}

// An Engine reverts changes. It is made for a request.
type Engine struct {
	db      *db.DB
	records *record.Engine
}

// New returns an engine that writes records with records.
func New(tenantDB *db.DB, records *record.Engine) *Engine { return &Engine{tenantDB, records} }

// maxRaces is how often a revert begins again because another request took a unique value or linked a
// record at the same moment.
const maxRaces = 3

// Revert reverts changes in a base, or returns what it would do.
func (e *Engine) Revert(ctx context.Context, actor record.Actor, base uuid.UUID, in Request) (Plan, error) {
	if in.OnConflict == "" {
		in.OnConflict = Fail
	}
	var plan Plan
	for race := 0; ; race++ {
		err := e.records.OnSchema(ctx, actor.Org, func(s *schema.Snapshot) (err error) {
			plan, err = e.revert(ctx, actor, s, base, in)
			return err
		})
		if race < maxRaces && raced(err) {
			continue
		}
		if raced(err) {
			return plan, problem.Conflict("Other requests changed the same things at the same moment. Nothing was " +
				"changed; send the request again.").WithCode(problem.CodeWriteConflict).Because(err)
		}
		return plan, err
	}
}

func (e *Engine) revert(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, base uuid.UUID, in Request,
) (Plan, error) {
	b := s.Base(base)
	if b == nil {
		return Plan{}, problem.NotFound("base", id.Format(id.Base, base))
	}
	r := newRun(ctx, e, actor, s, in)
	r.subject = b.PublicID()
	limited := s.IsPartial(base) || s.IsLimited(base)
	if limited {
		r.limitTo(b, in)
	}
	send := func(queue func(b *pgx.Batch)) error { return e.db.Read(ctx, actor.Org, queue) }
	objects, err := r.findObjects(b, send)
	if err != nil {
		return Plan{}, err
	}
	if len(objects) > 0 && limited {
		return Plan{}, problem.Forbidden("These change sets have changed views, tables or fields, and permissions of " +
			"the base limit what you see or write in it; ask a creator of the base to revert them.").
			WithCode(problem.CodePartialAccess)
	}
	if len(objects) > 0 {
		return e.revertSchema(ctx, actor, base, in)
	}
	touched, err := r.find(b, in, send)
	if err != nil {
		return Plan{}, err
	}
	if len(touched) == 0 {
		return r.nothing(ctx, in)
	}
	err = e.transact(ctx, r, touched, func(tx pgx.Tx) error {
		if err := r.plans(ctx, tx, in); err != nil {
			return err
		}
		if in.DryRun {
			return audit.RecordTx(ctx, tx, actor.Org, nil)
		}
		if err := r.write(ctx, tx, r.event("revert_changes", in)); err != nil {
			return err
		}
		return r.permitAfter(ctx, tx)
	})
	return r.plan, err
}

// plans decides what happens to the records, and describes it. It returns an error if conflicts prevent
// the revert, except in a dry run.
func (r *run) plans(ctx context.Context, tx pgx.Tx, in Request) error {
	progress.Report(ctx, 0, 0, "Reading what was changed")
	if err := r.readOwn(ctx, tx); err != nil {
		return err
	}
	if !in.DryRun {
		if err := r.lock(ctx, tx); err != nil {
			return err
		}
	}
	if err := r.decide(ctx, tx); err != nil {
		return err
	}
	if err := r.keepSets(in); err != nil {
		return err
	}
	if err := r.permit(ctx, tx); err != nil {
		return err
	}
	if err := r.describeConflicts(ctx, tx); err != nil {
		return err
	}
	r.plan.DryRun = in.DryRun
	if in.DryRun {
		return nil
	}
	return r.refusal()
}

// nothing is the plan if there is nothing in the base to revert.
func (r *run) nothing(ctx context.Context, in Request) (Plan, error) {
	if len(in.ChangeSets) > 0 {
		return Plan{}, notInBase(in.ChangeSets[0])
	}
	r.plan.DryRun = in.DryRun
	return r.plan, r.engine.db.Batch(ctx, r.actor.Org, func(b *pgx.Batch) {
		audit.Record(ctx, b, r.actor.Org, nil)
		b.Queue("select 1")
	})
}

func notInBase(set uuid.UUID) error {
	return problem.NotFound("change set with changes in this base", id.Format(id.ChangeSet, set))
}

// A sender runs the queries that a function queues.
type sender func(queue func(b *pgx.Batch)) error

// find returns the tables whose records the change sets have changed, and completes the run's state of
// the sets.
func (r *run) find(base *schema.Base, in Request, send sender) ([]*schema.Table, error) {
	own, args := r.own.sql(2)
	var touched []*schema.Table
	found := map[uuid.UUID]bool{}
	for _, set := range r.sets { // that have changed the schema
		found[set] = true
	}
	err := send(func(b *pgx.Batch) {
		b.Queue("select distinct c.table_number, c.change_set from "+r.log()+" c where c.table_number = any ($1) and "+
			"c.kind <= 5 and "+own, append([]any{tableNumbers(base)}, args...)...).Query(func(rows pgx.Rows) error {
			var number int32
			var set uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&number, &set}, func() error {
				if t := r.schema.TableByNumber(number); t != nil && !slices.Contains(touched, t) {
					touched = append(touched, t)
				}
				found[set] = true
				return nil
			})
			return err
		})
	})
	if err != nil && !pgerror.Is(err, pgerrcode.UndefinedTable) {
		return nil, fmt.Errorf("looking for the changes to revert: %w", err)
	}
	for _, set := range in.ChangeSets {
		if !found[set] {
			return nil, notInBase(set)
		}
	}
	r.sets = slices.Collect(maps.Keys(found))
	slices.SortFunc(r.sets, func(a, b uuid.UUID) int { return strings.Compare(string(a[:]), string(b[:])) })
	r.plan.ChangeSets = publicSets(r.sets)
	slices.SortFunc(touched, func(a, b *schema.Table) int { return int(a.Number - b.Number) })
	return touched, nil
}

// transact runs fn in a transaction that locks the schemas of tables.
func (e *Engine) transact(ctx context.Context, r *run, tables []*schema.Table, fn func(tx pgx.Tx) error) error {
	for _, t := range tables {
		r.table(t)
	}
	err := e.db.TableTx(ctx, r.actor.Org, tables[0].Ref(), func(tx pgx.Tx) error {
		b := &pgx.Batch{}
		for _, t := range tables[1:] {
			b.Queue("select gate.hold_table($1, $2)", t.Number, t.Version)
		}
		b.Queue("select set_config('work_mem', '32MB', true)") // for search indexes, and for what is sorted here
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("holding the schema: %w", err)
		}
		return fn(tx)
	})
	for _, t := range tables {
		err = e.records.IndexManager().DropOversized(ctx, t, err)
	}
	return err
}

// event describes the run for the audit log.
func (r *run) event(action string, in Request) *audit.Event {
	detail := map[string]any{
		"changeSets": r.plan.ChangeSets, "records": r.plan.Records, "onConflict": in.OnConflict,
	}
	if len(r.plan.Schema) > 0 {
		detail["schema"] = r.plan.Schema
	}
	if in.Credential != "" {
		detail["credential"], detail["since"] = in.Credential, in.Since
	}
	return &audit.Event{Action: action, Subject: r.subject, Detail: detail}
}

func selectionOf(in Request) selection {
	if len(in.ChangeSets) > 0 {
		return selection{"c.change_set = any ($%d::uuid[])", []any{in.ChangeSets}}
	}
	return selection{"c.credential = $%d::text and c.number >= $%d", []any{in.Credential, in.Since.UnixMicro()}}
}

// A selection is a condition on the log under the alias c, whose placeholders are verbs.
type selection struct {
	condition string
	args      []any
}

// sql returns the condition with placeholders from first on.
func (s selection) sql(first int) (string, []any) {
	numbers := make([]any, len(s.args))
	for i := range numbers {
		numbers[i] = first + i
	}
	return fmt.Sprintf(s.condition, numbers...), s.args
}
