package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/rowhouse/rowhouse/internal/seal"
)

// A vault encrypts and authenticates with keys derived from the configured secrets: the first
// encrypts and signs, all decrypt and verify.
type vault struct{ keys seal.Keys }

func newVault(secrets [][]byte) (vault, error) {
	if len(secrets) == 0 {
		return vault{}, errors.New("the authorization server needs a secret of at least 32 random bytes")
	}
	for i, secret := range secrets {
		if len(secret) < 32 {
			return vault{}, fmt.Errorf("secret %d of the authorization server has %d bytes; it needs at least 32",
				i+1, len(secret))
		}
	}
	keys, err := seal.New(secrets, "rowhouse oauth signing key encryption", "rowhouse oauth token authentication")
	return vault{keys}, err
}

// seal encrypts; label is authenticated with the result.
func (v vault) seal(plain []byte, label string) []byte { return v.keys.Seal(plain, label) }

// open decrypts the result of seal, with any of the secrets.
func (v vault) open(sealed []byte, label string) ([]byte, error) { return v.keys.Open(sealed, label) }

// mac returns the MAC of data under the first secret.
func (v vault) mac(data []byte) []byte { return v.keys.MAC(data) }

// verify reports whether mac is the MAC of data under any of the secrets.
func (v vault) verify(data, mac []byte) bool { return v.keys.Verify(data, mac) }

func macWith(key, data []byte) []byte { return seal.MACWith(key, data) }

// random returns n cryptographically random bytes.
func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

func hash(secret []byte) []byte {
	sum := sha256.Sum256(secret)
	return sum[:]
}
