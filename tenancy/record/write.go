package record

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Creation is a request for new records.
type Creation struct {
	Records []jsonvalue.ParsedObject // the fields of each, by name; 1 to MaxBatch
	// UpsertOn names 1 to 3 fields: an existing record with the same values in them is updated instead.
	UpsertOn []string
	Typecast bool // convert values of other types, and add select options
	Single   bool // the input was one record and not a list, for the paths of errors
	// IDs and CreatedAt are those of the new records, where they come from somewhere else; nil chooses them. Not with
	// UpsertOn.
	IDs       []uuid.UUID
	CreatedAt []time.Time
	// Lines are the lines of the text that the records come from, for the paths of errors; nil for
	// other records.
	Lines []int
	// expected are the records that the rows of an upsert must match, and no others; nil: any.
	expected  map[int]selected
	exclusive bool                              // as in writeInput
	styleOf   func(f *schema.Field) field.Style // as in writeInput
}

// A Change is the change of one record.
type Change struct {
	ID      string
	Version *int64                 // that the record must have; nil: any
	Fields  jsonvalue.ParsedObject // by name; others stay
}

func countOf(path string, n int) error {
	if n < 1 || n > MaxBatch {
		return problem.Invalid(path, "must hold 1 to %d records, not %d", MaxBatch, n)
	}
	return nil
}

// Create writes new records, all or none, and returns them in the order of the input. With UpsertOn
// it is an upsert.
func (e *Engine) Create(ctx context.Context, actor Actor, table uuid.UUID, in Creation) (Written, error) {
	if err := countOf("records", len(in.Records)); err != nil {
		return Written{}, err
	}
	if in.UpsertOn != nil {
		return e.upsert(ctx, actor, table, in)
	}
	var out Written
	err := e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		if err := mayCreate(t); err != nil {
			return err
		}
		input := newWriteInput(s, t, in.Typecast)
		input.exclusive, input.person = exclusive, actor.Person
		records, err := e.nameLinks(ctx, actor, input, in.Records, in.path)
		if err != nil {
			return err
		}
		for i, raw := range records {
			r := input.add(in.path(i), raw)
			r.id = in.idOf(i)
			if in.CreatedAt != nil {
				r.createdAt = in.CreatedAt[i]
			}
		}
		if err := e.prepare(ctx, actor, input); err != nil {
			return err
		}
		for i := range input.rows {
			input.applyDefaults(&input.rows[i])
		}
		if err := input.err(); err != nil {
			return err
		}
		written, err := e.write(ctx, actor, input, true, eventOf("create_records", t, input.ids(), !in.Single))
		if err != nil {
			return e.explain(ctx, actor, input, fmt.Errorf("creating records: %w", err))
		}
		out = Written{Records: written}
		return nil
	})
	return out, err
}

func (in *Creation) path(i int) string {
	if in.Single {
		return "fields"
	}
	if in.Lines != nil {
		return linePath(in.Lines[i])
	}
	return "records[" + strconv.Itoa(i) + "].fields"
}

func (in *Creation) idOf(i int) uuid.UUID {
	if in.IDs != nil {
		return in.IDs[i]
	}
	return id.New()
}

// prepare reports mistakes in the input, and completes it. It adds the options that typecast needs,
// which begins the attempt again.
func (e *Engine) prepare(ctx context.Context, actor Actor, input *writeInput) error {
	if err := input.err(); err != nil {
		return err
	}
	if len(input.missingOptions) > 0 {
		if err := e.addOptions(ctx, actor, input); err != nil {
			return err
		}
		return fmt.Errorf("options were added: %w", db.ErrSchemaChanged)
	}
	return e.findFiles(ctx, actor, input)
}

// Update changes records, all or none, and returns them whole in the order of the input.
func (e *Engine) Update(
	ctx context.Context,
	actor Actor,
	table uuid.UUID,
	changes []Change,
	typecast bool,
) (Written, error) {
	if err := countOf("records", len(changes)); err != nil {
		return Written{}, err
	}
	var out Written
	err := e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		input := newWriteInput(s, t, typecast)
		input.exclusive = exclusive
		var err error
		out, err = e.update(ctx, actor, input, changes, true,
			func(i int) string { return "records[" + strconv.Itoa(i) + "].fields" })
		return err
	})
	return out, err
}

// UpdateOne changes one record: the given fields are merged into it.
func (e *Engine) UpdateOne(
	ctx context.Context,
	actor Actor,
	record string,
	fields jsonvalue.ParsedObject,
	typecast bool,
) (Record, error) {
	return e.UpdateIf(ctx, actor, Change{ID: record, Fields: fields}, typecast)
}

