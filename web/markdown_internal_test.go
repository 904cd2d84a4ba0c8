package web

import (
	"strings"
	"testing"
)

func TestFormatted(t *testing.T) {
	t.Parallel()
	const rel = ` rel="noopener noreferrer nofollow">`
	for source, want := range map[string]string{
		"# Plan\n\nGo.\nOr _later_.":            "<p><strong>Plan</strong></p>\n<p>Go.<br>\nOr <em>later",
		"- [x] done\n- [ ] open":                "<li>☑ done</li>\n<li>☐ open</li>",
		"[x](https://x.example)":                `<a href="https://x.example"` + rel + "x</a>",
		"https://example.com/a?b=1&c=2":         `<a href="https://example.com/a?b=1&amp;c=2"` + rel + "https://",
		"kari@example.com":                      `<a href="mailto:kari@example.com"` + rel + "kari@example.com</a>",
		"~~old~~":                               "<del>old</del>",
		"a < b & c":                             "a &lt; b &amp; c",
		"| a | b |\n|---|:-:|\n| 1 | 2 |":       "| 1 | 2 |",
		"![A map](https://x.example/map.png)":   "<p>A map</p>",
		"[click](javascript:alert(1))":          "<p>click</p>",
		"[here](/account)":                      "<p>here</p>",
		"[there](//x.example)":                  "<p>there</p>",
		"[blob](blob:https://x.example/1)":      "<p>blob</p>",
		"<script>alert(1)</script>":             "<!-- raw HTML omitted -->",
		"an <img src=x onerror=alert(1)> one":   "<!-- raw HTML omitted -->",
		`[a](https://x.example/"onmouseover=1)`: "%22onmouseover=1",
		"[a](https://x.example '\"><b>')":       `<a href="https://x.example"` + rel + "a</a>",
	} {
		left := maxPage
		got := string(formatted(source, &left))
		if !strings.Contains(got, want) {
			t.Errorf("%q is %q, without %q", source, got, want)
		}
		for _, bad := range []string{"<script", "onerror=", "javascript:", `"onmouseover`, "<img", "<b>", "style="} {
			if strings.Contains(got, bad) {
				t.Errorf("%q is %q, with %q", source, got, bad)
			}
		}
	}
}

// Texts that take long to read are shown as they are written.
func TestCostlyTextsAreNotFormatted(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		strings.Repeat("é", maxFormatted+1), strings.Repeat("[a](", maxMarks+1), strings.Repeat("> ", maxMarks+1),
		strings.Repeat("+ ", maxMarks+1), strings.Repeat("*a_ ", maxMarks), strings.Repeat("1. ", maxMarks+1),
		strings.Repeat("- ", maxMarks+1), strings.Repeat("~a ~~", maxMarks),
	} {
		left := maxPage
		if got := formatted(source, &left); got != "" || left != maxPage {
			t.Errorf("%.20q… is %d bytes", source, len(got))
		}
	}
	left, shown := maxPage, 0
	for formatted(strings.Repeat("word ", 1000), &left) != "" {
		shown++
	}
	if shown != maxPage/5000 {
		t.Errorf("a page formats %d texts", shown)
	}
}
