package seal

import (
	"bytes"
	"encoding/hex"
	"testing"
)

func keys(t *testing.T, secrets ...string) Keys {
	t.Helper()
	var raw [][]byte
	for _, secret := range secrets {
		raw = append(raw, []byte(secret))
	}
	k, err := New(raw, "test encryption", "test authentication")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestValuesOfAFormerSecretRemainValid(t *testing.T) {
	t.Parallel()
	before, after, other := keys(t, "first"), keys(t, "second", "first"), keys(t, "third")
	sealed, mac := before.Seal([]byte("plain"), "label"), before.MAC([]byte("data"))
	if plain, err := after.Open(sealed, "label"); err != nil || !bytes.Equal(plain, []byte("plain")) {
		t.Errorf("%q, %v", plain, err)
	}
	if !after.Verify([]byte("data"), mac) {
		t.Error("the MAC of a former secret is rejected")
	}
	if _, err := after.Open(sealed, "another label"); err == nil {
		t.Error("another label opens it")
	}
	if _, err := other.Open(sealed, "label"); err == nil || other.Verify([]byte("data"), mac) ||
		after.Verify([]byte("datum"), mac) {
		t.Error("another secret or other data is accepted")
	}
}

// Stored values depend on this derivation, so it must not change.
func TestKeyDerivationIsStable(t *testing.T) {
	t.Parallel()
	if got := hex.EncodeToString(
		keys(t, "first").MAC([]byte("data")),
	); got != "98f6320e313e4f4114c4c9d7832091e6aba18adaf460ccb86cc11349e33b7d89" {
		t.Error(got)
	}
}
