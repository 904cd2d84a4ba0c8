package mailtext_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/authz/credential"
)

// What the texts are tried with. None of it is a word of a language.
const (
	link     = "https://rowhouse.example/page?token=abc"
	service  = "https://rowhouse.example"
	settings = "https://rowhouse.example/settings"
	to       = "kari@example.com"
)

var url = regexp.MustCompile(`https://\S+`)

// mails returns every mail of a language but the notices.
func mails(say *mailtext.Text) map[string]mailtext.Mail {
	comment := mailtext.Comment{
		Author: "Xaver", Organization: "Xorg", Base: "Xbase", Table: "Xtable", Record: "Xrecord", Link: link,
		Settings: settings,
	}
	reply, nameless := comment, comment
	reply.Reply, nameless.Record = true, ""
	return map[string]mailtext.Mail{
		"verify":  say.Verify(link, 7),
		"address": say.Address(link),
		"reset":   say.Reset(link),
		"invitation": say.Invitation(mailtext.Invitation{
			Inviter: "Xaver", Organization: "Xorg", To: to, Link: link, Days: 14,
		}),
		"mention":  say.Comment(comment),
		"reply":    say.Comment(reply),
		"nameless": say.Comment(nameless),
	}
}

// names returns what was put into a text, each as often as it is there.
func names(text string) map[string]int {
	found := map[string]int{}
	for _, name := range []string{"Xaver", "Xorg", "Xbase", "Xtable", "Xrecord", "Xname", to, "14", "7"} {
		found[name] = strings.Count(text, name)
	}
	for _, link := range url.FindAllString(text, -1) {
		found[link]++
	}
	return found
}

// compare finds a text that a language lacks, that was left in English, or that names something else.
func compare(t *testing.T, name, english, other string) {
	t.Helper()
	if (english == "") != (other == "") || english != "" && other == english {
		t.Errorf("%s is %q", name, other)
	}
	if was, is := names(english), names(other); !reflect.DeepEqual(was, is) {
		t.Errorf("%s names %v, and %v in English", name, is, was)
	}
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	t.Parallel()
	for _, other := range mailtext.All[1:] {
		t.Run(other.Tag, func(t *testing.T) {
			t.Parallel()
			fields := reflect.ValueOf(*other)
			for i := range fields.NumField() {
				if fields.Field(i).IsZero() {
					t.Fatalf("%s is missing", fields.Type().Field(i).Name)
				}
			}
			compare(t, "the greeting", mailtext.English.Greeting(""), other.Greeting(""))
			compare(t, "the greeting", mailtext.English.Greeting("Xname"), other.Greeting("Xname"))
			was := mails(&mailtext.English)
			for name, mail := range mails(other) {
				compare(t, name, was[name].Subject, mail.Subject)
				compare(t, name, was[name].Text, mail.Text)
			}
		})
	}
}

func TestEveryLanguageHasANoticeOfEveryChange(t *testing.T) {
	t.Parallel()
	for _, other := range mailtext.All {
		if len(other.Notices) != len(credential.Changes) {
			t.Errorf("%s has %d notices of %d changes", other.Tag, len(other.Notices), len(credential.Changes))
		}
		for _, change := range credential.Changes {
			n, english := other.Notices[change], mailtext.English.Notices[change]
			name := other.Tag + " " + string(change)
			if n.Subject == "" || n.Advice == nil || n.Of == nil && n.Text == "" ||
				(n.Of == nil) != (english.Of == nil) {
				t.Errorf("%s lacks something", name)
				continue
			}
			if other == &mailtext.English {
				continue
			}
			compare(t, name, english.Subject, n.Subject)
			compare(t, name, english.Text, n.Text)
			compare(t, name, english.Advice(service), n.Advice(service))
			if n.Of != nil {
				compare(t, name, english.Of("Xname"), n.Of("Xname"))
			}
		}
	}
}

// texts returns all that a language says, without links.
func texts(say *mailtext.Text) (all []string) {
	for _, mail := range mails(say) {
		all = append(all, mail.Subject, mail.Text)
	}
	for _, n := range say.Notices {
		all = append(all, n.Subject, n.Text, n.Advice(service))
		if n.Of != nil {
			all = append(all, n.Of("Xname"))
		}
	}
	for i, text := range all {
		all[i] = url.ReplaceAllString(text, "")
	}
	return all
}

func TestMarksAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	wrong := map[string]*regexp.Regexp{
		"de": regexp.MustCompile(`["'«»]|„[^“]*$|[^„]“\pL`),
		"fr": regexp.MustCompile("[\"'„“]|[^\u00a0]:|«[^\u00a0]|[^\u00a0]»"),
	}
	for _, other := range mailtext.All[1:] {
		for _, text := range texts(other) {
			if found := wrong[other.Tag].FindString(text); found != "" {
				t.Errorf("%s has %q in %q", other.Tag, found, text)
			}
		}
	}
}

// Mail programs find a link that is a line of its own.
func TestLinksAreLinesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, say := range mailtext.All {
		for name, mail := range mails(say) {
			if !strings.Contains(mail.Text+"\n\n", "\n\n"+link+"\n\n") {
				t.Errorf("%s, %s: %s", say.Tag, name, mail.Text)
			}
		}
		for change, n := range say.Notices {
			lines := strings.Split(n.Advice(service), "\n")
			for _, line := range lines {
				if strings.Contains(line, service) && url.FindString(line) != line {
					t.Errorf("%s, %s: %s", say.Tag, change, line)
				}
			}
		}
	}
}

func TestForTakesTheFirstLanguageThatThereIs(t *testing.T) {
	t.Parallel()
	for want, languages := range map[string][][]string{
		"en": {{}, {""}, {"", ""}, {"es"}, {"en", "de"}, {"", "es"}, {"DE"}},
		"de": {{"de"}, {"de", "fr"}, {"", "de"}, {"es", "de"}},
		"fr": {{"fr", "de"}, {"", "fr"}},
	} {
		for _, of := range languages {
			if got := mailtext.For(of...).Tag; got != want {
				t.Errorf("of %q, %s is taken and not %s", of, got, want)
			}
		}
	}
}

func TestDatesAndNumbersAreWrittenAsTheLanguageHasThem(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, time.March, 1, 0, 30, 0, 0, time.FixedZone("CET", 3600))
	for tag, want := range map[string][3]string{
		"en": {"28 February 2026, 23:30 UTC", " 1 day.", " 7 days."},
		"de": {"28. Februar 2026, 23:30 Uhr UTC", " 1 Tag.", " 7 Tage."},
		"fr": {"28 février 2026, 23:30 UTC", " 1 jour.", " 7 jours."},
	} {
		say := mailtext.For(tag)
		if got := say.Moment(at); got != want[0] {
			t.Errorf("%s: %q", tag, got)
		}
		for i, days := range []int{1, 7} {
			if got := say.Verify(link, days).Text; !strings.Contains(got, want[i+1]) {
				t.Errorf("%s: no %q in %s", tag, want[i+1], got)
			}
		}
	}
}
