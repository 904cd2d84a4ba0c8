package allowlist

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A family is a group of functions in refusals and in the documentation.
type family struct{ name, functions string }

// families list every function that a statement may call. A function may be here only if its result
// depends only on its arguments, or is the time, or is random; if it can be interrupted; and if its
// result cannot be much longer than its arguments.
var families = []family{
	{"aggregates", "count sum avg min max bool_and bool_or every string_agg array_agg mode percentile_cont " +
		"percentile_disc stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp " +
		"regr_count " +
		"regr_intercept regr_r2 regr_slope"},
	{"windows", "row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value"},
	{"text", "lower upper initcap length char_length character_length octet_length left right substr substring trim " +
		"btrim ltrim rtrim position strpos starts_with split_part concat concat_ws reverse replace regexp_replace " +
		"regexp_match regexp_count regexp_like string_to_array to_char to_number ascii chr"},
	{"numbers", "abs ceil ceiling floor round trunc sign sqrt cbrt power exp ln log log10 mod div degrees radians pi " +
		"sin cos tan asin acos atan atan2 width_bucket random"},
	{"dates", "now date_trunc date_part extract age make_date make_timestamp make_timestamptz make_interval to_date " +
		"to_timestamp justify_days justify_hours justify_interval date_bin timezone"},
	{
		"arrays and JSON",
		"array_length cardinality array_position array_remove array_to_string unnest jsonb_array_elements " +
			"jsonb_array_elements_text jsonb_array_length jsonb_object_keys jsonb_typeof jsonb_extract_path " +
			"jsonb_extract_path_text",
	},
}

// rowFunctions may stand in FROM.
var rowFunctions = []string{"unnest", "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_object_keys"}

// syntaxFunctions are called by SQL's own syntax, in the schema pg_catalog.
var syntaxFunctions = []string{
	"extract", "btrim", "ltrim", "rtrim", "position", "substring", "timezone", "like_escape", "similar_to_escape",
}

var functions = func() map[string]bool {
	known := map[string]bool{}
	for _, f := range families {
		for _, name := range strings.Fields(f.functions) {
			known[name] = true
		}
	}
	return known
}()

// longer are the functions whose result is longer than each argument, with the number of arguments that
// count.
var longer = map[string]int{"concat": 0, "concat_ws": 0, "string_agg": 3, "array_to_string": 1}

// funcCall checks function calls.
func funcCall(w *walker, s scope, at int, content map[string]any) (scope, error) {
	names, ok := stringsOf(content["funcname"])
	if !ok {
		return s, w.refuse(at, "has a part that is not understood")
	}
	name := names[len(names)-1]
	syntax := len(names) == 2 && names[0] == "pg_catalog" && slices.Contains(syntaxFunctions, name)
	if !syntax && (len(names) != 1 || !functions[name]) {
		return s, w.refuse(at, "%s", unknownFunction(strings.Join(names, ".")))
	}
	args, _ := content["args"].([]any)
	for _, arg := range args {
		if wrapped, _ := arg.(map[string]any); wrapped["NamedArgExpr"] != nil {
			return s, w.refuse(at, "arguments are given by position")
		}
	}
	if parts, grows := longer[name]; grows {
		if parts == 0 {
			parts = len(args)
		}
		w.parts += parts
		if name == "string_agg" {
			w.gathered += parts
		}
	}
	w.collects = w.collects || name == "array_agg" || name == "string_agg"
	return s, w.arguments(at, name, args)
}

// fixed are the arguments that must be short constants, by function: replacements for parts of a text,
// and formats of texts.
var fixed = map[string]struct {
	places []int
	what   string
}{
	"replace":         {[]int{2}, "what replace puts in"},
	"regexp_replace":  {[]int{2}, "what regexp_replace puts in"},
	"string_agg":      {[]int{1}, "what string_agg puts between texts"},
	"array_to_string": {[]int{1, 2}, "what array_to_string puts between texts"},
	"to_char":         {[]int{1}, "the form of to_char"},
	// PostgreSQL keeps every time zone that it has read, in a form of 20 KB.
	"timezone":         {[]int{0}, "the time zone"},
	"date_trunc":       {[]int{2}, "the time zone"},
	"make_timestamptz": {[]int{6}, "the time zone"},
}

// numeric are the functions that are slow on long numbers, with their cost.
var numeric = map[string]int{"mod": 1, "div": 1, "sqrt": 4, "exp": 4, "ln": 4, "log": 4, "log10": 4, "cbrt": 1}

// arguments checks how long the results of a function may become.
func (w *walker) arguments(at int, name string, args []any) error {
	rule := fixed[name]
	for _, place := range rule.places {
		if place < len(args) && !shortConstant(args[place]) {
			return w.refuse(at, "%s must be a text of up to %d characters, written out", rule.what, maxReplacement)
		}
	}
	switch {
	case name == "replace" && len(args) > 2:
		w.enlarge((textLength(args[2]) + max(textLength(args[1]), 1) - 1) / max(textLength(args[1]), 1))
	case name == "regexp_replace" && len(args) > 2:
		w.enlarge(1 + textLength(args[2]))
	case name == "concat" || name == "concat_ws":
		w.casts = true
	case name == "power" && len(args) == 2:
		return w.power(at, args[0], args[1])
	case name == "unnest" && len(args) == 1 && !isList(args[0]), name == "string_to_array":
		w.lists++
	case strings.HasPrefix(name, "jsonb_array_elements"):
		w.lists += 2
	}
	return w.multiply(at, numeric[name])
}

// enlarge records that a text may become so many times longer.
func (w *walker) enlarge(times int) { w.factor = min(w.factor*max(times, 1), maxGrowth+1) }

// textLength is the length of a constant text in bytes, or 0.
func textLength(value any) int {
	wrapped, _ := value.(map[string]any)
	content, _ := wrapped["A_Const"].(map[string]any)
	text, _ := content["sval"].(map[string]any)
	written, _ := text["sval"].(string)
	return len(written)
}

// isList reports whether an argument is a literal list, whose length PostgreSQL knows.
func isList(value any) bool {
	wrapped, _ := value.(map[string]any)
	return wrapped["A_ArrayExpr"] != nil
}

const maxReplacement = 50

func shortConstant(value any) bool {
	wrapped, _ := value.(map[string]any)
	if cast, ok := wrapped["TypeCast"].(map[string]any); ok { // such as interval '1 hour'
		return shortConstant(cast["arg"])
	}
	constant, _ := wrapped["A_Const"].(map[string]any)
	text, _ := constant["sval"].(map[string]any)
	content, _ := text["sval"].(string)
	return constant != nil && (text != nil || constant["isnull"] == true) && len([]rune(content)) <= maxReplacement
}

func unknownFunction(name string) string {
	var known, all []string
	for _, f := range families {
		names := strings.Fields(f.functions)
		known = append(known, names...)
		all = append(all, f.name+" ("+strings.Join(names[:3], ", ")+", …)")
	}
	return fmt.Sprintf("the function %s is not allowed%s; there are functions for %s", name,
		problem.DidYouMean(name, known), strings.Join(all, ", "))
}
