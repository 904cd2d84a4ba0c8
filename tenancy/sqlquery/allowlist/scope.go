package allowlist

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// PostgreSQL reads s.name as name(s) if s has no column of that name, which would call any function. So
// the walker knows the columns of every name in FROM, and where they are visible, and refuses a column
// that it does not know.

// columns are the columns of a relation, in their order unless loose is set.
type columns struct {
	names []string
	loose bool
}

// A source is what a name in FROM stands for.
type source struct {
	name    string
	columns columns
}

// A scope is what an expression sees; it is immutable.
type scope struct {
	ctes   []source
	levels [][]source // of FROM, the innermost last
}

func (s scope) cte(name string) *source {
	for _, one := range slices.Backward(s.ctes) {
		if one.name == name {
			return &one
		}
	}
	return nil
}

func (s scope) withCTE(name string, of columns) scope {
	return scope{append(slices.Clone(s.ctes), source{name, of}), s.levels}
}

// inside is the scope of expressions of a SELECT over these sources.
func (s scope) inside(from []source) scope {
	return scope{s.ctes, append(slices.Clone(s.levels), from)}
}

// source finds what a name stands for, in the innermost SELECT that has it.
func (s scope) source(name string) *source {
	for _, level := range slices.Backward(s.levels) {
		for i := range level {
			if level[i].name == name {
				return &level[i]
			}
		}
	}
	return nil
}

// columnRef checks a column of FROM, or an unqualified name.
func columnRef(w *walker, s scope, at int, content map[string]any) (scope, error) {
	fields, _ := content["fields"].([]any)
	switch len(fields) {
	case 1:
		return s, nil
	case 2:
	default:
		return s, w.refuse(at, "columns are named as column or table.column")
	}
	qualifier, ok := stringOf(fields[0])
	if !ok {
		return s, w.refuse(at, "has a part that is not understood")
	}
	of := s.source(qualifier)
	if of == nil {
		return s, w.refuse(at, "missing FROM-clause entry for table %q", qualifier)
	}
	name, isName := stringOf(fields[1])
	if isName && !slices.Contains(of.columns.names, name) {
		return s, w.refuse(at, "column %s.%s does not exist%s", qualifier, name,
			columnsHint(name, of.columns.names)+w.linksHint())
	}
	return s, nil
}

// linksHint names the tables with the links of those that the statement reads.
func (w *walker) linksHint() string {
	links := w.links()
	if len(links) == 0 {
		return ""
	}
	return "; links are in the tables " + problem.List(links)
}

func (w *walker) links() (links []string) {
	for _, name := range w.catalog.names() {
		if of, _, ok := strings.Cut(name, "__"); ok && w.catalog.relation(of) != nil &&
			slices.Contains(w.relations, w.catalog.relation(of)) {
			links = append(links, name)
		}
	}
	return links
}

func columnsHint(name string, names []string) string {
	known := slices.DeleteFunc(slices.Clone(names), func(one string) bool { return one == "" })
	if len(known) == 0 {
		return ""
	}
	return problem.DidYouMean(name, known) + "; its columns are " + problem.List(known)
}

// selectMembers checks the members of a SELECT, FROM first, and leaves its columns in w.outputs.
func (w *walker) selectMembers(s scope, at int, content map[string]any, allowed map[string]check) error {
	var from []source
	if items, ok := content["fromClause"].([]any); ok {
		for _, item := range items {
			more, err := w.fromItem(s, from, at, item)
			if err != nil {
				return err
			}
			from = append(from, more...)
		}
	}
	var outputs *columns
	for _, name := range slices.Sorted(maps.Keys(content)) {
		switch name {
		case "fromClause":
			if _, ok := content[name].([]any); !ok {
				return w.refuse(at, "has a part that is not understood")
			}
		case "larg", "rarg":
			if err := allowed[name](w, s, at, content[name]); err != nil {
				return err
			}
			if name == "larg" {
				outputs = new(w.outputs)
			}
		default:
			err := w.each(s.inside(from), at, "SelectStmt", map[string]any{name: content[name]}, allowed)
			if err != nil {
				return err
			}
		}
	}
	switch {
	case outputs != nil:
		w.outputs = *outputs
	case content["valuesLists"] != nil:
		w.outputs = valuesColumns(content["valuesLists"])
	default:
		w.outputs = outputColumns(content["targetList"], s.inside(from), from)
	}
	return nil
}

