package oauth

import (
	"context"

	"github.com/ory/fosite"
)

// deviceGrant exchanges device codes for tokens (RFC 8628 section 3.4). Until a person has decided, the device has
// to wait, and to wait longer if it asks too often. A code is redeemed once: one that comes again revokes the
// tokens of the first time, as a code of the authorization code grant does.
type deviceGrant struct{ codeGrant }

// CanHandleTokenEndpointRequest implements fosite.TokenEndpointHandler.
func (*deviceGrant) CanHandleTokenEndpointRequest(_ context.Context, r fosite.AccessRequester) bool {
	return r.GetGrantTypes().ExactOne(deviceGrantType)
}

// HandleTokenEndpointRequest implements fosite.TokenEndpointHandler.
func (h *deviceGrant) HandleTokenEndpointRequest(ctx context.Context, r fosite.AccessRequester) error {
	form, client := r.GetRequestForm(), r.GetClient()
	if !client.GetGrantTypes().Has(deviceGrantType) {
		return unauthorizedClient
	}
	code := form.Get("device_code")
	if code == "" {
		return invalidRequest.WithHint("The parameter device_code is missing.")
	}
	if _, ok := decode(code, devicePrefix, 32); !ok {
		return invalidGrant
	}
	now := h.s.now()
	d, err := h.s.devices.poll(ctx, code, client.GetID(), now)
	switch {
	case err != nil:
		return err
	case d == nil:
		return invalidGrant
	case form.Has("resource") && h.s.resources.audience(form.Get("resource")) != d.Resource:
		return invalidTarget
	case d.Denied:
		return deviceDenied
	case d.GrantID != nil:
		return h.redeemable(ctx, r, d)
	case !now.Before(d.Expires):
		return expiredToken
	case d.early(now):
		return slowDown
	}
	return authorizationPending
}

// redeemable checks that what a person allowed can still be fetched.
func (h *deviceGrant) redeemable(ctx context.Context, r fosite.AccessRequester, d *device) error {
	g, err := h.s.grants.get(ctx, *d.GrantID)
	if err != nil {
		return err
	}
	switch {
	case g == nil || g.Client != r.GetClient().GetID():
		return invalidGrant
	case g.RedeemedAt != nil:
		return h.revokeReplayed(ctx, g)
	case !g.isLive(h.s.now()):
		return invalidGrant
	case !h.s.now().Before(g.CodeExpires):
		return expiredToken
	}
	session := r.GetSession().(*tokenSession) //nolint:forcetypeassert // the token endpoint makes it
	session.grant, session.scopes = g, g.Scopes
	return nil
}

// PopulateTokenEndpointResponse implements fosite.TokenEndpointHandler.
func (h *deviceGrant) PopulateTokenEndpointResponse(
	ctx context.Context, r fosite.AccessRequester, w fosite.AccessResponder,
) error {
	if !h.CanHandleTokenEndpointRequest(ctx, r) {
		return fosite.ErrUnknownRequest
	}
	return h.issue(ctx, r, w)
}
