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
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/id"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// A consentStore keeps the questions that were put to people, and the answers that hold.
type consentStore struct {
	db    *db.DB
	vault vault
}

// A question is what a consent form asks. It travels in the form itself, encrypted, so that a page that is only shown leaves no row.
type question struct {
	Handle  []byte    `json:"handle"` // names it among all
	Session []byte    `json:"session"`
	Person  uuid.UUID `json:"person"`
	Request *request  `json:"request"`
	Expires time.Time `json:"expires"`
}

const questionLabel = "consent question"

// consentSubject names what a consent is to: nothing that differs in any part has the same name.
func consentSubject(person uuid.UUID, q *request, scopes []authz.Scope) []byte {
	h := sha256.New()
	for _, part := range []string{person.String(), q.ClientID, q.Registered, q.Resource, authz.JoinScopes(scopes, " ")} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		_, _ = h.Write(length[:])
		_, _ = h.Write([]byte(part))
	}
	return h.Sum(nil)
}

// find returns the organization that a remembered consent reaches, not valid for all, and whether there is one.
func (s *consentStore) find(ctx context.Context, subject []byte) (org uuid.NullUUID, found bool, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select only_org from rowhouse.oauth_consent where subject_hash = $1", subject).QueryRow(func(row pgx.Row) error {
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

// put writes a question as the handle by which it is answered.
func (s *consentStore) put(person *Person, q *request, expires time.Time) (string, error) {
	text, err := json.Marshal(question{
		Handle: random(16), Session: hash([]byte(person.Session)), Person: person.ID, Request: q, Expires: expires,
	})
	if err != nil {
		return "", fmt.Errorf("writing a consent question: %w", err)
	}
	return base64url.EncodeToString(s.vault.seal(text, questionLabel)), nil
}

// take returns the question of a handle once, to the person and the session that it was put to. It returns nil for every other
// handle, and leaves a question of somebody else as it is. What was answered is noted until it would have expired.
func (s *consentStore) take(ctx context.Context, handle string, person *Person, now time.Time) (*request, error) {
	q := s.open(handle)
	if q == nil || q.Person != person.ID || !bytes.Equal(q.Session, hash([]byte(person.Session))) || !now.Before(q.Expires) {
		return nil, nil //nolint:nilnil // no such question is an answer, not a failure
	}
	var fresh int64
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.oauth_question (handle_hash, session_hash, person_id, request, expires_at) values ($1, $2, $3, '{}', $4)
			on conflict (handle_hash) do nothing`, hash(q.Handle), q.Session, q.Person, q.Expires).
			Exec(func(tag pgconn.CommandTag) error { fresh = tag.RowsAffected(); return nil })
	})
	if err != nil {
		return nil, fmt.Errorf("taking a consent question: %w", err)
	}
	if fresh == 0 {
		return nil, nil //nolint:nilnil // it was answered before
	}
	return q.Request, nil
}

// open returns nil for a handle that this server did not write.
func (s *consentStore) open(handle string) *question {
	sealed, err := base64url.Strict().DecodeString(handle)
	if err != nil {
		return nil
	}
	text, err := s.vault.open(sealed, questionLabel)
	if err != nil {
		return nil
	}
	var q question
	if err := json.Unmarshal(text, &q); err != nil || q.Request == nil {
		return nil
	}
	return &q
}

// ask shows the consent page.
func (s *Service) ask(w http.ResponseWriter, r *http.Request, person *Person, client *Client, q *request) {
	orgs, err := s.organizations(r.Context(), person.ID)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	handle, err := s.consents.put(person, q, s.now().Add(questionLife))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	s.consentPage(w, r, person, client, q, orgs, handle)
}

// answer takes the consent form.
func (s *Service) answer(w http.ResponseWriter, r *http.Request) {
	// The handle alone would stop a forged form; a browser that says the form is foreign is believed as well.
	if err := s.guard.Check(r); err != nil {
		s.failPage(w, r, forbiddenForm)
		return
	}
	if err := s.admit(w, s.rates.Authorize, source(r)); err != nil {
		s.failPage(w, r, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		var big *http.MaxBytesError
		if errors.As(err, &big) {
			s.failPage(w, r, tooLarge)
			return
		}
		s.failPage(w, r, invalidRequest.WithHint("The form could not be read."))
		return
	}
	if err := textOnly(r.PostForm); err != nil {
		s.failPage(w, r, err)
		return
	}
	person, err := s.sessions.SignedIn(r)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	if person == nil || r.PostForm.Get("handle") == "" {
		s.failPage(w, r, staleForm)
		return
	}
	if err := s.admit(w, s.rates.Person, person.ID.String()); err != nil {
		s.failPage(w, r, err)
		return
	}
	q, err := s.consents.take(r.Context(), r.PostForm.Get("handle"), person, s.now())
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	if q == nil {
		s.failPage(w, r, staleForm)
		return
	}
	// The client may have changed or gone while the person was thinking.
	client, err := s.clients.load(r.Context(), q.ClientID)
	if err != nil || !slices.Contains(client.Metadata.RedirectURIs, q.Registered) {
		s.failPage(w, r, staleForm.WithWrap(err))
		return
	}
	s.conclude(w, r, person, client, q)
}

// conclude acts on the answer to q.
func (s *Service) conclude(w http.ResponseWriter, r *http.Request, person *Person, client *Client, q *request) {
	ticked := r.PostForm["scope"]
	scopes := slices.DeleteFunc(slices.Clone(q.Scopes), func(scope authz.Scope) bool { return !slices.Contains(ticked, string(scope)) })
	if r.PostForm.Get("decision") != "allow" || len(scopes) == 0 {
		s.sendError(w, r, q.refuse(accessDenied))
		return
	}
	org, err := s.chosenOrg(r.Context(), person.ID, r.PostForm.Get("org"))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	var subject []byte
	if rememberable(client, q) {
		subject = consentSubject(person.ID, q, scopes)
	}
	if s.issue(w, r, person, q, scopes, org, subject) {
		s.tell(person.ID, credential.AppConnected, shortName(plainName(client.Metadata.Name)))
	}
}

// An organization is one that a grant can be narrowed to.
type grantOrganization struct {
	ID   uuid.UUID
	Name string
	Role organization.Role
}

// PublicID is as forms have it.
func (o grantOrganization) PublicID() string { return id.Format(id.Org, o.ID) }

func (s *Service) organizations(ctx context.Context, person uuid.UUID) ([]grantOrganization, error) {
	var orgs []grantOrganization
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select o.org_id, o.name, m.role from rowhouse.member m join rowhouse.organization o on o.org_id = m.org_id
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

// allOrgs in the form lets the client reach every organization of the person, now and later.
const allOrgs = "all"

// chosenOrg reads the form's choice. It is not valid, for all organizations, only when the form says so in words.
func (s *Service) chosenOrg(ctx context.Context, person uuid.UUID, choice string) (uuid.NullUUID, error) {
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
