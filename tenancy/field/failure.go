package field

import (
	"fmt"
	"strconv"
)

// A Failure is the error that a computed value is. The database stores its number.
type Failure uint8

// The failures.
const (
	DivisionByZero  Failure = iota + 1
	NotANumber              // a text that is no number, or a number for which a function has no value
	NotADate                // a text that is no date
	NumberTooLarge          // beyond 1e300
	DateOutOfRange          // outside the years 1 to 9999
	InvalidArgument         // a length below 0, a unit that is none
	InvalidPattern          // of a regular expression
	TextTooLong             // beyond MaxText
	Raised                  // by ERROR()
	SeveralValues           // a list of several where one is needed
	SourceMissing           // a field that is read is gone
	LastFailure     = SourceMissing
)

var failures = [...]struct{ name, message string }{
	DivisionByZero: {"division_by_zero", "The formula divides by zero or by an empty value."},
	NotANumber: {
		"not_a_number", "The formula takes a number of a text that is none or can be read in several ways, or of a " +
			"number that gives none.",
	},
	NotADate:        {"not_a_date", "The formula takes a date of a text that is none."},
	NumberTooLarge:  {"number_too_large", "The number is beyond 1e300."},
	DateOutOfRange:  {"date_out_of_range", "The date is not in the years 1 to 9999."},
	InvalidArgument: {"invalid_argument", "A function has no value of what it is given."},
	InvalidPattern:  {"invalid_pattern", "The pattern is not a regular expression, or is too large."},
	TextTooLong: {
		"text_too_long", fmt.Sprintf("The text has more than %d characters, or takes too much work to make.", MaxText),
	},
	Raised:        {"error", "The formula calls ERROR()."},
	SeveralValues: {"several_values", "The formula takes one value of a list that holds several."},
	SourceMissing: {"source_missing", "A field that the formula reads was deleted or has become another type."},
}

// String is the failure's name in the API.
func (f Failure) String() string {
	if f < 1 || f > LastFailure {
		return "error"
	}
	return failures[f].name
}

// Message explains the failure to the reader of a value.
func (f Failure) Message() string {
	if f < 1 || f > LastFailure {
		return "The formula has no value here."
	}
	return failures[f].message
}

// AppendFailure writes a failure as the JSON of a value.
func AppendFailure(dst []byte, f Failure) []byte {
	dst = AppendString(append(dst, `{"error":`...), f.String())
	dst = AppendString(append(dst, `,"message":`...), f.Message())
	return append(dst, '}')
}

// The functions below find the failure of a value in the form of package formula; 0 is none.

func failureOfNumber(x float64) Failure {
	const unit, last = 1e301, 3.2e302
	switch {
	case !(x >= unit):
		return 0
	case x > last:
		return NumberTooLarge
	}
	return Failure(x/unit + 0.5)
}

// noncharacter is U+FFFF in UTF-8, with which texts that are failures begin.
const noncharacter = "\xef\xbf\xbf"

func failureOfText(raw []byte) Failure {
	if len(raw) < len(noncharacter) || string(raw[:len(noncharacter)]) != noncharacter {
		return 0
	}
	code, err := strconv.ParseUint(string(raw[len(noncharacter):]), 10, 8)
	if err != nil || code > 99 {
		return InvalidArgument
	}
	return Failure(code)
}

// failureDays is the day, counted from the year 2000, after which days are failures: 20000-01-01.
const failureDays = 18_000*365 + 18_000/4 - 18_000/100 + 18_000/400

func failureOfDay(days int64) Failure {
	if days <= failureDays || days > failureDays+99 {
		return 0
	}
	return Failure(days - failureDays)
}

func failureOfTime(micros int64) Failure { return failureOfDay(micros / 86_400_000_000) }
