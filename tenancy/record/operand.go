package record

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// An operand is the value of one comparison, read for its field's shape and its operator. Only the members that the shape and
// operator use are set.
type operand struct {
	text    string
	texts   []string
	number  float64
	numbers []float64
	truth   bool
	times   []timeValue // one, or two for between; for is_within the other end of the span from today
	ids     []uuid.UUID // of users, or rows of the linked table
}

// A timeValue is a date, a moment, or a day that depends on when it is asked.
type timeValue struct {
	at     time.Time // UTC; midnight for a date
	moment bool      // at is an instant and not a whole day
	unit   string    // day, week, month or year: so many units from today; "" is at
	offset int
}

var timeUnits = []string{"day", "week", "month", "year"}

// maxOffset keeps relative days within the years that dates can be written in.
const maxOffset = 100_000

func parseOperand(f *schema.Field, op Op, raw []byte) (operand, error) {
	if op == IsEmpty || op == IsNotEmpty {
		if raw != nil && kind(raw) != '0' {
			return operand{}, fmt.Errorf("must be left out, %s takes none", op)
		}
		return operand{}, nil
	}
	if raw == nil {
		return operand{}, fmt.Errorf("is missing; %s needs one", op)
	}
	if kind(raw) == '0' || string(raw) == `""` {
		return operand{}, fmt.Errorf("must not be empty; is_empty finds records without a value, is_not_empty those with one")
	}
	switch f.Type.Info().Shape {
	case schema.ShapeText:
		return textOperand(op, raw, nil)
	case schema.ShapeChoice:
		return textOperand(op, raw, f)
	case schema.ShapeNumber:
		return numberOperand(op, raw)
	case schema.ShapeBool:
		if kind(raw) != 'b' {
			return operand{}, fmt.Errorf("must be true or false, not %s", kindName(raw))
		}
		return operand{truth: raw[0] == 't'}, nil
	case schema.ShapeDate, schema.ShapeMoment:
		return timeOperand(op, raw)
	case schema.ShapeChoices:
		names, err := stringsOf(raw, "names of options")
		if err == nil {
			err = knownOptions(f, names)
		}
		return operand{texts: names}, err
	case schema.ShapeUser, schema.ShapeLink:
		return idsOperand(f, raw)
	case schema.ShapeAttachment, schema.ShapeJSON, schema.ShapeNone:
	}
	return operand{}, fmt.Errorf("cannot be compared")
}

// stringsOf reads an array of strings, or one string as an array of it.
func stringsOf(raw []byte, what string) ([]string, error) {
	var out []string
	var problem error
	add := func(i int, value []byte) bool {
		if kind(value) != 's' {
			problem = fmt.Errorf("must be an array of %s, but element %d is %s", what, i, kindName(value))
			return false
		}
		var s string
		s, problem = unquote(value)
		out = append(out, s)
		return problem == nil && len(out) <= maxFilterList
	}
	switch kind(raw) {
	case 's':
		add(0, raw)
	case 'a':
		elements(raw, add)
	default:
		return nil, fmt.Errorf("must be an array of %s, not %s", what, kindName(raw))
	}
	switch {
	case problem != nil:
		return nil, problem
	case len(out) == 0:
		return nil, fmt.Errorf("must not be an empty array")
	case len(out) > maxFilterList:
		return nil, fmt.Errorf("must hold at most %d entries", maxFilterList)
	}
	return out, nil
}

// knownOptions refuses names that are no options, and replaces the others by the options' own spelling.
func knownOptions(f *schema.Field, names []string) error {
	for i, name := range names {
		known, ok := f.Config.FindOption(name)
		names[i] = known
		if !ok {
			options := f.Config.OptionNames()
			return fmt.Errorf("%s is not an option of %q%s; the options are %s",
				quoted(name), f.Name, problem.DidYouMean(name, options), problem.List(options))
		}
	}
	return nil
}

// textOperand reads the value for text, and for a choice when selected is given.
func textOperand(op Op, raw []byte, selected *schema.Field) (operand, error) {
	var names []string
	var err error
	if op == In || op == NotIn {
		if kind(raw) != 'a' {
			return operand{}, fmt.Errorf("must be an array of strings for %s, not %s", op, kindName(raw))
		}
		names, err = stringsOf(raw, "strings")
	} else {
		var s string
		if s, err = stringOf(raw); err == nil {
			names = []string{s}
		}
	}
	if err == nil && selected != nil {
		err = knownOptions(selected, names)
	}
	if err != nil {
		return operand{}, err
	}
	return operand{text: names[0], texts: names}, nil
}

func numberOf(raw []byte) (float64, error) {
	if kind(raw) != 'n' {
		return 0, fmt.Errorf("must be a number, not %s", kindName(raw))
	}
	return parseNumber(string(raw))
}

func numberOperand(op Op, raw []byte) (operand, error) {
	if op != In && op != Between {
		x, err := numberOf(raw)
		return operand{number: x}, err
	}
	if kind(raw) != 'a' {
		return operand{}, fmt.Errorf("must be an array of numbers for %s, not %s", op, kindName(raw))
	}
	var numbers []float64
	var problem error
	elements(raw, func(i int, value []byte) bool {
		x, err := numberOf(value)
		if err != nil {
			problem = fmt.Errorf("element %d %w", i, err)
			return false
		}
		numbers = append(numbers, x)
		return len(numbers) <= maxFilterList
	})
	switch {
	case problem != nil:
		return operand{}, problem
	case op == Between && len(numbers) != 2:
		return operand{}, fmt.Errorf("must be an array of two numbers, the lowest and the highest")
	case len(numbers) == 0:
		return operand{}, fmt.Errorf("must not be an empty array")
	case len(numbers) > maxFilterList:
		return operand{}, fmt.Errorf("must hold at most %d entries", maxFilterList)
	}
	return operand{numbers: numbers}, nil
}

