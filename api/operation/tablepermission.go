package operation

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Audience is who may do something, in addition to the creators of the base.
type Audience struct {
	Role     schema.BaseRole `json:"role,omitzero" enum:"viewer,commenter,editor,creator" jsonschema:"those with at least this role in the base; absent: only those named"`
	GroupIDs []string        `json:"groupIds,omitzero" maxItems:"1000"`
	UserIDs  []string        `json:"userIds,omitzero" maxItems:"1000"`
}

func audienceOf(a *schema.Audience) *Audience {
	if a == nil {
		return nil
	}
	out := &Audience{Role: a.Role}
	for _, g := range a.Groups {
		out.GroupIDs = append(out.GroupIDs, id.Format(id.Group, g))
	}
	for _, p := range a.People {
		out.UserIDs = append(out.UserIDs, id.Format(id.User, p))
	}
	return out
}

func (a *Audience) parse(path string) (*schema.Audience, error) {
	out := &schema.Audience{Role: a.Role}
	var err error
	if out.Groups, err = publicIDs(id.Group, path+".groupIds", a.GroupIDs); err != nil {
		return nil, err
	}
	out.People, err = publicIDs(id.User, path+".userIds", a.UserIDs)
	return out, err
}

// FieldPermission is who sees and who writes a field.
type FieldPermission struct {
	FieldID string    `json:"fieldId"`
	Name    string    `json:"name"`
	Read    *Audience `json:"read" jsonschema:"null: whoever reads the table"`
	Edit    *Audience `json:"edit" jsonschema:"null: whoever edits the records"`
	Reveal  bool      `json:"reveal,omitzero" jsonschema:"who sees the computed field reads what creators read in it"`
}

// TablePermissions is who may do what with the records and fields of a table.
type TablePermissions struct {
	Read   *Audience         `json:"read" jsonschema:"null: viewers and above"`
	Create *Audience         `json:"create" jsonschema:"null: editors and above"`
	Edit   *Audience         `json:"edit" jsonschema:"null: editors and above"`
	Delete *Audience         `json:"delete" jsonschema:"null: editors and above"`
	Fields []FieldPermission `json:"fields" jsonschema:"those with permissions of their own"`
	Rules  []RowRule         `json:"rules"`
}

// RowRule lets people read, and perhaps change and delete, the records that match a filter.
type RowRule struct {
	Audience
	Filter json.RawMessage `json:"filter" jsonschema:"as in a list of records; a value may be {\"me\": true}, {\"my\": \"email\"} or {\"my\": \"groups\"}"`
	Edit   bool            `json:"edit,omitzero"`
	Delete bool            `json:"delete,omitzero"`
	Memo   string          `json:"memo,omitzero" maxLength:"500" jsonschema:"said to whom a change is refused"`
}

func (r *RowRule) parse(path string) (*schema.RowRule, error) {
	audience, err := r.Audience.parse(path)
	if err != nil {
		return nil, err
	}
	return &schema.RowRule{Audience: *audience, Filter: r.Filter, Edit: r.Edit, Delete: r.Delete, Memo: r.Memo}, nil
}

func ruleOf(r *schema.RowRule) RowRule {
	return RowRule{*audienceOf(&r.Audience), r.Filter, r.Edit, r.Delete, r.Memo}
}

// GetTablePermissions returns who may do what in a table.
var GetTablePermissions = New(Def{
	Name: "get_table_permissions", Method: "GET", Path: "/tables/{tableId}/permissions", Title: "Get table permissions",
	Summary: "Say who may read, create, edit and delete the records of a table, and see and write its fields.",
	Description: "Returns audiences; null leaves it to the role in the base (get_base_access). Creators of the base " +
		"may do everything.",
	Scope: authz.SchemaRead, Base: schema.BaseCreator, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in TableIn) (TablePermissions, error) {
	var out TablePermissions
	t, err := c.freshTable(ctx, in.TableID)
	if err != nil {
		return out, err
	}
	if p := t.Permission; p != nil {
		out.Read, out.Create = audienceOf(p.Read), audienceOf(p.Create)
		out.Edit, out.Delete = audienceOf(p.Edit), audienceOf(p.Delete)
	}
	out.Fields, out.Rules = []FieldPermission{}, []RowRule{}
	if t.Permission != nil {
		for _, r := range t.Permission.Rules {
			out.Rules = append(out.Rules, ruleOf(r))
		}
	}
	for _, f := range t.Fields {
		if p := f.Permission; p != nil {
			out.Fields = append(
				out.Fields,
				FieldPermission{f.PublicID(), f.Name, audienceOf(p.Read), audienceOf(p.Edit), p.Reveal},
			)
		}
	}
	return out, nil
})

