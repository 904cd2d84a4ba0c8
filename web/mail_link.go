package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/web/text"
)

// registerMailLinkRoutes registers the pages that links in mails lead to. A GET changes nothing,
// because mail scanners open links too.
func (p *pages) registerMailLinkRoutes(r chi.Router) {
	r.Get("/forgot-password", p.showForgot)
	r.Post("/forgot-password", p.forgot)
	r.Get("/reset-password", p.showReset)
	r.Post("/reset-password", p.reset)
	r.Get("/verify-email", p.showVerify)
	r.Post("/verify-email", p.verify)
	r.Get("/change-email", p.showAddress)
	r.Post("/change-email", p.changeAddress)
	r.Get("/invitation", p.showInvitation)
	r.Post("/invitation", p.acceptInvitation)
}

func (p *pages) showForgot(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("sent") != "" {
		p.render(w, r, http.StatusOK, "notice", view{Title: text.English.Account.CheckMail, Data: notice{
			Text: text.English.Account.Sent, Link: "/sign-in", Label: text.English.Account.BackToSignIn,
		}})
		return
	}
	p.render(w, r, http.StatusOK, "forgot", view{
		Title: text.English.Account.ResetTitle, Form: form{Values: r.URL.Query()},
	})
}

func (p *pages) forgot(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err == nil {
		err = p.Accounts.RequestReset(r.Context(), values.Get("email"), p.Accounts.Address(r), requestedLanguage(r).Tag)
	}
	if err != nil {
		p.rerender(w, r, err, "forgot", view{Title: text.English.Account.ResetTitle})
		return
	}
	http.Redirect(w, r, "/forgot-password?sent=1", http.StatusSeeOther)
}

// tokenData is the data of the password reset and verification pages.
type tokenData struct {
	Token       string
	Email       string
	SignedIn    bool // verification: the account is signed in in this browser
	OfferRevoke bool // reset: whether to offer to keep API keys and connected apps
}

func (p *pages) showReset(w http.ResponseWriter, r *http.Request) {
	v, err := p.resetView(r, r.URL.Query().Get("token"))
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	v.Form.Values = url.Values{"end": {"1"}}
	p.render(w, r, http.StatusOK, "reset", v)
}

func (p *pages) resetView(r *http.Request, token string) (view, error) {
	link, err := p.Accounts.PeekReset(r.Context(), token)
	return view{
		Title: text.English.Account.ChooseTitle,
		Data:  tokenData{Token: token, Email: link.Email, OfferRevoke: link.AddressConfirmed},
	}, err
}

func (p *pages) reset(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	next := account.NewPassword{
		Token: values.Get("token"), Password: values.Get("password"),
		// Browsers do not send an unticked checkbox. Without the form that has it, everything is
		// revoked.
		KeepCredentials: values.Get("asked") != "" && values.Get("end") == "",
	}
	proof, err := p.Accounts.Reset(r.Context(), next)
	if err != nil {
		v, expired := p.resetView(r, next.Token)
		if expired != nil {
			p.renderError(w, r, expired)
			return
		}
		p.rerender(w, r, err, "reset", v)
		return
	}
	p.startSession(w, r, proof, "")
}

func (p *pages) showVerify(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("done") != "" {
		p.render(w, r, http.StatusOK, "notice", view{Title: text.English.Account.ThankYou, Data: notice{
			Text: text.English.Account.Confirmed, Link: p.Home, Label: text.English.Account.Continue,
		}})
		return
	}
	v, err := p.verifyView(r, r.URL.Query().Get("token"))
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "verify", v)
}

func (p *pages) verifyView(r *http.Request, token string) (view, error) {
	email, err := p.Accounts.VerifyAddress(r.Context(), token)
	data := tokenData{Token: token, Email: email}
	if session, err := p.Accounts.Current(r); err == nil {
		data.SignedIn = session.Person.Email == email
	}
	return view{Title: text.English.Account.VerifyTitle, Data: data}, err
}

