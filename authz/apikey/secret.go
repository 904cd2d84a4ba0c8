package apikey

import (
	"crypto/rand"
	"hash/crc32"
	"strings"
)

const (
	// Prefix begins every key, so that secret scanners recognize a leaked one.
	Prefix = "rhk_"

	randomLen   = 30
	checksumLen = 6
	secretLen   = len(Prefix) + randomLen + checksumLen

	shownPrefix = len(Prefix) + 4
	shownSuffix = 4
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// newSecret generates the value of a key: Prefix, 30 random base62 characters (178 bits), and 6
// base62 characters of their CRC-32 (IEEE), most significant first.
func newSecret() string {
	var body [randomLen]byte
	for i := 0; i < randomLen; {
		var random [randomLen * 2]byte
		_, _ = rand.Read(random[:]) // never fails
		for _, b := range random {
			// Only 248 of the 256 byte values are used, so that all characters are equally likely.
			if b < 248 && i < randomLen {
				body[i] = base62[b%62]
				i++
			}
		}
	}
	return Prefix + string(body[:]) + checksum(string(body[:]))
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var digits [checksumLen]byte
	for i := checksumLen - 1; i >= 0; i-- {
		digits[i] = base62[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

// WellFormed reports whether a string has the format of a key, including its checksum. It rejects a
// mistyped or truncated key without a look-up.
func WellFormed(secret string) bool {
	body, ok := strings.CutPrefix(secret, Prefix)
	if !ok || len(secret) != secretLen {
		return false
	}
	for i := range len(body) {
		if c := body[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return checksum(body[:randomLen]) == body[randomLen:]
}
