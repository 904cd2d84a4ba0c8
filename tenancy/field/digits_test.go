package field

import (
	"strings"
	"testing"
)

// A number that a person writes is read as it is meant, or refused with the spelling that is meant
// for sure.
func TestWrittenNumber(t *testing.T) {
	t.Parallel()
	number := &Field{Kind: Type("number").Kind()}
	pounds := &Field{Kind: Type("currency").Kind(), Config: Config{Symbol: "£"}}
	crowns := &Field{Kind: Type("currency").Kind(), Config: Config{Symbol: "kr."}}
	odd := &Field{Kind: Type("currency").Kind(), Config: Config{Symbol: "1"}}
	percent := &Field{Kind: Type("percent").Kind()}
	for _, c := range []struct {
		field *Field
		text  string
		want  string // the digits, or part of the error
	}{
		{number, "", ""},
		{number, " 12 ", "12"},
		{number, "-12.5", "-12.5"},
		{number, "\u221212.5", "-12.5"},
		{number, "+3", "3"},
		{number, ".5", ".5"},
		{number, "1.234", "1.234"},
		{number, "1e5", "1e5"},
		{number, "1.5e-3", "1.5e-3"},
		{number, "1,234,567", "1234567"},
		{number, "1.234.567", "1234567"},
		{number, "1,234.56", "1234.56"},
		{number, "1.234,56", "1234.56"},
		{number, "-1.234.567,8", "-1234567.8"},
		{number, "1 234 567,8", "1234567.8"},
		{number, "1\u00a0234\u202f567.8", "1234567.8"},
		{number, "1'234'567", "1234567"},
		{number, "1\u2019234.5", "1234.5"},
		{number, "1 234", "1234"},
		{pounds, "£1,234.50", "1234.50"},
		{pounds, "-£5", "-5"},
		{pounds, "£-5", "-5"},
		{pounds, "5 GBP", "5"},
		{pounds, "(£35.50)", "-35.50"},
		{number, "(35.50)", "-35.50"},
		{number, "35.50-", "-35.50"},
		{crowns, "1.234,50 kr.", "1234.50"},
		{odd, "11", "11"},
		{percent, "12.5 %", "12.5"},

		{pounds, "€ 5", "amount in €, and the field holds amounts in £"},
		{pounds, "5 EUR", "amount in EUR"},
		{number, "€5", "not a number"},
		{number, "(-5)", "not a number"},
		{number, "-3,00", "write -3.00"},
		{number, "1,5", "write 1.5"},
		{number, "1,234", "write 1.234 or 1234"},
		{number, ",5", "ambiguous"},
		{number, "-3,00", "write -3.00"},
		{number, "\u2212 1,234", "write -1.234 or -1234"},
		{pounds, "£-1,5", "write -1.5"},
		{pounds, "-£1,234", "write -1.234 or -1234"},
		{pounds, "£1,5", "write 1.5"},
		{percent, "12,5%", "write 12.5"},
		{number, "12,34.5", "as in 1234.56"},
		{number, "1,23,456.7", "as in 1234.56"},
		{number, "1,234.567,8", "as in 1234.56"},
		{number, "1.234,", "as in 1234.56"},
		{number, "1,234e5", "as in 1234.56"},
		{number, "1  234", "as in 1234.56"},
		{number, "12 34", "as in 1234.56"},
		{number, "1 234'567", "as in 1234.56"},
		{number, "£", "not a number"},
		{pounds, "£", "not a number"},
		{number, "-", "not a number"},
		{number, "--5", "not a number"},
		{number, "0x10", "not a number"},
		{number, "1_000", "not a number"},
		{number, "NaN", "not a number"},
		{number, "inf", "not a number"},
		{number, "1e400", "too large"},
	} {
		digits, err := writtenNumber(c.text, "", c.field.Kind.(*NumberLike).trimmer(&c.field.Config))
		if err == nil && digits != "" {
			_, err = ParseNumber(digits)
		}
		switch {
		case err == nil && digits != c.want:
			t.Errorf("%q is %q, not %q", c.text, digits, c.want)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%q: %v, which does not say %q", c.text, err, c.want)
		}
	}
}

// A whole number reads back as it was sent, or is refused.
func TestNumbersThatADoubleCannotHold(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{
		"9007199254740992", "-9007199254740992", "1152921504606846976", "1152921504606847000", "9007199254740994",
		"1e23", "1e300", "0.1", "12345678901234567000", "1e+21", "1000000000000000000000", "9007199254740992.0",
		"0.30000000000000004", "123456789.123456789123",
	} {
		if _, err := ParseNumber(digits); err != nil {
			t.Error(err)
		}
	}
	for _, digits := range []string{
		"9007199254740993", "-9007199254740993", "12345678901234567890", "12345678901234567890.0", "9007199254740993.5",
	} {
		if x, err := ParseNumber(digits); err == nil || !strings.Contains(err.Error(), "exact up to 9007199254740992") {
			t.Errorf("%s became %v: %v", digits, x, err)
		}
	}
}
