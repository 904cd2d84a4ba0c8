package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A FieldSpec describes a field to create.
type FieldSpec struct {
	Name   string
	Type   schema.Type
	Config json.RawMessage // an object of the type's keys, or nothing
	// Position is the field's position in its table, counted from 0, which is always the primary field;
	// nil is the end.
	Position *float64

	parsed schema.Config
	path   string // of its config in the request
}

func (f *FieldSpec) clean(path string) error {
	var err error
	if f.Name, err = naming.Clean(path+"name", f.Name); err != nil {
		return err
	}
	f.path = path + "config"
	f.parsed, err = field.ParseConfig(path+"config", f.Type.Kind(), f.Config)
	return err
}

// CreateField adds a field to a table. A link also gets its inverse field in the linked table of the
// same base. The caller decides who may create types that are ApplicationOnly.
func (s *Store) CreateField(ctx context.Context, org, table uuid.UUID, spec FieldSpec) (*schema.Field, error) {
	if err := spec.clean(""); err != nil {
		return nil, err
	}
	var made *schema.Field
	err := s.Change(ctx, org, func(c *Change) error {
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		if len(t.Fields) >= MaxFields {
			return problem.Conflict("A table may have at most %d fields.", MaxFields)
		}
		if err := t.RefuseFieldName(spec.Name, nil); err != nil {
			return err
		}
		place := float64(len(t.Fields))
		if spec.Position != nil {
			place = min(max(*spec.Position, 1), place)
		}
		var err error
		if spec.Type.Info().Paired {
			if made, err = c.addLink(ctx, t, &spec, place); err == nil {
				c.SetAuditEvent(audit.Event{Action: "create_field", Subject: made.PublicID()})
			}
			return err
		}
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
		if err := c.makeRoom(ctx, t, place); err != nil {
			return err
		}
		if made, err = c.addField(ctx, t, &spec, place, false); err == nil {
			c.SetAuditEvent(audit.Event{Action: "create_field", Subject: made.PublicID()})
		}
		return err
	})
	return made, err
}

// makeRoom renumbers the positions of a table's fields from 0 and leaves the position place free.
func (c *Change) makeRoom(ctx context.Context, t *schema.Table, place float64) error {
	ids, positions := make([]uuid.UUID, len(t.Fields)), make([]float64, len(t.Fields))
	for i, f := range t.Fields {
		ids[i], positions[i] = f.ID, float64(i)
		if positions[i] >= place {
			positions[i]++
		}
	}
	_, err := c.Exec(ctx, `update rowhouse.field f set position = p.position
		from unnest($2::uuid[], $3::double precision[]) as p(id, position)
		where f.org_id = $1 and f.id = p.id and f.position <> p.position`, c.Org, ids, positions)
	if err != nil {
		return fmt.Errorf("placing the field: %w", err)
	}
	return nil
}

// addField stores a field's metadata and adds its column, if its type has one.
func (c *Change) addField(
	ctx context.Context,
	t *schema.Table,
	spec *FieldSpec,
	place float64,
	primary bool,
) (*schema.Field, error) {
	f := schema.NewField(t, spec.Type, spec.Name, spec.parsed, place)
	f.IsPrimary = primary
	if f.Info().Computed {
		if err := c.Snapshot.CheckComputed(spec.path, f); err != nil {
			return nil, err
		}
	}
	if err := c.CheckDefault(ctx, spec.path, f, nil); err != nil {
		return nil, err
	}
	err := c.QueryRow(ctx,
		`insert into rowhouse.field (org_id, id, table_id, number, name, type, config, is_primary, position)
		values ($1, $2, $3, nextval('rowhouse.next_field'), $4, $5, $6, $7, $8) returning number`,
		c.Org, f.ID, t.ID, f.Name, f.Type(), f.Config, primary, place).Scan(&f.Number)
	if err != nil {
		return nil, fmt.Errorf("creating the field: %w", err)
	}
	if f.Info().Counted {
		c.bringColumn(f)
	}
	return f, c.AddColumn(ctx, f)
}

// AddColumn adds an empty column for a field, and its unique index. The caller must have locked the
// table.
func (c *Change) AddColumn(ctx context.Context, f *schema.Field) error {
	column := c.columnDefinition(f)
	if column == "" {
		return nil
	}
	if err := c.makeColumnRoom(ctx, f.Table); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, "alter table "+f.Table.Relation()+" add column "+column); err != nil {
		return fmt.Errorf("adding the column: %w", err)
	}
	if err := c.number(ctx, f); err != nil {
		return err
	}
	return c.setUnique(ctx, f, false, f.Config.Unique)
}

