package allowlist

import (
	"slices"
	"strconv"
)

// PostgreSQL's planner merges sub-selects and common table expressions into the SELECT around them, and
// replaces each reference to a column by the column's whole expression. It does so before any cost is
// known, and does not stop when it is cancelled. So the size of the resulting statement is computed
// here.

// maxWeight bounds the parts of a statement after all replacements. PostgreSQL needs some 2 KB and 40
// µs for a part.
const maxWeight = 20_000

const (
	// relationWeight is the weight of a table in FROM, because tables can be joined in many orders.
	relationWeight = 250
	// windowWeight is the weight of a window, which needs a sort.
	windowWeight = 80
	// computedWeight is the weight of a column that is not stored in the form in which it is read, such
	// as an identifier of the API.
	computedWeight = 300
	// constantBytes is the length of a constant, in bytes, that weighs as much as a part.
	constantBytes = 100
)

// heavy is more than any statement may weigh. Sums and products stop there.
const heavy = 1 << 30

func add(a, b int) int { return min(a+b, heavy) }

func times(a, b int) int {
	if a > 0 && b > heavy/a {
		return heavy
	}
	return a * b
}

// A weighed is a column and the weight of its expression.
type weighed struct {
	name   string // "" if it is unknown
	weight int
}

// A weighedSource is what a name in FROM, or of a common table expression, stands for.
type weighedSource struct {
	name    string
	columns []weighed
	loose   bool    // the order of the columns is unknown
	total   int     // of a common table expression
	at      float64 // of a common table expression
}

// fenced returns the source as its readers see it, if the planner does not merge it.
func (s weighedSource) fenced() weighedSource {
	s.columns = slices.Clone(s.columns)
	for i := range s.columns {
		s.columns[i].weight = 1
	}
	s.total = 1
	return s
}

// renamed gives the first columns other names.
func (s weighedSource) renamed(to []string) weighedSource {
	if len(to) == 0 {
		return s
	}
	s.columns = slices.Clone(s.columns)
	if s.loose {
		most := heaviest(s.columns)
		for i := range s.columns {
			s.columns[i] = weighed{"", most}
		}
	}
	for i, name := range to {
		if i == len(s.columns) {
			s.columns = append(s.columns, weighed{name, 1})
			continue
		}
		s.columns[i].name = name
	}
	return s
}

func heaviest(columns []weighed) int {
	most := 1
	for _, c := range columns {
		most = max(most, c.weight)
	}
	return most
}

func sum(columns []weighed) int {
	total := 0
	for _, c := range columns {
		total = add(total, c.weight)
	}
	return total
}

// A weightScope is what an expression sees; it is immutable.
type weightScope struct {
	ctes   []weighedSource
	levels [][]weighedSource // of FROM, the innermost last
}

func (s weightScope) inside(from []weighedSource) weightScope {
	return weightScope{s.ctes, append(slices.Clone(s.levels), from)}
}

// A weigher computes the weight of a statement that the walker has accepted.
type weigher struct {
	catalog *Catalog
	// reads is the number of references to a common table expression, by its position in the statement.
	// The planner merges those with one reference.
	reads    map[float64]int
	counting bool    // references; weights are not right yet
	last, at float64 // the last position that was seen, and the first where it was too much
}

// weigh returns the weight of a statement, and the position where it became too much.
func weigh(tree map[string]any, catalog *Catalog) (weight, at int) {
	list, _ := tree["stmts"].([]any)
	w := &weigher{catalog: catalog, reads: map[float64]int{}, at: -1}
	for _, w.counting = range []bool{true, false} {
		w.last, w.at = 0, -1
		weight = w.node(weightScope{}, list)
	}
	return weight, max(int(w.at), 0)
}

// weightless are kinds of nodes that are parts of others.
var weightless = []string{"String", "TypeName", "Alias", "Integer", "Float", "Boolean"}

// node returns the weight of a part of a statement.
func (w *weigher) node(s weightScope, value any) int {
	total := 0
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			total = add(total, w.node(s, item))
		}
	case map[string]any:
		for kind, member := range v {
			total = add(total, w.member(s, kind, member))
		}
	}
	if total > maxWeight && w.at < 0 {
		w.at = w.last
	}
	return total
}

