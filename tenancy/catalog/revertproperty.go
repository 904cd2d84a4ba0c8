package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// update restores the properties of objects that the change sets have changed.
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

// giveTypeBack replaces the column of a field by the column that it had before its type was changed.
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

// revertible are the properties of each kind of object that can be restored.
var revertible = map[string][]string{
	"base":  {"name", "icon", "position", "workspace_id", "time_zone", "permission"},
	"table": {"name", "icon", "position", "permission"},
	"field": {"name", "config", "position", "hidden", "width", "permission"},
	"view":  {"name", "config", "position", "access"},
}

// properties are the changed properties, with their former values.
func (r *objectRevert) properties(n *netChange) metadataRow {
	present, set := r.present(n), metadataRow{}
	started := rowOf(jsonvalue.Must(r.former.row(n.object, n.id)))
	for _, property := range revertible[n.object] {
		was, now, left := n.before[property], present[property], n.after[property]
		switch {
		case was == nil && left == nil: // from before the property was logged
		case EqualJSON(was, now):
		case property == "config":
			config, changed := r.mergeConfig(n, rowOf(was), rowOf(now), rowOf(left), rowOf(started[property]))
			if changed {
				set.set(property, config)
			}
		case EqualJSON(was, left):
		case EqualJSON(now, left):
			set[property] = was
		case property == "position": // others have sorted since
		case r.conflict(n, property, ObjectChanged):
			set[property] = was
		}
	}
	return set
}

// mergeConfig restores the keys of a config that the change sets have changed, or that this revert has
// changed by restoring a field, which gives views back what they had lost with it. started is the
// config before the revert.
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
		case slices.Contains(comparingKeys, key) && EqualJSON(was[key], r.renamedBack(left[key])):
			continue // it has only followed a renaming
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

// renamedBack is a filter with the former names of options that the revert has renamed.
func (r *objectRevert) renamedBack(filter json.RawMessage) json.RawMessage {
	for _, one := range r.undone {
		filter, _ = renamedIn(filter, one.fields, one.renamed)
	}
	return filter
}

func same(a, b metadataRow, key string) bool {
	x, inA := a[key]
	y, inB := b[key]
	return inA == inB && (!inA || EqualJSON(x, y))
}

// write restores properties of an object. If another object has its name, the present name stays.
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
		if err := r.By.MayChange(v); err != nil {
			return false, err
		}
		if err := r.touch(v.Table); err != nil {
			return false, err
		}
		if set["config"] != nil {
			set.set("config", set.config().WithoutMissing(v.Table))
		}
	}
	if len(set) == 0 {
		return false, nil
	}
	if set["permission"] != nil {
		r.ChangesPermissions()
	}
	assign := ""
	for _, property := range slices.Sorted(maps.Keys(set)) { // of revertible
		assign += ", " + property + " = p." + property
	}
	_, err = r.Exec(ctx, "update "+relation+" r set "+assign[2:]+" from jsonb_populate_record(null::"+relation+
		", $3::jsonb) p where r.org_id = $1 and r.id = $2", r.Org, n.id, jsonvalue.Must(set))
	if err != nil {
		return false, fmt.Errorf("reverting a change of a %s: %w", n.object, err)
	}
	return true, nil
}

func (r *objectRevert) nameTaken(n *netChange, name string) bool {
	switch n.object {
	case "table":
		t := r.Snapshot.Table(n.id)
		return t.Base.RefuseTableName(name, t) != nil
	case "field":
		f := r.Snapshot.Field(n.id)
		return f.Table.RefuseFieldName(name, f) != nil
	case "view":
		v := r.Snapshot.View(n.id)
		return v.Table.RefuseViewName(name, v) != nil
	}
	return false
}

// prepareField makes the column of a field fit its restored config. Options that others have given to
// records stay, unless they may be overwritten.
func (r *objectRevert) prepareField(ctx context.Context, n *netChange, set metadataRow) error {
	f := r.Snapshot.Field(n.id)
	if err := r.LockTable(ctx, f.Table); err != nil {
		return err
	}
	if set["config"] == nil {
		return nil
	}
	var config schema.Config
	if err := json.Unmarshal(set["config"], &config); err != nil {
		return fmt.Errorf("decoding a former config: %w", err)
	}
	renamed := map[string]string{} // back
	for was, now := range n.renamed {
		if f.Config.HasOption(now) && !config.HasOption(now) && config.HasOption(was) && !f.Config.HasOption(was) {
			renamed[now] = was
		}
	}
	if err := r.renameInFilters(ctx, f, renamed); err != nil {
		return err
	}
	if len(renamed) > 0 {
		r.undone = append(r.undone, renaming{r.Snapshot.Showing(f), renamed})
		r.Change.renamed[f.ID] = renamed
	}
	err := r.moveOptions(ctx, f, &config, renamed, false)
	if lost := (*problem.Error)(nil); errors.As(err, &lost) && lost.Code == problem.CodeValuesWouldBeLost {
		used, usedErr := r.Used(ctx, f.Table, f)
		if usedErr != nil {
			return usedErr
		}
		if used && !r.conflict(n, "config.options", ObjectChanged) {
			config.Options, config.Default = slices.Clone(f.Config.Options), f.Config.Default
			for i, option := range config.Options {
				if was, ok := renamed[option.Name]; ok {
					config.Options[i].Name = was
				}
			}
		}
		err = r.moveOptions(ctx, f, &config, renamed, true)
	}
	if err != nil {
		return err
	}
	set.set("config", config)
	return r.setUnique(ctx, f, f.Config.Unique, config.Unique)
}
