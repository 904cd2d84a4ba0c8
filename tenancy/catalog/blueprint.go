package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A Blueprint is tables that are made together, with ids that the caller has chosen, so that they can refer to each
// other in any way.
type Blueprint struct {
	Base   *NewBase  // nil: the tables go into Into
	Into   uuid.UUID // a base
	Tables []NewTable
	Maker  uuid.UUID // of the views
}

// A NewBase is the base of a blueprint.
type NewBase struct {
	ID, Workspace  uuid.UUID
	Name, TimeZone string
	Icon           *schema.Icon
	Permission     json.RawMessage // an Access; nil: it is open
	Scratch        uuid.UUID       // the job that tests a backup with the base; zero for a base that people see
}

// A NewTable is a table of a blueprint. The first of the views that it has is the one that is opened; without any it
// gets a grid.
type NewTable struct {
	ID     uuid.UUID
	Number int32  // one of those that Build has drawn
	Name   string // in a base that was there: that, or with a number if it is taken
	Icon   *schema.Icon
	Fields []NewField
	Views  []NewView

	Permission json.RawMessage // a TablePermission
}

// A NewField is a field of a blueprint. Its config is as it is stored.
type NewField struct {
	ID      uuid.UUID
	Name    string
	Type    schema.Type
	Config  json.RawMessage
	Primary bool
	Hidden  bool
	Width   *int32

	Permission json.RawMessage // a FieldPermission
	// Inverse is the field that a link makes on its other side, if that is not in the blueprint; nil has the defaults.
	Inverse *NewInverse
}

// A NewInverse is the other side of a link into a table that was there.
type NewInverse struct {
	Single, Hidden bool
	Permission     json.RawMessage // a FieldPermission
}

// A NewView is a view of a blueprint.
type NewView struct {
	ID     uuid.UUID
	Name   string
	Type   schema.ViewType
	Access schema.ViewAccess
	Config schema.ViewConfig
}

// Built is what became of a blueprint.
type Built struct {
	Base  uuid.UUID
	Notes []string // what is not as the blueprint has it, and why
}

// Build makes the tables of a blueprint in one change: all or none. plan returns it for as many new numbers of tables
// as it asks for, and can be called again.
//
// What cannot be made as it is refuses the blueprint, with two exceptions, since they are in bases too: a computed
// field whose config does not fit shows errors, and a view lacks what does not fit.
func (s *Store) Build(
	ctx context.Context, org uuid.UUID, tables int, plan func(numbers []int32) (*Blueprint, error),
) (Built, error) {
	var built Built
	err := s.Change(ctx, org, func(c *Change) error {
		numbers, err := c.drawNumbers(ctx, "gate.next_table_number()", tables)
		if err != nil {
			return err
		}
		made, err := plan(numbers)
		if err != nil {
			return err
		}
		b := &building{
			Change: c, Blueprint: made, fields: map[uuid.UUID]*schema.Field{}, paths: map[uuid.UUID]string{},
			far: map[uuid.UUID]*schema.Table{}, inverses: map[uuid.UUID]*NewInverse{},
		}
		built, err = b.build(ctx)
		return err
	})
	return built, err
}

// drawNumbers draws numbers of tables or fields.
func (c *Change) drawNumbers(ctx context.Context, next string, n int) ([]int32, error) {
	rows, err := c.Query(ctx, "select "+next+"::integer from generate_series(1, $1::integer)", n)
	if err != nil {
		return nil, fmt.Errorf("drawing numbers: %w", err)
	}
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return nil, fmt.Errorf("drawing numbers: %w", err)
	}
	return numbers, nil
}

// A building is the making of a blueprint.
type building struct {
	*Change
	*Blueprint
	base   *schema.Base
	tables []*schema.Table
	fields map[uuid.UUID]*schema.Field
	paths  map[uuid.UUID]string        // of what is wrong with a field
	far    map[uuid.UUID]*schema.Table // that were there, with the fields that they get

	inverses map[uuid.UUID]*NewInverse // by the field on this side
	notes    []string
}

