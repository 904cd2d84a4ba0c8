package allowlist

import (
	"maps"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A walker checks a tree against the table of nodes.
type walker struct {
	statement *Statement
	catalog   *Catalog
	relations []*Relation
	parts     int     // by how many texts the present SELECT lengthens a text or a list
	gathered  int     // the parts that come from other rows
	swell     int     // by how many times a value may become longer than its row
	growth    int     // by how many times a text may become longer than a value of a record
	factor    int     // by how much replacements lengthen a text in the present SELECT
	casts     bool    // the present SELECT writes lists or rows as text
	writes    int     // the number of SELECTs that do
	products  int     // of numbers, by their cost
	collects  bool    // rows into texts and lists
	lists     int     // whose length PostgreSQL guesses
	longest   int     // constant text, in bytes
	outputs   columns // of the SELECT that was checked last
}

// A check checks one member of a node. at is an offset in the statement near the member.
type check func(w *walker, s scope, at int, value any) error

// top checks that the tree is one SELECT.
func (w *walker) top(tree map[string]any) error {
	list, _ := tree["stmts"].([]any)
	if len(list) != 1 {
		return w.refuse(0, "must be one SELECT statement")
	}
	raw, _ := list[0].(map[string]any)
	statement, _ := raw["stmt"].(map[string]any)
	if len(statement) != 1 || statement["SelectStmt"] == nil {
		return w.refuse(0, "must be a SELECT statement; %s is not allowed, because this reads and never writes",
			strings.TrimSuffix(kindOf(statement), "Stmt"))
	}
	return node(w, scope{}, 0, statement)
}

func (w *walker) refuse(at int, format string, args ...any) *Refusal {
	return refuse(w.statement.original(at), format, args...)
}

func kindOf(wrapped map[string]any) string {
	for kind := range wrapped {
		return kind
	}
	return "nothing"
}

// node checks a node that is wrapped in an object with its kind.
func node(w *walker, s scope, at int, value any) error {
	wrapped, ok := value.(map[string]any)
	if !ok || len(wrapped) != 1 {
		return w.refuse(at, "has a part that is not understood")
	}
	kind := kindOf(wrapped)
	return w.members(s, at, kind, wrapped[kind])
}

// is checks a node whose kind is clear from its position.
func is(kind string) check {
	return func(w *walker, s scope, at int, value any) error { return w.members(s, at, kind, value) }
}

// list checks each of several nodes.
func list(w *walker, s scope, at int, value any) error {
	items, ok := value.([]any)
	if !ok {
		return w.refuse(at, "has a part that is not understood")
	}
	for _, item := range items {
		if empty, ok := item.(map[string]any); ok && len(empty) == 0 {
			continue // an item that is not there, as in DISTINCT without ON
		}
		if err := node(w, s, at, item); err != nil {
			return err
		}
	}
	return nil
}

// free accepts any value without nodes in it.
func free(w *walker, _ scope, at int, value any) error {
	switch value.(type) {
	case string, float64, bool:
		return nil
	}
	return w.refuse(at, "has a part that is not understood")
}

// one accepts a value of a list.
func one(values ...string) check {
	return func(w *walker, _ scope, at int, value any) error {
		if text, ok := value.(string); ok && slices.Contains(values, text) {
			return nil
		}
		return w.refuse(at, "%v is not allowed", value)
	}
}

// never refuses a member, with the reason.
func never(format string, args ...any) check {
	return func(w *walker, _ scope, at int, _ any) error { return w.refuse(at, format, args...) }
}

// members checks a node by the table.
func (w *walker) members(s scope, at int, kind string, value any) error {
	content, ok := value.(map[string]any)
	if !ok {
		return w.refuse(at, "has a part that is not understood")
	}
	if location, ok := content["location"].(float64); ok && location >= 0 {
		at = int(location)
	}
	allowed, known := nodes[kind]
	if !known {
		return w.refuse(at, "%s is not allowed. Statements consist of SELECT, WITH, joins, sub-selects, GROUP BY, "+
			"windows, UNION and the listed functions", described(kind))
	}
	if special := specials[kind]; special != nil {
		var err error
		if s, err = special(w, s, at, content); err != nil {
			return err
		}
	}
	if kind == "SelectStmt" {
		return w.selected(at, func() error { return w.selectMembers(s, at, content, allowed) })
	}
	return w.each(s, at, kind, content, allowed)
}

// each checks the members of a node.
func (w *walker) each(s scope, at int, kind string, content map[string]any, allowed map[string]check) error {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if name == "location" || name == "list_start" || name == "list_end" || name == "rexpr_list_start" ||
			name == "rexpr_list_end" || kind == "SelectStmt" && name == "withClause" {
			continue
		}
		member := allowed[name]
		if member == nil {
			return w.refuse(at, "%s with %s is not allowed", described(kind), name)
		}
		if err := member(w, s, at, content[name]); err != nil {
			return err
		}
	}
	return nil
}

