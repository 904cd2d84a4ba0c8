package oauth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// The device authorization grant (RFC 8628): a device without a browser shows a user code, which a person
// types on another device, and asks for tokens until the person has decided. fosite has no handlers for it.

// deviceGrantType is the grant type of a device (RFC 8628 section 3.4).
const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

const (
	deviceLife         = 10 * time.Minute // of a user code and of an undecided device code
	deviceRedeem       = 2 * time.Minute  // in which a device must fetch what a person allowed
	deviceRetention    = time.Hour        // how long a device still learns that its code has expired
	deviceInterval     = 5                // seconds that a device waits between requests (RFC 8628 section 3.2)
	deviceSlowDown     = 5                // seconds that each request that is too early adds (section 3.5)
	devicePath         = "/device"        // short, because people type it
	deviceTolerance    = time.Second      // of a request that is too early
	userCodeAlphabet   = "BCDFGHJKLMNPQRSTVWXZ"
	userCodeLength     = 8 // 34 bits
	userCodeShownParts = 2
)

// Limits of what has no configuration. The codes that a person types are so few that nobody finds another
// device's code by trying (RFC 8628 section 5.1): at most 20 of 25,600 million in the life of one.
var (
	deviceRequestRate = limit.Rate{Name: "oauth-device", PerSecond: 1.0 / 6, Burst: 60}
	userCodeRate      = limit.Rate{Name: "oauth-user-code", PerSecond: 1.0 / 60, Burst: 10}
	userCodeAddress   = limit.Rate{Name: "oauth-user-code-address", PerSecond: 1.0 / 10, Burst: 60}
)

// A device is a device authorization request.
type device struct {
	Client   string `db:"client_id"`
	Resource string
	Scopes   []authz.Scope
	Address  string
	Created  time.Time `db:"created_at"`
	Expires  time.Time `db:"expires_at"`
	Interval int       `db:"interval_s"`
	Polled   *time.Time
	Denied   bool
	GrantID  *uuid.UUID
}

// A deviceStore stores device authorization requests in PostgreSQL. The device code is known by its hash. The
// user code, which has too few bits for that, is known by its MAC.
type deviceStore struct {
	db    *db.DB
	vault vault
	hold  func(b *pgx.Batch, person *Person) // as Sessions.Hold
}

const deviceColumns = `client_id, resource, scopes, address, created_at, expires_at, interval_s,
	polled_at as polled, denied_at is not null as denied, grant_id`

// newUserCode returns a random user code in its canonical form, without separators. Its letters are those of RFC
// 8628 section 6.1: they spell no words and are not mistaken for digits.
func newUserCode() string {
	var b strings.Builder
	for range userCodeLength {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(userCodeAlphabet))))
		if err != nil {
			panic("oauth: " + err.Error()) // the system's random numbers never fail
		}
		b.WriteByte(userCodeAlphabet[n.Int64()])
	}
	return b.String()
}

// canonicalUserCode returns a code as a person typed it in its canonical form, or "" if it can be none.
func canonicalUserCode(typed string) string {
	code := strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == ' ' || r == '\t' || r == '–':
			return -1
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, typed)
	if len(code) != userCodeLength || strings.Trim(code, userCodeAlphabet) != "" {
		return ""
	}
	return code
}

// shownUserCode returns a canonical code as people read it: BCDF-GHJK.
func shownUserCode(code string) string {
	const part = userCodeLength / userCodeShownParts
	return code[:part] + "-" + code[part:]
}

func (s *deviceStore) userCodeMAC(code string) []byte {
	return s.vault.mac([]byte("user code " + code))
}

// create stores a request with new codes.
func (s *deviceStore) create(ctx context.Context, d *device) (deviceCode, userCode string, err error) {
	for {
		deviceCode, userCode = devicePrefix+base64url.EncodeToString(random(32)), newUserCode()
		var stored int64
		err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
			b.Queue(`insert into rowhouse.oauth_device (device_hash, user_code_mac, client_id, resource, scopes,
					address, created_at, expires_at, interval_s)
				values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (user_code_mac) do nothing`,
				hash([]byte(deviceCode)), s.userCodeMAC(userCode), d.Client, d.Resource, toNames(d.Scopes), d.Address,
				d.Created, d.Expires, d.Interval).
				Exec(func(tag pgconn.CommandTag) error { stored = tag.RowsAffected(); return nil })
		})
		if err != nil {
			return "", "", fmt.Errorf("storing a device authorization request: %w", err)
		}
		if stored > 0 {
			return deviceCode, userCode, nil
		}
	}
}

