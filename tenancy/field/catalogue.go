package field

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Catalogue describes every kind to programs: the application's kinds are checked against it.
type Catalogue struct {
	FieldTypes []Description        `json:"fieldTypes"`
	Operands   []OperandDescription `json:"operands"`
}

// A Description is what a program may know of a kind.
type Description struct {
	Type            Type                  `json:"type"`
	Title           string                `json:"title"`
	Description     string                `json:"description"`
	ValueSchema     json.RawMessage       `json:"valueSchema" jsonschema:"JSON Schema of a value as it is read"`
	ConfigSchema    json.RawMessage       `json:"configSchema" jsonschema:"JSON Schema of the config of a field of the type"`
	Operators       []OperatorDescription `json:"operators" jsonschema:"filter operators, in the order of menus"`
	Aggregates      []string              `json:"aggregates" jsonschema:"functions of an aggregation"`
	ReadOnly        bool                  `json:"readOnly" jsonschema:"the service writes the values"`
	Unlisted        bool                  `json:"unlisted,omitzero" jsonschema:"records have the values only where the field is named"`
	ApplicationOnly bool                  `json:"applicationOnly" jsonschema:"fields are created in the application only"`
	Primary         bool                  `json:"primary" jsonschema:"may be the primary field"`
	Required        bool                  `json:"required" jsonschema:"config.required may be set"`
	Unique          bool                  `json:"unique" jsonschema:"config.unique may be set"`
	Default         bool                  `json:"default" jsonschema:"config.default may be set"`
	Sortable        bool                  `json:"sortable" jsonschema:"may stand in sorts"`
	Groupable       bool                  `json:"groupable" jsonschema:"may stand in groupBy"`
	Searchable      bool                  `json:"searchable" jsonschema:"a search sees the values"`
	UpsertKey       bool                  `json:"upsertKey" jsonschema:"may stand in upsertOn"`
	ViewRoles       []Role                `json:"viewRoles" jsonschema:"what a view can use a field for: cover, stack, start or end"`
	ConvertsTo      []Type                `json:"convertsTo" jsonschema:"types that a field of this type can be changed to"`
}

// An OperatorDescription names a filter operator and its operand.
type OperatorDescription struct {
	Op      Op     `json:"op"`
	Operand string `json:"operand" jsonschema:"the name of an operand"`
}

// An OperandDescription says what an operator compares with.
type OperandDescription struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema,omitzero" jsonschema:"JSON Schema of the value; absent where there is none"`
}

// Describe returns the catalogue of the kinds that are registered.
func Describe() Catalogue {
	var out Catalogue
	seen := map[string]bool{}
	for _, k := range ordered {
		out.FieldTypes = append(out.FieldTypes, describe(k))
		for _, o := range k.Operators() {
			if seen[o.Operand.Name] {
				continue
			}
			seen[o.Operand.Name] = true
			operand := OperandDescription{Name: o.Operand.Name, Description: o.Operand.Description}
			if o.Operand.Schema != "" {
				operand.Schema = json.RawMessage(o.Operand.Schema)
			}
			out.Operands = append(out.Operands, operand)
		}
	}
	return out
}

func describe(k Kind) Description {
	info := k.Info()
	f := &Field{Kind: k, Pairs: &Pairs{LinkedPrimary: 1}}
	if info.Computed {
		f.Computed = &Computed{Value: `"value"`, Kept: true}
	}
	var searched Search
	k.Search(&searched, f)
	d := Description{
		Type: info.Type, Title: info.Title, Description: info.Description,
		ValueSchema: json.RawMessage(info.Value), ConfigSchema: configSchema(info),
		Operators: []OperatorDescription{}, Aggregates: []string{},
		ReadOnly: info.ReadOnly, Unlisted: info.Unlisted, ApplicationOnly: info.ApplicationOnly, Primary: info.Primary,
		Required: info.Required(), Unique: info.Unique, Default: info.Default(),
		Sortable: f.Order("") != "", Groupable: f.CanGroup(), UpsertKey: f.CanBeKey(),
		Searchable: len(searched.Columns)+len(searched.Users)+len(searched.Links) > 0,
		ViewRoles:  append([]Role{}, info.Roles...), ConvertsTo: []Type{},
	}
	if !info.HasValues() {
		d.ValueSchema = json.RawMessage(`{"type":"null"}`)
	}
	for _, o := range k.Operators() {
		d.Operators = append(d.Operators, OperatorDescription{o.Op, o.Operand.Name})
	}
	for _, a := range k.Aggregates() {
		d.Aggregates = append(d.Aggregates, a.Name)
	}
	for _, other := range ordered {
		if other != k && (info.Convertible || info.Computed) && other.Info().Convertible && !other.Info().ReadOnly {
			d.ConvertsTo = append(d.ConvertsTo, other.Info().Type)
		}
	}
	return d
}

// configSchema is the JSON Schema of a kind's config, its keys in their order.
func configSchema(info *Info) json.RawMessage {
	var properties []string
	for _, k := range info.AllKeys() {
		if k.Name != defaultKey.Name || info.Default() {
			properties = append(properties, fmt.Sprintf("%q:%s", k.Name, k.Schema))
		}
	}
	return json.RawMessage(
		`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false}`,
	)
}
