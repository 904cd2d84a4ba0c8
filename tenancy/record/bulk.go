package record

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/internal/progress"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a change of all records that a selection finds.
const (
	MaxBulk  = 10_000
	maxRaces = 3 // how often a change begins again because a record was changed meanwhile

	bulkSteps = 2 // that are reported: finding and writing
)

// A Selection says which records are changed: those that a list with the same arguments contains.
type Selection struct {
	View    string
	Search  string
	Filters []byte
}

// A Bulk is a change of all records that a selection finds: the fields that each gets, or its deletion.
type Bulk struct {
	Selection
	IDs      []string // instead of a selection: 1 to MaxBatch records, each of which must exist
	Delete   bool
	Fields   jsonvalue.ParsedObject // unless they are deleted
	Set      jsonvalue.ParsedObject // other fields, each as {"formula": "…"} of the record as it was
	Typecast bool
	// Part changes at most MaxBulk records and leaves the others. It permits filters that let every
	// record through, because a person has seen how many records the selection has. It leaves the
	// records of Except.
	Part   bool
	Except []string
	Plan   bool   // say what would happen, and change nothing
	Apply  string // the token of a plan; "" applies the change to what the selection finds now
	// Credential is the public id of the caller's credential, to which a plan is bound.
	Credential string
	exclusive  bool // as in writeInput
}

// A BulkResult says what a change has done, or what it would do.
type BulkResult struct {
	Count   int           `json:"count"`
	Sample  []plan.Sample `json:"sample,omitzero"`
	Options []string      `json:"newOptions,omitzero"` // of selects, as "Field: Option", that a plan would add
	More    bool          `json:"-"`                   // there are more records, which a part has left
	plan.Offer
}

// A selected record is one that a selection has found.
type selected struct {
	row     uuid.UUID
	version int64
	changed time.Time
}

// ChangeAll changes all records that a selection finds, or none of them. It changes no record that was
// written between the search and the change.
func (e *Engine) ChangeAll(ctx context.Context, actor Actor, table uuid.UUID, in Bulk) (BulkResult, error) {
	if !in.Delete && in.Fields.Invalid == nil && len(in.Fields.Members()) == 0 && in.Set.Invalid == nil &&
		len(in.Set.Members()) == 0 {
		return BulkResult{}, problem.Invalid("fields", "must name at least one field, unless set does")
	}
	var out BulkResult
	races := 0
	e, ctx, err := e.applying(ctx, actor.Org, plan.Request{
		Only: in.Plan, Apply: in.Apply, Credential: in.Credential, Asked: in.asked(table),
	})
	if err != nil {
		return BulkResult{}, err
	}
	err = e.attemptTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table, exclusive bool) error {
		in.exclusive = exclusive
		for {
			var err error
			out, err = e.changeAllOnce(ctx, actor, s, t, &in)
			if races++; pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord) && in.Apply == "" &&
				races <= maxRaces {
				continue // the search runs again
			}
			return err
		}
	})
	if err = e.explainUse(ctx, actor.Org, err); pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord) {
		return BulkResult{}, problem.Conflict("Records that were to be changed are being changed by others. " +
			"Nothing was changed; try again.").WithCode(problem.CodeRecordsMoved).Because(err)
	}
	return out, err
}

func (e *Engine) changeAllOnce(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk,
) (BulkResult, error) {
	if err := mayChangeAll(t, in.Delete); err != nil {
		return BulkResult{}, err
	}
	input, made := newWriteInput(s, t, in.Typecast), e.now().Truncate(time.Microsecond) // as a plan keeps it
	var set []assignment
	if !in.Delete {
		fields, err := e.nameLinks(ctx, actor, input, []jsonvalue.ParsedObject{in.Fields}, pathOfFields)
		if err != nil {
			return BulkResult{}, err
		}
		given := *in
		given.Fields = fields[0]
		in = &given
		input.add("fields", in.Fields)
		if e.applied != nil {
			made = e.applied.Made // so that formulas see the same moment
		}
		set = input.assignments(in.Set, in.Fields, made)
		if err := input.err(); err != nil {
			return BulkResult{}, err
		}
		if err := input.checkSize(); err != nil {
			return BulkResult{}, err
		}
	}
	progress.Report(ctx, 0, bulkSteps, "Finding the records")
	found, err := e.findAll(ctx, actor, t, in)
	if err != nil {
		return BulkResult{}, err
	}
	more := len(found) > MaxBulk
	if more && in.Part {
		found = found[:MaxBulk]
	} else if more {
		return BulkResult{}, problem.Conflict("More than %d records match. Nothing was changed; narrow the "+
			"filters, and change them in several calls.", MaxBulk).WithCode(problem.CodeTooManyRecords)
	}
	if !in.Delete && len(found) > 0 {
		if err := input.checkRepeated(len(found)); err != nil {
			return BulkResult{}, err
		}
	}
	out := BulkResult{Count: len(found), More: more}
	progress.Report(ctx, 1, bulkSteps, "%s %s", in.deed(), problem.Count(len(found), "record"))
	computed, err := e.compute(ctx, actor, t, set, found)
	if err != nil {
		return BulkResult{}, err
	}
	seen := seenBy(t, found, computed)
	if in.Plan {
		if len(set) > 0 && len(found) > 0 {
			input = newWriteInput(s, t, in.Typecast)
			if err := e.addAll(ctx, input, in, set, found, computed); err != nil {
				return BulkResult{}, err
			}
			if err := input.checkSize(); err != nil {
				return BulkResult{}, err
			}
		}
		if !in.Delete && len(found) > 0 {
			if err := e.checkPlanned(ctx, actor, input, found); err != nil {
				return BulkResult{}, err
			}
		}
		out.Options = input.newOptionNames()
		if out.Offer, err = e.plans.Offer(&plan.Plan{
			Credential: in.Credential, Asked: in.asked(t.ID), Seen: seen, Count: len(found), Made: made,
		}); err != nil {
			return BulkResult{}, err
		}
		out.Sample, err = e.sample(ctx, actor, input, in, found)
		return out, err
	}
	if e.applied != nil && e.applied.Seen != seen {
		return BulkResult{}, e.moved(ctx, actor, t, in, found)
	}
	if len(found) == 0 {
		return out, e.useNothing(ctx, actor.Org)
	}
	if in.Delete {
		return out, e.deleteAll(ctx, actor, s, t, in, found)
	}
	input = newWriteInput(s, t, in.Typecast)
	if err := e.addAll(ctx, input, in, set, found, computed); err != nil {
		return BulkResult{}, err
	}
	return out, e.updateAll(ctx, actor, input, in, len(set) > 0)
}

