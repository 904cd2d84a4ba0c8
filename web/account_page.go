package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

func (p *pages) registerAccountRoutes(r chi.Router) {
	r.Get("/account", p.requireSession(p.showAccount))
	r.Post("/account/name", p.requireSession(p.rename))
	r.Post("/account/password", p.requireSession(p.changePassword))
	r.Post("/account/verification", p.requireSession(p.resendVerification))
	r.Get("/account/sessions", p.requireSession(p.showSessions))
	r.Post("/account/sessions/end", p.requireSession(p.endSessions))
	r.Post("/account/sessions/{session}/end", p.requireSession(p.endSession))
	p.registerKeyRoutes(r)
}

// statusMessages are the confirmations that an account page may show, by the value of its parameter
// "did".
var statusMessages = map[string]string{
	"name":         "Your name was changed.",
	"password":     "Your password was changed, and your other sessions were signed out.",
	"verification": "We sent you a new link.",
	"session":      "That session was signed out.",
	"sessions":     "All your other sessions were signed out.",
	"revoked":      "The key was revoked and no longer works.",
}

type accountData struct {
	Status string
	Orgs   []apikey.Org
}

func (p *pages) accountView(r *http.Request, session *account.SessionInfo) (view, error) {
	orgs, err := p.Keys.Orgs(r.Context(), session.Person.ID)
	return view{
		Title: "Your account", Session: session, Tab: "account", Data: accountData{statusMessages[r.URL.Query().Get("did")], orgs},
		Form: form{Values: url.Values{"name": {session.Person.Name}}},
	}, err
}

func (p *pages) showAccount(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	v, err := p.accountView(r, session)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "account", v)
}

// rerenderAccount renders the account page again after one of its forms was rejected.
func (p *pages) rerenderAccount(w http.ResponseWriter, r *http.Request, session *account.SessionInfo, cause error) {
	v, err := p.accountView(r, session)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	if r.PostForm.Get("name") == "" {
		r.PostForm.Set("name", session.Person.Name)
	}
	p.rerender(w, r, cause, "account", v)
}

func (p *pages) rename(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	if _, err := p.Accounts.Rename(r.Context(), session.Person.ID, values.Get("name")); err != nil {
		p.rerenderAccount(w, r, session, err)
		return
	}
	http.Redirect(w, r, "/account?did=name", http.StatusSeeOther)
}

func (p *pages) changePassword(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	if err := p.Accounts.ChangePassword(w, r, session, values.Get("currentPassword"), values.Get("newPassword")); err != nil {
		p.rerenderAccount(w, r, session, err)
		return
	}
	http.Redirect(w, r, "/account?did=password", http.StatusSeeOther)
}

func (p *pages) resendVerification(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	if err := p.Accounts.RequestVerification(r.Context(), session.Person); err != nil {
		p.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, "/account?did=verification", http.StatusSeeOther)
}

type sessionsData struct {
	Status   string
	Sessions []account.Session
	Current  uuid.UUID
}

func (p *pages) showSessions(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	sessions, err := p.Accounts.Sessions(r.Context(), session.Person.ID)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "sessions", view{
		Title: "Sessions", Session: session, Tab: "sessions",
		Data: sessionsData{statusMessages[r.URL.Query().Get("did")], sessions, session.ID},
	})
}

func (p *pages) endSessions(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	target := "/account/sessions?did=sessions"
	if values.Get("which") == "all" {
		target = "/sign-in?after=sign-out"
		err = p.Accounts.EndAllSessions(r.Context(), session.Person.ID)
	} else {
		err = p.Accounts.EndOtherSessions(w, r, session)
	}
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (p *pages) endSession(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	ended, err := id.Parse(id.Session, chi.URLParam(r, "session"))
	if err == nil {
		err = p.Accounts.EndSession(r.Context(), session.Person.ID, ended)
	} else {
		err = pageNotFound(r)
	}
	if err != nil && problem.KindOf(err) != problem.KindNotFound { // the form may have been submitted twice
		p.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, "/account/sessions?did=session", http.StatusSeeOther)
}

func (p *pages) mailbox(w http.ResponseWriter, r *http.Request) {
	p.render(w, r, http.StatusOK, "mailbox", view{Title: "Mailbox", Data: p.Mailbox()})
}
