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

// A link is valid for at least linkLife and at most linkLife plus linkStep. Within a step, the same
// content has the same URL, so that browsers can cache it.
const (
	linkLife = 10 * time.Minute
	linkStep = 5 * time.Minute
)

// Links creates and verifies signed URLs of files. A URL authorizes reading that one file, under
// that name, until it expires, without any other credential. Give it only to readers of the record.
type Links struct {
	base  string // URL prefix before the token
	keys  [][]byte
	share uuid.UUID // the public share that the URLs depend on; zero for none
	life  time.Duration
	now   func() time.Time
}

// NewLinks returns links with the URL prefix base, which ends with a slash. The first secret signs;
// all verify.
func NewLinks(base string, secrets [][]byte) (*Links, error) {
	links := &Links{base: base, life: linkLife, now: time.Now}
	for _, secret := range secrets {
		derived, err := hkdf.Key(sha256.New, secret, nil, "rowhouse attachment", 32)
		if err != nil {
			return nil, fmt.Errorf("deriving the key of links: %w", err)
		}
		links.keys = append(links.keys, derived)
	}
	if len(links.keys) == 0 {
		return nil, errors.New("links need a secret")
	}
	return links, nil
}

// ForShare returns links that are valid only while a public share exists.
func (l *Links) ForShare(share uuid.UUID) *Links {
	bound := *l
	bound.share = share
	return &bound
}

// Lasting returns links that are valid for longer, for files that exist no longer than that.
func (l *Links) Lasting(life time.Duration) *Links {
	lasting := *l
	lasting.life = life
	return &lasting
}

// A Link is the content of a verified URL.
type Link struct {
	Org       uuid.UUID
	File      uuid.UUID
	Thumbnail bool
	Name      string    // file name of the download
	Share     uuid.UUID // that must still exist; zero for none
	ExpiresAt time.Time
}

// Format of a token: organization, file, flags, expiry in Unix seconds, share if there is one, and
// the signature of all of it and of the name.
const (
	thumbnailFlag = 1
	shareFlag     = 2

	signatureLen = 16 // 128 bits
	plainLen     = 16 + 16 + 1 + 4
)

// AppendLink appends the URL of a file of an organization, or of its thumbnail, to dst. The URL
// contains no character that JSON escapes.
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
	until := l.now().Truncate(linkStep).Add(linkStep + l.life).Unix()
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

// ErrInvalidLink is returned for a forged or expired URL.
var ErrInvalidLink = errors.New("the link is not valid or has expired")

// Read verifies the token and the unescaped name of a URL. The caller checks that Link.Share still
// exists.
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
