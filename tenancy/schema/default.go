package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/jsonb"
)

// MaxDefault is the longest default of a field, in bytes of JSON with its numbers written out: every new record repeats it.
const MaxDefault = 10_000

// A DefaultReader reads a field's default by the rules of its values. It returns the people that the default names, and whether it is no
// value at all. An error's text says what is wrong with the value.
type DefaultReader func(f *Field) (people []uuid.UUID, empty bool, err error)

// ReadDefaultsWith tells the store, and those that share its memory, how defaults are read. Package record knows what a value is.
func (s *Store) ReadDefaultsWith(read DefaultReader) { s.defaults.Store(&read) }

// CheckDefault holds the default in a field's new config against the field's own rules. before is the field as it was, or nil. A
// default that did not fit the field before, either, is left alone unless it is given anew: creations ignore it.
func (c *Change) CheckDefault(ctx context.Context, path string, f, before *Field) error {
	raw := f.Config.Default
	if len(raw) == 0 {
		return nil
	}
	path += ".default"
	given := before == nil || !sameJSON(raw, before.Config.Default)
	if size := jsonb.Size(raw); given && size > MaxDefault {
		return problem.Invalid(path, "must be at most %d bytes of JSON with its numbers written out, not %d", MaxDefault, size)
	}
	if c.readDefault == nil {
		return nil
	}
	people, empty, err := c.readDefault(f)
	if err != nil {
		if !given {
			if _, _, former := c.readDefault(before); former != nil {
				return nil
			}
		}
		return problem.Invalid(path, "%s", err)
	}
	if empty {
		f.Config.Default = nil
		return nil
	}
	if !given || len(people) == 0 {
		return nil
	}
	var stranger uuid.UUID
	err = c.QueryRow(ctx, `select coalesce((select p from unnest($2::uuid[]) p
		where not exists (select from rowhouse.member m where m.org_id = $1 and m.person_id = p) limit 1), $3)`,
		c.Org, people, uuid.Nil).Scan(&stranger)
	if err != nil {
		return fmt.Errorf("looking for the members of a default: %w", err)
	}
	if stranger != uuid.Nil {
		return problem.Invalid(path, "%q is not a member of the organization", id.Format(id.User, stranger))
	}
	return nil
}

// sameJSON reports whether two values differ in nothing but white space.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// followOptions makes a default follow the options of its select field: a renamed option is renamed in it, and a removed one leaves it, as
// records do. It changes nothing else of the config.
func (c *Config) followOptions(t Type, before *Config, renamed map[string]string) error {
	if (t != SingleSelect && t != MultiSelect) || len(c.Default) == 0 || !sameJSON(c.Default, before.Default) {
		return nil
	}
	names, list := []string{}, t == MultiSelect
	if list {
		if json.Unmarshal(c.Default, &names) != nil {
			return nil // it never fitted
		}
	} else {
		names = []string{""}
		if json.Unmarshal(c.Default, &names[0]) != nil {
			return nil
		}
	}
	kept := names[:0]
	for _, name := range slices.Clone(names) {
		if after, ok := renamed[name]; ok {
			name = after
		} else if before.HasOption(name) && !c.HasOption(name) {
			continue
		}
		kept = append(kept, name)
	}
	if len(kept) == 0 {
		c.Default = nil
		return nil
	}
	var value any = kept
	if !list {
		value = kept[0]
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encoding the default: %w", err)
	}
	c.Default = raw
	return nil
}
