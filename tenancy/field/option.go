package field

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// An Optioned kind has names of options of its config as values. Records, defaults and the filters of
// views follow when options are renamed or removed.
type Optioned interface {
	Kind
	// HoldsAny is the condition that a column has one of the names in the placeholder.
	HoldsAny(column, names string) string
	// Rename is the statement that replaces in a table the names in $1 by those in $2; null removes a
	// name.
	Rename(relation, column string) string
	// Names reads the names in a JSON value, and FromNames makes a value of names; both in the form of
	// a default.
	Names(raw json.RawMessage) ([]string, bool)
	FromNames(names []string) any
}

// option finds an option by its name; typecast also accepts another case of letters, and asks for a new
// option if there is none.
func (in *Input) option(name string) (string, error) {
	config := &in.Field.Config
	if known, ok := config.FindOption(name); ok {
		return known, nil
	}
	if in.Typecast {
		trimmed := norm.NFC.String(strings.TrimSpace(name))
		if known, ok := config.optionInAnyCase(trimmed); ok {
			return known, nil
		}
		if in.NewOption != nil && trimmed != "" {
			return trimmed, in.NewOption(trimmed)
		}
	}
	names := config.OptionNames()
	return "", fmt.Errorf("%s is not an option%s; the options are %s",
		Quote(name), problem.DidYouMean(name, names), problem.List(names))
}

// optionInAnyCase returns the name of the first option that name names in any case of letters.
func (c *Config) optionInAnyCase(name string) (string, bool) {
	key := naming.Key(norm.NFC.String(name))
	for i := range c.Options {
		if naming.Key(c.Options[i].Name) == key {
			return c.Options[i].Name, true
		}
	}
	return "", false
}

// JoinOptions writes names of options as one text that typecast reads as the same names: as JoinNames
// does, or as JSON if several names could be read as one option with a comma.
func (c *Config) JoinOptions(names []string) string {
	text := JoinNames(names)
	if !slices.Equal(SplitNames(text, c.namesOption), names) {
		return string(AppendStrings(nil, names))
	}
	return text
}

// namesOption reports whether there is an option of a name, in any case of letters.
func (c *Config) namesOption(name string) bool {
	if _, ok := c.FindOption(name); ok {
		return true
	}
	_, ok := c.optionInAnyCase(name)
	return ok
}

// list reads an array of strings. With typecast a single string is a list of names (SplitNames), in
// which options that contain a comma are found before the string is split.
func (in *Input) list(raw []byte, what string, most int) ([]string, error) {
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
			return problem == nil && len(entries) <= most
		})
	case kind == jsonvalue.String && in.Typecast:
		var s string
		if s, problem = jsonvalue.Unquote(raw); problem != nil {
			return nil, problem
		}
		if json.Unmarshal([]byte(s), &entries) == nil { // as earlier exports wrote it
			break
		}
		entries = SplitNames(s, func(name string) bool { return in.Field.Config.namesOption(name) })
	default:
		return nil, fmt.Errorf("must be an array of %s, not %s", what, jsonvalue.Describe(raw))
	}
	if problem == nil && len(entries) > most {
		problem = fmt.Errorf("must hold at most %d entries", most)
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

// indexOf is the position of an option, or -1.
func (c *Config) indexOf(name string) int {
	for i := range c.Options {
		if c.Options[i].Name == name {
			return i
		}
	}
	return -1
}

// PlaceOfOption is the expression for the position, from zero, of the option that an expression names;
// null for none. An index may be on it, so the names are in its text.
func (c *Config) PlaceOfOption(name string) string {
	places := []byte{'{'}
	add := func(name string, place int) {
		if len(places) > 1 {
			places = append(places, ',')
		}
		places = append(AppendString(places, name), ':')
		places = strconv.AppendInt(places, int64(place), 10)
	}
	for i := range c.Options {
		add(c.Options[i].Name, i)
	}
	for _, alias := range slices.Sorted(maps.Keys(c.Aliases)) {
		if known := c.indexOf(c.Aliases[alias]); known >= 0 && !c.HasOption(alias) {
			add(alias, known)
		}
	}
	return "((" + Literal(string(append(places, '}'))) + "::jsonb -> " + name + ")::integer)"
}

// placesOfOptions is PlaceOfOption of each name in an array.
func (c *Config) placesOfOptions(names string) string {
	return "array(select " + c.PlaceOfOption("o.name") + " from unnest(" + names + ") o(name))"
}

// OrderedOptions are the options that determine the order of the field's values: its own, or those that
// a lookup reads.
func (f *Field) OrderedOptions() []Option {
	if f.Computed != nil && f.Computed.Options != nil {
		return f.Computed.Options.Options
	}
	return f.Config.Options
}

// WithOrderedOptions returns a copy of the field whose values are in the order of other options.
func (f *Field) WithOrderedOptions(options []Option) *Field {
	out := *f
	if f.Computed == nil || f.Computed.Options == nil {
		out.Config.Options = options
		return &out
	}
	computed, config := *f.Computed, *f.Computed.Options
	config.Options, computed.Options = options, &config
	out.Computed = &computed
	return &out
}

// optionPlaces reads an array of values of PlaceOfOption.
func optionPlaces(raw []byte) (any, bool) {
	places := []int32{}
	ok := entries(raw, func(entry []byte) bool {
		place, ok := optionPlace(entry)
		places = append(places, place)
		return ok
	})
	return places, ok
}

// optionPlace reads a value of PlaceOfOption.
func optionPlace(raw []byte) (int32, bool) {
	if len(raw) != 4 {
		return 0, false
	}
	return int32(binary.BigEndian.Uint32(raw)), true //nolint:gosec // two's complement
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
