package field

import (
	"math/rand/v2"
	"strings"
)

var _ = Register(newRank())

// A rank is the place of a record in an order that people make by hand: a key that is compared byte by byte. A record
// without a key has the place of its id, so an order that begins, and each new record, needs no write: it comes behind
// the records that were created before it.
type rank struct{ Base }

func newRank() *rank {
	return &rank{Base{Info{
		Type: "rank", Place: 260, Title: "Manual order",
		Description: "Where a record stands in an order that people make by moving records in a view.",
		Value:       `{"type":["string","null"]}`, Column: "text", ReadOnly: true, Unlisted: true, NoDefault: true,
		ApplicationOnly: true, Ungrouped: true, Unbounded: true,
	}}}
}

// Select is the column.
func (*rank) Select(f *Field) string { return f.column() }

// Encoder writes the key.
func (*rank) Encoder(*Field, FileLinks) Encoder { return AppendString[[]byte] }

// Plain is nothing, because nobody but the service knows what keys mean.
func (*rank) Plain(*Field) string { return "" }

// Order is the key, or the id in hexadecimal digits.
func (*rank) Order(f *Field, column string) string {
	return "coalesce(" + column + ", encode(uuid_send(" + strings.TrimSuffix(column, f.Column()) +
		`id), 'hex')) collate "C"`
}

// SortKey is the key.
func (*rank) SortKey(raw []byte) (any, bool) {
	for _, digit := range raw {
		if !strings.ContainsRune(RankDigits, rune(digit)) {
			return nil, false
		}
	}
	return string(raw), true
}

// RankDigits are the digits of keys, in their order. Those of ids are among them.
const RankDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// MaxRank bounds a key, in digits. Keys get longer by one when about six records are put into the same gap one behind
// another.
const MaxRank = 2000

// RanksBetween returns n ascending keys behind low and before high, which is greater; "" is no bound. It returns nil if
// there is no room for them, or they would be longer than MaxRank.
//
// Their digits are drawn, so that keys which two people give at once are seldom the same.
func RanksBetween(low, high string, n int) []string {
	keys := make([]string, n)
	room := true
	var fill func(low, high string, keys []string)
	fill = func(low, high string, keys []string) {
		if len(keys) == 0 || !room {
			return
		}
		middle := len(keys) / 2
		key := rankBetween(low, high)
		room = key != "" && len(key) <= MaxRank
		keys[middle] = key
		fill(low, key, keys[:middle])
		fill(key, high, keys[middle+1:])
	}
	if fill(low, high, keys); !room {
		return nil
	}
	return keys
}

// rankBetween returns a key between two that does not end with the lowest digit, because there would be no room before
// it; "" if there is none.
func rankBetween(low, high string) string {
	var key strings.Builder
	for i, bounded := 0, high != ""; !bounded || i < len(high); i++ {
		from, to := 0, len(RankDigits)
		if i < len(low) {
			from = strings.IndexByte(RankDigits, low[i])
		}
		if bounded {
			to = strings.IndexByte(RankDigits, high[i])
		}
		if to-from > 1 {
			key.WriteByte(RankDigits[from+1+rand.IntN(to-from-1)]) //nolint:gosec // no secret
			return key.String()
		}
		key.WriteByte(RankDigits[from])
		bounded = bounded && from == to
	}
	return ""
}
