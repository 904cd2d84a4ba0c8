package formula

func listFunctions() []*function {
	list := func(f *function) {
		f.check = func(c *checker, n *node) {
			c.counts(n)
			if len(n.args) > 0 {
				n.typ = Type{elementOf(n.args[0].typ), true}
			}
			for _, arg := range n.args[min(1, len(n.args)):] {
				c.want(arg, aNumber)
			}
		}
		f.generate = func(g *generator, n *node) string {
			values := g.as(n.args[0], n.typ)
			switch n.text {
			case "ARRAYCOMPACT":
				return "gate.formula_compact(" + values + ")"
			case "ARRAYUNIQUE":
				return "gate.formula_unique(" + values + ")"
			case "ARRAYSLICE":
				last := "null"
				if len(n.args) > 2 {
					last = g.as(n.args[2], aNumber)
				}
				return "gate.formula_slice(" + values + ", " + g.as(n.args[1], aNumber) + ", " + last + ", " +
					ErrorValue(InvalidArgument, n.typ) + ")"
			}
			return values // a list contains no lists, so there is nothing to flatten
		}
	}
	return []*function{
		define("ARRAYCOMPACT", lists, "list:A", Type{}, 0, "", "The values of a list that are not empty.",
			`ARRAYJOIN(ARRAYCOMPACT({Tags}), "+")`, "red+blue").with(list),
		define("ARRAYFLATTEN", lists, "list:A", Type{}, 0, "",
			"The values of a list as one list. Lists hold no lists here, so it changes nothing.",
			`ARRAYJOIN(ARRAYFLATTEN({Tags}), "+")`, "red+blue").with(list),
		define("ARRAYJOIN", lists, "list:A separator:T=null", aText, setOf(TextTooLong), "",
			"The values of a list as text, with a comma or the separator between them.",
			`ARRAYJOIN({Tags}, " | ")`, "red | blue").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				separator := "', '"
				if len(n.args) > 1 {
					separator = g.as(n.args[1], aText)
				}
				return "gate.formula_join(" + g.as(n.args[0], Type{Text, true}) + ", " + separator + ")"
			}
		}),
		define("ARRAYSLICE", lists, "list:A first:N last:N=null", Type{}, setOf(InvalidArgument), "",
			"The values from one place to another one, both included. Places count from 1, and below 0 from the end.",
			"ARRAYJOIN(ARRAYSLICE({Tags}, 2, 2))", "blue").with(list),
		define("ARRAYUNIQUE", lists, "list:A", Type{}, 0, "", "The different values of a list, each once.",
			"COUNTALL(ARRAYUNIQUE({Tags}))", "2").with(list),
	}
}

// elementOf is the base of the elements of a list type.
func elementOf(t Type) Base {
	if t.Base == Blank {
		return Text
	}
	return t.Base
}

func recordFunctions() []*function {
	system := func(sql func(s *Scope) string) func(f *function) {
		return func(f *function) {
			f.generate = func(g *generator, _ *node) string { return sql(g.scope) }
		}
	}
	return []*function{
		define("CREATED_TIME", records, "", aDatetime, 0, "", "When the record was created.",
			`DATETIME_FORMAT(CREATED_TIME(), "YYYY-MM-DD")`, "2026-03-01").
			with(system(func(s *Scope) string { return s.alias() + ".created_at" })),
		define("LAST_MODIFIED_TIME", records, "", aDatetime, 0, "", "When the record was last changed.",
			`DATETIME_FORMAT(LAST_MODIFIED_TIME(), "YYYY-MM-DD")`, "2026-03-02").
			with(system(func(s *Scope) string { return s.alias() + ".updated_at" })),
		define("RECORD_ID", records, "", aText, 0, "", "The id of the record.", "LEFT(RECORD_ID(), 4)", "rec_").
			with(system(func(s *Scope) string {
				return "gate.formula_id(" + decimal(int64(s.Table)) + ", " + s.alias() + ".id)"
			})),
	}
}
