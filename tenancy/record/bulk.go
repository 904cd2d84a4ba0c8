package record

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/audit"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/pgerror"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Bounds of a change of all records that a selection finds.
const (
	MaxBulk    = 10_000
	bulkSample = 5                // records that a plan shows
	planLife   = 10 * time.Minute // of a plan's token
	maxRaces   = 3                // how often a change begins again because a record was changed meanwhile
)

// A Selection says which records are changed: those that a list with the same arguments has.
type Selection struct {
	View    string
	Search  string
	Filters []byte
}

// A Bulk is a change of all records that a selection finds: the fields that each gets, or its deletion.
type Bulk struct {
	Selection
	Delete   bool
	Fields   jsonvalue.ParsedObject // unless they are deleted
	Typecast bool
	Plan     bool   // say what would happen, and change nothing
	Apply    string // the token of a plan; "" applies the change to what the selection finds now
	// Credential is the public id of the caller's credential, to which a plan is bound.
	Credential string
}

// A BulkResult says what a change has done, or what it would do.
type BulkResult struct {
	Count     int          `json:"count"`
	Sample    []BulkSample `json:"sample,omitzero"`
	PlanToken string       `json:"planToken,omitzero"`
	ExpiresAt *time.Time   `json:"expiresAt,omitzero"`
}

// A BulkSample is one of the records that a plan would change: the fields that it is about, or all of a record that
// would be deleted.
type BulkSample struct {
	ID     string                     `json:"id"`
	Before map[string]json.RawMessage `json:"before"`
	After  map[string]json.RawMessage `json:"after,omitzero"`
}

// A selected record is one that a selection has found.
type selected struct {
	row     uuid.UUID
	version int64
	changed time.Time
}

// ChangeAll changes all records that a selection finds, or none of them. No record is changed that was written
// between the search and the change.
func (e *Engine) ChangeAll(ctx context.Context, actor Actor, table uuid.UUID, in Bulk) (BulkResult, error) {
	if len(jsonvalue.Trim(in.Filters)) <= len("[]") && in.View == "" && in.Search == "" {
		return BulkResult{}, problem.Invalid("filters", "is required; a filter, a view or a search says which records")
	}
	if !in.Delete && in.Fields.Invalid == nil && len(in.Fields.Members()) == 0 {
		return BulkResult{}, problem.Invalid("fields", "must name at least one field")
	}
	if in.Plan && in.Apply != "" {
		return BulkResult{}, problem.Invalid("apply", "cannot be given together with plan")
	}
	var out BulkResult
	races := 0
	err := e.OnTable(ctx, actor.Org, table, func(s *schema.Snapshot, t *schema.Table) error {
		for {
			var err error
			out, err = e.changeAllOnce(ctx, actor, s, t, &in)
			if races++; pgerror.Is(err, stateVersionChanged, stateMissingRecord) && in.Apply == "" &&
				races <= maxRaces {
				continue // the search runs again
			}
			return err
		}
	})
	if pgerror.Is(err, stateVersionChanged, stateMissingRecord) {
		return BulkResult{}, problem.Conflict("Records that were to be changed are being changed by others. " +
			"Nothing was changed; try again.").WithCode("records_moved").Because(err)
	}
	return out, err
}

func (e *Engine) changeAllOnce(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk,
) (BulkResult, error) {
	input := newWriteInput(s, t, in.Typecast)
	if !in.Delete {
		input.add("fields", in.Fields)
		if err := input.err(); err != nil {
			return BulkResult{}, err
		}
	}
	found, err := e.find(ctx, actor, t, in.Selection)
	if err != nil {
		return BulkResult{}, err
	}
	if len(found) > MaxBulk {
		return BulkResult{}, problem.Conflict("More than %d records match. Nothing was changed; narrow the "+
			"filters, and "+
			"change them in several calls.", MaxBulk).WithCode("too_many_records")
	}
	out := BulkResult{Count: len(found)}
	if in.Plan {
		expires := e.now().Add(planLife).UTC().Truncate(time.Second)
		out.ExpiresAt, out.PlanToken = &expires, in.token(t, found, e.now(), expires)
		out.Sample, err = e.sample(ctx, actor, s, t, in, found)
		return out, err
	}
	if in.Apply != "" {
		if err := in.checkToken(t, found, e.now()); err != nil {
			return BulkResult{}, err
		}
	}
	if len(found) == 0 {
		return out, nil
	}
	if in.Delete {
		return out, e.deleteAll(ctx, actor, s, t, in, found)
	}
	return out, e.updateAll(ctx, actor, s, t, in, found)
}