var descriptions = map[string]string{
	"ParamRef": "a parameter", "RangeTableSample": "TABLESAMPLE", "XmlExpr": "XML", "CurrentOfExpr": "CURRENT OF",
	"IntoClause": "INTO", "LockingClause": "FOR UPDATE", "SetToDefault": "DEFAULT", "RangeTableFunc": "XMLTABLE",
	"JsonTable": "JSON_TABLE", "InsertStmt": "INSERT", "UpdateStmt": "UPDATE", "DeleteStmt": "DELETE",
	"MergeStmt": "MERGE", "CollateClause": "COLLATE", "MultiAssignRef": "an assignment", "RowExpr": "a row value",
}

func described(kind string) string {
	if text := descriptions[kind]; text != "" {
		return text
	}
	return kind
}

// text returns the text of a String node.
func stringOf(value any) (string, bool) {
	wrapped, _ := value.(map[string]any)
	content, _ := wrapped["String"].(map[string]any)
	text, ok := content["sval"].(string)
	return text, ok && len(wrapped) == 1
}

func stringsOf(value any) ([]string, bool) {
	items, ok := value.([]any)
	out := make([]string, len(items))
	for i, item := range items {
		text, isText := stringOf(item)
		out[i], ok = text, ok && isText
	}
	return out, ok
}

// specials check what the table cannot express, and return the scope of the node's members.
var specials map[string]func(w *walker, s scope, at int, content map[string]any) (scope, error)

func init() { //nolint:gochecknoinits // the functions refer to the table of nodes, and it to them
	specials = map[string]func(*walker, scope, int, map[string]any) (scope, error){
		"SelectStmt":    selectStatement,
		"RangeVar":      rangeVar,
		"FuncCall":      funcCall,
		"TypeName":      typeName,
		"A_Expr":        expression,
		"RangeFunction": rangeFunction,
		"A_Indirection": indirection,
		"ColumnRef":     columnRef,
		"TypeCast":      typeCast,
		"A_Const":       constant,
		"SubLink":       subLink,
		"A_ArrayExpr":   arrayOf,
	}
}

// selectStatement checks the common table expressions, each of which sees those before it.
func selectStatement(w *walker, s scope, at int, content map[string]any) (scope, error) {
	clause, ok := content["withClause"].(map[string]any)
	if !ok {
		return s, nil
	}
	if clause["recursive"] == true {
		return s, w.refuse(at, "WITH RECURSIVE is not allowed, because its cost cannot be estimated")
	}
	for name := range clause {
		if name != "ctes" && name != "location" {
			return s, w.refuse(at, "WITH with %s is not allowed", name)
		}
	}
	ctes, _ := clause["ctes"].([]any)
	inner := s
	for _, cte := range ctes {
		wrapped, _ := cte.(map[string]any)
		expression, _ := wrapped["CommonTableExpr"].(map[string]any)
		if err := node(w, inner, at, cte); err != nil {
			return s, err
		}
		outputs := w.outputs
		if renamed, ok := stringsOf(expression["aliascolnames"]); ok {
			outputs = outputs.renamed(renamed)
		}
		name, _ := expression["ctename"].(string)
		if location, ok := expression["location"].(float64); ok {
			at = int(location)
		}
		if strings.HasPrefix(name, "pg_") || w.catalog.relation(name) != nil {
			return s, w.refuse(at, "a WITH must not be called %q, like a table; choose another name", name)
		}
		inner = inner.withCTE(name, outputs)
	}
	return inner, nil
}

// rangeVar checks a relation: a qualified view, or the unqualified name of a common table expression in
// scope. PostgreSQL would look for any other unqualified name in its own schema.
func rangeVar(w *walker, s scope, at int, content map[string]any) (scope, error) {
	name, _ := content["relname"].(string)
	schema, qualified := content["schemaname"].(string)
	if content["catalogname"] != nil || qualified && schema != w.catalog.Schema {
		return s, w.refuse(at, "tables are named without a schema")
	}
	if !qualified {
		if s.cte(name) != nil {
			return s, nil
		}
		return s, unknownTable(w.statement.original(at), name, w.catalog)
	}
	relation := w.catalog.relation(name)
	if relation == nil {
		return s, unknownTable(w.statement.original(at), name, w.catalog)
	}
	if !slices.Contains(w.relations, relation) {
		w.relations = append(w.relations, relation)
	}
	return s, nil
}

