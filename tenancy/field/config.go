package field

import (
	"encoding/json"

	"golang.org/x/text/unicode/norm"
)

// Config is the configuration of a field; the Info of its kind says which keys it has. The zero value
// has all defaults.
type Config struct {
	Description    string          `json:"description,omitempty"`
	Required       bool            `json:"required,omitzero"`
	Unique         bool            `json:"unique,omitzero"`
	Default        json.RawMessage `json:"default,omitempty"` // as a value of the field is written
	Options        []Option        `json:"options,omitempty"`
	Precision      *int            `json:"precision,omitempty"` // digits behind the point, 0 to 8
	Symbol         string          `json:"symbol,omitempty"`
	Thousands      *bool           `json:"thousands,omitempty"` // nil is true for currencies, false for others
	Negative       string          `json:"negative,omitempty"`  // how numbers below zero are shown; "" is minus
	Max            int             `json:"max,omitzero"`        // of a rating, 1 to 10; 0 is 5
	Icon           string          `json:"icon,omitempty"`
	Format         string          `json:"format,omitempty"`
	DateFormat     string          `json:"dateFormat,omitempty"`
	TimeFormat     string          `json:"timeFormat,omitempty"`
	TimeZone       string          `json:"timeZone,omitempty"` // an IANA name; "" is UTC
	LinkedTableID  string          `json:"linkedTableId,omitempty"`
	InverseFieldID string          `json:"inverseFieldId,omitempty"`
	Multiple       *bool           `json:"multiple,omitempty"` // nil is true for links, false for users
	Label          string          `json:"label,omitempty"`
	URL            string          `json:"url,omitempty"`
	Formula        string          `json:"formula,omitempty"`     // with fields by id, as package formula stores it
	ResultType     string          `json:"resultType,omitempty"`  // of a computed field, as in ResultTypes
	LinkFieldID    string          `json:"linkFieldId,omitempty"` // through which a computed field reads
	FieldID        string          `json:"fieldId,omitempty"`     // that it reads there
	Function       string          `json:"function,omitempty"`    // of a rollup
	Filters        json.RawMessage `json:"filters,omitempty"`     // on the linked records that it reads
	Sorts          json.RawMessage `json:"sorts,omitempty"`       // of the linked records that a lookup reads
	Limit          *int            `json:"limit,omitempty"`       // of these, 1 to MaxLookedUp

	// Aliases are further names of options, for a field as it was before they were renamed.
	Aliases map[string]string `json:"-"`
}

// An Option is a choice of a select field. Records store its name.
type Option struct {
	Name  string `json:"name"`
	Color string `json:"color,omitempty"`
}

// OptionNames lists the names of the options in their order.
func (c *Config) OptionNames() []string {
	names := make([]string, len(c.Options))
	for i, o := range c.Options {
		names[i] = o.Name
	}
	return names
}

// HasOption reports whether name is exactly the name of an option.
func (c *Config) HasOption(name string) bool {
	for i := range c.Options {
		if c.Options[i].Name == name {
			return true
		}
	}
	return false
}

// FindOption returns the name of the option that name names, in any Unicode composition.
func (c *Config) FindOption(name string) (string, bool) {
	if c.HasOption(name) {
		return name, true
	}
	composed := norm.NFC.String(name)
	for i := range c.Options {
		if norm.NFC.String(c.Options[i].Name) == composed {
			return c.Options[i].Name, true
		}
	}
	if known, ok := c.Aliases[composed]; ok {
		return known, true
	}
	return "", false
}

// MaxLookedUp is the greatest limit of a lookup.
const MaxLookedUp = 100

// MaxOptions bounds the options of a select field.
const MaxOptions = 1000

// MaxDefault bounds the default of a field, in bytes of JSON with its numbers written out, because
// every new record repeats it.
const MaxDefault = 10_000
