package query

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/naming"
)

// A Period is a span of days, in the time zone of its bounds. It has no beginning if From is zero, and
// no end if To is zero.
type Period struct {
	From, To time.Time // To is the day after the last
}

// String writes the first and the last day.
func (p *Period) String() string {
	first, last := p.From.Format(time.DateOnly), p.To.AddDate(0, 0, -1).Format(time.DateOnly)
	switch {
	case p.From.IsZero():
		return "until " + last
	case p.To.IsZero():
		return "since " + first
	case first == last:
		return first
	}
	return first + " to " + last
}

// prepositions may stand before a time, and are removed with it.
var prepositions = []string{"in", "on", "during", "of", "from", "the", "since", "after", "before", "until"}

// FindPeriod finds the first time in a person's search text, in English, and returns the text without
// it.
//
// The rule: a day, a month, a quarter (Q2), a season (of the northern hemisphere) or a day of the week
// without a year is the latest that has begun; with last, the latest that has ended; with this, the one
// of the present year or week; with next, the first that has not begun. Weeks begin on Monday. A period
// after since, after, before or until has only one end.
func FindPeriod(text string, now time.Time) (rest string, found *Period) {
	words := strings.Fields(naming.Key(text))
	bare := make([]string, len(words))
	for i, word := range words {
		bare[i] = strings.Trim(word, ".,;:!?()\"'")
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	for i := range bare {
		r := periodReader{words: bare[i:], today: today}
		p := r.read()
		if p == nil {
			continue
		}
		begin := i
		for begin > 0 && slices.Contains(prepositions, bare[begin-1]) {
			begin--
			switch bare[begin] {
			case "since":
				p.To = time.Time{}
			case "after":
				p.From, p.To = p.To, time.Time{}
			case "before":
				p.From, p.To = time.Time{}, p.From
			case "until":
				p.From = time.Time{}
			}
		}
		if begin == i && r.mayBeWord {
			continue
		}
		return strings.Join(append(slices.Clone(words[:begin]), words[i+r.at:]...), " "), p
	}
	return text, nil
}

// A periodReader reads a period at the beginning of words.
type periodReader struct {
	words     []string
	at        int // of the next word
	today     time.Time
	mayBeWord bool // what was read is also a word of its own, such as may
}

func (r *periodReader) peek() string {
	if r.at < len(r.words) {
		return r.words[r.at]
	}
	return ""
}

// accept reads the next word if it is one of some.
func (r *periodReader) accept(words ...string) bool {
	if word := r.peek(); word != "" && slices.Contains(words, word) {
		r.at++
		return true
	}
	return false
}

func (r *periodReader) read() *Period {
	switch word := r.peek(); word {
	case "today", "yesterday", "tomorrow":
		r.at++
		return r.days(map[string]int{"yesterday": -1, "tomorrow": 1}[word], 1)
	}
	for _, layout := range []string{time.DateOnly, "2006-01"} {
		if day, err := time.ParseInLocation(layout, r.peek(), r.today.Location()); err == nil {
			r.at++
			if layout == time.DateOnly {
				return &Period{day, day.AddDate(0, 0, 1)}
			}
			return &Period{day, day.AddDate(0, 1, 0)}
		}
	}
	if p := r.ago(); p != nil {
		return p
	}
	which := ""
	for name, words := range map[string][]string{
		"last": {"last", "past", "previous"}, "this": {"this", "current"}, "next": {"next", "coming"},
	} {
		if r.accept(words...) {
			which = name
			break
		}
	}
	if which != "" {
		if p := r.relative(which); p != nil {
			return p
		}
	}
	if p := r.weekday(which); p != nil {
		return p
	}
	return r.ofYear(which)
}

func (r *periodReader) days(from, count int) *Period {
	begin := r.today.AddDate(0, 0, from)
	return &Period{begin, begin.AddDate(0, 0, count)}
}

var numerals = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func countOf(word string) int {
	if i := slices.Index(numerals, word); i > 0 {
		return i
	}
	n, err := strconv.Atoi(word)
	if err != nil || n > 1000 {
		return 0
	}
	return n
}

// unit returns the beginning of a day, week, month, quarter or year, and adds some to it.
func (r *periodReader) unit(word string, add int) (time.Time, bool) {
	day := r.today
	month := func(m time.Month, add int) time.Time {
		return time.Date(day.Year(), m+time.Month(add), 1, 0, 0, 0, 0, day.Location())
	}
	switch strings.TrimSuffix(word, "s") {
	case "day":
		return day.AddDate(0, 0, add), true
	case "week":
		return day.AddDate(0, 0, 7*add-(int(day.Weekday())+6)%7), true
	case "month":
		return month(day.Month(), add), true
	case "quarter":
		return month((day.Month()-1)/3*3+1, 3*add), true
	case "year":
		return month(1, 12*add), true
	}
	return time.Time{}, false
}

// ago reads periods such as "3 days ago", "two months ago".
func (r *periodReader) ago() *Period {
	if len(r.words) < 3 || r.words[2] != "ago" {
		return nil
	}
	n := countOf(r.words[0])
	from, ok := r.unit(r.words[1], -n)
	if n == 0 && r.words[0] != "a" || !ok {
		return nil
	}
	if r.words[0] == "a" {
		n = 1
		from, _ = r.unit(r.words[1], -n)
	}
	to, _ := r.unit(r.words[1], 1-n)
	r.at = 3
	return &Period{from, to}
}

// relative reads the rest of a period after last, this or next: a unit, or a number of units.
func (r *periodReader) relative(which string) *Period {
	if n := countOf(r.peek()); n > 0 && r.at+1 < len(r.words) && which != "this" {
		unit := r.words[r.at+1]
		if _, ok := r.unit(unit, 0); !ok {
			return nil
		}
		r.at += 2
		count := map[string][3]int{ // years, months, days
			"day": {0, 0, 1}, "week": {0, 0, 7}, "month": {0, 1, 0}, "quarter": {0, 3, 0}, "year": {1, 0, 0},
		}[strings.TrimSuffix(unit, "s")]
		if which == "last" {
			return &Period{r.today.AddDate(-n*count[0], -n*count[1], -n*count[2]), r.today.AddDate(0, 0, 1)}
		}
		return &Period{r.today, r.today.AddDate(n*count[0], n*count[1], n*count[2]+1)}
	}
	move := map[string]int{"last": -1, "next": 1}[which]
	from, ok := r.unit(r.peek(), move)
	if !ok || strings.HasSuffix(r.peek(), "s") {
		return nil
	}
	to, _ := r.unit(r.peek(), move+1)
	r.at++
	return &Period{from, to}
}

func (r *periodReader) weekday(which string) *Period {
	for day := range time.Saturday + 1 {
		if !r.accept(strings.ToLower(day.String())) {
			continue
		}
		monday, _ := r.unit("week", 0)
		at := (int(day) + 6) % 7
		ahead := (int(day) - int(r.today.Weekday()) + 7) % 7
		switch {
		case which == "this":
			return &Period{monday.AddDate(0, 0, at), monday.AddDate(0, 0, at+1)}
		case which == "next" && ahead == 0:
			return r.days(7, 1)
		case which == "next":
			return r.days(ahead, 1)
		case ahead == 0 && which == "":
			return r.days(0, 1)
		}
		return r.days(ahead-7, 1)
	}
	return nil
}

// ofYear reads a period that each year has, with or without its year, or a year.
func (r *periodReader) ofYear(which string) *Period {
	begin := r.at
	year, named := r.year()
	months, first, day := 0, time.January, 0
	switch {
	case named && r.quarter(&first): // 2026 Q2
		months = 3
	case named:
		months = 12
	case r.quarter(&first):
		months = 3
	case r.season(&first):
		months = 3
		r.mayBeWord = r.words[r.at-1] == "fall" && which == ""
	default:
		day = r.dayOfMonth()
		if day > 0 {
			r.accept("of")
		}
		if !r.month(&first) {
			r.at = begin
			return nil
		}
		r.mayBeWord = day == 0 && which == "" && r.words[r.at-1] == "may"
		if months = 1; day == 0 {
			day = r.dayOfMonth()
			r.mayBeWord = r.mayBeWord && day == 0
		}
	}
	if !named {
		r.accept("of", "in")
		if year, named = r.year(); !named && slices.Contains([]string{"of", "in"}, r.words[r.at-1]) {
			r.at--
		}
		r.mayBeWord = r.mayBeWord && !named
	}
	of := func(year int) *Period {
		from := time.Date(year, first, max(day, 1), 0, 0, 0, 0, r.today.Location())
		if day > 0 {
			return &Period{from, from.AddDate(0, 0, 1)}
		}
		return &Period{from, from.AddDate(0, months, 0)}
	}
	if named {
		return of(year)
	}
	now := r.today.Year()
	if which == "this" {
		return of(now)
	}
	if which == "next" {
		for year = now - 1; !of(year).From.After(r.today); year++ {
		}
		return of(year)
	}
	for year = now; which == "last" && of(year).To.After(r.today) || of(year).From.After(r.today); year-- {
	}
	return of(year)
}

func (r *periodReader) year() (int, bool) {
	n, err := strconv.Atoi(r.peek())
	if err != nil || len(r.peek()) != 4 || n < 1900 || n > 2099 {
		return 0, false
	}
	r.at++
	return n, true
}

func (r *periodReader) quarter(first *time.Month) bool {
	for i, words := range [][]string{
		{"q1", "first", "1st"}, {"q2", "second", "2nd"}, {"q3", "third", "3rd"}, {"q4", "fourth", "4th"},
	} {
		long := r.at+1 < len(r.words) && r.words[r.at+1] == "quarter" && slices.Contains(words[1:], r.peek())
		if !long && r.peek() != words[0] {
			continue
		}
		r.at++
		if long {
			r.at++
		}
		*first = time.Month(3*i + 1)
		return true
	}
	return false
}

func (r *periodReader) season(first *time.Month) bool {
	seasons := map[string]time.Month{
		"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September,
		"winter": time.December,
	}
	begin, ok := seasons[r.peek()]
	if ok {
		*first = begin
		r.at++
	}
	return ok
}

func (r *periodReader) month(first *time.Month) bool {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if r.accept(name, name[:3]) || m == time.September && r.accept("sept") {
			*first = m
			return true
		}
	}
	return false
}

// dayOfMonth reads a day such as 3 or 3rd, or returns 0.
func (r *periodReader) dayOfMonth() int {
	word := r.peek()
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		word = strings.TrimSuffix(word, suffix)
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	r.at++
	return n
}
