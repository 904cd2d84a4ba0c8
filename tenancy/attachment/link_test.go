package attachment_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

const base = "https://rowhouse.test/files/"

func links(t *testing.T, secrets ...string) *attachment.Links {
	t.Helper()
	var list [][]byte
	for _, s := range secrets {
		list = append(list, []byte(s))
	}
	l, err := attachment.NewLinks(base, list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func read(t *testing.T, l *attachment.Links, address string) (attachment.Link, error) {
	t.Helper()
	token, name, _ := strings.Cut(strings.TrimPrefix(address, base), "/")
	name, err := url.PathUnescape(name)
	if err != nil {
		t.Fatal(err)
	}
	return l.Read(token, name)
}

func TestLinkRoundTrip(t *testing.T) {
	t.Parallel()
	org, file, share := uuid.New(), uuid.New(), uuid.New()
	now := time.Date(2026, 5, 1, 12, 2, 0, 0, time.UTC)
	l := links(t, "one").At(now)
	for _, name := range []string{"plan.pdf", "a b%20/c?#&\"<.txt", "Übersicht ☃.png"} {
		for _, thumbnail := range []bool{false, true} {
			got, err := read(t, l.ForShare(share),
				string(l.ForShare(share).AppendLink(nil, org, file, name, thumbnail)))
			want := attachment.Link{
				Org:       org,
				File:      file,
				Thumbnail: thumbnail,
				Name:      name,
				Share:     share,
				ExpiresAt: got.ExpiresAt,
			}
			if err != nil || got != want {
				t.Errorf("%q: got %+v, %v", name, got, err)
			}
		}
	}
}

func TestLinkIsStableWithinAStepAndThenExpires(t *testing.T) {
	t.Parallel()
	org, file := uuid.New(), uuid.New()
	now := time.Date(2026, 5, 1, 12, 2, 0, 0, time.UTC)
	l := links(t, "one")
	address := string(l.At(now).AppendLink(nil, org, file, "a", false))
	if again := string(l.At(now.Add(2*time.Minute)).AppendLink(nil, org, file, "a", false)); again != address {
		t.Error("two minutes later the URL differs, so browsers fetch it again")
	}
	if _, err := read(t, l.At(now.Add(10*time.Minute)), address); err != nil {
		t.Errorf("after 10 minutes: %v", err)
	}
	if _, err := read(t, l.At(now.Add(15*time.Minute)), address); err == nil {
		t.Error("after 15 minutes it is still valid")
	}
}

func TestForgedLinkIsRejected(t *testing.T) {
	t.Parallel()
	l := links(t, "one")
	address := string(l.AppendLink(nil, uuid.New(), uuid.New(), "a.txt", false))
	token, _, _ := strings.Cut(strings.TrimPrefix(address, base), "/")
	for i := range token {
		other := byte('A')
		if token[i] == 'A' {
			other = 'B'
		}
		if _, err := l.Read(token[:i]+string(other)+token[i+1:], "a.txt"); err == nil {
			t.Errorf("with another letter at %d it is still valid", i)
		}
	}
	for _, wrong := range []string{"", "a", token[:len(token)-4], token + "AAAA", strings.Repeat("A", 71)} {
		if _, err := l.Read(wrong, "a.txt"); err == nil {
			t.Errorf("%q is valid", wrong)
		}
	}
	if _, err := l.Read(token, "b.exe"); err == nil {
		t.Error("it is valid under another name")
	}
	if _, err := links(t, "two").Read(token, "a.txt"); err == nil {
		t.Error("it is valid with another secret")
	}
	if _, err := links(t, "two", "one").Read(token, "a.txt"); err != nil {
		t.Errorf("a former secret is rejected: %v", err)
	}
}
