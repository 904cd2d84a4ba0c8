package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

// A baseFile is the structure of a base in a file, with names in place of ids.
//
// Where the configuration of a field or a view refers to a field, it has the name in braces: {Tons}, and for
// a field of another table {Ships/Tons}.
type baseFile struct {
	ID       string       `json:"id,omitempty"`
	Name     string       `json:"name"`
	TimeZone string       `json:"timeZone,omitempty"`
	Tables   []*tableFile `json:"tables"`
}

type tableFile struct {
	ID     string       `json:"id,omitempty"`
	Name   string       `json:"name"`
	Was    string       `json:"was,omitempty"` // its former name, for a rename
	Icon   any          `json:"icon,omitempty"`
	Fields []*fieldFile `json:"fields"`
	Views  []*viewFile  `json:"views,omitempty"` // nil: the file says nothing of views
}

type fieldFile struct {
	ID          string         `json:"id,omitempty"`
	Name        string         `json:"name"`
	Was         string         `json:"was,omitempty"`
	Type        string         `json:"type"`
	LinkedTable string         `json:"linkedTable,omitempty"`
	Config      map[string]any `json:"config,omitempty"`
}

type viewFile struct {
	ID     string         `json:"id,omitempty"`
	Name   string         `json:"name"`
	Was    string         `json:"was,omitempty"`
	Type   string         `json:"type"`
	Access string         `json:"access,omitempty"`
	Config map[string]any `json:"config,omitempty"`
}

type schemaPullCommand struct {
	connection `embed:""`

	Base string `arg:"" optional:"" env:"ROWHOUSE_BASE" help:"Name or id of the base. Default: the only one there is."`
	IDs  bool   `name:"ids" help:"With ids, so that names can be changed without \"was\"."`
}

func (schemaPullCommand) Help() string {
	return `Examples:

  rowhouse schema pull Harbour > base.json

The file has tables, fields and shared views. rowhouse schema apply makes a base like the file.`
}

func (c *schemaPullCommand) Run(ctx context.Context, to Streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	id, err := findBase(ctx, client, c.Base)
	if err != nil {
		return err
	}
	base, err := readBase(ctx, client, id)
	if err != nil {
		return err
	}
	file, err := base.file(c.IDs)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(to.Out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(file); err != nil {
		return fmt.Errorf("printing the schema: %w", err)
	}
	return nil
}

// A baseState is a base as it is, with the configurations of its fields as they came.
type baseState struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	TimeZone string        `json:"timeZone"`
	Tables   []*tableState `json:"tables"`
}

type tableState struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Icon   any             `json:"icon"`
	Fields []*fieldState   `json:"fields"`
	Views  []rowhouse.View `json:"views"`

	fresh bool // it is made by a plan
}

type fieldState struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Type          string         `json:"type"`
	IsPrimary     bool           `json:"isPrimary"`
	LinkedTableID string         `json:"linkedTableId"`
	Config        map[string]any `json:"config"`
}

func readBase(ctx context.Context, client *rowhouse.Client, id string) (*baseState, error) {
	base := &baseState{}
	if err := client.Send(ctx, rowhouse.Request{Path: "/bases/" + id}, base); err != nil {
		return nil, err
	}
	base.dropOrders()
	return base, nil
}

// dropOrders takes out manual orders, and the sorts by them: they are places of records, and only the application
// makes them. A file says nothing of them, so applying one leaves them as they are.
func (b *baseState) dropOrders() {
	for _, t := range b.Tables {
		orders := map[any]bool{}
		t.Fields = slices.DeleteFunc(t.Fields, func(f *fieldState) bool {
			orders[f.ID] = f.Type == "rank"
			return orders[f.ID]
		})
		for _, v := range t.Views {
			sorts, _ := v.Config["sorts"].([]any)
			left := slices.DeleteFunc(slices.Clone(sorts), func(one any) bool {
				sort, _ := one.(map[string]any)
				return orders[sort["fieldId"]]
			})
			switch {
			case len(left) == len(sorts):
			case len(left) == 0:
				delete(v.Config, "sorts")
			default:
				v.Config["sorts"] = left
			}
		}
	}
}

// derived are the keys of configurations that the service writes.
var derived = []string{"resultType", "inverseFieldId", "linkedTableId"}

