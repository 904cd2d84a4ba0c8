package query

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// FilterReader returns the reader of the filters and sorts of computed fields for package schema.
func FilterReader() schema.FilterReader {
	return schema.FilterReader{Read: readCondition, Order: readOrder, Rule: readRule}
}

// readOrder reads the sorts of a lookup.
func readOrder(t *schema.Table, path string, raw []byte) (schema.Order, error) {
	sorts, err := ParseSort(t, path, raw)
	if err != nil || len(sorts) == 0 {
		return schema.Order{}, err
	}
	out := schema.Order{Sorts: SortJSON(sorts)}
	for _, s := range sorts {
		out.Fields = append(out.Fields, s.Field)
		out.SQL += s.orderBy() + ", "
	}
	return out, nil
}

// readCondition reads the filter of a computed field, which has no parameters and does not depend on
// the time.
func readCondition(t *schema.Table, path string, raw []byte) (schema.Condition, error) {
	filter, err := ParseFilter(t, path, raw)
	if err != nil {
		return schema.Condition{}, err
	}
	l := &literals{}
	out := schema.Condition{SQL: filter.condition(l), Filter: filter.JSON(), Fields: filter.fields(nil)}
	if l.usesNow {
		return schema.Condition{}, problem.Invalid(path, "compares with a day that depends on today, which the filter "+
			"of a computed field cannot; name the day, or compute the condition in a formula")
	}
	if l.err != nil {
		return schema.Condition{}, fmt.Errorf("writing the filter of a computed field: %w", l.err)
	}
	return out, nil
}

// literals write the arguments of a condition into its text. Their context determines their types.
type literals struct {
	usesNow bool
	err     error
}

// Add returns the value as a literal.
func (l *literals) Add(value any) string {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case []string:
		text = arrayOf(v)
	case []float64:
		text = arrayOf(v)
	case []int64:
		text = "{" + strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ","), "[]") + "}"
	case []uuid.UUID:
		text = arrayOf(v)
	case time.Time:
		text = v.UTC().Format(time.RFC3339Nano)
	case float64, int64, bool:
		text = fmt.Sprint(v)
	default:
		l.err = fmt.Errorf("no literal for %T", value)
	}
	return field.Literal(text)
}

// Now records that the condition needs the time, which a text that outlives the request must not contain.
func (l *literals) Now() time.Time {
	l.usesNow = true
	return time.Now()
}

func arrayOf[T any](values []T) string {
	var a field.Array
	for _, v := range values {
		a.Add(v)
	}
	return a.String()
}
