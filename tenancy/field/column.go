package field

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Column finds out from the cells of a column of text how it is written: its decimal sign, its order
// of day and month, and the type that fits all cells. Cells are added one after the other; only the
// first of each kind are kept.
type Column struct {
	cells int // with a value

	numbers, amounts, percents        int
	point, comma, openNumber          string // the first cell that is a number only with this sign, or differs by it
	symbol                            string
	mixedSymbols                      bool
	dates, times                      int
	dayFirst, monthFirst, openDate    string
	durations, booleans, emails, webs int
	lines                             int // cells of several lines
	longest                           int
	distinct                          []string // up to maxDistinct+1
	tags                              tags
}

// Options are proposed for columns of at least fewestCells cells with at most maxDistinct values of at most maxName
// characters, each four times on average.
const (
	fewestCells = 20
	maxDistinct = 12
	maxName     = 40
	fewestLists = 3   // cells of several values in a column of those
	longText    = 250 // bytes beyond which a text is a long one
)

var (
	codePattern     = regexp.MustCompile(`^[-+]?0\d`)
	spacedPattern   = regexp.MustCompile(`\d \d`)
	hourPattern     = regexp.MustCompile(`^\d{1,4}:[0-5]\d(?::[0-5]\d)?$`)
	percentPattern  = regexp.MustCompile(`^[^%]*\d ?%$`)
	addressPatterns = []string{"https://", "http://"}
	booleanNames    = []string{"true", "false", "yes", "no"}
)

// isAddress reports whether a cell looks like an e-mail address: a name, an @, and a domain with a point within.
func isAddress(cell string) bool {
	name, domain, found := strings.Cut(cell, "@")
	if !found || name == "" || strings.ContainsAny(cell, " \t\n\f\r") || strings.Contains(domain, "@") {
		return false
	}
	return len(domain) > 2 && strings.Contains(domain[1:len(domain)-1], ".")
}

func isBooleanName(cell string) bool {
	return len(cell) <= 5 &&
		slices.ContainsFunc(booleanNames, func(name string) bool { return strings.EqualFold(name, cell) })
}

// Add takes a cell into account.
func (c *Column) Add(cell string) {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return
	}
	c.cells++
	c.addNumber(cell)
	c.addDate(cell)
	// A type needs all cells, so after one that does not fit the others need not be read.
	all := func(n *int, fits func(cell string) bool) {
		if *n == c.cells-1 && fits(cell) {
			*n++
		}
	}
	all(&c.durations, hourPattern.MatchString)
	all(&c.booleans, isBooleanName)
	all(&c.emails, isAddress)
	all(&c.webs, func(cell string) bool {
		lower := strings.ToLower(cell[:min(len(cell), 8)])
		return checkURL(cell) == nil &&
			slices.ContainsFunc(addressPatterns, func(p string) bool { return strings.HasPrefix(lower, p) })
	})
	if strings.ContainsAny(cell, "\r\n") {
		c.lines++
	}
	c.longest = max(c.longest, len(cell))
	if len(c.distinct) <= maxDistinct && !slices.Contains(c.distinct, cell) {
		c.distinct = append(c.distinct, cell)
	}
	c.tags.add(cell)
}

// Tags are what cells of several values are made of: names with commas between them.
type tags struct {
	names []string // up to maxDistinct+1
	alone []bool   // whether a cell has only this one
	lists int      // cells of several
	all   int
}

func (t *tags) add(cell string) {
	if len(t.names) > maxDistinct {
		return
	}
	isList := strings.Contains(cell, ",")
	if isList {
		t.lists++
	}
	for part := range strings.SplitSeq(cell, ",") {
		part = strings.TrimSpace(part)
		at := slices.Index(t.names, part)
		if at < 0 {
			if len(t.names) > maxDistinct {
				return
			}
			at = len(t.names)
			t.names, t.alone = append(t.names, part), append(t.alone, false)
		}
		t.alone[at] = t.alone[at] || !isList
		t.all++
	}
}

// found reports whether most names have a cell of their own, and there are lists of them. A city and its country, or a
// name and a first name, always come together.
func (t *tags) found() bool {
	alone := 0
	for i, name := range t.names {
		if name == "" || len(name) > maxName {
			return false
		}
		if t.alone[i] {
			alone++
		}
	}
	return t.lists >= fewestLists && len(t.names) <= maxDistinct && len(t.names)*4 < t.all && alone*2 > len(t.names)
}

func first(to *string, cell string) {
	if *to == "" {
		*to = cell
	}
}

func (c *Column) addNumber(cell string) {
	if _, isTime := plainTime(cell); !isTime && !c.addUsualNumber(cell) {
		c.addOtherNumber(cell)
	}
}

