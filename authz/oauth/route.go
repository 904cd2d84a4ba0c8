package oauth

import (
	"net/http"
)

// Routes returns the handler of the authorization server. Mount it at /oauth/, /.well-known/ and
// /account/api/apps.
func (s *Service) Routes() http.Handler {
	mux := http.NewServeMux()
	open := func(pattern string, handler http.HandlerFunc) { mux.Handle(pattern, allowAnyOrigin(handler)) }

	open("GET "+serverWellKnown, staticJSON(s.serverMetadata()))
	open("GET /.well-known/openid-configuration", staticJSON(s.serverMetadata()))
	open("GET "+resourceWellKnown, staticJSON(s.resourceMetadata(s.resources.root, "Rowhouse")))
	open("GET "+resourceWellKnown+"/mcp", staticJSON(s.resourceMetadata(s.resources.mcp, "Rowhouse MCP server")))
	open("GET "+resourceWellKnown+"/api/v1", staticJSON(s.resourceMetadata(s.resources.rest, "Rowhouse REST interface")))
	open("OPTIONS /.well-known/", func(http.ResponseWriter, *http.Request) {})
	open("GET /oauth/jwks", s.jwks)

	open("POST /oauth/register", s.register)
	open("POST /oauth/token", s.token)
	open("POST /oauth/revoke", s.handleRevocation)
	mux.HandleFunc("POST /oauth/introspect", s.handleIntrospection) // no CORS: confidential clients do not run in browsers
	for _, path := range []string{"/oauth/register", "/oauth/token", "/oauth/revoke", "/oauth/jwks"} {
		open("OPTIONS "+path, func(http.ResponseWriter, *http.Request) {})
	}

	mux.HandleFunc("GET /oauth/authorize", s.authorize)
	mux.HandleFunc("POST /oauth/consent", s.handleConsent)
	mux.HandleFunc("GET /oauth/style.css", s.style)

	mux.HandleFunc("GET /account/api/apps", s.listApps)
	mux.HandleFunc("DELETE /account/api/apps", s.revokeApps)
	mux.HandleFunc("DELETE /account/api/apps/{id}", s.revokeApp)
	return mux
}

// allowAnyOrigin allows cross-origin requests (CORS) from any site, because these endpoints do not
// use cookies.
func allowAnyOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
		h.Set("X-Content-Type-Options", "nosniff")
		if r.Method == http.MethodOptions {
			h.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
			h.Set("Access-Control-Max-Age", "86400")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
