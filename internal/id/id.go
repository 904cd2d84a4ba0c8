// Package id formats and parses public identifiers. An identifier is a prefix that names the type,
// an underscore, and lower-case Crockford base32 of a UUIDv7. The identifier of a record or a comment
// also contains the number of its table, so that it is found without a look-up. Identifiers are
// not secrets, except those of shares. The package knows nothing of storage.
package id

import (
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Kind is the prefix of an identifier, without its underscore.
type Kind string

// The types with an identifier.
const (
	Org        Kind = "org"
	Workspace  Kind = "wsp"
	Base       Kind = "bas"
	Table      Kind = "tbl"
	Field      Kind = "fld"
	View       Kind = "viw"
	Record     Kind = "rec"
	User       Kind = "usr"
	Key        Kind = "key"
	Invitation Kind = "inv"
	Share      Kind = "shr"
	Session    Kind = "ses"
	Client     Kind = "cli"
	Grant      Kind = "grt"
	Attachment Kind = "att"
	Event      Kind = "evt" // of the audit log
	ChangeSet  Kind = "chs"
	Column     Kind = "col" // the former column of a field, in the trash
	Webhook    Kind = "whk"
	Delivery   Kind = "dlv" // of a webhook
	Comment    Kind = "cmt"
	Notice     Kind = "ntc" // in a person's inbox
	Group      Kind = "grp" // of people
	Job        Kind = "job"
	Backup     Kind = "bkp" // of a base
	Dashboard  Kind = "dsh"
	Request    Kind = "req" // unless the caller names its request
)

// ErrMalformed is returned for a string that is not an identifier of the wanted kind.
var ErrMalformed = errors.New("malformed identifier")

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const (
	plainLen   = 26 // 128 bits
	inTableLen = 32 // 32 bits of table number and 128 bits
)

// Before returns a bound below what New returns from a time on, and above what it returned a millisecond earlier.
func Before(t time.Time) uuid.UUID {
	var u uuid.UUID
	ms := uint64(t.UnixMilli())
	binary.BigEndian.PutUint64(u[:8], ms<<16)
	return u
}

// New returns a UUIDv7, so that identifiers of one kind sort by creation time.
func New() uuid.UUID {
	return uuid.Must(uuid.NewV7())
}

// Format returns an identifier of any kind except Record and Comment.
func Format(kind Kind, u uuid.UUID) string {
	var buf [4 + plainLen]byte
	copy(buf[:], kind)
	buf[3] = '_'
	crockford.Encode(buf[4:], u[:])
	return string(buf[:])
}

// Parse parses an identifier of a kind that Format takes. It returns ErrMalformed
// for every string that Format does not return, so that each value has one form.
func Parse(kind Kind, s string) (uuid.UUID, error) {
	var u uuid.UUID
	body, ok := strings.CutPrefix(s, string(kind)+"_")
	if !ok || len(body) != plainLen {
		return u, fmt.Errorf("%w: want %s_ and %d characters", ErrMalformed, kind, plainLen)
	}
	raw, err := crockford.DecodeString(body)
	if err != nil || len(raw) != len(u) {
		return u, fmt.Errorf("%w: want %s_ and Crockford base32 in lower case", ErrMalformed, kind)
	}
	copy(u[:], raw)
	if Format(kind, u) != s {
		return uuid.UUID{}, fmt.Errorf("%w: not in canonical form", ErrMalformed)
	}
	return u, nil
}

// FormatRecord returns the identifier of a record: 32 bits of table number and the UUIDv7 of the
// row.
func FormatRecord(table int32, row uuid.UUID) string { return formatInTable(Record, table, row) }

// AppendRecord appends the result of FormatRecord to dst.
func AppendRecord(dst []byte, table int32, row uuid.UUID) []byte {
	return appendInTable(dst, Record, table, row)
}

// ParseRecord parses the identifier of a record. It returns ErrMalformed for every string that
// FormatRecord does not return.
func ParseRecord(s string) (table int32, row uuid.UUID, err error) { return parseInTable(Record, s) }

// FormatComment returns the identifier of a comment on a record of a table.
func FormatComment(table int32, comment uuid.UUID) string {
	return formatInTable(Comment, table, comment)
}

// ParseComment parses the identifier of a comment, as ParseRecord parses the identifier of a record.
func ParseComment(s string) (table int32, comment uuid.UUID, err error) {
	return parseInTable(Comment, s)
}

func formatInTable(kind Kind, table int32, u uuid.UUID) string {
	var buf [4 + inTableLen]byte
	appendInTable(buf[:0], kind, table, u)
	return string(buf[:])
}

func appendInTable(dst []byte, kind Kind, table int32, u uuid.UUID) []byte {
	var raw [20]byte
	binary.BigEndian.PutUint32(raw[:4], uint32(table)) //nolint:gosec // from a sequence, so positive
	copy(raw[4:], u[:])
	dst = append(append(dst, kind...), '_')
	return crockford.AppendEncode(dst, raw[:])
}

func parseInTable(kind Kind, s string) (table int32, u uuid.UUID, err error) {
	body, ok := strings.CutPrefix(s, string(kind)+"_")
	if !ok || len(body) != inTableLen {
		return 0, u, fmt.Errorf("%w: want %s_ and %d characters", ErrMalformed, kind, inTableLen)
	}
	var raw [20]byte
	n, err := crockford.Decode(raw[:], []byte(body))
	if err != nil || n != len(raw) {
		return 0, u, fmt.Errorf("%w: want %s_ and Crockford base32 in lower case", ErrMalformed, kind)
	}
	number := binary.BigEndian.Uint32(raw[:4])
	if number == 0 || number > 1<<31-1 {
		return 0, u, fmt.Errorf("%w: no such table number", ErrMalformed)
	}
	copy(u[:], raw[4:])
	return int32(number), u, nil
}

// KindOf returns the three-letter prefix of a string as a kind, known or not, or "".
func KindOf(s string) Kind {
	prefix, _, ok := strings.Cut(s, "_")
	if !ok || len(prefix) != 3 {
		return ""
	}
	return Kind(prefix)
}

// ShortLen is the length of the short form of a record's identifier.
const ShortLen = 8

// Short returns the short form of a record's identifier: its last characters, which are 40 random bits. It
// names the record within its table until another one has the same.
func Short(record string) string { return record[max(0, len(record)-ShortLen):] }

// ParseShort returns the last bytes of the rows whose identifiers have a short form.
func ParseShort(s string) ([]byte, error) {
	if len(s) != ShortLen {
		return nil, fmt.Errorf("%w: a short form has %d characters", ErrMalformed, ShortLen)
	}
	raw, err := crockford.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("%w: want Crockford base32 in lower case", ErrMalformed)
	}
	return raw, nil
}
