package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/ory/fosite"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// maxQuery bounds the query of an authorization request, in bytes.
const maxQuery = 16 << 10

// An authorizationRequest is a validated authorization request (RFC 6749 section 4.1.1). Its JSON
// names are part of consent forms that are still open during an upgrade.
type authorizationRequest struct {
	ClientID   string        `json:"clientId"`
	Registered string        `json:"registered"` // the registered redirect URI that matched
	Target     string        `json:"target"`     // the redirect URI to use
	Given      string        `json:"given"`      // redirect_uri as sent, or ""
	State      string        `json:"state"`
	HasState   bool          `json:"hasState"`
	Challenge  string        `json:"challenge"`
	Resource   string        `json:"resource"`
	Scopes     []authz.Scope `json:"scopes"`
	// Of a device (RFC 8628), the MAC of its user code: it has no redirect URI and no challenge.
	Device []byte `json:"device,omitempty"`

	prompt string
	shown  *shownDevice // on the consent page
}

// errSignInRequired means that the request can be validated only after the person has signed in.
var errSignInRequired = errors.New("sign in first")

// A redirectableError is an error that may be returned to the client by a redirect, because client
// and redirect URI were validated.
type redirectableError struct {
	cause  *fosite.RFC6749Error
	client string
	target string
	state  string
}

func (e *redirectableError) Error() string { return e.cause.Error() }
func (e *redirectableError) Unwrap() error { return e.cause }

// authorize is the authorization endpoint (RFC 6749 section 3.1). It does not redirect until client
// and redirect URI are validated. After that, the client learns every outcome, with the issuer (RFC
// 9207). Because anybody may register a client, a mere error does not redirect to a client that
// this person has not authorized before: see rejectRequest.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request) {
	if err := s.checkRate(w, s.rates.Authorize, clientNetwork(r)); err != nil {
		s.renderError(w, r, err)
		return
	}
	person, err := s.sessions.SignedIn(r)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if person != nil {
		if err := s.checkRate(w, s.rates.Person, person.ID.String()); err != nil {
			s.renderError(w, r, err)
			return
		}
	}
	q, client, err := s.parseAuthorizationRequest(r, person)
	var refused *redirectableError
	switch {
	case errors.Is(err, errSignInRequired):
		s.redirectToSignIn(w, r)
		return
	case errors.As(err, &refused):
		s.rejectRequest(w, r, person, refused)
		return
	case err != nil:
		s.renderError(w, r, err)
		return
	}
	if person == nil {
		if q.prompt == "none" {
			s.rejectRequest(w, r, nil, q.reject(loginRequired))
			return
		}
		s.redirectToSignIn(w, r)
		return
	}
	if q.prompt != "consent" {
		remembered, err := s.hasRememberedConsent(r.Context(), person.ID, client, q)
		if err != nil {
			s.renderError(w, r, err)
			return
		}
		if remembered {
			s.issueSealedCode(w, r, person, q)
			return
		}
	}
	if q.prompt == "none" {
		s.rejectRequest(w, r, person, q.reject(consentRequired))
		return
	}
	s.showConsent(w, r, person, client, q)
}

// rejectRequest returns an error without having asked the person. A client that the person has
// authorized gets it by redirect. For any other client the person sees a page with a return link,
// because this server must not be an open redirector to an address that an attacker registered (RFC
// 9700 section 4.11.2). This includes prompt=none, which would redirect unnoticed.
func (s *Service) rejectRequest(w http.ResponseWriter, r *http.Request, person *Person, e *redirectableError) {
	if person != nil {
		known, err := s.grants.knows(r.Context(), person.ID, e.client)
		if err != nil {
			s.renderError(w, r, err)
			return
		}
		if known {
			s.sendError(w, r, e)
			return
		}
	}
	s.renderReturnPage(w, r, e)
}

// redirectToSignIn redirects to the sign-in page, which returns here.
func (s *Service) redirectToSignIn(w http.ResponseWriter, r *http.Request) {
	redirect(w, "/sign-in?next="+url.QueryEscape(r.URL.Path+"?"+r.URL.RawQuery))
}

