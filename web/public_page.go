package web

import (
	"encoding/json"
	"errors"
	"html/template"
	"net/http"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/web/text"
)

// The public pages are in the language that the reader's browser asks for. Errors carry English messages; those
// that readers can see have their text in package text, and are translated where a page shows them.

// translated is a template in each language.
type translated map[*text.Text]*template.Template

// publicPage returns the templates of a page, with others whose parts it uses. The data of share.html is a shareView,
// that of print.html a printView, that of form.html a formView.
func publicPage(name string, parts ...string) translated {
	s := newStatic()
	files := []string{"template/" + name}
	for _, one := range parts {
		files = append(files, "template/"+one)
	}
	out := translated{}
	for _, say := range text.All {
		out[say] = template.Must(template.New(name).Funcs(template.FuncMap{
			"css":      func() string { return s.url("/page.css") },
			"formCSS":  func() string { return s.url("/form.css") },
			"shareCSS": func() string { return s.url("/share.css") },
			"script":   func() string { return s.url("/form.js") },
			"mark":     func() string { return s.url("/mark.svg") },
			"say":      func() *text.Text { return say },
			"json": func(of any) (string, error) {
				raw, err := json.Marshal(of)
				return string(raw), err //nolint:wrapcheck // a template fails with it
			},
		}).ParseFS(templates, files...))
	}
	return out
}

const languageHeader = "Accept-Language"

// languageOf returns the language of a page, and has caches keep a page for each.
func languageOf(h http.Header, r *http.Request) *text.Text {
	h.Set("Vary", languageHeader)
	return requestedLanguage(r)
}

// requestedLanguage returns the language that a request asks for.
func requestedLanguage(r *http.Request) *text.Text { return text.For(r.Header.Get(languageHeader)) }

// explain returns what an error says to a reader.
func explain(say *text.Text, known *problem.Error) string {
	translation, ok := say.Translate(known.Message)
	if ok || say == &text.English {
		return translation
	}
	switch known.Kind { //nolint:exhaustive // what else may be wrong is said in English
	case problem.KindRateLimited:
		return say.TooMany
	case problem.KindUnavailable:
		return say.Failed
	case problem.KindNotFound:
		return say.Share.Gone
	}
	return known.Message
}

// translate returns an error whose messages are in a language, as far as they have a translation.
func translate(say *text.Text, err error) error {
	var known *problem.Error
	if say == &text.English || !errors.As(err, &known) || known.Kind == problem.KindInternal {
		return err
	}
	out := *known
	out.Message = explain(say, known)
	out.Items = append([]problem.Item(nil), known.Items...)
	for i := range out.Items {
		if translation, ok := say.Translate(out.Items[i].Message); ok {
			out.Items[i].Message = translation
		}
	}
	return &out
}
