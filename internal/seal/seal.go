// Package seal encrypts and authenticates small values with keys derived from the configured
// secrets. The first secret encrypts and signs; all of them decrypt and verify, so that a secret
// can be rotated.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
)

// Keys are the keys for one purpose, one pair per secret.
type Keys struct {
	seals []cipher.AEAD
	macs  [][]byte
}

// New derives the keys with HKDF-SHA-256 (RFC 5869). encryption and authentication are the HKDF
// info strings: different strings give independent keys. At least one secret is required.
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

// Seal encrypts with AES-256-GCM; label is authenticated with the result and must be given to Open.
func (k Keys) Seal(plain []byte, label string) []byte {
	return k.seals[0].Seal(nil, nil, plain, []byte(label)) //nolint:gosec // NewGCMWithRandomNonce generates the nonce
}

// Fingerprint identifies the first secret, with which Seal encrypts, and reveals nothing of it.
func (k Keys) Fingerprint() []byte { return k.MAC([]byte("fingerprint"))[:8] }

// Open decrypts the result of Seal, with any of the secrets.
func (k Keys) Open(sealed []byte, label string) ([]byte, error) {
	for _, aead := range k.seals {
		if plain, err := aead.Open(nil, nil, sealed, []byte(label)); err == nil {
			return plain, nil
		}
	}
	return nil, fmt.Errorf("%s was encrypted with a secret that is not configured", label)
}

// MAC returns the HMAC-SHA-256 of data under the first secret.
func (k Keys) MAC(data []byte) []byte { return MACWith(k.macs[0], data) }

// Verify reports whether mac is the MAC of data under any of the secrets.
func (k Keys) Verify(data, mac []byte) bool {
	for _, key := range k.macs {
		if hmac.Equal(MACWith(key, data), mac) {
			return true
		}
	}
	return false
}

// MACWith returns the HMAC-SHA-256 of data under the given key.
func MACWith(key, data []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write(data) // never fails
	return h.Sum(nil)
}
