// Package plan makes and opens the tokens of plans. A plan says what a change would do; its token lets
// the same caller do exactly that. A token is good for ten minutes, for one use, for the credential
// that planned, and only while nothing that the plan looked at has moved.
//
// A token is encrypted and authenticated (package seal), so that it reveals nothing and cannot be
// forged. It contains digests of what was asked for and of what the plan looked at. The transaction of
// the change records the use in a row of the database (audit.Record), so that of two simultaneous uses
// only one succeeds, whichever processes they run in. Redis is not involved.
package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
)

// Life is how long a token can be used.
const Life = 10 * time.Minute

// A Plan is the content of a token.
type Plan struct {
	Credential string    // the public id of the caller's credential
	Asked      Digest    // of the operation and its arguments
	Seen       Digest    // of everything that the plan depends on
	Count      int       // of the records that it would change
	Made       time.Time // in microseconds
}

// A Digest identifies what was written to a Hash.
type Digest [16]byte

// Expires is when the plan's token ends.
func (p *Plan) Expires() time.Time { return p.Made.Add(Life).UTC().Truncate(time.Second) }

// Tokens makes and opens tokens. It is safe for concurrent use.
type Tokens struct{ seals seal.Keys }

// NewTokens derives the keys from the service's secrets; the first makes tokens, and all open them.
func NewTokens(secrets [][]byte) (*Tokens, error) {
	seals, err := seal.New(secrets, "rowhouse plan token", "rowhouse plan token authentication")
	if err != nil {
		return nil, fmt.Errorf("deriving the keys of plans: %w", err)
	}
	return &Tokens{seals}, nil
}

// The form of a token, before it is encrypted: a version, the time in microseconds, the number of
// records, and the digests of the credential, of what was asked for and of what was seen.
const (
	prefix     = "pln_"
	version    = 1
	plainSize  = 1 + 8 + 4 + 8 + 16 + 16
	sealLabel  = "plan"
	credential = 8 // bytes of the digest
)

// Make returns a token for a plan.
func (t *Tokens) Make(p *Plan) string {
	plain := make([]byte, 0, plainSize)
	plain = append(plain, version)
	plain = binary.BigEndian.AppendUint64(plain, uint64(p.Made.UnixMicro()))
	plain = binary.BigEndian.AppendUint32(plain, uint32(p.Count)) //nolint:gosec // bounded by what made it
	plain = append(plain, digestOfCredential(p.Credential)...)
	plain = append(plain, p.Asked[:]...)
	plain = append(plain, p.Seen[:]...)
	return prefix + base64.RawURLEncoding.EncodeToString(t.seals.Seal(plain, sealLabel))
}

func digestOfCredential(public string) []byte {
	sum := sha256.Sum256([]byte(public))
	return sum[:credential]
}

// Open returns the plan of a token, and its use, which the transaction of the change must record
// (db.Actor.Plan). It refuses a token that is forged, has expired, belongs to another credential, or
// was made for another request.
func (t *Tokens) Open(token, credentialID string, asked Digest, now time.Time) (Plan, *db.PlanUse, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimPrefix(token, prefix))
	if err != nil || !strings.HasPrefix(token, prefix) {
		return Plan{}, nil, problem.Invalid("apply",
			"is not the planToken of a plan; a planToken begins with %s", prefix)
	}
	plain, err := t.seals.Open(raw, sealLabel)
	if err != nil || len(plain) != plainSize || plain[0] != version {
		return Plan{}, nil, problem.Invalid("apply",
			"is not the planToken of a plan that was made here; copy the planToken whole, or plan again")
	}
	p := Plan{
		Credential: credentialID,
		Made:       time.UnixMicro(int64(binary.BigEndian.Uint64(plain[1:]))).UTC(), //nolint:gosec // written by Make
		Count:      int(binary.BigEndian.Uint32(plain[9:])),
	}
	of, plain := plain[13:13+credential], plain[13+credential:]
	copy(p.Asked[:], plain)
	copy(p.Seen[:], plain[len(p.Asked):])
	switch {
	case !bytes.Equal(of, digestOfCredential(credentialID)):
		return Plan{}, nil, problem.Conflict("The plan was made with another credential, and only that one can apply " +
			"it. Nothing was changed; plan again with this one.").WithCode(problem.CodePlanOfOtherCredential)
	case !now.Before(p.Expires()):
		return Plan{}, nil, problem.Conflict("The plan has expired: it was good for ten minutes, until %s. Nothing "+
			"was changed; plan again.", p.Expires().Format(time.RFC3339)).WithCode(problem.CodePlanExpired)
	case p.Asked != asked:
		return Plan{}, nil, problem.Invalid("apply",
			"is of a plan with other arguments; send the same ones without plan, or plan again")
	}
	return p, &db.PlanUse{Token: tokenKey(raw), Expires: p.Expires()}, nil
}

// tokenKey identifies a token in the table of used tokens.
func tokenKey(raw []byte) []byte {
	sum := sha256.Sum256(raw)
	return sum[:16]
}

// Used is the error for a token that was used before.
func Used() *problem.Error {
	return problem.Conflict("The plan has been applied already, and a plan is applied once. Nothing was changed by " +
		"this call; plan again to change more.").WithCode(problem.CodePlanUsed)
}

// Moved is the error for a plan whose data has changed since. then and now are the numbers of affected
// records, and what says what has changed.
func Moved(then, now int, what string) *problem.Error {
	about := ""
	if then != now {
		about = fmt.Sprintf("then it was about %s and now it would be about %d; ", problem.Count(then, "record"), now)
	}
	return problem.Conflict("What the plan looked at has moved: %ssince then %s. Nothing was changed by this call; "+
		"plan again.", about, what).WithCode(problem.CodePlanMoved)
}

// CheckUnused returns Used if a token was used. Call it before the state of the data is compared,
// because the first use has changed that.
func CheckUnused(ctx context.Context, tenantDB *db.DB, org uuid.UUID, use *db.PlanUse) error {
	used, err := WasUsed(ctx, tenantDB, org, use)
	if err == nil && used {
		return Used()
	}
	return err
}

// WasUsed reports whether a token was used.
func WasUsed(ctx context.Context, tenantDB *db.DB, org uuid.UUID, use *db.PlanUse) (used bool, err error) {
	err = tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select exists (select from rowhouse.used_plan where org_id = $1 and token = $2)", org, use.Token).
			QueryRow(func(row pgx.Row) error { return row.Scan(&used) })
	})
	if err != nil {
		return false, fmt.Errorf("looking whether a plan was applied: %w", err)
	}
	return used, nil
}

// Spend records the use of a token without doing what it is for: nobody can use it any more.
func Spend(ctx context.Context, tenantDB *db.DB, org uuid.UUID, use *db.PlanUse) error {
	err := tenantDB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("insert into rowhouse.used_plan (org_id, token, expires_at) values ($1, $2, $3) on conflict do nothing",
			org, use.Token, use.Expires)
	})
	if err != nil {
		return fmt.Errorf("spending a token: %w", err)
	}
	return nil
}

// IsUsed reports whether a transaction failed because the plan that it applies was used before.
func IsUsed(err error) bool { return pgerror.Is(err, db.StatePlanUsed) }
