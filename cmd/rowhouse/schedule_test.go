package main

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestAServiceDoesItsRecurringJobs(t *testing.T) {
	t.Parallel()
	c := testConfig(t)
	c.DatabaseURL = tenancytest.FreshDatabaseURL(t)
	c.AttachmentURL = "file://" + t.TempDir()
	s, err := open(t.Context(), &c, silent(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	want := []string{
		"account_sweep", "answer_sweep", "attachment_sweep", "backup_begin", "comment_sweep", "computed_sweep",
		"history_purge",
		"oauth_key_rotation", "oauth_sweep", "organization_key_reseal", "transfer_sweep",
		"trash_purge",
	}
	var done, other []string
	for until := time.Now().Add(time.Minute); !slices.Equal(done, want); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("done are %v and not %v", done, other)
		}
		err := s.db.SystemTx(t.Context(), func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(),
				`select coalesce(array_agg(kind order by kind) filter (where state = 'completed'), '{}'),
				coalesce(array_agg(kind || ' ' || state || ' ' || coalesce(errors[1]::text,
				'')) filter (where state <> 'completed'), '{}')
				from river.river_job`).Scan(&done, &other)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