func unknownTable(at int, name string, c *Catalog) *Refusal {
	refusal, names := refuse(at, "there is no table %q in this base", name), c.names()
	refusal.Names = problem.DidYouMean(name, names) + "; the tables are " + problem.List(names)
	return refusal
}

// rangeFunction checks functions that return rows.
func rangeFunction(w *walker, s scope, at int, content map[string]any) (scope, error) {
	functions, _ := content["functions"].([]any)
	for _, function := range functions {
		wrapped, _ := function.(map[string]any)
		pair, _ := wrapped["List"].(map[string]any)
		items, _ := pair["items"].([]any)
		if len(items) == 0 {
			return s, w.refuse(at, "has a part that is not understood")
		}
		call, _ := items[0].(map[string]any)
		content, _ := call["FuncCall"].(map[string]any)
		names, _ := stringsOf(content["funcname"])
		if len(names) != 1 || !slices.Contains(rowFunctions, names[0]) {
			return s, w.refuse(at, "in FROM there are these functions: %s", strings.Join(rowFunctions, ", "))
		}
		for _, rest := range items[1:] {
			if empty, ok := rest.(map[string]any); !ok || len(empty) > 0 {
				return s, w.refuse(at, "columns of a function are not declared")
			}
		}
	}
	return s, nil
}

// indirection checks subscripts.
func indirection(w *walker, s scope, at int, content map[string]any) (scope, error) {
	items, _ := content["indirection"].([]any)
	for _, item := range items {
		if wrapped, _ := item.(map[string]any); wrapped["A_Indices"] == nil {
			return s, w.refuse(at, "a value has no members; only elements of arrays are taken, as in (x)[1]")
		}
	}
	return s, nil
}

// expression checks operators.
func expression(w *walker, s scope, at int, content map[string]any) (scope, error) {
	names, ok := stringsOf(content["name"])
	if !ok || len(names) != 1 {
		return s, w.refuse(at, "OPERATOR() is not allowed")
	}
	kind, _ := content["kind"].(string)
	if !slices.Contains(operators, names[0]) && !strings.Contains(kind, "BETWEEN") {
		return s, w.refuse(at, "the operator %s is not allowed", names[0])
	}
	switch names[0] {
	case "||":
		w.parts++
	case "*", "/", "%":
		return s, w.multiply(at, 1)
	case "^":
		return s, w.power(at, content["lexpr"], content["rexpr"])
	}
	return s, nil
}

// arrayOf counts the parts of a list, except constants.
func arrayOf(w *walker, s scope, _ int, content map[string]any) (scope, error) {
	elements, _ := content["elements"].([]any)
	for _, element := range elements {
		if wrapped, _ := element.(map[string]any); wrapped["A_Const"] == nil && wrapped["A_ArrayExpr"] == nil {
			w.parts++
		}
	}
	return s, nil
}

// maxGrowth bounds how many times longer than a value of a record a text may become that a statement
// builds. Each SELECT may use the texts of all others, so their factors are multiplied.
const maxGrowth = 256

// maxWrites bounds the SELECTs that cast to text: rows and lists in rows and lists are quoted again
// each time, which doubles their quotes.
const maxWrites = 10

// selected checks the members of a SELECT and counts by how much it lengthens texts.
func (w *walker) selected(at int, members func() error) error {
	parts, gathered, factor, casts := w.parts, w.gathered, w.factor, w.casts
	w.parts, w.gathered, w.factor, w.casts = 0, 0, 1, false
	if err := members(); err != nil {
		return err
	}
	if w.casts {
		w.writes++
	}
	if w.writes > maxWrites {
		return w.refuse(at, "more than %d of its SELECTs cast to text", maxWrites)
	}
	if w.growth *= (1 + w.parts) * w.factor; w.growth > maxGrowth {
		return w.refuse(
			at,
			"joins texts or lists that were joined before, or replaces in them, too many times over: up to %d times "+
				"a value",
			maxGrowth,
		)
	}
	w.swell *= (1 + w.parts - w.gathered) * w.factor
	w.parts, w.gathered, w.factor, w.casts = parts, gathered, factor, casts
	return nil
}

// typeName checks types.
func typeName(w *walker, s scope, at int, content map[string]any) (scope, error) {
	names, ok := stringsOf(content["names"])
	if ok && len(names) == 2 && names[0] == "pg_catalog" {
		names = names[1:]
	}
	if !ok || len(names) != 1 || !slices.Contains(types, names[0]) {
		return s, w.refuse(at, "the type %s is not allowed; the types are %s", strings.Join(names, "."),
			"text, integer, bigint, numeric, double precision, boolean, date, timestamp, timestamptz, time, interval, "+
				"uuid, jsonb, and arrays of them")
	}
	return s, nil
}
