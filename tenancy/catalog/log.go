package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// loggedObjects bounds the objects of one entry of the log, and loggedRecords the records.
const (
	loggedObjects = 500
	loggedRecords = 5000
)

// A loggedTable is a metadata table whose rows are logged.
type loggedTable struct {
	object, relation string
	columns          []string // that are logged, in addition to id
}

var loggedTables = []loggedTable{
	{"workspace", "rowhouse.workspace", []string{"name", "color", "icon", "is_default", "position", "permission"}},
	{"base", "rowhouse.base", []string{"workspace_id", "name", "icon", "position", "time_zone", "permission"}},
	{"table", "rowhouse.data_table", []string{"base_id", "number", "name", "icon", "position", "permission"}},
	{"field", "rowhouse.field", []string{
		"table_id", "number", "name", "type", "config", "is_primary", "position", "hidden", "width", "link_number",
		"link_side", "linked_table_id", "permission",
	}},
	{"view", "rowhouse.view", []string{"table_id", "name", "type", "config", "position", "access", "created_by"}},
	{"group", "rowhouse.person_group", []string{"name", "members"}},
}

// A former is the schema as it was before a change. It keeps copies of the configs of views and fields,
// because the change may modify those of the snapshot.
type former struct {
	snapshot *schema.Snapshot
	configs  map[uuid.UUID]schema.ViewConfig
	fields   map[uuid.UUID]schema.Config // of those that have changed; see keep
}

// keep copies the config of a field of the snapshot that is about to change.
func (f *former) keep(one *schema.Field) {
	if _, kept := f.fields[one.ID]; kept || f.snapshot.Field(one.ID) != one {
		return
	}
	f.fields[one.ID] = one.Config
}

func formerOf(s *schema.Snapshot) *former {
	f := &former{s, map[uuid.UUID]schema.ViewConfig{}, map[uuid.UUID]schema.Config{}}
	for v := range s.Views() {
		f.configs[v.ID] = v.Config
	}
	return f
}

