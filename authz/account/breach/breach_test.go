package breach

import (
	"crypto/rand"
	"encoding/binary"
	"testing"
)

func TestContainsKnowsCommonPasswords(t *testing.T) {
	t.Parallel()
	if n := len(list) / width; n < 98_000 || len(list)%width != 0 {
		t.Errorf("%d passwords", n)
	}
	for at := width; at < len(list); at += width {
		if binary.BigEndian.Uint32(list[at-width:]) >= binary.BigEndian.Uint32(list[at:]) {
			t.Fatalf("not sorted at %d", at)
		}
	}
	for _, password := range []string{
		"1234567890", "qwertyuiop", "QwertyUIOP", "q1w2e3r4t5", "nikita2003", "toutounette",
	} {
		if !Contains(password) {
			t.Errorf("%q is not known", password)
		}
	}
	taken := 0
	for range 20_000 {
		if Contains(rand.Text()) {
			taken++
		}
	}
	if taken > 10 {
		t.Errorf("%d of 20,000 random passwords are mistaken for common ones", taken)
	}
}
