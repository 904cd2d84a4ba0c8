package formula

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
)

func dateFunctions() []*function {
	parsed, far := setOf(NotADate), setOf(DateOutOfRange)
	part := func(name, what, help, example, shown string) *function {
		return define(name, dates, "date:D", aNumber, 0, "gate.formula_field($1, '"+what+"', $z, 0)", help, example,
			shown)
	}
	ago := func(name, help string) *function {
		return define(name, dates, "date:D", aText, 0, "", help, "LEN("+name+"(NOW())) > 0",
			"1").with(func(f *function) {
			f.volatile = true
			f.generate = func(g *generator, n *node) string {
				return "gate.formula_ago(" + g.moment(n.args[0]) + ", " + g.scope.now() + ")"
			}
		})
	}
	before := func(name, operator, help, example string) *function {
		return define(name, dates, "date:D other:D", aBoolean, 0, "", help, example, "1").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				return "gate.formula_compare(" + g.moment(n.args[0]) + ", " + g.moment(n.args[1]) + ", '" +
					operator + "')"
			}
		})
	}
	return []*function{
		define("DATEADD", dates, "date:D count:N unit:T", aDatetime, far|setOf(InvalidArgument),
			"gate.formula_later($1, $2, $3, $z)",
			"The date so many units later, or earlier for a number below zero. Units are milliseconds, seconds, "+
				"minutes, hours, days, "+
				"weeks, months, quarters and years.", `DATEADD("2026-01-31", 1, "month")`,
			"2026-02-28T00:00:00.000Z").with(dateAdd),
		define("DATESTR", dates, "date:D", aText, 0, "gate.formula_clock($1, 'YYYY-MM-DD', $z)",
			"The date as text, as in 2026-05-01.", `DATESTR("5/1/2026")`, "2026-05-01"),
		define("DATETIME_DIFF", dates, "later:D earlier:D unit:T='second'", aNumber, setOf(InvalidArgument),
			"gate.formula_between($1, $2, $3, $z)",
			"How many whole units, or seconds if none is given, one date is after another one. It is below zero if "+
				"it is before it.",
			`DATETIME_DIFF("2026-05-01", "2026-04-01", "days")`, "30").with(unitAt(2)),
		define(
			"DATETIME_FORMAT",
			dates,
			"date:D format:T=''",
			aText,
			setOf(TextTooLong),
			"gate.formula_write($1, $2, $z, $w)",
			"The date as text in a format of the tokens of Moment.js: YYYY, MM, MMM, MMMM, DD, Do, ddd, dddd, HH, "+
				"hh, mm, "+
				"ss, A, L, LL and more; [at] is text.",
			`DATETIME_FORMAT("2026-05-01", "dddd, D MMMM YYYY")`,
			"Friday, 1 May 2026",
		).with(dateFormat),
		define("DATETIME_PARSE", dates, "text:T format:T='' language:T=null", aDatetime,
			parsed|far|setOf(InvalidArgument), "",
			"The date that a text writes, in a format as in DATETIME_FORMAT or, without one, as in 2026-05-01 "+
				"14:30, 5/1/2026 or 1 May 2026.",
			`DATETIME_PARSE("1.5.2026 14:30", "D.M.YYYY HH:mm")`, "2026-05-01T14:30:00.000Z").with(dateParse),
		part("DAY", "day", "The day of the month, 1 to 31.", `DAY("2026-05-17")`, "17"),
		ago("FROMNOW", "The time between now and a date in words, as in 3 days."),
		part("HOUR", "hour", "The hour of the day, 0 to 23.", `HOUR("2026-05-17 14:30")`, "14"),
		before("IS_AFTER", ">", "True if the first date is after the second one.",
			`IS_AFTER("2026-05-02", "2026-05-01")`),
		before("IS_BEFORE", "<", "True if the first date is before the second one.",
			`IS_BEFORE("2026-05-01", "2026-05-02")`),
		define("IS_SAME", dates, "date:D other:D unit:T=''", aBoolean, setOf(InvalidArgument),
			"gate.formula_same($1, $2, $3, $z)",
			"True if both dates are the same, or in the same day, month or other unit.",
			`IS_SAME("2026-05-02", "2026-05-01", "month")`, "1").with(unitAt(2)),
		part("MINUTE", "minute", "The minute of the hour, 0 to 59.", `MINUTE("2026-05-17 14:30")`, "30"),
		part("MONTH", "month", "The month, 1 to 12.", `MONTH("2026-05-17")`, "5"),
		define("NOW", dates, "", aDatetime, 0, "", "The date and time at which the record is read.",
			"NOW() > CREATED_TIME()", "1").
			with(func(f *function) {
				f.volatile = true
				f.generate = func(g *generator, _ *node) string { return g.scope.now() }
			}),
		part("SECOND", "second", "The second of the minute, 0 to 59.", `SECOND("2026-05-17 14:30:15")`, "15"),
		define("SET_LOCALE", dates, "date:D language:T", aDatetime, 0, "",
			"The date, which DATETIME_FORMAT then writes in a language: "+strings.Join(localeNames(), ", ")+".",
			`DATETIME_FORMAT(SET_LOCALE("2026-05-01", "de"), "dddd")`, "Freitag").with(dateSetting),
		define("SET_TIMEZONE", dates, "date:D zone:T", aDatetime, 0, "",
			"The date, which functions then read in a time zone, as in Europe/Oslo.",
			`DATETIME_FORMAT(SET_TIMEZONE("2026-05-01 12:00", "Europe/Oslo"), "HH:mm")`, "14:00").with(dateSetting),
		define("TIMESTR", dates, "date:D", aText, 0, "gate.formula_clock($1, 'HH24:MI:SS', $z)",
			"The time of day as text, as in 14:30:00.", `TIMESTR("2026-05-17 14:30")`, "14:30:00"),
		define("TODAY", dates, "", aDate, 0, "", "The date on which the record is read.", "TODAY() <= NOW()", "1").
			with(func(f *function) {
				f.volatile, f.daily = true, true
				f.generate = func(g *generator, _ *node) string { return Day(g.scope.now(), g.scope.TimeZone) }
			}),
		ago("TONOW", "The time between a date and now in words, as in 3 days."),
		define("WEEKDAY", dates, "date:D first:T='Sunday'", aNumber, 0, "",
			"The day of the week: 0 for Sunday to 6, or 0 for Monday.",
			`WEEKDAY("2026-05-17", "Monday")`, "6").with(weekly("weekday")),
		define("WEEKNUM", dates, "date:D first:T='Sunday'", aNumber, 0, "",
			"The number of the week, which begins on Sunday, or on Monday. The first one is that of the first of "+
				"January.",
			`WEEKNUM("2026-05-17")`, "21").with(weekly("week")),
		define("WORKDAY", dates, "date:D count:N holidays:T=null", aDate, parsed|far, "",
			"The day so many workdays later. Saturdays, Sundays and holidays, a text as in 2026-05-01, 2026-12-25, "+
				"are none.",
			`WORKDAY("2026-05-01", 2)`, "2026-05-05").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				return "gate.formula_workday(" + g.as(n.args[0], aDate) + ", " + g.as(n.args[1], aNumber) + ", " +
					g.holidays(n) + ")" + exactly
			}
		}),
		define("WORKDAY_DIFF", dates, "start:D end:D holidays:T=null", aNumber, parsed, "",
			"How many workdays there are from one day to another one, both included.",
			`WORKDAY_DIFF("2026-05-01", "2026-05-05")`, "3").with(func(f *function) {
			f.generate = func(g *generator, n *node) string {
				return "gate.formula_workdays(" + g.as(n.args[0], aDate) + ", " + g.as(n.args[1], aDate) + ", " +
					g.holidays(n) + ")"
			}
		}),
		part("YEAR", "year", "The year.", `YEAR("2026-05-17")`, "2026"),
	}
}

