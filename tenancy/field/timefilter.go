package field

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/problem"
)

// A timeValue is a date, a timestamp, or a day relative to the time of the request.
type timeValue struct {
	at     time.Time // UTC; midnight for a date
	exact  bool      // at is a timestamp and not a whole day
	unit   string    // day, week, month or year: so many units from today; "" is at
	offset int
}

var timeUnits = []string{"day", "week", "month", "year"}

// maxOffset keeps relative days within the years that dates can have.
const maxOffset = 100_000

const timeSchema = `{"anyOf":[{"type":"string","format":"date"},{"type":"string","format":"date-time"},` +
	`{"type":"string","enum":["today","yesterday","tomorrow"]},` +
	`{"type":"object","properties":{"unit":{"type":"string","enum":["day","week","month","year"]},` +
	`"offset":{"type":"integer","minimum":-100000,"maximum":100000}},"required":["unit"],` +
	`"additionalProperties":false}]}`

var (
	timeOperand = &Operand{
		"time",
		"A date, a timestamp, today, yesterday, tomorrow, or a number of days, weeks, months or years from today.",
		timeSchema,
	}
	timeRangeOperand = &Operand{
		"time_range", "Two times, the first and the last.",
		`{"type":"array","items":` + timeSchema + `,"minItems":2,"maxItems":2}`,
	}
)

const timeForms = `a date "2026-01-31", a timestamp "2026-01-31T08:30:00Z", "today", "yesterday", "tomorrow", ` +
	`or {"unit": "day", "offset": -7} with the units day, week, month and year`

func readTime(_ *Field, _ Op, raw []byte) (any, error) { return timeOf(raw) }

func readTimeRange(_ *Field, _ Op, raw []byte) (any, error) {
	if jsonvalue.Kind(raw) != jsonvalue.Array {
		return nil, fmt.Errorf("must be an array of two, the first and the last, each %s", timeForms)
	}
	var times []timeValue
	var problem error
	jsonvalue.Elements(raw, func(i int, value []byte) bool {
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
	return times, problem
}

func timeOf(raw []byte) (timeValue, error) {
	switch jsonvalue.Kind(raw) {
	case jsonvalue.String:
		s, err := jsonvalue.Unquote(raw)
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
		if t, ok := parseTimestamp(s); ok {
			return timeValue{at: t, exact: true}, nil
		}
		return timeValue{}, fmt.Errorf("%s is not a date; it is %s", Quote(s), timeForms)
	case jsonvalue.Object:
		return relativeTime(raw)
	}
	return timeValue{}, fmt.Errorf("must be %s, not %s", timeForms, jsonvalue.Describe(raw))
}

func relativeTime(raw []byte) (timeValue, error) {
	v := timeValue{}
	var failure error
	err := jsonvalue.Members(raw, func(key string, value []byte) bool {
		switch key {
		case "unit":
			if v.unit, failure = stringOf(value); failure == nil && !slices.Contains(timeUnits, v.unit) {
				failure = fmt.Errorf("has the unit %s%s; the units are %s",
					Quote(v.unit), problem.DidYouMean(v.unit, timeUnits), problem.List(timeUnits))
			}
		case "offset":
			n, err := strconv.Atoi(string(value))
			if err != nil || n < -maxOffset || n > maxOffset {
				failure = fmt.Errorf("has an offset that is not a whole number from -%d to %d", maxOffset, maxOffset)
			}
			v.offset = n
		default:
			failure = fmt.Errorf("has the unknown key %s; the keys are unit and offset", Quote(key))
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

// day is the day that the value stands for, at midnight UTC, for a request at now, whose location is
// the field's.
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

// Operators compare with spans of time: a day is all of its instants.
func (k *TimeLike) Operators() []Operator { return k.form.operators }

// spanOf returns the beginning and the end of a value on the clock of a field.
func (t *timeForm) spanOf(q Args, f *Field, v timeValue) (from, until edge) {
	zone := f.location()
	var now time.Time
	if v.unit != "" { // a filter that outlives the request may not depend on the time
		now = q.Now().In(zone)
	}
	return t.span(v, now, zone)
}

// operatorsOf makes the operators of a form of time.
func operatorsOf(t *timeForm) []Operator {
	within := func(q Args, f *Field, from, until edge) string {
		return since(q, f.column(), from) + " and " + before(q, f.column(), until)
	}
	on := func(q Args, f *Field, value any) string {
		from, until := t.spanOf(q, f, value.(timeValue))
		return within(q, f, from, until)
	}
	return append([]Operator{
		{Op: Eq, Operand: timeOperand, Index: Range, Read: readTime, SQL: on},
		{Op: Neq, Operand: timeOperand, Read: readTime, SQL: func(q Args, f *Field, value any) string {
			return "(" + on(q, f, value) + ") is not true"
		}},
		// After a day is from the next one on.
		t.boundOperator(Gt, " >= ", func(_, until edge) edge { return until }),
		t.boundOperator(Gte, " >= ", func(from, _ edge) edge { return from }),
		t.boundOperator(Lt, " < ", func(from, _ edge) edge { return from }),
		t.boundOperator(Lte, " < ", func(_, until edge) edge { return until }),
		{
			Op:      Between,
			Operand: timeRangeOperand,
			Index:   Range,
			Read:    readTimeRange,
			SQL: func(q Args, f *Field, value any) string {
				ends := value.([]timeValue)
				from, _ := t.spanOf(q, f, ends[0])
				_, until := t.spanOf(q, f, ends[1])
				return within(q, f, from, until)
			},
		},
		// Between today and the given day, whichever comes first.
		{
			Op:      IsWithin,
			Operand: timeOperand,
			Index:   Range,
			Read:    readTime,
			SQL: func(q Args, f *Field, value any) string {
				from, until := t.spanOf(q, f, value.(timeValue))
				todayFrom, todayUntil := t.spanOf(q, f, timeValue{unit: "day"})
				if todayFrom[0].Before(from[0]) {
					from = todayFrom
				}
				if todayUntil[0].After(until[0]) {
					until = todayUntil
				}
				return within(q, f, from, until)
			},
		},
	}, EmptyOperators...)
}

// boundOperator compares with one end of a span. A day with several beginnings has no bound.
func (t *timeForm) boundOperator(op Op, sign string, end func(from, until edge) edge) Operator {
	return Operator{
		Op: op, Operand: timeOperand, Index: Range, Read: readTime,
		SQL: func(q Args, f *Field, value any) string {
			at := end(t.spanOf(q, f, value.(timeValue)))
			if sign == " < " {
				return before(q, f.column(), at)
			}
			return since(q, f.column(), at)
		},
		Bound: func(q Args, f *Field, value any) (Bound, bool) {
			at := end(t.spanOf(q, f, value.(timeValue)))
			return Bound{f.column(), sign, at[0]}, len(at) == 1
		},
	}
}
