package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// A short id of a record (id.Short) may replace its id wherever the table is known: in recordId as
// "Table/short", in ids and records of a call that names a table, and in the values of link fields.
// The value of a link may also have the form that tools return, an object of titles by id.

// A visitor is called for each text that may be a short id, with its position and the table of the
// record. It returns the replacement.
type visitor func(at string, table *schema.Table, text string) string

// resolveShortIDs replaces short ids by ids.
func (s *server) resolveShortIDs(ctx context.Context, c *caller, a *arguments) error {
	if !c.Has(authz.DataRead) && !c.Has(authz.DataWrite) {
		return nil
	}
	if err := s.resolveRecordPath(ctx, c, a); err != nil {
		return err
	}
	if !a.has("ids") && !a.has(records) && !a.has("fields") && !a.has("filters") {
		return nil
	}
	at, err := s.placeOf(ctx, c, a)
	if err != nil || at == nil {
		return err // the operation reports what is wrong
	}
	snapshot, err := s.Deps.Schema.Cached(ctx, at.org)
	if err != nil {
		return err
	}
	wanted := map[*schema.Table][]string{}
	places := map[string]string{} // the first position of each short id
	visitRecordIDs(a, at.table, snapshot, func(where string, table *schema.Table, text string) string {
		if isShort(text) && !slices.Contains(wanted[table], text) {
			wanted[table] = append(wanted[table], text)
			places[text] = where
		}
		return text
	})
	found := map[*schema.Table]map[string]string{}
	for table, texts := range wanted {
		if found[table], err = s.findShort(ctx, at.org, table, texts, places); err != nil {
			return err
		}
	}
	visitRecordIDs(a, at.table, snapshot, func(_ string, table *schema.Table, text string) string {
		if public, ok := found[table][text]; ok {
			return public
		}
		return text
	})
	return nil
}

// isShort reports whether a text has the form of a short id.
func isShort(text string) bool {
	_, err := id.ParseShort(text)
	return err == nil
}

// findShort returns the ids of records by their short forms.
func (s *server) findShort(
	ctx context.Context, org uuid.UUID, table *schema.Table, short []string, places map[string]string,
) (map[string]string, error) {
	found, err := s.Deps.Records.FindShort(ctx, org, table.ID, short)
	if err != nil {
		return nil, err
	}
	one := map[string]string{}
	for _, text := range short {
		switch list := found[text]; len(list) {
		case 1:
			one[text] = list[0]
		case 0:
			return nil, (&problem.Error{Kind: problem.KindNotFound, Message: fmt.Sprintf(
				"%s: the table %q has no record with the short id %q; it may have been deleted.",
				places[text], table.Name, text)}).WithCode(problem.CodeNotFound)
		default:
			return nil, problem.Invalid(places[text], "%d records of %q have the short id %q: %s; give the whole id",
				len(list), table.Name, text, problem.List(list)).WithCode(problem.CodeAmbiguousID)
		}
	}
	return one, nil
}

// resolveRecordPath resolves a recordId such as Table/short.
func (s *server) resolveRecordPath(ctx context.Context, c *caller, a *arguments) error {
	const parameter = "recordId"
	text, ok := a.stringValue(parameter)
	if !ok || id.KindOf(text) == id.Record {
		return nil
	}
	path, last, found := cutLast(text)
	if !found {
		if isShort(text) {
			return problem.Invalid(parameter, "%q is a short id, which needs its table: \"Table/%s\"", text, text)
		}
		return (&problem.Error{Kind: problem.KindNotFound, Message: fmt.Sprintf(
			"%s: %q is not the id of a record (rec_…); search finds records by their words, with their ids.",
			parameter, text)}).WithCode(problem.CodeNotFound)
	}
	if !isShort(last) {
		return nil
	}
	table, err := s.resolveValue(ctx, c, parameter, id.Table, quote(path), a)
	if err != nil {
		return err
	}
	at, err := s.placeOf(ctx, c, &arguments{members: []argument{{"tableId", table}}})
	if err != nil || at == nil {
		return err
	}
	public, err := s.findShort(ctx, at.org, at.table, []string{last}, map[string]string{last: parameter})
	if err != nil {
		return err
	}
	a.set(parameter, quote(public[last]))
	return nil
}

