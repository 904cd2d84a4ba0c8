package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/problem"
)

// OAuth errors. fosite lacks some of them; the others have clearer descriptions here.
var (
	// RFC 8707 section 2
	invalidTarget = newError("invalid_target", "The requested resource is not one of this server's.",
		http.StatusBadRequest)

	// RFC 7591 section 3.2.2
	invalidRedirect = newError("invalid_redirect_uri", "A redirect URI is not acceptable.", http.StatusBadRequest)
	invalidMetadata = newError("invalid_client_metadata", "The client metadata is not acceptable.",
		http.StatusBadRequest)

	// OpenID Connect Core section 3.1.2.6
	loginRequired   = newError("login_required", "Nobody is signed in.", http.StatusBadRequest)
	consentRequired = newError("consent_required", "The person has not yet consented to this.", http.StatusBadRequest)

	// RFC 6749 section 4.1.2.1
	rateLimited = newError("temporarily_unavailable", "Too many requests; try again later.",
		http.StatusTooManyRequests)
	accessDenied  = newError("access_denied", "The person did not allow it.", http.StatusForbidden)
	crossSiteForm = newError("invalid_request", "This form was sent from another site.", http.StatusForbidden)
	staleForm     = newError("invalid_request", "This form was already sent, has expired, or belongs to another "+
		"sign-in. Start again from the application.", http.StatusBadRequest)

	// RFC 8628 section 3.5
	authorizationPending = newError("authorization_pending", "The person has not decided yet; ask again later.",
		http.StatusBadRequest)
	slowDown = newError("slow_down", "The person has not decided yet, and this request came too early; wait 5 seconds "+
		"longer from now on.", http.StatusBadRequest)
	expiredToken = newError("expired_token", "The device code has expired; ask for a new one.", http.StatusBadRequest)
	deviceDenied = newError("access_denied", "The person did not allow it.", http.StatusBadRequest)

	// RFC 6749 section 5.2
	requestTooLarge = newError("invalid_request", "The request is too large.", http.StatusRequestEntityTooLarge)
	invalidRequest  = newError("invalid_request", "The request is malformed.", http.StatusBadRequest)
	invalidScope    = newError("invalid_scope", "The requested scope is unknown or exceeds what was granted.",
		http.StatusBadRequest)
	invalidGrant = newError("invalid_grant", "The code or token is not valid, has expired, or was revoked.",
		http.StatusBadRequest)
	// As Microsoft's and others' token endpoints say it, after OpenID Connect Core section 3.1.2.6.
	interactionRequired = newError("interaction_required", "A refresh cannot add scopes. Authorize again, with the "+
		"scopes of the challenge.", http.StatusBadRequest)
	unsupportedGrantType = newError("unsupported_grant_type", "grant_type must be authorization_code, refresh_token "+
		"or "+deviceGrantType+".", http.StatusBadRequest)
	unauthorizedClient = newError("unauthorized_client", "This client may not do that.", http.StatusBadRequest)
	invalidClient      = newError("invalid_client", "The client is unknown, or its authentication failed.",
		http.StatusUnauthorized)
)

func newError(name, description string, status int) *fosite.RFC6749Error {
	return &fosite.RFC6749Error{ErrorField: name, DescriptionField: description, CodeField: status}
}

// toOAuthError converts any error into one that may be returned to a client. Internal causes are
// logged and not returned.
func (s *Service) toOAuthError(ctx context.Context, err error) *fosite.RFC6749Error {
	var known *fosite.RFC6749Error
	if errors.As(err, &known) {
		// fosite wraps the error of an unavailable database in its own errors.
		if problem.KindOf(err) != problem.KindUnavailable {
			if known.ErrorField == "invalid_client" {
				return invalidClient // without fosite's hint, which distinguishes an unknown client from a wrong secret
			}
			if known.CodeField < http.StatusInternalServerError {
				return known
			}
		}
	}
	s.log.LogAttrs(ctx, slog.LevelError, "oauth request failed", slog.Any("error", err))
	if problem.KindOf(err) == problem.KindUnavailable {
		return newError("temporarily_unavailable", "The server is not available at this moment; try again shortly.",
			http.StatusServiceUnavailable)
	}
	return newError("server_error", "Something went wrong on the server.", http.StatusInternalServerError)
}

// writeError writes an error response (RFC 6749 section 5.2).
func (s *Service) writeError(w http.ResponseWriter, r *http.Request, err error) {
	f := s.toOAuthError(r.Context(), err)
	if f.CodeField == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="`+s.issuer+`", charset="UTF-8"`)
	}
	if (f.CodeField == http.StatusServiceUnavailable || f.CodeField == http.StatusTooManyRequests) &&
		w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, f.CodeField, map[string]string{"error": f.ErrorField, "error_description": f.GetDescription()})
}

// writeJSON writes a JSON response that must not be cached.
func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"server_error"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Pragma", "no-cache")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
