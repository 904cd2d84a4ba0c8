package formula

import (
	"regexp"
	"strings"
)

// Most formats of dates are those that SQL's own to_char knows under other names, and is much faster at
// than gate.formula_format, which knows them all.

// formatSigns parts a format as gate.formula_format does.
var formatSigns = regexp.MustCompile(`(?s)\[[^\]]*\]|\\.|MMMM|MMM|MM|Mo|M|` +
	`DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d|YYYY|YY|Y|Qo|Q|GGGG|GG|gggg|gg|Wo|WW|W|wo|ww|w|` +
	`HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|ZZ|Z|zz|z|A|a|E|e|X|x|LTS|LT|LLLL|LLL|LL|L|` +
	`llll|lll|ll|l|.`)

// clockSigns are signs of a format as to_char writes them. A sign with more than one letter, and one of
// otherSigns, is no text.
var clockSigns = map[string]string{
	"YYYY": "YYYY", "YY": "YY", "MMMM": "FMMonth", "MMM": "Mon", "MM": "MM", "M": "FMMM", "DDDD": "DDD", "DDD": "FMDDD",
	"DD": "DD", "D": "FMDD", "dddd": "FMDay", "ddd": "Dy", "HH": "HH24", "H": "FMHH24", "hh": "HH12", "h": "FMHH12",
	"mm": "MI", "m": "FMMI", "ss": "SS", "s": "FMSS", "A": "AM", "a": "am", "Q": "Q",
}

const otherSigns = "dYWwkSZzEeXxLl"

// clockTemplate is a format of dates as a template of to_char, if there is one.
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
			sign = sign[1 : len(sign)-1]
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

// dateFormat has to_char write the formats that it knows.
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
