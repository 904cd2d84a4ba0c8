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

// A device that a person signed in from carries a cookie that says so. It is no credential. It spares the person the
// limits that slow down who guesses the password from elsewhere, so that no guesser locks the owner out, and it
// spares them the mail that tells of a sign-in from a new browser.
const (
	deviceLife         = 365 * 24 * time.Hour
	maxPeoplePerDevice = 4          // people whom one browser remembers
	deviceBytes        = 16 + 8 + 8 // the person, a nonce, and when, in seconds
	deviceLen          = 86         // in the cookie: 32 bytes more for the MAC, in base64url without padding
)

// A device claims that a person signed in from this browser before. The person's epoch proves or refutes it.
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

// claimedDevices returns what a request's cookie claims, the newest first.
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
		since := time.Unix(int64(binary.BigEndian.Uint64(raw[24:32])), 0) //nolint:gosec // a wrong one has no right MAC
		if time.Since(since) < deviceLife {
			claimed = append(claimed, device{
				person: uuid.UUID(raw[:16]), nonce: string(raw[16:24]), text: text,
				signed: raw[:deviceBytes], mac: raw[deviceBytes:],
			})
		}
	}
	return claimed
}

// verifiedDevice returns the device of the person among those that a browser claims, or nil. epoch is the person's; nil
// proves nothing.
func (s *Service) verifiedDevice(claimed []device, person uuid.UUID, epoch *uuid.UUID) *device {
	for i, d := range claimed {
		if epoch != nil && d.person == person && s.secrets.Verify(macInput(d.signed, *epoch), d.mac) {
			return &claimed[i]
		}
	}
	return nil
}

// macInput are what the MAC of a device covers. The epoch is not in the cookie: it is read when the device is
// checked.
func macInput(raw []byte, epoch uuid.UUID) []byte {
	return append(append(make([]byte, 0, deviceBytes+len(epoch)), raw...), epoch[:]...)
}

// setDeviceCookie sets the cookie that makes a device known to a person's account, for as long as the epoch stays.
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
	cookie := s.cookie(strings.Join(list, "."), int(deviceLife.Seconds())) //nolint:gosec // s.cookie sets Secure, HttpOnly and SameSite
	cookie.Name = s.deviceCookie()
	http.SetCookie(w, cookie)
}

// recognizeDevice returns the epoch that the browser of a request is to remember, and reports whether the browser is a new
// one of a person who has signed in from others. The transaction holds the person.
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

// resetDeviceEpoch makes the cookies of all browsers void for a person, and returns the epoch for those that are to be
// known from now on. The transaction holds the person.
func resetDeviceEpoch(ctx context.Context, tx pgx.Tx, person uuid.UUID) (epoch uuid.UUID, err error) {
	epoch = uuid.New()
	if _, err := tx.Exec(ctx, "update rowhouse.person set device_epoch = $2 where id = $1", person, epoch); err != nil {
		return uuid.Nil, fmt.Errorf("forgetting the browsers of a person: %w", err)
	}
	return epoch, nil
}

// SignInFrom is SignIn for a browser. From a device that the person signed in from before, the right password is
// taken however many guesses come from elsewhere.
func (s *Service) SignInFrom(r *http.Request, email, password string) (Proof, error) {
	return s.signIn(r.Context(), email, password, s.Address(r), s.claimedDevices(r))
}

// trustedDevice returns the device of the person with this address among those that a browser claims, if it may still guess.
func (s *Service) trustedDevice(ctx context.Context, email string, claimed []device) (*device, error) {
	if len(claimed) == 0 || storableText(email, len(email)) != email {
		return nil, nil //nolint:nilnil // an unknown device is an answer
	}
	var person uuid.UUID
	var epoch *uuid.UUID
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select id, device_epoch from rowhouse.person where email = $1", email).Scan(&person, &epoch)
	})
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("looking at the browsers of a person: %w", err)
	}
	d := s.verifiedDevice(claimed, person, epoch)
	if d == nil || s.attempts.Take(ctx, signInByDevice, d.key()) != nil {
		return nil, nil //nolint:nilnil // it is treated like any other device
	}
	return d, nil
}

func (d *device) key() string { return d.person.String() + d.nonce }
