package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// CheckDefault validates the default in a field's new config. before is the field before the change, or
// nil. It accepts a default that was already invalid unless the request sets it, because creations
// ignore such a default.
func (c *Change) CheckDefault(ctx context.Context, path string, f, before *schema.Field) error {
	raw := f.Config.Default
	if len(raw) == 0 {
		return nil
	}
	path += ".default"
	given := before == nil || !sameJSON(raw, before.Config.Default)
	if size := jsonvalue.JSONBSize(raw); given && size > field.MaxDefault {
		return problem.Invalid(path, "must be at most %d bytes of JSON with its numbers written out, not %d",
			field.MaxDefault, size)
	}
	value, err := field.DecodeDefault(&f.Field, bytes.TrimSpace(raw))
	if err != nil {
		if !given {
			if _, former := field.DecodeDefault(&before.Field, bytes.TrimSpace(raw)); former != nil {
				return nil
			}
		}
		return problem.Invalid(path, "%s", err)
	}
	if value == nil {
		f.Config.Default = nil
		return nil
	}
	people, _ := value.([]uuid.UUID)
	if !given || len(people) == 0 {
		return nil
	}
	var stranger *uuid.UUID
	err = c.QueryRow(ctx, `select (select p from unnest($2::uuid[]) p
		where not exists (select from rowhouse.member m where m.org_id = $1 and m.person_id = p) limit 1)`,
		c.Org, people).Scan(&stranger)
	if err != nil {
		return fmt.Errorf("looking for the members of a default: %w", err)
	}
	if stranger != nil {
		return problem.Invalid(path, "%q is not a member of the organization", id.Format(id.User, *stranger))
	}
	return nil
}

// sameJSON reports whether two values are equal except for white space.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// followOptions applies a change of options to the field's default, as to records: it renames a renamed
// option, and removes a removed one.
func followOptions(c *schema.Config, kind field.Kind, before *schema.Config, renamed map[string]string) error {
	optioned, ok := kind.(field.Optioned)
	if !ok || len(c.Default) == 0 || !sameJSON(c.Default, before.Default) {
		return nil
	}
	names, ok := optioned.Names(c.Default)
	if !ok {
		return nil // it was never valid
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
	raw, err := json.Marshal(optioned.FromNames(kept))
	if err != nil {
		return fmt.Errorf("encoding the default: %w", err)
	}
	c.Default = raw
	return nil
}
