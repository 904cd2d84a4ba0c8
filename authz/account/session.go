package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

const (
	// SessionIdle is how long an unused session lasts; SessionLife is the maximum life of a
	// session.
	SessionIdle = 14 * 24 * time.Hour
	SessionLife = 90 * 24 * time.Hour

	seenResolution = time.Minute // resolution of seen_at
	maxSessions    = 50          // per person; the least recently used one is ended beyond that
)

// SessionInfo is the session of a request, with the current state of its person.
type SessionInfo struct {
	ID        uuid.UUID
	Person    credential.Person
	Created   time.Time
	ExpiresAt time.Time // unless it is used again

	token string
}

// Principal returns the session's principal, which has all scopes, so that only roles decide.
func (s *SessionInfo) Principal() *authz.Principal {
	return &authz.Principal{
		Kind: authz.Session, Credential: id.Format(id.Session, s.ID), Person: s.Person.ID,
		Scopes: authz.AllScopes(), Orgs: s.Person.Orgs,
	}
}

// A Session is an entry in the list of a person's sessions.
type Session struct {
	ID        uuid.UUID
	UserAgent string
	Address   string
	Created   time.Time
	Seen      time.Time // up to a minute late
}

type sessionClaims struct {
	ID      uuid.UUID `json:"id"`
	Created time.Time `json:"created"`
}

// newToken returns 256 random bits in base64url.
func newToken() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

const tokenLen = 43

// Begin starts a session for a person with a proof, and sets its cookie. The session of the
// request, if any, ends, which prevents session fixation. It returns an error of kind
// unauthenticated when the proof is no longer valid.
func (s *Service) Begin(w http.ResponseWriter, r *http.Request, proof Proof) error {
	ctx, person := r.Context(), proof.Person
	token, now, session := newToken(), time.Now(), id.New()
	var ended []credential.Hash
	var epoch uuid.UUID
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		if err := proof.lock(ctx, tx); err != nil {
			return err
		}
		end := func(where string, args ...any) error {
			hashes, err := s.deleteSessions(ctx, tx, where, args...)
			ended = append(ended, hashes...)
			return err
		}
		if former := s.cookieToken(r); former != "" {
			if err := end("token_hash = $1", hashBytes(former)); err != nil {
				return err
			}
		}
		b := &pgx.Batch{}
		b.Queue(`insert into rowhouse.session (id, person_id, token_hash, user_agent, address, created_at,
			seen_at, expires_at)
			values ($1, $2, $3, $4, $5, $6, $6, $7)`,
			session, person, hashBytes(token), storableText(r.UserAgent(), 400), storableText(s.Address(r), 100), now,
			now.Add(SessionLife))
		audit.RecordPerson(ctx, b, person, uuid.Nil, &audit.Event{
			Action:  "sign_in",
			Subject: id.Format(id.Session, session),
		})
		// Expired sessions are deleted when new ones start.
		b.Queue(`delete from rowhouse.session where id in (select id from rowhouse.session
			where expires_at < $1 or (person_id = $2 and seen_at < $3) limit 100 for update skip locked)`, now, person,
			now.Add(-SessionIdle))
		if err := tx.SendBatch(ctx, b).Close(); err != nil {
			return fmt.Errorf("writing a session: %w", err)
		}
		err := end(
			`id in (select id from rowhouse.session where person_id = $1 order by seen_at desc, id desc offset $2)`,
			person, maxSessions,
		)
		if err != nil {
			return err
		}
		var isNew bool
		if epoch, isNew, err = s.recognizeDevice(ctx, tx, r, person); err != nil || !isNew {
			return err
		}
		return s.NotifyTx(ctx, tx, person, credential.DeviceNew, s.Address(r))
	})
	s.Cache.Invalidate(ctx, credential.Session, ended...)
	if err != nil {
		return fmt.Errorf("starting a session: %w", err)
	}
	http.SetCookie(w, s.cookie(token, int(SessionLife.Seconds())))
	s.setDeviceCookie(w, r, person, epoch)
	return nil
}

