package oauth

import (
	"context"
	"crypto/subtle"
	"regexp"
	"time"

	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
)

// A tokenSession carries the result of validation to the token response.
type tokenSession struct {
	*fosite.DefaultSession
	grant   *grant
	refresh refreshToken
	scopes  []authz.Scope
}

func newTokenSession() *tokenSession { return &tokenSession{DefaultSession: &fosite.DefaultSession{}} }

// Clone implements fosite.Session.
func (t *tokenSession) Clone() fosite.Session { copied := *t; return &copied }

// codeGrant redeems authorization codes (RFC 6749 section 4.1.3, RFC 7636 section 4.6). fosite
// calls HandleTokenEndpointRequest, which validates, and then PopulateTokenEndpointResponse, which
// redeems the code.
type codeGrant struct{ s *Service }

// CanSkipClientAuth implements fosite.TokenEndpointHandler.
func (*codeGrant) CanSkipClientAuth(context.Context, fosite.AccessRequester) bool { return false }

// CanHandleTokenEndpointRequest implements fosite.TokenEndpointHandler.
func (*codeGrant) CanHandleTokenEndpointRequest(_ context.Context, r fosite.AccessRequester) bool {
	return r.GetGrantTypes().ExactOne("authorization_code")
}

var verifierPattern = regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)

// HandleTokenEndpointRequest implements fosite.TokenEndpointHandler. Only two failures have an
// effect: a wrong verifier revokes an unredeemed code, and a replay of a redeemed code with the
// right verifier revokes its token family. So a stolen code without its verifier cannot revoke a
// family. redirect_uri is optional, because PKCE binds the code (OAuth 2.1 section 4.1.3), but if
// sent it must equal the redirect_uri of the authorization request.
func (h *codeGrant) HandleTokenEndpointRequest(ctx context.Context, r fosite.AccessRequester) error {
	form, client := r.GetRequestForm(), r.GetClient()
	if !client.GetGrantTypes().Has("authorization_code") {
		return unauthorizedClient
	}
	code := form.Get("code")
	if code == "" {
		return invalidRequest.WithHint("The parameter code is missing.")
	}
	verifier := form.Get("code_verifier")
	if !verifierPattern.MatchString(verifier) {
		return invalidRequest.WithHint(
			"The parameter code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~.",
		)
	}
	g, err := h.find(ctx, code, client.GetID())
	if err != nil {
		return err
	}
	if g == nil || !g.isCode(hash([]byte(code))) || g.Client != client.GetID() {
		return invalidGrant
	}
	if form.Has("redirect_uri") && form.Get("redirect_uri") != g.RedirectURI {
		return invalidGrant
	}
	alive := g.isLive(h.s.now()) && h.s.now().Before(g.CodeExpires)
	if subtle.ConstantTimeCompare(
		[]byte(base64url.EncodeToString(hash([]byte(verifier)))), []byte(g.CodeChallenge),
	) != 1 {
		// A code with a wrong verifier was stolen. Revoking it prevents further guesses.
		if g.RedeemedAt == nil && alive {
			if err := h.s.grants.burnCode(ctx, g, h.s.now()); err != nil {
				return err
			}
		}
		return invalidGrant
	}
	if g.RedeemedAt != nil {
		return h.revokeReplayed(ctx, g)
	}
	if !alive {
		return invalidGrant
	}
	if form.Has("resource") && h.s.resources.audience(form.Get("resource")) != g.Resource {
		return invalidTarget
	}
	session := r.GetSession().(*tokenSession) //nolint:forcetypeassert // set by the token endpoint
	session.grant, session.scopes = g, g.Scopes
	return nil
}

// find returns the grant of a code, or nil for a code that is unknown, forged or expired.
func (h *codeGrant) find(ctx context.Context, code, client string) (*grant, error) {
	if grantID, ok := parseCode(code); ok {
		return h.s.grants.get(ctx, grantID)
	}
	sealed, ok := h.s.vault.openCode(code)
	if !ok {
		return nil, nil //nolint:nilnil // an unknown code is not a failure
	}
	return h.s.grants.ofSealed(ctx, sealed, code, client, h.s.now())
}

// revokeReplayed revokes the token family of a replayed code (RFC 9700 section 2.1.1, RFC 6749
// section 4.1.2).
func (h *codeGrant) revokeReplayed(ctx context.Context, g *grant) error {
	if err := h.s.revoke(ctx, g.ID, whyCodeReuse); err != nil {
		return err
	}
	return invalidGrant
}

// lostRace handles a redemption whose code was redeemed or revoked concurrently: by another
// redemption, which makes this one a replay, by a wrong verifier, or by the person.
func (h *codeGrant) lostRace(ctx context.Context, g *grant) error {
	now, err := h.s.grants.get(ctx, g.ID)
	if err != nil {
		return err
	}
	if now == nil || now.RedeemedAt == nil || !now.isCode(g.CodeHash) {
		return invalidGrant
	}
	return h.revokeReplayed(ctx, now)
}

// PopulateTokenEndpointResponse implements fosite.TokenEndpointHandler.
func (h *codeGrant) PopulateTokenEndpointResponse(
	ctx context.Context,
	r fosite.AccessRequester,
	w fosite.AccessResponder,
) error {
	if !h.CanHandleTokenEndpointRequest(ctx, r) {
		return fosite.ErrUnknownRequest
	}
	return h.issue(ctx, r, w)
}

// issue redeems the code of the session's grant and sets the token response.
func (h *codeGrant) issue(ctx context.Context, r fosite.AccessRequester, w fosite.AccessResponder) error {
	session := r.GetSession().(*tokenSession) //nolint:forcetypeassert // the token endpoint makes it
	// Sign first, so that a signing failure does not use up the code.
	access, life, err := h.s.signAccessToken(ctx, session.grant, session.scopes)
	if err != nil {
		return err
	}
	var refresh *refreshToken
	if r.GetClient().GetGrantTypes().Has("refresh_token") {
		first := h.s.vault.firstRefresh(session.grant.ID)
		refresh = &first
	}
	redeemed, err := h.s.grants.redeem(ctx, session.grant, refresh, h.s.now())
	if err != nil {
		return err
	}
	if redeemed == nil {
		return h.lostRace(ctx, session.grant)
	}
	setTokenResponse(w, access, life, session.scopes, refresh)
	return nil
}

func setTokenResponse(
	w fosite.AccessResponder,
	access string,
	life time.Duration,
	scopes []authz.Scope,
	refresh *refreshToken,
) {
	w.SetAccessToken(access)
	w.SetTokenType("Bearer")
	w.SetExpiresIn(life)
	w.SetScopes(toNames(scopes))
	if refresh != nil {
		w.SetExtra("refresh_token", refresh.text)
	}
}
