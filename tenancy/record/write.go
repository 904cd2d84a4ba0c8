package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// SQLSTATEs that gate.assert is called with.
const (
	stateMissingRecord = "RH002"
	stateMissingPerson = "RH003"
	stateMissingFile   = "RH004"
)

// A Creation asks for new records.
type Creation struct {
	Records [][]byte // the fields of each: a JSON object of field names and values; 1 to MaxBatch
	// UpsertOn names 1 to 3 fields: a record that is there already with the same values in them is updated instead.
	UpsertOn []string
	Typecast bool // convert values of other types, and add select options
	Single   bool // the input was one record and not a list, for the paths of errors
}

// A Change is the change of one record.
type Change struct {
	ID     string
	Fields []byte // a JSON object of field names and values; others stay
}

func countOf(path string, n int) error {
	if n < 1 || n > MaxBatch {
		return problem.Invalid(path, "must hold 1 to %d records, not %d", MaxBatch, n)
	}
	return nil
}

// Create writes new records, all or none, and returns them in the order of the input. With UpsertOn it is an upsert.
func (e *Engine) Create(ctx context.Context, actor Actor, table uuid.UUID, in Creation) (Written, error) {
	if err := countOf("records", len(in.Records)); err != nil {
		return Written{}, err
	}
	if in.UpsertOn != nil {
		return e.upsert(ctx, actor, table, in)
	}
	var out Written
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		take := newWriteInput(s, t, in.Typecast)
		for i, raw := range in.Records {
			r := take.add(in.path(i), raw)
			r.id = id.New()
		}
		if err := e.ready(ctx, actor, take); err != nil {
			return err
		}
		for i := range take.rows {
			take.complete(&take.rows[i])
		}
		if err := take.err(); err != nil {
			return err
		}
		records, err := e.write(ctx, actor, take, true, eventOf("create_records", t, take.ids(), !in.Single))
		if err != nil {
			return e.explain(ctx, actor, take, fmt.Errorf("creating records: %w", err))
		}
		out = Written{Records: records}
		return nil
	})
	return out, err
}

func (in *Creation) path(i int) string {
	if in.Single {
		return "fields"
	}
	return "records[" + strconv.Itoa(i) + "].fields"
}

// ready ends the reading of input: options that typecast needs are added, which begins the attempt anew, and what is wrong is
// reported.
func (e *Engine) ready(ctx context.Context, actor Actor, take *writeInput) error {
	if err := take.err(); err != nil {
		return err
	}
	if len(take.lacks) > 0 {
		if err := e.addOptions(ctx, actor, take); err != nil {
			return err
		}
		return fmt.Errorf("options were added: %w", db.ErrSchemaChanged)
	}
	return e.findFiles(ctx, actor, take)
}

// Update changes records, all or none, and returns them whole in the order of the input.
func (e *Engine) Update(ctx context.Context, actor Actor, table uuid.UUID, changes []Change, typecast bool) (Written, error) {
	if err := countOf("records", len(changes)); err != nil {
		return Written{}, err
	}
	var out Written
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		var err error
		out, err = e.update(ctx, actor, s, t, changes, typecast, true, func(i int) string { return "records[" + strconv.Itoa(i) + "].fields" })
		return err
	})
	return out, err
}

// UpdateOne changes one record: the given fields are merged into it.
func (e *Engine) UpdateOne(ctx context.Context, actor Actor, record string, fields []byte, typecast bool) (Record, error) {
	var out Record
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, _ uuid.UUID) error {
		written, err := e.update(ctx, actor, s, t, []Change{{record, fields}}, typecast, false, func(int) string { return "fields" })
		if err == nil {
			out = written.Records[0]
		}
		return err
	})
	return out, err
}

func (e *Engine) update(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, changes []Change, typecast, many bool, path func(i int) string,
) (Written, error) {
	take := newWriteInput(s, t, typecast)
	seen := make(map[uuid.UUID]int, len(changes))
	for i, change := range changes {
		number, u, err := id.ParseRecord(change.ID)
		if err != nil || number != t.Number {
			return Written{}, noRecord(t, change.ID, many)
		}
		if before, twice := seen[u]; twice {
			take.fail(fmt.Sprintf("records[%d].id", i), "is the same record as records[%d]; a record is changed once in a request", before)
		}
		seen[u] = i
		take.add(path(i), change.Fields).id = u
	}
	if err := e.ready(ctx, actor, take); err != nil {
		return Written{}, err
	}
	var records [][]byte
	var err error
	if touched, _ := split(take.rows); len(touched) == 0 {
		records, err = e.readBack(ctx, actor, take)
	} else {
		records, err = e.write(ctx, actor, take, false, eventOf("update_records", t, take.ids(), many))
	}
	if pgerror.Is(err, stateMissingRecord) {
		return Written{}, e.missing(ctx, actor, t, changes, many)
	}
	if err != nil {
		return Written{}, e.explain(ctx, actor, take, fmt.Errorf("updating records: %w", err))
	}
	return Written{Records: records}, nil
}