func (s *Service) cookie(token string, maxAge int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure is off only when BaseURL is http, on a development machine
		Name: s.cookieName, Value: token, Path: "/", MaxAge: maxAge,
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// cookieToken returns the value of the session cookie, or "" when it is missing or malformed.
func (s *Service) cookieToken(r *http.Request) string {
	cookie, err := r.Cookie(s.cookieName)
	if err != nil || len(cookie.Value) != tokenLen {
		return ""
	}
	return cookie.Value
}

func hashBytes(secret string) []byte {
	hash := credential.HashOf(secret)
	return hash[:]
}

// storableText makes client text storable in PostgreSQL: valid UTF-8 without NUL, of at most n
// bytes.
func storableText(s string, n int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// ErrNoSession is wrapped by the error that Current returns for a request without a session cookie.
var ErrNoSession = errors.New("no session")

// Current returns the session of a request. It costs at most one round trip to Redis, or one more
// to PostgreSQL when the session is not cached. It returns an error of kind unauthenticated without
// a valid session, which wraps ErrNoSession when there was no cookie.
func (s *Service) Current(r *http.Request) (*SessionInfo, error) {
	token := s.cookieToken(r)
	if token == "" {
		return nil, problem.Unauthenticated("Nobody is signed in.").Because(ErrNoSession)
	}
	session, err := s.find(r.Context(), credential.HashOf(token))
	if err != nil {
		return nil, err
	}
	session.token = token
	return session, nil
}

// find returns a session that has not ended.
func (s *Service) find(ctx context.Context, hash credential.Hash) (*SessionInfo, error) {
	entry, err := credential.Find(ctx, s.Cache, credential.Session, hash,
		func(ctx context.Context) (*credential.Entry[sessionClaims], error) { return s.load(ctx, hash) })
	if err != nil {
		return nil, err
	}
	now := time.Now()
	if entry == nil || entry.Expired(now) {
		return nil, errSessionEnded()
	}
	if !credential.Repeated(ctx) {
		s.usage.Record(entry.Claims.ID, now)
	}
	return &SessionInfo{
		ID:        entry.Claims.ID,
		Person:    entry.Person,
		Created:   entry.Claims.Created,
		ExpiresAt: entry.ExpiresAt,
	}, nil
}

func errSessionEnded() error { return problem.Unauthenticated("The session has ended; sign in again.") }

// Resolve returns the principal of a session that is named by its public id, as an authz.Resolver does.
func (s *Service) Resolve(ctx context.Context, holder authz.Holder) (*authz.Principal, error) {
	session, err := id.Parse(id.Session, holder.Credential)
	if err != nil {
		return nil, errSessionEnded()
	}
	var hash []byte
	err = s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select token_hash from rowhouse.session where id = $1", session).Query(func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&hash}, func() error { return nil })
			return err
		})
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("looking up a session by its id: %w", err)
	case len(hash) != len(credential.Hash{}):
		return nil, errSessionEnded()
	}
	found, err := s.find(ctx, credential.Hash(hash))
	if err != nil {
		return nil, err
	}
	return found.Principal(), nil
}

// VerifySession implements authz.SessionVerifier.
func (s *Service) VerifySession(r *http.Request) (*authz.Principal, error) {
	session, err := s.Current(r)
	if errors.Is(err, ErrNoSession) {
		return nil, nil //nolint:nilnil // no session
	}
	if err != nil {
		return nil, err
	}
	return session.Principal(), nil
}

