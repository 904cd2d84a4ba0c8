package oauth

import (
	"net/http"
	"strings"

	"github.com/rowhouse/rowhouse/cors"
)

// Routes serves every endpoint of the authorization server, and responds with status 404 to all
// other paths. It is mounted at /oauth/, /.well-known/, /device
// and /account/api/apps.
func (s *Service) Routes() http.Handler {
	mux := http.NewServeMux()
	public := map[string]bool{} // paths that pages of every origin may call, because no cookie authenticates there
	open := func(pattern string, handler http.HandlerFunc) {
		_, path, _ := strings.Cut(pattern, " ")
		public[path] = true
		mux.HandleFunc(pattern, handler)
	}

	open("GET "+serverWellKnown, staticJSON(s.serverMetadata()))
	open("GET /.well-known/openid-configuration", staticJSON(s.serverMetadata()))
	open("GET "+resourceWellKnown, staticJSON(s.resourceMetadata(s.resources.root, "Rowhouse")))
	open("GET "+resourceWellKnown+"/mcp", s.mcpMetadata)
	open("GET "+resourceWellKnown+"/mcp/", s.mcpMetadata)
	open("GET "+resourceWellKnown+"/api/v1",
		staticJSON(s.resourceMetadata(s.resources.rest, "Rowhouse REST interface")))
	open("GET /oauth/jwks", s.jwks)

	open("POST /oauth/register", s.register)
	open("POST /oauth/token", s.token)
	open("POST /oauth/device_authorization", s.deviceAuthorization)
	open("POST /oauth/revoke", s.handleRevocation)
	mux.HandleFunc("POST /oauth/introspect", s.handleIntrospection) // confidential clients do not run in browsers

	mux.HandleFunc("GET /oauth/authorize", s.authorize)
	mux.HandleFunc("GET /device", s.device)
	mux.HandleFunc("POST /oauth/consent", s.handleConsent)
	mux.HandleFunc("GET /oauth/style.css", s.style)

	mux.HandleFunc("GET /account/api/apps", s.listApps)
	mux.HandleFunc("DELETE /account/api/apps", s.revokeApps)
	mux.HandleFunc("DELETE /account/api/apps/{id}", s.revokeApp)

	crossOrigin := cors.OAuth().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Clients also probe well-known paths that do not exist here.
		if public[r.URL.Path] || strings.HasPrefix(r.URL.Path, "/.well-known/") {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			crossOrigin.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
