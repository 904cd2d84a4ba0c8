package oauth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A consentStore seals consent requests into forms and stores the remembered consents.
type consentStore struct {
	db    *db.DB
	vault vault
}

// A consentRequest is the content of a consent form. The form carries it encrypted, so that showing
// the page stores no row.
type consentRequest struct {
	Handle  []byte                `json:"handle"` // random; makes the form single-use
	Session []byte                `json:"session"`
	Person  uuid.UUID             `json:"person"`
	Request *authorizationRequest `json:"request"`
	Expires time.Time             `json:"expires"`
}

const consentRequestLabel = "consent question"

// consentSubject returns the SHA-256 of what a consent covers: person, client, redirect URI,
// resource and scopes. Parts are length-prefixed, so that different requests never have the same
// encoding.
func consentSubject(person uuid.UUID, q *authorizationRequest, scopes []authz.Scope) []byte {
	h := sha256.New()
	for _, part := range []string{
		person.String(), q.ClientID, q.Registered, q.Resource, authz.JoinScopes(scopes, " "),
	} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		_, _ = h.Write(length[:])
		_, _ = h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// find returns whether there is a remembered consent, and its organization; org is not valid for
// all organizations.
func (s *consentStore) find(ctx context.Context, subject []byte) (org uuid.NullUUID, found bool, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select only_org from rowhouse.oauth_consent where subject_hash = $1", subject).
			QueryRow(func(row pgx.Row) error {
				err := row.Scan(&org)
				found = err == nil
				if errors.Is(err, pgx.ErrNoRows) {
					return nil
				}
				return err
			})
	})
	if err != nil {
		return org, false, fmt.Errorf("looking for a consent: %w", err)
	}
	return org, found, nil
}

// seal encrypts a consent request into the handle of its form.
func (s *consentStore) seal(person *Person, q *authorizationRequest, expires time.Time) (string, error) {
	text, err := json.Marshal(consentRequest{
		Handle: random(16), Session: hash([]byte(person.Session)), Person: person.ID, Request: q, Expires: expires,
	})
	if err != nil {
		return "", fmt.Errorf("encoding a consent request: %w", err)
	}
	return base64url.EncodeToString(s.vault.seal(text, consentRequestLabel)), nil
}

