package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/route"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
)

// registerAPIRoutes registers the endpoints with which the application manages the account. They
// are not operations of the catalogue, because they accept a session and nothing else, so that a
// key or token can never create another one. all is the router that contains these routes.
func (p *pages) registerAPIRoutes(r chi.Router, all chi.Routes) {
	r.Use(route.RefuseConditional())
	r.NotFound(func(w http.ResponseWriter, r *http.Request) { p.writeProblem(w, r, pageNotFound(r)) })
	r.MethodNotAllowed(p.methodNotAllowed(all, p.writeProblem))
	r.Get("/profile", p.jsonHandler(p.getProfile))
	r.Patch("/profile", p.jsonHandler(p.patchProfile))
	r.Post("/verification", p.jsonHandler(p.postVerification))
	r.Post("/email", p.jsonHandler(p.postEmail))
	r.Get("/bases", p.jsonHandler(p.getBases))
	r.Put("/bases/{base}/opened", p.changeBase(p.Accounts.OpenBase))
	r.Put("/bases/{base}/favorite", p.changeBase(p.Accounts.MarkBase))
	r.Delete("/bases/{base}/favorite", p.changeBase(p.Accounts.UnmarkBase))
	r.Get("/deletion", p.jsonHandler(p.getDeletion))
	r.Post("/deletion", p.jsonHandler(p.postDeletion))
	r.Post("/password", p.postPassword)
	r.Post("/sign-out", p.postSignOut)
	r.Get("/sessions", p.jsonHandler(p.getSessions))
	r.Delete("/sessions", p.deleteSessions)
	r.Delete("/sessions/{session}", p.jsonHandler(p.deleteSession))
	r.Get("/keys", p.jsonHandler(p.getKeys))
	r.Post("/keys", p.jsonHandler(p.postKey))
	r.Delete("/keys/{key}", p.jsonHandler(p.deleteKey))
	r.Post("/keys/{key}/rotate", p.jsonHandler(p.postRotation))
	r.Get("/orgs/{org}/keys", p.jsonHandler(p.getOrgKeys))
	r.Delete("/orgs/{org}/keys/{key}", p.jsonHandler(p.deleteOrgKey))
}

// jsonHandler calls handle with the request's session and encodes the result as JSON. A nil result
// gives status 204.
func (p *pages) jsonHandler(handle func(r *http.Request, session *account.SessionInfo) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		session, err := p.Accounts.Current(r)
		if err != nil {
			p.writeProblem(w, r, err)
			return
		}
		body, err := handle(r, session)
		if err != nil {
			p.writeProblem(w, r, err)
			return
		}
		if body == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		encoded, err := json.Marshal(body)
		if err != nil {
			p.writeProblem(w, r, fmt.Errorf("encoding a response: %w", err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(encoded) // the client may have disconnected
	}
}

// writeProblem responds with a problem. It logs internal errors, whose text the client does not
// get.
func (p *pages) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	if problem.KindOf(err) == problem.KindInternal {
		p.userMessage(r, err)
	}
	problem.Write(w, r, err)
}

// decodeJSON decodes the request's body into v. It rejects unknown members, other content types and
// trailing data.
func decodeJSON(r *http.Request, v any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return problem.Invalid("", "the body must be JSON, with Content-Type: application/json")
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(v)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			return problem.Invalid("", "the body must be one JSON object")
		}
		return nil
	}
	var wrongType *json.UnmarshalTypeError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &problem.Error{
			Kind:    problem.KindTooLarge,
			Message: fmt.Sprintf("The body is larger than %d bytes.", tooLarge.Limit),
		}
	case errors.As(err, &wrongType):
		return problem.Invalid(wrongType.Field, "must not be of type %s", wrongType.Value)
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return problem.Invalid("", "there is no parameter %s", strings.TrimPrefix(err.Error(), "json: unknown field "))
	}
	return problem.Invalid("", "the body is not valid JSON")
}

type profileJSON struct {
	ID            string `json:"id"`
	Name          string `json:"name"`
	Email         string `json:"email"`
	EmailVerified bool   `json:"emailVerified"`
	account.Preferences
}

func (p *pages) getProfile(r *http.Request, session *account.SessionInfo) (any, error) {
	person := session.Person
	preferences, err := p.Accounts.Preferences(r.Context(), person.ID)
	if err != nil {
		return nil, err
	}
	return profileJSON{id.Format(id.User, person.ID), person.Name, person.Email, person.Verified, preferences}, nil
}

