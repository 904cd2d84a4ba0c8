package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// Bounds of client keys. An attacker may register a key and make this server compute with it, so
// the length of a key is checked before it is decoded.
const (
	maxClientKeys = 10
	minModulus    = 2048 // bits
	maxModulus    = 4096 // bits
	rsaExponent   = 65537
	maxKeyID      = 256 // bytes
)

// acceptedKeys describes the accepted keys in error messages.
const acceptedKeys = "RSA of 2048 to 4096 bits with the exponent 65537, P-256, P-384 or Ed25519"

// A clientKeySet is a JSON Web Key Set (RFC 7517 section 5).
type clientKeySet struct {
	Keys []clientKey `json:"keys"`
}

// A clientKey is a public JSON Web Key (RFC 7517 section 4). Other members are dropped.
type clientKey struct {
	Type      string `json:"kty"`
	Use       string `json:"use,omitempty"`
	Algorithm string `json:"alg,omitempty"`
	ID        string `json:"kid,omitempty"`
	Curve     string `json:"crv,omitempty"`
	X         string `json:"x,omitempty"`
	Y         string `json:"y,omitempty"`
	N         string `json:"n,omitempty"`
	E         string `json:"e,omitempty"`

	Private json.RawMessage `json:"d,omitempty"` // decoded only to reject it
	Secret  json.RawMessage `json:"k,omitempty"` // likewise
}

// validate rejects a set with too many keys or with a key that is not accepted. The error names the
// key.
func (s *clientKeySet) validate() error {
	if len(s.Keys) == 0 || len(s.Keys) > maxClientKeys {
		return fmt.Errorf("keys must list 1 to %d keys", maxClientKeys)
	}
	for i := range s.Keys {
		if _, err := s.Keys[i].publicKey(); err != nil {
			return fmt.Errorf("keys[%d] %w", i, err)
		}
	}
	return nil
}

// readKeySet parses a fetched key set. It ignores keys that are not accepted, as RFC 7517 section 5
// advises, and requires at least one accepted key.
func readKeySet(text []byte) (*clientKeySet, error) {
	var set clientKeySet
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, errors.New("it is not a JSON Web Key Set")
	}
	if len(set.Keys) > maxClientKeys {
		return nil, fmt.Errorf("it has more than %d keys", maxClientKeys)
	}
	set.Keys = slices.DeleteFunc(set.Keys, func(key clientKey) bool {
		_, err := key.publicKey()
		return err != nil
	})
	if len(set.Keys) == 0 {
		return nil, fmt.Errorf("it has no key that is accepted: %s", acceptedKeys)
	}
	return &set, nil
}

// publicKey returns the decoded key, or an error that says what is wrong with it. It does no
// arithmetic with a key out of bounds.
func (k *clientKey) publicKey() (crypto.PublicKey, error) {
	if k.Private != nil || k.Secret != nil {
		return nil, errors.New("must be a public key")
	}
	if len(k.ID) > maxKeyID || strings.ContainsFunc(k.ID, unicode.IsControl) {
		return nil, fmt.Errorf("must have a kid of at most %d bytes, without control characters", maxKeyID)
	}
	if k.Use != "" && k.Use != "sig" {
		return nil, errors.New("must be for signatures (use: sig)")
	}
	if k.Algorithm != "" && !slices.Contains(k.algorithms(), k.Algorithm) {
		return nil, fmt.Errorf("names an algorithm that is not one for its kind; the keys accepted are %s",
			acceptedKeys)
	}
	switch {
	case k.Type == "RSA":
		return k.rsaKey()
	case k.Type == "EC" && k.Curve == "P-256":
		return k.ecKey(elliptic.P256(), 32)
	case k.Type == "EC" && k.Curve == "P-384":
		return k.ecKey(elliptic.P384(), 48)
	case k.Type == "OKP" && k.Curve == "Ed25519":
		x, ok := decodeMember(k.X, ed25519.PublicKeySize)
		if !ok || len(x) != ed25519.PublicKeySize {
			return nil, errors.New("must have an x of 32 bytes in base64url")
		}
		return ed25519.PublicKey(x), nil
	}
	return nil, fmt.Errorf("must be %s", acceptedKeys)
}

func (k *clientKey) rsaKey() (crypto.PublicKey, error) {
	wrong := fmt.Errorf("must be %s", acceptedKeys)
	n, ok := decodeMember(k.N, maxModulus/8+1) // some encoders add a leading zero byte
	if !ok {
		return nil, wrong
	}
	e, ok := decodeMember(k.E, 4)
	if !ok || new(big.Int).SetBytes(e).Cmp(big.NewInt(rsaExponent)) != 0 {
		return nil, wrong
	}
	modulus := new(big.Int).SetBytes(n)
	if bits := modulus.BitLen(); bits < minModulus || bits > maxModulus || modulus.Bit(0) == 0 {
		return nil, wrong
	}
	return &rsa.PublicKey{N: modulus, E: rsaExponent}, nil
}

func (k *clientKey) ecKey(curve elliptic.Curve, size int) (crypto.PublicKey, error) {
	x, okX := decodeMember(k.X, size)
	y, okY := decodeMember(k.Y, size)
	if !okX || !okY || len(x) != size || len(y) != size {
		return nil, fmt.Errorf("must have an x and a y of %d bytes in base64url", size)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(curve, slices.Concat([]byte{4}, x, y)) // SEC 1 section 2.3.3
	if err != nil {
		return nil, errors.New("must be a point of its curve")
	}
	return key, nil
}

// algorithms returns the signature algorithms for a key of this type (RFC 7518 section 3.1, RFC
// 8037 section 3.1).
func (k *clientKey) algorithms() []string {
	switch {
	case k.Type == "RSA":
		return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}
	case k.Type == "EC" && k.Curve == "P-256":
		return []string{"ES256"}
	case k.Type == "EC" && k.Curve == "P-384":
		return []string{"ES384"}
	case k.Type == "OKP" && k.Curve == "Ed25519":
		return []string{"EdDSA"}
	}
	return nil
}

// verificationKeys returns the keys that may have made a signature with this algorithm and key id;
// an empty key id matches every key.
func (s *clientKeySet) verificationKeys(algorithm, keyID string) []crypto.PublicKey {
	var found []crypto.PublicKey
	for i := range s.Keys {
		key := &s.Keys[i]
		if keyID != "" && key.ID != keyID || key.Algorithm != "" && key.Algorithm != algorithm {
			continue
		}
		if !slices.Contains(key.algorithms(), algorithm) {
			continue
		}
		// Sets may have been stored before keys were bounded.
		if public, err := key.publicKey(); err == nil && len(found) < maxClientKeys {
			found = append(found, public)
		}
	}
	return found
}

// decodeMember decodes a base64url member of at most maxBytes, and checks its length before
// decoding.
func decodeMember(text string, maxBytes int) ([]byte, bool) {
	text = strings.TrimRight(text, "=")
	if text == "" || len(text) > base64url.EncodedLen(maxBytes) {
		return nil, false
	}
	raw, err := base64url.DecodeString(text)
	return raw, err == nil
}
