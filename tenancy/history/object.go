package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// MaxObjects bounds the tables, fields and views of a change set that are listed.
const MaxObjects = 20

// What a change set did to a table, a field or a view.
const (
	ObjectCreated  = "created"
	ObjectUpdated  = "updated"
	ObjectDeleted  = "deleted"
	ObjectRestored = "restored"
	ObjectPurged   = "purged" // deleted for good
)

// An ObjectChange says what a change set did to the base, a table, a field or a view.
type ObjectChange struct {
	// Object is base, table, field or view. A purged object may also be a record, or a column, which is
	// the former column of a field whose type was changed.
	Object  string
	ID      string // public
	Name    string
	Does    string
	Changed []string // of an update: name, icon, type, config, hidden, width, access, workspace or permission

	table string // of the field or view
}

// onSchema is a condition on an entry of the log under the alias ~: it has changes of the schema that
// the viewer may know. tables is an array of table numbers. wide adds the base itself and purged
// tables, which only the entries know. The placeholders from first on are those of schemaArgs.
func (r *baseReader) onSchema(tables string, wide bool, first int) string {
	of := "~.table_number = any (" + tables + "::integer[])"
	if wide {
		base := fmt.Sprintf("$%d::uuid", first)
		of = "(" + of + " or ~.before @> jsonb_build_array(jsonb_build_object('id', " + base + "))"
		for _, side := range []string{"before", "after"} {
			of += " or ~.before @> jsonb_build_array(jsonb_build_object('" + side +
				"', jsonb_build_object('base_id', " + base + ")))"
		}
		of += ")"
	}
	return fmt.Sprintf(
		"~.kind = "+changelog.SQLSchema+" and $%d::boolean and ",
		first+3,
	) + of + " and exists (select from jsonb_array_elements(~.before) o where " +
		r.onObject(
			first,
		) + ")"
}

// row is the metadata row of an object o after the change, or before it if that deleted the object.
const row = "coalesce(nullif(o->'after', 'null'), o->'before')"

// onObject is a condition on an object o in an entry of the log under the alias ~: it is in the base,
// more than its position was changed, and the viewer sees it, as schema.Viewer says.
func (r *baseReader) onObject(first int) string {
	return fmt.Sprintf("(~.table_number <> 0 or o->>'id' = $%d::uuid::text) and nullif(o->'before', 'null') - "+
		"'position' is distinct from nullif(o->'after', 'null') - 'position' and ($%d::boolean or "+row+
		"->>'access' is distinct from 'personal' or "+row+"->>'created_by' = $%d::uuid::text)",
		first, first+1, first+2) + r.sight.object()
}

func (r *baseReader) schemaArgs() []any {
	return []any{r.base, r.in.By.Admin, r.in.By.Person, !r.in.Nameless}
}

// queueObjects queues the query for what change sets did with the base and its tables, fields and views.
// The numbers of their entries are from first to last.
func (r *baseReader) queueObjects(
	b *pgx.Batch, sets []uuid.UUID, at map[uuid.UUID]*ChangeSet, first, last int64,
) {
	// Citus joins the log, which is on another node, with people only after it has read it.
	const statement = `with told as materialized (
			select l.change_set, l.number, l.person, l.credential, o->>'object' as object, (o->>'id')::uuid as id,
				coalesce(%[2]s->>'name', '') as title, coalesce(%[2]s->>'table_id', '') as table_id,
				coalesce(%[2]s->>'kind', '') as kind, (%[2]s->>'object_id')::uuid as purged, l.table_number,
				o->'before' = 'null' as fresh, o->'after' = 'null' as gone, o ? 'restored' as restored,
				array(select k from jsonb_object_keys(nullif(o->'before', 'null')) k
					where o->'before'->k is distinct from o->'after'->k) as changed
			from %[1]s l cross join lateral jsonb_array_elements(l.before) o
			where %[5]s and l.number <= $5 and l.number >= $6 and %[3]s and %[4]s)
		select t.change_set, t.number, t.person, p.name, t.credential, t.object, t.id, t.title, t.table_id, t.kind,
			t.purged, t.table_number, t.fresh, t.gone, t.restored, t.changed
		from told t left join rowhouse.person p on p.id = t.person order by t.number, t.id`
	condition := func(text string) string { return strings.ReplaceAll(text, "~", "l") }
	low, high := stretches(sets)
	b.Queue(fmt.Sprintf(statement, changelog.Relation(r.org), row, condition(r.onSchema("$4", true, 7)),
		condition(r.onObject(7)), ofSets("$1", "$2", "$3", len(low))),
		append([]any{sets, low, high, r.all, last, first}, r.schemaArgs()...)...).
		Query(func(rows pgx.Rows) error {
			var g setGroup
			var o loggedObject
			_, err := pgx.ForEachRow(rows, append([]any{&g.set, &g.first, &g.person, &g.name, &g.credential},
				o.targets()...), func() error {
				g.last = g.first
				set := at[g.set]
				set.made(&g)
				set.Objects = append(set.Objects, r.sight.shown(o.change()))
				return nil
			})
			return err
		})
}

