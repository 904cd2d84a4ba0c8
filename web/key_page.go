package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/apikey"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/id"
)

const keysPath = "/account/keys"

func (p *pages) registerKeyRoutes(r chi.Router) {
	r.Get(keysPath, p.requireSession(p.showKeys))
	r.Get(keysPath+"/new", p.requireSession(p.showNewKey))
	r.Post(keysPath, p.requireSession(p.createKey))
	r.Post(keysPath+"/{key}/revoke", p.requireSession(p.revokeKey))
	r.Post(keysPath+"/{key}/rotate", p.requireSession(p.rotateKey))
}

// A preset is a common selection of scopes.
type preset struct {
	Name   string
	Title  string
	Scopes []authz.Scope
}

var presets = []preset{
	{"read", "Read only", []authz.Scope{authz.DataRead, authz.SchemaRead}},
	{"write", "Read and write records", []authz.Scope{authz.DataRead, authz.DataWrite, authz.SchemaRead}},
	{"mcp", "AI assistant (MCP)", []authz.Scope{authz.DataRead, authz.DataWrite, authz.SchemaRead, authz.MCPTools}},
	{"full", "Full access", authz.AllScopes()},
}

type keyRow struct {
	*apikey.Key

	Reach         string // what the key can access, as text
	RotatedID     string // id of the key that a rotation from this page creates, so that resubmitting creates only one
	Expired       bool
	NeedsPassword bool // rotating it requires the password
}

type keysData struct {
	Status            string
	Keys              []keyRow
	New               *newKey
	PasswordConfirmed bool // the password was entered recently
}

// newKey is a key whose value is shown once.
type newKey struct {
	*apikey.Key

	Value string
	MCP   bool
}

func (p *pages) showKeys(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	keys, err := p.Keys.List(r.Context(), session.Person.ID)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	reach, err := p.Keys.OrgsWithBases(r.Context(), session.Person.ID)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	data := keysData{Status: statusMessages[r.URL.Query().Get("did")], New: takeKeyCookie(w, r, keys, p.secureCookies())}
	if data.PasswordConfirmed, err = p.Accounts.Reauthenticated(r.Context(), session, ""); err != nil {
		p.renderError(w, r, err)
		return
	}
	now := time.Now()
	for _, key := range keys {
		data.Keys = append(data.Keys, keyRow{key, describeReach(key, reach), id.Format(id.Key, id.New()), key.Expired(now), key.LongLived()})
	}
	p.render(w, r, http.StatusOK, "keys", view{Title: "API keys", Session: session, Tab: "keys", Data: data})
}

func describeReach(key *apikey.Key, reach []apikey.Org) string {
	if key.Org == nil {
		return "Everything you can reach"
	}
	at := slices.IndexFunc(reach, func(org apikey.Org) bool { return org.ID == *key.Org })
	if at < 0 {
		return "Nothing"
	}
	if len(key.Bases) == 0 {
		return reach[at].Name
	}
	var names []string
	for _, base := range reach[at].Bases {
		if slices.Contains(key.Bases, base.ID) {
			names = append(names, base.Name)
		}
	}
	if len(names) == 0 {
		return "Nothing"
	}
	return reach[at].Name + ": " + strings.Join(names, ", ")
}

type newKeyData struct {
	ID      string
	Scopes  []authz.ScopeInfo
	Presets []preset
	Orgs    []apikey.Org
}

func (p *pages) newKeyView(r *http.Request, session *account.SessionInfo) (view, error) {
	reach, err := p.Keys.OrgsWithBases(r.Context(), session.Person.ID)
	return view{
		Title: "Create an API key", Session: session, Tab: "keys",
		Data: newKeyData{id.Format(id.Key, id.New()), authz.Scopes, presets, reach},
	}, err
}

// showNewKey shows the form. Its preset buttons send the values entered so far back to this page.
func (p *pages) showNewKey(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	v, err := p.newKeyView(r, session)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	values := r.URL.Query()
	if len(values) == 0 {
		values = url.Values{"preset": {"read"}, "reach": {"all"}, "expiry": {"90"}}
	}
	if at := slices.IndexFunc(presets, func(preset preset) bool { return preset.Name == values.Get("preset") }); at >= 0 {
		values.Del("scopes")
		for _, scope := range presets[at].Scopes {
			values.Add("scopes", string(scope))
		}
	}
	v.Form.Values = values
	p.render(w, r, http.StatusOK, "newkey", v)
}

func (p *pages) createKey(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	draft, err := readDraft(values)
	if err == nil {
		draft.Person, draft.Session = session.Person.ID, session.ID
		draft.Reauthenticated, err = p.Accounts.Reauthenticated(r.Context(), session, values.Get("password"))
	}
	if err == nil {
		var value string
		if _, value, err = p.Keys.Create(r.Context(), draft); err == nil {
			setKeyCookie(w, value, p.secureCookies())
			http.Redirect(w, r, keysPath, http.StatusSeeOther)
			return
		}
	}
	v, viewErr := p.newKeyView(r, session)
	if viewErr != nil {
		p.renderError(w, r, viewErr)
		return
	}
	p.rerender(w, r, err, "newkey", v)
}

