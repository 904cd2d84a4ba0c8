package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// rowsFrom is the number of records from which on they are written as rows, and their ids in short form. The id
// of a record is two thirds of what a name and its id take.
const rowsFrom = 6

// maxTitles bounds the linked records of an answer that are named.
const maxTitles = 1000

// A place is the table that a call is about.
type place struct {
	org   uuid.UUID
	table *schema.Table
}

// placeOf returns the table that a call names, or that contains the record that it names, among those that the
// caller reaches; nil for none.
func (s *server) placeOf(ctx context.Context, c *caller, input *arguments) (*place, error) {
	table, _ := input.stringValue("tableId")
	record, _ := input.stringValue("recordId")
	tableID, err := id.Parse(id.Table, table)
	number, _, recordErr := id.ParseRecord(record)
	if err != nil && recordErr != nil {
		return nil, nil
	}
	for _, m := range c.Orgs {
		snapshot, err := s.Deps.Schema.Cached(ctx, m.Org)
		if err != nil {
			return nil, err
		}
		t := snapshot.Table(tableID)
		if recordErr == nil {
			t = snapshot.TableByNumber(number)
		}
		if t != nil && c.ReachesBase(t.Base.ID) {
			return &place{m.Org, t}, nil
		}
	}
	return nil, nil
}

// A compactRecord is a record as REST writes it.
type compactRecord struct {
	ID          string         `json:"id"`
	CreatedTime jsontext.Value `json:"createdTime"`
	Version     jsontext.Value `json:"version"`
	Fields      jsontext.Value `json:"fields"`

	values map[string]jsontext.Value // of fields
}

// A compactor writes the records of one answer.
type compactor struct {
	form   form
	place  *place
	fields []*schema.Field
	titles map[string]string // by the id of a linked record
}

// compact writes the output of an operation in the form that was asked for. Where nothing was, it is the one
// that takes the fewest tokens: rows for more than a few records, and of a write the ids.
func (s *server) compact(ctx context.Context, c *caller, t *tool, input, output []byte, f form) ([]byte, error) {
	switch {
	case t.form == noRecords:
		return output, nil
	case t.form == writtenRecords:
		return compactWritten(output, f)
	case t.form == groupsOfRecords:
		return compactGroups(output, f)
	case f.format == records && f.include == nil && f.ids == "":
		return output, nil
	}
	answer, err := parseArguments(output)
	if err != nil {
		return nil, fmt.Errorf("reading a result to compact it: %w", err)
	}
	var list []compactRecord
	if t.form == oneRecord {
		list = make([]compactRecord, 1)
		err = json.Unmarshal(output, &list[0])
	} else {
		err = json.Unmarshal(answer.value(records), &list)
	}
	if err != nil {
		return nil, fmt.Errorf("reading records to compact them: %w", err)
	}
	arguments, err := parseArguments(input)
	if err != nil {
		return nil, fmt.Errorf("reading an input: %w", err)
	}
	w := &compactor{form: f}
	if w.place, err = s.placeOf(ctx, c, arguments); err != nil || w.place == nil {
		return output, err
	}
	w.choose(t, len(list))
	w.fields = w.place.table.Fields
	for i := range list {
		list[i].values = map[string]jsontext.Value{}
		if err := eachMember(list[i].Fields, func(name string, value jsontext.Value) {
			list[i].values[name] = value
		}); err != nil {
			return nil, fmt.Errorf("reading the fields of a record: %w", err)
		}
	}
	if f.format != records {
		if err := s.addTitles(ctx, w, list); err != nil {
			return nil, err
		}
	}
	switch {
	case t.form == oneRecord:
		return w.record(&list[0]), nil
	case w.form.format == rows:
		return w.page(answer, list, arguments.has("fields")), nil
	}
	written := jsontext.Value{'['}
	for i := range list {
		if i > 0 {
			written = append(written, ',')
		}
		written = append(written, w.record(&list[i])...)
	}
	answer.set(records, append(written, ']'))
	return answer.encode(), nil
}

