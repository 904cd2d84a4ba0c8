package naming_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/internal/naming"
)

func TestWordsMeanOneNameOrNone(t *testing.T) {
	t.Parallel()
	operators := []string{"eq", "neq", "gt", "gte", "is_empty", "is_not_empty", "starts_with"}
	functions := []string{"sum", "avg", "percentile", "percent_of_total"}
	keys := []string{"fieldId", "linkFieldId", "filters", "groupBy", "dir"}
	for _, c := range []struct {
		word  string
		names []string
		want  string
	}{
		{"eq", operators, "eq"},
		{">=", operators, "gte"},
		{"after", operators, "gt"},
		{"isEmpty", operators, "is_empty"},
		{"starts with", operators, "starts_with"},
		{"like", operators, ""},
		{"<", operators, ""}, // what it means is not there
		{"", operators, ""},
		{"-_ ", operators, ""},
		{"Average", functions, "avg"},
		{"percentage", functions, "percent_of_total"},
		{"money", []string{"text", "currency"}, "currency"},
		{"a b", []string{"ab", "a-b"}, ""}, // two
		{"a-b", []string{"ab", "a-b"}, "a-b"},
	} {
		if got := naming.Meant(c.word, c.names); got != c.want {
			t.Errorf("%q means %q among %v, not %q", c.word, got, c.names, c.want)
		}
	}
	for word, want := range map[string]string{
		"field": "fieldId", "link": "linkFieldId", "filter": "filters", "group_by": "groupBy", "direction": "dir",
		"fields": "", "description": "", "s": "",
	} {
		if got := naming.MeantKey(word, keys); got != want {
			t.Errorf("the key %q means %q, not %q", word, got, want)
		}
	}
}
