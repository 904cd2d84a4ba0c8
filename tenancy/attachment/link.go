package attachment

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/google/uuid"
)

// How long an address is good: between linkLife and linkLife plus linkStep. Within a step the same content has the same
// address, so that browsers need not fetch it again.
const (
	linkLife = 10 * time.Minute
	linkStep = 5 * time.Minute
)

// Links makes and reads the addresses of files. Whoever has one reads that one file, under that name, until it ends, and needs
// nothing else: it is for the reader of the record that it came with.
type Links struct {
	base  string // everything before the token
	keys  [][]byte
	share uuid.UUID // the public share that the addresses are good with
	now   func() time.Time
}

// NewLinks returns addresses below base, which ends with a slash. The first of the secrets signs, the others are still recognized.
func NewLinks(base string, secrets [][]byte) (*Links, error) {
	links := &Links{base: base, now: time.Now}
	for _, secret := range secrets {
		derived, err := hkdf.Key(sha256.New, secret, nil, "rowhouse attachment", 32)
		if err != nil {
			return nil, fmt.Errorf("deriving the key of addresses: %w", err)
		}
		links.keys = append(links.keys, derived)
	}
	if len(links.keys) == 0 {
		return nil, errors.New("addresses need a secret")
	}
	return links, nil
}

// ForShare returns addresses that are good only as long as a public share is alive.
func (l *Links) ForShare(share uuid.UUID) *Links {
	bound := *l
	bound.share = share
	return &bound
}

// A Link is what an address says.
type Link struct {
	Org       uuid.UUID
	File      uuid.UUID
	Thumbnail bool
	Name      string    // under which the content is handed out
	Share     uuid.UUID // that must be alive; zero for none
	ExpiresAt time.Time
}

// The parts of a token: the organization, the file, what of it, until when, the share if there is one, and the signature of all
// that and the name.
const (
	thumbnailFlag = 1
	shareFlag     = 2

	signatureLen = 16 // 128 bits
	plainLen     = 16 + 16 + 1 + 4
)

// AppendLink appends the address of a file of an organization, or of its thumbnail. It holds no character that
// JSON would escape.
func (l *Links) AppendLink(dst []byte, org, file uuid.UUID, name string, thumbnail bool) []byte {
	var tokenBuffer [plainLen + 16 + sha256.Size]byte
	token := append(append(tokenBuffer[:0], org[:]...), file[:]...)
	flags := byte(0)
	if thumbnail {
		flags |= thumbnailFlag
	}
	if l.share != uuid.Nil {
		flags |= shareFlag
	}
	until := l.now().Truncate(linkStep).Add(linkStep + linkLife).Unix()
	token = binary.BigEndian.AppendUint32(append(token, flags), uint32(until)) //nolint:gosec // until the year 2106
	if l.share != uuid.Nil {
		token = append(token, l.share[:]...)
	}
	token = append(token, sign(l.keys[0], token, name)...)
	dst = append(dst, l.base...)
	dst = base64.RawURLEncoding.AppendEncode(dst, token)
	dst = append(dst, '/')
	return append(dst, url.PathEscape(name)...)
}

func sign(key, token []byte, name string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(token)
	mac.Write([]byte(name))
	return mac.Sum(nil)[:signatureLen]
}

// ErrInvalidLink is returned for an address that was not made here, or is not good any more.
var ErrInvalidLink = errors.New("the address is not, or no longer, good")

// Read reads the token and the name, unescaped, of an address. The caller makes sure that the share is alive.
func (l *Links) Read(token, name string) (Link, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < plainLen+signatureLen {
		return Link{}, ErrInvalidLink
	}
	signed, signature := raw[:len(raw)-signatureLen], raw[len(raw)-signatureLen:]
	genuine := false
	for _, key := range l.keys {
		genuine = genuine || hmac.Equal(signature, sign(key, signed, name))
	}
	if !genuine {
		return Link{}, ErrInvalidLink
	}
	link := Link{
		Org: uuid.UUID(signed[:16]), File: uuid.UUID(signed[16:32]), Name: name,
		Thumbnail: signed[32]&thumbnailFlag != 0, ExpiresAt: time.Unix(int64(binary.BigEndian.Uint32(signed[33:])), 0),
	}
	if signed[32]&shareFlag != 0 {
		if len(signed) != plainLen+16 {
			return Link{}, ErrInvalidLink
		}
		link.Share = uuid.UUID(signed[plainLen:])
	}
	if !l.now().Before(link.ExpiresAt) {
		return Link{}, ErrInvalidLink
	}
	return link, nil
}
