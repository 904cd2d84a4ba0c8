package main

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/api"
	"github.com/rowhouse/rowhouse/api/approval"
	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/oauth"
	"github.com/rowhouse/rowhouse/mcp"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/telemetry"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/web"
)

// routes maps paths to the parts of the service that serve them, with the credentials that each
// accepts.
func (s *service) routes() http.Handler {
	mux := chi.NewRouter()
	mux.Handle("/healthz", allowOnlyReads(s.health.live))
	mux.Handle("/readyz", allowOnlyReads(s.health.ready))

	restGate := &authz.Gate{Verifiers: []authz.Verifier{s.keys, s.oauth.ForREST()}, Sessions: s.accounts}
	rest := api.New(api.Options{
		Deps: s.operations, Authenticate: restGate.Authenticate, Limit: s.guard, Live: s.live,
		Challenge: s.oauth.Challenger(s.oauth.RESTResource()),
	})
	mcpGate := &authz.Gate{Verifiers: []authz.Verifier{s.keys, s.oauth.ForMCP()}}
	tools := mcp.New(mcp.Options{
		Deps:         s.operations,
		Authenticate: mcpGate.Authenticate,
		Limit:        s.guard,
		Live:         s.live,
		Challenge:    s.oauth.Challenger(s.oauth.MCPResource()),
		Secret:       s.mcpSecret,
		Origins:      s.origins,
		AnswerPage:   web.AgentPage(),
	})
	mux.Handle(mcp.Path, tools)
	mux.Handle(mcp.Path+"/*", tools)
	for _, path := range []string{"/oauth", "/.well-known"} {
		mux.HandleFunc(path, notFound)
	}
	mux.Handle("/api", rest)
	mux.Handle("/api/*", rest)

	authorization := problem.WithRequestID(route.RefuseConditional()(route.PlainTextErrors(s.oauth.Routes())))
	for _, path := range []string{
		"/oauth/*", "/.well-known/*", "/device", "/account/api/apps", "/account/api/apps/*",
	} {
		mux.Handle(path, authorization)
	}

	pages := web.Handler(web.Deps{
		Accounts:  s.accounts,
		Keys:      s.keys,
		Schema:    s.operations.Schema,
		Approvals: &approval.Approvals{Deps: s.operations},
		BaseURL:   s.operations.BaseURL,
		Mailbox:   s.mailbox,
		Log:       s.log,
	})
	for _, path := range web.PageRoutes {
		mux.Handle(path, pages)
		mux.Handle(path+"/*", pages)
	}
	mux.Handle(web.SharePath+"/*", web.Share(web.ShareDeps{
		DB:      s.db,
		Work:    s.work,
		Shares:  s.operations.Share,
		Schema:  s.operations.Schema,
		Records: s.operations.Records,
		Links:   s.operations.Links,
		Files:   s.operations.Files,
		Viewer: func(r *http.Request) (uuid.UUID, error) {
			session, err := s.accounts.Current(r)
			if err != nil {
				return uuid.Nil, err
			}
			return session.Person.ID, nil
		},
		Members: func(ctx context.Context, org uuid.UUID) ([]organization.Member, error) {
			return organization.ListMembers(ctx, s.db, org)
		},
		Log: s.log, Limit: s.guard, Secure: strings.HasPrefix(s.operations.BaseURL, "https://"),
	}))
	mux.Handle(web.FilePath+"/*", web.Files(web.FileDeps{
		Files: s.operations.Files, Links: s.operations.Links, Shares: s.operations.Share, Log: s.log,
		Limit: s.guard,
	}))
	help := web.Help()
	mux.Handle(web.HelpPath, help)
	mux.Handle(web.HelpPath+"/*", help)
	mux.Handle("/*", web.App())
	mux.MethodNotAllowed(allowOnlyReads(notFound)) // a method that no part of the service supports
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, api.Prefix+"/") { // the fast path for most requests; REST has its own router
			rest.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
	if strings.HasPrefix(s.operations.BaseURL, "https://") {
		handler = sendHSTS(handler)
	}
	return handler
}

// withMiddleware wraps the routes in what applies to every request: it limits the headers, finds
// the client's address, measures, traces and logs, and turns a panic into a problem.
func (s *service) withMiddleware(clientAddressHeader string, routes http.Handler) http.Handler {
	handler := limitHeaderSize(useClientAddressHeader(clientAddressHeader, routes))
	return telemetry.Requests(handler, s.metrics, s.tracer, s.log, pathLabels, writePanicProblem)
}

// sendHSTS makes browsers use only HTTPS for this host (RFC 6797).
func sendHSTS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		next.ServeHTTP(w, r)
	})
}

// sessionResolver reports to the authorization server who is signed in.
type sessionResolver struct{ accounts *account.Service }

func (s sessionResolver) SignedIn(r *http.Request) (*oauth.Person, error) {
	session, err := s.accounts.Current(r)
	if problem.KindOf(err) == problem.KindUnauthenticated {
		return nil, nil //nolint:nilnil // the interface defines nil as nobody
	}
	if err != nil {
		return nil, err
	}
	return &oauth.Person{
		ID: session.Person.ID, Name: session.Person.Name, Email: session.Person.Email, Session: session.ID.String(),
	}, nil
}

func (s sessionResolver) Hold(b *pgx.Batch, person *oauth.Person) {
	session, _ := uuid.Parse(person.Session) // an invalid id belongs to no session
	credential.QueueSessionLock(b, person.ID, session)
}

// useClientAddressHeader sets the request's remote address to the one that a reverse proxy gives in
// a header. "" keeps the connection's address. In a list, the last address counts, because the
// nearest proxy added it.
func useClientAddressHeader(header string, next http.Handler) http.Handler {
	if header == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if values := r.Header.Values(header); len(values) > 0 {
			list := values[len(values)-1]
			address := strings.TrimSpace(list[strings.LastIndexByte(list, ',')+1:])
			if net.ParseIP(address) != nil {
				r.RemoteAddr = net.JoinHostPort(address, "0")
			}
		}
		next.ServeHTTP(w, r)
	})
}
