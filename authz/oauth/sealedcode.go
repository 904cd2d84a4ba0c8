package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// A sealedCode is the authorization code of a remembered consent. It contains the encrypted content
// of the future grant, so an authorization request without interaction writes nothing; the grant is
// stored when the code is redeemed. The id makes the code single-use: of two redemptions only one
// inserts the row. The consent is checked again at redemption, so the code expires with it.
type sealedCode struct {
	Grant     uuid.UUID     `json:"i"`
	Person    uuid.UUID     `json:"p"`
	Session   string        `json:"n"` // in which the request was made
	Subject   []byte        `json:"s"` // of the consent
	Given     string        `json:"g"` // redirect_uri as sent
	Resource  string        `json:"r"`
	Scopes    []authz.Scope `json:"c"`
	Challenge string        `json:"h"`
	Expires   time.Time     `json:"e"`
}

const codeLabel = "authorization code"

// maxCode is the maximum length of a code that is decrypted, in bytes.
const maxCode = 8 << 10

func (v vault) sealCode(c *sealedCode) (string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("writing an authorization code: %w", err)
	}
	return codePrefix + base64url.EncodeToString(v.seal(text, codeLabel)), nil
}

// openCode returns false for anything that this server has not sealed.
func (v vault) openCode(code string) (*sealedCode, bool) {
	body, ok := strings.CutPrefix(code, codePrefix)
	if !ok || len(code) > maxCode {
		return nil, false
	}
	raw, err := base64url.Strict().DecodeString(body)
	if err != nil {
		return nil, false
	}
	text, err := v.open(raw, codeLabel)
	if err != nil {
		return nil, false
	}
	var c sealedCode
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, false
	}
	return &c, true
}

// unredeemed is the grant that redeeming a sealed code would store.
func (c *sealedCode) unredeemed(code, client string, org uuid.NullUUID, now time.Time) *grant {
	return &grant{
		ID:            c.Grant,
		Person:        c.Person,
		Client:        client,
		OnlyOrg:       org,
		Resource:      c.Resource,
		Scopes:        c.Scopes,
		RedirectURI:   c.Given,
		CodeHash:      hash([]byte(code)),
		CodeChallenge: c.Challenge,
		CodeExpires:   c.Expires,
		ExpiresAt:     now.Add(familyLife),
		consent:       c.Subject,
		session:       c.Session,
	}
}

// ofSealed returns the grant of a sealed code: the stored one if the code was redeemed or burned
// before, otherwise the one that redeeming it would store. It returns nil if the consent does not
// exist, has ended, or belongs to another client.
func (s *grantStore) ofSealed(ctx context.Context, c *sealedCode, code, client string, now time.Time) (*grant, error) {
	var stored *grant
	var org uuid.NullUUID
	consented := false
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue("select "+grantColumns+" from rowhouse.oauth_grant where id = $1", c.Grant).
			Query(maybeGrant(&stored))
		b.Queue(`select only_org from rowhouse.oauth_consent
			where subject_hash = $1 and person_id = $2 and client_id = $3`,
			c.Subject, c.Person, client).
			QueryRow(func(row pgx.Row) error {
				err := row.Scan(&org)
				if consented = err == nil; errors.Is(err, pgx.ErrNoRows) {
					return nil
				}
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("loading the consent of a code: %w", err)
	}
	if stored != nil || !consented {
		return stored, nil
	}
	return c.unredeemed(code, client, org, now), nil
}

// insertSealed stores a grant of a sealed code unless its consent has ended or changed, or the code
// was used. Placeholders $13 to $17 hold the outcome.
const insertSealed = `insert into rowhouse.oauth_grant (id, person_id, client_id, only_org, resource, scopes,
		redirect_uri, code_hash,
		code_challenge, code_expires, created_at, used_at, expires_at, redeemed_at, generation, refresh_hash,
		refresh_until,
		revoked_at, revoked_why)
	select $1, c.person_id, c.client_id, c.only_org, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13,
		case when $14::bytea is null then 0 else 1 end, $14, $15, $16, $17
	from rowhouse.oauth_consent c
	where c.subject_hash = $18 and c.person_id = $2 and c.client_id = $3 and c.only_org is not distinct from $4
	for share on conflict (id) do nothing returning ` + grantColumns

func sealedArgs(
	g *grant, now time.Time, redeemed *time.Time, sum []byte, until, revoked *time.Time, why *string,
) []any {
	return []any{
		g.ID, g.Person, g.Client, g.OnlyOrg, g.Resource, toNames(g.Scopes), g.RedirectURI, g.CodeHash, g.CodeChallenge,
		g.CodeExpires,
		now, g.ExpiresAt, redeemed, sum, until, revoked, why, g.consent,
	}
}

// redeemSealed is redeem for a sealed code: it stores the grant, records the approval, and extends
// the life of the client's registration.
func (s *grantStore) redeemSealed(
	ctx context.Context, g *grant, sum []byte, until *time.Time, now time.Time,
) (*grant, error) {
	var stored *grant
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		// A code ends with the session that it was made in, as one that is stored does.
		s.hold(b, &Person{ID: g.Person, Session: g.session})
		b.Queue(insertSealed, sealedArgs(g, now, &now, sum, until, nil, nil)...).Query(maybeGrant(&stored))
		// Of redemptions that race, only the one that inserted the row signs.
		audit.RecordCredential(ctx, b, &audit.Event{
			Action: "approve_grant", Subject: id.Format(id.Grant, g.ID),
			Detail: map[string]any{"client": g.Client, "scopes": g.Scopes, "remembered": true},
		}, "select person_id, only_org from rowhouse.oauth_grant where id = $1 and xmin = pg_current_xact_id()::xid",
			g.ID)
		queueRenewal(b, g.Client, now)
	})
	if err = credential.LockError(err); problem.KindOf(err) == problem.KindUnauthenticated {
		return nil, nil //nolint:nilnil // the code has died, by the contract of redeem
	}
	if err != nil {
		return nil, fmt.Errorf("redeeming a code: %w", err)
	}
	return stored, nil
}

// burnSealedCode is burnCode for a sealed code: it stores a row that prevents the redemption.
func (s *grantStore) burnSealedCode(ctx context.Context, g *grant, now time.Time) error {
	why := whyVerifier
	_, err := s.exec(ctx, "burning a code", insertSealed, sealedArgs(g, now, nil, nil, nil, &now, &why)...)
	return err
}