// fromItem checks an item of FROM and returns its possible names. left is what precedes it, which
// LATERAL sees.
func (w *walker) fromItem(s scope, left []source, at int, item any) ([]source, error) {
	wrapped, _ := item.(map[string]any)
	if len(wrapped) != 1 {
		return nil, w.refuse(at, "has a part that is not understood")
	}
	kind := kindOf(wrapped)
	content, _ := wrapped[kind].(map[string]any)
	name, renamed := aliasOf(content["alias"])
	switch kind {
	case "RangeVar":
		if err := node(w, s, at, item); err != nil {
			return nil, err
		}
		relname, _ := content["relname"].(string)
		of := columns{}
		if cte := s.cte(relname); content["schemaname"] == nil && cte != nil {
			of = cte.columns
		} else if relation := w.catalog.relation(relname); relation != nil {
			of.names = relation.Columns
		}
		if name == "" {
			name = relname
		}
		return []source{{name, of.renamed(renamed)}}, nil
	case "RangeSubselect":
		if content["lateral"] == true {
			s = s.inside(left)
		}
		if err := node(w, s, at, item); err != nil {
			return nil, err
		}
		return []source{{name, w.outputs.renamed(renamed)}}, nil
	case "RangeFunction":
		if err := node(w, s.inside(left), at, item); err != nil {
			return nil, err
		}
		called, of := functionColumns(content, name)
		return []source{{called, of.renamed(renamed)}}, nil
	case "JoinExpr":
		return w.join(s, left, at, content)
	}
	return nil, node(w, s, at, item)
}

// join checks a join and returns the possible names of its sides, or its own name.
func (w *walker) join(s scope, left []source, at int, content map[string]any) ([]source, error) {
	if location, ok := content["location"].(float64); ok && location >= 0 {
		at = int(location)
	}
	first, err := w.fromItem(s, left, at, content["larg"])
	if err != nil {
		return nil, err
	}
	second, err := w.fromItem(s, slices.Concat(left, first), at, content["rarg"])
	if err != nil {
		return nil, err
	}
	both := slices.Concat(first, second)
	rest := maps.Clone(content)
	delete(rest, "larg")
	delete(rest, "rarg")
	if err := w.each(s.inside(both), at, "JoinExpr", rest, nodes["JoinExpr"]); err != nil {
		return nil, err
	}
	if name, renamed := aliasOf(content["alias"]); name != "" {
		all := columns{loose: true}
		for _, one := range both {
			all.names = append(all.names, one.columns.names...)
		}
		return []source{{name, all.renamed(renamed)}}, nil
	}
	if name, _ := aliasOf(content["join_using_alias"]); name != "" {
		using, _ := stringsOf(content["usingClause"])
		both = append(both, source{name, columns{names: using}})
	}
	return both, nil
}

func aliasOf(value any) (name string, renamed []string) {
	content, _ := value.(map[string]any)
	if wrapped, ok := content["Alias"].(map[string]any); ok {
		content = wrapped
	}
	name, _ = content["aliasname"].(string)
	if list, ok := content["colnames"]; ok {
		renamed, _ = stringsOf(list)
	}
	return name, renamed
}

// renamed gives the first columns other names.
func (c columns) renamed(to []string) columns {
	switch {
	case len(to) == 0:
		return c
	case c.loose || len(to) >= len(c.names):
		return columns{names: to, loose: c.loose}
	}
	return columns{names: slices.Concat(to, c.names[len(to):])}
}

