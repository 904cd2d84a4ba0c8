// Package text has what the pages of the server say, in each language: shared views and bases, forms, and those on
// which people sign in. It knows no page and no request. A language is one value of type Text; a test refuses one that
// says less than English.
package text

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/text/language"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// A Text is what the pages of the server say in one language.
type Text struct {
	Tag string // of the language, as in <html lang> (BCP 47)

	Share   Share
	Form    Form
	Print   Print
	Account Account
	Refused Refused

	Untitled     string // a record without a name
	FormerMember string
	File         string // a file without a name
	NoRecords    string
	Search       string
	Edit         string

	More    func(count int) string                      // links that are not named
	None    func(field string) string                   // the group of those without a value
	Checked func(field string, checked bool) string     // a group of checkboxes
	Of      func(function, field string) (title string) // "" if there is no such function
	Records func(count int64) string

	Month   func(day time.Time) string // with its year
	Day     func(day time.Time) string // with its month and year
	DayName func(day time.Time) string // with its weekday and month
	Weekday func(day time.Time) string // short
	Quarter func(number, year int) string
	Moment  func(at time.Time) string

	Failed      string // by the service
	TooMany     string // requests
	FileExpired string // the URL of a file
}

// A Share is what the page of a shared base or view says.
type Share struct {
	Locked, NotShared, NotFound                  string // titles
	Gone                                         string // a link without a base
	SkipToRecords, Editable, ReadOnly, SharedBy  string
	LockedLabel, LockedStill, Open               string
	NoTables, Tables, Views                      string
	Saved, SearchRecords, NewRecord, Change      string
	AllInTable, Pages, Previous, Next            string
	Board, Record, EmptyMonth, Chart, MoreGroups string
	Over                                         string // a column has more cards than its limit
	RecordCount                                  string // of a chart

	First func(count, of int64) string
	NoHit func(searched string) string
	Range func(from, to, of int64) string
	By    func(value, group string) string // a chart's caption
	Show  func(look string) string         // look is a type of view, or "grid"
}

// A Print is what a page to print says.
type Print struct {
	All  string // the sums' row
	Gone string

	First    func(count, of int64) string
	Filtered func(fields []string) string
	Searched func(text string) string
	Sum      func(function string) string // "" if there is none
}

// A Form is what the page of a form says.
type Form struct {
	Preview, SendAnother, Sent, SentBefore, Back, Changes, Editing string
	Kept                                                           [3]string // a sentence; the second part is a link
	NeedsScript, Submit, Save, PageBack, Required                  string
	MadeWith, Warning                                              string

	Closed      string // unless its owner says something else
	AnswerGone  string
	RecordGone  string
	TooLate     string // the challenge has ended
	NotFinished string // the proof of work is missing
	Again       string // some answers are wrong
	AgainRecord string
	Impossible  string
	NotSaved    string
	Lacks       string // the table needs what nobody is asked for
	BadLink     string
	Given       string // a unique answer, at its question
	GivenOne    string // the same, at no question
	Taken       string // a unique value of a record
	OutOfView   string
	FileNotHere string
	NoRoom      string
	UploadLate  string

	Continue   func(host string) string
	Remove     func(file string) string
	Files      func(most int, kinds []string, megabytes int) string
	FileKind   func(mediaType string) string // "" if it has no name
	RequiredAt string                        // what is wrong with a missing answer
	// Wrong says what is wrong with an answer that is not the kind of value that the question asks for. Nil says what
	// the service said, which is English.
	Wrong func(ask field.Ask) string

	Script Script
}

// A Script is what form.js says. Words in braces stand for what the script puts there.
type Script struct {
	Next        string `json:"next"`
	Place       string `json:"place"` // {page}, {pages}
	NotArrived  string `json:"notArrived"`
	ManyUploads string `json:"manyUploads"`
	Remove      string `json:"remove"` // {name}
	Preview     string `json:"preview"`
	Sending     string `json:"sending"`   // {name}
	MostFiles   string `json:"mostFiles"` // {name}, {most}
	Large       string `json:"large"`     // {name}
	Wait        string `json:"wait"`
	Checking    string `json:"checking"`
}

// All are the languages, of which English is the first.
var All = []*Text{&English, &German, &French}

var match = language.NewMatcher([]language.Tag{language.English, language.German, language.French})

// For returns the texts of the first language in an Accept-Language header (RFC 9110, section 12.5.4) that there are
// texts in, or else the English ones.
func For(accepted string) *Text {
	_, at := language.MatchStrings(match, accepted)
	return All[at]
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// Translate returns an English text in this language. It returns the English text, and false, if it is neither one of
// those that English has nor of a form that it knows.
func (t *Text) Translate(english string) (translation string, ok bool) {
	if path, ok := places()[english]; ok {
		return reflect.ValueOf(t).Elem().FieldByIndex(path).String(), true
	}
	if t == &English {
		return english, false
	}
	for form, say := range forms {
		if words := form.FindStringSubmatch(english); words != nil {
			return say(t, words[1:]), true
		}
	}
	return english, false
}

// forms are texts of the service with words put into them.
var forms = map[*regexp.Regexp]func(t *Text, words []string) string{
	regexp.MustCompile(`^must be at most ([\d,]+) (?:characters long|bytes)`): func(t *Text, words []string) string {
		return t.Refused.Long(words[0])
	},
	regexp.MustCompile(`^must be at most (\d+) files$`): func(t *Text, words []string) string {
		return t.Refused.Files(words[0])
	},
	regexp.MustCompile(`^must be a whole number from (\d+) to (\d+)$`): func(t *Text, words []string) string {
		return t.Refused.Between(words[0], words[1])
	},
	regexp.MustCompile(`^is easy to guess: `): func(t *Text, _ []string) string { return t.Refused.Guessable },
	regexp.MustCompile(`^There is no page at (.+)\.$`): func(t *Text, words []string) string {
		return t.Refused.NoPage(words[0])
	},
	regexp.MustCompile(`^This invitation is for (.+), and you are signed in as (.+)\.$`): func(
		t *Text, words []string,
	) string {
		return t.Account.ForSomebodyElse(words[0], words[1])
	},
}

// places returns where English has each text.
var places = sync.OnceValue(func() map[string][]int {
	found := map[string][]int{}
	var walk func(of reflect.Value, path []int)
	walk = func(of reflect.Value, path []int) {
		for i := range of.NumField() {
			at := append(slices.Clone(path), i)
			switch f := of.Field(i); f.Kind() { //nolint:exhaustive // functions are no texts
			case reflect.String:
				found[f.String()] = at
			case reflect.Struct:
				walk(f, at)
			}
		}
	}
	walk(reflect.ValueOf(English), nil)
	return found
})
