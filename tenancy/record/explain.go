package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/membudget"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// VersionChanged is the error for a record that no longer has the demanded version.
func (e *Engine) VersionChanged(
	ctx context.Context, actor Actor, t *schema.Table, public string, version int64,
) error {
	return e.versionChanged(ctx, actor, t, []Change{{ID: public, Version: &version}})
}

// versionChanged reports which record no longer has the demanded version, and its present version.
// Nothing was written.
func (e *Engine) versionChanged(ctx context.Context, actor Actor, t *schema.Table, changes []Change) error {
	for i, change := range changes {
		if change.Version == nil {
			continue
		}
		current, err := e.Get(ctx, actor, change.ID)
		if err != nil {
			return err
		}
		if version, _ := current.Version(); version != *change.Version {
			at := ""
			if len(changes) > 1 {
				at = fmt.Sprintf("records[%d]: ", i)
			}
			changed := &problem.Error{
				Kind: problem.KindPrecondition, Code: problem.CodeVersionChanged,
				Message: fmt.Sprintf("%sThe record %s of %q has changed: its version is %d, not %d. Nothing was "+
					"written.", at, change.ID, t.Name, version, *change.Version),
			}
			if !db.ActorOf(ctx).Blind {
				changed.Current = current
				changed.Message += " See current for the record as it is now."
			}
			return changed
		}
	}
	return problem.Unavailable(errors.New("a record had another version for a moment"))
}

// missing finds which of the records does not exist.
func (e *Engine) missing(ctx context.Context, actor Actor, t *schema.Table, changes []Change, many bool) error {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].ID
	}
	return e.findMissing(ctx, actor, t, ids, many)
}

func (e *Engine) findMissing(ctx context.Context, actor Actor, t *schema.Table, ids []string, many bool) error {
	rows := make([]uuid.UUID, len(ids))
	for i, public := range ids {
		_, rows[i], _ = id.ParseRecord(public) // read before
	}
	there := map[uuid.UUID]bool{}
	err := e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue("select t.id from "+t.Relation()+" t where t.id = any ($1)", rows).Query(func(r pgx.Rows) error {
			var u uuid.UUID
			_, err := pgx.ForEachRow(r, []any{&u}, func() error { there[u] = true; return nil })
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("looking for missing records: %w", err)
	}
	for i, u := range rows {
		if !there[u] {
			return recordNotFound(t, ids[i], many)
		}
	}
	return recordNotFound(t, ids[0], many) // it existed again a moment later
}

// recordNotFound says that there is no record with an id. If the request also names a table, the record
// may be of another table; the message does not say so, because that table may belong to others.
func recordNotFound(t *schema.Table, record string, many bool) error {
	e := problem.NotFound("record", record)
	if many {
		e.Message = fmt.Sprintf(
			"The table %q has no record with the id %q: it was deleted, or the id is of another table.", t.Name, record,
		)
	}
	return e
}

// explain maps a constraint's violation to an error that names the position in the input.
func (e *Engine) explain(ctx context.Context, actor Actor, input *writeInput, err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch pg.Code {
	case pgerrcode.UniqueViolation:
		for _, f := range input.table.Fields {
			if pgerror.Violates(pg, f.UniqueIndex()) {
				return e.taken(ctx, actor, input, f).Because(err)
			}
		}
	case pgerrcode.ForeignKeyViolation:
		return e.missingLinks(ctx, actor, input, err)
	case db.StateMissingFile:
		return problem.Conflict(
			"A file was removed at the same moment, because no record had contained it for a day; upload it again.",
		).WithCode(problem.CodeFileGone).Because(err)
	case db.StateMissingPerson:
		return e.missingPeople(ctx, actor, input, err)
	case db.StateRecordTooLarge:
		return e.recordTooLarge(ctx, actor, input, err)
	case db.StateRowRule:
		return e.ruleRefuses(ctx, actor, input, err)
	case db.StateAnswerTooLarge:
		return answerTooLarge()
	case pgerrcode.ProgramLimitExceeded:
		return input.tooLong(pg).Because(err)
	}
	return err
}

func notUnique(f *schema.Field) *problem.Error {
	return problem.Conflict("The field %q is unique, and another record has the value already.", f.Name).
		WithCode(problem.CodeNotUnique)
}

// taken is notUnique with the paths of the values, and the records that have them.
func (e *Engine) taken(ctx context.Context, actor Actor, input *writeInput, f *schema.Field) *problem.Error {
	refusal := notUnique(f)
	if !f.CanBeKey() {
		return refusal
	}
	probe := *input
	probe.items = nil
	values := probe.keys([]*schema.Field{f})
	for _, path := range slices.Sorted(maps.Keys(values.twins)) {
		refusal.Items = append(refusal.Items, problem.Item{
			Path: path + "." + f.Name, Message: "must be unique, and " + values.twins[path] + " has the same value",
		})
	}
	found := map[int][]selected{}
	err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) { values.match(b, &probe, "", found) })
	if err != nil {
		return refusal // without the paths
	}
	for _, i := range slices.Sorted(maps.Keys(found)) {
		for _, has := range found[i] {
			if has.row == input.rows[i].id {
				continue
			}
			holder := "the record " + id.FormatRecord(input.table.Number, has.row)
			if db.ActorOf(ctx).Blind {
				holder = "another record"
			}
			refusal.Items = append(refusal.Items, problem.Item{
				Path:    input.rows[i].path + "." + f.Name,
				Message: "must be unique, and " + holder + " has the value already",
			})
		}
	}
	if refusal.Items = refusal.Items[:min(len(refusal.Items), maxItems)]; len(refusal.Items) > 0 {
		refusal.Message += " " + refusal.Items[0].Path + " " + refusal.Items[0].Message + "."
	}
	return refusal
}