// UpdateIf is UpdateOne on condition that the record has the change's version.
func (e *Engine) UpdateIf(ctx context.Context, actor Actor, change Change, typecast bool) (Record, error) {
	var out Record
	update := func(s *schema.Snapshot, t *schema.Table, _ uuid.UUID, exclusive bool) error {
		input := newWriteInput(s, t, typecast)
		input.exclusive = exclusive
		written, err := e.update(ctx, actor, input, []Change{change}, false, func(int) string { return "fields" })
		if err == nil {
			out = written.Records[0]
		}
		return err
	}
	err := e.attemptRecord(ctx, actor.Org, change.ID, update)
	return out, err
}

func (e *Engine) update(
	ctx context.Context, actor Actor, input *writeInput, changes []Change, many bool, path func(i int) string,
) (Written, error) {
	t := input.table
	if err := mayEdit(t); err != nil {
		return Written{}, err
	}
	seen := make(map[uuid.UUID]int, len(changes))
	given := make([]jsonvalue.ParsedObject, len(changes))
	for i := range changes {
		given[i] = changes[i].Fields
	}
	given, err := e.nameLinks(ctx, actor, input, given, path)
	if err != nil {
		return Written{}, err
	}
	for i, change := range changes {
		number, u, err := id.ParseRecord(change.ID)
		if err != nil || number != t.Number {
			return Written{}, recordNotFound(t, change.ID, many)
		}
		if before, twice := seen[u]; twice {
			input.fail(fmt.Sprintf("records[%d].id", i),
				"is the same record as records[%d]; a record is changed once in a request", before)
		}
		seen[u] = i
		r := input.add(path(i), given[i])
		r.id, r.demanded = u, change.Version
	}
	if err := e.prepare(ctx, actor, input); err != nil {
		return Written{}, err
	}
	var records [][]byte
	if changed, _ := split(input.rows); len(changed) == 0 {
		records, err = e.readAllUnchanged(ctx, actor, input)
	} else {
		records, err = e.write(ctx, actor, input, false, eventOf("update_records", t, input.ids(), many))
	}
	switch {
	case pgerror.Is(err, db.StateMissingRecord):
		return Written{}, e.missing(ctx, actor, t, changes, many)
	case pgerror.Is(err, db.StateVersionChanged):
		return Written{}, e.versionChanged(ctx, actor, t, changes)
	}
	if err != nil {
		return Written{}, e.explain(ctx, actor, input, fmt.Errorf("updating records: %w", err))
	}
	return Written{Records: records}, nil
}

// write writes the input, all of it or nothing, and returns the records in the order of the rows. It
// creates them if fresh, and changes them otherwise. A writer (writer.go) queues the statements, whose
// SQL is in statement.go: insertOne for a single new record, insert for several. Single writes of
// concurrent requests share a transaction (shared_write.go).
func (e *Engine) write(
	ctx context.Context,
	actor Actor,
	input *writeInput,
	fresh bool,
	event *audit.Event,
) ([][]byte, error) {
	for i := range input.rows {
		input.rows[i].known = !fresh
	}
	if err := input.checkSize(); err != nil {
		return nil, err
	}
	input.sortFields()
	if input.isShareable() && !input.isDated() && !audit.Needed(ctx, event) {
		return e.writeSingle(ctx, actor, input, fresh)
	}
	w := e.newWriter(ctx, actor, input)
	err := e.db.TableWrite(ctx, actor.Org, input.table.Ref(), func(b *db.WriteBatch) {
		w.queue(b, fresh)
		audit.Record(ctx, b.Batch, actor.Org, event)
		w.count(b.Batch, fresh)
	})
	return w.recordsOf(input.rows), err
}

