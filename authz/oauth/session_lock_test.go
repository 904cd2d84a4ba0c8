package oauth

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// The session of a request may end before the grant is stored. Fails without the session lock in
// grantStore.create.
func TestEndedSessionCreatesNoGrant(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	form := b.authorize(b.authorization(client), "ada").inputs(t)
	form.Set("decision", "allow")
	b.sessions.endBeforeLock = true
	if a := b.form("/oauth/consent", form, as("ada")); a.status == http.StatusSeeOther {
		t.Errorf("redirected to %s", a.header.Get("Location"))
	}
	if n := b.count("oauth_grant where person_id = '" + b.person.String() + "'"); n != 0 {
		t.Errorf("%d grants", n)
	}
	if n := b.count("oauth_consent where person_id = '" + b.person.String() + "'"); n != 0 {
		t.Errorf("%d consents are remembered", n)
	}
}

// Fails without RevokeCodes for the first code, and without the session lock in redeemSealed for
// the second.
func TestUnredeemedCodesEndWithThePersonsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	client := b.newClient()
	kept, _ := b.tokens(client)
	other := b.newClient()
	stored, sealed := b.code(other), b.code(client) // other requires consent, client has a remembered one
	err := b.db.SystemTx(t.Context(), func(tx pgx.Tx) error {
		if err := credential.LockPerson(t.Context(), tx, b.person); err != nil {
			return err
		}
		return b.s.RevokeCodes(t.Context(), tx, b.person)
	})
	if err != nil {
		t.Fatal(err)
	}
	b.sessions.endBeforeLock = true
	b.wantError(b.form("/oauth/token", b.redemption(other, stored)), http.StatusBadRequest, "invalid_grant")
	b.wantError(b.form("/oauth/token", b.redemption(client, sealed)), http.StatusBadRequest, "invalid_grant")
	if !b.accepts(kept) {
		t.Error("an app that was connected before no longer works")
	}
}

// Another transaction ends the session while a credential is being created. Fails without the lock
// on the person in credential.QueueSessionLock, and with the lock and the check of the session in
// one statement, whose snapshot predates the end.
func TestCreatingACredentialWaitsForTheEndOfTheSession(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(b *bundle) (path string, form url.Values){
		"a consent": func(b *bundle) (string, url.Values) {
			form := b.authorize(b.authorization(b.newClient()), "ada").inputs(b.t)
			form.Set("decision", "allow")
			return "/oauth/consent", form
		},
		"a sealed code": func(b *bundle) (string, url.Values) {
			client := b.newClient()
			return "/oauth/token", b.redemption(client, b.rememberedCode(client))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			admin := tenancytest.Admin(t)
			b := setup(t)
			path, form := prepare(b)
			before := b.count("oauth_grant where person_id = '" + b.person.String() + "' and revoked_at is null")
			answered := make(chan answer, 1)
			err := b.db.SystemTx(t.Context(), func(tx pgx.Tx) error {
				if err := credential.LockPerson(t.Context(), tx, b.person); err != nil {
					return err
				}
				go func() { answered <- b.form(path, form, as("ada")) }()
				for waiting := false; !waiting; {
					if len(answered) > 0 {
						return nil // it did not wait; reported below
					}
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
			if a := <-answered; a.status < 400 || a.status >= 500 {
				t.Errorf("%d %s %s", a.status, a.header.Get("Location"), a.text)
			}
			after := b.count("oauth_grant where person_id = '" + b.person.String() + "' and revoked_at is null")
			if after != before {
				t.Errorf("%d grants instead of %d", after, before)
			}
		})
	}
}

func TestPersonIsNotifiedOfConnectedAndDisconnectedApps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var notices []credential.Change
	b.s.notify = func(person uuid.UUID, change credential.Change, about string) {
		if person != b.person {
			t.Errorf("%v of %q was sent to %v", change, about, person)
		}
		notices = append(notices, change)
	}
	access, _ := b.tokens(b.newClient())
	apps, err := b.s.Apps(t.Context(), b.person)
	if err != nil || len(apps) != 1 {
		t.Fatal(apps, err)
	}
	if err := b.s.RevokeApp(t.Context(), b.person, apps[0].ID); err != nil {
		t.Fatal(err)
	}
	if b.accepts(access) || len(notices) != 2 || notices[0] != credential.AppConnected ||
		notices[1] != credential.AppDisconnected {
		t.Errorf("notified of %v", notices)
	}
	if err := b.s.RevokeApp(t.Context(), uuid.New(), apps[0].ID); problem.KindOf(err) != problem.KindNotFound {
		t.Error(err)
	}
}
