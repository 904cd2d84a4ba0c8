package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// A Hash makes a Digest of parts. It includes their lengths, so that different lists of parts have
// different digests.
type Hash struct{ hash hash.Hash }

// NewHash returns a hash of parts.
func NewHash(parts ...string) *Hash {
	h := &Hash{sha256.New()}
	h.Write(parts...)
	return h
}

// Write adds parts.
func (h *Hash) Write(parts ...string) {
	for _, part := range parts {
		h.WriteNumber(int64(len(part)))
		h.hash.Write([]byte(part)) // writing to a hash never fails
	}
}

// WriteNumber adds a number.
func (h *Hash) WriteNumber(n int64) {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(n)) //nolint:gosec // any 64 bits will do
	h.hash.Write(raw[:])
}

// Digest returns the digest of what was written.
func (h *Hash) Digest() Digest { return Digest(h.hash.Sum(nil)[:len(Digest{})]) }
