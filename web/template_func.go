package web

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/web/text"
)

// templateFuncs returns the functions that the templates call.
func (p *pages) templateFuncs(say *text.Text) template.FuncMap {
	return template.FuncMap{
		"say":     func() *text.Text { return say },
		"css":     func() string { return p.static.url("/page.css") },
		"mark":    func() string { return p.static.url("/mark.svg") },
		"home":    func() string { return p.Home },
		"ago":     func(t time.Time) string { return ago(t, time.Now()) },
		"rfc3339": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"linkify": p.linkify,
		"control": control,
	}
}

// ago formats the time since t, such as "5 minutes ago". After 30 days it is the date.
func ago(t, now time.Time) string {
	count := func(n int, unit string) string {
		if n == 1 {
			return "1 " + unit + " ago"
		}
		return fmt.Sprintf("%d %ss ago", n, unit)
	}
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(int(d.Minutes()), "minute")
	case d < 24*time.Hour:
		return count(int(d.Hours()), "hour")
	case d < 30*24*time.Hour:
		return count(int(d.Hours()/24), "day")
	}
	return t.UTC().Format("2 Jan 2006")
}

// A textSpan is a part of a mail's text: plain text, or a link into this service.
type textSpan struct{ Text, Link string }

// linkify splits a mail's text at the links into this service.
func (p *pages) linkify(text string) []textSpan {
	var spans []textSpan
	for {
		at := strings.Index(text, p.BaseURL+"/")
		if at < 0 {
			return append(spans, textSpan{Text: text})
		}
		end := strings.IndexAny(text[at:], " \r\n\t")
		if end < 0 {
			end = len(text) - at
		}
		spans = append(spans, textSpan{Text: text[:at]}, textSpan{text[at : at+end], text[at : at+end]})
		text = text[at+end:]
	}
}

// controlData describes one input of a form for the template "control".
type controlData struct {
	Name, Label, Type, Auto, Hint, Error, Value string
	Required, Focus                             bool
}

// control describes an input. Each option is "required", "focus", "type=…", "auto=…" (the
// autocomplete attribute) or "hint=…".
func control(f form, name, label string, options ...string) controlData {
	c := controlData{Name: name, Label: label, Type: "text", Value: f.Value(name), Error: f.Errors[name]}
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "required":
			c.Required = true
		case "focus":
			c.Focus = true
		case "type":
			c.Type = value
		case "auto":
			c.Auto = value
		case "hint":
			c.Hint = value
		}
	}
	if c.Type == "password" {
		c.Value = ""
	}
	return c
}
