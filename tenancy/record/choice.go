package record

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/naming"
)

// option finds an option by its name; typecast also takes another case of letters, and asks for the option when there is none.
func (d *decoder) option(name string) (string, error) {
	if known, ok := d.field.Config.FindOption(name); ok {
		return known, nil
	}
	if d.typecast {
		trimmed := norm.NFC.String(strings.TrimSpace(name))
		key := naming.Key(trimmed)
		for _, o := range d.field.Config.Options {
			if naming.Key(o.Name) == key {
				return o.Name, nil
			}
		}
		if d.missing != nil && trimmed != "" {
			return trimmed, d.missing(d.field, trimmed)
		}
	}
	names := d.field.Config.OptionNames()
	return "", fmt.Errorf("%s is not an option%s; the options are %s", quoted(name), problem.DidYouMean(name, names), problem.List(names))
}

func (d *decoder) choice(raw []byte) (any, error) {
	if kind(raw) != 's' {
		if !d.typecast || kind(raw) == 'o' || kind(raw) == 'a' {
			return nil, fmt.Errorf("must be the name of an option as a string, not %s", kindName(raw))
		}
		return d.option(string(raw))
	}
	name, err := unquote(raw)
	if err != nil {
		return nil, err
	}
	return d.option(name)
}

// list reads an array of strings. With typecast a single string is split at commas.
func (d *decoder) list(raw []byte, what string) ([]string, error) {
	var entries []string
	var problem error
	switch {
	case kind(raw) == 'a':
		elements(raw, func(i int, value []byte) bool {
			var s string
			if kind(value) != 's' {
				problem = fmt.Errorf("must hold %s as strings, but element %d is %s", what, i, kindName(value))
				return false
			}
			s, problem = unquote(value)
			entries = append(entries, s)
			return problem == nil && len(entries) <= maxChoices
		})
	case kind(raw) == 's' && d.typecast:
		var s string
		s, problem = unquote(raw)
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				entries = append(entries, part)
			}
		}
	default:
		return nil, fmt.Errorf("must be an array of %s, not %s", what, kindName(raw))
	}
	if problem == nil && len(entries) > maxChoices {
		problem = fmt.Errorf("must hold at most %d entries", maxChoices)
	}
	return entries, problem
}

func (d *decoder) choices(raw []byte) (any, error) {
	names, err := d.list(raw, "names of options")
	if err != nil {
		return nil, err
	}
	seen := make([]string, 0, len(names))
	for _, name := range names {
		known, err := d.option(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, known) {
			if d.typecast {
				continue
			}
			return nil, fmt.Errorf("holds %s twice", quoted(known))
		}
		seen = append(seen, known)
	}
	if len(seen) == 0 {
		return nil, nil
	}
	return seen, nil
}