// A loggedObject is an object in an entry of the log.
type loggedObject struct {
	object               string
	id                   uuid.UUID
	name, table          string
	kind                 catalog.TrashKind // of a purged object
	purged               *uuid.UUID
	number               int32 // of the table
	fresh, gone, restore bool
	changed              []string
}

func (o *loggedObject) targets() []any {
	return []any{
		&o.object, &o.id, &o.name, &o.table, &o.kind, &o.purged, &o.number, &o.fresh, &o.gone, &o.restore, &o.changed,
	}
}

var publicKinds = map[string]id.Kind{"base": id.Base, "table": id.Table, "field": id.Field, "view": id.View}

// publicProperties are the columns of metadata tables that clients know.
var publicProperties = map[string]string{
	"name": "name", "icon": "icon", "type": "type", "config": "config", "hidden": "hidden", "width": "width",
	"access": "access", "workspace_id": "workspace", "permission": "permission",
}

func (o *loggedObject) change() ObjectChange {
	c := ObjectChange{Object: o.object, Name: o.name, table: o.table}
	switch {
	case o.object == "trash":
		c.Object, c.Does = string(o.kind), ObjectPurged
		c.ID = catalog.PublicTrashID(o.kind, o.id, *o.purged)
		return c
	case o.object == "record":
		c.ID, c.Does = id.FormatRecord(o.number, o.id), ObjectPurged
		return c
	case o.fresh && o.restore:
		c.Does = ObjectRestored
	case o.fresh:
		c.Does = ObjectCreated
	case o.gone:
		c.Does = ObjectDeleted
	default:
		c.Does = ObjectUpdated
		for _, column := range o.changed {
			if property := publicProperties[column]; property != "" {
				c.Changed = append(c.Changed, property)
			}
		}
		slices.Sort(c.Changed)
	}
	c.ID = id.Format(publicKinds[o.object], o.id)
	return c
}

var objectOrder = []string{"base", "table", "field", "view", "column", "record"}

// foldObjects merges the changes of each object, and drops those of objects whose table was created or
// deleted.
func (c *ChangeSet) foldObjects() {
	var folded []ObjectChange
	at := map[string]int{}
	whole := map[string]bool{}
	for _, change := range c.Objects {
		i, again := at[change.ID]
		if !again {
			at[change.ID] = len(folded)
			folded = append(folded, change)
			continue
		}
		before := folded[i]
		folded[i] = change
		if change.Does != ObjectUpdated {
			continue
		}
		if folded[i].Does = before.Does; before.Does == ObjectUpdated {
			folded[i].Changed = append(folded[i].Changed, before.Changed...)
			slices.Sort(folded[i].Changed)
			folded[i].Changed = slices.Compact(folded[i].Changed)
		} else {
			folded[i].Changed = nil
		}
	}
	for _, change := range folded {
		if change.Object == "table" && change.Does != ObjectUpdated {
			whole[change.ID] = true
		}
	}
	folded = slices.DeleteFunc(folded, func(change ObjectChange) bool {
		table, err := uuid.Parse(change.table)
		return err == nil && change.Object != "table" && whole[id.Format(id.Table, table)]
	})
	slices.SortStableFunc(folded, func(a, b ObjectChange) int {
		return cmp.Compare(slices.Index(objectOrder, a.Object), slices.Index(objectOrder, b.Object))
	})
	c.ObjectCount = len(folded)
	c.Objects = folded[:min(len(folded), MaxObjects)]
}