// deed is the action on the records, for progress reports.
func (in *Bulk) deed() string {
	switch {
	case in.Plan:
		return "Planning the change of"
	case in.Delete:
		return "Deleting"
	}
	return "Updating"
}

// asked is a digest of the request.
func (in *Bulk) asked(table uuid.UUID) plan.Digest {
	h := plan.NewHash("bulk", string(table[:]), in.View, in.Search, string(in.Filters),
		strconv.FormatBool(in.Delete), strconv.FormatBool(in.Typecast))
	h.Write(in.IDs...)
	for _, m := range in.Fields.Members() {
		h.Write(m.Name, string(m.Value))
	}
	h.Write("set")
	for _, m := range in.Set.Members() {
		h.Write(m.Name, string(m.Value))
	}
	return h.Digest()
}

// seenBy is a digest of what the plan of a change of records depends on.
func seenBy(t *schema.Table, found []selected, computed results) plan.Digest {
	h := hashOf(t)
	computed.hash(h, found)
	for i := range found {
		h.Write(string(found[i].row[:]))
		h.WriteNumber(found[i].version)
	}
	return h.Digest()
}

// findAll returns the records to change, in the order of their ids.
func (e *Engine) findAll(ctx context.Context, actor Actor, t *schema.Table, in *Bulk) ([]selected, error) {
	if in.Part {
		return e.findPart(ctx, actor, t, in)
	}
	if in.IDs == nil {
		return e.find(ctx, actor, t, in.Selection)
	}
	rows, err := parseIDs(t, in.IDs, true)
	if err != nil {
		return nil, err
	}
	found, err := e.readSelected(ctx, actor, t,
		"select t.id, t.version, t.updated_at from "+t.Relation()+" t where t.id = any ($1) order by t.id", rows)
	if err == nil && len(found) < len(rows) && in.Apply == "" { // or else the plan has moved
		err = e.findMissing(ctx, actor, t, in.IDs, true)
	}
	return found, err
}

// findPart returns the records that a selection finds without the excepted ones, in the order of their
// ids; at most one more than MaxBulk.
func (e *Engine) findPart(ctx context.Context, actor Actor, t *schema.Table, in *Bulk) ([]selected, error) {
	except := make(map[uuid.UUID]bool, len(in.Except))
	for _, public := range in.Except {
		number, row, err := id.ParseRecord(public)
		if err != nil || number != t.Number {
			return nil, recordNotFound(t, public, true)
		}
		except[row] = true
	}
	list, err := query.Parse(actor.viewer(), t, &query.Request{Search: in.Search, Filters: in.Filters, Limit: 1})
	if err != nil {
		return nil, err
	}
	compiler := query.NewCompiler(e.now(), e.db.Topology())
	found, err := e.readSelected(ctx, actor, t,
		list.Selection(compiler, MaxBulk+1+len(except)), compiler.Values()...)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(one selected) bool { return except[one.row] })
	return found[:min(len(found), MaxBulk+1)], nil
}

