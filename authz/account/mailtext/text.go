// Package mailtext has what the mails of package account say, in each language. It knows no person and sends nothing. A
// language is one value of type Text; a test refuses one that says less than English.
//
// Names and links are put in as they are: the caller makes names of people safe to show in a mail.
package mailtext

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/authz/credential"
)

// A Text is what the mails say in one language.
type Text struct {
	Tag string // of the language (BCP 47)

	// Greeting is the first line, before the text of a mail. name is empty if nobody is named.
	Greeting func(name string) string
	Moment   func(at time.Time) string // in UTC

	Verify     func(link string, days int) Mail
	Address    func(link string) Mail // to the new address of an account
	Reset      func(link string) Mail
	Invitation func(i Invitation) Mail
	Comment    func(c Comment) Mail
	Notices    map[credential.Change]Notice
}

// A Mail is what one mail says. Its text follows the greeting, which ends with a comma.
type Mail struct {
	Subject string
	Text    string
}

// An Invitation is what the mail of an invitation names.
type Invitation struct {
	Inviter      string
	Organization string
	To           string // the address that is invited
	Link         string
	Days         int // that the link works
}

// A Comment is what the mail of a comment names.
type Comment struct {
	Author       string
	Reply        bool // in a thread in which the reader wrote; else it mentions the reader
	Organization string
	Base         string
	Table        string
	Record       string // "" if it has no name
	Link         string // to the comment
	Settings     string // link to the settings of these mails
}

// A Notice is what a security notice says.
type Notice struct {
	Subject string
	// Of says what happened, with the name of what changed. It is nil if nothing has a name.
	Of func(name string) string
	// Text says what happened without a name. It is empty if there always is one.
	Text string
	// Advice says what to do. service is the URL of the service.
	Advice func(service string) string
}

// All are the languages, of which English is the first.
var All = []*Text{&English, &German, &French}

// For returns the texts of the first language that there are texts in, or else the English ones. Languages are tags of
// All, or empty where nothing is known.
func For(languages ...string) *Text {
	for _, language := range languages {
		if i := slices.IndexFunc(All, func(t *Text) bool { return t.Tag == language }); i >= 0 {
			return All[i]
		}
	}
	return &English
}

// around is a function with a name between two texts.
func around(before, after string) func(name string) string {
	return func(name string) string { return before + name + after }
}

// paragraphs has an empty line between parts.
func paragraphs(parts ...string) string { return strings.Join(parts, "\n\n") }

// counted is a number with the word for as many.
func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
