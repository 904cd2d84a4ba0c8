package operation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// TableSummary is a table in a list.
type TableSummary struct {
	ID   string       `json:"id"`
	Name string       `json:"name"`
	Icon *schema.Icon `json:"icon,omitzero"`
}

// Table is a table with its fields and views.
type Table struct {
	ID     string        `json:"id"`
	Name   string        `json:"name"`
	Icon   *schema.Icon  `json:"icon,omitzero"`
	Rights *RecordRights `json:"rights,omitzero" jsonschema:"set if the table has permissions of its own"`
	Fields []Field       `json:"fields"`
	Views  []View        `json:"views"`
}

// RecordRights are what the caller may do with the records of a table, whatever the role in the base.
type RecordRights struct {
	Create bool `json:"create"`
	Edit   bool `json:"edit"`
	Delete bool `json:"delete"`
}

// recordRights returns the caller's rights in a table, or nil if the role in the base decides them.
func recordRights(t *schema.Table) *RecordRights {
	rights, own := t.Rights()
	if !own {
		return nil
	}
	return &RecordRights{rights.Create, rights.Edit, rights.Delete}
}

func tableSchema(t *schema.Table, viewer schema.Viewer) Table {
	return Table{
		ID: t.PublicID(), Name: t.Name, Icon: t.Icon, Rights: recordRights(t),
		Fields: fields(t), Views: views(t, viewer),
	}
}

// TableIn identifies a table.
type TableIn struct {
	TableID string `json:"tableId"`
}

// freshTable returns the target's table from the current schema, not from the cache.
func (c *Call) freshTable(ctx context.Context, public string) (*schema.Table, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return nil, err
	}
	table := snapshot.Table(c.Target.ID)
	if table == nil {
		return nil, problem.NotFound("table", public)
	}
	return table, nil
}

// TableList is a list of tables.
type TableList struct {
	Tables []TableSummary `json:"tables"`
}

// ListTables lists a base's tables.
var ListTables = New(Def{
	Name: "list_tables", Method: "GET", Path: "/bases/{baseId}/tables", Title: "List tables",
	Summary:     "List the tables of a base, ids and names alone.",
	Description: "describe_base has fields and views as well.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in BaseIn) (TableList, error) {
	var out TableList
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return out, err
	}
	base := snapshot.Base(c.Target.ID)
	if base == nil {
		return out, problem.NotFound("base", in.BaseID)
	}
	for _, t := range base.Tables {
		out.Tables = append(out.Tables, TableSummary{t.PublicID(), t.Name, t.Icon})
	}
	return out, nil
})

// TableNamed is the answer to the creation of a table.
type TableNamed struct {
	Named
	Fields []Named `json:"fields" jsonschema:"in their order"`
}

// CreateTable creates a table.
var CreateTable = New(Def{
	Name: "create_table", Method: "POST", Path: "/bases/{baseId}/tables", Title: "Create table",
	Summary: "Create a table, optionally with its fields.",
	Description: "One call makes the whole table: fields are as in create_field. The first text-like field " +
		"becomes primary; without one, a text field Name is added. Returns the ids.",
	Scope: authz.SchemaWrite,
	Agent: Agent{
		List: ListCore,
		Arguments: Arguments{
			"fields.config": {Text: asInCreateField}, "fields.type": {Text: asInCreateField, Values: []any{}},
		},
		Inside: map[string][]string{"config": field.ConfigKeys()},
	},
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	Name   string    `json:"name" maxLength:"255"`
	Fields []FieldIn `json:"fields,omitzero" maxItems:"499"`
},
) (TableNamed, error) {
	specs := make([]catalog.FieldSpec, len(in.Fields))
	for i, f := range in.Fields {
		t, err := schema.ParseType(fmt.Sprintf("fields[%d].type", i), string(f.Type))
		if err != nil {
			return TableNamed{}, err
		}
		if t.Info().ApplicationOnly {
			return TableNamed{}, c.applicationOnly(fmt.Sprintf("fields[%d].type", i), t)
		}
		specs[i] = catalog.FieldSpec{Name: f.Name, Type: t, Config: json.RawMessage(f.Config.Value)}
	}
	table, err := c.Schema.CreateTable(ctx, c.Target.Org, c.Target.ID, in.Name, specs)
	if err != nil {
		return TableNamed{}, err
	}
	made := TableNamed{Named: Named{table.PublicID(), table.Name}, Fields: make([]Named, len(table.Fields))}
	for i, f := range table.Fields {
		made.Fields[i] = Named{f.PublicID(), f.Name}
	}
	return made, nil
})

// DescribeTable returns a table's schema.
var DescribeTable = New(Def{
	Name: "describe_table", Method: "GET", Path: "/tables/{tableId}", Title: "Describe table",
	Summary:     "Get one table with its fields and views.",
	Description: "Returns types, options and configuration. describe_base has all tables of a base.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
	Agent: Agent{WithRecords: true, Large: true},
}, func(ctx context.Context, c *Call, in TableIn) (Table, error) {
	table, err := c.freshTable(ctx, in.TableID)
	if err != nil {
		return Table{}, err
	}
	return tableSchema(table, c.viewer()), nil
})

// UpdateTable changes a table.
var UpdateTable = New(Def{
	Name: "update_table", Method: "PATCH", Path: "/tables/{tableId}", Title: "Update table",
	Summary:     "Change a table's name or icon.",
	Description: "What is not given stays. Returns its id. For its columns, use create_field and update_field.",
	Scope:       authz.SchemaWrite, Idempotent: true,
	Destructive: true,
	Agent: Agent{
		List:      ListCommon,
		Arguments: Arguments{"icon": {Text: asInUpdateBase}},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Name *string      `json:"name,omitzero" maxLength:"255"`
	Icon *schema.Icon `json:"icon,omitzero"`
},
) (Changed, error) {
	return Changed{in.TableID}, c.Schema.UpdateTable(ctx, c.Target.Org, c.Target.ID, catalog.Patch{
		Name: in.Name,
		Icon: in.Icon,
	})
})

// DeleteTable removes a table.
var DeleteTable = New(Def{
	Name: "delete_table", Method: "DELETE", Path: "/tables/{tableId}", Title: "Delete table",
	Summary: "Delete a table with all its records, and the link fields that point to it.",
	Description: "To delete records alone, use delete_records_where. restore brings all back. With plan, says " +
		"what would go. Returns the id in deleted.",
	Scope: authz.SchemaWrite, Destructive: true, Idempotent: true,
	Agent: Agent{
		List: ListCommon,
		Confirm: Confirmation{
			Needed: unlessApplied,
			Loss:   loseTable,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Planned
},
) (DeletedOrPlanned, error) {
	return c.deleteOrPlan(ctx, in.TableID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteTable(ctx, c.Target.Org, c.Target.ID)
	})
})

func loseTable(_ context.Context, p *Prospect) (string, error) {
	if p.Target.Table == nil {
		return "", nil
	}
	return fmt.Sprintf("This deletes the table %q of the base %q with all its records, which stay in the trash "+
		"for a while.", p.Target.Table.Name, p.Base.Name), nil
}
