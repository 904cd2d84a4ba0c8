package apikey

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func (b *testBundle) session(t *testing.T) uuid.UUID {
	t.Helper()
	session, hash := id.New(), credential.HashOf(uuid.NewString())
	b.exec(t, `insert into rowhouse.session (id, person_id, token_hash, user_agent, address, expires_at)
		values ($1, $2, $3, '', '', now() + interval '1 hour')`, session, b.person, hash[:])
	return session
}

func (b *testBundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), sql, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Fails without the select of the session in credential.LockSession, and without lockOwner in
// Rotate.
func TestEndedSessionCannotCreateOrRotateAKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	session := b.session(t)
	live := func(d *Draft) { d.Session, d.Reauthenticated = session, true }
	key, _ := b.create(t, live)
	if _, _, err := b.Rotate(
		t.Context(), Rotation{Person: b.person, Session: session, Reauthenticated: true, Key: key.ID},
	); err != nil {
		t.Fatal(err)
	}
	key, secret := b.create(t, live)
	b.exec(t, "delete from rowhouse.session where id = $1", session)
	draft := Draft{
		Person:          b.person,
		Session:         session,
		Reauthenticated: true,
		Name:            "Late",
		Scopes:          []authz.Scope{authz.DataRead},
	}
	if _, _, err := b.Create(t.Context(), draft); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("a key was made: %v", err)
	}
	rotation := Rotation{Person: b.person, Session: session, Reauthenticated: true, Key: key.ID}
	if _, _, err := b.Rotate(t.Context(), rotation); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("a key was rotated: %v", err)
	}
	b.accepts(t, secret)
	foreign := draft
	foreign.Session = (&testBundle{service: b.service, person: b.person}).session(t)
	foreign.Person = uuid.New()
	if _, _, err := b.Create(t.Context(), foreign); err == nil {
		t.Error("the session of another person made a key")
	}
}

// A key is asked for while another transaction, as a reset's, ends the session. Seen to fail with
// the look at the session before the lock on the person in credential.LockSession, and without that
// lock.
func TestAKeyWaitsForTheEndOfItsSession(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(b *testBundle, session uuid.UUID, former uuid.UUID) error{
		"a new key": func(b *testBundle, session, _ uuid.UUID) error {
			draft := Draft{
				Person:          b.person,
				Session:         session,
				Reauthenticated: true,
				Name:            "Late",
				Scopes:          []authz.Scope{authz.DataRead},
			}
			_, _, err := b.Create(t.Context(), draft)
			return err
		},
		"a rotation": func(b *testBundle, session, former uuid.UUID) error {
			_, _, err := b.Rotate(t.Context(), Rotation{
				Person:          b.person,
				Session:         session,
				Reauthenticated: true,
				Key:             former,
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			admin := tenancytest.Admin(t)
			b := setup(t)
			session := b.session(t)
			former, _ := b.create(t)
			done := make(chan error, 1)
			err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
				if err := credential.LockPerson(t.Context(), tx, b.person); err != nil {
					return err
				}
				go func() { done <- ask(b, session, former.ID) }()
				for waiting := false; !waiting && len(done) == 0; {
					err := admin.QueryRow(t.Context(), `select exists (select from pg_locks
						where not granted and $1 = any(pg_blocking_pids(pid)))`, tx.Conn().PgConn().PID()).
						Scan(&waiting)
					if err != nil {
						return err
					}
				}
				_, err := tx.Exec(t.Context(), "delete from rowhouse.session where person_id = $1", b.person)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-done; problem.KindOf(err) != problem.KindUnauthenticated {
				t.Errorf("made in spite of the end: %v", err)
			}
			if keys, err := b.List(t.Context(), b.person); err != nil || len(keys) != 1 {
				t.Errorf("%d keys, %v", len(keys), err)
			}
		})
	}
}

// Seen to fail without: the condition on Reauthenticated in mint.
func TestAKeyWithoutEndNeedsThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	session := b.session(t)
	endless, _ := b.create(t) // created by an operator, without a session
	ending, _ := b.create(t, func(d *Draft) { d.ExpiresAt = time.Now().Add(time.Hour) })
	draft := Draft{Person: b.person, Session: session, Name: "Key", Scopes: []authz.Scope{authz.DataRead}}
	refused := func(err error) bool {
		var e *problem.Error
		return errors.As(err, &e) && e.Code == "password_required" && len(e.Items) == 1 && e.Items[0].Path == "password"
	}
	for name, expires := range map[string]time.Time{"never": {}, "in ten years": time.Now().AddDate(10, 0, 0)} {
		draft.ExpiresAt = expires
		draft.Reauthenticated = false
		if _, _, err := b.Create(t.Context(), draft); !refused(err) {
			t.Errorf("%s: %v", name, err)
		}
		draft.Reauthenticated = true
		if _, _, err := b.Create(t.Context(), draft); err != nil {
			t.Errorf("%s, with the password: %v", name, err)
		}
	}
	draft.Reauthenticated, draft.ExpiresAt = false, time.Now().AddDate(0, 0, 365)
	if _, _, err := b.Create(t.Context(), draft); err != nil {
		t.Errorf("in a year: %v", err)
	}
	rotation := Rotation{Person: b.person, Session: session, Key: endless.ID}
	if _, _, err := b.Rotate(t.Context(), rotation); !refused(err) {
		t.Errorf("rotating a key without end: %v", err)
	}
	rotation.Reauthenticated = true
	if _, _, err := b.Rotate(t.Context(), rotation); err != nil {
		t.Error(err)
	}
	if _, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Session: session, Key: ending.ID}); err != nil {
		t.Errorf("rotating a key with an end: %v", err)
	}
}

func TestPersonIsNotifiedOfEveryKeyChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var notices []credential.Change
	b.notify = func(_ context.Context, _ pgx.Tx, person uuid.UUID, change credential.Change, about string) error {
		if person != b.person || about != "Test" {
			t.Errorf("%v of %q was sent to %v", change, about, person)
		}
		notices = append(notices, change)
		return nil
	}
	key, _ := b.create(t)
	next, _, err := b.Rotate(t.Context(), Rotation{Person: b.person, Key: key.ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Revoke(t.Context(), b.person, next.ID); err != nil {
		t.Fatal(err)
	}
	if len(notices) != 3 || notices[0] != credential.KeyCreated || notices[1] != credential.KeyRotated ||
		notices[2] != credential.KeyRevoked {
		t.Errorf("notified of %v", notices)
	}
}
