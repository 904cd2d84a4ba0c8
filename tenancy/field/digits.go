package field

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Digits become numbers only in this file: in values, typecast, filters' operands and defaults.

// maxExact is the bound up to which a double holds every whole number.
const maxExact = 1 << 53

// ParseNumber reads a decimal number, as JSON writes it or without digits on one side of the point. It
// refuses what a double cannot represent: numbers that are too large, and whole numbers beyond 2^53
// that would read back as others.
func ParseNumber(digits string) (float64, error) {
	x, err := strconv.ParseFloat(digits, 64)
	switch {
	case math.IsInf(x, 0) && !strings.ContainsAny(digits, "iInN"):
		return 0, fmt.Errorf("%s is too large; the largest number is about 1.8e308", Quote(digits))
	case err != nil || math.IsNaN(x) || strings.ContainsAny(digits, "xXpP_iInN"):
		return 0, fmt.Errorf("%s is not a number", Quote(digits))
	case math.Abs(x) >= maxExact && !readsBack(x, digits):
		return 0, fmt.Errorf("%s has more digits than a number can hold and would become %s; "+
			"whole numbers are exact up to 9007199254740992, "+
			"and text keeps every digit", Quote(digits), strconv.FormatFloat(x, 'f', -1, 64))
	}
	if x == 0 {
		x = 0 // negative zero reads back as "-0"
	}
	return x, nil
}

// readsBack reports whether x, of at least maxExact, is the number in digits: exactly, or as the
// shortest text for x, which is how programs write it. A number with an exponent does not claim every
// digit.
func readsBack(x float64, digits string) bool {
	if strings.ContainsAny(digits, "eE") {
		return true
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(digits, "+"), ".")
	if strings.Trim(fraction, "0") != "" {
		return false
	}
	sign := ""
	if after, negative := strings.CutPrefix(whole, "-"); negative {
		sign, whole = "-", after
	}
	whole = sign + strings.TrimLeft(whole, "0")
	return whole == strconv.FormatFloat(x, 'f', -1, 64) || whole == strconv.FormatFloat(x, 'f', 0, 64)
}

// writtenNumber reads a number as a person writes it; typecast and a change of type use it. "" is
// no number. decimal is the decimal sign of its column, "" if that is not known. trim takes off the
// signs that the kind of field allows next to the digits.
//
// If the decimal sign is not known: with points only, the point is the decimal sign: "1.234" is 1.234.
// A comma without points is refused, because it is the decimal sign in one country and groups thousands
// in another. With both, the last one is the decimal sign and the other one groups: "1,234.56" and
// "1.234,56" are both 1234.56. The same sign several times groups: "1,234,567". Spaces and apostrophes
// always group. Groups have three digits, the first one to three. A number in parentheses or with a
// minus after it is negative.
func writtenNumber(text, decimal string, trim func(s string) (string, error)) (digits string, err error) {
	if _, fraction, ok := plainNumber(text); ok && (decimal != "," || fraction == "") {
		return text, nil
	}
	s := strings.TrimSpace(text)
	if s == "" {
		return "", nil
	}
	sign, s := cutSign(s)
	if s, err = trim(s); err != nil {
		return "", fmt.Errorf("%s %w", Quote(text), err)
	}
	if sign == "" {
		if sign, s = cutSign(s); sign != "" {
			if s, err = trim(s); err != nil {
				return "", fmt.Errorf("%s %w", Quote(text), err)
			}
		}
	}
	if s == "" {
		return "", fmt.Errorf("%s is not a number", Quote(text))
	}
	if digits, err = ungroup(s, sign, decimal); err != nil {
		return "", fmt.Errorf("%s %w", Quote(text), err)
	}
	return sign + digits, nil
}

