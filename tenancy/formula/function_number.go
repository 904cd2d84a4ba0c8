package formula

// exactly is appended to functions that once did not count large numbers exactly. It changes their SQL,
// by which columns are identified, so that old values are computed again.
const exactly = " /* exactly */"

func numberFunctions() []*function {
	large := setOf(NumberTooLarge)
	return []*function{
		define("ABS", numbers, "number:N", aNumber, large, "gate.formula_abs($1)",
			"The number without its sign.", "ABS(-7.5)", "7.5"),
		define("AVERAGE", numbers, "numbers:NS...", aNumber, large, "gate.formula_average($1)",
			"The mean of the numbers. Empty ones do not count.", "AVERAGE(1, 2, 6)", "3"),
		define("CEILING", numbers, "number:N unit:N=1", aNumber, setOf(DivisionByZero, NumberTooLarge),
			"gate.formula_multiple($1, $2, true)",
			"The nearest multiple of the unit, which is 1 if not given, that is not less.", "CEILING(7.31, 0.25)",
			"7.5"),
		define("COUNT", numbers, "values:LS...", aNumber, 0, "",
			"How many of the values are numbers.", `COUNT(1, "two", 3)`, "2").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				return "gate.formula_count(" + g.numbersAlone(n.args) + ")"
			}
		}),
		define("COUNTA", numbers, "values:LS...", aNumber, 0, "gate.formula_count_values($1)",
			"How many of the values are not empty.", `COUNTA(1, "two", "", BLANK())`, "2"),
		define("COUNTALL", numbers, "values:LS...", aNumber, 0, "gate.formula_count_all($1)",
			"How many values there are, empty ones included.", `COUNTALL(1, "two", "", BLANK())`, "4"),
		define("EVEN", numbers, "number:N", aNumber, large, "gate.formula_even($1)",
			"The smallest even number that is not less.", "EVEN(2.2)", "4"),
		define("EXP", numbers, "number:N", aNumber, large, "gate.formula_exp($1)",
			"e to the power of the number.", "EXP(0)", "1"),
		define("FLOOR", numbers, "number:N unit:N=1", aNumber, setOf(DivisionByZero, NumberTooLarge),
			"gate.formula_multiple($1, $2, false)",
			"The nearest multiple of the unit, which is 1 if not given, that is not more.", "FLOOR(7.31, 0.25)",
			"7.25"),
		define("INT", numbers, "number:N", aNumber, large, "gate.formula_int($1)",
			"The largest whole number that is not more.", "INT(-2.5)", "-3"),
		define("LOG", numbers, "number:N base:N=10", aNumber, setOf(NotANumber, NumberTooLarge, DivisionByZero),
			"gate.formula_log($1, $2)", "The logarithm to the base, which is 10 if not given.", "LOG(1024, 2)", "10"),
		define("MAX", numbers, "values:NS...", aNumber, large, "gate.formula_extreme($1, true)",
			"The largest of the numbers, or the latest of the dates. Empty ones do not count.", "MAX(3, 11, 7)", "11").
			with(ofDates),
		define("MIN", numbers, "values:NS...", aNumber, large, "gate.formula_extreme($1, false)",
			"The smallest of the numbers, or the earliest of the dates. Empty ones do not count.", "MIN(3, 11, 7)",
			"3").
			with(ofDates),
		define("MOD", numbers, "number:N divisor:N", aNumber, setOf(DivisionByZero, NumberTooLarge),
			"gate.formula_mod($1, $2)"+exactly,
			"The remainder of a division, with the sign of the divisor.", "MOD(-7, 3)", "2"),
		define("ODD", numbers, "number:N", aNumber, large, "gate.formula_odd($1)"+exactly,
			"The nearest odd number away from zero.", "ODD(-2.2)", "-3"),
		define("POWER", numbers, "base:N exponent:N", aNumber, setOf(DivisionByZero, NotANumber, NumberTooLarge),
			"gate.formula_power($1, $2)"+exactly, "The base to the power of the exponent.", "POWER(2, 10)", "1024"),
		define("ROUND", numbers, "number:N digits:N=0", aNumber, large, "gate.formula_round($1, $2, 'half')",
			"Rounds to digits behind the point, a half up.", "ROUND(2.345, 2)", "2.35"),
		define("ROUNDDOWN", numbers, "number:N digits:N=0", aNumber, large, "gate.formula_round($1, $2, 'down')",
			"Rounds to digits behind the point, towards zero.", "ROUNDDOWN(-2.349, 2)", "-2.34"),
		define("ROUNDUP", numbers, "number:N digits:N=0", aNumber, large, "gate.formula_round($1, $2, 'up')",
			"Rounds to digits behind the point, away from zero.", "ROUNDUP(-2.341, 2)", "-2.35"),
		define("SQRT", numbers, "number:N", aNumber, setOf(NotANumber, NumberTooLarge), "gate.formula_sqrt($1)",
			"The square root.", "SQRT(144)", "12"),
		define("SUM", numbers, "numbers:NS...", aNumber, large, "gate.formula_sum($1)",
			"The sum of the numbers. Empty ones do not count.", "SUM(1, 2, 3.5)", "6.5"),
		define("VALUE", numbers, "text:T", aNumber, setOf(NotANumber, NumberTooLarge), "gate.formula_read_number($1)",
			"The number that a text writes, without what stands around it. Text that can be read in two ways, such as "+
				"1,5, or that writes several numbers is an error.",
			`VALUE("$1,234.50")`, "1234.5").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				if t := n.args[0].typ; t.numeric() && !t.List { // it is one already
					return g.as(n.args[0], aNumber)
				}
				return "gate.formula_read_number(" + g.as(n.args[0], aText) + ")"
			}
		}),
	}
}

// ofDates lets MIN and MAX accept dates, too, if every argument is one.
func ofDates(f *function) {
	temporal := func(n *node) Type {
		t := Type{}
		for _, arg := range n.args {
			if arg.typ.Base != Blank && !arg.typ.temporal() {
				return Type{}
			}
			t = unify(t, Type{Base: arg.typ.Base})
		}
		return t
	}
	f.check = func(c *checker, n *node) {
		if t := temporal(n); t.Base != Blank {
			n.typ, n.fails = t, 0
			for _, arg := range n.args {
				n.fails |= arg.fails
			}
			return
		}
		c.arguments(n)
	}
	f.generate = func(g *generator, n *node) string {
		greatest := map[string]string{"MAX": "true", "MIN": "false"}[n.text]
		element := Type{Base: Number}
		if n.typ.temporal() {
			element = n.typ
		}
		return "gate.formula_extreme(" + g.gather(n.args, element) + ", " + greatest + ")"
	}
}