// Day is an expression for the day of a moment in the time zone of a base.
func Day(moment, zone string) string {
	return "gate.formula_today(" + moment + ", " + (&Scope{TimeZone: zone}).zone("") + ")"
}

// holidays is the last argument of WORKDAY, a text or a list.
func (g *generator) holidays(n *node) string {
	if len(n.args) < 3 {
		return "null"
	}
	if n.args[2].typ.List {
		return g.as(n.args[2], aText)
	}
	return g.as(n.args[2], aText)
}

// units are the units of time, in all their spellings.
var units = []string{
	"milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "quarters", "years", "millisecond",
	"second", "minute", "hour", "day", "week", "month", "quarter", "year", "ms", "s", "m", "h", "d", "w", "M", "Q", "y",
}

// unit checks an argument that must be a unit as a literal.
func (c *checker) unit(n *node, at int) {
	if len(n.args) <= at || n.args[at].kind != nodeText || slices.Contains(units, n.args[at].text) ||
		n.text == "IS_SAME" && n.args[at].text == "" {
		return
	}
	if lower := strings.ToLower(n.args[at].text); len(lower) > 1 && slices.Contains(units, lower) {
		n.args[at].text = lower
		return
	}
	c.fail(n.args[at], "%s is not a unit of time%s; the units are %s",
		quote(n.args[at].text), problem.DidYouMean(n.args[at].text, units[:9]), strings.Join(units[:9], ", "))
}

