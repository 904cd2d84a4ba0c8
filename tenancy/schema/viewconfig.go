package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/jsonb"
)

// ViewConfig is the configuration of a view. Known keys are validated when they are written, and
// name fields by id from then on; unknown keys are kept as they are.
type ViewConfig map[string]json.RawMessage

// maxViewConfig bounds a stored config, in bytes.
const maxViewConfig = 64 << 10

// viewKeys defines each known key of a view's config. Add a new key here. ViewPatch.Check checks
// filters and sorts, whose grammar belongs to package query.
var viewKeys = map[string]func(t *Table, path string, value json.RawMessage) (json.RawMessage, error){
	"filters":        nil,
	"sorts":          nil,
	"groupBy":        fieldList,
	"hiddenFields":   fieldList,
	"fieldOrder":     fieldList,
	"requiredFields": fieldList,
	"coverFieldId":   oneField,
	"stackFieldId":   oneField,
	"startFieldId":   oneField,
	"endFieldId":     oneField,
	"rowHeight":      rowHeight,
	"frozenColumns":  frozenColumns,
	"columnWidths":   columnWidths,
	"title":          shortText,
	"description":    shortText,
	"submitLabel":    shortText,
	"successMessage": shortText,
}

var knownViewKeys = slices.Sorted(maps.Keys(viewKeys))

// check validates the known keys of a config that is being written and returns it with fields named
// by id. null is allowed for every key. An unknown key that is nearly a known one is refused,
// because the view would silently ignore it.
func (c ViewConfig) check(t *Table) (ViewConfig, error) {
	out := ViewConfig{}
	for _, key := range c.sortedKeys() {
		value := c[key]
		if len(key) > 64 {
			return nil, problem.Invalid("config", "a key is longer than 64 bytes")
		}
		if meant := problem.LikelyMisspelling(key, knownViewKeys); meant != "" {
			return nil, problem.Invalid("config."+key,
				"is not a key of a view; did you mean %q? Custom keys are kept, "+
					"but not one that looks like a misspelling", meant)
		}
		if validate := viewKeys[key]; validate != nil && !bytes.Equal(value, []byte("null")) {
			var err error
			if value, err = validate(t, "config."+key, value); err != nil {
				return nil, err
			}
		}
		out[key] = value
	}
	return out, nil
}

// Problems returns which of the known keys, apart from filters and sorts, no longer fit the table.
func (c ViewConfig) Problems(t *Table) []problem.Item {
	var items []problem.Item
	for _, key := range c.sortedKeys() {
		validate := viewKeys[key]
		if validate == nil || bytes.Equal(c[key], []byte("null")) {
			continue
		}
		var wrong *problem.Error
		if _, err := validate(t, "config."+key, c[key]); errors.As(err, &wrong) {
			items = append(items, wrong.Items...)
		}
	}
	return items
}

func (c ViewConfig) checkSize() error {
	if jsonb.Size(raw(c)) > maxViewConfig {
		return problem.Invalid("config", "must be at most %d bytes in all, with numbers written out", maxViewConfig)
	}
	return nil
}

// FieldRef returns the field that a reference names by id or exact name, or an error at path with
// the valid names.
func (t *Table) FieldRef(path, ref string) (*Field, error) {
	if f := t.FieldByID(ref); f != nil {
		return f, nil
	}
	if f := t.FieldByName(ref); f != nil {
		return f, nil
	}
	names := t.FieldNames()
	return nil, problem.Invalid(path, "the table has no field %q%s; its fields are %s",
		ref, problem.DidYouMean(ref, names), problem.List(names))
}

func fieldList(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var refs []string
	if json.Unmarshal(value, &refs) != nil {
		return nil, problem.Invalid(path, "must be an array of field ids")
	}
	ids := make([]string, 0, len(refs))
	seen := map[*Field]bool{}
	for _, ref := range refs {
		f, err := t.FieldRef(path, ref)
		if err != nil {
			return nil, err
		}
		if seen[f] {
			return nil, problem.Invalid(path, "names the field %q twice", f.Name)
		}
		seen[f] = true
		ids = append(ids, f.PublicID())
	}
	return raw(ids), nil
}

func oneField(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var ref string
	if json.Unmarshal(value, &ref) != nil {
		return nil, problem.Invalid(path, "must be a field id")
	}
	f, err := t.FieldRef(path, ref)
	if err != nil {
		return nil, err
	}
	role := map[string]field.Role{
		"config.coverFieldId": field.RoleCover,
		"config.stackFieldId": field.RoleStack,
		"config.startFieldId": field.RoleStart,
		"config.endFieldId":   field.RoleEnd,
	}[path]
	if !slices.Contains(f.Info().Roles, role) {
		return nil, problem.Invalid(path, "a field of type %s cannot serve here", f.Type())
	}
	return raw(f.PublicID()), nil
}

