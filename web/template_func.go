package web

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/id"
)

// templateFuncs are what the templates may call.
func (p *pages) templateFuncs() template.FuncMap {
	return template.FuncMap{
		"css":      func() string { return p.static.url("/page.css") },
		"mark":     func() string { return p.static.url("/mark.svg") },
		"base":     func() string { return p.BaseURL },
		"home":     func() string { return p.Home },
		"ago":      func(t time.Time) string { return ago(t, time.Now()) },
		"agoMaybe": agoOrNever,
		"date":     func(t time.Time) string { return t.UTC().Format("2 Jan 2006") },
		"machine":  func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"browser":  describeUserAgent,
		"session":  func(u uuid.UUID) string { return id.Format(id.Session, u) },
		"org":      func(u uuid.UUID) string { return id.Format(id.Org, u) },
		"baseID":   func(u uuid.UUID) string { return id.Format(id.Base, u) },
		"linked":   p.linkify,
		"control":  control,
	}
}

// ago says in words how long something is past.
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

func agoOrNever(t *time.Time) string {
	if t == nil {
		return "Never"
	}
	return ago(*t, time.Now())
}

// describeUserAgent names the describeUserAgent and system of a User-Agent header, as well as can be told from one.
func describeUserAgent(agent string) string {
	pick := func(names [][2]string) string {
		for _, name := range names {
			if strings.Contains(agent, name[0]) {
				return name[1]
			}
		}
		return ""
	}
	// In this order: most browsers name older ones too.
	program := pick([][2]string{
		{"Edg/", "Edge"},
		{"OPR/", "Opera"},
		{"Firefox/", "Firefox"},
		{"HeadlessChrome/", "Chromium"},
		{"Chrome/", "Chrome"},
		{"CriOS/", "Chrome"},
		{"Safari/", "Safari"},
		{"curl/", "curl"},
	})
	system := pick([][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	})
	switch {
	case program != "" && system != "":
		return program + " on " + system
	case program != "":
		return program
	case system != "":
		return "A browser on " + system
	}
	return "An unknown browser"
}

// A textSpan is a part of a mail: text, or a link into this service.
type textSpan struct{ Text, Link string }

// linkify cuts a mail's text at its links.
func (p *pages) linkify(text string) []textSpan {
	var pieces []textSpan
	for {
		at := strings.Index(text, p.BaseURL+"/")
		if at < 0 {
			return append(pieces, textSpan{Text: text})
		}
		end := strings.IndexAny(text[at:], " \r\n\t")
		if end < 0 {
			end = len(text) - at
		}
		pieces = append(pieces, textSpan{Text: text[:at]}, textSpan{text[at : at+end], text[at : at+end]})
		text = text[at+end:]
	}
}

// A control is one input of a form with its label, hint and error, for the template of that name.
type controlData struct {
	Name, Label, Type, Auto, Hint, Error, Value string
	Required, Focus                             bool
}

// control describes an input. about is "required", "focus", a type, an autocomplete value or a hint, each as key=value or alone.
func control(f form, name, label string, about ...string) controlData {
	c := controlData{Name: name, Label: label, Type: "text", Value: f.Value(name), Error: f.Errors[name]}
	for _, a := range about {
		key, value, _ := strings.Cut(a, "=")
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