// find returns the records that a selection finds, in the order of their ids; one more than MaxBulk at most.
func (e *Engine) find(ctx context.Context, actor Actor, t *schema.Table, in Selection) ([]selected, error) {
	plan, err := query.Parse(actor.viewer(), t, &query.Request{
		View: in.View, Search: in.Search, Filters: in.Filters, Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	compiler := query.NewCompiler(e.now(), e.db.Distributed())
	statement := plan.Selection(compiler, MaxBulk+1)
	var found []selected
	err = e.db.TableBatch(ctx, actor.Org, t.Ref(), func(b *pgx.Batch) {
		b.Queue(statement, compiler.Values()...).Query(func(rows pgx.Rows) error {
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

func (e *Engine) updateAll(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk, found []selected,
) error {
	input := newWriteInput(s, t, in.Typecast)
	for i := range found {
		r := input.add("fields", in.Fields)
		r.id, r.demanded = found[i].row, &found[i].version
	}
	if err := e.prepare(ctx, actor, input); err != nil {
		return err
	}
	_, err := e.write(ctx, actor, input, false, in.event("update_records_where", t, len(found)))
	if err != nil && !pgerror.Is(err, stateVersionChanged, stateMissingRecord) {
		err = e.explain(ctx, actor, input, fmt.Errorf("updating the selected records: %w", err))
	}
	return err
}

func (e *Engine) deleteAll(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk, found []selected,
) error {
	rows, versions := make([]uuid.UUID, len(found)), make([]int64, len(found))
	for i := range found {
		rows[i], versions[i] = found[i].row, found[i].version
	}
	err := e.db.TableWrite(ctx, actor.Org, t.Ref(), func(b *db.WriteBatch) {
		lockForDeletion(b.Batch, s, t, rows)
		changelog.Demand(b.Batch, t, rows, versions, stateVersionChanged)
		QueueDelete(b, s, t, rows, changelog.OriginOf(e.db.Actor()))
		audit.Record(e.db, b.Batch, actor.Org, in.event("delete_records_where", t, len(rows)))
		countWrite(b.Batch, t, -len(rows), linkedNumbers(s, t))
	})
	if err != nil {
		return fmt.Errorf("deleting the selected records: %w", err)
	}
	return nil
}

// event says how many records were changed, and by which selection. Which ones is in the log of changes.
func (in *Bulk) event(action string, t *schema.Table, count int) *audit.Event {
	detail := map[string]any{"count": count}
	if len(in.Filters) > 0 {
		detail["filters"] = json.RawMessage(in.Filters)
	}
	if in.View != "" {
		detail["view"] = in.View
	}
	if in.Search != "" {
		detail["search"] = in.Search
	}
	return &audit.Event{Action: action, Subject: t.PublicID(), Detail: detail}
}

// sample shows the first records as they are, and as they would be.
func (e *Engine) sample(
	ctx context.Context, actor Actor, s *schema.Snapshot, t *schema.Table, in *Bulk, found []selected,
) ([]BulkSample, error) {
	calls := make([]*getCall, min(len(found), bulkSample))
	if len(calls) == 0 {
		return nil, nil
	}
	for i := range calls {
		calls[i] = &getCall{row: found[i].row}
	}
	if err := e.readRows(ctx, actor.Org, e.projectionOf(s, t), calls); err != nil {
		return nil, err
	}
	var after map[string]json.RawMessage
	if !in.Delete {
		after = map[string]json.RawMessage{}
		for _, m := range in.Fields.Members() {
			after[m.Name] = m.Value
		}
	}
	var out []BulkSample
	for _, call := range calls {
		var record struct {
			ID     string
			Fields map[string]json.RawMessage
		}
		if call.record == nil || json.Unmarshal(call.record, &record) != nil {
			continue // it has just been deleted
		}
		one := BulkSample{ID: record.ID, Before: record.Fields, After: after}
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

// A plan's token says what was planned, and what it looked at, as digests. It is no permission: whoever has it could
// make the change without a plan. It is good once, because the change moves what it looked at.
const (
	tokenPrefix = "pln_"
	tokenLen    = 8 + 8 + 4 + 16 + 16
)

// token returns the token of a plan that was made now.
func (in *Bulk) token(t *schema.Table, found []selected, now, expires time.Time) string {
	raw := make([]byte, 0, tokenLen)
	raw = binary.BigEndian.AppendUint64(raw, uint64(expires.Unix())) //nolint:gosec // after 1970
	raw = binary.BigEndian.AppendUint64(raw, uint64(now.UnixMicro()))
	raw = binary.BigEndian.AppendUint32(raw, uint32(len(found))) //nolint:gosec // at most MaxBulk
	raw = append(raw, in.digest(t, expires)...)
	raw = append(raw, digestOf(t, found)...)
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(raw)
}

// digest is of what was asked for, and by whom.
func (in *Bulk) digest(t *schema.Table, expires time.Time) []byte {
	hash := sha256.New()
	write := func(parts ...string) {
		for _, part := range parts {
			_ = binary.Write(hash, binary.BigEndian, uint64(len(part))) // writing to a hash never fails
			hash.Write([]byte(part))
		}
	}
	write(t.PublicID(), in.Credential, expires.Format(time.RFC3339), in.View, in.Search, string(in.Filters),
		fmt.Sprint(in.Delete, in.Typecast))
	for _, m := range in.Fields.Members() {
		write(m.Name, string(m.Value))
	}
	return hash.Sum(nil)[:16]
}

// digestOf is of the records and of the table's schema.
func digestOf(t *schema.Table, found []selected) []byte {
	hash := sha256.New()
	_ = binary.Write(hash, binary.BigEndian, t.Version)
	for i := range found {
		hash.Write(found[i].row[:])
		_ = binary.Write(hash, binary.BigEndian, found[i].version)
	}
	return hash.Sum(nil)[:16]
}

// checkToken refuses a token whose plan does not hold any more.
func (in *Bulk) checkToken(t *schema.Table, found []selected, now time.Time) error {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(in.Apply, tokenPrefix))
	if err != nil || len(raw) != tokenLen || !strings.HasPrefix(in.Apply, tokenPrefix) {
		return problem.Invalid("apply", "is not the planToken of a plan")
	}
	expires := time.Unix(int64(binary.BigEndian.Uint64(raw)), 0).UTC() //nolint:gosec // an odd one is expired
	planned := time.UnixMicro(int64(binary.BigEndian.Uint64(raw[8:]))) //nolint:gosec // an odd one is compared alone
	count, digests := binary.BigEndian.Uint32(raw[16:]), string(raw[20:])
	if digests[:16] != string(in.digest(t, expires)) {
		return problem.Invalid("apply", "is of a plan with other arguments, or of another credential")
	}
	if !now.Before(expires) {
		return problem.Conflict("The plan is older than ten minutes. Nothing was changed; plan again.").
			WithCode("plan_expired")
	}
	if digests[16:] == string(digestOf(t, found)) {
		return nil
	}
	var moved []string
	for i := range found {
		if found[i].changed.After(planned) && len(moved) < bulkSample {
			moved = append(moved, id.FormatRecord(t.Number, found[i].row))
		}
	}
	what := "the table's fields have changed, or records no longer match"
	if len(moved) > 0 {
		what = "among those that match now, these have changed since: " + strings.Join(moved, ", ")
	}
	return problem.Conflict("What the plan looked at has moved: then %d records matched and now %d; %s. "+
		"Nothing was changed; plan again.", count, len(found), what).WithCode("plan_moved")
}
