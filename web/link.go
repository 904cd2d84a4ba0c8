package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/authz/account"
)

// The pages that mailed links lead to. Opening one changes nothing: programs that look into mails open links too.
func (p *pages) linkRoutes(r chi.Router) {
	r.Get("/forgot-password", p.showForgot)
	r.Post("/forgot-password", p.forgot)
	r.Get("/reset-password", p.showReset)
	r.Post("/reset-password", p.reset)
	r.Get("/verify-email", p.showVerify)
	r.Post("/verify-email", p.verify)
	r.Get("/invitation", p.showInvitation)
	r.Post("/invitation", p.acceptInvitation)
}

func (p *pages) showForgot(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("sent") != "" {
		p.render(w, r, http.StatusOK, "notice", view{Title: "Check your mail", Data: notice{
			Text: "If there is an account with that address, a link to choose a new password is on its way. It works for an hour.",
			Link: "/sign-in", Label: "Back to sign in",
		}})
		return
	}
	p.render(w, r, http.StatusOK, "forgot", view{Title: "Reset your password", Form: form{Values: r.URL.Query()}})
}

func (p *pages) forgot(w http.ResponseWriter, r *http.Request) {
	values, err := posted(r)
	if err == nil {
		err = p.Accounts.RequestReset(r.Context(), values.Get("email"), p.Accounts.Address(r))
	}
	if err != nil {
		p.again(w, r, err, "forgot", view{Title: "Reset your password"})
		return
	}
	http.Redirect(w, r, "/forgot-password?sent=1", http.StatusSeeOther)
}

// tokenData is what the pages of mailed links show.
type tokenData struct {
	Token string
	Email string
}

func (p *pages) showReset(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	email, err := p.Accounts.ResetAddress(r.Context(), token)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "reset", view{Title: "Choose a new password", Data: tokenData{token, email}})
}

func (p *pages) reset(w http.ResponseWriter, r *http.Request) {
	values, err := posted(r)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	token := values.Get("token")
	person, err := p.Accounts.Reset(r.Context(), token, values.Get("password"))
	if err != nil {
		email, gone := p.Accounts.ResetAddress(r.Context(), token)
		if gone != nil {
			p.fail(w, r, gone)
			return
		}
		p.again(w, r, err, "reset", view{Title: "Choose a new password", Data: tokenData{token, email}})
		return
	}
	p.begin(w, r, person, "")
}

func (p *pages) showVerify(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("done") != "" {
		p.render(w, r, http.StatusOK, "notice", view{Title: "Thank you", Data: notice{
			Text: "Your e-mail address is confirmed.", Link: p.Home, Label: "Go on",
		}})
		return
	}
	token := r.URL.Query().Get("token")
	email, err := p.Accounts.VerifyAddress(r.Context(), token)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "verify", view{Title: "Confirm your address", Data: tokenData{token, email}})
}

func (p *pages) verify(w http.ResponseWriter, r *http.Request) {
	values, err := posted(r)
	if err == nil {
		_, err = p.Accounts.Verify(r.Context(), values.Get("token"))
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, "/verify-email?done=1", http.StatusSeeOther)
}

type invitationData struct {
	*account.Invitation

	Token   string
	Here    string // this page's address, to come back to
	Current string // the address of whoever is signed in, or ""
}

func (p *pages) invitationView(r *http.Request, token string) (view, error) {
	invitation, err := p.Accounts.Invitation(r.Context(), token)
	if err != nil {
		return view{}, err
	}
	data := invitationData{Invitation: invitation, Token: token, Here: "/invitation?token=" + url.QueryEscape(token)}
	if session, err := p.Accounts.Current(r); err == nil {
		data.Current = session.Person.Email
	}
	return view{Title: "Join " + invitation.OrgName, Data: data}, nil
}

func (p *pages) showInvitation(w http.ResponseWriter, r *http.Request) {
	v, err := p.invitationView(r, r.URL.Query().Get("token"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "invitation", v)
}

// acceptInvitation makes whoever is signed in a member, or signs a new person up.
func (p *pages) acceptInvitation(w http.ResponseWriter, r *http.Request) {
	values, err := posted(r)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	token := values.Get("token")
	if session, err := p.Accounts.Current(r); err == nil {
		if _, err := p.Accounts.Accept(r.Context(), token, session.Person); err != nil {
			p.fail(w, r, err)
			return
		}
		http.Redirect(w, r, p.Home, http.StatusSeeOther)
		return
	}
	person, err := p.Accounts.SignUp(r.Context(), account.Registration{
		Name: values.Get("name"), Password: values.Get("password"), Invitation: token, Address: p.Accounts.Address(r),
	})
	if err != nil {
		v, gone := p.invitationView(r, token)
		if gone != nil {
			p.fail(w, r, gone)
			return
		}
		p.again(w, r, err, "invitation", v)
		return
	}
	p.begin(w, r, person, "")
}