// pending returns the undecided request of a user code, or nil.
func (s *deviceStore) pending(ctx context.Context, userCode string, now time.Time) (*device, error) {
	return s.one(ctx, "looking for a user code", "select "+deviceColumns+` from rowhouse.oauth_device
		where user_code_mac = $1 and expires_at > $2 and denied_at is null and grant_id is null`,
		s.userCodeMAC(userCode), now)
}

// poll records a request of the device of a client, and returns the request as it was before, or nil. A request
// that is too early makes the device wait longer from then on.
func (s *deviceStore) poll(ctx context.Context, deviceCode, client string, now time.Time) (*device, error) {
	return s.one(ctx, "answering a device", `with former as (
			select * from rowhouse.oauth_device where device_hash = $1 and client_id = $2 for update),
		noted as (
			update rowhouse.oauth_device d
			set polled_at = $3, interval_s = d.interval_s +
				case when former.polled_at + make_interval(secs => former.interval_s - $4::float8) > $3 then $5
				else 0 end
			from former where d.device_hash = former.device_hash)
		select `+deviceColumns+" from former",
		hash([]byte(deviceCode)), client, now, deviceTolerance.Seconds(), deviceSlowDown)
}

// early reports whether a request at this moment comes before the device was to send it.
func (d *device) early(now time.Time) bool {
	return d.Polled != nil && now.Before(d.Polled.Add(time.Duration(d.Interval)*time.Second-deviceTolerance))
}

// approve stores the grant of a device, with the device code as its code. It returns false if somebody has
// decided already or the code has expired, and an error of kind unauthenticated if the session has ended.
func (s *deviceStore) approve(ctx context.Context, g *grant, mac []byte, now time.Time) (bool, error) {
	var stored int64
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		s.hold(b, &Person{ID: g.Person, Session: g.session})
		b.Queue(`with decided as (
				update rowhouse.oauth_device set grant_id = $1
				where user_code_mac = $2 and client_id = $5 and expires_at > $3 and denied_at is null
				and grant_id is null
				returning device_hash)
			insert into rowhouse.oauth_grant (id, person_id, client_id, only_org, resource, scopes, redirect_uri,
				code_hash, code_challenge, code_expires, created_at, used_at, expires_at)
			select $1, $4, $5, $6, $7, $8, '', device_hash, '', $9, $3, $3, $10 from decided`,
			g.ID, mac, now, g.Person, g.Client, g.OnlyOrg, g.Resource, toNames(g.Scopes), g.CodeExpires, g.ExpiresAt).
			Exec(func(tag pgconn.CommandTag) error { stored = tag.RowsAffected(); return nil })
		audit.RecordCredential(ctx, b, &audit.Event{
			Action: "approve_grant", Subject: id.Format(id.Grant, g.ID),
			Detail: map[string]any{"client": g.Client, "app": g.app, "scopes": g.Scopes, "device": true},
		}, "select person_id, only_org from rowhouse.oauth_grant where id = $1", g.ID)
		queueRenewal(b, g.Client, now)
	})
	if err != nil {
		return false, fmt.Errorf("allowing a device: %w", credential.LockError(err))
	}
	return stored > 0, nil
}

// deny ends a request that nobody has decided yet, and reports whether there was one.
func (s *deviceStore) deny(ctx context.Context, mac []byte, now time.Time) (denied bool, err error) {
	err = s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(`update rowhouse.oauth_device set denied_at = $2
			where user_code_mac = $1 and expires_at > $2 and denied_at is null and grant_id is null`, mac, now).
			Exec(func(tag pgconn.CommandTag) error { denied = tag.RowsAffected() > 0; return nil })
	})
	if err != nil {
		return false, fmt.Errorf("denying a device: %w", err)
	}
	return denied, nil
}

