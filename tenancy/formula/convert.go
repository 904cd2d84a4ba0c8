package formula

import "strings"

// as is a node's value converted to another type. The checker has found that it converts.
func (g *generator) as(n *node, to Type) string {
	if n.never {
		return ErrorValue(Raised, to)
	}
	if isBlank(n) && (to != aText || n.kind != nodeText) {
		if to == aBoolean {
			return "0::double precision"
		}
		if to.List {
			return "'{}'::" + to.sql()
		}
		return "null::" + to.sql()
	}
	if to == aBoolean && n.fails == 0 && n.typ != aBoolean {
		return truthOf(g.condition(n))
	}
	from := n.typ
	sql := g.sql(n)
	switch {
	case from == to || from.numeric() && to == aNumber && !from.List, from.numeric() && to.numeric() && from.List &&
		to.List:
		return sql
	case to.List && from.List:
		return g.list(sql, from, to)
	case to.List:
		return "array[" + g.as(n, Type{Base: to.Base}) + "]::" + to.sql()
	case to == aText && from.List:
		return "gate.formula_join(gate.formula_compact(" + g.list(sql, from, Type{Text, true}) + "), ', ')"
	case to == aText:
		return "gate.formula_text(" + sql + ")"
	case to == aBoolean && from.List:
		return "gate.formula_truth(gate.formula_count_values(" + g.list(sql, from, Type{Text, true}) + "))"
	case to == aBoolean:
		return "gate.formula_truth(" + sql + ")"
	case from.List:
		sql, from = "gate.formula_only(gate.formula_compact("+sql+"))", Type{Base: from.Base}
	}
	zone := g.scope.zone(n.zone)
	switch {
	case from == aText && to.temporal():
		sql, from = "gate.formula_read("+sql+", null, null, "+g.scope.zone("")+")", aDatetime
	}
	switch {
	case from == aDate && to == aDatetime:
		return "gate.formula_start(" + sql + ", " + g.scope.zone("") + ")"
	case from == aDatetime && to == aDate:
		return "gate.formula_day(" + sql + ", " + zone + ")"
	}
	return sql
}

// list converts a list.
func (g *generator) list(sql string, from, to Type) string {
	switch {
	case from.Base == to.Base:
		return sql
	case to.Base == Text:
		return "gate.formula_texts(" + sql + ")"
	case from.numeric() && to.numeric():
		return sql
	case to.Base == Boolean:
		return "gate.formula_truths(" + g.list(sql, from, Type{Text, true}) + ")"
	}
	return "gate.formula_starts(" + sql + ", " + g.scope.zone("") + ")"
}

// truthOf converts a condition of SQL, which must not be null, to a number.
func truthOf(condition string) string { return "(" + condition + ")::integer::double precision" }

// condition is a node that cannot fail as a condition of SQL that is not null.
func (g *generator) condition(n *node) string {
	switch {
	case n.kind == nodeOperator && n.typ == aBoolean:
		return g.plainComparison(n)
	case n.kind == nodeCall && n.text == "ISERROR":
		arg := n.args[0]
		if arg.never {
			return "true"
		}
		if isBlank(arg) {
			return "false"
		}
		return "gate.formula_error(" + g.sql(arg) + ") is not null"
	case n.kind == nodeCall && n.text == "NOT":
		return "not (" + g.condition(n.args[0]) + ")"
	case n.kind == nodeCall && (n.text == "AND" || n.text == "OR"):
		operator := map[string]string{"AND": " and ", "OR": " or "}[n.text]
		if plain := g.plainLogic(n, operator); plain != "" {
			return plain
		}
	}
	if isBlank(n) {
		return "false"
	}
	sql := g.sql(n)
	switch {
	case n.typ.List:
		return "gate.formula_count_values(" + g.list(sql, n.typ, Type{Text, true}) + ") > 0"
	case n.typ.numeric():
		return "coalesce(" + sql + ", 0) <> 0"
	case n.typ == aText:
		return "coalesce(" + sql + ", '') <> ''"
	}
	return "(" + sql + ") is not null"
}

// plainLogic joins conditions that cannot fail by an operator of SQL; "" if that is not possible.
func (g *generator) plainLogic(n *node, operator string) string {
	for _, arg := range n.args { // before anything is written, which would be written again if it does not fit
		if arg.fails != 0 || arg.typ.List || arg.never {
			return ""
		}
	}
	conditions := make([]string, len(n.args))
	for i, arg := range n.args {
		conditions[i] = "(" + g.condition(arg) + ")"
	}
	return strings.Join(conditions, operator)
}

// comparable is a value in the form in which it is compared: never null, except for dates.
func (g *generator) comparable(n *node, t Type) string {
	sql := g.as(n, t)
	switch {
	case n.kind == nodeNumber && t == aNumber, n.kind == nodeText && t == aText:
		return sql
	case t == aNumber:
		return "coalesce(" + sql + ", 0)"
	case t == aText:
		return "coalesce(" + sql + ", '')"
	}
	return sql
}

// plainComparison compares values that cannot fail.
func (g *generator) plainComparison(n *node) string {
	t := comparedAs(n.args[0].typ, n.args[0], n.args[1])
	a, b := g.comparable(n.args[0], t), g.comparable(n.args[1], t)
	switch {
	case t.temporal() && n.text == "=":
		return "(" + a + ") is not distinct from (" + b + ")"
	case t.temporal() && n.text == "!=":
		return "(" + a + ") is distinct from (" + b + ")"
	case t.temporal():
		return "coalesce(" + a + " " + n.text + " " + b + ", false)"
	case n.text == "!=":
		return a + " <> " + b
	case t == aText && n.text != "=":
		return a + ` collate "C" ` + n.text + " " + b
	}
	return a + " " + n.text + " " + b
}

// compare compares values of which one may be an error.
func (g *generator) compare(operator string, a, b *node) string {
	t := comparedAs(a.typ, a, b)
	return "gate.formula_compare(" + g.as(a, t) + ", " + g.as(b, t) + ", '" + operator + "')"
}