// columnDefinition is the name and type of the field's column, or "" if its type has none.
func (c *Change) columnDefinition(f *schema.Field) string {
	info := f.Info()
	if info.Column == "" {
		return ""
	}
	if info.Counted {
		return f.Column() + " " + info.Column // see number
	}
	return strings.TrimSpace(f.Column() + " " + info.Column + " " + info.ColumnRule)
}

// addFields is addField for all fields of a new table at once, the primary one first. It takes
// three round trips, and one more for each unique field.
func (c *Change) addFields(ctx context.Context, t *schema.Table, specs []FieldSpec) error {
	rows, err := c.Query(ctx, "select nextval('rowhouse.next_field')::integer from generate_series(1, $1::integer)",
		len(specs))
	if err != nil {
		return fmt.Errorf("numbering the fields: %w", err)
	}
	numbers, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	if err != nil {
		return fmt.Errorf("numbering the fields: %w", err)
	}
	batch, fields, paths := &pgx.Batch{}, make([]*schema.Field, len(specs)), make([]string, len(specs))
	var columns []string
	for i, spec := range specs {
		fields[i], paths[i] = schema.NewField(t, spec.Type, spec.Name, spec.parsed, float64(i)), spec.path
		fields[i].Number, fields[i].IsPrimary = numbers[i], i == 0
	}
	if err := schema.CheckNewFormulas(newSnapshot(c.Org, c.topology), t, fields, paths); err != nil {
		return err
	}
	for i, spec := range specs {
		f := fields[i]
		if err := c.CheckDefault(ctx, spec.path, f, nil); err != nil {
			return err
		}
		batch.Queue(`insert into rowhouse.field (org_id, id, table_id, number, name, type, config, is_primary, position)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			c.Org, f.ID, t.ID, f.Number, f.Name, f.Type(), f.Config, f.IsPrimary, f.Position)
		if column := c.columnDefinition(f); column != "" {
			columns = append(columns, "add column "+column)
		}
	}
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating the fields: %w", err)
	}
	if len(columns) > 0 {
		if _, err := c.Exec(ctx, "alter table "+t.Relation()+" "+strings.Join(columns, ", ")); err != nil {
			return fmt.Errorf("adding the columns: %w", err)
		}
	}
	for _, f := range fields {
		if err := c.number(ctx, f); err != nil {
			return err
		}
		if err := c.setUnique(ctx, f, false, f.Config.Unique); err != nil {
			return err
		}
	}
	t.Fields = fields
	return nil
}

func (c *Change) setUnique(ctx context.Context, f *schema.Field, was, is bool) error {
	if was == is {
		return nil
	}
	statement := "drop index " + strings.Split(f.Table.Relation(), ".")[0] + `."` + f.UniqueIndex() + `"`
	if is {
		statement = `create unique index "` + f.UniqueIndex() + `" on ` + f.Table.Relation() + " (" + f.Column() + ")"
	}
	_, err := c.Exec(ctx, statement)
	if pgerror.Is(err, pgerrcode.UniqueViolation) {
		return problem.Conflict(
			"The field %q holds the same value in several records, so it cannot be made unique.", f.Name,
		).WithCode(problem.CodeNotUnique).Because(err)
	}
	if pgerror.Is(err, pgerrcode.ProgramLimitExceeded) {
		return problem.Invalid("config.unique", "the field %q holds a value that is too long to be unique; %s",
			f.Name, schema.UniqueLimit).Because(err)
	}
	if err != nil {
		return fmt.Errorf("changing whether the field is unique: %w", err)
	}
	return nil
}

// A FieldPatch is a change of a field; nil members stay unchanged. Retype changes the type.
type FieldPatch struct {
	Name     *string
	Config   json.RawMessage // the keys to change; null puts a default back
	Hidden   *bool
	Width    *float64 // in pixels, 40 to 2000
	Position *float64 // as in FieldSpec
	Primary  bool     // the field becomes the primary one of its table
	// Discard permits the loss of values: those of removed options that records have. It also permits
	// filters that no longer fit, and so the end of what they belong to.
	Discard bool
}

// UpdateField changes a field. Removing an option that records use is refused unless Discard is
// set.
func (s *Store) UpdateField(ctx context.Context, org, fieldID uuid.UUID, patch FieldPatch) error {
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_field", Subject: id.Format(id.Field, fieldID)})
		f := c.Snapshot.Field(fieldID)
		if f == nil {
			return problem.NotFound("field", id.Format(id.Field, fieldID))
		}
		if err := c.LockTable(ctx, f.Table); err != nil {
			return err
		}
		if err := c.WeighField(ctx, f); err != nil {
			return err
		}
		return c.PatchField(ctx, f, patch)
	})
}

// PatchField is UpdateField inside a larger change. f is the field at this point of the change.
func (c *Change) PatchField(ctx context.Context, f *schema.Field, patch FieldPatch) error {
	if patch.Name != nil {
		name, err := naming.Clean("name", *patch.Name)
		if err != nil {
			return err
		}
		if err := f.Table.RefuseFieldName(name, f); err != nil {
			return err
		}
		patch.Name = &name
	}
	if patch.Width != nil && (*patch.Width < 40 || *patch.Width > 2000) {
		return problem.Invalid("width", "must be a number of pixels from 40 to 2000")
	}
	config, renamed, err := field.MergeRenaming("config", f.Kind, f.Config, patch.Config)
	if err != nil {
		return err
	}
	if err := followOptions(&config, f.Kind, &f.Config, renamed); err != nil {
		return err
	}
	next := *f
	next.Config = config
	if f.Info().Computed && len(patch.Config) > 0 { // renaming does not change the values
		err := c.Snapshot.CheckComputed("config", &next)
		if err != nil && config.Formula != "" && config.Formula == f.ShownConfig().Formula {
			config.Formula, next.Config.Formula = f.Config.Formula, f.Config.Formula // as it was read
		}
		if err != nil && !schema.SameSources(&config, &f.Config) {
			return err
		}
		if err := c.refusePrimaryConfig(f, &next); err != nil {
			return err
		}
	}
	if err := c.CheckDefault(ctx, "config", &next, f); err != nil {
		return err
	}
	config = next.Config
	if err := c.LockTable(ctx, f.Table); err != nil {
		return err
	}
	if err := c.setUnique(ctx, f, f.Config.Unique, config.Unique); err != nil {
		return err
	}
	if err := c.renameInFilters(ctx, f, renamed); err != nil {
		return err
	}
	if err := c.losesOptions(ctx, f, &next, &patch); err != nil {
		return err
	}
	if err := c.losesResult(ctx, f, &next, &patch); err != nil {
		return err
	}
	if err := c.moveOptions(ctx, f, &config, renamed, patch.Discard); err != nil {
		return err
	}
	if patch.Primary {
		if err := f.RefusePrimary("isPrimary"); err != nil {
			return err
		}
		if err := c.makePrimary(ctx, f); err != nil {
			return err
		}
	}
	if patch.Position != nil {
		if err := c.moveField(ctx, f, *patch.Position); err != nil {
			return err
		}
	}
	_, err = c.Exec(ctx, `update rowhouse.field
		set name = coalesce($3, name), config = $4, hidden = coalesce($5, hidden), width = coalesce($6, width)
		where org_id = $1 and id = $2`, c.Org, f.ID, patch.Name, config, patch.Hidden, patch.Width)
	if err != nil {
		return fmt.Errorf("updating the field: %w", err)
	}
	return nil
}

func (c *Change) moveField(ctx context.Context, f *schema.Field, to float64) error {
	if f.IsPrimary {
		return problem.Conflict("The primary field is always the first one.")
	}
	others := slices.Clone(f.Table.Fields)
	others = slices.DeleteFunc(others, func(o *schema.Field) bool { return o.ID == f.ID })
	place := min(max(to, 1), float64(len(others)))
	if err := c.makeRoom(ctx, &schema.Table{Fields: others}, place); err != nil {
		return err
	}
	_, err := c.Exec(ctx, "update rowhouse.field set position = $3 where org_id = $1 and id = $2", c.Org, f.ID, place)
	if err != nil {
		return fmt.Errorf("placing the field: %w", err)
	}
	return nil
}

// DeleteField puts a field with its values into the trash, and for a link also the field on the other
// side. The primary field cannot be deleted.
func (s *Store) DeleteField(ctx context.Context, org, fieldID uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		f := c.Snapshot.Field(fieldID)
		if f == nil {
			return problem.NotFound("field", id.Format(id.Field, fieldID))
		}
		c.SetAuditEvent(audit.Event{Action: "delete_field", Subject: f.PublicID(), Detail: named(f.Name)})
		if f.IsPrimary {
			return problem.Conflict("%q is the primary field of its table and cannot be deleted.", f.Name).
				WithCode(problem.CodePrimaryField)
		}
		involved := []*schema.Table{f.Table}
		if f.Link != nil {
			involved = append(involved, c.Snapshot.Table(f.Link.LinkedTable))
		}
		if err := c.lockTables(ctx, involved...); err != nil {
			return err
		}
		if err := c.WeighField(ctx, f); err != nil {
			return err
		}
		if err := c.showValues(ctx, f); err != nil {
			return err
		}
		if c.planning != nil {
			losses, err := c.LossesOf(ctx, f, nil)
			if err != nil {
				return err
			}
			c.Lose(0, losses...)
		}
		if c.OnlyPlanned() {
			return nil
		}
		return c.trashField(ctx, f)
	})
}