func unitAt(at int) func(f *function) {
	return func(f *function) {
		f.check = func(c *checker, n *node) {
			c.arguments(n)
			c.unit(n, at)
		}
	}
}

// dateAdd keeps a date without a time unless hours are added.
func dateAdd(f *function) {
	days := func(n *node) bool {
		return n.args[0].typ == aDate && n.args[2].kind == nodeText && !slices.Contains([]string{
			"milliseconds", "millisecond", "ms", "seconds", "second", "s", "minutes", "minute", "m", "hours", "hour",
			"h",
		}, n.args[2].text)
	}
	f.check = func(c *checker, n *node) {
		c.arguments(n)
		c.unit(n, 2)
		if len(n.args) == 3 && days(n) {
			n.typ = aDate
		}
	}
	f.generate = func(g *generator, n *node) string {
		if n.typ == aDate {
			return "gate.formula_add_days(" + g.as(n.args[0], aDate) + ", " + g.as(n.args[1], aNumber) + ", " +
				g.as(n.args[2], aText) + ")"
		}
		return g.call(n)
	}
}

// dateParse checks a format that is a literal.
func dateParse(f *function) {
	f.check = func(c *checker, n *node) {
		c.arguments(n)
		if len(n.args) > 1 && n.args[1].kind == nodeText && n.args[1].text != "" {
			if wrong := readable(n.args[1].text); wrong != "" {
				c.fail(n.args[1], "%s", wrong)
			}
		}
		if len(n.args) > 2 {
			c.locale(n, n.args[2])
		}
	}
	f.generate = func(g *generator, n *node) string {
		if n.args[0].typ.temporal() { // it is one already
			return g.moment(n.args[0])
		}
		format := "null"
		if len(n.args) > 1 {
			format = g.as(n.args[1], aText)
		}
		return "gate.formula_read(" + g.as(n.args[0], aText) + ", " + format + ", " + words(n.locale) + ", " +
			g.scope.zone("") + ")"
	}
}

// dateSetting checks SET_TIMEZONE and SET_LOCALE, whose second argument must be a literal, because what
// depends on it is decided before there are values.
func dateSetting(f *function) {
	f.check = func(c *checker, n *node) {
		c.arguments(n)
		if len(n.args) < 2 {
			return
		}
		if n.text == "SET_LOCALE" {
			c.locale(n, n.args[1])
			return
		}
		zone := n.args[1]
		if zone.kind != nodeText {
			c.fail(zone, "expected the name of a time zone in quotes, as in \"Europe/Oslo\"")
			return
		}
		if !field.ValidZone(zone.text) {
			c.fail(zone, "%s is not an IANA time zone, as in Europe/Oslo", quote(zone.text))
			return
		}
		n.zone = zone.text
	}
	f.generate = func(g *generator, n *node) string { return g.moment(n.args[0]) }
}

// locale checks an argument that is a language.
func (c *checker) locale(n, language *node) {
	switch {
	case language.kind != nodeText:
		c.fail(language, "expected a language in quotes, one of %s", strings.Join(localeNames(), ", "))
	case locales[localeKey(language.text)] == "":
		c.fail(language, "%s is not a language of dates%s; they are %s", quote(language.text),
			problem.DidYouMean(language.text, localeNames()), strings.Join(localeNames(), ", "))
	default:
		n.locale = localeKey(language.text)
	}
}

// weekly are functions of weeks, which begin on one of two days.
func weekly(what string) func(f *function) {
	first := func(n *node) (string, bool) {
		if len(n.args) < 2 {
			return "0", true
		}
		switch strings.ToLower(n.args[1].text) {
		case "sunday":
			return "0", n.args[1].kind == nodeText
		case "monday":
			return "1", n.args[1].kind == nodeText
		}
		return "", false
	}
	return func(f *function) {
		f.check = func(c *checker, n *node) {
			c.arguments(n)
			if _, ok := first(n); !ok {
				c.fail(n.args[1], `expected "Sunday" or "Monday"`)
			}
		}
		f.generate = func(g *generator, n *node) string {
			day, _ := first(n)
			return "gate.formula_field(" + g.moment(n.args[0]) + ", '" + what + "', " +
				g.scope.zone(n.args[0].zone) + ", " + day + ")"
		}
	}
}