// readDraft reads the form for a new key.
func readDraft(values url.Values) (apikey.Draft, error) {
	draft := apikey.Draft{Name: values.Get("name")}
	var err error
	if draft.ID, err = id.Parse(id.Key, values.Get("id")); err != nil {
		return draft, problem.Invalid("", "The form is incomplete; reload the page.")
	}
	for _, scope := range values["scopes"] {
		draft.Scopes = append(draft.Scopes, authz.Scope(scope))
	}
	switch reach := values.Get("reach"); reach {
	case "all":
	case "org":
		if draft.Org, err = id.Parse(id.Org, values.Get("orgId")); err != nil {
			return draft, problem.Invalid("orgId", "choose an organization")
		}
	case "bases":
		for _, base := range values["baseIds"] {
			parsed, err := id.Parse(id.Base, base)
			if err != nil {
				return draft, problem.Invalid("baseIds", "choose bases from the list")
			}
			draft.Bases = append(draft.Bases, parsed)
		}
		if len(draft.Bases) == 0 {
			return draft, problem.Invalid("baseIds", "choose at least one base")
		}
	default:
		return draft, problem.Invalid("reach", "choose what the key reaches")
	}
	if expiry := values.Get("expiry"); expiry != "never" {
		days, err := strconv.Atoi(expiry)
		if err != nil || days < 1 || days > 3650 {
			return draft, problem.Invalid("expiry", "choose when the key expires")
		}
		draft.ExpiresAt = time.Now().AddDate(0, 0, days)
	}
	return draft, nil
}

func (p *pages) revokeKey(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	key, err := id.Parse(id.Key, chi.URLParam(r, "key"))
	if err != nil {
		p.renderError(w, r, pageNotFound(r))
		return
	}
	err = p.Keys.Revoke(r.Context(), session.Person.ID, key)
	if err != nil && problem.KindOf(err) != problem.KindNotFound { // the form may have been submitted twice
		p.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, keysPath+"?did=revoked", http.StatusSeeOther)
}

func (p *pages) rotateKey(w http.ResponseWriter, r *http.Request, session *account.SessionInfo) {
	values, err := parseForm(r)
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	var key, next uuid.UUID
	if key, err = id.Parse(id.Key, chi.URLParam(r, "key")); err == nil {
		next, err = id.Parse(id.Key, values.Get("next"))
	}
	hours, badHours := strconv.Atoi(values.Get("overlap"))
	if err != nil || badHours != nil || hours < 0 || hours > int(apikey.MaxOverlap.Hours()) {
		p.renderError(w, r, problem.Invalid("", "The form is incomplete; reload the page."))
		return
	}
	fresh, err := p.Accounts.Reauthenticated(r.Context(), session, values.Get("password"))
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	_, value, err := p.Keys.Rotate(r.Context(), apikey.Rotation{
		Person: session.Person.ID, Session: session.ID, Reauthenticated: fresh, Key: key, Next: next, Overlap: time.Duration(hours) * time.Hour,
	})
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	setKeyCookie(w, value, p.secureCookies())
	http.Redirect(w, r, keysPath, http.StatusSeeOther)
}

// A cookie carries the value of a new key from the form's response to the page that shows it, for
// one redirect. The service stores it nowhere, a reload does not show it again, and submitting the
// form twice creates one key.
const keyCookieName = "rowhouse_once"

func (p *pages) secureCookies() bool { return strings.HasPrefix(p.BaseURL, "https://") }

func setKeyCookie(w http.ResponseWriter, value string, secure bool) {
	http.SetCookie(w, newKeyCookie(value, 60, secure))
}

func newKeyCookie(value string, maxAge int, secure bool) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // it is not Secure only if the service itself is served over plain HTTP, in development
		Name: keyCookieName, Value: value, Path: keysPath, MaxAge: maxAge, Secure: secure, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
}

// takeKeyCookie returns the new key to show, if the cookie contains one of the person's keys, and
// deletes the cookie.
func takeKeyCookie(w http.ResponseWriter, r *http.Request, keys []*apikey.Key, secure bool) *newKey {
	cookie, err := r.Cookie(keyCookieName)
	if err != nil {
		return nil
	}
	http.SetCookie(w, newKeyCookie("", -1, secure))
	if !apikey.WellFormed(cookie.Value) {
		return nil
	}
	for _, key := range keys {
		if strings.HasPrefix(cookie.Value, key.Prefix) && strings.HasSuffix(cookie.Value, key.LastFour) {
			return &newKey{key, cookie.Value, slices.Contains(key.Scopes, authz.MCPTools)}
		}
	}
	return nil
}
