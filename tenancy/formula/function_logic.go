package formula

import "strings"

func logicFunctions() []*function {
	return []*function{
		define("AND", logic, "conditions:BS...", aBoolean, 0, "gate.formula_logic($1, 'and')",
			"True if all conditions are.", "AND(2 > 1, 3 > 2)", "1").with(logical(" and ")),
		define("BLANK", logic, "", Type{}, 0, "null", "An empty value.", "BLANK()", "").with(func(f *function) {
			f.generate = func(*generator, *node) string { return "null::text" }
		}),
		define("ERROR", logic, "", Type{}, setOf(Raised), "", "An error, which everything that reads it becomes, too.",
			"ISERROR(ERROR())", "1").with(func(f *function) {
			f.check = func(_ *checker, n *node) { n.never = true }
			f.generate = func(*generator, *node) string { return ErrorValue(Raised, aText) }
		}),
		define("FALSE", logic, "", aBoolean, 0, "0::double precision", "False.", "FALSE()", "0"),
		define("IF", logic, "condition:B value:A otherwise:A=null", Type{}, 0, "",
			"One value if the condition is true, and the other one, or nothing, if it is not. Zero and empty "+
				"values are not true.",
			`IF(3 > 2, "more", "less")`, "more").with(conditional),
		define("ISERROR", logic, "value:A", aBoolean, 0, "", "True if the value is an error.", "ISERROR(1 / 0)", "1").
			with(func(f *function) {
				f.check = func(_ *checker, n *node) { n.typ, n.fails = aBoolean, 0 }
				f.generate = func(g *generator, n *node) string { return truthOf(g.condition(n)) }
			}),
		define("NOT", logic, "condition:B", aBoolean, 0, "gate.formula_not($1)",
			"True if the condition is not.", "NOT(2 > 1)", "0").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				if n.fails == 0 {
					return truthOf("not " + g.condition(n.args[0]))
				}
				return "gate.formula_not(" + g.as(n.args[0], aBoolean) + ")"
			}
		}),
		define("OR", logic, "conditions:BS...", aBoolean, 0, "gate.formula_logic($1, 'or')",
			"True if any condition is.", "OR(2 < 1, 3 > 2)", "1").with(logical(" or ")),
		define("SWITCH", logic, "value:A pattern:A result:A...", Type{}, 0, "",
			"The result behind the first pattern that equals the value; a last argument without a pattern is the "+
				"result otherwise.",
			`SWITCH(2, 1, "one", 2, "two", "many")`, "two").with(func(f *function) {
			f.Signature = "SWITCH(value, pattern, result, …, [otherwise])"
			f.check, f.generate = checkSwitch, generateSwitch
		}),
		define("TRUE", logic, "", aBoolean, 0, "1::double precision", "True.", "TRUE()", "1"),
		define("XOR", logic, "conditions:BS...", aBoolean, 0, "gate.formula_logic($1, 'xor')",
			"True if an odd number of conditions is.", "XOR(TRUE(), TRUE(), TRUE())", "1"),
	}
}

// logical uses a condition of PostgreSQL's own if nothing can fail.
func logical(operator string) func(f *function) {
	return func(f *function) {
		f.generate = func(g *generator, n *node) string {
			if plain := g.plainLogic(n, operator); plain != "" {
				return truthOf(plain)
			}
			return "gate.formula_logic(" + g.gather(n.args, aBoolean) + ", '" + strings.TrimSpace(operator) + "')"
		}
	}
}

func conditional(f *function) {
	f.check = func(c *checker, n *node) {
		c.branches(n, n.args[1:])
	}
	f.generate = func(g *generator, n *node) string {
		yes, no := g.as(n.args[1], n.typ), "null"
		if len(n.args) == 3 {
			no = g.as(n.args[2], n.typ)
		}
		condition := n.args[0]
		if condition.fails == 0 {
			return "(case when " + g.condition(condition) + " then " + yes + " else " + no + " end)"
		}
		return "(case " + g.as(condition, aBoolean) + " when 1 then " + yes + " when 0 then " + no +
			g.failures(condition.fails, aBoolean, n.typ) + " end)"
	}
}

// checkSwitch finds the types of the compared values and of the results.
func checkSwitch(c *checker, n *node) {
	if len(n.args) < 3 {
		return // said already
	}
	results, patterns := switchParts(n)
	compared := switchedAs(n.args[0], patterns)
	for _, compare := range append(patterns, n.args[0]) {
		if !isBlank(compare) {
			n.fails |= c.want(compare, compared)
		}
	}
	c.branches(n, results)
}

// switchedAs is the type in which SWITCH compares: text, unless all of them have another common type.
func switchedAs(value *node, patterns []*node) Type {
	compared := value.typ
	for _, p := range patterns {
		compared = comparedAs(compared, value, p)
	}
	for _, n := range append([]*node{value}, patterns...) {
		if _, ok := converts(n.typ, compared); !ok && !isBlank(n) && !n.never {
			return aText
		}
	}
	return compared
}

// switchParts are the arguments of SWITCH by their roles. The last result may have no pattern.
func switchParts(n *node) (results, patterns []*node) {
	rest := n.args[1:]
	for ; len(rest) > 1; rest = rest[2:] {
		patterns, results = append(patterns, rest[0]), append(results, rest[1])
	}
	return append(results, rest...), patterns
}

func generateSwitch(g *generator, n *node) string {
	results, patterns := switchParts(n)
	value := n.args[0]
	compared := switchedAs(value, patterns)
	plain := true
	for _, p := range patterns {
		plain = plain && p.fails == 0
	}
	fails, _ := converts(value.typ, compared)
	fails |= value.fails
	var b strings.Builder
	otherwise := "null"
	if len(results) > len(patterns) {
		otherwise = g.as(results[len(results)-1], n.typ)
	}
	if !plain && len(value.args) == 0 { // SWITCH(TRUE(), condition, …), where a condition may fail: as IF within IF
		for i, p := range patterns {
			b.WriteString("(case " + g.compare("=", value, p) + " when 1 then " + g.as(results[i], n.typ) +
				g.failures(p.fails|value.fails, aBoolean, n.typ) + " else ")
		}
		return b.String() + otherwise + strings.Repeat(" end)", len(patterns))
	}
	b.WriteString("(case " + g.comparable(value, compared))
	for i, p := range patterns {
		b.WriteString(" when " + g.comparable(p, compared) + " then " + g.as(results[i], n.typ))
	}
	b.WriteString(g.failures(fails, compared, n.typ) + " else " + otherwise + " end)")
	return b.String()
}
