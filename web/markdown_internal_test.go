package web

import (
	"strings"
	"testing"
)

func TestFormatted(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"# Plan\n\nGo **now**.":                 "<p><strong>Plan</strong></p>\n<p>Go <strong>now</strong>.</p>\n",
		"- [x] done\n- [ ] open":                "<li>☑ done</li>\n<li>☐ open</li>",
		"[x](https://x.example)":                `<a href="https://x.example" rel="noopener noreferrer nofollow">x</a>`,
		"https://example.com/a":                 `<a href="https://example.com/a" rel="noopener noreferrer nofollow">`,
		"~~old~~":                               "<del>old</del>",
		"| a | b |\n|---|---|\n| 1 | 2 |":       "<td>1</td>",
		"a < b & c":                             "a &lt; b &amp; c",
		"[click](javascript:alert(1))":          `<a href="" rel=`,
		"<script>alert(1)</script>":             "<!-- raw HTML omitted -->",
		"an <img src=x onerror=alert(1)> image": "<!-- raw HTML omitted -->",
		`[a](https://x.example/"onmouseover=1)`: "%22onmouseover=1",
	} {
		got := string(formatted(source))
		if !strings.Contains(got, want) {
			t.Errorf("%q is %q, without %q", source, got, want)
		}
		for _, bad := range []string{"<script", "onerror=", "javascript:", `"onmouseover`} {
			if strings.Contains(got, bad) {
				t.Errorf("%q is %q, with %q", source, got, bad)
			}
		}
	}
	for what, source := range map[string]string{
		"a long text": strings.Repeat("é", maxFormatted+1), "links": strings.Repeat("[a](", maxMarks+1),
		"quotes": strings.Repeat("> ", maxMarks+1),
	} {
		if got := formatted(source); got != "" {
			t.Errorf("%s is %d bytes", what, len(got))
		}
	}
}
