package oauth

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/google/uuid"
)

// Prefixes that identify the kind of a secret, for secret scanners and for this server.
const (
	codePrefix    = "rhc_"
	refreshPrefix = "rhr_"
	devicePrefix  = "rhd_"
	clientPrefix  = "rhs_"
)

var base64url = base64.RawURLEncoding

// newCode returns an authorization code and its hash. The code is the id of its grant and 256
// random bits.
func newCode(grant uuid.UUID) (code string, sum []byte) {
	raw := append(grant[:], random(32)...)
	code = codePrefix + base64url.EncodeToString(raw)
	return code, hash([]byte(code))
}

// parseCode returns the grant id in a code. It does not authenticate the code; compare its hash.
func parseCode(code string) (uuid.UUID, bool) {
	raw, ok := decode(code, codePrefix, 16+32)
	if !ok {
		return uuid.UUID{}, false
	}
	return uuid.UUID(raw[:16]), true
}

// A refreshToken is encoded as the id of its grant, its generation, 128 bits that follow from its
// predecessor and the seed in the grant, and a MAC. The MAC lets the server recognize every token
// that it ever issued in a family without storing each one. The hash in the grant identifies the
// current one.
type refreshToken struct {
	grant      uuid.UUID
	generation uint32
	text       string
}

const refreshBody = 16 + 4 + 16

func (v vault) refreshToken(grant uuid.UUID, generation uint32, unique []byte) refreshToken {
	body := make([]byte, 0, refreshBody+32)
	body = append(body, grant[:]...)
	body = binary.BigEndian.AppendUint32(body, generation)
	body = append(body, unique[:16]...)
	body = append(body, v.mac(body)...)
	return refreshToken{grant: grant, generation: generation, text: refreshPrefix + base64url.EncodeToString(body)}
}

// firstRefresh returns the first refresh token of a grant.
func (v vault) firstRefresh(grant uuid.UUID) refreshToken {
	return v.refreshToken(grant, 1, random(16))
}

// successor returns the token that replaces t. It is determined by t and seed, and cannot be
// computed without t. So a retry gets the same successor although the database stores no token.
func (v vault) successor(t refreshToken, seed []byte) refreshToken {
	return v.refreshToken(t.grant, t.generation+1, macWith([]byte(t.text), seed))
}

// parseRefresh parses and authenticates a refresh token. ok is false for a token that this server
// did not issue.
func (v vault) parseRefresh(text string) (refreshToken, bool) {
	raw, ok := decode(text, refreshPrefix, refreshBody+32)
	if !ok || !v.verify(raw[:refreshBody], raw[refreshBody:]) {
		return refreshToken{}, false
	}
	return refreshToken{grant: uuid.UUID(raw[:16]), generation: binary.BigEndian.Uint32(raw[16:20]), text: text}, true
}

func (t refreshToken) hash() []byte { return hash([]byte(t.text)) }

func decode(text, prefix string, length int) ([]byte, bool) {
	body, ok := strings.CutPrefix(text, prefix)
	if !ok || len(body) != base64url.EncodedLen(length) {
		return nil, false
	}
	raw, err := base64url.Strict().DecodeString(body)
	return raw, err == nil && len(raw) == length
}
