package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/web/text"
)

func (p *pages) registerSignInRoutes(r chi.Router) {
	r.Get("/sign-up", p.showSignUp)
	r.Post("/sign-up", p.signUp)
	r.Get("/sign-in", p.showSignIn)
	r.Post("/sign-in", p.signIn)
	r.Get("/sign-out", p.showSignOut)
	r.Post("/sign-out", p.signOut)
}

// signedIn reports whether the request has a valid session.
func (p *pages) signedIn(r *http.Request) bool {
	_, err := p.Accounts.Current(r)
	return err == nil
}

func (p *pages) showSignUp(w http.ResponseWriter, r *http.Request) {
	if p.signedIn(r) {
		p.redirectLocal(w, r, r.URL.Query().Get("next"))
		return
	}
	p.relaxFormAction(w, r.URL.Query().Get("next"))
	p.render(w, r, http.StatusOK, "signup", signUpView(r))
}

func signUpView(r *http.Request) view {
	return view{Title: text.English.Account.SignUp, Form: form{Values: r.URL.Query()}}
}

func (p *pages) signUp(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	proof, err := p.Accounts.SignUp(r.Context(), account.Registration{
		Name: values.Get("name"), Email: values.Get("email"), Password: values.Get("password"),
		Organization: values.Get("organization"), Address: p.Accounts.Address(r), Language: requestedLanguage(r).Tag,
	})
	if err != nil {
		p.relaxFormAction(w, values.Get("next"))
		p.rerender(w, r, err, "signup", signUpView(r))
		return
	}
	p.startSession(w, r, proof, values.Get("next"))
}

// startSession starts a session for a verified identity and redirects to next.
func (p *pages) startSession(w http.ResponseWriter, r *http.Request, proof account.Proof, next string) {
	if err := p.Accounts.Begin(w, r, proof); err != nil {
		p.renderError(w, r, err)
		return
	}
	p.redirectLocal(w, r, next)
}

// redirectLocal redirects to next if it is a path of this service, and to the home path otherwise.
func (p *pages) redirectLocal(w http.ResponseWriter, r *http.Request, next string) {
	if !isLocalPath(next) {
		next = p.Home
	}
	http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // isLocalPath rejects URLs of other hosts
}

// relaxFormAction removes form-action from the content security policy if next continues an OAuth
// authorization. Chromium applies form-action to every redirect that follows a form, and an
// authorization redirects to the client.
func (p *pages) relaxFormAction(w http.ResponseWriter, next string) {
	if isLocalPath(next) && strings.HasPrefix(next, "/oauth/") {
		w.Header().Set("Content-Security-Policy", strings.Replace(PagePolicy, "form-action 'self'; ", "", 1))
	}
}

func (p *pages) showSignIn(w http.ResponseWriter, r *http.Request) {
	if p.signedIn(r) {
		p.redirectLocal(w, r, r.URL.Query().Get("next"))
		return
	}
	p.relaxFormAction(w, r.URL.Query().Get("next"))
	p.render(w, r, http.StatusOK, "signin", signInView(r))
}

func signInView(r *http.Request) view {
	v := view{Title: text.English.Account.SignIn, Form: form{Values: r.URL.Query()}}
	switch r.URL.Query().Get("after") {
	case "reset":
		v.Data = text.English.Account.AfterReset
	case "sign-out":
		v.Data = text.English.Account.AfterSignOut
	}
	return v
}

func (p *pages) signIn(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	proof, err := p.Accounts.SignInFrom(r, values.Get("email"), values.Get("password"))
	if err != nil {
		p.relaxFormAction(w, values.Get("next"))
		p.rerender(w, r, err, "signin", signInView(r))
		return
	}
	p.startSession(w, r, proof, values.Get("next"))
}

func (p *pages) showSignOut(w http.ResponseWriter, r *http.Request) {
	if !p.signedIn(r) {
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
		return
	}
	p.render(w, r, http.StatusOK, "signout", view{Title: text.English.Account.SignOut})
}

func (p *pages) signOut(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	if err := p.Accounts.SignOut(w, r); err != nil {
		p.renderError(w, r, err)
		return
	}
	target := "/sign-in?after=sign-out"
	if next := values.Get("next"); isLocalPath(next) {
		target = "/sign-in?next=" + url.QueryEscape(next)
		if strings.HasPrefix(next, "/invitation?") {
			target = next
		}
	}
	p.redirectLocal(w, r, target)
}
