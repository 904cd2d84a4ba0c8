package form

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// test/view/question.test.ts of the application has the same cases.
func TestConditionsCompareEarlierAnswers(t *testing.T) {
	t.Parallel()
	table := &schema.Table{}
	fields := map[string]*schema.Field{}
	for i, kind := range []schema.Type{"text", "checkbox", "single_select", "multi_select", "text"} {
		name := []string{"name", "comes", "kind", "tags", "note"}[i]
		f := &schema.Field{ID: uuid.New(), Table: table, Field: field.Field{Name: name, Kind: kind.Kind()}}
		for _, option := range []string{"Soup", "Fish", "A", "B"} {
			f.Config.Options = append(f.Config.Options, field.Option{Name: option})
		}
		table.Fields, fields[name] = append(table.Fields, f), f
	}
	for _, c := range []struct {
		op               field.Op
		value, of, given string
		holds            bool
	}{
		{field.Eq, `"Soup"`, "kind", `"Soup"`, true},
		{field.Eq, `"Soup"`, "kind", `null`, false},
		{field.Neq, `"Soup"`, "kind", `null`, true},
		{field.Contains, `"AD"`, "name", `"Ada"`, true},
		{field.NotContains, `"AD"`, "name", `"Ada"`, false},
		{field.HasAny, `["A"]`, "tags", `["B","A"]`, true},
		{field.HasNone, `["A"]`, "tags", `["B"]`, true},
		{field.IsEmpty, ``, "name", `""`, true},
		{field.IsNotEmpty, ``, "tags", `[]`, false},
		{field.Eq, `false`, "comes", `null`, true},
		{field.Eq, `true`, "comes", `true`, true},
	} {
		condition := schema.FormCondition{FieldID: fields[c.of].PublicID(), Op: c.op, Value: json.RawMessage(c.value)}
		when := newWhen(table, schema.FormWhen{Condition: []schema.FormCondition{condition}})
		input := field.Input{Field: &fields[c.of].Field}
		value, err := input.Decode([]byte(c.given))
		if err != nil {
			t.Fatal(err)
		}
		answers := map[*schema.Field][]string{fields[c.of]: texts(value)}
		if holds := when.holds(answers); holds != c.holds {
			t.Errorf("%s %s of %s, which is %s: %v", c.op, c.value, c.of, c.given, holds)
		}
	}
}

func TestConditionsHoldTogetherOrOneOfThem(t *testing.T) {
	t.Parallel()
	table := &schema.Table{}
	name := &schema.Field{
		ID: uuid.New(), Table: table, Field: field.Field{Name: "name", Kind: schema.Type("text").Kind()},
	}
	table.Fields = []*schema.Field{name}
	is := func(value string) schema.FormCondition {
		return schema.FormCondition{FieldID: name.PublicID(), Op: field.Eq, Value: json.RawMessage(value)}
	}
	for _, c := range []struct {
		match string
		of    []schema.FormCondition
		holds bool
	}{
		{"", nil, true},
		{"any", nil, true},
		{"", []schema.FormCondition{is(`"Ada"`), is(`"Bea"`)}, false},
		{"any", []schema.FormCondition{is(`"Ada"`), is(`"Bea"`)}, true},
		{"any", []schema.FormCondition{is(`"Bea"`), is(`"Ada"`)}, true},
		{"any", []schema.FormCondition{is(`"Bea"`), is(`"Cem"`)}, false},
	} {
		when := newWhen(table, schema.FormWhen{Condition: c.of, Match: c.match})
		if holds := when.holds(map[*schema.Field][]string{name: {"Ada"}}); holds != c.holds {
			t.Errorf("%q of %v: %v", c.match, c.of, holds)
		}
	}
}