// cutLast cuts a text at its last slash.
func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndexByte(text, '/')
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// visitRecordIDs visits the ids of records in the arguments of a call about a table, and replaces
// them by what the visitor returns. It leaves malformed values to the operation to report.
func visitRecordIDs(a *arguments, table *schema.Table, snapshot *schema.Snapshot, visit visitor) {
	if value := a.value("ids"); value.Kind() == '[' {
		a.set("ids", visitList("ids", table, value, visit))
	}
	if value := a.value("fields"); value.Kind() == '{' {
		a.set("fields", visitFields("fields", table, snapshot, value, visit))
	}
	if value := a.value("filters"); value.Kind() == '[' {
		a.set("filters", visitFilters("filters", table, snapshot, value, visit))
	}
	var elements []jsontext.Value
	if value := a.value(records); value.Kind() != '[' || json.Unmarshal(value, &elements) != nil {
		return
	}
	for i, element := range elements {
		record, err := parseArguments(element)
		if err != nil {
			return
		}
		at := fmt.Sprintf("%s[%d]", records, i)
		if text, ok := record.stringValue("id"); ok {
			record.set("id", quote(visit(at+".id", table, text)))
		}
		if fields := record.value("fields"); fields.Kind() == '{' {
			record.set("fields", visitFields(at+".fields", table, snapshot, fields, visit))
		}
		elements[i] = record.encode()
	}
	list := &arguments{}
	for _, element := range elements {
		list.members = append(list.members, argument{value: element})
	}
	a.set(records, list.list())
}

// visitFields visits the values of link fields.
func visitFields(
	at string, table *schema.Table, snapshot *schema.Snapshot, value jsontext.Value, visit visitor,
) jsontext.Value {
	var links []*schema.Field
	for _, f := range table.Fields {
		if f.Pairs != nil && snapshot.TableByNumber(f.Pairs.Linked) != nil {
			links = append(links, f)
		}
	}
	fields, err := parseArguments(value)
	if len(links) == 0 || err != nil {
		return value
	}
	changed := false
	for i, m := range fields.members {
		f := slices.IndexFunc(links, func(f *schema.Field) bool { return f.Name == m.name })
		if f < 0 {
			continue
		}
		changed = true
		linked := snapshot.TableByNumber(links[f].Pairs.Linked)
		where := at + "." + m.name
		switch m.value.Kind() { //nolint:exhaustive // the operation rejects other types
		case '{':
			titles, err := parseArguments(m.value)
			if err != nil {
				return value
			}
			for j, title := range titles.members {
				titles.members[j].value = quote(title.name)
			}
			fields.members[i].value = visitList(where, linked, titles.list(), visit)
		case '[':
			fields.members[i].value = visitList(where, linked, m.value, visit)
		case '"':
			var text string
			if json.Unmarshal(m.value, &text) == nil {
				fields.members[i].value = quote(visit(where, linked, text))
			}
		}
	}
	if !changed {
		return value
	}
	return fields.encode()
}

// visitFilters visits the values that filters compare link fields with.
func visitFilters(
	at string, table *schema.Table, snapshot *schema.Snapshot, value jsontext.Value, visit visitor,
) jsontext.Value {
	var conditions []jsontext.Value
	if json.Unmarshal(value, &conditions) != nil {
		return value
	}
	list := &arguments{}
	for i, text := range conditions {
		where := fmt.Sprintf("%s[%d]", at, i)
		condition, err := parseArguments(text)
		if err != nil {
			return value
		}
		for _, nested := range []string{"and", "or"} {
			if inner := condition.value(nested); inner.Kind() == '[' {
				condition.set(nested, visitFilters(where+"."+nested, table, snapshot, inner, visit))
			}
		}
		name, _ := condition.stringValue("fieldId")
		op, _ := condition.stringValue("op")
		compared := condition.value("value")
		f, err := table.FieldRef(where, name)
		if err == nil && f.Pairs != nil && compared != nil && !strings.Contains(op, "contains") {
			fields := &arguments{members: []argument{{f.Name, compared}}}
			visited, err := parseArguments(visitFields(where, table, snapshot, fields.encode(), visit))
			if err == nil {
				condition.set("value", visited.value(f.Name))
			}
		}
		list.members = append(list.members, argument{value: condition.encode()})
	}
	return list.list()
}

func visitList(at string, table *schema.Table, value jsontext.Value, visit visitor) jsontext.Value {
	var texts []string
	if json.Unmarshal(value, &texts) != nil {
		return value
	}
	list := &arguments{}
	for i, text := range texts {
		list.members = append(list.members, argument{value: quote(visit(fmt.Sprintf("%s[%d]", at, i), table, text))})
	}
	return list.list()
}