func (b *building) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

func (b *building) build(ctx context.Context) (Built, error) {
	for _, step := range []func(ctx context.Context) error{
		b.makeBase, b.makeTables, b.makeFields, b.makeLinks, b.refresh, b.checkFields, b.makeViews,
	} {
		if err := step(ctx); err != nil {
			return Built{}, err
		}
	}
	return Built{Base: b.base.ID, Notes: b.notes}, nil
}

func (b *building) makeBase(ctx context.Context) error {
	made := b.Base
	if made == nil {
		if b.base = b.Snapshot.Base(b.Into); b.base == nil {
			return problem.NotFound("base", id.Format(id.Base, b.Into))
		}
		if len(b.base.Tables)+len(b.Tables) > MaxTables {
			return problem.Conflict("A base may have at most %d tables.", MaxTables)
		}
		b.SetAuditEvent(audit.Event{Action: "create_table", Subject: id.Format(id.Table, b.Tables[0].ID)})
		return nil
	}
	b.base = &schema.Base{
		Org: b.Org, ID: made.ID, Workspace: made.Workspace, Name: made.Name, TimeZone: made.TimeZone, Icon: made.Icon,
	}
	b.SetAuditEvent(audit.Event{Action: "create_base", Subject: b.base.PublicID()})
	patch := Patch{Name: &made.Name, TimeZone: &made.TimeZone, Icon: made.Icon}
	if err := patch.clean(); err != nil {
		return err
	}
	switch {
	case len(b.Snapshot.Bases) >= MaxBases && made.Scratch == uuid.Nil:
		return problem.Conflict("An organization may have at most %d bases.", MaxBases)
	case len(b.Tables) > MaxTables:
		return problem.Conflict("A base may have at most %d tables.", MaxTables)
	case b.Snapshot.Workspace(made.Workspace) == nil:
		return problem.NotFound("workspace", id.Format(id.Workspace, made.Workspace))
	}
	if made.Permission != nil {
		b.ChangesPermissions()
	}
	var scratch *uuid.UUID
	if made.Scratch != uuid.Nil {
		scratch = &made.Scratch
	}
	_, err := b.Exec(ctx, `insert into rowhouse.base
			(org_id, id, workspace_id, name, position, time_zone, icon, permission, scratch)
		select $1, $2, $3, $4, coalesce(max(position), 0) + 1, $5, $6, $7, $8 from rowhouse.base where org_id = $1`,
		b.Org, made.ID, made.Workspace, *patch.Name, *patch.TimeZone, made.Icon, jsonOrNull(made.Permission), scratch)
	if err != nil {
		return fmt.Errorf("creating the base: %w", err)
	}
	return nil
}

// jsonOrNull is a value of JSON for a column that may be null.
func jsonOrNull(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	return raw
}

func (b *building) makeTables(ctx context.Context) error {
	taken := map[string]bool{}
	for _, t := range b.base.Tables {
		taken[naming.Key(t.Name)] = true
	}
	for i := range b.Tables {
		made := &b.Tables[i]
		at := fmt.Sprintf("tables[%d]", i)
		name, err := naming.Clean(at+".name", made.Name)
		if err != nil {
			return err
		}
		if err := made.Icon.Check(); err != nil {
			return err
		}
		free := name
		for n := 2; taken[naming.Key(free)]; n++ {
			if b.Base != nil {
				return problem.Invalid(at+".name", "the name %q is given twice", name)
			}
			free = fmt.Sprintf("%s %d", name, n)
		}
		taken[naming.Key(free)] = true
		t := &schema.Table{Org: b.Org, ID: made.ID, Base: b.base, Number: made.Number, Name: free, Icon: made.Icon}
		if made.Permission != nil {
			b.ChangesPermissions()
		}
		_, err = b.Exec(ctx, `insert into rowhouse.data_table
				(org_id, id, base_id, number, name, position, version, icon, permission)
			select $1, $2, $3, $4, $5, coalesce(max(position), 0) + 1, $6, $7, $8
			from rowhouse.data_table where org_id = $1 and base_id = $3`,
			b.Org, t.ID, b.base.ID, t.Number, t.Name, b.Snapshot.Version+1, t.Icon, jsonOrNull(made.Permission))
		if err != nil {
			return fmt.Errorf("creating the table: %w", err)
		}
		if err := b.createRelation(ctx, t); err != nil {
			return err
		}
		b.tables = append(b.tables, t)
	}
	return nil
}

