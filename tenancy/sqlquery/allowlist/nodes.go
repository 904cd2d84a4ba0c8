package allowlist

// nodes is the table of what a statement may consist of: kinds of nodes, and their members. Everything
// else is refused, including what later versions of the parser add.
var nodes map[string]map[string]check

func init() { //nolint:gochecknoinits // the checks refer to the table
	nodes = map[string]map[string]check{
		"SelectStmt": {
			"targetList":     list,
			"fromClause":     list,
			"whereClause":    node,
			"groupClause":    list,
			"groupDistinct":  free,
			"havingClause":   node,
			"windowClause":   list,
			"valuesLists":    list,
			"sortClause":     list,
			"limitOffset":    node,
			"limitCount":     node,
			"limitOption":    one("LIMIT_OPTION_DEFAULT", "LIMIT_OPTION_COUNT", "LIMIT_OPTION_WITH_TIES"),
			"distinctClause": list,
			"all":            free,
			"larg":           is("SelectStmt"),
			"rarg":           is("SelectStmt"),
			"op":             one("SETOP_NONE", "SETOP_UNION", "SETOP_INTERSECT", "SETOP_EXCEPT"),
			"intoClause":     never("SELECT INTO is not allowed, because this reads and never writes"),
			"lockingClause":  never("FOR UPDATE and FOR SHARE are not allowed, because this reads and never writes"),
		},
		"CommonTableExpr": {
			"ctename": free, "aliascolnames": list, "ctequery": selectOnly,
			"ctematerialized": one("CTEMaterializeDefault", "CTEMaterializeAlways", "CTEMaterializeNever"),
			"search_clause":   never("SEARCH is not allowed"), "cycle_clause": never("CYCLE is not allowed"),
		},
		"RangeVar": {
			"relname": free, "schemaname": free, "inh": free, "relpersistence": one("p"), "alias": is("Alias"),
		},
		"RangeSubselect": {"lateral": free, "subquery": selectOnly, "alias": is("Alias")},
		"RangeFunction": {
			"lateral": free, "ordinality": free, "functions": list, "alias": is("Alias"),
			"is_rowsfrom": never("ROWS FROM is not allowed"),
		},
		"JoinExpr": {
			"jointype":  one("JOIN_INNER", "JOIN_LEFT", "JOIN_FULL", "JOIN_RIGHT"),
			"isNatural": free, "larg": node, "rarg": node, "usingClause": list, "quals": node, "alias": is("Alias"),
			"join_using_alias": is("Alias"),
		},
		"Alias":     {"aliasname": free, "colnames": list},
		"ResTarget": {"name": free, "val": node},
		"ColumnRef": {"fields": list},
		"A_Star":    {},
		"String":    {"sval": free},
		"List":      {"items": list},
		"Integer":   {"ival": free},
		"A_Const": {
			"isnull": free, "ival": is("Integer"), "fval": is("Float"), "sval": is("String"), "boolval": is("Boolean"),
		},
		"Float":   {"fval": free},
		"Boolean": {"boolval": free},
		"A_Expr": {
			"kind": one(
				"AEXPR_OP",
				"AEXPR_OP_ANY",
				"AEXPR_OP_ALL",
				"AEXPR_DISTINCT",
				"AEXPR_NOT_DISTINCT",
				"AEXPR_NULLIF",
				"AEXPR_IN",
				"AEXPR_LIKE",
				"AEXPR_ILIKE",
				"AEXPR_SIMILAR",
				"AEXPR_BETWEEN",
				"AEXPR_NOT_BETWEEN",
				"AEXPR_BETWEEN_SYM",
				"AEXPR_NOT_BETWEEN_SYM",
			),
			"name":  list,
			"lexpr": node,
			"rexpr": node,
		},
		"BoolExpr":     {"boolop": one("AND_EXPR", "OR_EXPR", "NOT_EXPR"), "args": list},
		"NullTest":     {"arg": node, "nulltesttype": free, "argisrow": free},
		"BooleanTest":  {"arg": node, "booltesttype": free},
		"CaseExpr":     {"arg": node, "args": list, "defresult": node},
		"CaseWhen":     {"expr": node, "result": node},
		"CoalesceExpr": {"args": list},
		"MinMaxExpr":   {"op": one("IS_GREATEST", "IS_LEAST"), "args": list},
		"FuncCall": {
			"funcname": list, "args": list, "agg_order": list, "agg_filter": node, "over": is("WindowDef"),
			"agg_within_group": free, "agg_star": free, "agg_distinct": free, "funcformat": free,
			"func_variadic": never("VARIADIC is not allowed"),
		},
		"TypeCast": {"arg": node, "typeName": is("TypeName")},
		"TypeName": {"names": list, "typemod": free, "typmods": list, "arrayBounds": list},
		"SubLink": {
			"subLinkType": one("EXISTS_SUBLINK", "ALL_SUBLINK", "ANY_SUBLINK", "EXPR_SUBLINK", "ARRAY_SUBLINK"),
			"testexpr":    node, "operName": subLinkOperator, "subselect": selectOnly,
		},
		"SortBy": {
			"node":         node,
			"sortby_dir":   one("SORTBY_DEFAULT", "SORTBY_ASC", "SORTBY_DESC"),
			"sortby_nulls": free,
		},
		"WindowDef": {
			"name": free, "refname": free, "partitionClause": list, "orderClause": list, "frameOptions": free,
			"startOffset": node, "endOffset": node,
		},
		"GroupingSet":   {"kind": free, "content": list},
		"GroupingFunc":  {"args": list},
		"A_ArrayExpr":   {"elements": list},
		"A_Indirection": {"arg": node, "indirection": list},
		"A_Indices":     {"is_slice": free, "lidx": node, "uidx": node},
		"SQLValueFunction": {
			"op": one("SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIMESTAMP", "SVFOP_LOCALTIME",
				"SVFOP_LOCALTIMESTAMP"),
			"typmod": free,
		},
	}
}

// selectOnly checks a sub-select, because WITH could contain a statement that writes.
func selectOnly(w *walker, s scope, at int, value any) error {
	if wrapped, _ := value.(map[string]any); wrapped["SelectStmt"] == nil {
		return w.refuse(at, "must be a SELECT here; this reads and never writes")
	}
	return node(w, s, at, value)
}

// subLinkOperator checks the operator before ANY and ALL.
func subLinkOperator(w *walker, s scope, at int, value any) error {
	_, err := expression(w, s, at, map[string]any{"name": value})
	return err
}

// types are the names of types in the parser's form.
var types = []string{
	"text",
	"varchar",
	"int2",
	"int4",
	"int8",
	"numeric",
	"float4",
	"float8",
	"bool",
	"date",
	"timestamp",
	"timestamptz",
	"time",
	"interval",
	"uuid",
	"jsonb",
}