// write does what was taken in, all of it or nothing, and returns the records in the order of the rows: it creates them when they are fresh,
// and changes them otherwise.
func (e *Engine) write(ctx context.Context, actor Actor, take *writeInput, fresh bool, event *audit.Event) ([][]byte, error) {
	if err := take.weigh(); err != nil {
		return nil, err
	}
	take.arrange()
	if take.shareable() && !audit.Needed(e.db, event) {
		return e.writeSingle(ctx, actor, take, fresh)
	}
	w := e.newWriter(actor, take)
	err := e.db.TableWrite(ctx, actor.Org, take.table.Ref(), func(b *pgx.Batch) {
		w.queue(b, fresh)
		audit.Record(e.db, b, actor.Org, event)
		w.count(b, fresh)
	})
	return w.inOrder(take.rows), err
}

// missing finds which of the records is not there.
func (e *Engine) missing(ctx context.Context, actor Actor, t *schema.Table, changes []Change, many bool) error {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].ID
	}
	return e.missingOf(ctx, actor, t, ids, many)
}

func (e *Engine) missingOf(ctx context.Context, actor Actor, t *schema.Table, ids []string, many bool) error {
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
			return noRecord(t, ids[i], many)
		}
	}
	return noRecord(t, ids[0], many) // it was there again a moment later
}

// Delete removes records, all or none, and returns their ids in the order of the input.
func (e *Engine) Delete(ctx context.Context, actor Actor, table uuid.UUID, ids []string) ([]string, error) {
	if len(ids) < 1 || len(ids) > MaxBatch {
		return nil, problem.Invalid("ids", "must hold 1 to %d ids, not %d", MaxBatch, len(ids))
	}
	err := e.onTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		return e.delete(ctx, actor, s, t, ids, true)
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// DeleteOne removes one record and returns its id.
func (e *Engine) DeleteOne(ctx context.Context, actor Actor, record string) ([]string, error) {
	err := e.onRecord(ctx, actor.Org, record, func(s *schema.Snapshot, t *schema.Table, _ uuid.UUID) error {
		return e.delete(ctx, actor, s, t, []string{record}, false)
	})
	if err != nil {
		return nil, err
	}
	return []string{record}, nil
}

func (e *Engine) delete(ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, ids []string, many bool) error {
	rows := make([]uuid.UUID, 0, len(ids))
	for i, public := range ids {
		number, u, err := id.ParseRecord(public)
		if err != nil || number != t.Number {
			return noRecord(t, public, many)
		}
		if before := slices.Index(rows, u); before >= 0 {
			return problem.Invalid(fmt.Sprintf("ids[%d]", i), "is the same record as ids[%d]", before)
		}
		rows = append(rows, u)
	}
	err := e.db.TableWrite(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		if len(rows) > 1 {
			lockRows(b, t, rows, "for update")
		}
		b.Queue(`with gone as (delete from `+t.Relation()+` t where t.id = any ($1) and `+t.Ref().AssertVersion("$3")+` returning t.id)
			select gate.assert((select count(*) from gone) = $2, '`+stateMissingRecord+`')`, rows, len(rows), t.Version)
		audit.Record(e.db, b, actor.Org, eventOf("delete_records", t, ids, many))
		countWrite(b, t, -len(rows), linkedNumbers(s, t))
	})
	if pgerror.Is(err, stateMissingRecord) {
		return e.missingOf(ctx, actor, t, ids, many)
	}
	if err != nil {
		return fmt.Errorf("deleting records: %w", err)
	}
	return nil
}

// noRecord says that there is no record with an id. Where the request names a table beside the id, it may be one of another table;
// whether it is is not said, for that may be a foreign one.
func noRecord(t *schema.Table, record string, many bool) error {
	e := problem.NotFound("record", record)
	if many {
		e.Message = fmt.Sprintf("The table %q has no record with the id %q: it was deleted, or the id is of another table.", t.Name, record)
	}
	return e
}

// explain turns a constraint's violation into an error that names the place in the input.
func (e *Engine) explain(ctx context.Context, actor Actor, take *writeInput, err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch pg.Code {
	case "23505":
		for _, f := range take.table.Fields {
			if f.UniqueIndex() == pg.ConstraintName {
				return problem.Conflict("The field %q is unique, and another record has the value already.", f.Name).
					WithCode("not_unique").Because(err)
			}
		}
	case "23503":
		return e.missingLinks(ctx, actor, take, err)
	case stateMissingFile:
		return problem.Conflict("A file was removed at the same moment, for it was in no record for a day; upload it again.").WithCode("file_gone").Because(err)
	case stateMissingPerson:
		return e.missingPeople(ctx, actor, take, err)
	case stateHeavyRecord:
		return e.heavyRecord(ctx, actor, take, err)
	case stateHeavyAnswer:
		return heavyAnswer()
	case "54000":
		return take.tooLong(pg).Because(err)
	}
	return err
}

