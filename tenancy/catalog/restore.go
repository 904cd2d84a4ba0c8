package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A TrashRequest names entries of the trash.
type TrashRequest struct {
	Items []string  // public ids, of PublicTrashID
	Base  uuid.UUID // whose entries they are; uuid.Nil selects deleted bases
	By    schema.Viewer
	// Since is the earliest time of deletion. Older entries wait for the job that purges them.
	Since time.Time
	// DryRun has Restore only report what would come back.
	DryRun bool
}

// Restored is an object that came back from the trash.
type Restored struct {
	ID    string
	Kind  TrashKind
	Name  string   // its name from now on
	Notes []string // what did not come back with it, and why
}

// restoreOrder is the order in which entries of one request are restored, each after those that it
// needs.
var restoreOrder = map[TrashKind]int{
	TrashedBase: 0, TrashedTable: 1, TrashedField: 2, TrashedColumn: 3, TrashedView: 4,
}

// Restore restores entries of the trash, all or none. It changes names that are taken.
func (s *Store) Restore(ctx context.Context, org uuid.UUID, request TrashRequest) ([]Restored, error) {
	var restored []Restored
	err := s.Change(ctx, org, func(c *Change) error {
		restored = nil
		entries, err := c.trashEntries(ctx, request)
		if err != nil {
			return err
		}
		slices.SortStableFunc(entries, func(a, b *trashEntry) int {
			return restoreOrder[a.Kind] - restoreOrder[b.Kind]
		})
		for i, e := range entries {
			if i > 0 {
				if err := c.refresh(ctx); err != nil {
					return err
				}
			}
			one, err := c.restore(ctx, e, request.By)
			if err != nil {
				return err
			}
			restored = append(restored, one)
		}
		if request.DryRun {
			return errForeseen
		}
		action := "restore"
		if request.Base == uuid.Nil {
			action = "restore_bases"
		}
		c.SetAuditEvent(trashEvent(action, entries, request.Base))
		return nil
	})
	return restored, err
}

// trashEvent is the audit event of an action on entries of the trash.
func trashEvent(action string, entries []*trashEntry, base uuid.UUID) audit.Event {
	items := make([]map[string]string, len(entries))
	for i, e := range entries {
		items[i] = map[string]string{"id": e.publicID(), "name": e.Name}
	}
	event := audit.Event{Action: action, Subject: entries[0].publicID(), Detail: map[string]any{"items": items}}
	if len(entries) > 1 && base != uuid.Nil {
		event.Subject = id.Format(id.Base, base)
	}
	return event
}

// trashEntries returns the entries that a request names, in its order.
func (c *Change) trashEntries(ctx context.Context, request TrashRequest) ([]*trashEntry, error) {
	var objects, columns []uuid.UUID
	for _, public := range request.Items {
		kind := id.KindOf(public)
		u, err := id.Parse(kind, public)
		switch {
		case err != nil:
			return nil, notInTrash(public)
		case kind == id.Column:
			columns = append(columns, u)
		default:
			objects = append(objects, u)
		}
	}
	kinds := "kind <> 'base' and base_id = $4"
	if request.Base == uuid.Nil {
		kinds = "kind = 'base' and $4::uuid is not null"
	}
	found, err := c.queryTrash(ctx,
		"(kind <> 'column' and object_id = any ($2) or kind = 'column' and id = any ($3)) and "+
			kinds+" and part_of is null and deleted_at > $5", c.Org, objects, columns, request.Base, request.Since)
	if err != nil {
		return nil, err
	}
	entries := make([]*trashEntry, 0, len(request.Items))
	for _, public := range request.Items {
		at := slices.IndexFunc(found, func(e *trashEntry) bool { return e.publicID() == public })
		if at < 0 || !request.By.Sees(found[at].view()) {
			return nil, notInTrash(public)
		}
		if !slices.Contains(entries, found[at]) {
			entries = append(entries, found[at])
		}
	}
	if len(entries) == 0 {
		return nil, problem.Invalid("items", "must hold at least one id")
	}
	return entries, nil
}

func notInTrash(public string) error {
	e := problem.NotFound("item of the trash", public)
	return e
}

// queryTrash reads entries that meet a condition, whose $1 is the organization.
func (c *Change) queryTrash(ctx context.Context, condition string, args ...any) ([]*trashEntry, error) {
	rows, err := c.Query(ctx, "select "+trashColumns+" from rowhouse.trash where org_id = $1 and "+condition+
		" order by deleted_at, id", args...)
	if err != nil {
		return nil, fmt.Errorf("reading the trash: %w", err)
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[trashEntry])
	if err != nil {
		return nil, fmt.Errorf("reading the trash: %w", err)
	}
	return entries, nil
}

// view is the view in the entry, with its access. For other entries it is a view that everybody sees.
func (e *trashEntry) view() *schema.View {
	v := &schema.View{ID: e.Object, Name: e.Name, Access: schema.Collaborative}
	if e.Kind != TrashedView || len(e.Content.Views) != 1 {
		return v
	}
	row := e.Content.Views[0]
	v.Access, v.CreatedBy = schema.ViewAccess(row.text("access")), row.uuid("created_by")
	return v
}

// refresh reads the schema as the change has made it up to now.
func (c *Change) refresh(ctx context.Context) error {
	batch := &pgx.Batch{}
	snapshot := queueSnapshot(batch, c.Org, c.topology, c.scratch)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("reading the changed schema: %w", err)
	}
	snapshot.Complete()
	c.Snapshot = snapshot
	return nil
}