// plainNumber divides a number that is digits, perhaps with a minus before them and a point between two of them, and
// nothing else: no kind of field takes anything off it.
func plainNumber(s string) (whole, fraction string, ok bool) {
	s = strings.TrimPrefix(s, "-")
	point := -1
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
		case c == '.' && point < 0:
			point = i
		default:
			return "", "", false
		}
	}
	switch {
	case s == "" || point == 0 || point == len(s)-1:
		return "", "", false
	case point < 0:
		return s, "", true
	}
	return s[:point], s[point+1:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func cutSign(s string) (sign, rest string) {
	for _, minus := range []string{"-", "\u2212"} {
		if rest, found := strings.CutPrefix(s, minus); found {
			return "-", strings.TrimSpace(rest)
		}
		if rest, found := strings.CutSuffix(s, minus); found {
			return "-", strings.TrimSpace(rest)
		}
	}
	if len(s) > 2 && s[0] == '(' && s[len(s)-1] == ')' && !strings.ContainsAny(s[1:len(s)-1], "()-+\u2212") {
		return "-", strings.TrimSpace(s[1 : len(s)-1])
	}
	return "", strings.TrimSpace(strings.TrimPrefix(s, "+"))
}

// cutSymbol takes off a symbol that may stand on either side of the digits. A symbol that contains
// digits, or nothing but signs of a number, stays, because it could be a part of the number.
func cutSymbol(s, symbol string) string {
	if !strings.ContainsFunc(symbol, isSymbol) || strings.ContainsFunc(symbol, unicode.IsDigit) {
		return s
	}
	rest, found := strings.CutPrefix(s, symbol)
	if !found {
		rest = strings.TrimSuffix(s, symbol)
	}
	return strings.TrimSpace(rest)
}

func isSymbol(r rune) bool { return unicode.In(r, unicode.L, unicode.Sc, unicode.So) }

// groupers are the characters that group digits and nothing else, by the one that stands for them
// here.
var groupers = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2019", "'")

// ungroup returns a number, whose sign was removed, as digits with at most one point. A number with a
// letter is returned as it is, for ParseNumber to refuse.
func ungroup(s, sign, decimal string) (string, error) {
	s = groupers.Replace(s)
	groups := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",. '", r) })
	for _, group := range groups {
		if strings.Trim(group, "0123456789") == "" {
			continue
		}
		if strings.ContainsAny(s, ", '") { // an exponent, or no number at all
			return "", fmt.Errorf("is not a number; %s", validNumber)
		}
		return s, nil
	}
	signs := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
	switch signs {
	case "":
		return s, nil
	case ".": // ".5" and "5." are numbers, too
		if decimal != "," {
			return s, nil
		}
	case ",":
		if decimal == "" {
			return "", ambiguous(s, sign)
		}
	}
	last := signs[len(signs)-1]
	body, fraction := s, ""
	if (last == ',' || last == '.') && (decimal == "" || decimal == string(last)) &&
		strings.Count(signs, string(last)) == 1 {
		at := strings.LastIndexByte(s, last)
		body, fraction, signs = s[:at], s[at+1:], signs[:len(signs)-1]
		if fraction == "" {
			return "", fmt.Errorf("is not a number; %s", validNumber)
		}
		if fraction = "." + fraction; signs == "" {
			return body + fraction, nil
		}
	}
	if decimal != "" && strings.Contains(signs, decimal) {
		return "", fmt.Errorf("does not have %s as its decimal sign, as its column does", strconv.Quote(decimal))
	}
	if strings.Trim(signs, signs[:1]) != "" || !grouped(body, signs[:1]) {
		return "", fmt.Errorf("does not group its digits by three with one sign; %s", validNumber)
	}
	return strings.ReplaceAll(body, signs[:1], "") + fraction, nil
}

const validNumber = "write it with a point as the decimal sign and without grouping, as in 1234.56"

// grouped reports whether sign splits digits into one to three, not beginning with 0, and then three
// each time.
func grouped(s, sign string) bool {
	if strings.HasPrefix(s, "0") {
		return false
	}
	for i, group := range strings.Split(s, sign) {
		if len(group) != 3 && (i > 0 || len(group) < 1 || len(group) > 3) {
			return false
		}
	}
	return true
}

// ambiguous says how to write a number whose only separator is one comma.
func ambiguous(s, sign string) error {
	decimal := sign + strings.Replace(s, ",", ".", 1)
	if !grouped(s, ",") {
		return fmt.Errorf("is ambiguous, because a comma alone may be the decimal sign or group digits; write %s",
			decimal)
	}
	return fmt.Errorf("is ambiguous, because a comma alone may be the decimal sign or group digits; write %s or %s",
		decimal, sign+strings.Replace(s, ",", "", 1))
}
