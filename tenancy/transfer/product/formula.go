package product

import (
	"slices"
	"strings"
)

// A Formula is a formula in the language here, but for the fields that it names.
type Formula struct {
	Source string // as the product has it
	Parts  []Part
	Notes  []string // what it means that the original does not
}

// A Part of a formula is a text, or the id of a field.
type Part struct{ Text, Field string }

// With is the formula with the ids here. It returns the error of idOf.
func (f *Formula) With(idOf func(field string) (string, error)) (string, error) {
	var b strings.Builder
	for _, part := range f.Parts {
		b.WriteString(part.Text)
		if part.Field == "" {
			continue
		}
		id, err := idOf(part.Field)
		if err != nil {
			return "", err
		}
		b.WriteString("{" + id + "}")
	}
	return b.String(), nil
}

// Fields are the fields that the formula names, each once.
func (f *Formula) Fields() []string {
	var found []string
	for _, part := range f.Parts {
		if part.Field != "" && !slices.Contains(found, part.Field) {
			found = append(found, part.Field)
		}
	}
	return found
}

// Write adds a text to the formula.
func (f *Formula) Write(text string) {
	if n := len(f.Parts); n > 0 && f.Parts[n-1].Field == "" {
		f.Parts[n-1].Text += text
		return
	}
	f.Parts = append(f.Parts, Part{Text: text})
}

// Name adds a field to the formula.
func (f *Formula) Name(field string) { f.Parts = append(f.Parts, Part{Field: field}) }

// A Rollup is what makes one value of several: a function, or a formula of values.
type Rollup struct {
	Function string
	Formula  string
}

// String is the rollup as a formula.
func (r Rollup) String() string {
	if r.Formula != "" {
		return r.Formula
	}
	return r.Function + "(values)"
}

// A Missing error says what a field that computes lacks.
type Missing string

func (m Missing) Error() string { return string(m) }
