package field

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
)

// A TextLike is a kind whose values are strings.
type TextLike struct {
	Base
	rules TextRules
}

// TextRules are what is specific to one kind of text.
type TextRules struct {
	Max   int                                     // characters; 0 is MaxText
	Trim  bool                                    // typecast takes off white space
	Check func(s string) error                    // refuses a text; nil accepts every text
	Show  func(c *Config, s string, shown *Shown) // changes how a value is shown; nil shows its text
}

// NewTextLike returns a kind of text.
func NewTextLike(info Info, rules TextRules) *TextLike {
	info.Column, info.Value = "text", `{"type":["string","null"]}`
	info.Primary, info.Unique, info.UpsertKey, info.Convertible = true, true, true, true
	info.Collated, info.Unbounded = true, true
	info.Roles = []Role{RoleCover}
	if rules.Max == 0 {
		rules.Max = MaxText
	}
	return &TextLike{Base{info}, rules}
}

// Decode accepts a string, and with typecast the JSON of anything else.
func (k *TextLike) Decode(in *Input, raw []byte) (any, error) {
	var s string
	switch {
	case jsonvalue.Kind(raw) == jsonvalue.String:
		decoded, err := jsonvalue.Unquote(raw)
		if err != nil {
			return nil, err
		}
		s = decoded
	case in.Typecast:
		s = string(raw)
		if strings.Contains(s, `\u0000`) {
			return nil, jsonvalue.ErrNUL
		}
	default:
		return nil, fmt.Errorf("must be a string, not %s%s", jsonvalue.Describe(raw), in.castHint())
	}
	if len(s) > k.rules.Max && utf8.RuneCountInString(s) > k.rules.Max {
		return nil, fmt.Errorf("must be at most %d characters long", k.rules.Max)
	}
	if k.rules.Trim && in.Typecast {
		s = strings.TrimSpace(s)
	}
	if k.rules.Check != nil {
		if err := k.rules.Check(s); err != nil {
			return nil, err
		}
	}
	if s == "" {
		return nil, nil //nolint:nilnil // an empty text is no value
	}
	return s, nil
}

// Select is the column.
func (k *TextLike) Select(f *Field) string { return f.column() }

// Encoder writes a string.
func (k *TextLike) Encoder(*Field, FileLinks) Encoder { return AppendString[[]byte] }

// Operators are the operators of text.
func (k *TextLike) Operators() []Operator { return textOperators }

var textOperators = append([]Operator{
	{Op: Eq, Operand: textOperand, Index: Equality, Read: readText, SQL: textIs},
	{Op: Neq, Operand: textOperand, Read: readText, SQL: textIsNot},
	{Op: Contains, Operand: textOperand, Read: readText, SQL: like("%", "%")},
	{Op: NotContains, Operand: textOperand, Read: readText, SQL: func(q Args, f *Field, value any) string {
		return "(" + like("%", "%")(q, f, value) + ") is not true"
	}},
	{Op: StartsWith, Operand: textOperand, Read: readText, SQL: like("", "%")},
	{Op: EndsWith, Operand: textOperand, Read: readText, SQL: like("%", "")},
	{Op: In, Operand: textsOperand, Index: Range, Read: readTexts, SQL: textIsIn},
	{Op: NotIn, Operand: textsOperand, Read: readTexts, SQL: textIsNotIn},
}, EmptyOperators...)

// Text is compared in each form in which its letters may have been composed.

func textIs(q Args, f *Field, value any) string {
	text := value.(string)
	if forms := naming.Forms(text); len(forms) > 1 {
		return f.column() + " = any (" + q.Add(forms) + "::text[])"
	}
	return f.column() + " = " + q.Add(text)
}

func textIsNot(q Args, f *Field, value any) string {
	text := value.(string)
	if forms := naming.Forms(text); len(forms) > 1 {
		return "(" + f.column() + " = any (" + q.Add(forms) + "::text[])) is not true"
	}
	return f.column() + " is distinct from " + q.Add(text)
}

func textIsIn(q Args, f *Field, value any) string {
	return f.column() + " = any (" + q.Add(allForms(value.([]string))) + "::text[])"
}

func textIsNotIn(q Args, f *Field, value any) string {
	return "(" + textIsIn(q, f, value) + ") is not true"
}

func allForms(texts []string) []string {
	out := make([]string, 0, len(texts))
	for _, text := range texts {
		out = append(out, naming.Forms(text)...)
	}
	return out
}

// like compares in any case of letters. The pattern is folded once, because as a parameter of a cached
// plan it would be folded for each record.
func like(before, after string) func(q Args, f *Field, value any) string {
	return func(q Args, f *Field, value any) string {
		var parts []string
		for _, form := range naming.Forms(value.(string)) {
			pattern := before + EscapeLike(form) + after
			parts = append(parts, "gate.fold_value("+f.column()+") like (select gate.fold("+q.Add(pattern)+"))")
		}
		if len(parts) > 1 {
			return "(" + strings.Join(parts, " or ") + ")"
		}
		return parts[0]
	}
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// EscapeLike makes text stand for itself in a LIKE pattern.
func EscapeLike(s string) string { return likeEscapes.Replace(s) }

// collation orders text for people, digits as numbers, independently of the database's locale.
const collation = " collate gate.natural_order"

// Order is the natural order.
func (k *TextLike) Order(_ *Field, column string) string { return column + collation }

// SortKey is the text.
func (k *TextLike) SortKey(raw []byte) (any, bool) { return string(raw), IsText(raw) }

// Aggregates count the values.
func (k *TextLike) Aggregates() []Aggregate { return countOnly }

// Search searches the column.
func (k *TextLike) Search(s *Search, f *Field) { s.Columns = append(s.Columns, f.searchNumber()) }

// Meaning is a text.
func (k *TextLike) Meaning(_ *Field, raw []byte) (any, error) {
	s, err := jsonvalue.Unquote(raw)
	return s, err
}

// Adapt joins the names of options, and writes a time or a duration as a reader sees it; for everything
// else it uses the JSON.
func (k *TextLike) Adapt(_ *Field, from *Source) ([]byte, error) {
	if names, ok := from.Meaning.(OptionNames); ok {
		return AppendString(nil, JoinNames(names)), nil
	}
	if seconds, ok := from.Meaning.(Seconds); ok {
		return AppendString(nil, durationText(float64(seconds))), nil
	}
	return from.readable(), nil
}

// Size counts bytes; the size of a text is known without reading it.
func (k *TextLike) Size(column string) string { return "coalesce(octet_length(" + column + "), 0)" }

// Show shows the text.
func (k *TextLike) Show(f *Field, _ Names, value any) Shown {
	shown := Shown{Text: textOf(value)}
	if k.rules.Show != nil {
		k.rules.Show(&f.Config, shown.Text, &shown)
	}
	return shown
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(value)
}
