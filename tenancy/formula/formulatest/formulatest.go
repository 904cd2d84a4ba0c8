// Package formulatest writes random formulas for tests. It owns which fields, functions and constants occur in
// them, and knows nothing of how formulas are read.
package formulatest

import (
	"math/rand/v2"
	"strings"
)

// A Writer writes random formulas over fields with the names that leaf lists. Most of them fit together, so that much
// is compiled; some do not.
type Writer struct{ *rand.Rand }

// Formula writes one of random depth; one in ten is hardly a formula, and one in ten has a slip.
func (w Writer) Formula() string {
	text := w.expression('a', 1+w.IntN(5))
	switch w.IntN(10) {
	case 0:
		return w.Soup()
	case 1:
		return w.mutate(text)
	}
	return text
}

// Expression writes one of any type, of up to a depth.
func (w Writer) Expression(depth int) string { return w.expression('a', depth) }

// Pick returns one of several texts.
func (w Writer) Pick(of ...string) string { return of[w.IntN(len(of))] }

// expression writes one of a type: n, t, b, d, l for a list, or a for anything.
func (w Writer) expression(kind byte, depth int) string {
	if w.IntN(40) == 0 {
		kind = "ntbdla"[w.IntN(6)]
	}
	if kind == 'a' {
		kind = "ntbd"[w.IntN(4)]
	}
	if depth <= 0 || w.IntN(6) == 0 {
		return w.leaf(kind)
	}
	e := func(kind byte) string { return w.expression(kind, depth-1) }
	if w.IntN(6) == 0 {
		switch w.IntN(3) {
		case 0:
			return "IF(" + e('b') + ", " + e(kind) + w.Pick(", "+e(kind), "") + ")"
		case 1:
			return "SWITCH(" + e('a') + ", " + e('a') + ", " + e(kind) + ", " + e('a') + ", " + e(kind) +
				w.Pick(", "+e(kind), "") + ")"
		}
		return "(" + e(kind) + ")"
	}
	switch kind {
	case 'n':
		if w.IntN(2) == 0 {
			return w.Pick("", "-", "+") + e('n') + w.Pick(" + ", " - ", " * ", " / ", "+-") + e('n')
		}
	case 't':
		if w.IntN(3) == 0 {
			return e('a') + " & " + e('a') + w.Pick("", " & "+e('t'))
		}
	case 'b':
		if w.IntN(2) == 0 {
			of := "ntd"[w.IntN(3)]
			return e(of) + w.Pick(" = ", " != ", " < ", " <= ", " > ", " >= ") + e(of)
		}
	}
	return w.call(kind, e)
}

// calls are the functions by the type of their value, and their arguments by theirs; u is a unit of
// time, p a pattern, f a format, z a time zone.
var calls = map[byte][]string{
	'n': {
		"ABS n", "AVERAGE nn", "AVERAGE l", "CEILING nn", "COUNT al", "COUNTA atl", "COUNTALL l", "EVEN n", "EXP n",
		"FLOOR nn", "INT n",
		"LOG nn", "LOG n", "MAX nnn", "MIN nn", "MOD nn", "ODD n", "POWER nn", "ROUND nn", "ROUNDDOWN nn",
		"ROUNDUP nn", "SQRT n", "SUM nnl",
		"VALUE t", "FIND tt", "FIND ttn", "SEARCH tt", "LEN t", "DATETIME_DIFF ddu", "DAY d", "HOUR d", "MINUTE d",
		"MONTH d", "SECOND d",
		"WEEKDAY d", "WEEKNUM d", "YEAR d", "WORKDAY_DIFF dd",
	},
	't': {
		"CONCATENATE tan", "ENCODE_URL_COMPONENT t", "LEFT tn", "RIGHT tn", "MID tnn", "LOWER t", "UPPER t",
		"REPLACE tnnt", "REPT tn",
		"SUBSTITUTE ttt", "SUBSTITUTE tttn", "T a", "TRIM t", "REGEX_EXTRACT tp", "REGEX_REPLACE tpt",
		"REGEX_EXTRACT tt", "DATESTR d",
		"TIMESTR d", "DATETIME_FORMAT df", "FROMNOW d", "TONOW d", "ARRAYJOIN lt", "RECORD_ID ",
	},
	'b': {
		"AND bb", "OR bbb", "NOT b", "XOR bb", "TRUE ", "FALSE ", "ISERROR a", "IS_AFTER dd", "IS_BEFORE dd",
		"IS_SAME ddu", "REGEX_MATCH tp",
		"REGEX_MATCH tt",
	},
	'd': {
		"DATEADD dnu", "DATETIME_PARSE t", "DATETIME_PARSE tf", "SET_TIMEZONE dz", "WORKDAY dn", "NOW ", "TODAY ",
		"CREATED_TIME ", "MAX dd",
		"MIN dd", "WORKDAY dnt",
	},
	'l': {"ARRAYUNIQUE l", "ARRAYCOMPACT l", "ARRAYSLICE ln", "ARRAYSLICE lnn", "ARRAYFLATTEN l"},
}

