package account

import (
	"strings"
	"testing"
)

func TestMailSafeNameBreaksLinks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Kari Nordmann":                  "Kari Nordmann",
		"Dr. Åse O'Neill & Co.":          "Dr. Åse O'Neill & Co.",
		"https://evil.example":           "https: / / evil. example",
		"evil.example":                   "evil. example",
		"evil．example":                   "evil. example",
		"evil。example":                   "evil。 example",
		"www.evil.example/x?y":           "www. evil. example/ x?y",
		"mail admin@evil.example":        "mail admin@ evil. example",
		"javascript:alert(1)":            "javascript: alert(1)",
		"10.0.0.1":                       "10. 0. 0. 1",
		"two\r\nlines\tand  spaces":      "two lines and spaces",
		"evil\u200b.\u2060example\u202e": "evil. example",
		"\x00\x1b":                       "(no name)",
		" ":                              "(no name)",
		strings.Repeat("x", 61):          strings.Repeat("x", 59) + "…",
	} {
		if got := mailSafeName(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}