// parseAuthorizationRequest parses and validates an authorization request. Its error is a
// *redirectableError, errSignInRequired, or one for the error page.
func (s *Service) parseAuthorizationRequest(r *http.Request, person *Person) (*authorizationRequest, *Client, error) {
	if len(r.URL.RawQuery) > maxQuery {
		return nil, nil, invalidRequest.WithHint("The request is too long.")
	}
	form, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, nil, invalidRequest.WithHint("The query is malformed.")
	}
	if err := requireStorableText(form); err != nil {
		return nil, nil, err
	}
	for _, name := range []string{"client_id", "redirect_uri"} {
		if len(form[name]) > 1 {
			return nil, nil, invalidRequest.WithHintf("The parameter %s is given more than once.", name)
		}
	}
	client, err := s.clientForRequest(r, form.Get("client_id"), person)
	if err != nil {
		return nil, nil, err
	}
	q := &authorizationRequest{ClientID: client.ID, Given: form.Get("redirect_uri")}
	var ok bool
	if q.Registered, q.Target, ok = matchRedirect(client.Metadata.RedirectURIs, q.Given); !ok {
		return nil, nil, invalidRequest.WithHint("The redirect_uri is not one that this application registered.")
	}
	if err := checkRedirect(q.Registered); err != nil { // the checks may have become stricter since registration
		return nil, nil, invalidRequest.WithHintf("The redirect_uri that this application registered %s.", err.Error())
	}
	if states := form["state"]; len(states) == 1 {
		q.State, q.HasState = states[0], states[0] != ""
	}
	if err := s.validate(r, form, client, q); err != nil {
		var f *fosite.RFC6749Error
		if errors.As(err, &f) && f.CodeField < http.StatusInternalServerError &&
			problem.KindOf(err) != problem.KindUnavailable {
			return nil, nil, q.reject(f)
		}
		return nil, nil, err
	}
	return q, client, nil
}

func (q *authorizationRequest) reject(f *fosite.RFC6749Error) *redirectableError {
	return &redirectableError{cause: f, client: q.ClientID, target: q.Target, state: q.State}
}

// clientForRequest finds the client of an authorization request. It fetches an unknown metadata
// document only when a person is signed in, so that unauthenticated requests cannot make this
// server send requests.
func (s *Service) clientForRequest(r *http.Request, clientID string, person *Person) (*Client, error) {
	if clientID == "" {
		return nil, invalidRequest.WithHint("The parameter client_id is missing.")
	}
	unknown := invalidRequest.WithHint("The application is not known here. It may have been registered too long ago; " +
		"let it register again.")
	if isDocumentID(clientID) { // before the look-up, because the checks may have become stricter since it was stored
		if _, err := documentURL(clientID); err != nil {
			return nil, invalidRequest.WithHintf("The client_id %s.", err.Error())
		}
	}
	client, err := s.clients.load(r.Context(), clientID)
	if err == nil && s.clients.isFresh(client) {
		return client, nil
	}
	if err != nil && !errors.Is(err, fosite.ErrNotFound) {
		return nil, err
	}
	if !isDocumentID(clientID) {
		return nil, unknown
	}
	if person == nil {
		return nil, errSignInRequired
	}
	if _, ok := s.allow(documentRate, person.ID.String()); !ok {
		return nil, rateLimited
	}
	if client != nil {
		client, err = s.clients.refetch(r.Context(), client)
	} else {
		client, err = s.clients.fetchDocument(r.Context(), clientID)
	}
	if err != nil && problem.KindOf(err) == problem.KindInternal {
		// The cause could reveal details of this server's network.
		s.log.InfoContext(r.Context(), "a client metadata document could not be used", "client", clientID, "error", err)
		return nil, invalidRequest.WithHint("The application's metadata document could not be read, or is not valid.")
	}
	return client, err
}

var challengePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// validate checks everything but client and redirect URI, partly through fosite, and fills in q.
func (s *Service) validate(r *http.Request, form url.Values, client *Client, q *authorizationRequest) error {
	resource := form["resource"] // RFC 8707 allows several; this server issues a token for one
	if len(resource) > 1 {
		return invalidTarget.WithHint("Ask for one resource.")
	}
	if err := requireSingleParams(form); err != nil {
		return err
	}
	if form.Has("request") || form.Has("request_uri") {
		return newError("request_not_supported", "Request objects are not supported.", http.StatusBadRequest)
	}
	if mode := form.Get("response_mode"); mode != "" && mode != "query" {
		return invalidRequest.WithHint("response_mode must be query.")
	}
	form.Del("response_mode")
	form.Del("audience") // some clients send it in addition to resource; fosite would reject it
	// fosite rejects a missing or short state, but clients that rely on PKCE need none.
	if !form.Has("state") || len(q.State) < fosite.MinParameterEntropy {
		form.Set("state", base64url.EncodeToString(random(16)))
	}
	form.Set("redirect_uri", q.Target)
	narrowed := *client
	narrowed.Metadata.RedirectURIs = []string{q.Target}
	copied := r.Clone(withClient(r.Context(), &narrowed))
	copied.Form, copied.PostForm, copied.Body = form, url.Values{}, http.NoBody
	parsed, err := s.provider.NewAuthorizeRequest(copied.Context(), copied)
	if err != nil {
		return err
	}
	if !parsed.GetResponseTypes().ExactOne("code") {
		return fosite.ErrUnsupportedResponseType
	}
	if form.Get("code_challenge_method") != "S256" || !challengePattern.MatchString(form.Get("code_challenge")) {
		return invalidRequest.WithHint(
			"PKCE is required: code_challenge of 43 base64url characters, with code_challenge_method=S256.",
		)
	}
	q.Challenge = form.Get("code_challenge")
	if q.Resource = s.resources.audience(form.Get("resource")); q.Resource == "" {
		return s.unknownResource()
	}
	if q.Scopes, err = s.scopesOf(form); err != nil {
		return err
	}
	q.prompt = form.Get("prompt")
	return nil
}

