package migrations_test

import (
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Another SECRET_KEY is reported at start, and does not show as missing rows.
func TestWrongSecretKeyIsReported(t *testing.T) {
	t.Parallel()
	url := tenancytest.FreshDatabaseURL(t)
	for i, secret := range []string{tenancytest.Secret, "another secret of more than 32 bytes"} {
		database, err := db.Open(t.Context(), url, db.Options{MaxConns: 3, Secrets: [][]byte{[]byte(secret)}})
		if err != nil {
			t.Fatal(err)
		}
		err = database.CheckIsolation(t.Context())
		database.Close()
		if failed := err != nil; failed != (i == 1) {
			t.Errorf("secret %d: %v", i, err)
		}
	}
}
