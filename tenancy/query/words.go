package query

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// Limits of a search for words.
const (
	maxWords     = 8
	minTypoRunes = 4 // of a word in which one typo is forgiven
	maxTypoRunes = 24
)

// The ranks of a record by how well its primary value fits a search for words, the best first.
const (
	RankEqual    = iota // it is the text
	RankPrefix          // it begins with the text
	RankContains        // it has the text
	RankAllWords        // it has all words
	RankSomeWord        // it has one of them
	RankNone            // the words are in other fields
)

// A WordSearch looks for records that have all of some words, each in any field and any order. A word
// is also found as a part of a longer one.
type WordSearch struct {
	table *schema.Table
	text  []string  // what is looked for as a whole, in its forms
	words []*Search // each finds one word, in any of its forms
	// Period is when one of the record's dates must be; nil for any time. A search without words needs
	// it.
	Period *Period
}

// Words splits a search text into words, in lower case and each once.
func Words(text string) []string {
	var words []string
	for _, word := range strings.FieldsFunc(naming.Key(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("@.-_+&'%#",
			r)
	}) {
		if word = strings.Trim(word, ".-'"); word != "" && !slices.Contains(words, word) && len(words) < maxWords {
			words = append(words, word)
		}
	}
	return words
}

// NewWordSearch returns a search for the words of a text. With typos, a longer word is also found with one letter
// wrong, missing, too many or changed with its neighbour.
func NewWordSearch(t *schema.Table, text string, typos bool) (*WordSearch, error) {
	out := &WordSearch{table: t, text: naming.Forms(naming.Key(strings.TrimSpace(text)))}
	for _, word := range Words(text) {
		s, err := newSearch(t, word)
		if err != nil {
			return nil, err
		}
		if typos {
			for _, variant := range typosOf(word) {
				s.pattern = append(s.pattern, "%"+variant+"%")
			}
		}
		out.words = append(out.words, s)
	}
	return out, nil
}

// typosOf lists patterns of LIKE that a word with one typo matches.
func typosOf(word string) []string {
	n := utf8.RuneCountInString(word)
	if n < minTypoRunes || n > maxTypoRunes || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil
	}
	letters := []rune(word)
	var out []string
	add := func(before []rune, middle string, after []rune) {
		pattern := field.EscapeLike(string(before)) + middle + field.EscapeLike(string(after))
		if !slices.Contains(out, pattern) {
			out = append(out, pattern)
		}
	}
	for i := range letters {
		add(letters[:i], "_", letters[i+1:]) // another letter
		add(letters[:i], "", letters[i+1:])  // one too many
		if i > 0 {
			add(letters[:i], "_", letters[i:]) // one is missing
		}
		if i+1 < len(letters) {
			add(letters[:i], field.EscapeLike(string([]rune{letters[i+1], letters[i]})), letters[i+2:])
		}
	}
	return out
}

// Plan is the plan of a list that searches for the first word, which determines the demand for a search
// index.
func (w *WordSearch) Plan() *Plan {
	if len(w.words) == 0 {
		return &Plan{Table: w.table, Filter: &Filter{}, Limit: 1}
	}
	return &Plan{Table: w.table, Filter: &Filter{}, Search: w.words[0], Limit: 1}
}

// rank writes how well the primary value of a record fits.
func (w *WordSearch) rank(c *Compiler) string {
	if w.table.Title() == "" || len(w.words) == 0 {
		return strconv.Itoa(RankNone)
	}
	title := "gate.search_fold(" + w.table.Title() + ")"
	folded := func(texts []string) string {
		return "any (array(select gate.search_fold(x) from unnest(" + c.Add(texts) + "::text[]) x))"
	}
	like := func(patterns []string) string { return title + " like " + folded(patterns) }
	var begins, contains, words []string
	for _, text := range w.text {
		begins = append(begins, field.EscapeLike(text)+"%")
		contains = append(contains, "%"+field.EscapeLike(text)+"%")
	}
	for _, word := range w.words {
		words = append(words, like(word.pattern))
	}
	rank := "case when " + title + " = " + folded(w.text) + " then " + strconv.Itoa(RankEqual)
	for i, condition := range []string{
		like(begins), like(contains), strings.Join(words, " and "), strings.Join(words, " or "),
	} {
		rank += " when " + condition + " then " + strconv.Itoa(RankPrefix+i)
	}
	return rank + " else " + strconv.Itoa(RankNone) + " end"
}

// Statement selects the records that have all the words: those first whose primary value fits best, and then the
// latest. Their rank is the last column.
func (w *WordSearch) Statement(c *Compiler, projection *Projection, limit int) string {
	s := Select{
		Columns: []string{projection.columns, "(" + w.rank(c) + ")::integer as rank"}, From: w.table.TitleFrom(),
		OrderBy: []string{"rank", "t.id desc"}, Limit: c.Add(int64(limit)) + "::bigint",
	}
	for i, word := range w.words {
		places := word.places(c, "null", "")
		if !c.topology.JoinsShared() {
			name := "hits" + string(rune('a'+i))
			s.With = append(s.With, CTE{Name: name, Body: places})
			places = "select places from " + name
		}
		s.Where = append(s.Where, c.isAt(places))
	}
	if w.Period != nil {
		s.Where = append(s.Where, w.Period.condition(c, w.table))
	}
	return s.String()
}

// HasDates reports whether a table has fields that a period is looked for in.
func HasDates(t *schema.Table) bool { return len(dates(t)) > 0 }

// NamesDate reports whether a word is the name of one of those fields.
func NamesDate(t *schema.Table, word string) bool {
	return slices.ContainsFunc(dates(t), func(f *schema.Field) bool { return slices.Contains(Words(f.Name), word) })
}

func dates(t *schema.Table) (fields []*schema.Field) {
	for _, f := range t.Fields {
		if f.Type() == "date" || f.Type() == "datetime" {
			fields = append(fields, f)
		}
	}
	return fields
}

// condition is the condition that one of the dates of a record is in the period. Days are compared as
// days, and timestamps with the beginning of days in the time zone of the period.
func (p *Period) condition(c *Compiler, t *schema.Table) string {
	var either []string
	for _, f := range dates(t) {
		var both []string
		for _, bound := range []struct {
			op string
			at time.Time
		}{{">=", p.From}, {"<", p.To}} {
			switch {
			case bound.at.IsZero():
			case f.Type() == "date":
				day := c.Add(bound.at.Format(time.DateOnly)) + "::text::date"
				both = append(both, "t."+f.Column()+" "+bound.op+" "+day)
			default:
				both = append(both, "t."+f.Column()+" "+bound.op+" "+c.Add(bound.at)+"::timestamptz")
			}
		}
		either = append(either, "("+strings.Join(both, " and ")+")")
	}
	if len(either) == 0 {
		return "false"
	}
	return "(" + strings.Join(either, " or ") + ")"
}
