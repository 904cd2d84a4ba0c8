package account_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestExpiredSessionsAndMailedTokensAreRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person, _ := b.signUp(t)
	br := &browser{}
	b.begin(t, br, person)
	b.begin(t, &browser{}, person)
	rows := func() (sessions, tokens int) {
		t.Helper()
		err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), `select (select count(*) from rowhouse.session where person_id = $1),
				(select count(*) from rowhouse.mailed_token where person_id = $1 and email = 'x@example.com')`,
				person).Scan(&sessions, &tokens)
		})
		if err != nil {
			t.Fatal(err)
		}
		return sessions, tokens
	}
	expire := func(statements ...string) {
		t.Helper()
		err := b.DB.SystemTx(t.Context(), func(tx pgx.Tx) error {
			for _, statement := range statements {
				if _, err := tx.Exec(t.Context(), statement, person); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	expire( // The token of the sign-up's own mail, which a job makes meanwhile, is not counted.
		`insert into rowhouse.mailed_token (token_hash, person_id, purpose, email, expires_at)
			select sha256(($1::uuid::text || i)::bytea), $1, 'reset', 'x@example.com', now() - i * interval '5 days'
			from generate_series(0, 2) i`,
		`update rowhouse.session set expires_at = now() - interval '1 second'
			where id = (select id from rowhouse.session where person_id = $1 order by id limit 1)`)
	if sessions, tokens := rows(); sessions != 2 || tokens != 3 {
		t.Fatalf("%d sessions and %d tokens to begin with", sessions, tokens)
	}
	if err := b.SweepExpired(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sessions, tokens := rows(); sessions != 1 || tokens != 2 { // a token is kept for a week after it expired
		t.Errorf("%d sessions and %d tokens are left", sessions, tokens)
	}
}
