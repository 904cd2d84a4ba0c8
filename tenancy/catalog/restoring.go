package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A restoring is the restoration of one entry of the trash.
type restoring struct {
	*Change
	entry    *trashEntry
	content  trashContent // including that of its parts
	restored Restored
	names    map[uuid.UUID]map[string]bool // of fields, by live table and key
}

// base restores a base with its tables, its dashboards, and its webhooks, which continue at their positions.
func (r *restoring) base(ctx context.Context) error {
	if len(r.Snapshot.Bases) >= MaxBases {
		return problem.Conflict("An organization may have at most %d bases.", MaxBases)
	}
	row := r.content.Bases[0]
	if r.Snapshot.Workspace(row.uuid("workspace_id")) == nil {
		for _, w := range r.Snapshot.Workspaces {
			if w.IsDefault {
				row.set("workspace_id", w.ID)
			}
		}
	}
	if err := r.put(ctx, "base", r.content.Bases); err != nil {
		return err
	}
	parts, err := r.queryTrash(ctx, "part_of = $2", r.Org, r.entry.ID)
	if err != nil {
		return err
	}
	for _, part := range parts {
		r.content.Tables = append(r.content.Tables, part.Content.Tables...)
		r.content.Fields = append(r.content.Fields, part.Content.Fields...)
		r.content.Views = append(r.content.Views, part.Content.Views...)
		r.content.Indexes = append(r.content.Indexes, part.Content.Indexes...)
	}
	if err := r.tables(ctx); err != nil {
		return err
	}
	if err := r.put(ctx, "dashboard", r.content.Dashboards); err != nil {
		return err
	}
	for _, row := range r.content.Webhooks { // no job works on them any more
		for _, column := range []string{"lease", "leased_until", "queued_at"} {
			row.set(column, nil)
		}
	}
	if err := r.put(ctx, "webhook", r.content.Webhooks); err != nil {
		return err
	}
	return r.put(ctx, "webhook_delivery", r.content.Deliveries)
}

// table restores a table of a base.
func (r *restoring) table(ctx context.Context) error {
	base := r.Snapshot.Base(r.entry.Base)
	if base == nil {
		return problem.Conflict("The base of the table %q is in the trash; restore that first.", r.entry.Name).
			WithCode(problem.CodeBaseInTrash)
	}
	if len(base.Tables) >= MaxTables {
		return problem.Conflict("A base may have at most %d tables.", MaxTables)
	}
	taken := func(name string) bool { return base.RefuseTableName(name, nil) != nil }
	r.restored.Name = restoredName(r.entry.Name, taken)
	r.content.Tables[0].set("name", r.restored.Name)
	return r.tables(ctx)
}

// tables restores the tables of the content, with their fields, views and links.
func (r *restoring) tables(ctx context.Context) error {
	links, err := r.splitLinks(ctx)
	if err != nil {
		return err
	}
	for _, row := range r.content.Tables {
		row.set("version", r.Snapshot.Version+1)
		r.touched[row.uuid("id")] = true
	}
	if err := r.nameFields(ctx); err != nil {
		return err
	}
	if err := r.put(ctx, "data_table", r.content.Tables); err != nil {
		return err
	}
	for _, part := range []struct {
		table string
		rows  []metadataRow
	}{{"field", r.content.Fields}, {"view", r.content.Views}, {"record_index", r.content.Indexes}} {
		if err := r.put(ctx, part.table, part.rows); err != nil {
			return err
		}
	}
	return r.finish(ctx, links)
}

// field restores a field of a table, and a link on both sides.
func (r *restoring) field(ctx context.Context) error {
	if _, err := r.home(ctx, r.entry); err != nil {
		return err
	}
	for _, row := range r.content.Fields {
		for _, table := range []uuid.UUID{row.uuid("table_id"), row.uuid("linked_table_id")} {
			if table != uuid.Nil && r.Snapshot.Table(table) == nil {
				return r.tableMissing(ctx, r.entry.Name, table)
			}
		}
	}
	if err := r.nameFields(ctx); err != nil {
		return err
	}
	if err := r.put(ctx, "field", r.content.Fields); err != nil {
		return err
	}
	links := r.linkGroups()
	if len(links) == 0 {
		if err := r.constrain(ctx, r.entry.Object); err != nil {
			return err
		}
	}
	return r.finish(ctx, links)
}