// find returns the records that a selection finds, in the order of their ids; at most one more than
// MaxBulk.
func (e *Engine) find(ctx context.Context, actor Actor, t *schema.Table, in Selection) ([]selected, error) {
	list, err := query.Parse(actor.viewer(), t, &query.Request{
		View: in.View, Search: in.Search, Filters: in.Filters, Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	// A change of all records must be intended: only a view may select them.
	if in.View == "" && list.SelectsAll() {
		return nil, problem.Invalid("filters", "is required, and must not let every record through; a filter, a "+
			"search or a view says which records")
	}
	compiler := query.NewCompiler(e.now(), e.db.Topology())
	return e.readSelected(ctx, actor, t, list.Selection(compiler, MaxBulk+1), compiler.Values()...)
}

// readSelected runs a statement that selects ids, versions and times of the last change.
func (e *Engine) readSelected(
	ctx context.Context, actor Actor, t *schema.Table, statement string, values ...any,
) ([]selected, error) {
	var found []selected
	err := e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue(statement, values...).Query(func(rows pgx.Rows) error {
			var one selected
			_, err := pgx.ForEachRow(rows, []any{&one.row, &one.version, &one.changed}, func() error {
				found = append(found, one)
				return nil
			})
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("selecting records: %w", err)
	}
	return found, nil
}

func pathOfFields(int) string { return "fields" }

// updateAll writes the rows of the found records. differ says that formulas give each row its own
// values.
func (e *Engine) updateAll(ctx context.Context, actor Actor, input *writeInput, in *Bulk, differ bool) error {
	if err := e.prepare(ctx, actor, input); err != nil {
		return err
	}
	_, err := e.write(ctx, actor, input, false, in.event("update_records_where", input.table, len(input.rows)))
	if err == nil || pgerror.Is(err, db.StateVersionChanged, db.StateMissingRecord) {
		return err
	}
	// All records have the same mistakes in their values, so only the first reports them.
	if !differ && !pgerror.Is(err, db.StateRecordTooLarge) {
		input = newWriteInput(input.schema, input.table, in.Typecast)
		input.add("fields", in.Fields)
	}
	return e.explain(ctx, actor, input, fmt.Errorf("updating the selected records: %w", err))
}

func (e *Engine) deleteAll(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk, found []selected,
) error {
	rows, versions := make([]uuid.UUID, len(found)), make([]int64, len(found))
	for i := range found {
		rows[i], versions[i] = found[i].row, found[i].version
	}
	event := in.event("delete_records_where", t, len(rows))
	if in.Part {
		event.Action = "delete_selected_records"
	} else if in.IDs != nil {
		event = eventOf("delete_records", t, in.IDs, true)
	}
	err := e.db.TableWrite(ctx, actor.Org, t.Ref(), func(b *db.WriteBatch) {
		e.queueDeletion(ctx, b, s, t, rows, versions, in.exclusive)
		audit.Record(ctx, b.Batch, actor.Org, event)
		countWrite(b.Batch, t, -len(rows), linkedNumbers(s, t))
	})
	if pgerror.Is(err, db.StateRowRule) {
		return RefusedByRule(t, "delete").Because(err)
	}
	if err != nil {
		return fmt.Errorf("deleting the selected records: %w", err)
	}
	return nil
}

// event says how many records were changed, and by what kind of selection. It leaves out the search and
// the compared values, because they may be in the records. The log of changes says which records were
// changed.
func (in *Bulk) event(action string, t *schema.Table, count int) *audit.Event {
	detail := map[string]any{"count": count}
	if outline, err := query.Outline(t, in.Filters); err == nil && len(in.Filters) > 0 {
		detail["filters"] = json.RawMessage(outline)
	}
	if in.View != "" {
		detail["view"] = in.View
	}
	if in.Search != "" {
		detail["search"] = true
	}
	if set := in.formulas(t); len(set) > 0 {
		detail["set"] = set
	}
	return &audit.Event{Action: action, Subject: t.PublicID(), Detail: detail}
}

// sample shows the first records as they are, and as they would be, to callers who may read records.
func (e *Engine) sample(
	ctx context.Context, actor Actor, input *writeInput, in *Bulk, found []selected,
) ([]plan.Sample, error) {
	calls := make([]*getCall, min(len(found), plan.MaxSample))
	if len(calls) == 0 || db.ActorOf(ctx).Blind {
		return nil, nil
	}
	for i := range calls {
		calls[i] = &getCall{row: found[i].row}
	}
	if err := e.readRows(ctx, actor.Org, e.projectionOf(input.schema, input.table), calls); err != nil {
		return nil, err
	}
	var after map[string]json.RawMessage
	var out []plan.Sample
	for i, call := range calls {
		if !in.Delete && i < len(input.rows) { // of several if each has its own values
			var err error
			if after, err = e.storedValues(ctx, actor, input, &input.rows[i], in.Fields); err != nil {
				return nil, err
			}
		}
		var record struct {
			ID     string
			Fields map[string]json.RawMessage
		}
		if call.record == nil || json.Unmarshal(call.record, &record) != nil {
			continue // it has just been deleted
		}
		one := plan.Sample{ID: record.ID, Before: record.Fields, After: after}
		if primary := input.table.Primary(); primary != nil {
			_ = json.Unmarshal(record.Fields[primary.Name], &one.Title) // one that is no text gives no title
		}
		if !in.Delete {
			one.Before = map[string]json.RawMessage{}
			for name := range after {
				one.Before[name] = record.Fields[name]
			}
		}
		out = append(out, one)
	}
	return out, nil
}