func (c *Change) restore(ctx context.Context, e *trashEntry, by schema.Viewer) (Restored, error) {
	r := &restoring{Change: c, entry: e, content: e.Content, names: map[uuid.UUID]map[string]bool{}}
	r.restored = Restored{ID: e.publicID(), Kind: e.Kind, Name: e.Name}
	var err error
	switch e.Kind {
	case TrashedBase:
		err = r.base(ctx)
	case TrashedTable:
		err = r.table(ctx)
	case TrashedField:
		err = r.field(ctx)
	case TrashedColumn:
		err = r.column(ctx)
	case TrashedView:
		err = r.view(ctx, by)
	default:
		err = errors.New("an entry of the trash has an unknown kind")
	}
	if err != nil {
		return Restored{}, err
	}
	// Including the parts of a base.
	if _, err := c.Exec(ctx, "delete from rowhouse.trash where org_id = $1 and id = $2", c.Org, e.ID); err != nil {
		return Restored{}, fmt.Errorf("taking the entry out of the trash: %w", err)
	}
	return r.restored, nil
}

// home returns the table that an entry needs, or an error that says what to do about its absence.
func (c *Change) home(ctx context.Context, e *trashEntry) (*schema.Table, error) {
	if t := c.Snapshot.Table(*e.Table); t != nil {
		return t, nil
	}
	return nil, c.tableMissing(ctx, e.Name, *e.Table)
}

// tableMissing explains that a restoration needs a table that does not exist.
func (c *Change) tableMissing(ctx context.Context, name string, table uuid.UUID) error {
	trashed, err := c.queryTrash(ctx, "kind = 'table' and object_id = $2", c.Org, table)
	if err != nil {
		return err
	}
	if len(trashed) == 0 {
		return problem.Conflict("%q cannot be restored, because it needs a table that has been deleted for good.",
			name).
			WithCode(problem.CodeTableGone)
	}
	return problem.Conflict("%q needs the table %q, which is in the trash; restore that first.", name, trashed[0].Name).
		WithCode(problem.CodeTableInTrash)
}

// refuseDuplicates lists values that several records have in a field that must be unique.
func (c *Change) refuseDuplicates(ctx context.Context, f *schema.Field) error {
	values, err := c.lines(ctx, "select "+f.Column()+"::text from "+f.Table.Relation()+" where "+f.Column()+
		" is not null group by "+f.Column()+" having count(*) > 1 order by count(*) desc, 1 limit 5")
	if err != nil {
		return err
	}
	if len(values) == 0 {
		return nil
	}
	if !c.ShowsValues() {
		return problem.Conflict("%q is unique, and several records hold the same value. Change these values and "+
			"restore the field again.", f.Name).WithCode(problem.CodeNotUnique)
	}
	for i, value := range values {
		values[i] = field.Quote(value)
	}
	return problem.Conflict("%q is unique, and several records hold the same value: %s. Change these values and "+
		"restore the field again.", f.Name, problem.List(values)).WithCode(problem.CodeNotUnique)
}

// column restores the former column of a field, and puts the present one into the trash.
func (r *restoring) column(ctx context.Context) error {
	t, err := r.home(ctx, r.entry)
	if err != nil {
		return err
	}
	f := t.FieldByID(id.Format(id.Field, r.entry.Object))
	if f == nil {
		return problem.Conflict("The field %q itself is in the trash; restore that first.", r.entry.Name).
			WithCode(problem.CodeFieldInTrash)
	}
	if err := r.LockTable(ctx, t); err != nil {
		return err
	}
	if err := r.RetireColumn(ctx, f); err != nil {
		return err
	}
	row := r.content.Fields[0]
	_, err = r.Exec(ctx, "update rowhouse.field set type = $3, config = $4, number = $5 where org_id = $1 and id = $2",
		r.Org, f.ID, row.text("type"), row["config"], row.number("number"))
	if err != nil {
		return fmt.Errorf("restoring the former column: %w", err)
	}
	r.restored.Name = f.Name
	if err := r.constrain(ctx, f.ID); err != nil {
		return err
	}
	if back := r.Snapshot.Field(f.ID); back != nil {
		r.bringColumn(back, f.Column())
	}
	return nil
}

// constrain builds the unique index of a restored field.
func (c *Change) constrain(ctx context.Context, fieldID uuid.UUID) error {
	if err := c.refresh(ctx); err != nil {
		return err
	}
	f := c.Snapshot.Field(fieldID)
	if f == nil || !f.Config.Unique {
		return nil
	}
	if err := c.refuseDuplicates(ctx, f); err != nil {
		return err
	}
	return c.setUnique(ctx, f, false, true)
}

// view restores a view, without references to fields that do not exist.
func (r *restoring) view(ctx context.Context, by schema.Viewer) error {
	t, err := r.home(ctx, r.entry)
	if err != nil {
		return err
	}
	if err := by.MayChange(r.entry.view()); err != nil {
		return err
	}
	if len(t.Views) >= MaxViews {
		return problem.Conflict("A table may have at most %d views.", MaxViews)
	}
	taken := func(name string) bool { return t.RefuseViewName(name, nil) != nil }
	r.restored.Name = restoredName(r.entry.Name, taken)
	row := r.content.Views[0]
	row.set("name", r.restored.Name)
	row.set("config", row.config().WithoutMissing(t))
	if err := r.touch(t); err != nil {
		return err
	}
	return r.put(ctx, "view", r.content.Views)
}