// choose decides what the caller left open.
func (w *compactor) choose(t *tool, count int) {
	if t.form == oneRecord {
		w.form.ids = full
		return
	}
	many := count >= rowsFrom
	if w.form.format == "" && many {
		w.form.format = rows
	}
	if w.form.ids == "" {
		w.form.ids = full
		if many && w.form.format == rows {
			w.form.ids = short
		}
	}
}

// addTitles reads what linked records of the same base are called.
func (s *server) addTitles(ctx context.Context, w *compactor, list []compactRecord) error {
	linked := map[string]bool{}
	for _, f := range w.fields {
		if f.Type() != "link" {
			continue
		}
		for i := range list {
			var ids []string
			if value := list[i].values[f.Name]; value.Kind() == '[' && json.Unmarshal(value, &ids) == nil {
				for _, public := range ids {
					linked[public] = true
				}
			}
		}
	}
	w.titles = map[string]string{}
	if len(linked) == 0 || len(linked) > maxTitles {
		return nil
	}
	found, err := s.Deps.Records.Titles(ctx, w.place.org, slices.Sorted(maps.Keys(linked)))
	if err != nil {
		return err
	}
	for public, written := range found {
		var r record
		if err := json.Unmarshal(written, &r); err != nil {
			return fmt.Errorf("reading a linked record: %w", err)
		}
		for _, value := range r.Fields { // the primary field alone
			w.titles[public] = operation.PlainText(value)
		}
	}
	return nil
}

func (w *compactor) id(public string) string {
	if w.form.ids == short {
		return id.Short(public)
	}
	return public
}

// own adds the members of a record beside its fields that are wanted.
func (w *compactor) own(r *compactRecord, add func(name string, value jsontext.Value)) {
	if w.form.ids != none {
		add("id", quote(w.id(r.ID)))
	}
	if slices.Contains(w.form.include, createdTime) {
		add(createdTime, r.CreatedTime)
	}
	if slices.Contains(w.form.include, version) {
		add(version, r.Version)
	}
}

// record writes one record as an object.
func (w *compactor) record(r *compactRecord) jsontext.Value {
	out := &arguments{}
	add := func(name string, value jsontext.Value) { out.members = append(out.members, argument{name, value}) }
	w.own(r, add)
	fields := &arguments{}
	for _, f := range w.fields {
		if value, ok := r.values[f.Name]; ok {
			fields.members = append(fields.members, argument{f.Name, w.cell(f, value)})
		}
	}
	add("fields", fields.encode())
	return out.encode()
}

// page writes a page of records as columns and rows. Columns without a value on the page are left out, unless
// the fields were asked for by name.
func (w *compactor) page(answer *arguments, list []compactRecord, named bool) []byte {
	var columns []*schema.Field
	for _, f := range w.fields {
		if slices.ContainsFunc(list, func(r compactRecord) bool {
			value, ok := r.values[f.Name]
			return ok && (named || !isEmptyValue(value))
		}) {
			columns = append(columns, f)
		}
	}
	header, body := jsontext.Value{'['}, jsontext.Value{'['}
	cell := func(dst, value jsontext.Value, first bool) jsontext.Value {
		if !first {
			dst = append(dst, ',')
		}
		return append(dst, value...)
	}
	w.own(&compactRecord{}, func(name string, _ jsontext.Value) {
		header = cell(header, quote(name),
			len(header) == 1)
	})
	for _, f := range columns {
		header = cell(header, quote(f.Name), len(header) == 1)
	}
	for i := range list {
		row := jsontext.Value{'['}
		w.own(&list[i], func(_ string, value jsontext.Value) { row = cell(row, value, len(row) == 1) })
		for _, f := range columns {
			value := list[i].values[f.Name]
			if value == nil {
				value = jsontext.Value("null")
			}
			row = cell(row, w.cell(f, value), len(row) == 1)
		}
		body = cell(body, append(row, ']'), i == 0)
	}
	out := &arguments{members: []argument{{"columns", append(header, ']')}, {rows, append(body, ']')}}}
	for _, m := range answer.members {
		if m.name == records || m.name == "limit" || m.name == "offset" && string(m.value) == "0" {
			continue
		}
		out.members = append(out.members, m)
	}
	return out.encode()
}