// functionColumns returns the name of a function in FROM, and its columns.
func functionColumns(content map[string]any, alias string) (string, columns) {
	functions, _ := content["functions"].([]any)
	called, args := "", 0
	for _, function := range functions {
		wrapped, _ := function.(map[string]any)
		pair, _ := wrapped["List"].(map[string]any)
		items, _ := pair["items"].([]any)
		if len(items) == 0 {
			continue
		}
		call, _ := items[0].(map[string]any)
		inner, _ := call["FuncCall"].(map[string]any)
		if names, ok := stringsOf(inner["funcname"]); ok && len(names) > 0 {
			called = names[len(names)-1]
		}
		given, _ := inner["args"].([]any)
		args = len(given)
	}
	var of columns
	switch {
	case called == "jsonb_array_elements" || called == "jsonb_array_elements_text": // it names its column
		of.names = []string{"value"}
	case called == "unnest": // a list of rows has their columns, so the names are not known
		of.names = make([]string, max(args, 1))
	case alias != "":
		of.names = []string{alias}
	default:
		of.names = []string{called}
	}
	if content["ordinality"] == true {
		of.names = append(of.names, "ordinality")
	}
	if alias != "" {
		called = alias
	}
	return called, of
}

func valuesColumns(lists any) columns {
	all, _ := lists.([]any)
	if len(all) == 0 {
		return columns{}
	}
	wrapped, _ := all[0].(map[string]any)
	row, _ := wrapped["List"].(map[string]any)
	items, _ := row["items"].([]any)
	names := make([]string, len(items))
	for i := range names {
		names[i] = "column" + strconv.Itoa(i+1)
	}
	return columns{names: names}
}

// outputColumns returns PostgreSQL's names of the columns of a SELECT. It leaves unknown names empty,
// so that the columns are refused.
func outputColumns(targets any, s scope, from []source) columns {
	var out columns
	items, _ := targets.([]any)
	for _, item := range items {
		wrapped, _ := item.(map[string]any)
		target, _ := wrapped["ResTarget"].(map[string]any)
		if name, ok := target["name"].(string); ok {
			out.names = append(out.names, name)
			continue
		}
		if of, star := starOf(target["val"], s, from); star {
			out.names, out.loose = append(out.names, of.names...), out.loose || of.loose
			continue
		}
		out.names = append(out.names, nameOf(target["val"]))
	}
	return out
}

// starOf returns the columns of a star.
func starOf(value any, s scope, from []source) (columns, bool) {
	wrapped, _ := value.(map[string]any)
	column, _ := wrapped["ColumnRef"].(map[string]any)
	fields, _ := column["fields"].([]any)
	if len(fields) == 0 {
		return columns{}, false
	}
	if last, _ := fields[len(fields)-1].(map[string]any); last["A_Star"] == nil {
		return columns{}, false
	}
	if len(fields) == 1 {
		// USING and NATURAL merge columns, so their order is unknown.
		all := columns{loose: len(from) > 1}
		for _, one := range from {
			all.names, all.loose = append(all.names, one.columns.names...), all.loose || one.columns.loose
		}
		return all, true
	}
	name, _ := stringOf(fields[0])
	if of := s.source(name); of != nil {
		return of.columns, true
	}
	return columns{loose: true}, true
}

// nameOf returns PostgreSQL's name of the value of an expression, or "".
func nameOf(value any) string {
	wrapped, _ := value.(map[string]any)
	kind := kindOf(wrapped)
	content, _ := wrapped[kind].(map[string]any)
	switch kind {
	case "ColumnRef":
		fields, _ := content["fields"].([]any)
		if len(fields) > 0 {
			name, _ := stringOf(fields[len(fields)-1])
			return name
		}
	case "FuncCall":
		if names, ok := stringsOf(content["funcname"]); ok && len(names) > 0 {
			return names[len(names)-1]
		}
	case "TypeCast":
		if arg, _ := content["arg"].(map[string]any); arg["ColumnRef"] != nil || arg["FuncCall"] != nil {
			return nameOf(arg)
		}
	case "CoalesceExpr":
		return "coalesce"
	case "A_ArrayExpr":
		return "array"
	}
	return ""
}
