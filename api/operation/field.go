package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Field is a column of a table.
type Field struct {
	ID            string        `json:"id"`
	Name          string        `json:"name" jsonschema:"the key in records"`
	Type          schema.Type   `json:"type"`
	IsPrimary     bool          `json:"isPrimary"`
	Order         float64       `json:"order" jsonschema:"position among the fields, from 0"`
	Options       []string      `json:"options,omitzero" jsonschema:"option names of a select field"`
	LinkedTableID string        `json:"linkedTableId,omitzero" jsonschema:"set on link fields"`
	ReadOnly      bool          `json:"readOnly,omitzero" jsonschema:"the service writes the values"`
	Locked        bool          `json:"locked,omitzero" jsonschema:"you may not write it"`
	Hidden        bool          `json:"hidden,omitzero"`
	Width         *int32        `json:"width,omitzero"`
	Config        schema.Config `json:"config,omitzero"`
	Problem       string        `json:"problem,omitzero" jsonschema:"why a computed field shows errors alone"`
}

// A FieldUse is a field that computes from another one.
type FieldUse struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	TableID string `json:"tableId"`
}

func fieldUses(fields []*schema.Field) []FieldUse {
	var uses []FieldUse
	for _, f := range fields {
		uses = append(uses, FieldUse{f.PublicID(), f.Name, f.Table.PublicID()})
	}
	return uses
}

func fieldOut(f *schema.Field, order int) Field {
	out := Field{
		ID:            f.PublicID(),
		Name:          f.Name,
		Type:          f.Type(),
		IsPrimary:     f.IsPrimary,
		Order:         float64(order),
		LinkedTableID: f.Config.LinkedTableID,
		ReadOnly:      f.Info().ReadOnly,
		Locked:        f.Locked,
		Hidden:        f.Hidden,
		Width:         f.Width,
		Config:        f.ShownConfig(),
	}
	if _, ok := f.Kind.(field.Optioned); ok {
		out.Options = f.Config.OptionNames()
	}
	if f.Computed != nil {
		out.Problem = f.Computed.Broken
	}
	return out
}

func fields(t *schema.Table) []Field {
	list := make([]Field, len(t.Fields))
	for i, f := range t.Fields {
		list[i] = fieldOut(f, i)
	}
	return list
}

// fieldType is the name of a field type in an input. schema.Types lists the valid ones.
type fieldType string

// JSONSchema lists the field types.
func (fieldType) JSONSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, kind := range field.All() {
		s.Enum = append(s.Enum, string(kind.Info().Type))
	}
	return s
}

// apiFieldTypes are the types of fields that the API can create. The others need the application,
// which agents cannot use.
func apiFieldTypes() (names []any) {
	for _, kind := range field.All() {
		if info := kind.Info(); !info.ApplicationOnly {
			names = append(names, string(info.Type))
		}
	}
	return names
}

// FieldConfig is the configuration of a field as the caller wrote it. Package schema parses it.
type FieldConfig struct{ jsontext.Value }

// JSONSchema returns the schema of any object, because the keys depend on the field type.
func (FieldConfig) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

// FieldIn describes a new field.
type FieldIn struct {
	Name   string      `json:"name" maxLength:"255"`
	Type   fieldType   `json:"type"`
	Config FieldConfig `json:"config,omitzero" jsonschema:"options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description"`
}

// FieldList is a list of fields.
type FieldList struct {
	Fields []Field `json:"fields"`
}

// ListFields lists a table's fields.
var ListFields = New(Def{
	Name: "list_fields", Method: "GET", Path: "/tables/{tableId}/fields", Title: "List fields",
	Summary:     "List the fields of a table.",
	Description: "Returns names, types, options and configuration. describe_table has the views as well.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in TableIn) (FieldList, error) {
	var out FieldList
	table, err := c.freshTable(ctx, in.TableID)
	if err != nil {
		return out, err
	}
	out.Fields = fields(table)
	return out, nil
})

// FieldNamed is the answer to the creation of a field or a view.
type FieldNamed struct {
	Named
	Type string `json:"type"`
}

