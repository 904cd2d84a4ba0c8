package allowlist

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/rowhouse/rowhouse/internal/naming"
)

// A resolver finds where a statement names tables and columns. It qualifies the tables, and writes
// names that differ only in case as the base has them, because PostgreSQL folds names without quotes to
// lower case. Names that it cannot resolve stay, and PostgreSQL says what is wrong.
type resolver struct {
	tokens  []token
	written *Statement
	catalog *Catalog

	edits   map[int][]token      // replacements, by the token's index
	aliases map[string]*Relation // of FROM; nil for what is not a table
	read    []*Relation
}

// resolve returns the tokens with resolved names.
func resolve(tokens []token, written *Statement, tree map[string]any, catalog *Catalog) ([]token, error) {
	r := &resolver{tokens, written, catalog, map[int][]token{}, map[string]*Relation{}, nil}
	if err := r.tables(tree, nil); err != nil {
		return nil, err
	}
	r.columns(tree, selected{})
	r.usings()
	out := make([]token, 0, len(tokens)+2*len(r.edits))
	for i, t := range tokens {
		if edit, ok := r.edits[i]; ok {
			out = append(out, edit...)
			continue
		}
		out = append(out, t)
	}
	return out, nil
}

// quoted writes a name in quotes, in the place of a token.
func quoted(name string, at int) token {
	return token{quotedName, `"` + strings.ReplaceAll(name, `"`, `""`) + `"`, at}
}

// index returns the token at an offset in the written statement, or -1.
func (r *resolver) index(node map[string]any) int {
	location, ok := node["location"].(float64)
	if !ok && node["location"] != nil {
		return -1
	}
	i := sort.SearchInts(r.written.starts, int(location))
	if i == len(r.tokens) || r.written.starts[i] != int(location) {
		return -1
	}
	return i
}

// tables qualifies the relations below a node. Common table expressions take precedence, in the scope
// that PostgreSQL gives them.
func (r *resolver) tables(value any, s []string) error {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if err := r.tables(item, s); err != nil {
				return err
			}
		}
	case map[string]any:
		if table, ok := v["RangeVar"].(map[string]any); ok {
			return r.table(table, s)
		}
		r.alias(v)
		inner := slices.Clone(s)
		if with, ok := v["withClause"].(map[string]any); ok {
			ctes, _ := with["ctes"].([]any)
			for _, cte := range ctes {
				if err := r.tables(cte, inner); err != nil {
					return err
				}
				wrapped, _ := cte.(map[string]any)
				content, _ := wrapped["CommonTableExpr"].(map[string]any)
				name, _ := content["ctename"].(string)
				inner = append(inner, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) { // of several errors always the same one
			if name == "withClause" {
				continue
			}
			if err := r.tables(v[name], inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// alias records the alias of a sub-select or a function.
func (r *resolver) alias(wrapped map[string]any) {
	for _, kind := range []string{"RangeSubselect", "RangeFunction", "JoinExpr"} {
		content, _ := wrapped[kind].(map[string]any)
		alias, _ := content["alias"].(map[string]any)
		if name, ok := alias["aliasname"].(string); ok {
			r.aliases[name] = nil
		}
	}
}

func (r *resolver) table(content map[string]any, s []string) error {
	name, _ := content["relname"].(string)
	at := r.index(content)
	alias, _ := content["alias"].(map[string]any)
	called, _ := alias["aliasname"].(string)
	if slices.Contains(s, name) && content["schemaname"] == nil {
		r.named(name, called, nil)
		return nil
	}
	source := 0
	if at >= 0 {
		source = r.tokens[at].at
	}
	if content["schemaname"] != nil || content["catalogname"] != nil {
		return refuse(source, "tables are named without a schema; quote a name that contains a dot")
	}
	found := r.find(name)
	if found == nil {
		return unknownTable(source, name, r.catalog)
	}
	if at < 0 {
		return refuse(source, "the table %q stands where none can", name)
	}
	r.edits[at] = []token{quoted(r.catalog.Schema, source), {punctuation, ".", source}, quoted(found.Name, source)}
	r.read = append(r.read, found)
	r.named(name, called, found)
	return nil
}

// named records the name of a relation in its FROM.
func (r *resolver) named(name, alias string, relation *Relation) {
	if alias == "" {
		alias = name
	}
	if other, taken := r.aliases[alias]; taken && other != relation {
		relation = nil
	}
	r.aliases[alias] = relation
}

// find returns the relation with a name, or the only one with the name in another case.
func (r *resolver) find(name string) *Relation {
	var folded *Relation
	for i := range r.catalog.Relations {
		relation := &r.catalog.Relations[i]
		if relation.Name == name {
			return relation
		}
		if naming.Key(relation.Name) == naming.Key(name) {
			folded = relation
		}
	}
	return folded
}

// selected is the SELECT that contains an expression.
type selected struct {
	plain   bool     // FROM has only tables
	outputs []string // the names of the SELECT's columns
	naming  bool     // the expression is one of ORDER BY or GROUP BY, which may be such a name
}

// columns corrects the names of columns below a node.
func (r *resolver) columns(value any, in selected) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			r.columns(item, in)
		}
	case map[string]any:
		if column, ok := v["ColumnRef"].(map[string]any); ok {
			r.column(column, in)
			return
		}
		if from, ok := v["fromClause"].([]any); ok {
			in = selected{plain: r.plain(from), outputs: outputs(v["targetList"])}
		}
		for name, member := range v {
			inside := in
			inside.naming = name == "sortClause" || name == "groupClause" ||
				in.naming && (name == "SortBy" || name == "node")
			r.columns(member, inside)
		}
	}
}

// plain reports whether FROM has only tables.
func (r *resolver) plain(from any) bool {
	switch v := from.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !r.plain(item) })
	case map[string]any:
		if table, ok := v["RangeVar"].(map[string]any); ok {
			return r.edits[r.index(table)] != nil
		}
		if join, ok := v["JoinExpr"].(map[string]any); ok {
			return r.plain(join["larg"]) && r.plain(join["rarg"])
		}
	}
	return false
}

