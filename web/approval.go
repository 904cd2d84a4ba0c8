package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/approval"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/web/text"
)

// registerApprovalRoutes adds the page on which a person approves a call of an agent.
func (p *pages) registerApprovalRoutes(r chi.Router) {
	r.Get(approval.Path+"{token}", p.showApproval)
	r.Post(approval.Path+"{token}", p.decide)
}

type approvalData struct {
	*approval.Question

	Path, Email, Until string
}

// approver returns the session of the person. It redirects a person who is not signed in to the
// sign-in page, which leads back.
func (p *pages) approver(w http.ResponseWriter, r *http.Request) *account.SessionInfo {
	session, err := p.Accounts.Current(r)
	switch {
	case problem.KindOf(err) == problem.KindUnauthenticated:
		http.Redirect(w, r, "/sign-in?next="+url.QueryEscape(r.URL.Path), http.StatusSeeOther)
		return nil
	case err != nil:
		p.renderError(w, r, err)
		return nil
	}
	return session
}

func (p *pages) showApproval(w http.ResponseWriter, r *http.Request) {
	session := p.approver(w, r)
	if session == nil {
		return
	}
	question, err := p.Approvals.Question(r.Context(), chi.URLParam(r, "token"), session.Principal())
	if err != nil {
		p.renderApprovalError(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, "approve", view{Title: question.Title, Language: &text.English, Data: approvalData{
		Question: question, Path: r.URL.Path, Email: session.Person.Email,
		Until: question.Expires.Format("15:04 UTC"),
	}})
}

func (p *pages) decide(w http.ResponseWriter, r *http.Request) {
	session := p.approver(w, r)
	if session == nil {
		return
	}
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	approved := values.Get("decision") == "approve"
	err = p.Approvals.Decide(
		r.Context(), chi.URLParam(r, "token"), session.Principal(), problem.RequestID(r.Context()), approved,
	)
	if err != nil {
		p.renderApprovalError(w, r, err)
		return
	}
	v := view{Title: "Declined", Language: &text.English, Data: notice{
		Text: "Nothing was changed. The agent gets this answer when it calls again.",
		Link: p.Home, Label: "Go to Rowhouse",
	}}
	if approved {
		v = view{Title: "Approved", Language: &text.English, Data: notice{
			Text: "Go back to your agent and tell it to go on: the same call works now, once.",
			Link: p.Home, Label: "Go to Rowhouse",
		}}
	}
	p.render(w, r, http.StatusOK, "notice", v)
}

// renderApprovalError says why a question cannot be answered.
func (p *pages) renderApprovalError(w http.ResponseWriter, r *http.Request, err error) {
	p.render(w, r, problem.New(err, "").Status, "notice", view{
		Title: "This cannot be approved", Language: &text.English,
		Data: notice{Text: p.userMessage(r, err), Link: p.Home, Label: "Go to Rowhouse"},
	})
}
