// Package seal encrypts and authenticates small values with keys that are derived from the secrets of the
// configuration. The first secret seals and signs; every one opens and verifies, so that a secret can be replaced.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// Keys are derived from the secrets for one purpose.
type Keys struct {
	seals []cipher.AEAD
	macs  [][]byte
}

// New derives the keys. encryption and authentication name what they are for: keys with other names differ. There
// must be at least one secret.
func New(secrets [][]byte, encryption, authentication string) (Keys, error) {
	var k Keys
	for _, secret := range secrets {
		sealing, err := hkdf.Key(sha256.New, secret, nil, encryption, 32)
		if err != nil {
			return k, fmt.Errorf("deriving the key of %s: %w", encryption, err)
		}
		block, err := aes.NewCipher(sealing)
		if err != nil {
			return k, fmt.Errorf("preparing the cipher of %s: %w", encryption, err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return k, fmt.Errorf("preparing the cipher of %s: %w", encryption, err)
		}
		signing, err := hkdf.Key(sha256.New, secret, nil, authentication, 32)
		if err != nil {
			return k, fmt.Errorf("deriving the key of %s: %w", authentication, err)
		}
		k.seals, k.macs = append(k.seals, aead), append(k.macs, signing)
	}
	return k, nil
}

// Seal encrypts; label is bound to the result.
func (k Keys) Seal(plain []byte, label string) []byte {
	return k.seals[0].Seal(nil, nil, plain, []byte(label)) //nolint:gosec // NewGCMWithRandomNonce makes the nonce
}

// Open undoes Seal, under any of the secrets.
func (k Keys) Open(sealed []byte, label string) ([]byte, error) {
	for _, aead := range k.seals {
		if plain, err := aead.Open(nil, nil, sealed, []byte(label)); err == nil {
			return plain, nil
		}
	}
	return nil, fmt.Errorf("%s was encrypted with a secret that is not configured", label)
}

// MAC authenticates data.
func (k Keys) MAC(data []byte) []byte { return MACWith(k.macs[0], data) }

// Verify reports whether mac is of data, under any of the secrets.
func (k Keys) Verify(data, mac []byte) bool {
	for _, key := range k.macs {
		if hmac.Equal(MACWith(key, data), mac) {
			return true
		}
	}
	return false
}

// MACWith is the HMAC-SHA-256 of data under a key that the caller has.
func MACWith(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(data) // never fails
	return h.Sum(nil)
}