func (p *pages) patchProfile(r *http.Request, session *account.SessionInfo) (any, error) {
	var in struct {
		Name     *string `json:"name"`
		Locale   *string `json:"locale"`
		FirstDay *string `json:"firstDay"`
		Language *string `json:"language"`
		TimeZone *string `json:"timeZone"`
	}
	if err := decodeJSON(r, &in); err != nil {
		return nil, err
	}
	person := &session.Person
	preferences, err := p.Accounts.Preferences(r.Context(), person.ID)
	if err != nil {
		return nil, err
	}
	preferences.Locale = *cmp.Or(in.Locale, &preferences.Locale)
	preferences.FirstDay = *cmp.Or(in.FirstDay, &preferences.FirstDay)
	preferences.Language = *cmp.Or(in.Language, &preferences.Language)
	preferences.TimeZone = *cmp.Or(in.TimeZone, &preferences.TimeZone)
	person.Name, err = p.Accounts.ChangeProfile(r.Context(), person.ID, *cmp.Or(in.Name, &person.Name), preferences)
	if err != nil {
		return nil, err
	}
	return p.getProfile(r, session)
}

func (p *pages) postVerification(r *http.Request, session *account.SessionInfo) (any, error) {
	return nil, p.Accounts.RequestVerification(r.Context(), session.Person, requestedLanguage(r).Tag)
}

// postEmail mails a link to a new address.
func (p *pages) postEmail(r *http.Request, session *account.SessionInfo) (any, error) {
	var in struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
	if err := decodeJSON(r, &in); err != nil {
		return nil, err
	}
	return nil, p.Accounts.RequestAddress(r.Context(), session, in.Email, in.Password, requestedLanguage(r).Tag)
}

// postPassword changes the password. It also sets the session's new cookie.
func (p *pages) postPassword(w http.ResponseWriter, r *http.Request) {
	p.jsonHandler(func(r *http.Request, session *account.SessionInfo) (any, error) {
		var in struct {
			CurrentPassword string `json:"currentPassword"`
			NewPassword     string `json:"newPassword"`
		}
		if err := decodeJSON(r, &in); err != nil {
			return nil, err
		}
		return nil, p.Accounts.ChangePassword(w, r, session, in.CurrentPassword, in.NewPassword)
	})(w, r)
}

