package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a base and of a table.
const (
	MaxTables = 1000 // in a base
	MaxFields = 500  // in a table
	MaxViews  = 200  // of a table
)

// CreateTable creates a table with its fields and a grid view. The first field whose type may be
// primary becomes the primary field and moves to the front; if there is none, a text field "Name"
// is added. Links and buttons cannot be created this way.
func (s *Store) CreateTable(
	ctx context.Context,
	org, base uuid.UUID,
	name string,
	fields []FieldSpec,
) (*schema.Table, error) {
	name, err := naming.Clean("name", name)
	if err != nil {
		return nil, err
	}
	fields, err = withPrimary(fields)
	if err != nil {
		return nil, err
	}
	table := &schema.Table{Org: org, ID: id.New(), Name: name}
	err = s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "create_table", Subject: table.PublicID()})
		b := c.Snapshot.Base(base)
		if b == nil {
			return problem.NotFound("base", id.Format(id.Base, base))
		}
		if len(b.Tables) >= MaxTables {
			return problem.Conflict("A base may have at most %d tables.", MaxTables)
		}
		if err := b.RefuseTableName(name, nil); err != nil {
			return err
		}
		table.Base, table.Fields, table.Views = b, nil, nil
		err := c.QueryRow(ctx, `insert into rowhouse.data_table (org_id, id, base_id, number, name, position, version)
			select $1, $2, $3, gate.next_table_number(), $4, coalesce(max(position), 0) + 1, $5
			from rowhouse.data_table where org_id = $1 and base_id = $3
			returning number, position`, org, table.ID, base, name, c.Snapshot.Version+1).
			Scan(&table.Number, &table.Position)
		if err != nil {
			return fmt.Errorf("creating the table: %w", err)
		}
		if err := c.createRelation(ctx, table); err != nil {
			return err
		}
		if err := c.addFields(ctx, table, fields); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `insert into rowhouse.view (org_id, id, table_id, name, type, position)
			values ($1, $2, $3, 'Grid view', $4, 1)`, org, id.New(), table.ID, schema.Grid)
		if err != nil {
			return fmt.Errorf("creating the first view: %w", err)
		}
		return nil
	})
	return table, err
}

// createRelation creates the PostgreSQL table of a new table, with its row-level security.
func (c *Change) createRelation(ctx context.Context, t *schema.Table) error {
	batch := &pgx.Batch{}
	batch.Queue("create table " + t.Relation() + ` (
		id         uuid        primary key,
		created_at timestamptz not null default now(),
		updated_at timestamptz not null default now(),
		created_by uuid,
		updated_by uuid,
		version    bigint      not null default 0)`)
	batch.Queue("select gate.protect_records(to_regclass($1::text), $2)", t.Relation(), c.Org)
	batch.Queue("select gate.add_record_count($1, $2)", c.Org, organization.SchemaName(c.Org))
	if err := c.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("creating the record table: %w", err)
	}
	return nil
}

// withPrimary validates the fields of a new table and moves the primary one to the front.
func withPrimary(fields []FieldSpec) ([]FieldSpec, error) {
	if len(fields) >= MaxFields {
		return nil, problem.Invalid("fields", "a table may have at most %d fields", MaxFields)
	}
	fields = slices.Clone(fields)
	seen := map[string]bool{}
	primary := -1
	for i := range fields {
		at := fmt.Sprintf("fields[%d]", i)
		if err := fields[i].clean(at + "."); err != nil {
			return nil, err
		}
		if fields[i].Type.Info().ApplicationOnly {
			return nil, problem.Invalid(at+".type", "a field of type %s cannot be created together with its table",
				fields[i].Type)
		}
		if key := naming.Key(fields[i].Name); seen[key] {
			return nil, problem.Invalid(at+".name", "the name %q is given twice", fields[i].Name)
		} else {
			seen[key] = true
		}
		if primary < 0 && fields[i].Type.Info().Primary {
			primary = i
		}
	}
	if primary < 0 {
		if seen["name"] {
			return nil, problem.Invalid("fields", "one field must be of a text-like type, to be the primary field")
		}
		return slices.Insert(fields, 0, FieldSpec{Name: "Name", Type: schema.Text}), nil
	}
	first := fields[primary]
	return slices.Insert(slices.Delete(fields, primary, primary+1), 0, first), nil
}

// UpdateTable changes a table's name and icon.
func (s *Store) UpdateTable(ctx context.Context, org, table uuid.UUID, patch Patch) error {
	if err := patch.clean(); err != nil {
		return err
	}
	return s.Change(ctx, org, func(c *Change) error {
		c.SetAuditEvent(audit.Event{Action: "update_table", Subject: id.Format(id.Table, table)})
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		if patch.Name != nil {
			if err := t.Base.RefuseTableName(*patch.Name, t); err != nil {
				return err
			}
		}
		_, err := c.Exec(ctx, `update rowhouse.data_table set name = coalesce($3, name), icon = coalesce($4, icon)
			where org_id = $1 and id = $2`, org, table, patch.Name, patch.Icon)
		if err != nil {
			return fmt.Errorf("updating the table: %w", err)
		}
		return nil
	})
}

// DeleteTable puts a table with its records into the trash, and the link fields of other tables that
// reference it.
func (s *Store) DeleteTable(ctx context.Context, org, table uuid.UUID) error {
	return s.Change(ctx, org, func(c *Change) error {
		t := c.Snapshot.Table(table)
		if t == nil {
			return problem.NotFound("table", id.Format(id.Table, table))
		}
		c.SetAuditEvent(audit.Event{Action: "delete_table", Subject: t.PublicID(), Detail: named(t.Name)})
		return c.trashTables(ctx, []*schema.Table{t}, nil)
	})
}

// lockTables locks several tables in the order of their numbers, so that two changes cannot
// deadlock.
func (c *Change) lockTables(ctx context.Context, tables ...*schema.Table) error {
	slices.SortFunc(tables, func(a, b *schema.Table) int { return cmp.Compare(a.Number, b.Number) })
	for _, t := range tables {
		if err := c.LockTable(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// named is the event detail of a deletion, whose request contains only an id.
func named(name string) map[string]string { return map[string]string{"name": name} }