// SetTablePermissions changes who may do what in a table.
var SetTablePermissions = New(Def{
	Name: "set_table_permissions", Method: "PATCH", Path: "/tables/{tableId}/permissions",
	Title:   "Set table permissions",
	Summary: "Say who may read, create, edit and delete the records of a table, and see and write its fields.",
	Description: "reset leaves an action to the role in the base again; the rest stays. What is computed from a " +
		"hidden field is hidden too, unless its result is revealed. Whom a row rule names reads only the records of " +
		"their rules. With plan, losses says who would get what. Returns its id.",
	Scope: authz.SchemaWrite, Idempotent: true, Destructive: true,
	Agent: Agent{Confirm: Confirmation{Needed: unlessApplied, Loss: loseToPermissions}},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Read   *Audience `json:"read,omitzero"`
	Create *Audience `json:"create,omitzero"`
	Edit   *Audience `json:"edit,omitzero"`
	Delete *Audience `json:"delete,omitzero"`
	Reset  []string  `json:"reset,omitzero" maxItems:"4" jsonschema:"of read, create, edit, delete"`
	Fields []struct {
		FieldID string    `json:"fieldId"`
		Read    *Audience `json:"read,omitzero"`
		Edit    *Audience `json:"edit,omitzero"`
		Reset   []string  `json:"reset,omitzero" maxItems:"2" jsonschema:"of read, edit"`
		Reveal  *bool     `json:"reveal,omitzero" jsonschema:"of a computed field: show its result in spite of what is hidden"`
	} `json:"fields,omitzero" maxItems:"500"`
	Rules *[]RowRule `json:"rules,omitzero" maxItems:"50" jsonschema:"replace all; they narrow what the rest gives"`
	Planned
},
) (ChangedOrPlanned, error) {
	rule := catalog.TableRule{Fields: map[uuid.UUID]catalog.FieldRule{}}
	var err error
	rule.Actions, err = actions("", in.Reset, []string{"read", "create", "edit", "delete"}, []*Audience{
		in.Read, in.Create, in.Edit, in.Delete,
	})
	if err != nil {
		return ChangedOrPlanned{}, err
	}
	for i, f := range in.Fields {
		path := fmt.Sprintf("fields[%d]", i)
		u, err := id.Parse(id.Field, f.FieldID)
		if err != nil {
			return ChangedOrPlanned{}, problem.Invalid(path+".fieldId", "%q is not the id of a field", f.FieldID)
		}
		if _, twice := rule.Fields[u]; twice {
			return ChangedOrPlanned{}, problem.Invalid(path+".fieldId", "is given twice")
		}
		one := catalog.FieldRule{Path: path, Reveal: f.Reveal}
		one.Actions, err = actions(path+".", f.Reset, []string{"read", "edit"}, []*Audience{f.Read, f.Edit})
		if err != nil {
			return ChangedOrPlanned{}, err
		}
		rule.Fields[u] = one
	}
	if in.Rules != nil {
		rules := make([]*schema.RowRule, len(*in.Rules))
		for i := range *in.Rules {
			if rules[i], err = (*in.Rules)[i].parse(fmt.Sprintf("rules[%d]", i)); err != nil {
				return ChangedOrPlanned{}, err
			}
		}
		rule.Rules = &rules
	}
	return c.changeOrPlan(ctx, in.TableID, &in.Planned, &in, func(ctx context.Context, s *catalog.Store) error {
		return s.SetTablePermissions(ctx, c.Target.Org, c.Target.ID, rule)
	})
})

// actions reads the audiences of actions; nil is one that is reset.
func actions(path string, reset, names []string, given []*Audience) (map[string]*schema.Audience, error) {
	out := map[string]*schema.Audience{}
	for i, name := range names {
		if given[i] == nil {
			continue
		}
		audience, err := given[i].parse(path + name)
		if err != nil {
			return nil, err
		}
		out[name] = audience
	}
	for i, name := range reset {
		at := fmt.Sprintf("%sreset[%d]", path, i)
		known := false
		for _, one := range names {
			known = known || one == name
		}
		if !known {
			return nil, problem.Invalid(at, "%q is no action; the actions are %s", name, problem.List(names))
		}
		if out[name] != nil {
			return nil, problem.Invalid(at, "%q is also given", name)
		}
		out[name] = nil
	}
	return out, nil
}
