package oauth

import (
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
)

// ignoredScopes are the scopes of OpenID Connect, which many clients request of every server. They
// are accepted and ignored. offline_access asks for a refresh token, which every client gets that
// registered the grant type refresh_token; there are no ID tokens.
var ignoredScopes = []string{"openid", "profile", "email", "address", "phone", "offline_access"}

// requestedScopes parses a scope parameter (RFC 6749 section 3.3) into distinct scopes in catalogue
// order.
func requestedScopes(parameter string) ([]authz.Scope, error) {
	names := strings.Fields(parameter)
	for _, name := range names {
		if _, known := authz.Info(authz.Scope(name)); !known && !slices.Contains(ignoredScopes, name) {
			return nil, invalidScope.WithHintf("%.80q is not a scope; the scopes are %s.",
				name, authz.JoinScopes(authz.AllScopes(), " "))
		}
	}
	return filterScopes(func(scope authz.Scope) bool { return slices.Contains(names, string(scope)) }), nil
}

// filterScopes returns the scopes for which keep is true, in catalogue order.
func filterScopes(keep func(authz.Scope) bool) []authz.Scope {
	scopes := []authz.Scope{}
	for _, info := range authz.Scopes {
		if keep(info.Scope) {
			scopes = append(scopes, info.Scope)
		}
	}
	return scopes
}

func toScopes(names []string) []authz.Scope {
	return filterScopes(func(scope authz.Scope) bool { return slices.Contains(names, string(scope)) })
}

func toNames(scopes []authz.Scope) []string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return names
}

// knownScopes drops unknown scopes from a registered scope parameter.
func knownScopes(parameter string) string {
	names := slices.DeleteFunc(strings.Fields(parameter), func(name string) bool {
		_, known := authz.Info(authz.Scope(name))
		return !known && !slices.Contains(ignoredScopes, name)
	})
	return strings.Join(names, " ")
}