func (w Writer) call(kind byte, e func(kind byte) string) string {
	name, params, _ := strings.Cut(w.Pick(calls[kind]...), " ")
	args := make([]string, len(params))
	for i := range params {
		switch params[i] {
		case 'u':
			args[i] = w.Pick(`"days"`, `"hours"`, `"month"`, `"M"`, `"m"`, `"year"`, `"week"`, `"quarters"`, `"ms"`,
				`"s"`)
		case 'p':
			args[i] = w.Pick(`"\d+"`, `"^a|b"`, `".*?x"`, `"(\w+)\s*(.)"`, `"[^a-z]+"`, `"(?i)SO.*?l"`, `"\bx\b"`,
				`"(a*)*b"`, `"(a|aa)+$"`,
				`"\p{L}{2,5}"`, `"^$"`, `"x*"`)
		case 'f':
			args[i] = w.Pick(`"YYYY-MM-DD"`, `"D.M.YY HH:mm"`, `"LLLL"`, `"[x]YYYY Do"`, `"MMMM YYYY"`)
		case 'z':
			args[i] = w.Pick(`"Europe/Oslo"`, `"America/New_York"`, `"Asia/Kolkata"`, `"UTC"`)
		default:
			args[i] = e(params[i])
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func (w Writer) leaf(kind byte) string {
	switch kind {
	case 'n':
		return w.Pick("{Price}", "{Qty}", "0", "1", "-1", "2.5", "1e300", "1e-300", "{Broken}", "100", "BLANK()",
			"1e17", "-0.5", "3")
	case 't':
		return w.Pick("{Name}", "{Notes}", "{Word}", "{Kind}", `""`, `"a"`, `"12"`, `"2026-05-01"`,
			`"5/17/2026 2:30 PM"`, `"Ærø 🚢"`, `"a'b\\c"`,
			"{Broken text}", `"aaaaaaaaaaaaaaaaaaaa"`, `"%_$1\\1"`, "'x'", `"("`, `"\\1"`, `"[a-"`, `"1e999"`,
			"\"\uFFFF9\"", `"\n"`, `"(a|b)*c"`)
	case 'b':
		return w.Pick("{Done}", "TRUE()", "FALSE()", "{Name}", "{Qty}", "1 / {Qty}", "{Due}")
	case 'd':
		return w.Pick("{Due}", "{Start Time}", "TODAY()", "NOW()", "{Broken date}", "{Broken time}", "BLANK()",
			`"2024-02-29"`, `"0001-01-01"`,
			`"9999-12-31"`, "CREATED_TIME()", "{Days}")
	case 'l':
		return w.Pick("{Tags}", "{Scores}", "{Days}", "{Moments}", "{Broken list}", "{Broken scores}")
	}
	return w.Pick("ERROR()", "BLANK()")
}

// Soup writes what is hardly ever a formula.
func (w Writer) Soup() string {
	var b strings.Builder
	for range w.IntN(20) {
		b.WriteString(w.Pick("IF(", "(", ")", ",", "1", "\"a\"", "{Name}", "{", "}", "\"", "+", "-", "&", "=", "<",
			"NOW()", "%", "é", "\x00", "\xff",
			"SUM", " ", "\n", "//", "/*", "*/", "'", "\\", ".", "1e", "🚢", "𝒳"))
	}
	return b.String()
}

// mutate changes a formula a little.
func (w Writer) mutate(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	at := w.IntN(len(r))
	switch w.IntN(3) {
	case 0:
		return string(r[:at]) + string(r[at+1:])
	case 1:
		return string(r[:at]) + w.Pick("(", ")", ",", "{", "\"", "+", "&", "1", "=") + string(r[at:])
	}
	return string(r[:at])
}
