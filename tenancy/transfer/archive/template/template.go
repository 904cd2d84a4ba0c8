// Package template has the templates of bases: readable files, from which archives are made. In them names stand where
// an archive has ids: fields in formulas and configurations, linked tables, and linked records by their names.
package template

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

//go:embed *.json
var files embed.FS

// Names are the templates, in the order in which they are offered.
var Names = []string{"project-tracker", "crm", "content-calendar", "hiring", "inventory", "event-plan"}

// A Template is the file of a template.
type Template struct {
	Name        string          `json:"name"`
	Description string          `json:"description"` // one sentence
	Icon        json.RawMessage `json:"icon"`
	Tables      []*Table        `json:"tables"`
}

// A Table is a table of a template. Its first field is the primary one.
type Table struct {
	Name    string            `json:"name"`
	Icon    json.RawMessage   `json:"icon"`
	Fields  []*Field          `json:"fields"`
	Views   []archive.View    `json:"views"`
	Records []json.RawMessage `json:"records"`

	id      string
	number  int32
	records map[string]string // ids, by the names of records
}

// A Field is a field of a template. A link says which table it links to, and which field is its other side there.
type Field struct {
	Name    string          `json:"name"`
	Type    string          `json:"type"`
	Config  json.RawMessage `json:"config"`
	To      string          `json:"to"`
	Inverse string          `json:"inverse"`
	Single  bool            `json:"single"`

	id string
}

// Get reads a template by its name in Names; nil if there is none.
func Get(name string) (*Template, error) {
	raw, err := fs.ReadFile(files, name+".json")
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // by the contract above: the files are those of the program
	}
	t := &Template{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(t); err != nil {
		return nil, fmt.Errorf("reading the template %s: %w", name, err)
	}
	return t, nil
}

// Archive makes an archive of the template. Days in it are counted from today.
func (t *Template) Archive(today time.Time) ([]byte, error) {
	for i, table := range t.Tables {
		table.id, table.number, table.records = id.Format(id.Table, id.New()), int32(i+1), map[string]string{}
		for _, f := range table.Fields {
			f.id = id.Format(id.Field, id.New())
		}
		for _, raw := range table.Records {
			name, err := nameOf(table, raw)
			if err != nil {
				return nil, err
			}
			table.records[name] = id.FormatRecord(table.number, id.New())
		}
	}
	base := &archive.Base{Name: t.Name, Icon: t.Icon, TimeZone: "UTC"}
	for _, table := range t.Tables {
		out := archive.Table{ID: table.id, Number: table.number, Name: table.Name, Icon: table.Icon, Views: table.Views}
		for i, f := range table.Fields {
			config, err := t.config(table, f)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", table.Name, f.Name, err)
			}
			out.Fields = append(out.Fields, archive.Field{
				ID: f.id, Name: f.Name, Type: f.Type, Primary: i == 0, Config: config,
			})
		}
		for i := range out.Views {
			out.Views[i].ID, out.Views[i].Access = id.Format(id.View, id.New()), "collaborative"
		}
		base.Tables = append(base.Tables, out)
	}
	var file bytes.Buffer
	to, err := archive.NewWriter(&file, base, false)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what
	}
	for i := range base.Tables {
		lines, err := to.Records(&base.Tables[i])
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what
		}
		for _, raw := range t.Tables[i].Records {
			line, err := t.record(t.Tables[i], raw, today)
			if err != nil {
				return nil, err
			}
			if _, err := lines.Write(append(line, '\n')); err != nil {
				return nil, fmt.Errorf("writing a template: %w", err)
			}
		}
		to.EndRecords(&base.Tables[i], len(t.Tables[i].Records))
	}
	if err := to.Close(nil); err != nil {
		return nil, err //nolint:wrapcheck // it says what
	}
	return file.Bytes(), nil
}

func (t *Template) table(name string) *Table {
	for _, table := range t.Tables {
		if table.Name == name {
			return table
		}
	}
	return nil
}

func (t *Table) field(name string) *Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

var inBraces = regexp.MustCompile(`\{([^{}]+)\}`)

