package field

import "strings"

var _ = Register(NewNumberLike(Info{
	Type: "percent", Place: 80, Title: "Percent", Description: "A number of per cent: 12.5 is 12.5 %, not 0.125.",
	Keys: []Key{precisionKey, thousandsKey, negativeKey}, Hundredths: true, Ask: AskNumber,
}, NumberRules{
	Trim: func(_ *Config, s string) (string, error) {
		return strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(s, "%"), "%")), nil
	},
	Show: func(c *Config, x float64, shown *Shown) { shown.Text = writeNumber(c, x, -1, false, "", "%") },
}))