// ids are the ids of the objects that the schema had.
func (f *former) ids(object string) []uuid.UUID {
	var ids []uuid.UUID
	switch object {
	case "workspace":
		for _, w := range f.snapshot.Workspaces {
			ids = append(ids, w.ID)
		}
	case "base":
		for _, b := range f.snapshot.Bases {
			ids = append(ids, b.ID)
		}
	case "table":
		for t := range f.snapshot.Tables() {
			ids = append(ids, t.ID)
		}
	case "field":
		for one := range f.snapshot.Fields() {
			ids = append(ids, one.ID)
		}
	case "view":
		for v := range f.snapshot.Views() {
			ids = append(ids, v.ID)
		}
	case "group":
		for _, g := range f.snapshot.Groups {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// row is the metadata row of an object as it was, in the columns that are logged; nil if there was
// none.
func (f *former) row(object string, u uuid.UUID) map[string]any {
	s := f.snapshot
	switch object {
	case "workspace":
		if w := s.Workspace(u); w != nil {
			return map[string]any{
				"id": u, "name": w.Name, "color": w.Color, "icon": w.Icon, "is_default": w.IsDefault,
				"position": w.Position, "permission": w.Access,
			}
		}
	case "base":
		if b := s.Base(u); b != nil {
			return map[string]any{
				"id": u, "workspace_id": b.Workspace, "name": b.Name, "icon": b.Icon, "position": b.Position,
				"time_zone": b.TimeZone, "permission": b.Access,
			}
		}
	case "table":
		if t := s.Table(u); t != nil {
			return map[string]any{
				"id": u, "base_id": t.Base.ID, "number": t.Number, "name": t.Name, "icon": t.Icon,
				"position": t.Position, "permission": t.Permission,
			}
		}
	case "field":
		if x := s.Field(u); x != nil {
			row := map[string]any{
				"id": u, "table_id": x.Table.ID, "number": x.Number, "name": x.Name, "type": x.Type(),
				"config":     x.Config,
				"is_primary": x.IsPrimary, "position": x.Position, "hidden": x.Hidden, "width": x.Width,
				"link_number": nil, "link_side": nil, "linked_table_id": nil,
				"permission": x.Permission,
			}
			if config, changed := f.fields[u]; changed {
				row["config"] = config
			}
			if x.Link != nil {
				row["link_number"], row["link_side"] = x.Link.Number, x.Link.Own
				row["linked_table_id"] = x.Link.LinkedTable
			}
			return row
		}
	case "group":
		if g := s.Group(u); g != nil {
			return map[string]any{"id": u, "name": g.Name, "members": g.Members}
		}
	case "view":
		if v := s.View(u); v != nil {
			row := map[string]any{
				"id": u, "table_id": v.Table.ID, "name": v.Name, "type": v.Type, "config": f.configs[u],
				"position": v.Position, "access": v.Access, "created_by": nil,
			}
			if v.CreatedBy != uuid.Nil {
				row["created_by"] = v.CreatedBy
			}
			return row
		}
	}
	return nil
}

// objectChanges compares the metadata rows with their state before the change. Rows that the change has
// written have the number of its transaction.
func (c *Change) objectChanges(ctx context.Context) ([]changelog.ObjectChange, error) {
	written := make([]map[uuid.UUID]json.RawMessage, len(loggedTables))
	counts := make([]int, len(loggedTables))
	batch := &pgx.Batch{}
	for i, t := range loggedTables {
		written[i] = map[uuid.UUID]json.RawMessage{}
		object := "jsonb_build_object('id', r.id"
		for _, column := range t.columns {
			object += ", '" + column + "', r." + column
		}
		batch.Queue("select r.id, "+object+") from "+t.relation+
			" r where r.org_id = $1 and r.xmin = pg_current_xact_id()::xid order by r.id",
			c.Org).Query(func(rows pgx.Rows) error {
			var u uuid.UUID
			var row json.RawMessage
			_, err := pgx.ForEachRow(rows, []any{&u, &row}, func() error {
				written[i][u] = append(json.RawMessage(nil), row...)
				return nil
			})
			return err
		})
		batch.Queue("select count(*) from "+t.relation+" where org_id = $1", c.Org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&counts[i]) })
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("reading what has changed: %w", err)
	}
	var changes []changelog.ObjectChange
	for i, t := range loggedTables {
		fresh := 0
		for u, after := range written[i] {
			was := c.former.row(t.object, u)
			change := changelog.ObjectChange{Object: t.object, ID: u, After: after, Renamed: c.renamed[u]}
			if was == nil {
				fresh++
				change.Restored = c.restored[u]
			} else if change.Before = jsonvalue.Must(was); EqualJSON(change.Before, after) {
				continue
			}
			changes = append(changes, change)
		}
		ids := c.former.ids(t.object)
		if counts[i] == len(ids)+fresh {
			continue // none is gone
		}
		gone, err := c.missing(ctx, t.relation, ids)
		if err != nil {
			return nil, err
		}
		for _, u := range gone {
			changes = append(
				changes,
				changelog.ObjectChange{Object: t.object, ID: u, Before: jsonvalue.Must(c.former.row(t.object, u))},
			)
		}
	}
	return append(changes, c.purged...), nil
}

// missing returns those of ids that a metadata table does not have.
func (c *Change) missing(ctx context.Context, relation string, ids []uuid.UUID) ([]uuid.UUID, error) {
	rows, err := c.Query(ctx, "select u from unnest($2::uuid[]) u where not exists (select from "+relation+
		" r where r.org_id = $1 and r.id = u)", c.Org, ids)
	if err != nil {
		return nil, fmt.Errorf("looking for what is gone: %w", err)
	}
	gone, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, fmt.Errorf("looking for what is gone: %w", err)
	}
	return gone, nil
}

// logPurged adds to the log that an entry of the trash is gone for good.
func (c *Change) logPurged(e *trashEntry) {
	view := e.view()
	c.purged = append(c.purged, changelog.ObjectChange{Object: "trash", ID: e.ID, Before: jsonvalue.Must(map[string]any{
		"access": view.Access, "created_by": view.CreatedBy, // who does not see a view must not learn its name
		"id": e.ID, "kind": e.Kind, "object_id": e.Object, "base_id": e.Base, "table_id": e.Table,
		"table_number": e.TableNumber, "field_number": e.FieldNumber, "link_number": e.LinkNumber, "name": e.Name,
	})})
}

// BeginLog draws the number of the change, once, and creates the log if there is none.
func (c *Change) BeginLog(ctx context.Context) error {
	if c.numbered {
		return nil
	}
	c.numbered = true
	batch := &pgx.Batch{}
	batch.Queue("select gate.prepare_change_log($1, $2)", c.Org, organization.SchemaName(c.Org))
	c.topology.BeginChange(batch, c.Org)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("numbering the change: %w", err)
	}
	return nil
}

const insertLog = `."change" (number, change_set, person, table_number, kind, credential, request, records, previous,
	before) `

func (c *Change) logRelation() string { return `"` + organization.SchemaName(c.Org) + `"` }