// config is the configuration of a field with ids in the place of names.
func (t *Template) config(table *Table, f *Field) (json.RawMessage, error) {
	config := map[string]any{}
	if len(f.Config) > 0 {
		if err := json.Unmarshal(f.Config, &config); err != nil {
			return nil, fmt.Errorf("reading the config: %w", err)
		}
	}
	if f.Type == "link" {
		to := t.table(f.To)
		if to == nil || to.field(f.Inverse) == nil {
			return nil, fmt.Errorf("there is no field %s.%s", f.To, f.Inverse)
		}
		config["linkedTableId"], config["inverseFieldId"] = to.id, to.field(f.Inverse).id
		config["multiple"] = !f.Single
		return jsonvalue.Must(config), nil
	}
	if formula, is := config["formula"].(string); is {
		missing := ""
		config["formula"] = inBraces.ReplaceAllStringFunc(formula, func(braced string) string {
			read := table.field(braced[1 : len(braced)-1])
			if read == nil {
				missing = braced
				return braced
			}
			return "{" + read.id + "}"
		})
		if missing != "" {
			return nil, fmt.Errorf("there is no field %s", missing)
		}
	}
	through, is := config["linkFieldId"].(string)
	if !is {
		return jsonvalue.Must(config), nil
	}
	link := table.field(through)
	if link == nil || t.table(link.To) == nil {
		return nil, fmt.Errorf("there is no link %s", through)
	}
	config["linkFieldId"] = link.id
	return jsonvalue.Must(named(config, t.table(link.To))), nil
}

// named replaces the names of fields of a table in the members fieldId of a value.
func named(value any, of *Table) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = named(v[i], of)
		}
	case map[string]any:
		for key, one := range v {
			if name, is := one.(string); is && key == "fieldId" && of.field(name) != nil {
				v[key] = of.field(name).id
				continue
			}
			v[key] = named(one, of)
		}
	}
	return value
}

// nameOf is the value of the first field of a record.
func nameOf(table *Table, raw json.RawMessage) (string, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", fmt.Errorf("reading a record of %s: %w", table.Name, err)
	}
	name, _ := fields[table.Fields[0].Name].(string)
	return name, nil
}

// record is the line of a record. A value "@3" is the day three days from today, and "@-1T09:30" a moment of yesterday.
func (t *Template) record(table *Table, raw json.RawMessage, today time.Time) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("reading a record of %s: %w", table.Name, err)
	}
	for name, value := range fields {
		f := table.field(name)
		if f == nil {
			return nil, fmt.Errorf("%s has no field %s", table.Name, name)
		}
		switch f.Type {
		case "link":
			var ids []string
			names, _ := value.([]any)
			for _, one := range names {
				record := t.table(f.To).records[fmt.Sprint(one)]
				if record == "" {
					return nil, fmt.Errorf("%s has no record %v", f.To, one)
				}
				ids = append(ids, record)
			}
			fields[name] = ids
		case "date", "datetime":
			day, err := dayOf(fmt.Sprint(value), today)
			if err != nil {
				return nil, err
			}
			fields[name] = day
		}
	}
	name, err := nameOf(table, raw)
	if err != nil {
		return nil, err
	}
	_, row, err := id.ParseRecord(table.records[name])
	if err != nil {
		return nil, fmt.Errorf("reading an id: %w", err)
	}
	return jsonvalue.Must(archive.Record{
		ID: table.records[name], CreatedAt: timeOf(row), Fields: inOrder(table, fields),
	}), nil
}

// inOrder writes the values of a record in the order of the fields, as an archive has them.
func inOrder(table *Table, fields map[string]any) json.RawMessage {
	out := []byte{'{'}
	for _, f := range table.Fields {
		value, given := fields[f.Name]
		if f.Type == "checkbox" && !given {
			value, given = false, true
		}
		if !given {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, jsonvalue.Must(f.Name)...), ':'), jsonvalue.Must(value)...)
	}
	return append(out, '}')
}

// timeOf is when an id was made.
func timeOf(u uuid.UUID) time.Time {
	seconds, nanoseconds := u.Time().UnixTime()
	return time.Unix(seconds, nanoseconds).UTC().Truncate(time.Millisecond)
}

func dayOf(text string, today time.Time) (string, error) {
	days, clock, isMoment := strings.Cut(strings.TrimPrefix(text, "@"), "T")
	n, err := strconv.Atoi(days)
	if err != nil {
		return "", fmt.Errorf("%q is no day", text)
	}
	day := today.AddDate(0, 0, n).Format(time.DateOnly)
	if isMoment {
		day += "T" + clock + ":00Z"
	}
	return day, nil
}