// Delete removes records, all or none, and returns their ids in the order of the input.
func (e *Engine) Delete(ctx context.Context, actor Actor, table uuid.UUID, ids []string) ([]string, error) {
	err := e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		return e.delete(ctx, actor, s, t, deletion{ids: ids, many: true, exclusive: exclusive})
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// DeleteOne removes one record and returns its id.
func (e *Engine) DeleteOne(ctx context.Context, actor Actor, record string) ([]string, error) {
	return e.DeleteIf(ctx, actor, record, nil)
}

// DeleteIf is DeleteOne on condition that the record has the version, unless that is nil.
func (e *Engine) DeleteIf(ctx context.Context, actor Actor, record string, version *int64) ([]string, error) {
	remove := func(s *schema.Snapshot, t *schema.Table, _ uuid.UUID, exclusive bool) error {
		return e.delete(ctx, actor, s, t, deletion{ids: []string{record}, version: version, exclusive: exclusive})
	}
	err := e.attemptRecord(ctx, actor.Org, record, remove)
	if err != nil {
		return nil, err
	}
	return []string{record}, nil
}

type deletion struct {
	ids       []string
	version   *int64 // of the one record
	many      bool   // the input was a list and not one record, for errors
	exclusive bool   // takes LockLinks exclusively (queueLinkLock)
}

// parseIDs reads the ids of 1 to MaxBatch different records of a table. many says that the input was a
// list, for errors.
func parseIDs(t *schema.Table, ids []string, many bool) ([]uuid.UUID, error) {
	if len(ids) < 1 || len(ids) > MaxBatch {
		return nil, problem.Invalid("ids", "must hold 1 to %d ids, not %d", MaxBatch, len(ids))
	}
	rows := make([]uuid.UUID, 0, len(ids))
	for i, public := range ids {
		number, u, err := id.ParseRecord(public)
		if err != nil || number != t.Number {
			return nil, recordNotFound(t, public, many)
		}
		if before := slices.Index(rows, u); before >= 0 {
			return nil, problem.Invalid(fmt.Sprintf("ids[%d]", i), "is the same record as ids[%d]", before)
		}
		rows = append(rows, u)
	}
	return rows, nil
}

func (e *Engine) delete(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, d deletion,
) error {
	if err := mayDelete(t); err != nil {
		return err
	}
	rows, err := parseIDs(t, d.ids, d.many)
	if err != nil {
		return err
	}
	err = e.db.TableWrite(ctx, actor.Org, t.Ref(), func(b *db.WriteBatch) {
		var versions []int64
		if d.version != nil {
			versions = []int64{*d.version}
		}
		e.queueDeletion(ctx, b, s, t, rows, versions, d.exclusive)
		audit.Record(ctx, b.Batch, actor.Org, eventOf("delete_records", t, d.ids, d.many))
		countWrite(b.Batch, t, -len(rows), linkedNumbers(s, t))
	})
	switch {
	case pgerror.Is(err, db.StateMissingRecord):
		return e.findMissing(ctx, actor, t, d.ids, d.many)
	case pgerror.Is(err, db.StateVersionChanged):
		return e.versionChanged(ctx, actor, t, []Change{{ID: d.ids[0], Version: d.version}})
	case pgerror.Is(err, db.StateRowRule):
		return RefusedByRule(t, "delete").Because(err)
	}
	if err != nil {
		return fmt.Errorf("deleting records: %w", err)
	}
	return nil
}

// addOptions adds the options that typecast needs.
func (e *Engine) addOptions(ctx context.Context, actor Actor, input *writeInput) error {
	err := e.store.Change(ctx, actor.Org, func(c *catalog.Change) error {
		c.SetAuditEvent(audit.Event{
			Action:  "add_options",
			Subject: input.table.PublicID(),
			Detail:  input.newOptions(),
			Step:    true,
		})
		for fieldID, names := range input.missingOptions {
			f := c.Snapshot.Field(fieldID)
			if f == nil {
				continue // changed meanwhile; the next attempt sees the present field
			}
			if _, ok := f.Kind.(field.Optioned); !ok {
				continue
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
			if len(config.Options) > field.MaxOptions {
				return problem.Invalid(f.Name, "has too many options; a field has at most %d", field.MaxOptions)
			}
			_, err := c.Exec(ctx, "update rowhouse.field set config = $3 where org_id = $1 and id = $2",
				c.Org, f.ID, config)
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
	named := make(map[string][]string, len(in.missingOptions))
	for field, names := range in.missingOptions {
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

// eventOf describes a write of several records for the audit log. Writes of single records are not in
// it, because the record itself has the author of its last change.
func eventOf(action string, t *schema.Table, ids []string, many bool) *audit.Event {
	if !many {
		return nil
	}
	return &audit.Event{
		Action:  action,
		Subject: t.PublicID(),
		Detail:  map[string]any{"count": len(ids), "records": ids},
	}
}

// readAllUnchanged returns the records of a write that changes nothing.
func (e *Engine) readAllUnchanged(ctx context.Context, actor Actor, input *writeInput) ([][]byte, error) {
	w := e.newWriter(ctx, actor, input)
	err := e.db.TableBatch(ctx, actor.Org, input.table.Ref(), func(b *pgx.Batch) { w.readUnchanged(b, input.rows) })
	if pgerror.Is(err, db.StateMissingRecord) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("reading records that are not changed: %w", err)
	}
	return w.recordsOf(input.rows), nil
}
