package revert

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Plan says what a revert does, or would do.
type Plan struct {
	DryRun        bool        `json:"dryRun,omitzero"`
	ChangeSets    []string    `json:"changeSets" jsonschema:"what is reverted, the first 100"`
	Records       int         `json:"records" jsonschema:"that change"`
	Tables        []TablePlan `json:"tables"`
	Schema        []Object    `json:"schema,omitzero" jsonschema:"tables, fields and views that change"`
	ConflictCount int         `json:"conflictCount"`
	Conflicts     []Conflict  `json:"conflicts" jsonschema:"the first 100"`
	LeftOut       []LeftOut   `json:"leftOut,omitzero" jsonschema:"fields that are gone"`
	Notes         []string    `json:"notes,omitzero" jsonschema:"what does not come back, and why; the first 100"`
}

// A TablePlan counts the records of a table that change.
type TablePlan struct {
	TableID  string `json:"tableId"`
	Updated  int    `json:"updated"`
	Deleted  int    `json:"deleted" jsonschema:"that the change sets created"`
	Restored int    `json:"restored" jsonschema:"that they deleted"`
}

// An Object is a table, a field, a view or the base, and what happens to it.
type Object struct {
	Object string `json:"object" jsonschema:"base, table, field or view"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Does   string `json:"does" jsonschema:"restored, removed or updated"`
}

// A Conflict is a value, a whole record or an object of the schema that somebody else has changed
// since, or that no longer fits.
type Conflict struct {
	TableID  string  `json:"tableId,omitzero"`
	RecordID string  `json:"recordId,omitzero" jsonschema:"none: a table, field or view"`
	FieldID  string  `json:"fieldId,omitzero" jsonschema:"none: the whole record"`
	ObjectID string  `json:"objectId,omitzero" jsonschema:"table, field, view or base"`
	Name     string  `json:"name,omitzero" jsonschema:"of the object"`
	Property string  `json:"property,omitzero" jsonschema:"none: the whole object"`
	Reason   string  `json:"reason"`
	Value    any     `json:"value,omitzero" jsonschema:"that the revert would write"`
	Present  any     `json:"present,omitzero" jsonschema:"that is there now"`
	HolderID string  `json:"holderId,omitzero" jsonschema:"record that has the unique value"`
	By       *Author `json:"by,omitzero"`
}

// An Author is who made the change that conflicts.
type Author struct {
	UserID     string    `json:"userId,omitzero"`
	Credential string    `json:"credential,omitzero"`
	ChangeSet  string    `json:"changeSet"`
	At         time.Time `json:"at"`
}

// LeftOut is a field that the change sets have changed and that has been deleted since.
type LeftOut struct {
	TableID string `json:"tableId"`
	Field   string `json:"field" jsonschema:"its number in the log"`
	Records int    `json:"records"`
}

// Why a value or a record is a conflict.
const (
	reasonChanged  = "changed"             // by somebody else
	reasonDeleted  = "deleted"             // by somebody else
	reasonGone     = "gone"                // deleted, and the log no longer says what it was
	reasonRequired = "required"            // the field demands a value now
	reasonUnique   = problem.CodeNotUnique // another record has the value
	reasonOption   = "option_gone"         // the field has no such option now
	reasonPerson   = "person_left"         // not a member of the organization
	reasonSingle   = "holds_one"           // the field holds a single value now
	reasonFile     = problem.CodeFileGone  // the file was removed
	reasonSize     = "too_large"           // the record would exceed record.MaxRecord
	reasonHidden   = "not_possible"        // why is hidden from the person
)

// A conflict is a Conflict while it is being decided.
type conflict struct {
	table  *table
	row    *row
	field  *schema.Field // nil: the record
	reason string
	by     *entry
	value  []byte // as in the log
	unfit  bool   // it cannot be written in any case
	holder uuid.UUID
}

// note says why a value does not come back with its record.
func (c *conflict) note() string {
	switch c.reason {
	case reasonOption:
		return fmt.Sprintf("The option that %q held was removed.", c.field.Name)
	case reasonFile:
		return fmt.Sprintf("Files of %q were deleted for good, so it comes back without any.", c.field.Name)
	}
	if c.field == nil {
		return "The record does not come back: " + c.reason + "."
	}
	return fmt.Sprintf("The value of %q does not come back: %s.", c.field.Name, c.reason)
}

// conflict notes a conflict and reports whether the value is written all the same.
func (r *run) conflict(c *conflict) bool {
	if r.hides(c.field) && c.reason != reasonUnique {
		return false // the record comes back without the value
	}
	r.conflicts = append(r.conflicts, c)
	if !c.unfit && r.mode == Overwrite {
		return true
	}
	if c.row.blocked == nil {
		c.row.blocked = map[*schema.Field]bool{}
	}
	c.row.blocked[c.field] = true
	return false
}

// blocks reports whether a conflict prevents changes of a record's field.
func (one *row) blocks(f *schema.Field) bool { return one.blocked[f] || one.blocked[nil] }

// refusal is the error for conflicts that the request does not accept, or nil.
func (r *run) refusal() error {
	unfit := func(c *conflict) bool { return c.unfit }
	switch {
	case len(r.conflicts)+len(r.objects) == 0 || r.mode == Skip, r.mode == Overwrite &&
		!slices.ContainsFunc(r.conflicts, unfit) &&
		!slices.ContainsFunc(r.objects, func(c catalog.ObjectConflict) bool { return c.Unfit }):
		return nil
	}
	listed, err := json.Marshal(&r.plan)
	if err != nil {
		return fmt.Errorf("encoding the conflicts: %w", err)
	}
	what := "Somebody else has changed %d of these things since, or they no longer fit. Nothing was " +
		"reverted; see current for the conflicts, and give onConflict: skip to leave these, or overwrite to write them."
	if r.mode == Overwrite {
		what = "%d things are in conflict, and some of them no longer fit, so they cannot be written. " +
			"Nothing was reverted; see current for the conflicts, and give onConflict: skip to leave these."
	}
	e := problem.Conflict(what, r.plan.ConflictCount).WithCode(problem.CodeRevertConflict)
	e.Current = listed
	return e
}

// describeConflicts completes the plan with the conflicts, with values as the API writes them.
func (r *run) describeConflicts(ctx context.Context, tx pgx.Tx) error {
	slices.SortStableFunc(r.conflicts, func(a, b *conflict) int {
		return cmp.Or(cmp.Compare(a.table.Number, b.table.Number), slices.Compare(a.row.id[:], b.row.id[:]),
			cmp.Compare(a.number(), b.number()))
	})
	r.plan.ConflictCount = len(r.conflicts) + len(r.objects)
	for _, c := range r.objects[:min(len(r.objects), MaxConflicts)] {
		shown, err := r.describeObject(ctx, tx, &c)
		if err != nil {
			return err
		}
		r.plan.Conflicts = append(r.plan.Conflicts, shown)
	}
	listed := r.conflicts[:min(len(r.conflicts), MaxConflicts-len(r.plan.Conflicts))]
	byTable := map[*table][]*conflict{}
	for _, c := range listed {
		byTable[c.table] = append(byTable[c.table], c)
	}
	shown := map[*conflict]Conflict{}
	for t, conflicts := range byTable {
		if err := t.readMissing(ctx, tx, conflicts); err != nil {
			return err
		}
		if err := r.describe(ctx, tx, t, conflicts, shown); err != nil {
			return err
		}
	}
	for _, c := range listed {
		r.plan.Conflicts = append(r.plan.Conflicts, shown[c])
	}
	return nil
}

func (c *conflict) number() int32 {
	if c.field == nil {
		return 0
	}
	return c.field.Number
}

// describe describes conflicts of one table.
func (r *run) describe(
	ctx context.Context, tx pgx.Tx, t *table, conflicts []*conflict, shown map[*conflict]Conflict,
) error {
	var fields []*schema.Field
	var objects []byte
	for i, c := range conflicts {
		one := Conflict{
			TableID: t.PublicID(), RecordID: id.FormatRecord(t.Number, c.row.id), Reason: c.reason,
		}
		if c.holder != uuid.Nil {
			one.HolderID = id.FormatRecord(t.Number, c.holder)
		}
		if c.by != nil {
			one.By = c.by.author()
		}
		f := c.field
		if r.hides(f) {
			shown[c] = Conflict{TableID: one.TableID, RecordID: one.RecordID, Reason: reasonHidden}
			continue
		}
		if r.limit != nil {
			one.HolderID = ""
		}
		if f != nil {
			one.FieldID = f.PublicID()
		}
		switch {
		case f == nil || db.ActorOf(ctx).Blind:
		case f.Link != nil:
			one.Value, one.Present = r.shownList(f, c.value), r.shownList(f, c.row.present[changelog.Key(&f.Field)])
		default:
			if !slices.Contains(fields, f) {
				fields = append(fields, f)
			}
			key := changelog.Key(&f.Field)
			for _, value := range [][]byte{c.value, c.row.present[key]} {
				objects = appendElement(objects, encodeMembers(map[string][]byte{
					"place": fmt.Append(nil, i), key: changelog.Unmark(orNull(value)),
				}))
			}
		}
		shown[c] = one
	}
	if len(fields) == 0 {
		return nil
	}
	projection := query.NewProjection(t.Table, fields, nil)
	result, err := tx.Query(ctx, "select (j.j->>'place')::integer, "+projection.Columns()+" from jsonb_array_elements("+
		"$1::text::jsonb) with ordinality as j(j, nth), lateral jsonb_populate_record(null::"+t.Relation()+", j.j || "+
		`'{"id": "00000000-0000-0000-0000-000000000000", "created_at": "2000-01-01", "version": 0}') t order by j.nth`,
		string(append(objects, ']')))
	if err != nil {
		return fmt.Errorf("reading the values in conflict: %w", err)
	}
	defer result.Close()
	written := map[int]bool{}
	for first := true; result.Next(); first = false {
		if first {
			if err := projection.CheckFormats(result, 1); err != nil {
				return err
			}
		}
		raw := result.RawValues()
		place := int(raw[0][0])<<24 | int(raw[0][1])<<16 | int(raw[0][2])<<8 | int(raw[0][3])
		var object struct {
			Fields map[string]json.RawMessage `json:"fields"`
		}
		if err := json.Unmarshal(projection.Append(nil, raw[1:]), &object); err != nil {
			return fmt.Errorf("encoding a value in conflict: %w", err)
		}
		c := conflicts[place]
		one, value := shown[c], object.Fields[c.field.Name]
		if written[place] {
			one.Present = value
		} else {
			one.Value, written[place] = value, true
		}
		shown[c] = one
	}
	if err := result.Err(); err != nil {
		return fmt.Errorf("reading the values in conflict: %w", err)
	}
	return nil
}

func orNull(value []byte) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	return value
}

func (e *entry) author() *Author {
	by := &Author{
		Credential: e.by.credential, ChangeSet: id.Format(id.ChangeSet, e.by.set), At: changelog.TimeOf(e.number),
	}
	if e.by.person != nil {
		by.UserID = id.Format(id.User, *e.by.person)
	}
	return by
}

// shownList is a list of linked records as the API writes it.
func (r *run) shownList(f *schema.Field, raw []byte) json.RawMessage {
	far := r.schema.Table(f.Link.LinkedTable)
	if far == nil {
		return nil
	}
	out := []byte{'['}
	for i, u := range listOf(raw) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(id.AppendRecord(append(out, '"'), far.Number, u), '"')
	}
	return append(out, ']')
}

// count completes the plan with the number of records that change, by table in the order in which the base shows them.
func (r *run) count() {
	shown := slices.SortedFunc(maps.Values(r.tables), func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.Number, b.Number))
	})
	for _, t := range shown {
		n := TablePlan{TableID: t.PublicID()}
		for _, one := range t.rows {
			switch one.does {
			case update:
				n.Updated++
			case remove:
				n.Deleted++
			case restore:
				n.Restored++
			case leave:
			}
		}
		if all := n.Updated + n.Deleted + n.Restored; all > 0 {
			r.plan.Records += all
			r.plan.Tables = append(r.plan.Tables, n)
		}
		if r.limit != nil && r.limit.sight != nil {
			continue // notes name fields and records that may be hidden
		}
		for _, one := range t.rows {
			for _, note := range one.notes {
				if len(r.plan.Notes) < MaxConflicts && one.does != leave {
					r.plan.Notes = append(r.plan.Notes, id.FormatRecord(t.Number, one.id)+": "+note)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(t.leftOut)) {
			r.plan.LeftOut = append(r.plan.LeftOut, LeftOut{t.PublicID(), key, t.leftOut[key]})
		}
	}
}
