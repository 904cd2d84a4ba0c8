package revert

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A VersionRequest asks to set a record to a former state.
type VersionRequest struct {
	Record   string
	Moment   changelog.Moment // whose values it gets: changes up to it stay
	Demanded *int64           // the version that the record must have now; nil: any
	DryRun   bool             // write nothing
}

// A VersionPlan says what a record gets back, or would get.
type VersionPlan struct {
	RecordID string        `json:"recordId"`
	Version  int64         `json:"version" jsonschema:"of the record now"`
	DryRun   bool          `json:"dryRun,omitzero"`
	Restored bool          `json:"restored,omitzero" jsonschema:"it was deleted, and comes back"`
	Changes  []ValueChange `json:"changes"`
	Notes    []string      `json:"notes,omitzero" jsonschema:"what does not come back, and why"`
}

// A ValueChange is what happens to a field of the record.
type ValueChange struct {
	FieldID string `json:"fieldId"`
	Field   string `json:"field" jsonschema:"its name"`
	From    any    `json:"from,omitzero" jsonschema:"what is there now"`
	To      any    `json:"to,omitzero"`
}

// errMoved says that the record was changed between its first read and its lock.
var errMoved = errors.New("the record was changed at this moment")

// RestoreVersion sets the stored fields and links of a record to their values at a moment. It reverts
// everything that was changed in the record since, whoever changed it; a record that was deleted since
// is restored. Values that no longer fit stay as they are, and are noted. Computed fields, comments and
// other records' own values are left alone.
func (e *Engine) RestoreVersion(
	ctx context.Context, actor record.Actor, tableID uuid.UUID, in VersionRequest,
) (VersionPlan, error) {
	var plan VersionPlan
	for race := 0; ; race++ {
		err := e.records.OnTable(ctx, actor.Org, tableID, func(s *schema.Snapshot, t *schema.Table) (err error) {
			plan, err = e.restoreVersion(ctx, actor, s, t, in)
			return err
		})
		moved := errors.Is(err, errMoved) || raced(err)
		if moved && race < maxRaces {
			continue
		}
		if moved {
			return plan, problem.Conflict("Other requests changed the record at the same moment. Nothing was " +
				"changed; send the request again.").WithCode(problem.CodeWriteConflict).Because(err)
		}
		return plan, err
	}
}

func (e *Engine) restoreVersion(
	ctx context.Context, actor record.Actor, s *schema.Snapshot, st *schema.Table, in VersionRequest,
) (VersionPlan, error) {
	number, u, err := id.ParseRecord(in.Record)
	if err != nil || number != st.Number {
		return VersionPlan{}, problem.NotFound("record", in.Record)
	}
	r := newRun(ctx, e, actor, s, Request{OnConflict: Skip})
	r.subject = st.PublicID()
	r.own = selection{"e.id = $%d::uuid and c.number > $%d::bigint", []any{u, int64(in.Moment)}}
	t := r.table(st)
	one := &row{id: u, past: true}
	t.byID[u], t.rows = one, []*row{one}
	plan := VersionPlan{RecordID: in.Record, DryRun: in.DryRun, Changes: []ValueChange{}}
	err = e.transact(ctx, r, []*schema.Table{st}, func(tx pgx.Tx) error {
		if err := r.readOwn(ctx, tx); err != nil {
			return err
		}
		if !in.DryRun {
			seen := len(one.own)
			if err := r.lock(ctx, tx); err != nil {
				return err
			}
			one.own = nil
			if err := r.readOwn(ctx, tx); err != nil {
				return err
			}
			if len(one.own) != seen {
				return errMoved
			}
		}
		if err := r.checkVersion(ctx, tx, t, one, in); err != nil {
			return err
		}
		if len(one.own) > 0 {
			if err := r.decide(ctx, tx); err != nil {
				return err
			}
			if plan.Changes, err = r.valueChanges(ctx, tx, t, one); err != nil {
				return err
			}
			plan.Notes, plan.Restored = one.notes, one.does == restore
			for _, c := range r.conflicts {
				plan.Notes = append(plan.Notes, c.note())
			}
		}
		if in.DryRun {
			return audit.RecordTx(ctx, tx, actor.Org, nil)
		}
		detail := map[string]any{"record": in.Record, "asOf": in.Moment.Time(), "fields": len(plan.Changes)}
		err := r.write(ctx, tx, &audit.Event{Action: "restore_record_version", Subject: r.subject, Detail: detail})
		if err != nil {
			return err
		}
		return t.readVersions(ctx, tx)
	})
	plan.Version = one.version
	return plan, err
}

// checkVersion refuses a moment at which the record did not exist or that the history does not reach,
// and a record without the demanded version.
func (r *run) checkVersion(ctx context.Context, tx pgx.Tx, t *table, one *row, in VersionRequest) error {
	var kept changelog.Moment
	b := &pgx.Batch{}
	changelog.KeptSince(b, t.Table, in.Moment, &kept, r.engine.db.Topology())
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("asking for the history that is kept: %w", err)
	}
	if err := t.readVersions(ctx, tx); err != nil {
		return err
	}
	switch {
	case !one.there && len(one.own) == 0:
		return problem.NotFound("record", in.Record)
	case in.Moment < kept:
		return problem.Invalid("asOf", "is before the history that is kept, which begins at %s",
			kept.Time().Format(time.RFC3339Nano)).WithCode(problem.CodeHistoryNotKept)
	case in.Demanded != nil && *in.Demanded != one.version:
		return r.engine.records.VersionChanged(ctx, r.actor, t.Table, in.Record, *in.Demanded)
	case len(one.own) > 0 && (one.own[0].kind == changelog.Created || one.own[0].kind == changelog.Restored):
		return problem.Conflict("The record %s was not there at %s: it was created or restored later. Its history "+
			"lists its versions.", in.Record, in.Moment.Time().Format(time.RFC3339Nano)).
			WithCode(problem.CodeNoSuchVersion)
	}
	return nil
}

// valueChanges lists the run's changes of a record, with values as the API writes them.
func (r *run) valueChanges(ctx context.Context, tx pgx.Tx, t *table, one *row) ([]ValueChange, error) {
	var changes []*conflict
	for key, value := range one.values {
		changes = append(changes, &conflict{table: t, row: one, field: t.fields[key], value: value})
	}
	for f, list := range one.lists {
		changes = append(changes, &conflict{table: t, row: one, field: f, value: encodeList(list)})
	}
	slices.SortFunc(changes, func(a, b *conflict) int { return cmp.Compare(a.field.Position, b.field.Position) })
	if err := t.readMissing(ctx, tx, changes); err != nil {
		return nil, err
	}
	shown := map[*conflict]Conflict{}
	if err := r.describe(ctx, tx, t, changes, shown); err != nil {
		return nil, err
	}
	out := make([]ValueChange, len(changes))
	for i, c := range changes {
		out[i] = ValueChange{c.field.PublicID(), c.field.Name, orNone(shown[c].Present), orNone(shown[c].Value)}
	}
	return out, nil
}

// orNone leaves out what nobody may see.
func orNone(value any) any {
	if raw, ok := value.(json.RawMessage); ok && len(raw) == 0 {
		return nil
	}
	return value
}
