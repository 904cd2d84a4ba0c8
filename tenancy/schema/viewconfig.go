package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

// ViewConfig is the configuration of a view. Known keys are validated when they are written, and
// name fields by id from then on; unknown keys are kept as they are.
type ViewConfig map[string]json.RawMessage

// maxViewConfig bounds a stored config, in bytes.
const maxViewConfig = 64 << 10

// A viewKey is a known key of a view's config.
type viewKey struct {
	// check validates a value, and names fields in it by id; nil for what ViewPatch.Check validates, because its
	// grammar belongs to package query.
	check func(t *Table, path string, value json.RawMessage) (json.RawMessage, error)
	// loss is what the view does once a field goes that the value names, before its name; "" if nobody misses
	// the value.
	loss string
}

// viewKeys has each known key of a view's config. Add a new key here.
var viewKeys = map[string]viewKey{
	"filters":          {nil, ""}, // see storedFilter
	"sorts":            {nil, "no longer sort by"},
	"groupBy":          {groupFields, "no longer group by"},
	"aggregates":       {aggregateNames, ""},
	"colorRules":       {nil, ""}, // each has a filter
	"colorFieldId":     {oneField, "no longer colour records by"},
	"hiddenFields":     {fieldList, ""},
	"fieldOrder":       {fieldList, ""},
	"requiredFields":   {fieldList, "no longer require"},
	"coverFieldId":     {oneField, "no longer show covers from"},
	"stackFieldId":     {oneField, "have no stacks without"},
	"stackLimits":      {stackLimits, "no longer limit stacks of"},
	"startFieldId":     {oneField, "show no records on days without"},
	"endFieldId":       {oneField, "no longer show ends from"},
	"laneFieldId":      {oneField, "no longer make lanes of"},
	"dependsOnFieldId": {oneField, "no longer draw dependencies by"},
	"timeScale":        {scaleOf(timeScales), ""},
	"calendarScale":    {scaleOf(calendarScales), ""},
	"chart":            {chartConfig, "no longer chart"},
	"rowHeight":        {rowHeight, ""},
	"frozenColumns":    {frozenColumns, ""},
	"columnWidths":     {columnWidths, ""},
	"title":            {shortText, ""},
	"description":      {shortText, ""},
	"submitLabel":      {shortText, ""},
	"successMessage":   {shortText, ""},
	"closedMessage":    {shortText, ""},
	"formFields":       {formFields, "lose the settings of its form for"},
	"redirectUrl":      {redirectURL, ""},
	"closesTime":       {closesTime, ""},
	"maxAnswers":       {maxAnswers, ""},
	"prefill":          {boolean, ""},
	"editAnswers":      {boolean, ""},
}

var knownViewKeys = slices.Sorted(maps.Keys(viewKeys))

// ViewKeys lists the known keys of a view's config.
func ViewKeys() []string { return slices.Clone(knownViewKeys) }

// meantViewKey returns the known key that an unknown one probably means: one misspelled, or one named after its field,
// as stackBy and stackField for stackFieldId. It returns "" if none is that near.
func meantViewKey(key string) string {
	if _, known := viewKeys[key]; known {
		return ""
	}
	for _, ending := range []string{"By", "Field", "FieldName", "Date"} {
		stem, named := strings.CutSuffix(key, ending)
		if !named || len(stem) < 3 {
			continue
		}
		for _, known := range []string{
			"coverFieldId", "stackFieldId", "startFieldId", "endFieldId", "laneFieldId", "groupBy", "sorts", "filters",
		} {
			if strings.HasPrefix(known, stem) {
				return known
			}
		}
	}
	return problem.LikelyMisspelling(key, knownViewKeys)
}

// KeyLoss says what a view stops doing when a field that the key of its config names is deleted, as in "group by"; ""
// for keys that name no field.
func KeyLoss(key string) string { return viewKeys[key].loss }

// check validates the known keys of a config that is being written and returns it with fields named
// by id. null is allowed for every key. An unknown key that is nearly a known one is read as that if
// it certainly means it, and else refused, because the view would silently ignore it. It lists all
// that is wrong.
func (c ViewConfig) check(t *Table) (ViewConfig, []problem.Item) {
	out := ViewConfig{}
	var items []problem.Item
	for _, key := range c.SortedKeys() {
		value := c[key]
		if len(key) > 64 {
			items = append(items, problem.Item{Path: "config", Message: "a key is longer than 64 bytes"})
			continue
		}
		if meant := meantViewKey(key); meant != "" {
			if _, both := c[meant]; both || naming.MeantKey(key, knownViewKeys) != meant {
				items = append(items, problem.Item{Path: "config." + key, Message: fmt.Sprintf(
					"is not a key of a view; did you mean %q? Custom keys are kept, "+
						"but not one that looks like a misspelling", meant)})
				continue
			}
			key = meant
		}
		if validate := viewKeys[key].check; validate != nil && !bytes.Equal(value, []byte("null")) {
			var err error
			if value, err = validate(t, "config."+key, value); err != nil {
				items = append(items, itemsOf(err)...)
				continue
			}
		}
		out[key] = value
	}
	return out, items
}

func itemsOf(err error) []problem.Item {
	var wrong *problem.Error
	if errors.As(err, &wrong) {
		return wrong.Items
	}
	return nil
}

