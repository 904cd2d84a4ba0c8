package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An ObjectRevert reverts the changes of change sets to the tables, fields and views of a base, and to
// the base itself. A base that they created stays.
type ObjectRevert struct {
	Base      uuid.UUID
	Changes   []changelog.ObjectChange // of the change sets, in their order; others are skipped
	Overwrite bool                     // also what others have changed since
	By        schema.Viewer
	// MayDefine is an error if the caller may change views only.
	MayDefine error
	// Used reports whether others have written into a table or one of its fields since. The field is
	// nil for the whole table.
	Used func(ctx context.Context, t *schema.Table, f *schema.Field) (bool, error)
}

// What a revert does to an object.
const (
	ObjectRestored = "restored"
	ObjectRemoved  = "removed"
	ObjectUpdated  = "updated"
)

// An ObjectAct is what a revert does to a table, a field, a view or the base.
type ObjectAct struct {
	Object string // as in changelog.ObjectChange
	ID     uuid.UUID
	Name   string
	Does   string
}

// Why a revert leaves an object unchanged.
const (
	ObjectChanged = "changed" // by others
	ObjectDeleted = "deleted" // by others
	ObjectGone    = "gone"    // purged
	ObjectNeeded  = "needed"  // the primary field of its table, or the last view that everybody sees
	ObjectTaken   = "taken"   // another object has its name
)

// An ObjectConflict is a reason why an object stays unchanged.
type ObjectConflict struct {
	Object   string
	ID       uuid.UUID
	Table    uuid.UUID // of the object; uuid.Nil for the base
	Name     string
	Property string // "" is the whole object
	Reason   string
	Unfit    bool // Overwrite does not help
}

