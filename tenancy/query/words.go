package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/naming"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/statement"
)

// Bounds of a search for words.
const (
	maxWords     = 8
	minTypoRunes = 4 // of a word in which one typo is forgiven
)

// A WordSearch looks for records that have all of some words, each in any field and any order. A word is also found
// as a part of a longer one.
type WordSearch struct {
	table *schema.Table
	words []*Search // each finds one word, in any of its forms
}

// Words splits what a person looks for into words, in lower case and each once.
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

// NewWordSearch returns a search for words as Words yields them. With typos, a longer word is also found with one
// letter wrong, missing, too many or changed with its neighbour.
func NewWordSearch(t *schema.Table, words []string, typos bool) (*WordSearch, error) {
	out := &WordSearch{table: t}
	for _, word := range words {
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
	if utf8.RuneCountInString(word) < minTypoRunes || strings.ContainsFunc(word, unicode.IsDigit) {
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

// Plan is the plan of a list that searches for the first word, by which the demand for a search index is known.
func (w *WordSearch) Plan() *Plan {
	return &Plan{Table: w.table, Filter: &Filter{}, Search: w.words[0], Limit: 1}
}

// Statement selects the latest records that have all the words.
func (w *WordSearch) Statement(c *Compiler, projection *Projection, limit int) string {
	s := statement.Select{
		Columns: []string{projection.columns, w.table.Ref().VersionNow()}, From: w.table.Relation() + " t",
		OrderBy: []string{"t.id desc"}, Limit: c.Add(int64(limit)) + "::bigint",
	}
	for i, word := range w.words {
		places := word.places(c, "null", "")
		if c.distributed {
			name := "hits" + string(rune('a'+i))
			s.With = append(s.With, statement.CTE{Name: name, Body: places})
			places = "select places from " + name
		}
		s.Where = append(s.Where, c.isAt(places))
	}
	return s.String()
}
