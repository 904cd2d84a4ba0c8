package schema

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// An ObjectRevert takes back what change sets have made of the tables, fields and views of a base,
// and of the base itself. A base that they created stays.
type ObjectRevert struct {
	Base      uuid.UUID
	Changes   []ObjectChange // those of the change sets, in their order; others are passed over
	Overwrite bool           // what others have changed since
	By        Viewer
	// MayDefine is an error if the caller may change views only.
	MayDefine error
	// Used reports whether others have written into a table since, or into one of its fields. The
	// field is nil for the whole table.
	Used func(ctx context.Context, t *Table, f *Field) (bool, error)
}

// What a revert does with an object.
const (
	ObjectRestored = "restored"
	ObjectRemoved  = "removed"
	ObjectUpdated  = "updated"
)

// An ObjectAct is what a revert does with a table, a field, a view or the base.
type ObjectAct struct {
	Object string // as in ObjectChange
	ID     uuid.UUID
	Name   string
	Does   string
}

// Why a revert leaves an object as it is.
const (
	ObjectChanged = "changed" // by others
	ObjectDeleted = "deleted" // by others
	ObjectGone    = "gone"    // for good
	ObjectNeeded  = "needed"  // the primary field of its table, or the last view that everybody sees
	ObjectTaken   = "taken"   // another one has its name
)

// An ObjectConflict is a reason why an object stays as it is.
type ObjectConflict struct {
	Object   string
	ID       uuid.UUID
	Table    uuid.UUID // that it is of; uuid.Nil for the base
	Name     string
	Property string // "" is the whole object
	Reason   string
	Unfit    bool // Overwrite does not help
}

// RevertObjects takes back changes of the schema. Values of records follow only where a column comes
// or goes. It reads the schema again, so what the caller holds of it is outdated.
func (c *Change) RevertObjects(ctx context.Context, in *ObjectRevert) ([]ObjectAct, []ObjectConflict, error) {
	r := &objectRevert{Change: c, ObjectRevert: in, back: map[uuid.UUID]bool{}}
	if err := r.fold(ctx); err != nil {
		return nil, nil, err
	}
	for _, step := range []func(context.Context) error{r.bringBack, r.remove, r.update} {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	return r.acts, r.conflicts, nil
}

// An objectRevert is an ObjectRevert under way.
type objectRevert struct {
	*Change
	*ObjectRevert
	net       []*netChange // by the order of the objects' kinds
	back      map[uuid.UUID]bool
	acts      []ObjectAct
	conflicts []ObjectConflict
}

// A netChange is what all the change sets together have made of an object: its rows before and after.
type netChange struct {
	object        string
	id            uuid.UUID
	before, after metadataRow // nil: it was not, or is not there
}

// objectOrder is the order in which objects need one another.
var objectOrder = []string{"base", "table", "field", "view", "trash"}

// fold adds the changes of each object of the base up.
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
	}
	slices.SortStableFunc(r.net, func(a, b *netChange) int {
		return cmp.Compare(slices.Index(objectOrder, a.object), slices.Index(objectOrder, b.object))
	})
	for _, n := range r.net {
		if n.object != "view" && r.MayDefine != nil {
			return r.MayDefine
		}
	}
	r.net = slices.DeleteFunc(r.net, func(n *netChange) bool { return n.object == "view" && !r.By.Sees(n.view()) })
	return nil
}

// tablesOfBase are the tables of the base, with those that were deleted.
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

// some is the row that the object has, or had.
func (n *netChange) some() metadataRow {
	if n.after != nil {
		return n.after
	}
	return n.before
}

func (n *netChange) view() *View {
	row := n.some()
	return &View{
		ID: n.id, Name: row.text("name"), Access: ViewAccess(row.text("access")), CreatedBy: row.uuid("created_by"),
	}
}

// conflict notes a conflict, and reports whether the revert goes on all the same.
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
		return rowOf(raw(row))
	}
	return nil
}

// bringBack restores what the change sets have deleted.
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
		for _, other := range r.net { // what came back with it
			if other.before != nil && !r.back[other.id] && r.former.row(other.object, other.id) == nil &&
				r.present(other) != nil {
				r.back[other.id] = true
			}
		}
		r.act(n, ObjectRestored)
	}
	return nil
}

