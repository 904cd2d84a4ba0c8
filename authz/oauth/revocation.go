package oauth

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

// revoke ends a grant, and tells every process. The cache is told before the change and after it: see credential.Cache.Forget.
func (s *Service) revoke(ctx context.Context, grantID uuid.UUID, why string) error {
	// The caller may go away in the middle; the grant must not stay half revoked.
	ctx = context.WithoutCancel(ctx)
	s.cache.Forget(ctx, credential.Grant, heldGrant(grantID))
	ended, err := s.grants.revoke(ctx, grantID, why, s.now())
	if err != nil {
		return err
	}
	s.cache.Forget(ctx, credential.Grant, heldGrant(grantID))
	if ended {
		s.log.LogAttrs(ctx, slog.LevelInfo, "grant revoked", slog.String("grant", id.Format(id.Grant, grantID)), slog.String("why", why))
	}
	return nil
}

// presented finds the grant of a token that a client sends to the revocation or introspection endpoint. access is nil for a
// refresh token. Everything is nil for a token that this server did not make, or that is no longer good for anything.
func (s *Service) presented(ctx context.Context, text string) (g *grant, access *accessToken, err error) {
	var grantID uuid.UUID
	if token, ok := s.vault.parseRefresh(text); ok {
		grantID = token.grant
	} else if access, err = s.readAccess(ctx, text); err == nil {
		grantID = access.grant
	} else if err == errNotOurToken { //nolint:errorlint // returned bare
		return nil, nil, nil
	} else {
		return nil, nil, err
	}
	g, err = s.grants.get(ctx, grantID)
	if err != nil || g == nil {
		return nil, nil, err
	}
	return g, access, nil
}

// authenticated reads a form post from a client that authenticates as it does at the token endpoint.
func (s *Service) authenticated(w http.ResponseWriter, r *http.Request) (fosite.Client, string, error) {
	form, err := s.admittedForm(w, r)
	if err != nil {
		return nil, "", err
	}
	if err := oneAuthentication(r, form); err != nil {
		return nil, "", err
	}
	client, err := s.provider.AuthenticateClient(r.Context(), r, form)
	if err != nil {
		return nil, "", err
	}
	if !form.Has("token") {
		return nil, "", invalidRequest.WithHint("The parameter token is missing.")
	}
	return client, form.Get("token"), nil
}

// revocation is the revocation endpoint (RFC 7009). A refresh token or an access token takes its whole family with it. A token
// that is unknown or already dead is a success; one of another client is refused and stays as it is.
func (s *Service) revocation(w http.ResponseWriter, r *http.Request) {
	client, token, err := s.authenticated(w, r)
	if err != nil {
		s.writeFault(w, r, err)
		return
	}
	g, _, err := s.presented(r.Context(), token)
	if err != nil {
		s.writeFault(w, r, err)
		return
	}
	if g != nil {
		if g.Client != client.GetID() {
			s.writeFault(w, r, invalidGrant)
			return
		}
		if err := s.revoke(r.Context(), g.ID, whyClient); err != nil {
			s.writeFault(w, r, err)
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// introspected is the answer of RFC 7662 section 2.2.
type introspected struct {
	Active    bool   `json:"active"`
	Scope     string `json:"scope,omitempty"`
	ClientID  string `json:"client_id,omitempty"`
	TokenType string `json:"token_type,omitempty"`
	Expires   int64  `json:"exp,omitempty"`
	Issued    int64  `json:"iat,omitempty"`
	Subject   string `json:"sub,omitempty"`
	Audience  string `json:"aud,omitempty"`
	Issuer    string `json:"iss,omitempty"`
	TokenID   string `json:"jti,omitempty"`
}

// introspection is the introspection endpoint (RFC 7662), for confidential clients, about their own tokens: anybody may register,
// so being a client is no reason to be told of others'.
func (s *Service) introspection(w http.ResponseWriter, r *http.Request) {
	client, token, err := s.authenticated(w, r)
	if err == nil && client.IsPublic() {
		err = invalidClient
	}
	if err != nil {
		s.writeFault(w, r, err)
		return
	}
	answer, err := s.introspect(r.Context(), client.GetID(), token)
	if err != nil {
		s.writeFault(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

func (s *Service) introspect(ctx context.Context, clientID, text string) (introspected, error) {
	g, access, err := s.presented(ctx, text)
	if err != nil {
		return introspected{}, err
	}
	if g == nil || g.Client != clientID || !g.isLive(s.now()) {
		return introspected{}, nil
	}
	answer := introspected{
		Active: true, ClientID: g.Client, Subject: id.Format(id.User, g.Person), Audience: g.Resource, Issuer: s.issuer,
	}
	if access != nil {
		answer.TokenType, answer.Scope = "Bearer", authz.JoinScopes(access.scopes, " ")
		answer.Expires, answer.Issued, answer.TokenID = access.expires.Unix(), access.issued.Unix(), access.id
		return answer, nil
	}
	// A refresh token is active only while it is the live one. Asking about a replaced one is no use of it, so no reuse.
	if !strings.HasPrefix(text, refreshPrefix) || string(g.RefreshHash) != string(hash([]byte(text))) || !s.now().Before(*g.RefreshUntil) {
		return introspected{}, nil
	}
	answer.Scope, answer.Expires = authz.JoinScopes(g.Scopes, " "), g.RefreshUntil.Unix()
	return answer, nil
}
