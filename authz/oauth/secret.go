package oauth

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/google/uuid"
)

// Prefixes by which a scanner, and this server, tells what a secret is.
const (
	codePrefix    = "rhc_"
	refreshPrefix = "rhr_"
	clientPrefix  = "rhs_"
)

var base64url = base64.RawURLEncoding

// A code is the id of its grant and 256 random bits; the grant keeps the hash.
func newCode(grant uuid.UUID) (code string, sum []byte) {
	raw := append(grant[:], random(32)...)
	code = codePrefix + base64url.EncodeToString(raw)
	return code, hash([]byte(code))
}

// parseCode returns the grant that a code speaks of. That the code is genuine only its hash shows.
func parseCode(code string) (uuid.UUID, bool) {
	raw, ok := decode(code, codePrefix, 16+32)
	if !ok {
		return uuid.UUID{}, false
	}
	return uuid.UUID(raw[:16]), true
}

// A refreshToken is written as the id of its grant, its generation, 128 bits that only its predecessor and the grant's seed give,
// and an authentication code. The code lets the server recognize, for the whole life of the family, a token that it once gave
// out, without keeping each one; whether it is the live one, the hash in the grant says.
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

// firstRefresh is the token that comes with the code's redemption.
func (v vault) firstRefresh(grant uuid.UUID) refreshToken {
	return v.refreshToken(grant, 1, random(16))
}

// successor is the token that replaces t. The same seed gives the same successor, and nobody can tell it without t: that is how
// a retry gets the same answer though the database holds no token.
func (v vault) successor(t refreshToken, seed []byte) refreshToken {
	return v.refreshToken(t.grant, t.generation+1, macWith([]byte(t.text), seed))
}

// parseRefresh returns false for everything that this server did not write.
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