func (e *Engine) missingLinks(ctx context.Context, actor Actor, input *writeInput, cause error) error {
	items, err := e.absentLinks(ctx, actor, input)
	if err != nil || len(items) == 0 {
		return problem.Conflict("A linked record was deleted at the same moment.").Because(cause)
	}
	return problem.InvalidItems(items).Because(cause)
}

// absentLinks returns the paths at which input links to records that do not exist.
func (e *Engine) absentLinks(ctx context.Context, actor Actor, input *writeInput) (items []problem.Item, err error) {
	err = e.db.Batch(ctx, actor.Org, func(b *pgx.Batch) {
		for i := range input.rows {
			for _, l := range input.rows[i].links {
				linked := input.schema.Table(l.field.Link.LinkedTable)
				b.Queue("select u from unnest($1::uuid[]) u where not exists (select from "+linked.Relation()+" t "+
					"where t.id = u)", l.rows).
					Query(func(rows pgx.Rows) error {
						var u uuid.UUID
						_, err := pgx.ForEachRow(rows, []any{&u}, func() error {
							if len(items) < maxItems {
								items = append(items, problem.Item{
									Path:    l.path,
									Message: l.field.Pairs.NoRecord(id.FormatRecord(linked.Number, u)).Error(),
								})
							}
							return nil
						})
						return err
					})
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("looking for linked records: %w", err)
	}
	return items, nil
}

func (e *Engine) missingPeople(ctx context.Context, actor Actor, input *writeInput, cause error) error {
	if err := e.refuseStrangers(ctx, actor, input); err != nil {
		return err
	}
	if err := input.err(); err != nil {
		return err
	}
	return problem.Conflict("A member left the organization at the same moment.").Because(cause)
}

// refuseStrangers records the paths at which input names people who are not members of the
// organization.
func (e *Engine) refuseStrangers(ctx context.Context, actor Actor, input *writeInput) error {
	named, strangers, args := input.strangers(actor.Org)
	var found []int
	err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) {
		b.Queue(named+strangers+" order by 1", args...).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, pgx.RowTo[int])
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("looking for people who are no members: %w", err)
	}
	for _, i := range found {
		p := input.people[i]
		input.fail(p.path, "%s is not a member of the organization", field.Quote(id.Format(id.User, p.id)))
	}
	return nil
}

func answerTooLarge() error {
	return (&problem.Error{
		Kind: problem.KindTooLarge,
		Message: fmt.Sprintf("The records would be larger than 8 MB (%d bytes) together, which is the most that an "+
			"answer holds. Nothing was written; write fewer records at once.", membudget.MaxSize),
	}).WithCode(problem.CodeRecordsTooLarge)
}

// valuesTooLarge is answerTooLarge for a write whose response is a count.
func valuesTooLarge() error {
	return (&problem.Error{
		Kind: problem.KindTooLarge,
		Message: fmt.Sprintf("The values to write are larger than 8 MB (%d bytes) together, counted once for each "+
			"record. Nothing was written; write fewer records at once.", membudget.MaxSize),
	}).WithCode(problem.CodeRecordsTooLarge)
}

// recordTooLarge finds which of the changed records would be too large.
func (e *Engine) recordTooLarge(ctx context.Context, actor Actor, input *writeInput, cause error) error {
	err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) {
		for i := range input.rows {
			r := &input.rows[i]
			var kept []*schema.Field
			for _, f := range input.table.Fields {
				if at := slices.Index(input.fields, f); at < 0 || at >= len(r.given) || !r.given[at] {
					kept = append(kept, f)
				}
			}
			b.Queue("select "+SizeExpression(kept)+", "+SizeExpression(input.table.Fields)+" from "+
				input.table.Relation()+" t where t.id = $1", r.id).Query(func(rows pgx.Rows) error {
				var n, present int64
				_, err := pgx.ForEachRow(rows, []any{&n, &present}, func() error {
					if n += int64(r.valueSize()); n > MaxRecord && n > present {
						input.fail(r.path, "would make the record hold %d bytes of values; "+
							"a record holds at most 1 MB (%d bytes)", n, MaxRecord)
					}
					return nil
				})
				return err
			})
		}
	})
	if err != nil {
		return fmt.Errorf("checking the size of records: %w", err)
	}
	if err := input.err(); err != nil {
		return err
	}
	return problem.Invalid("records", "one of the records would hold more than 1 MB (%d bytes) of values", MaxRecord).
		Because(cause)
}

// tooLong finds the values that PostgreSQL cannot store.
func (in *writeInput) tooLong(refused *pgconn.PgError) *problem.Error {
	if strings.HasPrefix(refused.Message, "row is too big") {
		return problem.Invalid("records",
			"too many fields of one record hold long values; PostgreSQL keeps about 400 of them in a record")
	}
	const suspect = 2000 // bytes; shorter values fit
	var items []problem.Item
	for i := range in.rows {
		for at, f := range in.fields {
			value, _ := in.rows[i].value(at)
			if text, ok := value.(string); ok && f.Config.Unique && len(text) > suspect {
				items = append(items, problem.Item{
					Path:    in.rows[i].path + "." + f.Name,
					Message: "is too long; " + schema.UniqueLimit,
				})
			}
		}
	}
	if len(items) == 0 {
		return problem.Invalid("records", "a value is too long for the index of its field")
	}
	return problem.InvalidItems(items[:min(len(items), maxItems)])
}
