package authz

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
)

// A SessionVerifier turns the session of a browser into a principal. It returns nil with a nil error for a request without a
// session cookie, and a tenancy error of kind unauthenticated for a session that has ended.
type SessionVerifier interface {
	VerifySession(r *http.Request) (*Principal, error)
}

// Gate lets requests with a valid credential through, with their principal in the context.
//
// A credential is the value of X-API-Key, or of Authorization with the scheme Bearer (RFC 6750, section 2.1). Without either, a
// request from the service's own pages is let through with its session. A credential in the query string is refused, since
// addresses end up in logs.
type Gate struct {
	// Verifiers are asked in turn, until one recognizes the kind of the credential.
	Verifiers []Verifier
	// Sessions is nil where only credentials of programs are taken.
	Sessions SessionVerifier
	// CrossOrigin guards unsafe methods with a session; nil takes the standard library's rules without exceptions.
	CrossOrigin *http.CrossOriginProtection
	// Challenge adds WWW-Authenticate to the answers of Handler to errors of kind unauthenticated and forbidden; Presented tells
	// it whether the request carried a credential. Nil adds a plain "Bearer" to the former.
	Challenge func(h http.Header, r *http.Request, err error)
	// Refuse writes the answers of Handler to requests that are not let through.
	Refuse func(w http.ResponseWriter, r *http.Request, err error)
}

// Handler guards next. Behind it, PrincipalFrom returns who makes the request.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := g.Authenticate(r)
		if err == nil {
			next.ServeHTTP(w, r.WithContext(WithPrincipal(r.Context(), p)))
			return
		}
		kind := problem.KindOf(err)
		switch {
		case g.Challenge != nil && (kind == problem.KindUnauthenticated || kind == problem.KindForbidden):
			g.Challenge(w.Header(), r, err)
		case g.Challenge == nil && kind == problem.KindUnauthenticated:
			w.Header().Set("WWW-Authenticate", "Bearer")
		}
		g.Refuse(w, r, err)
	})
}

// Authenticate returns who makes the request, for callers that need no Handler. It returns errors of kind unauthenticated for a
// missing, unknown or ended credential, of kind invalid for an unclear one, of kind forbidden for a session used from elsewhere,
// and of kind unavailable when nobody can tell.
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
	return nil, problem.Unauthenticated("The credential is of no kind that is known here; an API key begins with rhk_.")
}

func (g *Gate) session(r *http.Request) (*Principal, error) {
	missing := problem.Unauthenticated("This needs a credential: send an API key in the header X-API-Key, or an API key or access token as Authorization: Bearer.")
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
		return nil, problem.Forbidden("A session works only for requests from this service's own pages.").WithCode("cross_origin").Because(err)
	}
	return p, nil
}

// ownPage reports whether the browser says that the request comes from one of the service's own pages, or from the person
// alone. A client that says nothing of it is either no browser or left to CrossOriginProtection.
func ownPage(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	return false
}

// Presented reports whether a request carries a credential of a program, be it a good one or not.
func Presented(r *http.Request) bool {
	return r.Header.Get("X-Api-Key") != "" || r.Header.Get("Authorization") != ""
}

// Credential returns the secret that a request of a program carries, or "" when it carries none. It returns an error of kind
// invalid for two different ones and for one in the query string, and of kind unauthenticated for an empty one and for an
// Authorization header that is not of the scheme Bearer.
func Credential(r *http.Request) (string, error) {
	if r.URL.RawQuery != "" {
		if name := credentialParameter(r.URL.RawQuery); name != "" {
			return "", problem.Invalid(name, "a credential must not be in the address, which ends up in logs; send it in the header X-API-Key or "+
				"Authorization, and treat the one that was sent as leaked").WithCode("credential_in_query")
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
			return "", problem.Unauthenticated("The header Authorization must be Bearer, a space, and an API key or access token.")
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

// credentialParameter returns the name of a query parameter that is meant to carry a credential (RFC 6750, section 2.3), or "".
func credentialParameter(raw string) string {
	lower := strings.ToLower(raw)
	if !strings.Contains(lower, "token") && !strings.Contains(lower, "key") {
		return ""
	}
	query, _ := url.ParseQuery(raw) // what can be read of it is enough
	for name := range query {
		switch strings.ToLower(name) {
		case "access_token", "api_key", "apikey", "api-key", "x-api-key":
			return name
		}
	}
	return ""
}

type principalKey struct{}

// WithPrincipal returns a context that carries who makes the request.
func WithPrincipal(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns who makes the request, or nil behind no Gate.
func PrincipalFrom(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}
