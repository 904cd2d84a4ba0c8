package operation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxTitles is how many linked records of a page are named.
const maxTitles = 1000

// A row is a parsed record of REST.
type row struct {
	ID          string         `json:"id"`
	CreatedTime jsontext.Value `json:"createdTime"`
	Version     jsontext.Value `json:"version"`
	Fields      jsontext.Value `json:"fields"`

	values map[string]jsontext.Value // of fields, by name
}

// A rowWriter writes the records of a page as columns and rows.
type rowWriter struct {
	form   *PageForm
	titles map[string]string // by the id of a linked record
}

// written returns a page in the requested form. The columns are the fields that were named, in the
// order of the table, or all that have a value on the page.
func (c *Call) written(ctx context.Context, page record.Page, form *PageForm, named bool) (RecordPage, error) {
	out := RecordPage{Page: page}
	if form.Format != formatRows && form.IDs != idsShort {
		return out, nil
	}
	list := make([]row, len(page.Records))
	for i, raw := range page.Records {
		if err := json.Unmarshal(raw, &list[i]); err != nil {
			return out, fmt.Errorf("reading a record to write it as a row: %w", err)
		}
	}
	if form.Format != formatRows {
		for i := range list {
			whole := field.AppendString(nil, list[i].ID)
			short := field.AppendString([]byte(`{"id":`), form.id(list[i].ID))
			out.Records[i] = append(short, page.Records[i][len(`{"id":`)+len(whole):]...)
		}
		return out, nil
	}
	snapshot, err := c.Schema.Cached(ctx, c.Target.Org)
	if err != nil {
		return out, err
	}
	table := snapshot.Table(c.Target.ID)
	if table == nil { // deleted since it was read
		return out, nil
	}
	w := &rowWriter{form: form}
	for i := range list {
		list[i].values = map[string]jsontext.Value{}
		if err := json.Unmarshal(list[i].Fields, &list[i].values); err != nil {
			return out, fmt.Errorf("reading the fields of a record to write it as a row: %w", err)
		}
	}
	if w.titles, err = c.titles(ctx, table.Fields, list); err != nil {
		return out, err
	}
	out.columns, out.rows = w.write(table.Fields, list, named)
	return out, nil
}

// titles reads the titles of linked records.
func (c *Call) titles(ctx context.Context, fields []*schema.Field, list []row) (map[string]string, error) {
	linked := map[string]bool{}
	for _, f := range fields {
		if f.Type() != "link" {
			continue
		}
		for i := range list {
			for _, public := range stringsIn(list[i].values[f.Name]) {
				linked[public] = true
			}
		}
	}
	return c.LinkedTitles(ctx, c.Target.Org, slices.Sorted(maps.Keys(linked)))
}

// LinkedTitles returns the titles of records by their ids. It returns none for more than maxTitles
// records.
func (d *Deps) LinkedTitles(ctx context.Context, org uuid.UUID, ids []string) (map[string]string, error) {
	if len(ids) == 0 || len(ids) > maxTitles {
		return nil, nil
	}
	found, err := d.Records.Titles(ctx, org, ids)
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for public, written := range found {
		var r struct {
			Fields map[string]jsontext.Value `json:"fields"` // only the primary field
		}
		if err := json.Unmarshal(written, &r); err != nil {
			return nil, fmt.Errorf("reading a linked record: %w", err)
		}
		for _, value := range r.Fields {
			titles[public] = PlainText(value)
		}
	}
	return titles, nil
}

func (w *rowWriter) write(fields []*schema.Field, list []row, named bool) (columns, rows []byte) {
	var shown []*schema.Field
	for _, f := range fields {
		if slices.ContainsFunc(list, func(r row) bool {
			value, has := r.values[f.Name]
			return has && (named || !isEmptyValue(value))
		}) {
			shown = append(shown, f)
		}
	}
	var header array
	w.own(&row{}, func(name string, _ []byte) { header.add(field.AppendString(nil, "_"+name)) })
	for _, f := range shown {
		header.add(field.AppendString(nil, f.Name))
	}
	var body array
	for i := range list {
		var line array
		w.own(&list[i], func(_ string, value []byte) { line.add(value) })
		for _, f := range shown {
			line.add(w.cell(f, list[i].values[f.Name]))
		}
		body.add(line.encode())
	}
	return header.encode(), body.encode()
}

