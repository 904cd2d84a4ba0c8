package field

import (
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/naming"
)

// An Optioned kind holds names of options of its config. Records, defaults and the filters of views
// follow the options when they are renamed or removed.
type Optioned interface {
	Kind
	// HoldsAny is the condition that a column holds one of the names in the placeholder.
	HoldsAny(column, names string) string
	// Rename is the statement that replaces in a table the names in $1 by those in $2, where null
	// removes one.
	Rename(relation, column string) string
	// Names reads the names out of a JSON value, and FromNames makes a value of them; both in the
	// form in which a default is written.
	Names(raw json.RawMessage) ([]string, bool)
	FromNames(names []string) any
}

// option finds an option by its name; typecast also takes another case of letters, and asks for the
// option when there is none.
func (in *Input) option(name string) (string, error) {
	config := &in.Field.Config
	if known, ok := config.FindOption(name); ok {
		return known, nil
	}
	if in.Typecast {
		trimmed := norm.NFC.String(strings.TrimSpace(name))
		key := naming.Key(trimmed)
		for _, o := range config.Options {
			if naming.Key(o.Name) == key {
				return o.Name, nil
			}
		}
		if in.NewOption != nil && trimmed != "" {
			return trimmed, in.NewOption(trimmed)
		}
	}
	names := config.OptionNames()
	return "", fmt.Errorf("%s is not an option%s; the options are %s",
		Quote(name), problem.DidYouMean(name, names), problem.List(names))
}

// list reads an array of strings. With typecast a single string is split at commas.
func (in *Input) list(raw []byte, what string) ([]string, error) {
	var entries []string
	var problem error
	switch kind := jsonvalue.Kind(raw); {
	case kind == jsonvalue.Array:
		jsonvalue.Elements(raw, func(i int, value []byte) bool {
			var s string
			if jsonvalue.Kind(value) != jsonvalue.String {
				problem = fmt.Errorf("must hold %s as strings, but element %d is %s",
					what, i, jsonvalue.Describe(value))
				return false
			}
			s, problem = jsonvalue.Unquote(value)
			entries = append(entries, s)
			return problem == nil && len(entries) <= MaxEntries
		})
	case kind == jsonvalue.String && in.Typecast:
		var s string
		s, problem = jsonvalue.Unquote(raw)
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				entries = append(entries, part)
			}
		}
	default:
		return nil, fmt.Errorf("must be an array of %s, not %s", what, jsonvalue.Describe(raw))
	}
	if problem == nil && len(entries) > MaxEntries {
		problem = fmt.Errorf("must hold at most %d entries", MaxEntries)
	}
	return entries, problem
}

// labels shows options with their colours.
func (c *Config) labels(names []string) []Label {
	labels := make([]Label, len(names))
	for i, name := range names {
		labels[i] = Label{Text: name, Option: c.indexOf(name)}
	}
	return labels
}

// indexOf is the place of an option, or -1.
func (c *Config) indexOf(name string) int {
	for i := range c.Options {
		if c.Options[i].Name == name {
			return i
		}
	}
	return -1
}

// stringsIn lists the strings of a decoded JSON value, which is one or a list.
func stringsIn(value any) []string {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