// makeFields stores the fields, and adds the columns of those with values of their own.
func (b *building) makeFields(ctx context.Context) error {
	for i, t := range b.tables {
		made := b.Tables[i].Fields
		if len(made) > MaxFields {
			return problem.Invalid(fmt.Sprintf("tables[%d].fields", i), "a table may have at most %d fields", MaxFields)
		}
		for j := range made {
			path := fmt.Sprintf("tables[%d].fields[%d]", i, j)
			f, err := newField(path, t, &made[j], j)
			if err != nil {
				return err
			}
			if err := t.RefuseFieldName(f.Name, nil); err != nil {
				return err
			}
			if b.fields[f.ID] != nil {
				return problem.Invalid(path+".id", "is given twice")
			}
			t.Fields, b.fields[f.ID], b.paths[f.ID] = append(t.Fields, f), f, path
			b.inverses[f.ID] = made[j].Inverse
			if made[j].Permission != nil {
				b.ChangesPermissions()
			}
		}
		if t.Primary() == nil || !t.Fields[0].IsPrimary {
			return problem.Invalid(fmt.Sprintf("tables[%d].fields", i),
				"the first one must be the primary field, and no other")
		}
	}
	for i, t := range b.tables {
		if err := b.storeFields(ctx, t, b.Tables[i].Fields); err != nil {
			return err
		}
	}
	return nil
}

// newField reads a field of a blueprint.
func newField(path string, t *schema.Table, made *NewField, place int) (*schema.Field, error) {
	name, err := naming.Clean(path+".name", made.Name)
	if err != nil {
		return nil, err
	}
	config, err := storedConfig(path+".config", made.Type, made.Config)
	if err != nil {
		return nil, err
	}
	if made.Width != nil && (*made.Width < 40 || *made.Width > 2000) {
		return nil, problem.Invalid(path+".width", "must be a number of pixels from 40 to 2000")
	}
	f := schema.NewField(t, made.Type, name, config, float64(place))
	if f.ID = made.ID; made.Primary && place > 0 {
		return nil, problem.Invalid(path+".primary", "is for the first field alone")
	}
	f.IsPrimary, f.Hidden, f.Width = made.Primary, made.Hidden, made.Width
	if f.IsPrimary && !f.Info().Primary && !f.Info().Computed {
		return nil, f.RefusePrimary(path)
	}
	return f, nil
}

// storedConfig reads a config as it is stored, which has more keys than people may give.
func storedConfig(path string, kind schema.Type, raw json.RawMessage) (schema.Config, error) {
	var keys map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &keys); err != nil {
			return schema.Config{}, problem.Invalid(path, "must be an object")
		}
	}
	inverse, typed := keys["inverseFieldId"], keys["resultType"]
	delete(keys, "inverseFieldId")
	delete(keys, "resultType")
	config, err := field.ParseConfig(path, kind.Kind(), jsonvalue.Must(keys))
	if err != nil {
		return config, err
	}
	for _, own := range []struct {
		raw  json.RawMessage
		into *string
	}{{inverse, &config.InverseFieldID}, {typed, &config.ResultType}} {
		if len(own.raw) > 0 && json.Unmarshal(own.raw, own.into) != nil {
			return config, problem.Invalid(path, "has a key of the service that is no text")
		}
	}
	if !slices.Contains(field.ResultTypes, strings.TrimPrefix(config.ResultType, "list of ")) {
		config.ResultType = "" // it is found again
	}
	return config, nil
}