// trimNumber takes symbols of currencies and percent signs off a number, and returns one of the symbols.
func trimNumber(s string) (number, symbol string) {
	number = strings.TrimFunc(s, func(r rune) bool {
		if unicode.Is(unicode.Sc, r) {
			symbol = string(r)
			return true
		}
		return r == '%' || r == ' '
	})
	return strings.TrimSpace(number), symbol
}

// addUsualNumber adds a number that is written as most are, as addOtherNumber would, and reports whether it is one.
func (c *Column) addUsualNumber(cell string) bool {
	number, symbol := trimNumber(cell)
	if !isUsual(number) {
		return false
	}
	if strings.Contains(number, ".") {
		first(&c.point, cell)
	}
	c.addReadNumber(cell, symbol)
	return true
}

func (c *Column) addOtherNumber(cell string) {
	if strings.ContainsFunc(cell, isLetter) || !isNumeric(cell) || codePattern.MatchString(cell) ||
		spacedPattern.MatchString(cell) {
		return
	}
	symbol := ""
	bare := func(s string) (string, error) {
		number, found := trimNumber(s)
		if found != "" {
			symbol = found
		}
		return number, nil
	}
	withPoint, noPoint := exactNumber(cell, ".", bare)
	withComma, noComma := exactNumber(cell, ",", bare)
	switch {
	case noPoint && noComma:
		return
	case noComma:
		first(&c.point, cell)
	case noPoint:
		first(&c.comma, cell)
	case withPoint != withComma:
		first(&c.openNumber, cell)
	}
	c.addReadNumber(cell, symbol)
}

// isUsual reports whether a number is written as most are, so that nothing of it is open.
func isUsual(cell string) bool {
	whole, fraction, ok := plainNumber(cell)
	return ok && len(whole)+len(fraction) <= certainDigits && (whole[0] != '0' || len(whole) == 1) &&
		(len(fraction) != 3 || len(whole) > 3)
}

// addReadNumber counts a number with the symbol that it has.
func (c *Column) addReadNumber(cell, symbol string) {
	c.numbers++
	if strings.Contains(cell, "%") && percentPattern.MatchString(cell) {
		c.percents++
	}
	if symbol != "" {
		c.amounts++
		c.mixedSymbols = c.mixedSymbols || c.symbol != "" && c.symbol != symbol
		first(&c.symbol, symbol)
	}
}

// certainDigits is how many digits every number may have.
const certainDigits = 15

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// exactNumber reads a number of at most 16 digits, or one with a fraction as programs write it, without an exponent.
func exactNumber(cell, decimal string, bare func(s string) (string, error)) (x float64, fails bool) {
	digits, err := writtenNumber(cell, decimal, bare)
	if err != nil || strings.ContainsAny(digits, "eE") ||
		len(strings.Trim(digits, "-.")) > 16 && !isShortest(digits) {
		return 0, true
	}
	x, err = ParseNumber(digits)
	return x, err != nil
}

// isShortest reports whether digits are a number with a fraction, and the shortest ones that are read as it.
func isShortest(digits string) bool {
	x, err := strconv.ParseFloat(digits, 64)
	return err == nil && strings.Contains(digits, ".") && strconv.FormatFloat(x, 'f', -1, 64) == digits
}

func (c *Column) addDate(cell string) {
	if clock, ok := plainTime(cell); ok {
		if c.dates++; clock {
			c.times++
		}
		return
	}
	if _, _, ok := plainNumber(cell); ok {
		return // also eight digits, which are equally likely a number
	}
	// A date has a year of four digits, and a day, and begins with a number or a name.
	if countDigits(cell) < dateDigits || !isDigit(cell[0]) && !startsWithName(cell) || !utf8.ValidString(cell) {
		return
	}
	written, err := readWrittenTime(cell, DayFirst, "")
	if err != nil {
		if written, err = readWrittenTime(cell, MonthFirst, ""); err != nil {
			return
		}
	}
	date, _ := splitDate(cell)
	if packedPattern.MatchString(date) {
		return // equally likely a number
	}
	c.dates++
	if written.hasClock {
		c.times++
	}
	if m := yearLastPattern.FindStringSubmatch(date); m != nil {
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[3])
		switch orderOf(a, b, m[2]) {
		case DayFirst:
			first(&c.dayFirst, cell)
		case MonthFirst:
			first(&c.monthFirst, cell)
		case "":
			first(&c.openDate, cell)
		case MixedOrder, bothOrders: // of columns, not of cells
		}
	}
}

// dateDigits is how many digits a date has at least.
const dateDigits = 5

// startsWithName reports whether a cell begins like the name of a month or of a day of the week.
func startsWithName(cell string) bool {
	if len(cell) < 3 {
		return false
	}
	return monthNamed(cell[:3]) > 0 ||
		slices.ContainsFunc(weekdays, func(day string) bool { return strings.EqualFold(day, cell[:3]) })
}

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