// finish connects links, restores what views lost, and keeps the files.
func (r *restoring) finish(ctx context.Context, links map[int32][]metadataRow) error {
	if err := r.refresh(ctx); err != nil {
		return err
	}
	for _, number := range slices.Sorted(maps.Keys(links)) {
		if err := r.attachLinks(ctx, number, links[number]); err != nil {
			return err
		}
	}
	r.bringBack(links)
	batch := &pgx.Batch{}
	for _, loss := range slices.Backward(r.content.Left) {
		r.giveBack(batch, loss)
	}
	// The sweep of files checks them again.
	batch.Queue("update rowhouse.attachment set unused_since = null where org_id = $1 and table_id = any ($2) "+
		"and state = 'ready' and unused_since is not null", r.Org, slices.Collect(maps.Keys(r.touched)))
	if err := r.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("finishing the restoration: %w", err)
	}
	if f := r.Snapshot.Field(r.entry.Object); f != nil {
		r.restored.Name = f.Name
	}
	return nil
}

// bringBack logs the values that come back with the entry: records with a table, and values with a
// field.
func (r *restoring) bringBack(links map[int32][]metadataRow) {
	whole := map[uuid.UUID]bool{}
	for _, row := range r.content.Tables {
		whole[row.uuid("id")] = true
		r.bring(row.number("number"), "true")
	}
	if f := r.Snapshot.Field(r.entry.Object); f != nil && f.Link == nil {
		r.bringColumn(f)
	}
	for number, rows := range links {
		for _, row := range rows {
			if table := row.uuid("table_id"); !whole[table] {
				r.bring(r.tableNumber(table), "exists (select from "+schema.Relation(r.Org, "l_", number)+" l where l."+
					row.text("link_side")+" = t.id)", logKey(row.number("number")))
			}
		}
	}
}

// giveBack restores what a view lost with a field, unless somebody has changed it since.
func (r *restoring) giveBack(b *pgx.Batch, loss viewLoss) {
	v := r.Snapshot.View(loss.View)
	if v == nil {
		return
	}
	config := maps.Clone(v.Config)
	if config == nil {
		config = schema.ViewConfig{}
	}
	for key, value := range loss.Before {
		now, has := config[key]
		after, had := loss.After[key]
		if has == had && (!has || EqualJSON(now, after)) {
			config[key] = value
		}
	}
	config = config.WithoutMissing(v.Table)
	b.Queue("update rowhouse.view set config = $3 where org_id = $1 and id = $2", r.Org, v.ID, config)
	v.Config = config
	r.touched[v.Table.ID] = true
}

// linkGroups are the rows of link fields by the number of their join table.
func (r *restoring) linkGroups() map[int32][]metadataRow {
	groups := map[int32][]metadataRow{}
	for _, row := range r.content.Fields {
		if number := row.number("link_number"); number != 0 {
			groups[number] = append(groups[number], row)
		}
	}
	return groups
}

// splitLinks removes from the content the links whose other side does not exist, and returns the
// others. The removed links become entries of their own, unless the other side was purged.
func (r *restoring) splitLinks(ctx context.Context) (map[int32][]metadataRow, error) {
	back := map[uuid.UUID]bool{}
	for _, row := range r.content.Tables {
		back[row.uuid("id")] = true
	}
	links := r.linkGroups()
	for _, number := range slices.Sorted(maps.Keys(links)) {
		rows := links[number]
		missing := uuid.Nil
		for _, row := range rows {
			for _, table := range []uuid.UUID{row.uuid("table_id"), row.uuid("linked_table_id")} {
				if !back[table] && r.Snapshot.Table(table) == nil {
					missing = table
				}
			}
		}
		if missing == uuid.Nil {
			continue
		}
		if err := r.leaveLink(ctx, number, rows, back, missing); err != nil {
			return nil, err
		}
		delete(links, number)
		r.content.Fields = slices.DeleteFunc(r.content.Fields, func(row metadataRow) bool {
			return row.number("link_number") == number
		})
	}
	return links, nil
}

