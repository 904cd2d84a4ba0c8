package field_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/docs/doctest"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

var update = flag.Bool("update", false, "write the generated parts of the documentation anew")

// The page of the kinds is made of their catalogue.
func TestKindDocumentation(t *testing.T) {
	t.Parallel()
	catalogue := field.Describe()
	var b strings.Builder
	for _, kind := range catalogue.FieldTypes {
		fmt.Fprintf(&b, "\n### %s\n\n`%s`. %s %s\n", kind.Title, kind.Type, kind.Description, abilities(&kind))
		fmt.Fprintf(&b, "\n| | |\n|---|---|\n| value | `%s` |\n", doctest.Cell(string(kind.ValueSchema)))
		row := func(title string, values []string) {
			if len(values) > 0 {
				fmt.Fprintf(&b, "| %s | %s |\n", title, strings.Join(values, " "))
			}
		}
		operators := make([]string, len(kind.Operators))
		for i, o := range kind.Operators {
			operators[i] = code(string(o.Op))
		}
		row("operators", operators)
		row("aggregates", codes(kind.Aggregates))
		row("becomes", codes(kind.ConvertsTo))
		row("config", configOf(t, kind.ConfigSchema))
	}
	doctest.Part(t, "reference/field-kinds.md", "kinds", b.String(), *update)

	b.Reset()
	b.WriteString("| operand | meaning | operators |\n|---|---|---|\n")
	for _, operand := range catalogue.Operands {
		var operators []string
		for _, kind := range catalogue.FieldTypes {
			for _, o := range kind.Operators {
				if o.Operand == operand.Name && !slices.Contains(operators, code(string(o.Op))) {
					operators = append(operators, code(string(o.Op)))
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", operand.Name, doctest.Cell(operand.Description),
			strings.Join(operators, " "))
	}
	doctest.Part(t, "reference/field-kinds.md", "operands", b.String(), *update)
}

// abilities says what a field of a kind can do, in a sentence.
func abilities(kind *field.Description) string {
	var can []string
	for _, one := range []struct {
		able bool
		what string
	}{
		{kind.Primary, "be the primary field"},
		{kind.Unique, "be unique"},
		{kind.UpsertKey, "stand in `upsertOn`"},
		{kind.Sortable, "stand in `sorts`"},
		{kind.Groupable, "stand in `groupBy`"},
		{kind.Searchable, "be searched"},
	} {
		if one.able {
			can = append(can, one.what)
		}
	}
	var sentences []string
	if kind.ReadOnly {
		sentences = append(sentences, "Read only.")
	}
	if kind.ApplicationOnly {
		sentences = append(sentences, "Made in the application only.")
	}
	if len(can) > 0 {
		sentences = append(sentences, "It can "+strings.Join(can, ", ")+".")
	}
	return strings.Join(sentences, " ")
}

// configOf lists the keys of a kind's config with what they mean, but for those that every kind explains alike.
func configOf(t *testing.T, schema json.RawMessage) []string {
	t.Helper()
	var parsed struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &parsed); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for name, property := range parsed.Properties {
		text := code(name)
		if !slices.Contains([]string{"description", "required", "unique", "default"}, name) &&
			property.Description != "" {
			text += ": " + doctest.Cell(property.Description)
		}
		keys = append(keys, text)
	}
	slices.Sort(keys)
	return []string{strings.Join(keys, "; ")}
}

func code(text string) string { return "`" + text + "`" }

func codes[T ~string](texts []T) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = code(string(text))
	}
	return out
}