// own calls add for each member of a record other than its fields.
func (w *rowWriter) own(r *row, add func(name string, value []byte)) {
	if w.form.IDs != idsNone {
		add("id", field.AppendString(nil, w.form.id(r.ID)))
	}
	if slices.Contains(w.form.Include, "createdTime") {
		add("createdTime", r.CreatedTime)
	}
	if slices.Contains(w.form.Include, "version") {
		add("version", r.Version)
	}
}

// cell writes a value. Linked records and files are objects of their names by id; without ids they
// are lists of names.
func (w *rowWriter) cell(f *schema.Field, value jsontext.Value) []byte {
	switch {
	case value == nil:
		return []byte("null")
	case value.Kind() != '[':
		return value
	case f.Type() == "link":
		linked := stringsIn(value)
		if len(w.titles) == 0 || len(linked) == 0 { // too many of them, or gone
			var ids array
			for _, public := range linked {
				ids.add(field.AppendString(nil, w.form.id(public)))
			}
			return ids.encode()
		}
		var names named
		for _, public := range linked {
			names.add(w.form.id(public), w.titles[public])
		}
		return names.encode(w.form.IDs != idsNone)
	case f.Type() == "attachment":
		var files []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		}
		if json.Unmarshal(value, &files) != nil || len(files) == 0 {
			return value
		}
		var names named
		for _, file := range files {
			names.add(file.ID, file.Name)
		}
		return names.encode(w.form.IDs != idsNone)
	}
	return value
}

// writtenGroups returns the groups of an aggregation in the requested form: a column for each key
// and each result.
func writtenGroups(groups record.Groups, form GroupForm) (RecordGroups, error) {
	out := RecordGroups{Groups: groups}
	if form.Format != formatRows {
		return out, nil
	}
	var answer struct {
		Groups []struct {
			Key     jsontext.Value `json:"key"`
			Results jsontext.Value `json:"results"`
		} `json:"groups"`
	}
	if err := json.Unmarshal(groups.AppendJSON(nil), &answer); err != nil {
		return out, fmt.Errorf("reading groups to write them as rows: %w", err)
	}
	var columns, body array
	for i, g := range answer.Groups {
		var line array
		for _, object := range []jsontext.Value{g.Key, g.Results} {
			if err := jsonvalue.Members(object, func(name string, value []byte) bool {
				if i == 0 {
					columns.add(field.AppendString(nil, name))
				}
				var linked struct {
					ID    string `json:"id"`
					Title string `json:"title"`
				}
				if jsonvalue.Kind(value) == jsonvalue.Object && json.Unmarshal(value, &linked) == nil {
					var names named
					names.add(id.Short(linked.ID), linked.Title)
					value = names.encode(true)
				}
				line.add(value)
				return true
			}); err != nil {
				return out, fmt.Errorf("reading a group to write it as a row: %w", err)
			}
		}
		body.add(line.encode())
	}
	out.columns, out.rows = columns.encode(), body.encode()
	return out, nil
}

// stringsIn returns the elements of an array of strings, or nil for another value.
func stringsIn(value jsontext.Value) []string {
	var list []string
	if value.Kind() != '[' || json.Unmarshal(value, &list) != nil {
		return nil
	}
	return list
}

func isEmptyValue(value jsontext.Value) bool {
	switch string(value) {
	case "null", "[]", `""`, "false":
		return true
	}
	return false
}

// An array is a JSON array under construction.
type array struct{ text []byte }

func (a *array) add(value []byte) { a.text = append(append(a.text, ','), value...) }

func (a *array) encode() []byte {
	if a.text == nil {
		return []byte("[]")
	}
	return append(append([]byte{'['}, a.text[1:]...), ']')
}

// named are names by id, in order.
type named struct{ object, list array }

func (n *named) add(key, name string) {
	value := field.AppendString(nil, name)
	n.list.add(value)
	n.object.add(append(append(field.AppendString(nil, key), ':'), value...))
}

func (n *named) encode(byID bool) []byte {
	if !byID {
		return n.list.encode()
	}
	return append(append([]byte{'{'}, n.object.text[1:]...), '}')
}
