package field

import (
	"math"
	"strings"
)

var _ = Register(NewNumberLike(Info{
	Type: "currency", Place: 70, Title: "Currency", Description: "An amount of money.",
	Keys: []Key{precisionKey, symbolKey},
}, NumberRules{Trim: trimCurrency, Show: showCurrency}))

func trimCurrency(c *Config, s string) string {
	return strings.TrimSpace(strings.Trim(cutSymbol(s, c.Symbol), "$€£¥"))
}

func showCurrency(c *Config, x float64, shown *Shown) {
	sign, symbol := "", c.Symbol
	if x < 0 {
		sign = "-"
	}
	if symbol == "" {
		symbol = "$"
	}
	shown.Text = sign + symbol + groupThousands(formatNumber(c, math.Abs(x), 2))
}

// groupThousands puts commas between the thousands of a decimal number without a sign.
func groupThousands(number string) string {
	whole, fraction, pointed := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if pointed {
		return whole + "." + fraction
	}
	return whole
}