// member returns the weight of a node of a kind, or of a node's member with this name.
func (w *weigher) member(s weightScope, kind string, value any) int {
	content, _ := value.(map[string]any)
	if at, ok := content["location"].(float64); ok && at >= 0 {
		w.last = at
	}
	switch {
	case slices.Contains(weightless, kind):
		return 0
	case kind == "SelectStmt":
		total, _ := w.selected(s, content)
		return total
	case kind == "ColumnRef":
		return w.reference(s, content)
	case kind == "A_Const":
		return 1 + w.constant(content)
	case kind == "A_Expr":
		return w.expression(s, content)
	case kind == "over" || kind == "WindowDef":
		return add(windowWeight, w.node(s, value))
	case kind[0] >= 'A' && kind[0] <= 'Z':
		return add(1, w.node(s, value))
	}
	return w.node(s, value)
}

func (w *weigher) constant(content map[string]any) int {
	text, _ := content["sval"].(map[string]any)
	written, _ := text["sval"].(string)
	return len(written) / constantBytes
}

// expression returns the weight of an operator. The parser repeats the left side of BETWEEN, and of IN for each value
// that is no constant.
func (w *weigher) expression(s weightScope, content map[string]any) int {
	left, right := w.node(s, content["lexpr"]), w.node(s, content["rexpr"])
	switch kind, _ := content["kind"].(string); kind {
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN":
		left = times(2, left)
	case "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
		left, right = times(4, left), times(2, right)
	case "AEXPR_IN":
		list, _ := content["rexpr"].(map[string]any)
		items, _ := list["List"].(map[string]any)
		values, _ := items["items"].([]any)
		repeated := 1
		for _, value := range values {
			if wrapped, _ := value.(map[string]any); wrapped["A_Const"] == nil {
				repeated++
			}
		}
		left = times(repeated, left)
	}
	return add(1, add(left, right))
}

// groupings returns the number of groupings that GROUPING SETS, ROLLUP and CUBE stand for.
func groupings(content map[string]any) int {
	items, _ := content["content"].([]any)
	switch content["kind"] {
	case "GROUPING_SET_CUBE":
		return 1 << min(len(items), 20)
	case "GROUPING_SET_ROLLUP":
		return len(items) + 1
	case "GROUPING_SET_SETS":
		total := 0
		for _, item := range items {
			wrapped, _ := item.(map[string]any)
			set, nested := wrapped["GroupingSet"].(map[string]any)
			if !nested {
				total = add(total, 1)
				continue
			}
			total = add(total, groupings(set))
		}
		return max(total, 1)
	}
	return 1
}

// grouped returns the weight of a GROUP BY, whose parts multiply.
func (w *weigher) grouped(s weightScope, clause any) int {
	items, _ := clause.([]any)
	ways := 1
	for _, item := range items {
		wrapped, _ := item.(map[string]any)
		if set, ok := wrapped["GroupingSet"].(map[string]any); ok {
			ways = times(ways, groupings(set))
		}
	}
	return times(ways, add(1, w.node(s, clause)))
}

// reference returns the weight of a column's expression. A name may stand for several columns, or for a whole row.
func (w *weigher) reference(s weightScope, content map[string]any) int {
	fields, _ := content["fields"].([]any)
	if len(fields) == 0 {
		return 1
	}
	name, isName := stringOf(fields[len(fields)-1])
	qualifier := ""
	if len(fields) > 1 {
		qualifier, _ = stringOf(fields[0])
	}
	most := 1
	for _, level := range s.levels {
		weight := 0
		for _, source := range level {
			if qualifier != "" && source.name != qualifier {
				continue
			}
			if !isName || qualifier == "" && source.name == name { // a star, or a row
				weight = add(weight, sum(source.columns))
				continue
			}
			for _, c := range source.columns {
				switch c.name {
				case name:
					weight = add(weight, c.weight)
				case "":
					most = max(most, c.weight)
				}
			}
		}
		most = max(most, weight)
	}
	return most
}

