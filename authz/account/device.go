package account

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const (
	deviceLife = 400 * 24 * time.Hour // of the cookie, which browsers keep no longer
	maxDevices = 50                   // of a person; the one not seen for the longest time makes room
)

// device returns the token that marks the browser of a request, and makes one for a browser without.
func (s *Service) device(r *http.Request) string {
	if cookie, err := r.Cookie(s.deviceCookie()); err == nil && len(cookie.Value) == tokenLen {
		return cookie.Value
	}
	return newToken()
}

func (s *Service) deviceCookie() string {
	if s.secure {
		return "__Host-rowhouse-device"
	}
	return "rowhouse_device"
}

// markDevice gives the browser its mark, which is no credential: it only keeps a person from being told of their own
// browser.
func (s *Service) markDevice(w http.ResponseWriter, token string) {
	cookie := s.cookie(token, int(deviceLife.Seconds()))
	cookie.Name = s.deviceCookie()
	http.SetCookie(w, cookie)
}

func deviceHash(person uuid.UUID, token string) []byte { return hashBytes(person.String() + token) }

// meetDevice remembers a browser in which the person signs in, and reports whether it is a new one of a person who
// has others.
func meetDevice(ctx context.Context, tx pgx.Tx, person uuid.UUID, token string, now time.Time) (isNew bool, err error) {
	hash := deviceHash(person, token)
	batch := &pgx.Batch{}
	batch.Queue(`select count(*) > 0 and count(*) filter (where device_hash = $2) = 0
		from rowhouse.device where person_id = $1`, person, hash).QueryRow(func(row pgx.Row) error { return row.Scan(&isNew) })
	batch.Queue(`insert into rowhouse.device (device_hash, person_id, seen_at) values ($1, $2, $3)
		on conflict (device_hash) do update set seen_at = excluded.seen_at`, hash, person, now)
	batch.Queue(`delete from rowhouse.device where person_id = $1 and (seen_at < $2 or device_hash in
		(select device_hash from rowhouse.device where person_id = $1 order by seen_at desc offset $3))`,
		person, now.Add(-deviceLife), maxDevices)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, fmt.Errorf("remembering a browser: %w", err)
	}
	return isNew, nil
}