func (p *pages) postSignOut(w http.ResponseWriter, r *http.Request) {
	if err := p.Accounts.SignOut(w, r); err != nil {
		p.writeProblem(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

type sessionJSON struct {
	ID           string    `json:"id"`
	Current      bool      `json:"current"`
	UserAgent    string    `json:"userAgent"`
	IP           string    `json:"ip,omitempty"`
	CreatedTime  time.Time `json:"createdTime"`
	LastSeenTime time.Time `json:"lastSeenTime"`
}

func (p *pages) getSessions(r *http.Request, session *account.SessionInfo) (any, error) {
	sessions, err := p.Accounts.Sessions(r.Context(), session.Person.ID)
	if err != nil {
		return nil, err
	}
	out := make([]sessionJSON, len(sessions))
	for i, s := range sessions {
		out[i] = sessionJSON{id.Format(id.Session, s.ID), s.ID == session.ID, s.UserAgent, s.Address, s.Created, s.Seen}
	}
	return map[string]any{"sessions": out}, nil
}

// deleteSessions ends all of the person's sessions except the current one.
func (p *pages) deleteSessions(w http.ResponseWriter, r *http.Request) {
	p.jsonHandler(func(r *http.Request, session *account.SessionInfo) (any, error) {
		return nil, p.Accounts.EndOtherSessions(w, r, session)
	})(w, r)
}

func (p *pages) deleteSession(r *http.Request, session *account.SessionInfo) (any, error) {
	ended, err := id.Parse(id.Session, chi.URLParam(r, "session"))
	if err != nil {
		return nil, problem.NotFound("session", chi.URLParam(r, "session"))
	}
	return nil, p.Accounts.EndSession(r.Context(), session.Person.ID, ended)
}

type keyJSON struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Prefix       string        `json:"prefix"`
	LastFour     string        `json:"lastFour"`
	Scopes       []authz.Scope `json:"scopes"`
	OrgID        *string       `json:"orgId"`   // null means every organization
	BaseIDs      []string      `json:"baseIds"` // null means every base
	ViewID       *string       `json:"viewId"`  // null means every view
	CreatedTime  time.Time     `json:"createdTime"`
	LastUsedTime *time.Time    `json:"lastUsedTime"`
	ExpiresTime  *time.Time    `json:"expiresTime"`
	ReplacedBy   *string       `json:"replacedBy"` // the key that replaced this one in a rotation
}

func toKeyJSON(key *apikey.Key) keyJSON {
	out := keyJSON{
		ID: key.PublicID(), Name: key.Name, Prefix: key.Prefix, LastFour: key.LastFour, Scopes: key.Scopes,
		CreatedTime: key.CreatedAt, LastUsedTime: key.LastUsedAt, ExpiresTime: key.ExpiresAt,
	}
	if key.Org != nil {
		org := id.Format(id.Org, *key.Org)
		out.OrgID = &org
	}
	for _, base := range key.Bases {
		out.BaseIDs = append(out.BaseIDs, id.Format(id.Base, base))
	}
	if key.View != nil {
		view := id.Format(id.View, *key.View)
		out.ViewID = &view
	}
	if key.ReplacedBy != nil {
		next := id.Format(id.Key, *key.ReplacedBy)
		out.ReplacedBy = &next
	}
	return out
}

type createdKeyJSON struct {
	Key   keyJSON `json:"key"`
	Value string  `json:"value"` // returned only once
}

// idempotencyKey returns the UUID of the Idempotency-Key header, or uuid.Nil. It becomes the id of
// the key that the request creates, so that a request sent again creates no other key.
func idempotencyKey(r *http.Request) (uuid.UUID, error) {
	given := r.Header.Get("Idempotency-Key")
	if given == "" {
		return uuid.Nil, nil
	}
	parsed, err := uuid.Parse(given)
	if err != nil {
		return uuid.Nil, problem.Invalid("Idempotency-Key", "%q is not a UUID", given)
	}
	return parsed, nil
}

func (p *pages) getKeys(r *http.Request, session *account.SessionInfo) (any, error) {
	keys, err := p.Keys.List(r.Context(), session.Person.ID)
	if err != nil {
		return nil, err
	}
	out := make([]keyJSON, len(keys))
	for i, key := range keys {
		out[i] = toKeyJSON(key)
	}
	return map[string]any{"keys": out}, nil
}

func (p *pages) postKey(r *http.Request, session *account.SessionInfo) (any, error) {
	var in struct {
		Name        string        `json:"name"`
		Scopes      []authz.Scope `json:"scopes"`
		OrgID       string        `json:"orgId"`
		BaseIDs     []string      `json:"baseIds"`
		ViewID      string        `json:"viewId"`
		ExpiresTime time.Time     `json:"expiresTime"`
		Password    string        `json:"password"` // required for a non-expiring key if the sign-in is not recent
	}
	if err := decodeJSON(r, &in); err != nil {
		return nil, err
	}
	draft := apikey.Draft{
		Person: session.Person.ID, Session: session.ID, Name: in.Name, Scopes: in.Scopes, ExpiresAt: in.ExpiresTime,
	}
	var err error
	if draft.Reauthenticated, err = p.Accounts.Reauthenticated(r.Context(), session, in.Password); err != nil {
		return nil, err
	}
	if draft.ID, err = idempotencyKey(r); err != nil {
		return nil, err
	}
	if in.OrgID != "" {
		if draft.Org, err = id.Parse(id.Org, in.OrgID); err != nil {
			return nil, problem.Invalid("orgId", "%q is not an organization of yours", in.OrgID)
		}
	}
	for i, base := range in.BaseIDs {
		parsed, err := id.Parse(id.Base, base)
		if err != nil {
			return nil, problem.Invalid(fmt.Sprintf("baseIds[%d]", i), "%q is not a base of yours", base)
		}
		draft.Bases = append(draft.Bases, parsed)
	}
	if in.BaseIDs != nil && len(in.BaseIDs) == 0 {
		return nil, problem.Invalid("baseIds", "must contain at least one base; omit it for all bases")
	}
	if in.ViewID != "" {
		if draft.View, err = id.Parse(id.View, in.ViewID); err != nil {
			return nil, problem.Invalid("viewId", "%q is not a view of yours", in.ViewID)
		}
		draft.CheckView = p.Schema.CheckBound
	}
	key, value, err := p.Keys.Create(r.Context(), draft)
	if err != nil {
		return nil, err
	}
	return createdKeyJSON{toKeyJSON(key), value}, nil
}

func (p *pages) deleteKey(r *http.Request, session *account.SessionInfo) (any, error) {
	key, err := id.Parse(id.Key, chi.URLParam(r, "key"))
	if err != nil {
		return nil, problem.NotFound("API key", chi.URLParam(r, "key"))
	}
	return nil, p.Keys.Revoke(r.Context(), session.Person.ID, key)
}

func (p *pages) postRotation(r *http.Request, session *account.SessionInfo) (any, error) {
	key, err := id.Parse(id.Key, chi.URLParam(r, "key"))
	if err != nil {
		return nil, problem.NotFound("API key", chi.URLParam(r, "key"))
	}
	var in struct {
		OverlapSeconds int64  `json:"overlapSeconds"`
		Password       string `json:"password"` // as in postKey
	}
	if err := decodeJSON(r, &in); err != nil {
		return nil, err
	}
	if in.OverlapSeconds < 0 || in.OverlapSeconds > int64(apikey.MaxOverlap.Seconds()) {
		return nil, problem.Invalid("overlapSeconds", "must be between 0 and %d", int64(apikey.MaxOverlap.Seconds()))
	}
	fresh, err := p.Accounts.Reauthenticated(r.Context(), session, in.Password)
	if err != nil {
		return nil, err
	}
	nextID, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	next, value, err := p.Keys.Rotate(r.Context(), apikey.Rotation{
		Person: session.Person.ID, Session: session.ID, Reauthenticated: fresh, Key: key, Next: nextID,
		Overlap: time.Duration(in.OverlapSeconds) * time.Second,
	})
	if err != nil {
		return nil, err
	}
	return createdKeyJSON{toKeyJSON(next), value}, nil
}
