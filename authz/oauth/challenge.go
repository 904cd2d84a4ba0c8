package oauth

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
)

// Challenger returns a function that adds the challenge of a resource server to an error response: to
// every error of kind unauthenticated, with an error code only when the request carried a credential,
// and to errors with the code insufficient_scope. audience is MCPResource or RESTResource. The challenge
// of the MCP server names the metadata of the address that was called.
func (s *Service) Challenger(audience string) func(h http.Header, r *http.Request, err error) {
	return func(h http.Header, r *http.Request, err error) {
		challenge := Challenge{Resource: audience}
		if audience == s.resources.mcp {
			challenge.Resource = s.calledAddress(r)
		}
		var known *problem.Error
		if !errors.As(err, &known) {
			return
		}
		switch {
		case known.Kind == problem.KindUnauthenticated && authz.Presented(r):
			challenge.Error, challenge.Detail = "invalid_token", known.Message
		case known.Kind == problem.KindUnauthenticated:
		case known.Code == problem.CodeInsufficientScope:
			challenge.Error, challenge.Detail = known.Code, known.Message
			challenge.Scopes = s.stepUpScopes(r, toScopes(known.Scopes))
		default:
			return
		}
		h.Set("WWW-Authenticate", s.Header(challenge))
	}
}

// calledAddress returns the resource that a request to the MCP server addresses.
func (s *Service) calledAddress(r *http.Request) string {
	rest, found := strings.CutPrefix(r.URL.Path, "/mcp")
	if r.URL.RawQuery != "" {
		rest += "?" + r.URL.RawQuery
	}
	if _, ok := s.resources.mcpAddress(rest); found && ok {
		return s.resources.mcp + rest
	}
	return s.resources.mcp
}

// stepUpScopes returns the scopes of a challenge to a token that lacks some of needed: these, and those
// that it has, because many clients ask for exactly what a challenge names and would lose the rest. It
// records the challenge, so that a refresh that follows can be answered (see refreshGrant).
func (s *Service) stepUpScopes(r *http.Request, needed []authz.Scope) []authz.Scope {
	secret, err := authz.Credential(r)
	if err != nil {
		return needed
	}
	token, err := s.parseAccessToken(r.Context(), secret)
	if err != nil {
		return needed // an API key, whose scopes do not change
	}
	if err := s.grants.expectStepUp(r.Context(), token.grant, s.now().Add(stepUpWindow)); err != nil {
		// Without it, clients that respond by a refresh do not step up; others do.
		s.log.LogAttrs(r.Context(), slog.LevelWarn, "recording a challenge", slog.Any("error", err))
	}
	return filterScopes(func(scope authz.Scope) bool {
		return slices.Contains(needed, scope) || slices.Contains(token.scopes, scope)
	})
}