const timeForms = `a date "2026-01-31", a moment "2026-01-31T08:30:00Z", "today", "yesterday", "tomorrow", or {"unit": "day", "offset": -7} with the units day, week, month and year`

func timeOperand(op Op, raw []byte) (operand, error) {
	if op != Between {
		v, err := timeOf(raw)
		return operand{times: []timeValue{v}}, err
	}
	if kind(raw) != 'a' {
		return operand{}, fmt.Errorf("must be an array of two, the first and the last, each %s", timeForms)
	}
	var times []timeValue
	var problem error
	elements(raw, func(i int, value []byte) bool {
		v, err := timeOf(value)
		if err != nil {
			problem = fmt.Errorf("element %d %w", i, err)
			return false
		}
		times = append(times, v)
		return len(times) <= 2
	})
	if problem == nil && len(times) != 2 {
		problem = fmt.Errorf("must be an array of two, the first and the last")
	}
	return operand{times: times}, problem
}

func timeOf(raw []byte) (timeValue, error) {
	switch kind(raw) {
	case 's':
		s, err := unquote(raw)
		if err != nil {
			return timeValue{}, err
		}
		switch s {
		case "today":
			return timeValue{unit: "day"}, nil
		case "yesterday":
			return timeValue{unit: "day", offset: -1}, nil
		case "tomorrow":
			return timeValue{unit: "day", offset: 1}, nil
		}
		if t, ok := parseDate(s); ok {
			return timeValue{at: t}, nil
		}
		if t, ok := parseMoment(s); ok {
			return timeValue{at: t, moment: true}, nil
		}
		return timeValue{}, fmt.Errorf("%s is not a date; it is %s", quoted(s), timeForms)
	case 'o':
		return relativeTime(raw)
	}
	return timeValue{}, fmt.Errorf("must be %s, not %s", timeForms, kindName(raw))
}

func relativeTime(raw []byte) (timeValue, error) {
	v := timeValue{}
	var failure error
	err := members(raw, func(key string, value []byte) bool {
		switch key {
		case "unit":
			if v.unit, failure = stringOf(value); failure == nil && !slices.Contains(timeUnits, v.unit) {
				failure = fmt.Errorf("has the unit %s%s; the units are %s", quoted(v.unit), problem.DidYouMean(v.unit, timeUnits), problem.List(timeUnits))
			}
		case "offset":
			n, err := strconv.Atoi(string(value))
			if err != nil || n < -maxOffset || n > maxOffset {
				failure = fmt.Errorf("has an offset that is not a whole number from -%d to %d", maxOffset, maxOffset)
			}
			v.offset = n
		default:
			failure = fmt.Errorf("has the unknown key %s; the keys are unit and offset", quoted(key))
		}
		return failure == nil
	})
	switch {
	case failure != nil:
		return v, failure
	case err != nil:
		return v, err
	case v.unit == "":
		return v, fmt.Errorf("has no unit; the units are %s", problem.List(timeUnits))
	}
	return v, nil
}

// day is the day that the value stands for, at midnight UTC, when it is asked at now, whose location is the field's.
func (v timeValue) day(now time.Time) time.Time {
	if v.unit == "" {
		y, m, d := v.at.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	y, m, d := now.Date()
	switch v.unit {
	case "day":
		d += v.offset
	case "week":
		d += 7 * v.offset
	case "month", "year":
		months := v.offset
		if v.unit == "year" {
			months *= 12
		}
		first := time.Date(y, m+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 1, -1).Day() // the 31st of a month that has none is its last day
		return clampYear(first.AddDate(0, 0, min(d, last)-1))
	}
	return clampYear(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
}

func clampYear(t time.Time) time.Time {
	switch {
	case t.Year() < 1:
		return time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	case t.Year() > 9999:
		return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return t
}

func idsOperand(f *schema.Field, raw []byte) (operand, error) {
	what, linked := "user ids", (*schema.Table)(nil)
	if f.Link != nil {
		what, linked = "record ids", linkedTable(f)
	}
	names, err := stringsOf(raw, what)
	if err != nil {
		return operand{}, err
	}
	var out []uuid.UUID
	for _, name := range names {
		var u uuid.UUID
		if f.Link != nil {
			var number int32
			if number, u, err = id.ParseRecord(name); err != nil || linked == nil || number != linked.Number {
				return operand{}, noSuchLink(name, linked)
			}
		} else if u, err = id.Parse(id.User, name); err != nil {
			return operand{}, fmt.Errorf("%s is not a user id; it is usr_ and 26 characters", quoted(name))
		}
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return operand{ids: out}, nil
}

// linkedTable returns the table that a link field links to, which is one of the same base.
func linkedTable(f *schema.Field) *schema.Table {
	for _, t := range f.Table.Base.Tables {
		if t.ID == f.Link.LinkedTable {
			return t
		}
	}
	return nil
}
