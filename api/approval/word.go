package approval

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// inWords describes the arguments of a call, with names instead of ids.
func inWords(snapshot *schema.Snapshot, input []byte) (words []QuestionArgument, err error) {
	err = jsonvalue.Members(input, func(name string, value []byte) bool {
		words = append(words, QuestionArgument{argumentName(name), valueInWords(snapshot, value)})
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("reading the arguments of a call: %w", err)
	}
	return words, nil
}

// argumentName turns tableId into Table, and upsertOn into Upsert on.
func argumentName(name string) string {
	if rest, ok := strings.CutSuffix(name, "Id"); ok && rest != "" {
		name = rest
	}
	var out strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case unicode.IsUpper(r):
			out.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}

// maxWords is how many elements of a list are shown to a person.
const maxWords = 20

func valueInWords(snapshot *schema.Snapshot, value jsontext.Value) string {
	switch value.Kind() { //nolint:exhaustive // numbers are shown as they are
	case '"':
		var text string
		_ = json.Unmarshal(value, &text) // it is a string
		return nameOfID(snapshot, text)
	case 't':
		return "yes"
	case 'f':
		return "no"
	case 'n':
		return "empty"
	case '[':
		var parts []string
		total := 0
		jsonvalue.Elements(value, func(_ int, element []byte) bool {
			if total++; total <= maxWords {
				parts = append(parts, valueInWords(snapshot, element))
			}
			return true
		})
		if total > maxWords {
			parts = append(parts, fmt.Sprintf("and %d more", total-maxWords))
		}
		return strings.Join(parts, ", ")
	case '{':
		var filter struct {
			Field string         `json:"fieldId"`
			Op    string         `json:"op"`
			Value jsontext.Value `json:"value"`
		}
		if json.Unmarshal(value, &filter) == nil && filter.Field != "" && filter.Op != "" {
			text := nameOfID(snapshot, filter.Field) + " " + strings.ReplaceAll(filter.Op, "_", " ")
			if filter.Value != nil {
				text += " " + valueInWords(snapshot, filter.Value)
			}
			return text
		}
		var parts []string
		_ = jsonvalue.Members(value, func(name string, member []byte) bool { // it is an object
			parts = append(parts, nameOfID(snapshot, name)+": "+valueInWords(snapshot, member))
			return true
		})
		return strings.Join(parts, "; ")
	}
	return string(value)
}

// nameOfID returns the name of the object with an id, or the text unchanged.
func nameOfID(snapshot *schema.Snapshot, text string) string {
	if base, err := id.Parse(id.Base, text); err == nil {
		if b := snapshot.Base(base); b != nil {
			return b.Name
		}
	}
	if table, err := id.Parse(id.Table, text); err == nil {
		if t := snapshot.Table(table); t != nil {
			return t.Name
		}
	}
	if field, err := id.Parse(id.Field, text); err == nil {
		if f := snapshot.Field(field); f != nil {
			return f.Name
		}
	}
	return text
}
