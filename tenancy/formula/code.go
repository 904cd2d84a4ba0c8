package formula

import (
	"fmt"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A Code is the error that a value is. The database stores its number.
type Code = field.Failure

// The errors.
const (
	DivisionByZero  = field.DivisionByZero
	NotANumber      = field.NotANumber
	NotADate        = field.NotADate
	NumberTooLarge  = field.NumberTooLarge
	DateOutOfRange  = field.DateOutOfRange
	InvalidArgument = field.InvalidArgument
	InvalidPattern  = field.InvalidPattern
	TextTooLong     = field.TextTooLong
	Raised          = field.Raised
	SeveralValues   = field.SeveralValues
	SourceMissing   = field.SourceMissing
	lastCode        = field.LastFailure
)

// MaxText bounds the characters of a text that a formula computes.
const MaxText = field.MaxText

// Codes lists all codes.
func Codes() []Code {
	out := make([]Code, 0, lastCode)
	for c := DivisionByZero; c <= lastCode; c++ {
		out = append(out, c)
	}
	return out
}

// A codeSet is a set of codes.
type codeSet uint32

func setOf(codes ...Code) codeSet {
	var s codeSet
	for _, c := range codes {
		s |= 1 << c
	}
	return s
}

// ErrorValue is an error as a value of a type in SQL.
func ErrorValue(c Code, t Type) string {
	one := map[Base]string{
		Blank:    fmt.Sprintf(`U&'\FFFF%d'::text`, c),
		Text:     fmt.Sprintf(`U&'\FFFF%d'::text`, c),
		Number:   fmt.Sprintf("%de301::double precision", c),
		Boolean:  fmt.Sprintf("%de301::double precision", c),
		Date:     fmt.Sprintf("(date '20000-01-01' + %d)", c),
		Datetime: fmt.Sprintf("(timestamptz '20000-01-01 00:00+00' + interval '%d hours')", 24*int(c)),
	}[t.Base]
	if t.List {
		return "array[" + one + "]"
	}
	return one
}
