package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A browser that a person signed in with becomes a trusted device by a signed cookie. The cookie is
// not a credential. It exempts the person from the limits on guesses from elsewhere, so that
// guesses cannot lock the owner out, and it avoids the notice about a sign-in from a new browser.
const (
	deviceLife         = 365 * 24 * time.Hour
	maxPeoplePerDevice = 4          // people per browser
	deviceBytes        = 16 + 8 + 8 // person, nonce, and time of sign-in as Unix seconds
	deviceLen          = 86         // encoded with a MAC of 32 bytes, in base64url without padding
)

// A device is an entry of the cookie: a claim that a person signed in with this browser before. The
// MAC, which covers the person's epoch, proves it.
type device struct {
	person uuid.UUID
	nonce  string
	signed []byte
	mac    []byte
	text   string // as in the cookie
}

func (s *Service) deviceCookie() string {
	if s.secure {
		return "__Host-rowhouse-device"
	}
	return "rowhouse_device"
}

// claimedDevices returns the unverified entries of the device cookie, newest first.
func (s *Service) claimedDevices(r *http.Request) []device {
	cookie, err := r.Cookie(s.deviceCookie())
	if err != nil || len(cookie.Value) > maxPeoplePerDevice*(deviceLen+1) {
		return nil
	}
	var claimed []device
	for text := range strings.SplitSeq(cookie.Value, ".") {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil || len(raw) != deviceBytes+32 {
			continue
		}
		since := time.Unix(int64(binary.BigEndian.Uint64(raw[24:32])), 0) //nolint:gosec // the MAC protects it
		if time.Since(since) < deviceLife {
			claimed = append(claimed, device{
				person: uuid.UUID(raw[:16]), nonce: string(raw[16:24]), text: text,
				signed: raw[:deviceBytes], mac: raw[deviceBytes:],
			})
		}
	}
	return claimed
}

// verifiedDevice returns the entry of the person with a valid MAC, or nil. With a nil epoch no
// entry is valid.
func (s *Service) verifiedDevice(claimed []device, person uuid.UUID, epoch *uuid.UUID) *device {
	for i, d := range claimed {
		if epoch != nil && d.person == person && s.secrets.Verify(macInput(d.signed, *epoch), d.mac) {
			return &claimed[i]
		}
	}
	return nil
}

// macInput returns the bytes under the MAC of an entry. The epoch is not in the cookie but in the
// database, so that a new epoch revokes all entries.
func macInput(raw []byte, epoch uuid.UUID) []byte {
	return append(append(make([]byte, 0, deviceBytes+len(epoch)), raw...), epoch[:]...)
}

// setDeviceCookie makes the browser a trusted device of the person, until the epoch changes.
func (s *Service) setDeviceCookie(w http.ResponseWriter, r *http.Request, person, epoch uuid.UUID) {
	raw := make([]byte, deviceBytes, deviceBytes+32)
	copy(raw, person[:])
	_, _ = rand.Read(raw[16:24])                                    // never fails
	binary.BigEndian.PutUint64(raw[24:], uint64(time.Now().Unix())) //nolint:gosec // after 1970
	raw = append(raw, s.secrets.MAC(macInput(raw, epoch))...)
	list := []string{base64.RawURLEncoding.EncodeToString(raw)}
	for _, d := range s.claimedDevices(r) {
		if d.person != person && len(list) < maxPeoplePerDevice {
			list = append(list, d.text)
		}
	}
	cookie := s.cookie(strings.Join(list, "."), int(deviceLife.Seconds())) //nolint:gosec // s.cookie makes it secure
	cookie.Name = s.deviceCookie()
	http.SetCookie(w, cookie)
}

// recognizeDevice returns the epoch for the browser's cookie, and reports whether the browser is
// new for a person who has signed in with other browsers. The transaction has locked the person.
func (s *Service) recognizeDevice(
	ctx context.Context, tx pgx.Tx, r *http.Request, person uuid.UUID,
) (epoch uuid.UUID, isNew bool, err error) {
	var present *uuid.UUID
	err = tx.QueryRow(ctx, "select device_epoch from rowhouse.person where id = $1", person).Scan(&present)
	if err != nil {
		return uuid.Nil, false, fmt.Errorf("looking at the browsers of a person: %w", err)
	}
	if present != nil {
		return *present, s.verifiedDevice(s.claimedDevices(r), person, present) == nil, nil
	}
	epoch, err = resetDeviceEpoch(ctx, tx, person)
	return epoch, false, err
}

// resetDeviceEpoch revokes all trusted devices of a person and returns the new epoch. The
// transaction has locked the person.
func resetDeviceEpoch(ctx context.Context, tx pgx.Tx, person uuid.UUID) (epoch uuid.UUID, err error) {
	epoch = uuid.New()
	if _, err := tx.Exec(ctx, "update rowhouse.person set device_epoch = $2 where id = $1", person, epoch); err != nil {
		return uuid.Nil, fmt.Errorf("resetting the device epoch of a person: %w", err)
	}
	return epoch, nil
}

// SignInFrom is SignIn for a request of a browser. From a trusted device, guesses from elsewhere do
// not delay or reject the right password.
func (s *Service) SignInFrom(r *http.Request, email, password string) (Proof, error) {
	return s.signIn(r.Context(), email, password, s.Address(r), s.claimedDevices(r))
}

// trustedDevice returns the verified device of the person with this address, or nil. It returns nil
// too when the device has exceeded its own limit.
func (s *Service) trustedDevice(ctx context.Context, email string, claimed []device) (*device, error) {
	if len(claimed) == 0 || storableText(email, len(email)) != email {
		return nil, nil //nolint:nilnil // not a trusted device
	}
	var person uuid.UUID
	var epoch *uuid.UUID
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select id, device_epoch from rowhouse.person where email = $1", email).
			Scan(&person, &epoch)
	})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("looking at the browsers of a person: %w", err)
	}
	d := s.verifiedDevice(claimed, person, epoch)
	if d == nil || s.attempts.Take(ctx, signInByDevice, d.key()) != nil {
		return nil, nil //nolint:nilnil // treated like any other device
	}
	return d, nil
}

func (d *device) key() string { return d.person.String() + d.nonce }