// file returns the base as a file has it. Personal views are left out.
func (b *baseState) file(withIDs bool) (*baseFile, error) {
	file := &baseFile{Name: b.Name, TimeZone: b.TimeZone, Tables: []*tableFile{}}
	tables := tableNamesOf(b)
	id := func(text string) string {
		if withIDs {
			return text
		}
		return ""
	}
	file.ID = id(b.ID)
	for _, t := range b.Tables {
		table := &tableFile{ID: id(t.ID), Name: t.Name, Icon: t.Icon, Fields: []*fieldFile{}, Views: []*viewFile{}}
		names := b.fieldNames(t)
		for _, f := range t.Fields {
			field := &fieldFile{ID: id(f.ID), Name: f.Name, Type: f.Type, LinkedTable: tables[f.LinkedTableID]}
			field.Config = translated(f.config(), names)
			table.Fields = append(table.Fields, field)
		}
		for _, v := range t.Views {
			if v.Access != "personal" {
				table.Views = append(table.Views, &viewFile{
					ID: id(v.ID), Name: v.Name, Type: v.Type, Access: v.Access, Config: translated(v.Config, names),
				})
			}
		}
		file.Tables = append(file.Tables, table)
	}
	return file, nil
}

func tableNamesOf(b *baseState) map[string]string {
	names := map[string]string{}
	for _, t := range b.Tables {
		names[t.ID] = t.Name
	}
	return names
}

// config is the configuration without what the service derives.
func (f *fieldState) config() map[string]any {
	config := map[string]any{}
	for key, value := range f.Config {
		config[key] = value
	}
	for _, key := range derived {
		delete(config, key)
	}
	return config
}

// fieldNames maps the ids of fields to their names in braces, as seen from a table.
func (b *baseState) fieldNames(from *tableState) map[string]string {
	names := map[string]string{}
	for _, t := range b.Tables {
		for _, f := range t.Fields {
			if t == from {
				names[f.ID] = "{" + f.Name + "}"
			} else {
				names[f.ID] = "{" + t.Name + "/" + f.Name + "}"
			}
		}
	}
	return names
}

// fieldIDs is the inverse of fieldNames. A view also finds the fields of its own table by their paths.
func (b *baseState) fieldIDs(from *tableState) map[string]string {
	ids := map[string]string{}
	for _, t := range b.Tables {
		for _, f := range t.Fields {
			ids["{"+t.Name+"/"+f.Name+"}"] = f.ID
		}
	}
	if from != nil {
		for _, f := range from.Fields {
			ids["{"+f.Name+"}"] = f.ID
		}
	}
	return ids
}

// translated replaces texts and keys of a configuration that words has.
func translated(config map[string]any, words map[string]string) map[string]any {
	if len(config) == 0 {
		return nil
	}
	out, _ := translateValue(config, words).(map[string]any)
	return out
}

func translateValue(value any, words map[string]string) any {
	switch v := value.(type) {
	case string:
		if word, ok := words[v]; ok {
			return word
		}
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = translateValue(one, words)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, one := range v {
			if word, ok := words[key]; ok {
				key = word
			}
			out[key] = translateValue(one, words)
		}
		return out
	}
	return value
}

// readFile reads a file of a base. A member that it does not know is a mistake, with what would be valid.
func readFile(to Streams, name string) (*baseFile, error) {
	in, err := openInput(to, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	file := &baseFile{}
	err = decoder.Decode(file)
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return nil, fail(StatusUsage, "%s, line %d: %v", name, lineOf(content, syntax.Offset), err)
	case errors.As(err, &wrongType):
		return nil, fail(StatusUsage, "%s, line %d: %s is a %s, and not a %s", name, lineOf(content, wrongType.Offset),
			wrongType.Field, wrongType.Type, wrongType.Value)
	case err != nil:
		return nil, fail(StatusUsage, "%s: %s", name, strings.TrimPrefix(err.Error(), "json: "))
	}
	return file, file.check(name)
}

func lineOf(content []byte, offset int64) int {
	return 1 + bytes.Count(content[:min(offset, int64(len(content)))], []byte{'\n'})
}

// check finds what is missing or given twice.
func (b *baseFile) check(name string) error {
	if b.Name == "" && b.ID == "" {
		return fail(StatusUsage, "%s: the base has no name", name)
	}
	tables := map[string]bool{}
	for i, t := range b.Tables {
		if t.Name == "" {
			return fail(StatusUsage, "%s: tables[%d] has no name", name, i)
		}
		if tables[t.Name] {
			return fail(StatusUsage, "%s: two tables are called %q", name, t.Name)
		}
		tables[t.Name] = true
		fields := map[string]bool{}
		for j, f := range t.Fields {
			switch {
			case f.Name == "":
				return fail(StatusUsage, "%s: fields[%d] of %s has no name", name, j, t.Name)
			case fields[f.Name]:
				return fail(StatusUsage, "%s: two fields of %s are called %q", name, t.Name, f.Name)
			case !rowhouse.FieldType(f.Type).Valid():
				return fail(StatusUsage, "%s: %q of %s.%s is not a type of fields; the types are %s, link, button",
					name, f.Type, t.Name, f.Name, strings.Join(fieldTypes(), ", "))
			}
			fields[f.Name] = true
		}
	}
	return nil
}
