package operation

import (
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

// People ask in sentences: with words that no record contains, with the names of the table and the
// base, with times, and with a word too many. A search tries the given words first, and then what
// they may have meant. The first attempt that finds something is the result; the attempt with a
// time runs together with the given words.
var attempts = []attempt{
	{},
	{dated: true},
	{significant: true},
	{significant: true, typos: true},
	{significant: true, missing: 1},
}

// An attempt is one way to understand the words of a search.
type attempt struct {
	dated       bool // the time is a filter on dates, and the other words are significant
	significant bool // without times, stop words, and the words of the names of the table and the base
	typos       bool
	missing     int // how many words a record may lack: 0 or 1
}

// A searchText is the parsed text of a search.
type searchText struct {
	words  []string
	rest   []string // without the time
	period *query.Period
}

// readSearch parses the text of a search, with times in the zone of a base.
func readSearch(text, zone string, now time.Time) searchText {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC // it was checked when it was written
	}
	rest, period := query.FindPeriod(text, now.In(location))
	return searchText{query.Words(text), query.Words(rest), period}
}

// asked returns the texts that the attempt searches in a table. Each finds records that have all of
// its words. None skips the table.
func (a attempt) asked(text *searchText, t *schema.Table) []string {
	words := text.words
	if a.dated || a.significant {
		words = significantWords(text.rest, t)
	}
	if a.dated { // as in "due tomorrow"
		words = slices.DeleteFunc(words, func(word string) bool { return query.NamesDate(t, word) })
	}
	switch {
	case a.dated && (text.period == nil || !query.HasDates(t)), len(words) == 0 && !a.dated:
		return nil
	case a.missing == 0:
		return []string{strings.Join(words, " ")}
	case len(words) < 2:
		return nil
	}
	var texts []string
	for i := range words {
		texts = append(texts, strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
	}
	return texts
}

// significantWords leaves out words that say nothing about a record of a table.
func significantWords(words []string, t *schema.Table) []string {
	names := query.Words(t.Base.Name + " " + t.Name)
	for i := range names {
		names[i] = singular(names[i])
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return stopWords[word] || slices.Contains(names, singular(word))
	})
}

// singular removes the English plural of a word, well enough to compare words.
func singular(word string) string {
	if stem, plural := strings.CutSuffix(word, "ies"); plural && stem != "" {
		return stem + "y"
	}
	if strings.HasSuffix(word, "ss") || len(word) < 4 {
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// stopWords are words that sentences have and records need not have, in the languages of the
// application.
var stopWords = func() map[string]bool {
	list := map[string]bool{}
	for word := range strings.FieldsSeq(`a about all an and any are at by did do does find for from get give has have
		how i in is it list look me my of on or our please record records search show that the their there these this to
		was we were what when where which who whose with you your
		am auf aus bei das dem den der die ein eine einen für im in ist mit nach und von vom wer wo zu zum zur
		au aux avec dans de des du en et la le les où par pour qui sur un une
		con del el en los las para por que un una y`) {
		list[word] = true
	}
	return list
}()

// withoutThose appends hits of records that are not in the list yet.
func withoutThose(list, hits []SearchHit) []SearchHit {
	for _, hit := range hits {
		if !slices.ContainsFunc(list, func(one SearchHit) bool { return one.ID == hit.ID }) {
			list = append(list, hit)
		}
	}
	return list
}