func (s *Service) load(ctx context.Context, hash credential.Hash) (*credential.Entry[sessionClaims], error) {
	var entry credential.Entry[sessionClaims]
	var found bool
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select s.id, s.created_at, least(s.expires_at, s.seen_at + $2::interval), `+credential.PersonJSON+`
			from rowhouse.session s join rowhouse.person p on p.id = s.person_id where s.token_hash = $1`, hash[:],
			SessionIdle).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					found = true
					if err := rows.Scan(
						&entry.Claims.ID, &entry.Claims.Created, &entry.ExpiresAt, &entry.Person,
					); err != nil {
						return err
					}
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("looking up a session: %w", err)
	}
	if !found {
		return nil, nil //nolint:nilnil // an unknown session is not a failure
	}
	return &entry, nil
}

// SignOut ends the session of the request, if any, and clears the cookie.
func (s *Service) SignOut(w http.ResponseWriter, r *http.Request) error {
	if token := s.cookieToken(r); token != "" {
		if err := s.endSessions(r.Context(), "token_hash = $1", hashBytes(token)); err != nil {
			return fmt.Errorf("signing out: %w", err)
		}
	}
	http.SetCookie(w, s.cookie("", -1))
	return nil
}

// Sessions returns a person's live sessions, the most recently used first.
func (s *Service) Sessions(ctx context.Context, person uuid.UUID) ([]Session, error) {
	var sessions []Session
	now := time.Now()
	err := s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`select id, user_agent, address, created_at, seen_at from rowhouse.session
			where person_id = $1 and expires_at > $2 and seen_at > $3 order by seen_at desc, id desc`, person, now,
			now.Add(-SessionIdle)).
			Query(func(rows pgx.Rows) (err error) {
				sessions, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	return sessions, nil
}

// EndSession ends one session of a person. It returns an error of kind not_found for one that does
// not exist or belongs to another person.
func (s *Service) EndSession(ctx context.Context, person, session uuid.UUID) error {
	ended, err := s.deleteSessionsWhere(ctx, "person_id = $1 and id = $2", person, session)
	if err == nil && ended == 0 {
		return problem.NotFound("session", id.Format(id.Session, session))
	}
	return err
}

// EndOtherSessions ends all sessions of a person except the request's own, and revokes all other
// trusted devices.
func (s *Service) EndOtherSessions(w http.ResponseWriter, r *http.Request, session *SessionInfo) error {
	epoch, err := s.endAllExcept(r.Context(), session.Person.ID, session.ID)
	if err == nil {
		s.setDeviceCookie(w, r, session.Person.ID, epoch)
	}
	return err
}

// EndAllSessions ends all sessions of a person and revokes all trusted devices.
func (s *Service) EndAllSessions(ctx context.Context, person uuid.UUID) error {
	_, err := s.endAllExcept(ctx, person, uuid.Nil)
	return err
}

func (s *Service) endAllExcept(ctx context.Context, person, keep uuid.UUID) (epoch uuid.UUID, err error) {
	var hashes []credential.Hash
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) (err error) {
		if err := credential.LockPerson(ctx, tx, person); err != nil {
			return err
		}
		if epoch, err = resetDeviceEpoch(ctx, tx, person); err != nil {
			return err
		}
		hashes, err = s.deleteSessions(ctx, tx, "person_id = $1 and id <> $2", person, keep)
		return err
	})
	s.Cache.Invalidate(ctx, credential.Session, hashes...)
	return epoch, err
}

func (s *Service) endSessions(ctx context.Context, where string, args ...any) error {
	_, err := s.deleteSessionsWhere(ctx, where, args...)
	return err
}

// deleteSessionsWhere deletes the sessions that match where, a constant SQL condition, and returns
// their number.
func (s *Service) deleteSessionsWhere(ctx context.Context, where string, args ...any) (int, error) {
	var hashes []credential.Hash
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) (err error) {
		hashes, err = s.deleteSessions(ctx, tx, where, args...)
		return err
	})
	s.Cache.Invalidate(ctx, credential.Session, hashes...)
	return len(hashes), err
}

// deleteSessions deletes sessions within a transaction. The caller invalidates the returned hashes
// again after the commit.
func (s *Service) deleteSessions(ctx context.Context, tx pgx.Tx, where string, args ...any) ([]credential.Hash, error) {
	rows, err := tx.Query(ctx, "delete from rowhouse.session where "+where+" returning token_hash, id, person_id",
		args...)
	if err != nil {
		return nil, fmt.Errorf("ending sessions: %w", err)
	}
	var hashes []credential.Hash
	var raw []byte
	var session, person uuid.UUID
	batch := &pgx.Batch{}
	_, err = pgx.ForEachRow(rows, []any{&raw, &session, &person}, func() error {
		hashes = append(hashes, credential.Hash(raw))
		audit.RecordPerson(ctx, batch, person, uuid.Nil, &audit.Event{
			Action:  "end_session",
			Subject: id.Format(id.Session, session),
		})
		return nil
	})
	if err == nil {
		err = tx.SendBatch(ctx, batch).Close()
	}
	if err != nil {
		return nil, fmt.Errorf("ending sessions: %w", err)
	}
	s.Cache.Invalidate(ctx, credential.Session, hashes...)
	return hashes, nil
}

// writeSeen stores when sessions were last used, with the resolution seenResolution. It skips
// locked rows, because another process is then writing nearly the same time.
func (s *Service) writeSeen(ctx context.Context, uses []credential.Use) error {
	ids, times := make([]uuid.UUID, len(uses)), make([]time.Time, len(uses))
	for i, use := range uses {
		ids[i], times[i] = use.ID, use.At
	}
	return s.DB.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.session s set seen_at = used.at
			from (select free.id, u.at
				from (select id from rowhouse.session where id = any($1::uuid[]) for update skip locked) free
				join unnest($1::uuid[], $2::timestamptz[]) u (id, at) on u.id = free.id) used
			where s.id = used.id and s.seen_at < used.at - $3::interval`, ids, times, seenResolution)
	})
}
