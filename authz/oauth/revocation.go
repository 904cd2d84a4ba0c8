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
	"github.com/rowhouse/rowhouse/internal/id"
)

// revoke revokes a grant in every process. It invalidates the cache before and after the change, as
// credential.Cache.Invalidate requires.
func (s *Service) revoke(ctx context.Context, grantID uuid.UUID, why string) error {
	// A canceled request must not leave the grant half revoked.
	ctx = context.WithoutCancel(ctx)
	s.cache.Invalidate(ctx, credential.Grant, grantHash(grantID))
	ended, err := s.grants.revoke(ctx, grantID, why, s.now())
	if err != nil {
		return err
	}
	s.cache.Invalidate(ctx, credential.Grant, grantHash(grantID))
	if ended {
		s.log.LogAttrs(ctx, slog.LevelInfo, "grant revoked", slog.String("grant", id.Format(id.Grant, grantID)),
			slog.String("why", why))
	}
	return nil
}

// findToken returns the grant of a token sent to the revocation or introspection endpoint. access
// is nil for a refresh token. Both are nil for a token that is unknown, forged or expired.
func (s *Service) findToken(ctx context.Context, text string) (g *grant, access *accessToken, err error) {
	var grantID uuid.UUID
	if token, ok := s.vault.parseRefresh(text); ok {
		grantID = token.grant
	} else if access, err = s.parseAccessToken(ctx, text); err == nil {
		grantID = access.grant
	} else if err == errInvalidAccessToken { //nolint:errorlint // returned bare
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

// authenticatedToken authenticates the client as the token endpoint does, and returns it with the
// token parameter.
func (s *Service) authenticatedToken(w http.ResponseWriter, r *http.Request) (fosite.Client, string, error) {
	form, err := s.rateLimitedForm(w, r)
	if err != nil {
		return nil, "", err
	}
	if err := requireSingleAuthentication(r, form); err != nil {
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

// handleRevocation is the revocation endpoint (RFC 7009). Revoking a refresh token or an access
// token revokes its whole family. An unknown or expired token is a success; a token of another
// client is rejected and remains valid.
func (s *Service) handleRevocation(w http.ResponseWriter, r *http.Request) {
	client, token, err := s.authenticatedToken(w, r)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	g, _, err := s.findToken(r.Context(), token)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	if g != nil {
		if g.Client != client.GetID() {
			s.writeError(w, r, invalidGrant)
			return
		}
		if err := s.revoke(r.Context(), g.ID, whyClient); err != nil {
			s.writeError(w, r, err)
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
}

// introspectionResponse is the introspection response (RFC 7662 section 2.2).
type introspectionResponse struct {
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

// handleIntrospection is the introspection endpoint (RFC 7662). It serves only confidential
// clients, and only for their own tokens, because anybody may register a client.
func (s *Service) handleIntrospection(w http.ResponseWriter, r *http.Request) {
	client, token, err := s.authenticatedToken(w, r)
	if err == nil && client.IsPublic() {
		err = invalidClient
	}
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	response, err := s.introspect(r.Context(), client.GetID(), token)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, response)
}

func (s *Service) introspect(ctx context.Context, clientID, text string) (introspectionResponse, error) {
	g, access, err := s.findToken(ctx, text)
	if err != nil {
		return introspectionResponse{}, err
	}
	if g == nil || g.Client != clientID || !g.isLive(s.now()) {
		return introspectionResponse{}, nil
	}
	response := introspectionResponse{
		Active: true, ClientID: g.Client, Subject: id.Format(id.User, g.Person), Audience: g.Resource, Issuer: s.issuer,
	}
	if access != nil {
		response.TokenType, response.Scope = "Bearer", authz.JoinScopes(access.scopes, " ")
		response.Expires, response.Issued, response.TokenID = access.expires.Unix(), access.issued.Unix(), access.id
		return response, nil
	}
	// Only the current refresh token is active. Introspecting a replaced one is not a replay.
	if !strings.HasPrefix(text, refreshPrefix) || string(g.RefreshHash) != string(hash([]byte(text))) ||
		!s.now().Before(*g.RefreshUntil) {
		return introspectionResponse{}, nil
	}
	response.Scope, response.Expires = authz.JoinScopes(g.Scopes, " "), g.RefreshUntil.Unix()
	return response, nil
}