func countDigits(cell string) int {
	n := 0
	for i := range len(cell) {
		if isDigit(cell[i]) {
			n++
		}
	}
	return n
}

// A Finding is how sure a column is of a sign or an order.
type Finding string

// The findings.
const (
	Certain  Finding = "certain"  // a value decides
	Either   Finding = "either"   // every value reads the same
	Open     Finding = "open"     // some values can be read in two ways, and none decides
	Conflict Finding = "conflict" // two values contradict each other
)

// Numbers returns the column's decimal sign, with the cells that decide it.
func (c *Column) Numbers() (found Finding, decimal string, cells []string) {
	switch {
	case c.point != "" && c.comma != "":
		return Conflict, "", []string{c.point, c.comma}
	case c.point != "":
		return Certain, ".", []string{c.point}
	case c.comma != "":
		return Certain, ",", []string{c.comma}
	case c.openNumber != "":
		return Open, "", []string{c.openNumber}
	}
	return Either, "", nil
}

// Dates returns the column's order of day and month, with the cells that decide it.
func (c *Column) Dates() (found Finding, order DateOrder, cells []string) {
	switch {
	case c.dayFirst != "" && c.monthFirst != "":
		return Conflict, MixedOrder, []string{c.dayFirst, c.monthFirst}
	case c.dayFirst != "":
		return Certain, DayFirst, []string{c.dayFirst}
	case c.monthFirst != "":
		return Certain, MonthFirst, []string{c.monthFirst}
	case c.openDate != "":
		return Open, "", []string{c.openDate}
	}
	return Either, "", nil
}

// Styles decides how the columns of one file are read. An undecided column follows the others, if the
// decided ones agree; otherwise what is given for the file, which a person has been asked for. What is
// still open stays open: a field's own format may settle it, or values are refused.
func Styles(columns []*Column, given Style) []Style {
	decimal, order := "", DateOrder("")
	signs, orders := map[string]bool{}, map[DateOrder]bool{}
	for _, c := range columns {
		if found, sign, _ := c.Numbers(); found == Certain {
			decimal, signs[sign] = sign, true
		}
		if found, which, _ := c.Dates(); found == Certain {
			order, orders[which] = which, true
		}
	}
	if len(signs) != 1 {
		decimal = given.Decimal
	}
	if len(orders) != 1 {
		order = given.Order
	}
	out := make([]Style, len(columns))
	for i, c := range columns {
		var found Finding
		if found, out[i].Decimal, _ = c.Numbers(); found == Either || found == Open {
			out[i].Decimal = decimal
		}
		if found == Conflict {
			out[i].Decimal = given.Decimal
		}
		if found, out[i].Order, _ = c.Dates(); found == Either || found == Open {
			out[i].Order = order
		}
		if found == Conflict && given.Order != "" {
			out[i].Order = given.Order
		}
	}
	return out
}

// Symbol is the symbol of the first amount with one; "" if there is none.
func (c *Column) Symbol() string { return c.symbol }

// Propose returns the type that fits every cell of the column, and a configuration for the cells. One
// cell that does not fit makes it text.
func (c *Column) Propose() (Type, Config) {
	all := func(n int) bool { return c.cells > 0 && n == c.cells }
	numbers, _, _ := c.Numbers()
	dates, _, _ := c.Dates()
	switch {
	case all(c.amounts) && !c.mixedSymbols && numbers != Conflict:
		return "currency", Config{Symbol: c.symbol}
	case all(c.percents) && numbers != Conflict:
		return "percent", Config{}
	case all(c.numbers) && c.amounts+c.percents == 0 && numbers != Conflict:
		return "number", Config{}
	case all(c.booleans):
		return "checkbox", Config{}
	case all(c.dates) && c.times == 0 && dates != Conflict:
		return "date", Config{}
	case all(c.dates) && all(c.times) && dates != Conflict:
		return "datetime", Config{}
	case all(c.durations):
		return "duration", Config{}
	case all(c.emails):
		return "email", Config{}
	case all(c.webs):
		return "url", Config{}
	case c.lines > 0 || c.longest > longText:
		return "long_text", Config{}
	case c.cells >= fewestCells && c.tags.found():
		return "multi_select", optionsOf(c.tags.names)
	case c.cells >= fewestCells && len(c.distinct) <= maxDistinct && len(c.distinct)*4 < c.cells &&
		c.longest <= maxName:
		return "single_select", optionsOf(c.distinct)
	}
	return "text", Config{}
}

func optionsOf(names []string) Config {
	options := Config{}
	for _, name := range names {
		options.Options = append(options.Options, Option{Name: name})
	}
	return options
}