func (e *Engine) missingLinks(ctx context.Context, actor Actor, take *writeInput, cause error) error {
	var items []problem.Item
	err := e.db.Batch(ctx, actor.Org, func(b *pgx.Batch) {
		for i := range take.rows {
			for _, l := range take.rows[i].links {
				linked := take.schema.Table(l.field.Link.LinkedTable)
				b.Queue("select u from unnest($1::uuid[]) u where not exists (select from "+linked.Relation()+" t where t.id = u)", l.rows).
					Query(func(rows pgx.Rows) error {
						var u uuid.UUID
						_, err := pgx.ForEachRow(rows, []any{&u}, func() error {
							if len(items) < maxItems {
								items = append(items, problem.Item{Path: l.path, Message: noSuchLink(id.FormatRecord(linked.Number, u), linked).Error()})
							}
							return nil
						})
						return err
					})
			}
		}
	})
	if err != nil || len(items) == 0 {
		return problem.Conflict("A linked record was deleted at the same moment.").Because(cause)
	}
	return problem.InvalidItems(items).Because(cause)
}

func (e *Engine) missingPeople(ctx context.Context, actor Actor, take *writeInput, cause error) error {
	members := map[uuid.UUID]bool{}
	err := e.db.Batch(ctx, actor.Org, func(b *pgx.Batch) {
		b.Queue("select person_id from rowhouse.member where org_id = $1", actor.Org).Query(func(rows pgx.Rows) error {
			var u uuid.UUID
			_, err := pgx.ForEachRow(rows, []any{&u}, func() error { members[u] = true; return nil })
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("reading the members: %w", err)
	}
	for _, p := range take.people {
		if !members[p.id] {
			take.fail(p.path, "%s is not a member of the organization", quoted(id.Format(id.User, p.id)))
		}
	}
	if err := take.err(); err != nil {
		return err
	}
	return problem.Conflict("A member left the organization at the same moment.").Because(cause)
}

// addOptions adds the options that typecast needs.
func (e *Engine) addOptions(ctx context.Context, actor Actor, take *writeInput) error {
	err := e.store.Change(ctx, actor.Org, func(c *schema.Change) error {
		c.SetAuditEvent(audit.Event{Action: "add_options", Subject: take.table.PublicID(), Detail: take.newOptions(), Step: true})
		for fieldID, names := range take.lacks {
			f := c.Snapshot.Field(fieldID)
			if f == nil || (f.Type != schema.SingleSelect && f.Type != schema.MultiSelect) {
				continue // changed meanwhile; the next attempt sees what it is now
			}
			if err := c.LockTable(ctx, f.Table); err != nil {
				return err
			}
			config := f.Config
			config.Options = slices.Clone(config.Options)
			for _, name := range names {
				clean, err := naming.Clean(f.Name, name)
				if err != nil {
					return err
				}
				if !config.HasOption(clean) {
					config.Options = append(config.Options, schema.Option{Name: clean})
				}
			}
			if len(config.Options) > schema.MaxOptions {
				return problem.Invalid(f.Name, "has too many options; a field has at most %d", schema.MaxOptions)
			}
			_, err := c.Exec(ctx, "update rowhouse.field set config = $3 where org_id = $1 and id = $2", c.Org, f.ID, config)
			if err != nil {
				return fmt.Errorf("writing the options: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("adding options: %w", err)
	}
	return nil
}

// newOptions are the options that typecast needs, by field.
func (in *writeInput) newOptions() map[string][]string {
	named := make(map[string][]string, len(in.lacks))
	for field, names := range in.lacks {
		named[id.Format(id.Field, field)] = names
	}
	return named
}

// ids are the public ids of the rows.
func (in *writeInput) ids() []string {
	ids := make([]string, len(in.rows))
	for i := range in.rows {
		ids[i] = id.FormatRecord(in.table.Number, in.rows[i].id)
	}
	return ids
}

// eventOf tells of a write of several records. One of a single record is not in the audit log: the record says who changed it last.
func eventOf(action string, t *schema.Table, ids []string, many bool) *audit.Event {
	if !many {
		return nil
	}
	return &audit.Event{Action: action, Subject: t.PublicID(), Detail: map[string]any{"count": len(ids), "records": ids}}
}

// columnsOf lists the columns of fields, each with a comma before it.
func columnsOf(fields []*schema.Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(", ")
		b.WriteString(f.Column())
	}
	return b.String()
}