func (p *pages) verify(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	confirmation := account.Confirmation{Token: values.Get("token"), Password: values.Get("password"), Request: r}
	if session, err := p.Accounts.Current(r); err == nil {
		confirmation.Session = session
	}
	if _, err = p.Accounts.Verify(r.Context(), confirmation); err != nil {
		v, expired := p.verifyView(r, confirmation.Token)
		if expired != nil {
			p.renderError(w, r, expired)
			return
		}
		p.rerender(w, r, err, "verify", v)
		return
	}
	http.Redirect(w, r, "/verify-email?done=1", http.StatusSeeOther)
}

// addressData is the data of the page that changes the address of an account.
type addressData struct {
	account.AddressChange

	Token    string
	SignedIn bool // the account is signed in in this browser
}

func (p *pages) showAddress(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("done") != "" {
		p.render(w, r, http.StatusOK, "notice", view{Title: text.English.Account.ThankYou, Data: notice{
			Text: text.English.Account.Changed, Link: p.Home, Label: text.English.Account.Continue,
		}})
		return
	}
	v, err := p.addressView(r, r.URL.Query().Get("token"))
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "address", v)
}

func (p *pages) addressView(r *http.Request, token string) (view, error) {
	change, err := p.Accounts.PeekAddress(r.Context(), token)
	data := addressData{AddressChange: change, Token: token}
	if session, err := p.Accounts.Current(r); err == nil {
		data.SignedIn = session.Person.Email == change.From
	}
	return view{Title: text.English.Account.AddressTitle, Data: data}, err
}

func (p *pages) changeAddress(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	answer := account.Confirmation{Token: values.Get("token"), Password: values.Get("password"), Request: r}
	if session, err := p.Accounts.Current(r); err == nil {
		answer.Session = session
	}
	if err := p.Accounts.ChangeAddress(r.Context(), answer); err != nil {
		v, expired := p.addressView(r, answer.Token)
		if expired != nil {
			p.renderError(w, r, expired)
			return
		}
		p.rerender(w, r, err, "address", v)
		return
	}
	http.Redirect(w, r, "/change-email?done=1", http.StatusSeeOther)
}

type invitationData struct {
	*account.Invitation

	Token      string
	SelfPath   string // path of this page, to return to after signing in
	SignedInAs string // e-mail address of the current session, or ""
}

func (p *pages) invitationView(r *http.Request, token string) (view, error) {
	invitation, err := p.Accounts.Invitation(r.Context(), token)
	if err != nil {
		return view{}, err
	}
	data := invitationData{
		Invitation: invitation,
		Token:      token,
		SelfPath:   "/invitation?token=" + url.QueryEscape(token),
	}
	if session, err := p.Accounts.Current(r); err == nil {
		data.SignedInAs = session.Person.Email
	}
	return view{Title: requestedLanguage(r).Account.JoinTitle(invitation.OrgName), Data: data}, nil
}

func (p *pages) showInvitation(w http.ResponseWriter, r *http.Request) {
	v, err := p.invitationView(r, r.URL.Query().Get("token"))
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "invitation", v)
}

// acceptInvitation makes the signed-in person a member, or signs up a new person.
func (p *pages) acceptInvitation(w http.ResponseWriter, r *http.Request) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	token := values.Get("token")
	if session, err := p.Accounts.Current(r); err == nil {
		if _, err := p.Accounts.Accept(r.Context(), token, session); err != nil {
			p.renderError(w, r, err)
			return
		}
		http.Redirect(w, r, p.Home, http.StatusSeeOther)
		return
	}
	proof, err := p.Accounts.SignUp(r.Context(), account.Registration{
		Name: values.Get("name"), Password: values.Get("password"), Invitation: token, Address: p.Accounts.Address(r),
	})
	if err != nil {
		v, expired := p.invitationView(r, token)
		if expired != nil {
			p.renderError(w, r, expired)
			return
		}
		p.rerender(w, r, err, "invitation", v)
		return
	}
	p.startSession(w, r, proof, "")
}