func rowHeight(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var height string
	if json.Unmarshal(value, &height) == nil {
		switch height {
		case "short", "medium", "tall", "extra_tall":
			return value, nil
		}
	}
	return nil, problem.Invalid(path, "must be short, medium, tall or extra_tall")
}

func frozenColumns(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var n int
	if json.Unmarshal(value, &n) != nil || n < 0 || n > 10 {
		return nil, problem.Invalid(path, "must be a whole number from 0 to 10")
	}
	return value, nil
}

func columnWidths(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var widths map[string]float64
	if json.Unmarshal(value, &widths) != nil {
		return nil, problem.Invalid(path, "must be an object of field ids and widths in pixels")
	}
	out := map[string]float64{}
	for ref, width := range widths {
		f, err := t.FieldRef(path, ref)
		if err != nil {
			return nil, err
		}
		if width < 40 || width > 2000 {
			return nil, problem.Invalid(path+"."+ref, "must be a number of pixels from 40 to 2000")
		}
		out[f.PublicID()] = width
	}
	return raw(out), nil
}

func shortText(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(value, &text) != nil || len(text) > 4000 {
		return nil, problem.Invalid(path, "must be a string of at most 4000 bytes")
	}
	return value, nil
}

// without returns the config without any mention of a field, and whether that changed anything.
// Filters stay unchanged, because a view that lost a condition would show records that it hid.
func (c ViewConfig) without(f *Field) (ViewConfig, bool) {
	public := f.PublicID()
	out, changed := ViewConfig{}, false
	for key, value := range c {
		if _, known := viewKeys[key]; !known || key == "filters" || !bytes.Contains(value, []byte(public)) {
			out[key] = value
			continue
		}
		changed = true
		var parsed any
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber() // numbers keep their digits
		if decoder.Decode(&parsed) != nil {
			continue
		}
		if kept, ok := prune(parsed, public); ok {
			out[key] = raw(kept)
		}
	}
	return out, changed
}

// prune removes from a JSON value strings equal to the field's id, members named by it, and filter
// or sort elements whose fieldId it is. ok is false if nothing remains of the value.
func prune(value any, public string) (kept any, ok bool) {
	switch v := value.(type) {
	case string:
		return v, v != public
	case []any:
		out := []any{}
		for _, element := range v {
			if kept, ok := prune(element, public); ok {
				out = append(out, kept)
			}
		}
		return out, len(out) > 0 || len(v) == 0
	case map[string]any:
		if v["fieldId"] == public {
			return nil, false
		}
		out := map[string]any{}
		for key, member := range v {
			if key == public {
				continue
			}
			if kept, ok := prune(member, public); ok {
				out[key] = kept
			}
		}
		return out, len(out) > 0 || len(v) == 0
	}
	return value, true
}

// withOptions returns the config with renamed options in the conditions of a field, and whether
// that changed anything.
func (c ViewConfig) withOptions(f *Field, renamed map[string]string) (ViewConfig, bool) {
	value := c["filters"]
	if len(renamed) == 0 || !bytes.Contains(value, []byte(f.PublicID())) {
		return c, false
	}
	var parsed any
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber() // numbers keep their digits
	if decoder.Decode(&parsed) != nil || !renameOptions(parsed, f.PublicID(), renamed) {
		return c, false
	}
	out := maps.Clone(c)
	out["filters"] = raw(parsed)
	return out, true
}

// renameOptions changes the conditions of a field in a filter, in place.
func renameOptions(value any, field string, renamed map[string]string) (changed bool) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			changed = renameOptions(element, field, renamed) || changed
		}
	case map[string]any:
		if v["fieldId"] != field {
			for _, group := range []string{"and", "or"} {
				changed = renameOptions(v[group], field, renamed) || changed
			}
			return changed
		}
		one := func(value any) any {
			if name, is := value.(string); is {
				if after, ok := renamed[name]; ok {
					changed = true
					return after
				}
			}
			return value
		}
		if list, is := v["value"].([]any); is {
			for i := range list {
				list[i] = one(list[i])
			}
			return changed
		}
		if _, given := v["value"]; given {
			v["value"] = one(v["value"])
		}
	}
	return changed
}
