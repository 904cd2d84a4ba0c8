package formula

import "strings"

func textFunctions() []*function {
	wrong, long := setOf(InvalidArgument), setOf(TextTooLong)
	return []*function{
		define("CONCATENATE", texts, "texts:LS...", aText, long, "", "The texts one after the other, as & does.",
			`CONCATENATE("Rope ", 12, " m")`, "Rope 12 m").with(func(f *function) {
			f.generate = func(g *generator, n *node) string { return g.join(n.args) }
		}),
		define("ENCODE_URL_COMPONENT", texts, "text:T", aText, long, "gate.formula_encode_url($1)",
			"The text as a part of a web address.", `ENCODE_URL_COMPONENT("tea & cake")`, "tea%20%26%20cake"),
		define("FIND", texts, "what:T text:T start:N=1", aNumber, 0, "gate.formula_find($1, $2, $3)",
			"The place of one text in another one, from 1, or 0 if it is not there. Case matters.",
			`FIND("wo", "two words")`, "2"),
		define("LEFT", texts, "text:T count:N", aText, wrong, "gate.formula_part($1, 1, $2)",
			"The first characters of a text.", `LEFT("harbour", 3)`, "har"),
		define("LEN", texts, "text:T", aNumber, 0, "gate.formula_length($1)",
			"How many characters a text has.", `LEN("harbour")`, "7"),
		define("LOWER", texts, "text:T", aText, 0, "gate.formula_case($1, false)",
			"The text in lower case.", `LOWER("North SEA")`, "north sea"),
		define("MID", texts, "text:T start:N count:N", aText, wrong, "gate.formula_part($1, $2, $3)",
			"Characters of a text from a place on, which counts from 1.", `MID("harbour", 4, 2)`, "bo"),
		define("REPLACE", texts, "text:T start:N count:N new:T", aText, wrong|long,
			"gate.formula_replace($1, $2, $3, $4)",
			"The text with characters from a place on replaced by others.", `REPLACE("2026-04", 1, 4, "2027")`,
			"2027-04"),
		define("REPT", texts, "text:T times:N", aText, wrong|long, "gate.formula_repeat($1, $2)",
			"The text several times.", `REPT("ab", 3)`, "ababab"),
		define("RIGHT", texts, "text:T count:N", aText, wrong, "gate.formula_end_part($1, $2)",
			"The last characters of a text.", `RIGHT("harbour", 4)`, "bour"),
		define("SEARCH", texts, "what:T text:T start:N=1", aNumber, 0, "nullif(gate.formula_find($1, $2, $3), 0)",
			"As FIND, but empty if the text is not there.", `SEARCH("wo", "two words", 3)`, "5"),
		define("SUBSTITUTE", texts, "text:T old:T new:T which:N=null", aText, wrong|long,
			"gate.formula_substitute($1, $2, $3, $4)",
			"The text with every occurrence of one text, or the one with a number, replaced by another one.",
			`SUBSTITUTE("a-b-c", "-", "+", 2)`, "a-b+c"),
		define("T", texts, "value:A", aText, 0, "", "The value if it is text, and nothing otherwise.",
			`T(12) & T("twelve")`, "twelve").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				if n.args[0].typ == aText || n.args[0].never {
					return g.as(n.args[0], aText)
				}
				return "null::text"
			}
		}),
		define("TRIM", texts, "text:T", aText, 0, "gate.formula_trim($1)",
			"The text without white space at its beginning and end.", `TRIM("  tea  ")`, "tea"),
		define("UPPER", texts, "text:T", aText, 0, "gate.formula_case($1, true)",
			"The text in upper case.", `UPPER("North sea")`, "NORTH SEA"),
	}
}

func regexFunctions() []*function {
	literal := func(c *checker, n *node) {
		c.arguments(n)
		if len(n.args) < 2 || n.args[1].kind != nodeText {
			n.fails |= setOf(InvalidPattern)
			return
		}
		if _, err := newPattern(n.args[1].text, false); err != nil {
			c.fail(n.args[1], "%s", err)
		}
	}
	pattern := func(g *generator, n *node, groups bool) (parts string, once bool) {
		if n.args[1].kind != nodeText {
			return "array[gate.formula_pattern(" + g.as(n.args[1], aText) + ")]::text[]", false
		}
		p, err := newPattern(n.args[1].text, groups)
		if err != nil { // checked
			return "array[" + ErrorValue(InvalidPattern, aText) + "]", false
		}
		quoted := make([]string, len(p.parts))
		for i, part := range p.parts {
			quoted[i] = literalText(part)
		}
		return "array[" + strings.Join(quoted, ", ") + "]", p.anchored
	}
	return []*function{
		define("REGEX_EXTRACT", regexes, "text:T pattern:T", aText, 0, "",
			"The first part of the text that the pattern matches, or nothing.",
			`REGEX_EXTRACT("Berth 12, quay 3", "\d+")`, "12").
			with(func(f *function) {
				f.check = literal
				f.generate = func(g *generator, n *node) string {
					parts, _ := pattern(g, n, false)
					return "gate.formula_extract(" + g.as(n.args[0], aText) + ", " + parts + ")"
				}
			}),
		define("REGEX_MATCH", regexes, "text:T pattern:T", aBoolean, 0, "",
			"True if the pattern matches a part of the text.", `REGEX_MATCH("Berth 12", "^Berth \d+$")`, "1").
			with(func(f *function) {
				f.check = literal
				f.generate = func(g *generator, n *node) string {
					parts, _ := pattern(g, n, false)
					return "gate.formula_match(" + g.as(n.args[0], aText) + ", (" + parts + ")[1])"
				}
			}),
		define("REGEX_REPLACE", regexes, "text:T pattern:T new:T", aText, setOf(TextTooLong), "",
			"The text with everything that the pattern matches replaced; $1 to $9 in what replaces it are what "+
				"groups matched.",
			`REGEX_REPLACE("12 May", "(\d+) (\w+)", "$2 $1")`, "May 12").with(func(f *function) {
			f.check = func(c *checker, n *node) {
				literal(c, n)
				if len(n.args) == 3 && n.args[1].kind == nodeText && refersToGroups(n.args[2]) {
					if p, err := newPattern(n.args[1].text, true); err == nil && len(p.parts) > 1 {
						c.fail(n.args[1], "a pattern that is greedy in one part and lazy in another one cannot be "+
							"used with $1 to $9")
					}
				}
			}
			f.generate = func(g *generator, n *node) string {
				parts, once := pattern(g, n, refersToGroups(n.args[2]))
				call := "gate.formula_regex_replace(" + g.as(n.args[0], aText) + ", " + parts + ", " + g.as(n.args[2],
					aText)
				if once {
					return call + ", true)"
				}
				return call + ", false)"
			}
		}),
	}
}

// refersToGroups reports whether a replacement may refer to groups of the match.
func refersToGroups(n *node) bool { return n.kind != nodeText || strings.Contains(n.text, "$") }