func outputs(targets any) []string {
	items, _ := targets.([]any)
	var names []string
	for _, item := range items {
		wrapped, _ := item.(map[string]any)
		target, _ := wrapped["ResTarget"].(map[string]any)
		if name, ok := target["name"].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

func (r *resolver) column(content map[string]any, in selected) {
	at := r.index(content)
	fields, _ := content["fields"].([]any)
	if at < 0 || len(fields) == 0 || len(fields) > 2 {
		return
	}
	last, isName := stringOf(fields[len(fields)-1])
	if len(fields) == 1 {
		if isName && (!in.naming || !slices.Contains(in.outputs, last)) && (in.plain || !r.defined(last)) {
			r.edit(at, last, r.read)
		}
		return
	}
	qualifier, ok := stringOf(fields[0])
	relation, known := r.aliases[qualifier]
	if !ok || !known || relation == nil {
		return
	}
	if relation.Name != qualifier && naming.Key(relation.Name) == naming.Key(qualifier) && r.unaliased(qualifier) {
		r.edits[at] = []token{quoted(relation.Name, r.tokens[at].at)}
	}
	if isName && at+2 < len(r.tokens) {
		r.edit(at+2, last, []*Relation{relation})
	}
}

// unaliased reports whether FROM calls a table by its own name in another case, which the correction of
// the table changes too.
func (r *resolver) unaliased(name string) bool {
	for i := range r.edits {
		if written, ok := r.tokens[i].name(); ok && written == name && len(r.edits[i]) == 3 && !r.aliasFollows(i) {
			return true
		}
	}
	return false
}

func (r *resolver) aliasFollows(i int) bool {
	if i+1 == len(r.tokens) {
		return false
	}
	next, ok := r.tokens[i+1].name()
	return ok && r.tokens[i+1].kind == quotedName || next == "as" || ok && !slices.Contains(afterTable, next)
}

// afterTable are the words that follow a table without an alias.
var afterTable = []string{
	"where",
	"group",
	"having",
	"order",
	"limit",
	"offset",
	"join",
	"left",
	"right",
	"full",
	"inner",
	"cross",
	"natural",
	"on",
	"using",
	"union",
	"intersect",
	"except",
	"window",
	"fetch",
}

// edit replaces a column by the only one of these relations with this name in another case.
func (r *resolver) edit(at int, name string, relations []*Relation) {
	written, ok := r.tokens[at].name()
	if !ok || written != name {
		return
	}
	found := ""
	for _, relation := range relations {
		if slices.Contains(relation.Columns, name) {
			return
		}
		for _, column := range relation.Columns {
			if naming.Key(column) == naming.Key(name) {
				if found != "" && found != column {
					return
				}
				found = column
			}
		}
	}
	if found != "" {
		r.edits[at] = []token{quoted(found, r.tokens[at].at)}
	}
}

// defined reports whether the statement gives anything this name.
func (r *resolver) defined(name string) bool {
	if _, ok := r.aliases[name]; ok {
		return true
	}
	for i, t := range r.tokens {
		written, ok := t.name()
		if !ok || written != name || i == 0 {
			continue
		}
		if before, _ := r.tokens[i-1].name(); before == "as" {
			return true
		}
	}
	return false
}

// usings corrects the columns of USING.
func (r *resolver) usings() {
	for i, t := range r.tokens {
		if t.kind != word || foldASCII(t.text) != "using" || i+1 == len(r.tokens) || r.tokens[i+1].text != "(" {
			continue
		}
		for j := i + 2; j < len(r.tokens) && r.tokens[j].text != ")"; j++ {
			if name, ok := r.tokens[j].name(); ok {
				r.edit(j, name, r.read)
			}
		}
	}
}
