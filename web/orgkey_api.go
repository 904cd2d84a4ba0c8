package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// memberKeyJSON is an API key of a member, as the organization's admins see it.
type memberKeyJSON struct {
	keyJSON

	UserID    string `json:"userId"`
	UserName  string `json:"userName"`
	Email     string `json:"email"`
	Revocable bool   `json:"revocable"` // whether the caller may revoke it
}

func (p *pages) getOrgKeys(r *http.Request, session *account.SessionInfo) (any, error) {
	org, err := adminOf(r, session)
	if err != nil {
		return nil, err
	}
	keys, err := p.Keys.ListOrg(r.Context(), org)
	if err != nil {
		return nil, err
	}
	own := session.Principal().Role(org)
	out := make([]memberKeyJSON, len(keys))
	for i := range keys {
		k := &keys[i]
		out[i] = memberKeyJSON{toKeyJSON(&k.Key), id.Format(id.User, k.Person), k.Owner, k.Email, k.RevocableBy(own)}
	}
	return map[string]any{"keys": out}, nil
}

func (p *pages) deleteOrgKey(r *http.Request, session *account.SessionInfo) (any, error) {
	org, err := adminOf(r, session)
	if err != nil {
		return nil, err
	}
	key, err := id.Parse(id.Key, chi.URLParam(r, "key"))
	if err != nil {
		return nil, problem.NotFound("API key", chi.URLParam(r, "key"))
	}
	return nil, p.Keys.RevokeInOrg(r.Context(), session.Principal(), org, key)
}

// adminOf returns the organization that the path names, or an error unless the person is an admin
// or owner of it.
func adminOf(r *http.Request, session *account.SessionInfo) (uuid.UUID, error) {
	org, err := id.Parse(id.Org, chi.URLParam(r, "org"))
	if err != nil {
		return uuid.Nil, problem.NotFound("organization", chi.URLParam(r, "org"))
	}
	return org, session.Principal().RequireRole(org, organization.Admin)
}
