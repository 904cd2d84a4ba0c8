package field

import "errors"

// Base is a kind without values, on which other kinds build.
type Base struct{ Fixed Info }

// Info returns the fixed properties of the kind.
func (b *Base) Info() *Info { return &b.Fixed }

// Decode refuses every value.
func (b *Base) Decode(*Input, []byte) (any, error) { return nil, errors.New("holds no value") }

// Select is no expression.
func (b *Base) Select(*Field) string { return "" }

// Encoder is none.
func (b *Base) Encoder(*Field, FileLinks) Encoder { return nil }

// Plain is the column.
func (b *Base) Plain(f *Field) string {
	if f.Column() == "" {
		return ""
	}
	return f.column()
}

// Operators are none.
func (b *Base) Operators() []Operator { return nil }

// Order is none.
func (b *Base) Order(*Field, string) string { return "" }

// SortKey takes no bytes.
func (b *Base) SortKey([]byte) (any, bool) { return nil, false }

// Aggregates are none.
func (b *Base) Aggregates() []Aggregate { return nil }

// Search adds nothing.
func (b *Base) Search(*Search, *Field) {}

// Meaning is nothing beyond the JSON.
func (b *Base) Meaning(*Field, []byte) (any, error) { return nil, nil } //nolint:nilnil // no meaning is no error

// Adapt takes the JSON of other kinds as it is, unless it is of no kind that has a text.
func (b *Base) Adapt(_ *Field, from *Source) ([]byte, error) { return from.plain() }

// Size is a few bytes.
func (b *Base) Size(string) string { return "" }

// Show shows nothing.
func (b *Base) Show(*Field, Names, any) Shown { return Shown{} }