func isEmptyValue(value jsontext.Value) bool {
	switch string(value) {
	case "null", "[]", `""`, "false":
		return true
	}
	return false
}

// cell writes a value. Linked records and files are objects of their names by id, or without ids the names.
func (w *compactor) cell(f *schema.Field, value jsontext.Value) jsontext.Value {
	if w.form.format == records || value.Kind() != '[' {
		return value
	}
	named := &arguments{}
	switch f.Type() {
	case "link":
		var ids []string
		if json.Unmarshal(value, &ids) != nil || len(ids) == 0 {
			return value
		}
		titled := false
		for _, public := range ids {
			title, found := w.titles[public]
			titled = titled || found
			named.members = append(named.members, argument{w.id(public), quote(title)})
		}
		if !titled { // too many of them, or gone
			for i, public := range ids {
				named.members[i].value = quote(w.id(public))
			}
			return named.list()
		}
	case "attachment":
		var files []struct{ ID, Name string }
		if json.Unmarshal(value, &files, json.MatchCaseInsensitiveNames(true)) != nil || len(files) == 0 {
			return value
		}
		for _, file := range files {
			named.members = append(named.members, argument{file.ID, quote(file.Name)})
		}
	default:
		return value
	}
	if w.form.ids != none {
		return named.encode()
	}
	return named.list()
}

// list encodes the values alone.
func (a *arguments) list() jsontext.Value {
	out := jsontext.Value{'['}
	for i, m := range a.members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.value...)
	}
	return append(out, ']')
}

// compactWritten writes what a write answers.
func compactWritten(output []byte, f form) ([]byte, error) {
	if f.returns == records {
		return output, nil
	}
	answer, err := parseArguments(output)
	if err != nil {
		return nil, fmt.Errorf("reading the result of a write: %w", err)
	}
	out := &arguments{}
	add := func(name string, value jsontext.Value) { out.members = append(out.members, argument{name, value}) }
	if !answer.has(records) { // of a single record
		for _, m := range answer.members {
			if m.name == "fields" || m.name == createdTime || f.returns == none && m.name == "id" {
				continue
			}
			add(m.name, m.value)
		}
		return out.encode(), nil
	}
	var list []compactRecord
	if err := json.Unmarshal(answer.value(records), &list); err != nil {
		return nil, fmt.Errorf("reading written records: %w", err)
	}
	count := func(n int) jsontext.Value { return strconv.AppendInt(nil, int64(n), 10) }
	if f.returns != none {
		written := make([]string, len(list))
		for i := range list {
			written[i] = list[i].ID
			if len(list) >= rowsFrom {
				written[i] = id.Short(written[i])
			}
		}
		encoded, err := json.Marshal(written)
		if err != nil {
			return nil, fmt.Errorf("writing ids: %w", err)
		}
		add(ids, encoded)
	} else {
		add("count", count(len(list)))
	}
	for _, m := range answer.members {
		switch m.name {
		case records:
		case "created", "updated":
			var which []string
			if err := json.Unmarshal(m.value, &which); err != nil {
				return nil, fmt.Errorf("reading the ids of an upsert: %w", err)
			}
			add(m.name+"Count", count(len(which)))
		default:
			add(m.name, m.value)
		}
	}
	return out.encode(), nil
}

// parseArguments parses an object.
func parseArguments(object []byte) (*arguments, error) {
	a := &arguments{}
	if jsontext.Value(object).Kind() != '{' {
		return nil, problem.Invalid("", "must be an object")
	}
	return a, eachMember(object, func(name string, value jsontext.Value) {
		a.members = append(a.members, argument{name, value})
	})
}