// RevertObjects reverts changes of the schema. Values of records change only where a column is restored
// or removed. It reads the schema again, so the caller's snapshot is outdated.
func (c *Change) RevertObjects(ctx context.Context, in *ObjectRevert) ([]ObjectAct, []ObjectConflict, error) {
	r := &objectRevert{Change: c, ObjectRevert: in, back: map[uuid.UUID]bool{}}
	if err := r.fold(ctx); err != nil {
		return nil, nil, err
	}
	for _, step := range []func(context.Context) error{r.bringBack, r.givePrimaryBack, r.remove, r.update} {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	return r.acts, r.conflicts, nil
}

// An objectRevert is an ObjectRevert in progress.
type objectRevert struct {
	*Change
	*ObjectRevert
	net       []*netChange // by the order of the objects' kinds
	back      map[uuid.UUID]bool
	undone    []renaming // that were reverted
	acts      []ObjectAct
	conflicts []ObjectConflict
}

// A renaming renames options in the conditions of some fields.
type renaming struct {
	fields  []string
	renamed map[string]string // from the former names
}

// A netChange is the joint effect of all change sets on an object: its rows before and after.
type netChange struct {
	object        string
	id            uuid.UUID
	before, after metadataRow // nil: it did not exist
	// renamed are the present names of a field's renamed options, by their former names.
	renamed map[string]string
}

// rename adds a renaming of options to earlier ones.
func (n *netChange) rename(renamed map[string]string) {
	if len(renamed) == 0 {
		return
	}
	net := map[string]string{}
	taken := map[string]bool{}
	for first, then := range n.renamed {
		if now, again := renamed[then]; again {
			taken[then], then = true, now
		}
		if net[first] = then; first == then {
			delete(net, first)
		}
	}
	for then, now := range renamed {
		if !taken[then] {
			net[then] = now
		}
	}
	n.renamed = net
}

// objectOrder is the order in which objects need one another.
var objectOrder = []string{"base", "table", "field", "view", "trash"}

// fold merges the changes of each object of the base.
func (r *objectRevert) fold(ctx context.Context) error {
	tables, err := r.tablesOfBase(ctx)
	if err != nil {
		return err
	}
	known := map[uuid.UUID]*netChange{}
	for _, change := range r.Changes {
		before, after := rowOf(change.Before), rowOf(change.After)
		some := before
		if some == nil {
			some = after
		}
		switch {
		case change.Object == "base" && change.ID == r.Base:
		case (change.Object == "table" || change.Object == "trash") && some.uuid("base_id") == r.Base:
		case (change.Object == "field" || change.Object == "view") && tables[some.uuid("table_id")]:
		default:
			continue
		}
		if known[change.ID] == nil {
			known[change.ID] = &netChange{object: change.Object, id: change.ID, before: before}
			r.net = append(r.net, known[change.ID])
		}
		known[change.ID].after = after
		known[change.ID].rename(change.Renamed)
	}
	slices.SortStableFunc(r.net, func(a, b *netChange) int {
		return cmp.Or(cmp.Compare(slices.Index(objectOrder, a.object), slices.Index(objectOrder, b.object)),
			cmp.Compare(min(1, len(b.renamed)), min(1, len(a.renamed)))) // filters name their options
	})
	for _, n := range r.net {
		if n.object != "view" && r.MayDefine != nil {
			return r.MayDefine
		}
	}
	r.net = slices.DeleteFunc(r.net, func(n *netChange) bool { return n.object == "view" && !r.By.Sees(n.view()) })
	return nil
}

// tablesOfBase are the tables of the base, including deleted ones.
func (r *objectRevert) tablesOfBase(ctx context.Context) (map[uuid.UUID]bool, error) {
	tables := map[uuid.UUID]bool{}
	if b := r.Snapshot.Base(r.Base); b != nil {
		for _, t := range b.Tables {
			tables[t.ID] = true
		}
	}
	trashed, err := r.queryTrash(ctx, "kind = 'table' and base_id = $2", r.Org, r.Base)
	for _, e := range trashed {
		tables[e.Object] = true
	}
	for _, change := range r.Changes {
		for _, row := range []metadataRow{rowOf(change.Before), rowOf(change.After)} {
			if change.Object == "table" && row != nil && row.uuid("base_id") == r.Base {
				tables[change.ID] = true
			}
		}
	}
	return tables, err
}

func rowOf(encoded json.RawMessage) metadataRow {
	var row metadataRow
	_ = json.Unmarshal(encoded, &row) // this package wrote it; null is nil
	return row
}

// some is the row of the object, after the change sets or before them.
func (n *netChange) some() metadataRow {
	if n.after != nil {
		return n.after
	}
	return n.before
}

func (n *netChange) view() *schema.View {
	row := n.some()
	return &schema.View{
		ID: n.id, Name: row.text("name"), Access: schema.ViewAccess(row.text("access")),
		CreatedBy: row.uuid("created_by"),
	}
}

// conflict records a conflict, and reports whether the revert continues nevertheless.
func (r *objectRevert) conflict(n *netChange, property, reason string) bool {
	table := n.some().uuid("table_id")
	if n.object == "table" {
		table = n.id
	}
	unfit := reason == ObjectGone || reason == ObjectNeeded || reason == ObjectTaken
	r.conflicts = append(r.conflicts, ObjectConflict{
		Object: n.object, ID: n.id, Table: table, Name: n.some().text("name"), Property: property, Reason: reason,
		Unfit: unfit,
	})
	return r.Overwrite && !unfit
}

func (r *objectRevert) act(n *netChange, does string) {
	r.acts = append(r.acts, ObjectAct{n.object, n.id, n.some().text("name"), does})
}

// present is the row of an object as the change has made it up to now, or nil.
func (r *objectRevert) present(n *netChange) metadataRow {
	if row := formerOf(r.Snapshot).row(n.object, n.id); row != nil {
		return rowOf(jsonvalue.Must(row))
	}
	return nil
}

// bringBack restores the objects that the change sets have deleted.
func (r *objectRevert) bringBack(ctx context.Context) error {
	for _, n := range r.net {
		if n.object == "trash" {
			r.conflict(n, "", ObjectGone)
			continue
		}
		if n.object == "base" || n.before == nil || r.present(n) != nil {
			continue
		}
		if n.after != nil && !r.conflict(n, "", ObjectDeleted) {
			continue
		}
		found, err := r.queryTrash(ctx, "kind = $2 and (object_id = $3 or kind = 'field' and content->'field' @> "+
			"jsonb_build_array(jsonb_build_object('id', $3::uuid)))", r.Org, n.object, n.id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			r.conflict(n, "", ObjectGone)
			continue
		}
		if _, err := r.restore(ctx, found[len(found)-1], r.By); err != nil {
			return err
		}
		if err := r.refresh(ctx); err != nil {
			return err
		}
		for _, other := range r.net { // restored with it
			if other.before != nil && !r.back[other.id] && r.former.row(other.object, other.id) == nil &&
				r.present(other) != nil {
				r.back[other.id] = true
			}
		}
		r.act(n, ObjectRestored)
	}
	return nil
}

// remove puts the objects that the change sets have created into the trash.
func (r *objectRevert) remove(ctx context.Context) error {
	removed := map[uuid.UUID]bool{}
	// A link goes to the trash under the field that it was created as, so this one comes before its inverse.
	order := slices.Clone(r.net)
	slices.SortStableFunc(order, func(a, b *netChange) int {
		return cmp.Or(slices.Index(objectOrder, a.object)-slices.Index(objectOrder, b.object),
			strings.Compare(a.some().text("link_side"), b.some().text("link_side")))
	})
	for _, n := range order {
		if n.before != nil || n.after == nil || n.object == "base" || n.object == "trash" || r.present(n) == nil ||
			removed[n.some().uuid("table_id")] {
			continue
		}
		done, err := r.removeOne(ctx, n)
		if err != nil {
			return err
		}
		if !done {
			continue
		}
		removed[n.id] = true
		r.act(n, ObjectRemoved)
		if err := r.refresh(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *objectRevert) removeOne(ctx context.Context, n *netChange) (done bool, err error) {
	switch n.object {
	case "table":
		t := r.Snapshot.Table(n.id)
		if used, err := r.Used(ctx, t, nil); err != nil || used && !r.conflict(n, "", ObjectChanged) {
			return false, err
		}
		return true, r.trashTables(ctx, []*schema.Table{t}, nil)
	case "field":
		f := r.Snapshot.Field(n.id)
		if f.IsPrimary {
			r.conflict(n, "", ObjectNeeded)
			return false, nil
		}
		if used, err := r.Used(ctx, f.Table, f); err != nil || used && !r.conflict(n, "", ObjectChanged) {
			return false, err
		}
		involved := []*schema.Table{f.Table}
		if f.Link != nil {
			involved = append(involved, r.Snapshot.Table(f.Link.LinkedTable))
		}
		if err := r.lockTables(ctx, involved...); err != nil {
			return false, err
		}
		return true, r.trashField(ctx, f)
	default:
		v := r.Snapshot.View(n.id)
		if err := r.By.MayChange(v); err != nil {
			return false, err
		}
		if v.OnlyShared() {
			r.conflict(n, "", ObjectNeeded)
			return false, nil
		}
		if !EqualJSON(jsonvalue.Must(r.present(n)["config"]), jsonvalue.Must(n.after["config"])) &&
			!r.conflict(n, "", ObjectChanged) {
			return false, nil
		}
		if err := r.touch(v.Table); err != nil {
			return false, err
		}
		return true, r.trashView(ctx, v)
	}
}

// PublicID is the object's public id.
func (a *ObjectAct) PublicID() string { return publicObjectID(a.Object, a.ID) }

// PublicID is the object's public id.
func (c *ObjectConflict) PublicID() string { return publicObjectID(c.Object, c.ID) }

func publicObjectID(object string, u uuid.UUID) string {
	switch object {
	case "base":
		return id.Format(id.Base, u)
	case "table":
		return id.Format(id.Table, u)
	case "field":
		return id.Format(id.Field, u)
	case "view":
		return id.Format(id.View, u)
	}
	return ""
}