func (s *Service) unknownResource() error {
	return invalidTarget.WithHintf("The resource must be %s, one of the addresses under it, or %s.",
		s.resources.mcp, s.resources.rest)
}

// scopesOf returns the scopes that a request asks for, or else the initial ones of its resource.
func (s *Service) scopesOf(form url.Values) ([]authz.Scope, error) {
	scopes, err := requestedScopes(form.Get("scope"))
	if err != nil || len(scopes) > 0 {
		return scopes, err
	}
	initial := s.resources.initialScopes(form.Get("resource"))
	return filterScopes(func(scope authz.Scope) bool { return slices.Contains(initial, scope) }), nil
}

// issueCode stores a grant with an authorization code and redirects to the client with the code. It
// reports whether the grant was stored.
func (s *Service) issueCode(
	w http.ResponseWriter, r *http.Request, person *Person, q *authorizationRequest, scopes []authz.Scope,
	org uuid.NullUUID, subject []byte,
) bool {
	now := s.now()
	g := &grant{
		ID:            id.New(),
		Person:        person.ID,
		Client:        q.ClientID,
		OnlyOrg:       org,
		Resource:      q.Resource,
		Scopes:        scopes,
		RedirectURI:   q.Given,
		CodeChallenge: q.Challenge,
		CodeExpires:   now.Add(codeLife),
		ExpiresAt:     now.Add(familyLife),
		session:       person.Session,
		app:           s.appName(r.Context(), q.ClientID),
	}
	var code string
	code, g.CodeHash = newCode(g.ID)
	err := s.grants.create(r.Context(), g, subject, now)
	if problem.KindOf(err) == problem.KindUnauthenticated {
		err = staleForm.WithWrap(err) // the session ended during the request
	}
	if err != nil {
		s.renderError(w, r, err)
		return false
	}
	redirect(w, s.responseURL(q.Target, q.State, url.Values{"code": {code}}))
	return true
}

// issueSealedCode redirects to the client with a sealed code of a remembered consent. It stores
// nothing.
func (s *Service) issueSealedCode(w http.ResponseWriter, r *http.Request, person *Person, q *authorizationRequest) {
	code, err := s.vault.sealCode(&sealedCode{
		Grant:     id.New(),
		Person:    person.ID,
		Session:   person.Session,
		Subject:   consentSubject(person.ID, q, q.Scopes),
		Given:     q.Given,
		Resource:  q.Resource,
		Scopes:    q.Scopes,
		Challenge: q.Challenge,
		Expires:   s.now().Add(codeLife),
	})
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	redirect(w, s.responseURL(q.Target, q.State, url.Values{"code": {code}}))
}

// sendError redirects to the client with an error (RFC 6749 section 4.1.2.1).
func (s *Service) sendError(w http.ResponseWriter, r *http.Request, e *redirectableError) {
	redirect(w, s.errorResponseURL(r.Context(), e))
}

// errorResponseURL returns the redirect URI with the error parameters.
func (s *Service) errorResponseURL(ctx context.Context, e *redirectableError) string {
	f := s.toOAuthError(ctx, e.cause)
	return s.responseURL(e.target, e.state, url.Values{
		"error":             {f.ErrorField},
		"error_description": {f.GetDescription()},
	})
}

// responseURL returns the redirect URI with the response parameters. Clients of several servers see
// from iss which one responded (RFC 9207).
func (s *Service) responseURL(target, state string, response url.Values) string {
	if state != "" {
		response.Set("state", state)
	}
	response.Set("iss", s.issuer)
	separator := "?"
	if strings.Contains(target, "?") {
		separator = "&"
	}
	return target + separator + response.Encode()
}

// redirect responds with 303, after which browsers do not resend a form (RFC 9700 section 4.12).
func redirect(w http.ResponseWriter, location string) {
	h := w.Header()
	h.Set("Location", location)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusSeeOther)
}

// hasRememberedConsent reports whether the person gave consent to exactly this before.
func (s *Service) hasRememberedConsent(
	ctx context.Context,
	person uuid.UUID,
	client *Client,
	q *authorizationRequest,
) (bool, error) {
	if !canRememberConsent(client, q) {
		return false, nil
	}
	_, found, err := s.consents.find(ctx, consentSubject(person, q, q.Scopes))
	return found, err
}

func canRememberConsent(client *Client, q *authorizationRequest) bool {
	if q.Device != nil {
		return false // its user code is of one request
	}
	return strings.HasPrefix(q.Registered, "https:") || (client.Kind == kindRegistered && !client.IsPublic())
}
