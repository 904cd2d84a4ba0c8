package formula

import (
	"regexp"
	"slices"
	"strings"
)

// Most formats of dates have an equivalent in SQL's to_char, which is much faster than
// gate.formula_write, which knows them all.

// formatSigns splits a format as gate.formula_token does.
var formatSigns = func() *regexp.Regexp {
	signs := regexp.MustCompile(
		`(?s)\[[^\[]*\]|\\?(?:[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[ow]?|W[oW]?|Qo?|` +
			`YYYYYY|YYYYY|YYYY|YY|gg(?:ggg?)?|GG(?:GGG?)?|hh?|HH?|kk?|mm?|ss?|S{1,9}|zz?|ZZ?|LTS|LT|LL?L?L?|l{1,4}|.)`,
	)
	signs.Longest()
	return signs
}()

// yearSigns are the signs of which DATETIME_PARSE needs one to read a year.
var yearSigns = []string{
	"YYYY", "YY", "Y", "YYYYY", "YYYYYY", "GGGG", "GG", "GGGGG", "gggg", "gg", "ggggg", "X", "x", "L", "LL", "LLL",
	"LLLL", "l", "ll", "lll", "llll",
}

// readable says why DATETIME_PARSE cannot read a format; "" if it can.
func readable(format string) string {
	signs := formatSigns.FindAllString(format, -1)
	if zone := slices.IndexFunc(signs, func(sign string) bool { return sign == "z" || sign == "zz" }); zone >= 0 {
		return quote(signs[zone]) + " names a time zone, which cannot be read; Z reads an offset as in +02:00, " +
			"and what stands in brackets is text, as in [at]. The others are YYYY, YY, Q, M, MM, MMM, MMMM, D, DD, " +
			"Do, " +
			"DDD, DDDD, d, dd, ddd, dddd, GGGG, gggg, W, w, E, e, H, HH, h, hh, k, kk, Hmm, hmm, m, mm, s, ss, S to " +
			"SSSSSSSSS, " +
			"A, a, X, x, L, LL, LLL, LLLL, LT and LTS"
	}
	if !slices.ContainsFunc(signs, func(sign string) bool { return slices.Contains(yearSigns, sign) }) {
		return "the format holds no year, without which there is no date: " + strings.Join(yearSigns[:2], ", ") +
			", GGGG, gggg, L, LL, LLL, LLLL, X or x"
	}
	return ""
}

// clockSigns maps signs of a format to to_char's. A sign with more than one letter, and one of
// otherSigns, is not literal text.
var clockSigns = map[string]string{
	"YYYY": "YYYY", "YY": "YY", "MMMM": "FMMonth", "MMM": "Mon", "MM": "MM", "M": "FMMM", "DDDD": "DDD", "DDD": "FMDDD",
	"DD": "DD", "D": "FMDD", "dddd": "FMDay", "ddd": "Dy", "HH": "HH24", "H": "FMHH24", "hh": "HH12", "h": "FMHH12",
	"mm": "MI", "m": "FMMI", "ss": "SS", "s": "FMSS", "A": "AM", "a": "am", "Q": "Q",
}

const otherSigns = "dYWwkSZzEeXxLl"

// clockTemplate is the template of to_char for a format of dates, if there is one.
func clockTemplate(format string) (string, bool) {
	if format == "" || len(format) > 200 {
		return "", false
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	var b strings.Builder
	last := byte(0) // of a sign that stands right before
	for _, sign := range formatSigns.FindAllString(format, -1) {
		template, known := clockSigns[sign]
		switch {
		case known:
			if last != 0 && strings.EqualFold(string(last), template[:1]) {
				return "", false // the two may be another sign
			}
			b.WriteString(template)
			last = template[len(template)-1]
			continue
		case strings.HasPrefix(sign, "[") && len(sign) > 1:
			sign = sign[1 : len(sign)-1] // its end is a bracket too
		case strings.HasPrefix(sign, `\`) && len(sign) > 1:
			sign = sign[1:]
		case len(sign) > 1 && sign[0] < 0x80 || strings.Contains(otherSigns, sign):
			return "", false
		}
		if sign != "" {
			b.WriteString(`"` + quoted.Replace(sign) + `"`)
			last = 0
		}
	}
	return b.String(), true
}

// dateFormat uses to_char for the formats that it knows.
func dateFormat(f *function) {
	f.generate = func(g *generator, n *node) string {
		if len(n.args) == 2 && n.args[1].kind == nodeText && n.args[0].locale == "" {
			if template, ok := clockTemplate(n.args[1].text); ok {
				return "gate.formula_clock(" + g.as(n.args[0], aDatetime) + ", " + literalText(template) + ", " +
					g.scope.zone(n.args[0].zone) + ")"
			}
		}
		return g.call(n)
	}
}
