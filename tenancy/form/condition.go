package form

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// When says after which answers something is asked for.
type When struct {
	Conditions []Condition
	Any        bool // one of them must hold, not all
}

func newWhen(t *schema.Table, w schema.FormWhen) When {
	out := When{Any: w.Match == schema.MatchAny}
	for _, c := range w.Condition {
		out.Conditions = append(out.Conditions, newCondition(t, c))
	}
	return out
}

// holds reports whether something is asked for after the answers to earlier questions.
func (w *When) holds(answers map[*schema.Field][]string) bool {
	if len(w.Conditions) == 0 {
		return true
	}
	for i := range w.Conditions {
		if w.Conditions[i].holds(answers[w.Conditions[i].Field]) == w.Any {
			return w.Any
		}
	}
	return !w.Any
}

// A Condition compares an earlier answer. form.js has the same comparisons.
type Condition struct {
	Field  *schema.Field // nil if the table lacks it: the condition holds for no answer
	Op     field.Op
	Values []string // that the answer is compared with, as texts has them
}

func newCondition(t *schema.Table, c schema.FormCondition) Condition {
	out := Condition{Field: t.FieldByID(c.FieldID), Op: c.Op}
	if out.Field == nil || len(c.Value) == 0 {
		return out
	}
	switch c.Op { //nolint:exhaustive // the others compare whole values
	case field.Contains, field.NotContains:
		var text string
		_ = json.Unmarshal(c.Value, &text) // the value was checked when it was written
		out.Values = []string{norm.NFC.String(text)}
		return out
	}
	input := field.Input{Field: &out.Field.Field, Typecast: true}
	value, err := input.Decode(jsonvalue.Trim(c.Value))
	if err != nil {
		out.Field = nil // the field has another type by now
	}
	out.Values = texts(value)
	return out
}

// holds compares the texts of an answer, of which there are none without an answer.
func (c *Condition) holds(answer []string) bool {
	if c.Field == nil {
		return false
	}
	equals := func(text string) bool { return slices.Contains(c.Values, text) }
	contains := func(text string) bool {
		return len(c.Values) > 0 && strings.Contains(strings.ToLower(text), strings.ToLower(c.Values[0]))
	}
	if c.Field.Info().Unset == false && len(answer) == 0 {
		answer = []string{"false"}
	}
	switch c.Op { //nolint:exhaustive // the operators of forms
	case field.Eq, field.HasAny:
		return slices.ContainsFunc(answer, equals)
	case field.Neq, field.HasNone:
		return !slices.ContainsFunc(answer, equals)
	case field.Contains:
		return slices.ContainsFunc(answer, contains)
	case field.NotContains:
		return !slices.ContainsFunc(answer, contains)
	case field.IsEmpty:
		return len(answer) == 0
	case field.IsNotEmpty:
		return len(answer) > 0
	}
	return false
}

// texts are the texts as which conditions compare a decoded value.
func texts(value field.Value) []string {
	switch v := value.(type) {
	case string:
		return []string{norm.NFC.String(v)}
	case []string:
		all := make([]string, len(v))
		for i := range v {
			all[i] = norm.NFC.String(v[i])
		}
		return all
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case bool:
		return []string{strconv.FormatBool(v)}
	case time.Time:
		return []string{v.Format(time.DateOnly)}
	case nil:
		return nil
	}
	return []string{""} // something that nothing equals
}
