package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/rowhouse/rowhouse/authz/seal"
)

// A vault holds what is derived from the configuration's secrets: the first seals and signs, every one opens and verifies.
type vault struct{ keys seal.Keys }

func newVault(secrets [][]byte) (vault, error) {
	if len(secrets) == 0 {
		return vault{}, errors.New("the authorization server needs a secret of at least 32 random bytes")
	}
	for i, secret := range secrets {
		if len(secret) < 32 {
			return vault{}, fmt.Errorf("secret %d of the authorization server has %d bytes; it needs at least 32", i+1, len(secret))
		}
	}
	keys, err := seal.New(secrets, "rowhouse oauth signing key encryption", "rowhouse oauth token authentication")
	return vault{keys}, err
}

// seal encrypts; label is bound to the result.
func (v vault) seal(plain []byte, label string) []byte { return v.keys.Seal(plain, label) }

// open undoes seal, under any of the secrets.
func (v vault) open(sealed []byte, label string) ([]byte, error) { return v.keys.Open(sealed, label) }

// mac authenticates data.
func (v vault) mac(data []byte) []byte { return v.keys.MAC(data) }

// verify reports whether mac is of data, under any of the secrets.
func (v vault) verify(data, mac []byte) bool { return v.keys.Verify(data, mac) }

func macWith(key, data []byte) []byte { return seal.MACWith(key, data) }

// random returns n bytes that nobody can guess.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

func hash(secret []byte) []byte {
	sum := sha256.Sum256(secret)
	return sum[:]
}