// leaveLink leaves a link in the trash if its other table is there too, and drops it if that was
// purged.
func (r *restoring) leaveLink(
	ctx context.Context, number int32, rows []metadataRow, back map[uuid.UUID]bool, missing uuid.UUID,
) error {
	own := rows[slices.IndexFunc(rows, func(row metadataRow) bool { return back[row.uuid("table_id")] })]
	trashed, err := r.queryTrash(ctx, "kind = 'table' and object_id = $2", r.Org, missing)
	if err != nil {
		return err
	}
	if len(trashed) == 0 {
		r.restored.Notes = append(r.restored.Notes, fmt.Sprintf(
			"The link %q did not come back, because the table on its other side has been deleted for good.",
			own.text("name")))
		batch := &pgx.Batch{}
		queueDrop(batch, schema.Relation(r.Org, "l_", number))
		if err := r.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("dropping the links: %w", err)
		}
		return nil
	}
	r.restored.Notes = append(r.restored.Notes, fmt.Sprintf(
		"The link %q stays in the trash, because the table %q on its other side is there; restore that table and "+
			"then the link.",
		own.text("name"), trashed[0].Name))
	_, err = r.Exec(ctx, `insert into rowhouse.trash (org_id, id, kind, object_id, base_id, table_id, table_number,
			field_number, link_number, name, content, change_set, person_id, deleted_at)
		select org_id, $3, 'field', $4, base_id, $5, $6, $7, $8, $9, $10, change_set, person_id, deleted_at
		from rowhouse.trash where org_id = $1 and id = $2`,
		r.Org, r.entry.ID, id.New(), own.uuid("id"), own.uuid("table_id"), r.tableNumber(own.uuid("table_id")),
		own.number("number"), number, own.text("name"), trashContent{Fields: rows})
	if err != nil {
		return fmt.Errorf("leaving a link in the trash: %w", err)
	}
	return nil
}

// tableNumber is the number of a table which exists or is being restored.
func (r *restoring) tableNumber(table uuid.UUID) int32 {
	if t := r.Snapshot.Table(table); t != nil {
		return t.Number
	}
	for _, row := range r.content.Tables {
		if row.uuid("id") == table {
			return row.number("number")
		}
	}
	return 0
}

// nameFields locks the live tables that get fields, and gives the fields names that are free there.
func (r *restoring) nameFields(ctx context.Context) error {
	var involved []*schema.Table
	more := map[*schema.Table]int{}
	for _, row := range r.content.Fields {
		t := r.Snapshot.Table(row.uuid("table_id"))
		if t == nil {
			continue
		}
		involved = append(involved, t)
		if more[t]++; len(t.Fields)+more[t] > MaxFields {
			return problem.Conflict("The table %q has %d fields already, and may have at most %d.", t.Name,
				len(t.Fields), MaxFields)
		}
		used := r.names[t.ID]
		if used == nil {
			used = map[string]bool{}
			r.names[t.ID] = used
			for _, f := range t.Fields {
				used[naming.Key(f.Name)] = true
			}
		}
		name := restoredName(row.text("name"), func(name string) bool { return used[naming.Key(name)] })
		used[naming.Key(name)] = true
		row.set("name", name)
	}
	return r.lockTables(ctx, involved...)
}

// put inserts rows into a metadata table.
func (r *restoring) put(ctx context.Context, table string, rows []metadataRow) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := r.Exec(
		ctx,
		"select gate.restore_rows($1::text::regclass, $2::jsonb)",
		"rowhouse."+table,
		jsonvalue.Must(rows),
	)
	if err != nil {
		return fmt.Errorf("restoring rows of %s: %w", table, err)
	}
	for _, row := range rows {
		r.Change.restored[row.uuid("id")] = true // the log says that they are not new
	}
	return nil
}

// restoredName is a free name for a restored object.
func restoredName(name string, taken func(name string) bool) string {
	addition := " (restored)"
	for i := 2; taken(name); i++ {
		runes := []rune(name)
		candidate := string(runes[:min(len(runes), naming.MaxLength-len(addition))]) + addition
		if !taken(candidate) {
			return candidate
		}
		addition = fmt.Sprintf(" (restored %d)", i)
	}
	return name
}

func (row metadataRow) text(column string) string {
	var text string
	_ = json.Unmarshal(row[column], &text) // null is ""
	return text
}

func (row metadataRow) uuid(column string) uuid.UUID {
	u, err := uuid.Parse(row.text(column))
	if err != nil {
		return uuid.Nil
	}
	return u
}

func (row metadataRow) is(column string) bool {
	var value bool
	_ = json.Unmarshal(row[column], &value)
	return value
}

func (row metadataRow) number(column string) int32 {
	var n int32
	_ = json.Unmarshal(row[column], &n) // null is 0
	return n
}

func (row metadataRow) config() schema.ViewConfig {
	config := schema.ViewConfig{}
	_ = json.Unmarshal(row["config"], &config) // it was an object
	return config
}

func (row metadataRow) set(column string, value any) { row[column] = jsonvalue.Must(value) }