// remove puts what the change sets have made into the trash.
func (r *objectRevert) remove(ctx context.Context) error {
	removed := map[uuid.UUID]bool{}
	for _, n := range r.net {
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
		return true, r.trashTables(ctx, []*Table{t}, nil)
	case "field":
		f := r.Snapshot.Field(n.id)
		if f.IsPrimary {
			r.conflict(n, "", ObjectNeeded)
			return false, nil
		}
		if used, err := r.Used(ctx, f.Table, f); err != nil || used && !r.conflict(n, "", ObjectChanged) {
			return false, err
		}
		involved := []*Table{f.Table}
		if f.Link != nil {
			involved = append(involved, r.Snapshot.Table(f.Link.LinkedTable))
		}
		if err := r.lockTables(ctx, involved...); err != nil {
			return false, err
		}
		return true, r.trashField(ctx, f)
	default:
		v := r.Snapshot.View(n.id)
		if err := r.By.mayChange(v); err != nil {
			return false, err
		}
		if v.onlyShared() {
			r.conflict(n, "", ObjectNeeded)
			return false, nil
		}
		if !equalJSON(raw(r.present(n)["config"]), raw(n.after["config"])) && !r.conflict(n, "", ObjectChanged) {
			return false, nil
		}
		if err := r.touch(v.Table); err != nil {
			return false, err
		}
		return true, r.trashView(ctx, v)
	}
}

// update gives objects back what the change sets have changed of them.
func (r *objectRevert) update(ctx context.Context) error {
	for _, n := range r.net {
		if n.object == "trash" || n.before == nil || n.after == nil && !r.back[n.id] || r.present(n) == nil {
			continue
		}
		if n.after == nil {
			n.after = r.present(n) // as the change sets left it
		}
		changed := false
		if n.object == "field" {
			var err error
			if changed, err = r.giveTypeBack(ctx, n); err != nil {
				return err
			}
		}
		set := r.properties(n)
		if len(set) > 0 {
			wrote, err := r.write(ctx, n, set)
			if err != nil {
				return err
			}
			if err := r.refresh(ctx); err != nil {
				return err
			}
			changed = changed || wrote
		}
		if changed {
			r.act(n, ObjectUpdated)
		}
	}
	return nil
}

// giveTypeBack exchanges the column of a field with the one that it had before its type was changed.
func (r *objectRevert) giveTypeBack(ctx context.Context, n *netChange) (done bool, err error) {
	was, present := n.before.number("number"), r.present(n).number("number")
	if was == present || was == n.after.number("number") {
		return false, nil
	}
	f := r.Snapshot.Field(n.id)
	used, err := r.Used(ctx, f.Table, f)
	if err != nil {
		return false, err
	}
	if (used || present != n.after.number("number")) && !r.conflict(n, "type", ObjectChanged) {
		return false, nil
	}
	found, err := r.queryTrash(ctx, "kind = 'column' and object_id = $2 and field_number = $3", r.Org, n.id, was)
	if err != nil {
		return false, err
	}
	if len(found) == 0 {
		r.conflict(n, "type", ObjectGone)
		return false, nil
	}
	if _, err := r.restore(ctx, found[0], r.By); err != nil {
		return false, err
	}
	if err := r.refresh(ctx); err != nil {
		return false, err
	}
	n.after["config"] = r.present(n)["config"]
	return true, nil
}

// revertible are the properties of each object that can be given back.
var revertible = map[string][]string{
	"base":  {"name", "icon", "position", "workspace_id"},
	"table": {"name", "icon", "position"},
	"field": {"name", "config", "position", "hidden", "width"},
	"view":  {"name", "config", "position", "access"},
}

// properties are those that the change sets have changed, with the values that they are to have.
func (r *objectRevert) properties(n *netChange) metadataRow {
	present, set := r.present(n), metadataRow{}
	started := rowOf(raw(r.former.row(n.object, n.id)))
	for _, property := range revertible[n.object] {
		was, now, left := n.before[property], present[property], n.after[property]
		switch {
		case equalJSON(was, now):
		case property == "config":
			config, changed := r.mergeConfig(n, rowOf(was), rowOf(now), rowOf(left), rowOf(started[property]))
			if changed {
				set.set(property, config)
			}
		case equalJSON(was, left):
		case equalJSON(now, left):
			set[property] = was
		case property == "position": // others have sorted since
		case r.conflict(n, property, ObjectChanged):
			set[property] = was
		}
	}
	return set
}

