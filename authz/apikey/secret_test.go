package apikey

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWellFormedAcceptsKeysAndRejectsSingleByteErrors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := newSecret()
		if len(secret) != 40 || !strings.HasPrefix(secret, "rhk_") || !WellFormed(secret) {
			t.Fatalf("%q is not well formed", secret)
		}
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		with := rapid.Byte().Draw(t, "with")
		if with == secret[at] {
			return
		}
		// CRC-32 detects every burst error of up to 32 bits, so every single wrong character.
		if changed := secret[:at] + string(with) + secret[at+1:]; WellFormed(changed) {
			t.Fatalf("%q passes with character %d changed", changed, at)
		}
		if cut := secret[:at]; WellFormed(cut) {
			t.Fatalf("%q passes", cut)
		}
	})
}

func TestChecksumDetectsSwappedCharacters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := []byte(newSecret())
		at := rapid.IntRange(4, len(secret)-2).Draw(t, "at")
		if secret[at] == secret[at+1] {
			return
		}
		secret[at], secret[at+1] = secret[at+1], secret[at]
		if WellFormed(string(secret)) {
			t.Fatalf("%q passes with characters %d and %d swapped", secret, at, at+1)
		}
	})
}

// Secret scanners compute the checksum themselves, so it must not change.
func TestChecksumMatchesTheDocumentedExample(t *testing.T) {
	t.Parallel()
	const body = "0123456789ABCDEFGHIJabcdefghij"
	if got := checksum(body); got != "4Us3aw" {
		t.Fatalf("checksum(%q) = %q", body, got)
	}
}

func TestSecretCharactersAreUniformlyDistributed(t *testing.T) {
	t.Parallel()
	seen := map[rune]int{}
	for range 4000 {
		for _, c := range newSecret()[4:34] {
			seen[c]++
		}
	}
	for _, c := range base62 {
		if n := seen[c]; n < 1600 || n > 2300 { // 120,000 / 62 = 1,935; eight standard deviations are 350
			t.Errorf("%q occurs %d times", c, n)
		}
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add("rhk_")
	f.Add(newSecret())
	f.Fuzz(func(t *testing.T, s string) {
		if WellFormed(s) && len(s) != secretLen {
			t.Fatalf("%q passes", s)
		}
	})
}