// selected returns the weight of a SELECT and the weights of its columns.
func (w *weigher) selected(s weightScope, content map[string]any) (total int, out weighedSource) {
	s, total = w.with(s, content["withClause"])
	left, isSet := content["larg"].(map[string]any)
	if isSet {
		right, _ := content["rarg"].(map[string]any)
		var first, second weighedSource
		var weight int
		weight, first = w.selected(s, left)
		total = add(total, weight)
		weight, second = w.selected(s, right)
		total, out = add(total, weight), united(first, second)
	}
	var from []weighedSource
	items, _ := content["fromClause"].([]any)
	for _, item := range items {
		more, weight := w.fromItem(s, from, item)
		from, total = append(from, more...), add(total, weight)
	}
	inner := s.inside(from)
	for name, member := range content {
		switch name {
		case "withClause", "larg", "rarg", "fromClause", "targetList", "valuesLists":
		case "groupClause":
			total = add(total, w.grouped(inner, member))
		default:
			total = add(total, w.node(inner, member))
		}
	}
	switch lists, _ := content["valuesLists"].([]any); {
	case isSet:
	case lists != nil:
		var weight int
		out, weight = w.values(inner, lists)
		total = add(total, weight)
	default:
		out = w.outputs(inner, from, content["targetList"])
		total = add(total, sum(out.columns))
	}
	if total > maxWeight && w.at < 0 {
		w.at = w.last
	}
	return total, out
}

// with returns the scope with the common table expressions, and the weight of those that are computed separately.
func (w *weigher) with(s weightScope, clause any) (inner weightScope, total int) {
	wrapped, _ := clause.(map[string]any)
	ctes, _ := wrapped["ctes"].([]any)
	for _, cte := range ctes {
		wrapped, _ := cte.(map[string]any)
		expression, _ := wrapped["CommonTableExpr"].(map[string]any)
		query, _ := expression["ctequery"].(map[string]any)
		content, _ := query["SelectStmt"].(map[string]any)
		weight, source := w.selected(s, content)
		if names, ok := stringsOf(expression["aliascolnames"]); ok {
			source = source.renamed(names)
		}
		source.name, _ = expression["ctename"].(string)
		source.at, _ = expression["location"].(float64)
		source.total = weight
		how := expression["ctematerialized"]
		if w.counting || how == "CTEMaterializeAlways" || how != "CTEMaterializeNever" && w.reads[source.at] != 1 {
			total, source = add(total, weight), source.fenced()
		}
		s.ctes = append(slices.Clone(s.ctes), source)
	}
	return s, total
}

// united returns the columns of a set operation: references to them are replaced on both sides.
func united(first, second weighedSource) weighedSource {
	out := weighedSource{columns: slices.Clone(first.columns), loose: first.loose || second.loose}
	most := heaviest(second.columns)
	for i := range out.columns {
		other := most
		if i < len(second.columns) && !out.loose {
			other = second.columns[i].weight
		}
		out.columns[i].weight = add(out.columns[i].weight, other)
	}
	return out
}

func (w *weigher) values(s weightScope, lists []any) (out weighedSource, total int) {
	for n, list := range lists {
		wrapped, _ := list.(map[string]any)
		row, _ := wrapped["List"].(map[string]any)
		items, _ := row["items"].([]any)
		for i, item := range items {
			if n == 0 {
				out.columns = append(out.columns, weighed{"column" + strconv.Itoa(i+1), 1})
			}
			weight := w.node(s, item)
			total = add(total, weight)
			if i < len(out.columns) {
				out.columns[i].weight = max(out.columns[i].weight, weight)
			}
		}
	}
	return out, total
}

func (w *weigher) outputs(s weightScope, from []weighedSource, targets any) weighedSource {
	var out weighedSource
	items, _ := targets.([]any)
	for _, item := range items {
		wrapped, _ := item.(map[string]any)
		target, _ := wrapped["ResTarget"].(map[string]any)
		if name, ok := target["name"].(string); ok {
			out.columns = append(out.columns, weighed{name, max(1, w.node(s, target["val"]))})
			continue
		}
		if _, star := starOf(target["val"], scope{}, nil); star {
			qualifier := qualifierOf(target["val"])
			out.loose = out.loose || qualifier == "" && len(from) > 1
			for _, level := range s.levels {
				for _, source := range level {
					if qualifier == "" || source.name == qualifier {
						out.columns, out.loose = append(out.columns, source.columns...), out.loose || source.loose
					}
				}
			}
			continue
		}
		out.columns = append(out.columns, weighed{nameOf(target["val"]), max(1, w.node(s, target["val"]))})
	}
	return out
}