func (s *deviceStore) one(ctx context.Context, doing, sql string, args ...any) (*device, error) {
	var found *device
	err := s.db.SystemBatch(ctx, func(b *pgx.Batch) {
		b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
			d, err := pgx.CollectOneRow(rows, pgx.RowToAddrOfStructByName[device])
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			found = d
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return found, nil
}

// deviceResponse is the device authorization response (RFC 8628 section 3.2).
type deviceResponse struct {
	DeviceCode string `json:"device_code"`
	UserCode   string `json:"user_code"`
	URI        string `json:"verification_uri"`
	Complete   string `json:"verification_uri_complete"`
	ExpiresIn  int    `json:"expires_in"`
	Interval   int    `json:"interval"`
}

// deviceAuthorization is the device authorization endpoint (RFC 8628 section 3.1). It authenticates the client as
// the token endpoint does.
func (s *Service) deviceAuthorization(w http.ResponseWriter, r *http.Request) {
	response, err := s.authorizeDevice(w, r)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, response)
}

func (s *Service) authorizeDevice(w http.ResponseWriter, r *http.Request) (*deviceResponse, error) {
	form, err := s.rateLimitedForm(w, r)
	if err != nil {
		return nil, err
	}
	if err := s.checkRate(w, deviceRequestRate, clientNetwork(r)); err != nil {
		return nil, err
	}
	if err := requireSingleAuthentication(r, form); err != nil {
		return nil, err
	}
	client, err := s.provider.AuthenticateClient(r.Context(), r, form)
	if err != nil {
		return nil, err
	}
	if !client.GetGrantTypes().Has(deviceGrantType) {
		return nil, unauthorizedClient.WithHintf("The client has not registered the grant type %s.", deviceGrantType)
	}
	now := s.now()
	d := &device{
		Client: client.GetID(), Resource: s.resources.audience(form.Get("resource")), Address: clientNetwork(r),
		Created: now, Expires: now.Add(deviceLife), Interval: deviceInterval,
	}
	if d.Resource == "" {
		return nil, s.unknownResource()
	}
	if d.Scopes, err = s.scopesOf(form); err != nil {
		return nil, err
	}
	deviceCode, userCode, err := s.devices.create(r.Context(), d)
	if err != nil {
		return nil, err
	}
	shown := shownUserCode(userCode)
	return &deviceResponse{
		DeviceCode: deviceCode, UserCode: shown, URI: s.issuer + devicePath,
		Complete:  s.issuer + devicePath + "?user_code=" + url.QueryEscape(shown),
		ExpiresIn: int(deviceLife.Seconds()), Interval: d.Interval,
	}, nil
}

// decideDevice allows or denies a device, as the person decided on the consent page.
func (s *Service) decideDevice(
	w http.ResponseWriter, r *http.Request, person *Person, q *authorizationRequest, scopes []authz.Scope,
	org uuid.NullUUID, allowed bool,
) {
	now := s.now()
	if !allowed {
		denied, err := s.devices.deny(r.Context(), q.Device, now)
		if err == nil && !denied {
			err = staleForm
		}
		if err != nil {
			s.renderError(w, r, err)
			return
		}
		s.renderDecided(w, r, false)
		return
	}
	g := &grant{
		ID: id.New(), Person: person.ID, Client: q.ClientID, OnlyOrg: org, Resource: q.Resource, Scopes: scopes,
		CodeExpires: now.Add(deviceRedeem), ExpiresAt: now.Add(familyLife), session: person.Session,
		app: s.appName(r.Context(), q.ClientID),
	}
	stored, err := s.devices.approve(r.Context(), g, q.Device, now)
	if problem.KindOf(err) == problem.KindUnauthenticated {
		err = staleForm.WithWrap(err) // the session ended during the request
	}
	if err == nil && !stored {
		err = staleForm
	}
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	s.notify(person.ID, credential.AppConnected, g.app)
	s.renderDecided(w, r, true)
}
