package oauth

import (
	"context"
	"slices"

	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
)

// refreshGrant exchanges the current refresh token for a new access token and the next refresh
// token (RFC 6749 section 6, RFC 9700 section 4.14).
//
// A refresh token that was already replaced is either a retry or a replay. It is a retry if the
// same client sends it again within retryWindow while its successor is unused, because the client
// lost the response or two of its requests raced. A retry gets the same successor, so a family
// never has two current tokens. Anything else is a replay, which revokes the family, however long
// ago the token was replaced.
//
// A refresh right after a challenge for more scopes comes from a client that tries to step up by it, as
// version 1 of the TypeScript SDK does. It cannot (RFC 6749 section 6), and that client would give up on
// the same challenge. So the refresh is rejected once, with interaction_required: the client then
// authorizes again with the scopes of the challenge. Its tokens stay valid.
type refreshGrant struct{ s *Service }

// CanSkipClientAuth implements fosite.TokenEndpointHandler.
func (*refreshGrant) CanSkipClientAuth(context.Context, fosite.AccessRequester) bool { return false }

// CanHandleTokenEndpointRequest implements fosite.TokenEndpointHandler.
func (*refreshGrant) CanHandleTokenEndpointRequest(_ context.Context, r fosite.AccessRequester) bool {
	return r.GetGrantTypes().ExactOne("refresh_token")
}

// HandleTokenEndpointRequest implements fosite.TokenEndpointHandler. It rotates nothing, but a
// replayed token revokes its family.
func (h *refreshGrant) HandleTokenEndpointRequest(ctx context.Context, r fosite.AccessRequester) error {
	form, client := r.GetRequestForm(), r.GetClient()
	if !client.GetGrantTypes().Has("refresh_token") {
		return unauthorizedClient
	}
	if form.Get("refresh_token") == "" {
		return invalidRequest.WithHint("The parameter refresh_token is missing.")
	}
	token, ok := h.s.vault.parseRefresh(form.Get("refresh_token"))
	if !ok {
		return invalidGrant
	}
	g, err := h.s.grants.get(ctx, token.grant)
	if err != nil {
		return err
	}
	if g == nil || g.Client != client.GetID() || !g.isLive(h.s.now()) {
		return invalidGrant
	}
	if h.status(g, token) == replayed {
		return h.revokeReplayed(ctx, g)
	}
	if g.RefreshUntil == nil || !h.s.now().Before(*g.RefreshUntil) {
		return invalidGrant
	}
	if form.Has("resource") && h.s.resources.audience(form.Get("resource")) != g.Resource {
		return invalidTarget
	}
	scopes, err := narrowScopes(form.Get("scope"), g.Scopes)
	if err != nil {
		return err
	}
	stepUp, err := h.s.grants.takeStepUp(ctx, g, h.s.now())
	if err != nil {
		return err
	}
	if stepUp {
		return interactionRequired
	}
	session := r.GetSession().(*tokenSession) //nolint:forcetypeassert // the token endpoint makes it
	session.grant, session.refresh, session.scopes = g, token, scopes
	return nil
}

// narrowScopes parses the scope parameter of a refresh. An empty parameter means all granted
// scopes; a scope that was not granted is an error.
func narrowScopes(parameter string, granted []authz.Scope) ([]authz.Scope, error) {
	if parameter == "" {
		return granted, nil
	}
	scopes, err := requestedScopes(parameter)
	if err != nil {
		return nil, err
	}
	for _, scope := range scopes {
		if !slices.Contains(granted, scope) {
			return nil, invalidScope.WithHintf("%s was not granted; authorize again to ask for it.", scope)
		}
	}
	if len(scopes) == 0 { // only scopes that are ignored
		return granted, nil
	}
	return scopes, nil
}

type tokenStatus int

const (
	current  tokenStatus = iota // the current refresh token of its family
	retried                     // replaced within retryWindow, and its successor is unused
	replayed                    // replaced, and no longer accepted
)

// status returns the status of a genuine token within its family.
func (h *refreshGrant) status(g *grant, token refreshToken) tokenStatus {
	sum := token.hash()
	switch {
	case slices.Equal(g.RefreshHash, sum):
		return current
	case slices.Equal(g.ReplacedHash, sum) && g.RotatedAt != nil &&
		h.s.now().Before(g.RotatedAt.Add(retryWindow)):
		return retried
	}
	return replayed
}

func (h *refreshGrant) revokeReplayed(ctx context.Context, g *grant) error {
	if err := h.s.revoke(ctx, g.ID, whyRefreshReuse); err != nil {
		return err
	}
	return invalidGrant
}

// PopulateTokenEndpointResponse implements fosite.TokenEndpointHandler.
func (h *refreshGrant) PopulateTokenEndpointResponse(
	ctx context.Context,
	r fosite.AccessRequester,
	w fosite.AccessResponder,
) error {
	if !h.CanHandleTokenEndpointRequest(ctx, r) {
		return fosite.ErrUnknownRequest
	}
	session := r.GetSession().(*tokenSession) //nolint:forcetypeassert // the token endpoint makes it
	g, token := session.grant, session.refresh
	access, life, err := h.s.signAccessToken(ctx, g, session.scopes)
	if err != nil {
		return err
	}
	successor, err := h.rotate(ctx, g, token)
	if err != nil {
		return err
	}
	setTokenResponse(w, access, life, session.scopes, &successor)
	return nil
}

// rotate returns the successor of a token: a new one, or the existing one for a retry.
func (h *refreshGrant) rotate(ctx context.Context, g *grant, token refreshToken) (refreshToken, error) {
	if h.status(g, token) == current {
		seed := random(16)
		successor := h.s.vault.successor(token, seed)
		rotated, err := h.s.grants.rotate(ctx, g, token, successor, seed, h.s.now())
		if err != nil {
			return refreshToken{}, err
		}
		if rotated != nil {
			return successor, nil
		}
		// A concurrent request rotated the token: determine its status again.
		if g, err = h.s.grants.get(ctx, g.ID); err != nil {
			return refreshToken{}, err
		}
		if g == nil || !g.isLive(h.s.now()) {
			return refreshToken{}, invalidGrant
		}
	}
	if h.status(g, token) != retried {
		return refreshToken{}, h.revokeReplayed(ctx, g)
	}
	return h.s.vault.successor(token, g.Seed), nil
}
