package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// Whoever answers a public form proves that their device has computed for about a second. A challenge is a time and a
// nonce with a MAC over them and the share, so that the service stores nothing until it is used; the transaction that
// writes the answer then records the use, which makes an answer that is sent twice one record. form.js solves it.
// See docs/decisions/0063-public-forms.md.

const (
	challengeLife = 2 * time.Hour
	// A solution is one number for each of workParts parts, of which the hash begins with workBits zero bits. Many
	// small parts take about as long for everybody; one large part would take some people five times the average.
	workParts = 16
	workBits  = 13
)

// A Challenger makes and checks challenges. It is safe for concurrent use.
type Challenger struct {
	seals seal.Keys
	now   func() time.Time
}

// NewChallenger derives the keys from SECRET_KEY and its previous values; the first makes challenges.
func NewChallenger(secrets [][]byte) (*Challenger, error) {
	seals, err := seal.New(secrets, "rowhouse form challenge", "rowhouse form challenge authentication")
	if err != nil {
		return nil, fmt.Errorf("deriving the keys of challenges: %w", err)
	}
	return &Challenger{seals, time.Now}, nil
}

func signedChallenge(share, head string) []byte { return []byte(share + " " + head) }

// make returns a challenge for a share: when it ends and a nonce, and the MAC.
func (c *Challenger) make(share string) string {
	var plain [24]byte
	binary.BigEndian.PutUint64(plain[:8], uint64(c.now().Add(challengeLife).Unix())) //nolint:gosec // after 1970
	_, _ = rand.Read(plain[8:])                                                      // it never fails
	head := base64.RawURLEncoding.EncodeToString(plain[:])
	mac := c.seals.MAC(signedChallenge(share, head))
	return head + "." + base64.RawURLEncoding.EncodeToString(mac)
}

// open returns the use of a challenge that was made for a share and has not ended.
func (c *Challenger) open(share, challenge string) (use *db.PlanUse, ok bool) {
	head, code, _ := strings.Cut(challenge, ".")
	plain, err := base64.RawURLEncoding.Strict().DecodeString(head)
	if err != nil || len(plain) != 24 {
		return nil, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil || !c.seals.Verify(signedChallenge(share, head), mac) {
		return nil, false
	}
	ends := time.Unix(int64(binary.BigEndian.Uint64(plain)), 0) //nolint:gosec // made by make
	digest := sha256.Sum256([]byte("form answer " + challenge))
	return &db.PlanUse{Token: digest[:16], Expires: ends}, c.now().Before(ends)
}

// workSeed is what the hashes of a challenge begin with.
func workSeed(challenge string) string {
	_, code, _ := strings.Cut(challenge, ".")
	return code[:min(22, len(code))]
}

// isSolution reports whether a text has the solution of a challenge: the numbers of its parts, with commas.
func isSolution(challenge, solution string) bool {
	numbers := strings.SplitN(solution, ",", workParts+1)
	if len(numbers) != workParts {
		return false
	}
	for part, number := range numbers {
		if len(number) > 12 || !isWork(workSeed(challenge), part, number) {
			return false
		}
	}
	return true
}

func isWork(seed string, part int, number string) bool {
	sum := sha256.Sum256([]byte(seed + "." + strconv.Itoa(part) + "." + number))
	return bits.LeadingZeros32(binary.BigEndian.Uint32(sum[:])) >= workBits
}
