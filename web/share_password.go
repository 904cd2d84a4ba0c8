package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/web/text"
)

// passCookie is what a reader has who gave the password of a share. It is sent below the path of the share only.
const passCookie = "rowhouse_share"

// errPassword says that a share has a password that the reader has not given.
func errPassword() error {
	return problem.Unauthenticated("This link needs a password. Send it as the form field password to the page of " +
		"the share, and keep the cookie that the page answers with.").WithCode(problem.CodePasswordRequired)
}

// checkPass returns an error unless the share has no password, or the reader has given it.
func checkPass(r *http.Request, target *organization.SharedTarget) error {
	if !target.HasPassword() {
		return nil
	}
	cookie, err := r.Cookie(passCookie)
	if err != nil || !target.Passes(chi.URLParam(r, "share"), cookie.Value) {
		return errPassword()
	}
	return nil
}

// postPassword takes the password of a share, and leads back to its page.
func (s *shareHandler) postPassword(w http.ResponseWriter, r *http.Request) {
	shareID := chi.URLParam(r, "share")
	pass, err := s.takePassword(r, shareID)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	//nolint:gosec // G124: Secure follows the base URL, as the cookie of sessions does
	http.SetCookie(w, &http.Cookie{
		Name: passCookie, Value: pass, Path: SharePath + "/" + shareID, HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(w, r, SharePath+"/"+url.PathEscape(shareID), http.StatusSeeOther)
}

// takePassword returns what the reader keeps who sends the right password.
func (s *shareHandler) takePassword(r *http.Request, shareID string) (pass string, err error) {
	values, err := parseForm(r)
	if err != nil {
		return "", err
	}
	target, err := s.resolve(r.Context(), shareID)
	if err != nil {
		return "", err
	}
	if !target.HasPassword() {
		return "", nil
	}
	leave, err := s.Limit.EnterAnonymous(r, target.Org, shareID)
	if err != nil {
		return "", err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	wrong, err := s.Limit.EnterPassword(r, shareID)
	if err != nil {
		return "", err //nolint:wrapcheck // it is for the caller
	}
	made, err := s.Limit.EnterPage(r.Context(), target.Org)
	if err != nil {
		return "", err //nolint:wrapcheck // it is for the caller
	}
	defer made()
	match, err := target.Matches(values.Get("password"))
	if err != nil {
		return "", err //nolint:wrapcheck // it says what was done
	}
	if !match {
		wrong()
		return "", problem.Unauthenticated("%s", text.English.Share.LockedStill).
			WithCode(problem.CodePasswordRequired)
	}
	s.countVisit(r, target) // the page, which the answer leads to, is opened from here
	return target.Pass(shareID), nil
}