// Problems returns which of the known keys, apart from filters and sorts, no longer fit the table.
func (c ViewConfig) Problems(t *Table) []problem.Item {
	var items []problem.Item
	for _, key := range c.SortedKeys() {
		validate := viewKeys[key].check
		if validate == nil || bytes.Equal(c[key], []byte("null")) {
			continue
		}
		_, err := validate(t, "config."+key, c[key])
		items = append(items, itemsOf(err)...)
	}
	return items
}

func (c ViewConfig) CheckSize() error {
	if jsonvalue.JSONBSize(jsonvalue.Must(c)) > maxViewConfig {
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
	return jsonvalue.Must(ids), nil
}

// maxGroupFields bounds the fields that a view groups by, as it bounds those of an aggregation.
const maxGroupFields = 3

func groupFields(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	value, err := fieldList(t, path, value)
	if err != nil {
		return nil, err
	}
	var ids []string
	if json.Unmarshal(value, &ids) != nil || len(ids) > maxGroupFields {
		return nil, problem.Invalid(path, "must name at most %d fields", maxGroupFields)
	}
	for _, public := range ids {
		if f := t.FieldByID(public); !f.Serves("groupBy") {
			return nil, problem.Invalid(path, "%q is %s, which cannot be grouped by", f.Name, f.Type())
		}
	}
	return value, nil
}

// viewAggregates are the functions that a view can show of a field: those of an aggregation, and how many values are
// empty or filled.
var viewAggregates = []string{
	"count", "empty", "percent_filled", "distinct", "sum", "avg", "median", "min", "max",
}

// Aggregates reports whether a view can show a function of the field.
func (f *Field) Aggregates(name string) bool {
	switch name {
	case "empty", "percent_filled":
		name = "count"
	case "distinct":
		return f.Column() != "" && f.Order("") != ""
	case "median":
		name = "avg"
	}
	return field.FindAggregate(f.Kind, name) != nil
}

// aggregateNames checks an object of field ids and the function that each column shows.
func aggregateNames(t *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var names map[string]string
	if json.Unmarshal(value, &names) != nil {
		return nil, problem.Invalid(path, "must be an object of field ids and names of functions")
	}
	out := map[string]string{}
	for ref, name := range names {
		f, err := t.FieldRef(path, ref)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(viewAggregates, name) {
			return nil, problem.Invalid(path+"."+ref, "%q is not a function%s; the functions are %s", name,
				problem.DidYouMean(name, viewAggregates), problem.List(viewAggregates))
		}
		if !f.Aggregates(name) {
			return nil, problem.Invalid(path+"."+ref, "%q is %s, which has no %s", f.Name, f.Type(), name)
		}
		out[f.PublicID()] = name
	}
	return jsonvalue.Must(out), nil
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
	if !f.Serves(strings.TrimPrefix(path, "config.")) {
		return nil, problem.Invalid(path, "a field of type %s cannot serve here", f.Type())
	}
	return jsonvalue.Must(f.PublicID()), nil
}

// Serves reports whether a key of a view may name the field.
func (f *Field) Serves(key string) bool {
	switch key {
	case "sorts":
		return f.Order("") != ""
	case "groupBy":
		return f.CanGroup()
	case "colorFieldId":
		return f.Type() == "single_select"
	case "laneFieldId":
		return f.makesLanes()
	case "dependsOnFieldId":
		return f.linksOwnTable()
	}
	role, limited := map[string]field.Role{
		"coverFieldId": field.RoleCover,
		"stackFieldId": field.RoleStack,
		"startFieldId": field.RoleStart,
		"endFieldId":   field.RoleEnd,
	}[key]
	return !limited || slices.Contains(f.Info().Roles, role)
}

// Serves reports whether a key of the config may go on naming the field as it does.
func (c ViewConfig) Serves(key string, f *Field) bool {
	if key == "chart" {
		return chartServes(c[key], f)
	}
	return f.Serves(key)
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
	return jsonvalue.Must(out), nil
}

func shortText(_ *Table, path string, value json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(value, &text) != nil || len(text) > 4000 {
		return nil, problem.Invalid(path, "must be a string of at most 4000 bytes")
	}
	return value, nil
}

// Without returns the config without any mention of a field, and whether that changed anything.
// Filters stay unchanged, because a view that lost a condition would show records that it hid. A colour rule that
// mentions the field goes as a whole, because without a condition it would colour others.
func (c ViewConfig) Without(f *Field) (ViewConfig, bool) {
	public := f.PublicID()
	out, changed := ViewConfig{}, false
	for key, value := range c {
		if _, known := viewKeys[key]; !known || key == "filters" || !bytes.Contains(value, []byte(public)) {
			out[key] = value
			continue
		}
		changed = true
		if key == "colorRules" {
			if kept := c.colorRulesWithout(public); len(kept) > 0 {
				out[key] = jsonvalue.Must(kept)
			}
			continue
		}
		var parsed any
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber() // numbers keep their digits
		if decoder.Decode(&parsed) != nil {
			continue
		}
		if kept, ok := prune(parsed, public); ok {
			out[key] = jsonvalue.Must(kept)
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

// WithoutMissing returns the config without mentions of fields that the table does not have. As in
// without, filters stay.
func (c ViewConfig) WithoutMissing(t *Table) ViewConfig {
	for _, public := range mentioned.FindAllString(string(jsonvalue.Must(c)), -1) {
		if u, err := id.Parse(id.Field, public); err == nil && t.FieldByID(public) == nil {
			c, _ = c.Without(&Field{ID: u})
		}
	}
	return c
}