// log writes to the log of changes what the change has made of the schema.
func (c *Change) log(ctx context.Context) error {
	changes, err := c.objectChanges(ctx)
	if err != nil || len(changes) == 0 {
		return err
	}
	if err := c.BeginLog(ctx); err != nil {
		return err
	}
	tables := c.tableNumbers(changes)
	batch := &pgx.Batch{}
	for _, number := range slices.Sorted(maps.Keys(tables)) {
		for part := range slices.Chunk(tables[number], loggedObjects) {
			batch.Queue(
				"insert into "+c.logRelation()+insertLog+"values ("+db.ChangeNumber+
					", $1, $2, $3, $4, $5, $6, '{}', null, $7::jsonb)",
				c.origin.Set,
				c.origin.Person,
				number,
				changelog.Schema,
				c.origin.Credential,
				c.origin.Request,
				jsonvalue.Must(part),
			)
		}
	}
	c.logReturned(batch)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("writing to the log of changes: %w", err)
	}
	return nil
}

// tableNumbers groups changes by the number of their table; bases and workspaces have 0.
func (c *Change) tableNumbers(changes []changelog.ObjectChange) map[int32][]changelog.ObjectChange {
	numbers := map[string]int32{}
	for t := range c.former.snapshot.Tables() {
		numbers[t.ID.String()] = t.Number
	}
	type row struct {
		Table       string `json:"table_id"`
		Number      int32  `json:"number"`
		TableNumber int32  `json:"table_number"` // of an object in the trash, and of records
	}
	rows := make([]row, len(changes))
	for i, change := range changes {
		for _, encoded := range []json.RawMessage{change.Before, change.After} {
			if encoded != nil {
				_ = json.Unmarshal(encoded, &rows[i]) // this package wrote it
			}
		}
		if change.Object == "table" {
			numbers[change.ID.String()] = rows[i].Number
		}
	}
	grouped := map[int32][]changelog.ObjectChange{}
	for i, change := range changes {
		number := numbers[rows[i].Table]
		switch change.Object {
		case "table":
			number = rows[i].Number
		case "trash", "record":
			number = rows[i].TableNumber
		}
		grouped[number] = append(grouped[number], change)
	}
	return grouped
}

// LogValues logs the values of a field's column that the change is about to replace, in the records
// that meet the condition, which has the record table under the alias t. It gives these records their
// new versions. The caller must have locked the table.
func (c *Change) LogValues(ctx context.Context, f *schema.Field, condition string, args ...any) error {
	return c.LogValuesOf(ctx, f.Table, []*schema.Field{f}, condition, args...)
}

// LogValuesOf is LogValues for several columns.
func (c *Change) LogValuesOf(
	ctx context.Context,
	t *schema.Table,
	fields []*schema.Field,
	condition string,
	args ...any,
) error {
	if err := c.BeginLog(ctx); err != nil {
		return err
	}
	relation := t.Relation()
	var was []string
	for _, f := range fields {
		was = append(was, "'"+logKey(f.Number)+"', t."+f.Column())
	}
	batch := &pgx.Batch{}
	// The condition makes Citus draw the number on the coordinator; see changelog.Lock.
	batch.Queue("with held as materialized (select max(t.version) as version from "+relation+" t where "+condition+
		") select gate.draw_change(held.version) from held "+
		"where not exists (select 1 from pg_catalog.pg_am where false)", args...)
	p := func(i int) string { return fmt.Sprintf("$%d", len(args)+i) }
	batch.Queue("with held as materialized (select t.id, t.version, jsonb_build_object("+strings.Join(was, ", ")+
		") as was, (row_number() over (order by t.id) - 1) / "+fmt.Sprint(loggedRecords)+" as part from "+
		relation+" t where "+condition+"), raised as (update "+relation+" t set version = "+db.ChangeNumber+
		" from held h where t.id = h.id) insert into "+c.logRelation()+insertLog+"select "+db.ChangeNumber+", "+p(1)+
		"::uuid, "+p(2)+"::uuid, "+p(3)+"::integer, "+p(4)+"::smallint, "+p(5)+"::text, "+p(6)+
		"::text, array_agg(id order by id), "+
		"array_agg(version order by id), jsonb_agg(was order by id) from held group by part returning number",
		append(append([]any{}, args...), c.origin.Set, c.origin.Person, t.Number, changelog.Updated,
			c.origin.Credential,
			c.origin.Request)...)
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("telling the log of changes what stood there: %w", err)
	}
	return nil
}

// FieldChanges are the change's own changes of fields up to now.
func (c *Change) FieldChanges() []changelog.ObjectChange {
	var changes []changelog.ObjectChange
	now := formerOf(c.Snapshot)
	for _, u := range now.ids("field") {
		change := changelog.ObjectChange{
			Object: "field", ID: u, After: jsonvalue.Must(now.row("field", u)), Renamed: c.renamed[u],
			Restored: c.restored[u],
		}
		if before := c.former.row("field", u); before != nil {
			change.Before = jsonvalue.Must(before)
		}
		if !EqualJSON(change.Before, change.After) {
			changes = append(changes, change)
		}
	}
	return changes
}

// EqualJSON reports whether two values are equal, whatever the order of their members.
func EqualJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
