package field

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"
)

var _ = Register(NewNumberLike(Info{
	Type: "currency", Place: 70, Title: "Currency", Description: "An amount of money.",
	Keys: []Key{precisionKey, symbolKey, thousandsKey, negativeKey}, Ask: AskNumber,
}, NumberRules{Trim: trimCurrency, Show: showCurrency}))

// currencyCodes are the ISO 4217 codes that symbols stand for by themselves.
var currencyCodes = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW"}

// trimCurrency removes the field's symbol or its code. It refuses another currency, because such an
// amount is not one of the field.
func trimCurrency(c *Config, s string) (string, error) {
	own := c.symbol()
	rest := cutSymbol(s, own)
	if code := currencyCodes[own]; code != "" && rest == s {
		rest = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, code), code))
	}
	other := currencyIn(rest)
	if strings.Contains(own, other) { // a dollar in a field of US$, or none
		return strings.TrimSpace(strings.Trim(rest, own)), nil
	}
	return "", fmt.Errorf("is an amount in %s, and the field holds amounts in %s", other, own)
}

// currencyIn finds the symbol or the ISO 4217 code of a currency in an amount; "" if there is none.
func currencyIn(s string) string {
	if at := strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Sc, r) }); at >= 0 {
		_, size := utf8.DecodeRuneInString(s[at:])
		return s[at : at+size]
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) {
		if len(part) == 3 {
			if _, err := currency.ParseISO(part); err == nil {
				return part
			}
		}
	}
	return ""
}

func (c *Config) symbol() string {
	if c.Symbol == "" {
		return "$"
	}
	return c.Symbol
}

func showCurrency(c *Config, x float64, shown *Shown) {
	shown.Text = writeNumber(c, x, 2, true, c.symbol(), "")
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