func (b *building) storeFields(ctx context.Context, t *schema.Table, made []NewField) error {
	numbers, err := b.drawNumbers(ctx, "nextval('rowhouse.next_field')", len(t.Fields))
	if err != nil {
		return err
	}
	batch, columns := &pgx.Batch{}, []string{}
	for i, f := range t.Fields {
		f.Number = numbers[i]
		batch.Queue(`insert into rowhouse.field
				(org_id, id, table_id, number, name, type, config, is_primary, position, hidden, width, permission)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, b.Org, f.ID, t.ID, f.Number, f.Name, f.Type(),
			f.Config, f.IsPrimary, f.Position, f.Hidden, f.Width, jsonOrNull(made[i].Permission))
		if column := b.columnDefinition(f); column != "" {
			columns = append(columns, "add column "+column)
		}
	}
	if len(columns) > 0 {
		batch.Queue("alter table " + t.Relation() + " " + strings.Join(columns, ", "))
	}
	if err := b.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating the fields: %w", err)
	}
	for _, f := range t.Fields {
		if err := b.number(ctx, f); err != nil {
			return err
		}
		if err := b.setUnique(ctx, f, false, f.Config.Unique); err != nil {
			return err
		}
	}
	return nil
}

func (b *building) makeViews(ctx context.Context) error {
	batch := &pgx.Batch{}
	for i := range b.tables {
		t := b.Snapshot.Table(b.tables[i].ID)
		made := b.Tables[i].Views
		if len(made) > MaxViews {
			return problem.Invalid(fmt.Sprintf("tables[%d].views", i), "a table may have at most %d views", MaxViews)
		}
		if len(made) == 0 {
			made = []NewView{{ID: id.New(), Name: "Grid view", Type: schema.Grid, Access: schema.Collaborative}}
		}
		for j := range made {
			v := &made[j]
			at := fmt.Sprintf("tables[%d].views[%d]", i, j)
			name, err := naming.Clean(at+".name", v.Name)
			if err != nil {
				return err
			}
			if err := t.RefuseViewName(name, nil); err != nil {
				return err
			}
			if v.Access == schema.Personal {
				return problem.Invalid(at+".access", "a personal view is not part of a base")
			}
			config, err := b.viewConfig(t, v)
			if err != nil {
				return err
			}
			t.Views = append(t.Views, &schema.View{ID: v.ID, Table: t, Name: name})
			batch.Queue(`insert into rowhouse.view
					(org_id, id, table_id, name, type, position, access, created_by, config)
				values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
				b.Org, v.ID, t.ID, name, v.Type, j+1, v.Access, b.Maker, config)
		}
	}
	if err := b.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating the views: %w", err)
	}
	return nil
}

// viewConfig is the config of a view without what does not fit. A filter that does not fit stays, because the view
// would show more without it: it shows nothing until somebody repairs it.
func (b *building) viewConfig(t *schema.Table, v *NewView) (schema.ViewConfig, error) {
	config := schema.ViewConfig{}
	for _, key := range v.Config.SortedKeys() {
		resolved, err := schema.ViewConfig{key: v.Config[key]}.Resolve(t, query.CheckView)
		switch {
		case err == nil:
			config[key] = resolved[key]
		case key == "filters" && json.Valid(v.Config[key]):
			config[key] = v.Config[key]
			b.note("%s, view %s: it shows nothing until its filter is repaired: %s", t.Name, v.Name, whyWrong(err))
		default:
			b.note("%s, view %s: %s was left out: %s", t.Name, v.Name, key, whyWrong(err))
		}
	}
	return config, config.CheckSize()
}
