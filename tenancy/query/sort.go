package query

import (
	"fmt"
	"slices"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// maxSorts bounds the fields that a list is sorted by.
const maxSorts = 10

// A Sort is one field that a list is sorted by. Empty values come last in either direction; text sorts
// by the Unicode collation algorithm, with digits as numbers, and selects in the order of their
// options.
type Sort struct {
	Field *schema.Field
	Desc  bool
}

// ParseSort reads sorts of the table in the API's form: an array of {fieldId, dir}. Fields are named by
// id or by name; dir is asc, the default, or desc.
func ParseSort(t *schema.Table, path string, raw []byte) ([]Sort, error) {
	sorts, items, err := parseSorts(t, path, raw)
	if err == nil && len(items) > 0 {
		return nil, problem.InvalidItems(items)
	}
	return sorts, err
}

var (
	sortKeys  = []string{"fieldId", "dir"}
	sortNames = []string{"asc", "desc"}
)

// parseSorts returns the valid sorts, and what is wrong with the others.
func parseSorts(t *schema.Table, path string, raw []byte) ([]Sort, []problem.Item, error) {
	raw = jsonvalue.Trim(raw)
	if len(raw) == 0 || jsonvalue.Kind(raw) == jsonvalue.Null {
		return nil, nil, nil
	}
	if err := jsonvalue.Check(raw); err != nil {
		return nil, nil, problem.Invalid(path, "%s", err)
	}
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, nil, problem.Invalid(path, "must be an array of {fieldId, dir}, not %s", jsonvalue.Describe(raw))
	}
	var sorts []Sort
	var items []problem.Item
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
		s, err := parseSort(t, fmt.Sprintf("%s[%d]", path, i), value)
		switch {
		case err != nil:
			items = append(items, err.Items...)
		case slices.ContainsFunc(sorts, func(other Sort) bool { return other.Field == s.Field }):
			items = append(items,
				problem.Invalid(fmt.Sprintf("%s[%d].fieldId", path, i), "%q is sorted by twice", s.Field.Name).Items...)
		case len(sorts) == maxSorts:
			items = append(items, problem.Invalid(path, "must hold at most %d fields", maxSorts).Items...)
			return false
		default:
			sorts = append(sorts, s)
		}
		return len(items) < maxItems
	})
	return sorts, items, nil
}

// Sortable reports whether records can be sorted by a field.
func Sortable(f *schema.Field) bool { return sortExpression(f) != "" }

func parseSort(t *schema.Table, path string, raw []byte) (Sort, *problem.Error) {
	if jsonvalue.Kind(raw) != jsonvalue.Object {
		return Sort{}, problem.Invalid(path, "must be {fieldId, dir}, not %s", jsonvalue.Describe(raw))
	}
	var s Sort
	var fieldID, dir []byte
	var wrong *problem.Error
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		switch naming.MeantKey(key, sortKeys) {
		case "fieldId":
			fieldID = value
		case "dir":
			dir = value
		default:
			wrong = problem.Invalid(path+"."+key, "is not a key of a sort%s; the keys are %s",
				problem.DidYouMean(key, sortKeys), problem.List(sortKeys))
		}
		return wrong == nil
	})
	if err != nil {
		return s, problem.Invalid(path, "%s", err)
	}
	if wrong != nil {
		return s, wrong
	}
	if s.Field, wrong = fieldRef(t, path+".fieldId", fieldID); wrong != nil {
		return s, wrong
	}
	if sortExpression(s.Field) == "" {
		return s, problem.Invalid(path+".fieldId", "%q is %s, which has no order", s.Field.Name, s.Field.Type())
	}
	if dir == nil {
		return s, nil
	}
	name, err := stringOf(dir)
	if meant := naming.Meant(name, sortNames); meant != "" {
		name = meant
	}
	if err != nil || !slices.Contains(sortNames, name) {
		return s, problem.Invalid(path+".dir", "%s is not a direction%s; it is asc or desc",
			dir, problem.DidYouMean(name, sortNames))
	}
	s.Desc = name == "desc"
	return s, nil
}

// SortJSON writes sorts as ParseSort reads them, with fields named by id.
func SortJSON(sorts []Sort) []byte {
	dst := []byte{'['}
	for i, s := range sorts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dir := "asc"
		if s.Desc {
			dir = "desc"
		}
		dst = fmt.Appendf(dst, `{"fieldId":%q,"dir":%q}`, s.Field.PublicID(), dir)
	}
	return append(dst, ']')
}

// orderBy returns the order of a list; ties are broken by record id.
func orderBy(sorts []Sort) []string {
	order := make([]string, 0, len(sorts)+1)
	for _, s := range sorts {
		if head := s.Field.OrderHead("t."); head != "" {
			order = append(order, head+s.direction())
		}
		order = append(order, s.orderBy())
	}
	return append(order, "t.id")
}

// orderBy is the sort in SQL, for the record table under the alias t.
func (s Sort) orderBy() string { return sortExpression(s.Field) + s.direction() }

func (s Sort) direction() string {
	if s.Desc {
		return " desc nulls last"
	}
	return ""
}

// sortExpression is the expression that sorts by a field, for the record table under the alias t; "" if
// the field has no order. An index that serves the sort is on this expression.
func sortExpression(f *schema.Field) string { return f.Order("t.") }
