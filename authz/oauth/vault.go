package oauth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
)

// A vault holds what is derived from the configuration's secrets: the first seals and signs, every one opens and verifies.
type vault struct {
	seals []cipher.AEAD
	macs  [][]byte
}

func newVault(secrets [][]byte) (vault, error) {
	var v vault
	if len(secrets) == 0 {
		return v, errors.New("the authorization server needs a secret of at least 32 random bytes")
	}
	for i, secret := range secrets {
		if len(secret) < 32 {
			return v, fmt.Errorf("secret %d of the authorization server has %d bytes; it needs at least 32", i+1, len(secret))
		}
		sealing, err := hkdf.Key(sha256.New, secret, nil, "rowhouse oauth signing key encryption", 32)
		if err != nil {
			return v, fmt.Errorf("deriving the encryption key: %w", err)
		}
		block, err := aes.NewCipher(sealing)
		if err != nil {
			return v, fmt.Errorf("preparing the cipher: %w", err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return v, fmt.Errorf("preparing the cipher: %w", err)
		}
		signing, err := hkdf.Key(sha256.New, secret, nil, "rowhouse oauth token authentication", 32)
		if err != nil {
			return v, fmt.Errorf("deriving the authentication key: %w", err)
		}
		v.seals, v.macs = append(v.seals, aead), append(v.macs, signing)
	}
	return v, nil
}

// seal encrypts; label is bound to the result.
func (v vault) seal(plain []byte, label string) []byte {
	return v.seals[0].Seal(nil, nil, plain, []byte(label)) //nolint:gosec // NewGCMWithRandomNonce makes the nonce
}

// open undoes seal, under any of the secrets.
func (v vault) open(sealed []byte, label string) ([]byte, error) {
	for _, aead := range v.seals {
		if plain, err := aead.Open(nil, nil, sealed, []byte(label)); err == nil {
			return plain, nil
		}
	}
	return nil, fmt.Errorf("%s was encrypted with a secret that is not configured", label)
}

// mac authenticates data.
func (v vault) mac(data []byte) []byte { return macWith(v.macs[0], data) }

// verify reports whether mac is of data, under any of the secrets.
func (v vault) verify(data, mac []byte) bool {
	for _, key := range v.macs {
		if hmac.Equal(macWith(key, data), mac) {
			return true
		}
	}
	return false
}

func macWith(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(data)
	return h.Sum(nil)
}

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
