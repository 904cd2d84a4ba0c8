package authz

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A SessionVerifier turns the session cookie of a request into a principal. It returns nil with a
// nil error for a request without a session cookie, and an error of kind unauthenticated for a
// session that has ended.
type SessionVerifier interface {
	VerifySession(r *http.Request) (*Principal, error)
}

// Gate authenticates requests and puts their principal into the context. It accepts a credential in
// X-API-Key, or in Authorization with the scheme Bearer (RFC 6750 section 2.1). A request without
// either is authenticated by its session cookie if it comes from the service's own pages. A
// credential in the query string is rejected, because URLs end up in logs.
type Gate struct {
	// Verifiers are tried in order until one recognizes the kind of the credential.
	Verifiers []Verifier
	// Sessions is nil where session cookies are not accepted.
	Sessions SessionVerifier
	// CrossOrigin protects requests with a session; nil means the default
	// http.CrossOriginProtection.
	CrossOrigin *http.CrossOriginProtection
}

// Authenticate returns the caller of a request. It returns an error of kind unauthenticated for a
// missing, unknown or expired credential, of kind invalid for several credentials or one in the
// query string, of kind forbidden for a session used by a cross-origin request, and of kind
// unavailable when the credential cannot be looked up.
func (g *Gate) Authenticate(r *http.Request) (*Principal, error) {
	secret, err := Credential(r)
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return g.session(r)
	}
	for _, verifier := range g.Verifiers {
		if p, err := verifier.Verify(r.Context(), secret); p != nil || err != nil {
			return p, err
		}
	}
	return nil, problem.Unauthenticated("The credential is of an unknown kind; an API key begins with rhk_.")
}

func (g *Gate) session(r *http.Request) (*Principal, error) {
	missing := problem.Unauthenticated("This needs a credential: send an API key in the header X-API-Key, " +
		"or an API key or access token as Authorization: Bearer.")
	if g.Sessions == nil || !ownPage(r) {
		return nil, missing
	}
	p, err := g.Sessions.VerifySession(r)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, missing
	}
	guard := g.CrossOrigin
	if guard == nil {
		guard = &http.CrossOriginProtection{}
	}
	if err := guard.Check(r); err != nil {
		return nil, problem.Forbidden("A session works only for requests from this service's own pages.").
			WithCode(problem.CodeCrossOrigin).Because(err)
	}
	return p, nil
}

// ownPage reports whether the Sec-Fetch-Site header allows a same-origin request or a direct
// navigation. Requests without that header are left to CrossOriginProtection.
func ownPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return false
}

// Presented reports whether a request carries an API key or a token, valid or not.
func Presented(r *http.Request) bool {
	return r.Header.Get("X-Api-Key") != "" || r.Header.Get("Authorization") != ""
}

// Credential returns the API key or token that a request carries, or "" when it carries none. It
// returns an error of kind invalid for two different ones and for one in the query string, and of
// kind unauthenticated for an empty one or for an Authorization header with a scheme other than
// Bearer.
func Credential(r *http.Request) (string, error) {
	if r.URL.RawQuery != "" {
		if name := credentialParameter(r.URL.RawQuery); name != "" {
			return "", problem.Invalid(name,
				"a credential must not be in the address, which ends up in logs; send it in the header X-API-Key or "+
					"Authorization, and treat the one that was sent as leaked").WithCode(problem.CodeCredentialInQuery)
		}
	}
	var found string
	for _, value := range r.Header.Values("X-Api-Key") {
		value = strings.TrimSpace(value)
		if value == "" {
			return "", problem.Unauthenticated("The header X-API-Key is empty; it must hold an API key.")
		}
		if found != "" && found != value {
			return "", unclear()
		}
		found = value
	}
	for _, value := range r.Header.Values("Authorization") {
		scheme, value, _ := strings.Cut(strings.TrimSpace(value), " ")
		value = strings.TrimSpace(value)
		if !strings.EqualFold(scheme, "Bearer") || value == "" {
			return "", problem.Unauthenticated(
				"The header Authorization must be Bearer, a space, and an API key or access token.",
			)
		}
		if found != "" && found != value {
			return "", unclear()
		}
		found = value
	}
	return found, nil
}

func unclear() error {
	return problem.Invalid("", "the request carries several credentials; send one, in X-API-Key or in Authorization")
}

// credentialParameter returns the name of a query parameter that carries a credential (RFC 6750
// section 2.3), or "".
func credentialParameter(raw string) string {
	lower := strings.ToLower(raw)
	if !strings.Contains(lower, "token") && !strings.Contains(lower, "key") {
		return ""
	}
	query, _ := url.ParseQuery(raw) // on an error, the parameters that could be parsed are enough
	for name := range query {
		switch strings.ToLower(name) {
		case "access_token", "api_key", "apikey", "api-key", "x-api-key":
			return name
		}
	}
	return ""
}