// consume returns the request of a handle and marks the handle as used until it would have expired.
// It returns nil for a handle that is invalid, expired, used, or was issued to another person or
// session; the handle of another session remains usable.
func (s *consentStore) consume(
	ctx context.Context,
	handle string,
	person *Person,
	now time.Time,
) (*authorizationRequest, error) {
	q := s.open(handle)
	if q == nil || q.Person != person.ID || !bytes.Equal(q.Session, hash([]byte(person.Session))) ||
		!now.Before(q.Expires) {
		return nil, nil //nolint:nilnil // an invalid handle is not a failure
	}
	var fresh int64
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.oauth_question (handle_hash, session_hash, person_id, request, expires_at)
			values ($1, $2, $3, '{}', $4)
			on conflict (handle_hash) do nothing`, hash(q.Handle), q.Session, q.Person, q.Expires).
			Exec(func(tag pgconn.CommandTag) error { fresh = tag.RowsAffected(); return nil })
	})
	if err != nil {
		return nil, fmt.Errorf("using a consent request: %w", err)
	}
	if fresh == 0 {
		return nil, nil //nolint:nilnil // already used
	}
	return q.Request, nil
}

// open decrypts a handle. It returns nil for one that this server did not issue.
func (s *consentStore) open(handle string) *consentRequest {
	sealed, err := base64url.Strict().DecodeString(handle)
	if err != nil {
		return nil
	}
	text, err := s.vault.open(sealed, consentRequestLabel)
	if err != nil {
		return nil
	}
	var q consentRequest
	if err := json.Unmarshal(text, &q); err != nil || q.Request == nil {
		return nil
	}
	return &q
}

// showConsent shows the consent page.
func (s *Service) showConsent(
	w http.ResponseWriter,
	r *http.Request,
	person *Person,
	client *Client,
	q *authorizationRequest,
) {
	orgs, err := s.organizations(r.Context(), person.ID)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	handle, err := s.consents.seal(person, q, s.now().Add(consentFormLife))
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	s.renderConsent(w, r, person, client, q, orgs, handle)
}

// handleConsent handles the submitted consent form.
func (s *Service) handleConsent(w http.ResponseWriter, r *http.Request) {
	// The handle already prevents forged forms; this check is defence in depth.
	if err := s.crossOrigin.Check(r); err != nil {
		s.renderError(w, r, crossSiteForm)
		return
	}
	if err := s.checkRate(w, s.rates.Authorize, clientNetwork(r)); err != nil {
		s.renderError(w, r, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			s.renderError(w, r, requestTooLarge)
			return
		}
		s.renderError(w, r, invalidRequest.WithHint("The form could not be read."))
		return
	}
	if err := requireStorableText(r.PostForm); err != nil {
		s.renderError(w, r, err)
		return
	}
	person, err := s.sessions.SignedIn(r)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if person == nil || r.PostForm.Get("handle") == "" {
		s.renderError(w, r, staleForm)
		return
	}
	if err := s.checkRate(w, s.rates.Person, person.ID.String()); err != nil {
		s.renderError(w, r, err)
		return
	}
	q, err := s.consents.consume(r.Context(), r.PostForm.Get("handle"), person, s.now())
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if q == nil {
		s.renderError(w, r, staleForm)
		return
	}
	// The client may have changed or expired since the form was shown.
	client, err := s.clients.load(r.Context(), q.ClientID)
	if err != nil || q.Device == nil && !slices.Contains(client.Metadata.RedirectURIs, q.Registered) {
		s.renderError(w, r, staleForm.WithWrap(err))
		return
	}
	s.completeConsent(w, r, person, client, q)
}

// completeConsent issues a code, allows a device, or denies the request, as the person decided.
func (s *Service) completeConsent(
	w http.ResponseWriter,
	r *http.Request,
	person *Person,
	client *Client,
	q *authorizationRequest,
) {
	ticked := r.PostForm["scope"]
	scopes := slices.DeleteFunc(slices.Clone(q.Scopes), func(scope authz.Scope) bool {
		return !slices.Contains(ticked, string(scope))
	})
	allowed := r.PostForm.Get("decision") == "allow" && len(scopes) > 0
	if !allowed && q.Device != nil {
		s.decideDevice(w, r, person, q, nil, uuid.NullUUID{}, false)
		return
	}
	if !allowed {
		s.sendError(w, r, q.reject(accessDenied))
		return
	}
	org, err := s.selectedOrg(r.Context(), person.ID, r.PostForm.Get("org"))
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if q.Device != nil {
		s.decideDevice(w, r, person, q, scopes, org, true)
		return
	}
	var subject []byte
	if canRememberConsent(client, q) {
		subject = consentSubject(person.ID, q, scopes)
	}
	if s.issueCode(w, r, person, q, scopes, org, subject) {
		s.notify(person.ID, credential.AppConnected, truncateName(normalizeName(client.Metadata.Name)))
	}
}

// An organization is one that a grant may be narrowed to.
type grantOrganization struct {
	ID   uuid.UUID
	Name string
	Role organization.Role
}

// PublicID returns the identifier in forms, as in org_….
func (o grantOrganization) PublicID() string { return id.Format(id.Org, o.ID) }

func (s *Service) organizations(ctx context.Context, person uuid.UUID) ([]grantOrganization, error) {
	var orgs []grantOrganization
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select o.org_id, o.name, m.role from rowhouse.member m
			join rowhouse.organization o on o.org_id = m.org_id
			where m.person_id = $1 order by m.created_at, o.org_id`, person).Query(func(rows pgx.Rows) (err error) {
			orgs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[grantOrganization])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("listing organizations: %w", err)
	}
	return orgs, nil
}

// allOrgs is the form value for access to every organization of the person, including those joined
// later.
const allOrgs = "all"

// selectedOrg returns the organization selected in the form. The result is not valid, which means
// all organizations, only for the explicit value allOrgs.
func (s *Service) selectedOrg(ctx context.Context, person uuid.UUID, choice string) (uuid.NullUUID, error) {
	if choice == allOrgs {
		return uuid.NullUUID{}, nil
	}
	orgs, err := s.organizations(ctx, person)
	if err != nil {
		return uuid.NullUUID{}, err
	}
	for _, org := range orgs {
		if org.PublicID() == choice {
			return uuid.NullUUID{UUID: org.ID, Valid: true}, nil
		}
	}
	return uuid.NullUUID{}, staleForm
}