// CreateField adds a field to a table.
var CreateField = New(Def{
	Name: "create_field", Method: "POST", Path: "/tables/{tableId}/fields", Title: "Create field",
	Summary: "Add a field to a table.",
	Description: "config by type: options (selects); precision, symbol, thousands, negative (numbers); max, icon " +
		"(rating); format (duration, long_text, formula, rollup); dateFormat, timeFormat, timeZone (times); multiple " +
		"(user); formula; linkFieldId, fieldId, filters (lookup, rollup, count), sorts, limit (lookup), function or " +
		"formula (rollup); of all: required, unique, default, description. Links and buttons are made in the " +
		"application. Returns id, name, type.",
	Scope: authz.SchemaWrite,
	Agent: Agent{
		List: ListCore,
		Arguments: Arguments{
			"config": {}, "position": {Text: "0: the primary field"}, "type": {Values: apiFieldTypes()},
		},
		Inside: map[string][]string{"config": field.ConfigKeys()},
	},
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	FieldIn
	Position *float64 `json:"position,omitzero" jsonschema:"from 1; 0 is the primary field; default the end"`
},
) (FieldNamed, error) {
	t, err := schema.ParseType("type", string(in.Type))
	if err != nil {
		return FieldNamed{}, err
	}
	if t.Info().ApplicationOnly && c.Principal.Kind != authz.Session {
		return FieldNamed{}, c.applicationOnly("type", t)
	}
	made, err := c.Schema.CreateField(ctx, c.Target.Org, c.Target.ID, catalog.FieldSpec{
		Name: in.Name, Type: t, Config: json.RawMessage(in.Config.Value), Position: in.Position,
	})
	if err != nil {
		return FieldNamed{}, err
	}
	return FieldNamed{Named{made.PublicID(), made.Name}, string(made.Type())}, nil
})

// applicationOnly returns an error of kind invalid for a field type that can be created only in the
// application, with the application's URL in OpenInApp.
func (c *Call) applicationOnly(path string, t schema.Type) error {
	refusal := problem.Invalid(
		path, "a field of type %s can be created only in the application, not through the API", t,
	).WithCode(problem.CodeApplicationOnly)
	refusal.OpenInApp = c.BaseURL + "/base/" + id.Format(id.Base, c.Target.Base)
	if c.Target.Table != nil {
		refusal.OpenInApp += "/" + c.Target.Table.PublicID()
	}
	return refusal
}

// FieldRef identifies a field.
type FieldRef struct {
	FieldID string `json:"fieldId"`
}

// GetField returns one field.
var GetField = New(Def{
	Name: "get_field", Method: "GET", Path: "/fields/{fieldId}", Title: "Get field",
	Summary:     "Get one field.",
	Description: "Returns its name, type and configuration. describe_table has all of a table.",
	Scope:       authz.SchemaRead, ReadOnly: true, Idempotent: true,
}, func(ctx context.Context, c *Call, in FieldRef) (FieldRead, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return FieldRead{}, err
	}
	f := snapshot.Field(c.Target.ID)
	if f == nil {
		return FieldRead{}, problem.NotFound("field", in.FieldID)
	}
	at := slices.Index(f.Table.Fields, f)
	return FieldRead{fieldOut(f, at), fieldUses(snapshot.Readers(f))}, nil
})

// FieldRead is a field with the fields that compute from it.
type FieldRead struct {
	Field
	ReadBy []FieldUse `json:"readBy,omitzero" jsonschema:"fields that compute from it"`
}

// UpdateFieldIn lists what can be changed in a field.
type UpdateFieldIn struct {
	FieldRef
	Name     *string     `json:"name,omitzero" maxLength:"255"`
	Type     string      `json:"type,omitzero" jsonschema:"as in create_field; values are converted"`
	Config   FieldConfig `json:"config,omitzero" jsonschema:"keys to change; null resets a key. Give all options; {name, previousName} renames one"`
	Hidden   *bool       `json:"hidden,omitzero"`
	Width    *float64    `json:"width,omitzero" min:"40" max:"2000" jsonschema:"in pixels"`
	Position *float64    `json:"position,omitzero"`
	Primary  *bool       `json:"isPrimary,omitzero" jsonschema:"true: becomes the primary field, of text or a formula of text"`
	Discard  bool        `json:"discard,omitzero" jsonschema:"allow losing values that do not fit; views whose filters become invalid then show nothing"`
}