// mergeConfig gives the keys of a config back that the change sets have changed, or this revert when
// it restored a field: a view gets back what it had lost with that. started is the config before the
// revert.
func (r *objectRevert) mergeConfig(
	n *netChange, was, now, left, started metadataRow,
) (config metadataRow, changed bool) {
	config = maps.Clone(now)
	if config == nil {
		config = metadataRow{}
	}
	keys := metadataRow{}
	for _, c := range []metadataRow{was, left, now} {
		maps.Copy(keys, c)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		switch {
		case same(was, now, key) || same(was, left, key) && (same(now, started, key) || !same(started, left, key)):
			continue
		case !same(was, left, key) && !same(now, left, key) && !r.conflict(n, "config."+key, ObjectChanged):
			continue
		}
		changed = true
		if value, ok := was[key]; ok {
			config[key] = value
		} else {
			delete(config, key)
		}
	}
	return config, changed
}

func same(a, b metadataRow, key string) bool {
	x, inA := a[key]
	y, inB := b[key]
	return inA == inB && (!inA || equalJSON(x, y))
}

// write gives an object properties back. A name that another one has stays as it is.
func (r *objectRevert) write(ctx context.Context, n *netChange, set metadataRow) (wrote bool, err error) {
	if set["name"] != nil && r.nameTaken(n, set.text("name")) {
		r.conflict(n, "name", ObjectTaken)
		delete(set, "name")
	}
	relation := ""
	switch n.object {
	case "base":
		relation = "rowhouse.base"
		if r.Snapshot.Workspace(set.uuid("workspace_id")) == nil {
			delete(set, "workspace_id")
		}
	case "table":
		relation = "rowhouse.data_table"
	case "field":
		relation = "rowhouse.field"
		if err := r.prepareField(ctx, n, set); err != nil {
			return false, err
		}
	case "view":
		relation = "rowhouse.view"
		v := r.Snapshot.View(n.id)
		if err := r.By.mayChange(v); err != nil {
			return false, err
		}
		if err := r.touch(v.Table); err != nil {
			return false, err
		}
		if set["config"] != nil {
			set.set("config", set.config().withoutMissing(v.Table))
		}
	}
	if len(set) == 0 {
		return false, nil
	}
	assign := ""
	for _, property := range slices.Sorted(maps.Keys(set)) { // of revertible
		assign += ", " + property + " = p." + property
	}
	_, err = r.Exec(ctx, "update "+relation+" r set "+assign[2:]+" from jsonb_populate_record(null::"+relation+
		", $3::jsonb) p where r.org_id = $1 and r.id = $2", r.Org, n.id, raw(set))
	if err != nil {
		return false, fmt.Errorf("reverting a change of a %s: %w", n.object, err)
	}
	return true, nil
}

func (r *objectRevert) nameTaken(n *netChange, name string) bool {
	switch n.object {
	case "table":
		t := r.Snapshot.Table(n.id)
		return t.Base.refuseTableName(name, t) != nil
	case "field":
		f := r.Snapshot.Field(n.id)
		return f.Table.refuseFieldName(name, f) != nil
	case "view":
		v := r.Snapshot.View(n.id)
		return v.Table.refuseViewName(name, v) != nil
	}
	return false
}

// prepareField makes the column of a field fit the config that it is to have. Options that others
// have given to records stay, unless they may be overwritten.
func (r *objectRevert) prepareField(ctx context.Context, n *netChange, set metadataRow) error {
	f := r.Snapshot.Field(n.id)
	if err := r.LockTable(ctx, f.Table); err != nil {
		return err
	}
	if set["config"] == nil {
		return nil
	}
	var config Config
	if err := json.Unmarshal(set["config"], &config); err != nil {
		return fmt.Errorf("decoding a former config: %w", err)
	}
	err := r.moveOptions(ctx, f, &config, nil, false)
	if held := (*problem.Error)(nil); errors.As(err, &held) && held.Code == "values_would_be_lost" {
		used, usedErr := r.Used(ctx, f.Table, f)
		if usedErr != nil {
			return usedErr
		}
		if used && !r.conflict(n, "config.options", ObjectChanged) {
			config.Options, config.Default = f.Config.Options, f.Config.Default
		}
		err = r.moveOptions(ctx, f, &config, nil, true)
	}
	if err != nil {
		return err
	}
	set.set("config", config)
	return r.setUnique(ctx, f, f.Config.Unique, config.Unique)
}

// PublicID is the id of an object outside.
func (a *ObjectAct) PublicID() string { return publicObjectID(a.Object, a.ID) }

// PublicID is the id of the object outside.
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
