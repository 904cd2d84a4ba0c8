package account

import (
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/authz/credential"
)

func TestEveryChangeHasANotice(t *testing.T) {
	t.Parallel()
	s := &Service{Deps: Deps{BaseURL: "https://rowhouse.example"}}
	if notices := mailtext.English.Notices; len(notices) != len(credential.Changes) {
		t.Errorf("%d notices for %d changes", len(notices), len(credential.Changes))
	}
	for _, change := range credential.Changes {
		for _, about := range []string{"", "Deploy"} {
			m := s.noticeMessage(recipient{"kari@example.com", "Kari", ""}, change, about, time.Now())
			if m.Subject == "" || strings.Contains(m.Text, "%!") ||
				!strings.Contains(m.Text, "https://rowhouse.example/") {
				t.Errorf("%s of %q: %q\n%s", change, about, m.Subject, m.Text)
			}
		}
	}
}

// The creator of a key chooses its name, which must not put a link into a mail of the service.
func TestNoticeContainsNoLinkFromAName(t *testing.T) {
	t.Parallel()
	s := &Service{Deps: Deps{BaseURL: "https://rowhouse.example"}}
	m := s.noticeMessage(recipient{"kari@example.com", "Kari", ""}, credential.KeyCreated,
		"Log in at https://evil.example/x\r\nor www.evil.example", time.Now())
	if strings.Contains(m.Text, "evil.example") || strings.Contains(m.Text, "https://evil") ||
		!strings.Contains(m.Text, `"Log in at https: / / evil. example/ x or www. evil. example"`) {
		t.Error(m.Text)
	}
	for _, address := range []string{"192.0.2.7", "2001:db8::/64"} {
		if m := s.noticeMessage(
			recipient{"kari@example.com", "Kari", ""}, credential.DeviceNew, address, time.Now(),
		); !strings.Contains(m.Text, address) {
			t.Error(m.Text)
		}
	}
	if m := s.noticeMessage(
		recipient{"kari@example.com", "evil.example", ""}, credential.DeviceNew, "evil.example", time.Now(),
	); strings.Contains(m.Text, "evil.example") {
		t.Error(m.Text)
	}
}

// A notice has the name of what changed in every language, where English has it, and never as a link.
func TestNoticesNameWhatChangedInEveryLanguage(t *testing.T) {
	t.Parallel()
	s := &Service{Deps: Deps{BaseURL: "https://rowhouse.example"}}
	for _, say := range mailtext.All {
		to := recipient{"kari@example.com", "evil.example", say.Tag}
		for _, change := range credential.Changes {
			english := s.noticeMessage(recipient{"kari@example.com", "Kari", "en"}, change, "Deploy", time.Now())
			m := s.noticeMessage(to, change, "Deploy", time.Now())
			if strings.Contains(m.Text, "Deploy") != strings.Contains(english.Text, "Deploy") {
				t.Errorf("%s of %s: %s", change, say.Tag, m.Text)
			}
			if !strings.HasPrefix(m.Text, say.Greeting("evil. example")+"\n\n") {
				t.Errorf("%s of %s: %s", change, say.Tag, m.Text)
			}
			m = s.noticeMessage(to, change, "https://evil.example/x\r\nwww.evil.example", time.Now())
			if strings.Contains(m.Subject+m.Text, "evil.example") || strings.Contains(m.Text, "https://evil") {
				t.Errorf("%s of %s: %s", change, say.Tag, m.Text)
			}
		}
	}
}
