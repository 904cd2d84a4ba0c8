package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/web/text"
)

// accountPages are the application's pages for the account, by the paths that they had when this
// package served them.
var accountPages = map[string]string{
	"/account":          "/settings/profile",
	"/account/sessions": "/settings/security",
	"/account/keys":     "/settings/keys",
	"/account/keys/new": "/settings/keys",
}

func (p *pages) registerAccountRoutes(r chi.Router) {
	for path, page := range accountPages {
		r.Get(path, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, page, http.StatusMovedPermanently)
		})
	}
}

func (p *pages) mailbox(w http.ResponseWriter, r *http.Request) {
	p.render(w, r, http.StatusOK, "mailbox", view{Title: "Mailbox", Data: p.Mailbox(), Language: &text.English})
}