// UpdateField changes a field.
var UpdateField = New(Def{
	Name: "update_field", Method: "PATCH", Path: "/fields/{fieldId}", Title: "Update field",
	Summary: "Change a field's name, type, configuration, visibility or width.",
	Description: "A change of type converts the values. What would lose values or break a view's filter is " +
		"refused unless discard is true; with plan, says first what would be lost. Returns its id.",
	Scope: authz.SchemaWrite, Destructive: true, Idempotent: true,
	Agent: Agent{
		List: ListCommon,
		Arguments: Arguments{
			"config":  {Text: "keys to change; null resets one. Give all options; {name, previousName} renames one"},
			"discard": {Text: "allow it; a view with a broken filter shows nothing"},
			"type":    {Text: "values are converted"}, "width": {},
		},
		Inside: map[string][]string{"config": field.ConfigKeys()},
		Confirm: Confirmation{
			Needed: discards,
			Loss:   loseValues,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	UpdateFieldIn
	Planned
},
) (FieldChanged, error) {
	patch := catalog.FieldPatch{
		Name:     in.Name,
		Config:   json.RawMessage(in.Config.Value),
		Hidden:   in.Hidden,
		Width:    in.Width,
		Position: in.Position,
		Primary:  in.Primary != nil,
		Discard:  in.Discard,
	}
	if in.Primary != nil && !*in.Primary {
		return FieldChanged{}, problem.Invalid("isPrimary",
			"can only become true, by which another field becomes false")
	}
	change := func(ctx context.Context, s *catalog.Store) error {
		return s.UpdateField(ctx, c.Target.Org, c.Target.ID, patch)
	}
	if in.Type != "" {
		t, err := schema.ParseType("type", in.Type)
		if err != nil {
			return FieldChanged{}, err
		}
		change = func(ctx context.Context, s *catalog.Store) error {
			return catalog.Retype(ctx, s, c.Target.Org, c.Target.ID, catalog.TypeChange{Type: t, Patch: patch})
		}
	}
	impact, err := c.Schema.Perform(ctx, c.Target.Org, in.Planned.request(c, "update_field", in.UpdateFieldIn), change)
	return FieldChanged{Changed{in.FieldID}, impact}, err
})

func loseValues(_ context.Context, p *Prospect) (string, error) {
	if p.Target.Table == nil {
		return "", nil
	}
	return fmt.Sprintf("This changes the field %q of the table %q and takes out the values that it can no "+
		"longer hold.", p.fieldName(), p.Target.Table.Name), nil
}

// fieldName is the name of the field that the call is about, or its id if it is gone.
func (p *Prospect) fieldName() string {
	if f := p.Snapshot.Field(p.Target.ID); f != nil {
		return f.Name
	}
	return id.Format(id.Field, p.Target.ID)
}

// FieldChanged is the output of a change of a field, or of its plan.
type FieldChanged struct {
	Changed
	catalog.Impact
}

// DeleteField removes a field.
var DeleteField = New(Def{
	Name: "delete_field", Method: "DELETE", Path: "/fields/{fieldId}", Title: "Delete field",
	Summary: "Delete a field with its values.",
	Description: "To empty it and keep the field, use update_records_where. Deleting a link deletes its other " +
		"side. restore brings it back. With plan, says what would go. Returns the id in deleted.",
	Scope: authz.SchemaWrite, Destructive: true, Idempotent: true,
	Agent: Agent{
		List: ListCommon,
		Confirm: Confirmation{
			Needed: unlessApplied,
			Loss:   loseField,
		},
	},
}, func(ctx context.Context, c *Call, in struct {
	FieldRef
	Planned
},
) (FieldDeleted, error) {
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return FieldDeleted{}, err
	}
	var broken []FieldUse
	if f := snapshot.Field(c.Target.ID); f != nil && !in.Plan {
		broken = fieldUses(snapshot.AffectedBy(f))
	}
	out, err := c.deleteOrPlan(ctx, in.FieldID, in.Planned, func(ctx context.Context, s *catalog.Store) error {
		return s.DeleteField(ctx, c.Target.Org, c.Target.ID)
	})
	return FieldDeleted{out, broken}, err
})

func loseField(_ context.Context, p *Prospect) (string, error) {
	if p.Target.Table == nil {
		return "", nil
	}
	return fmt.Sprintf("This deletes the field %q of the table %q with its values in every record, "+
		"which stay in the trash for a while.%s", p.fieldName(), p.Target.Table.Name,
		brokenBy(p.Snapshot, p.Target.ID)), nil
}

// maxNamed is how many fields a question names.
const maxNamed = 10

// brokenBy names the fields that show errors once a field is deleted.
func brokenBy(snapshot *schema.Snapshot, deleted uuid.UUID) string {
	f := snapshot.Field(deleted)
	if f == nil {
		return ""
	}
	var names []string
	for _, one := range snapshot.AffectedBy(f) {
		names = append(names, strconv.Quote(one.Table.Name+" · "+one.Name))
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n > maxNamed:
		names = append(names[:maxNamed], fmt.Sprintf("%d more", n-maxNamed))
	}
	return " Until it is restored, these fields, which compute from it, show errors: " + strings.Join(names, ", ") + "."
}

// FieldDeleted is the output of the deletion of a field.
type FieldDeleted struct {
	DeletedOrPlanned
	Broken []FieldUse `json:"broken,omitzero" jsonschema:"fields that compute from it and show errors until it is restored"`
}
