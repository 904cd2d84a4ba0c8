package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
)

// noticeByAccount limits the notices to one person, so that an attacker with access to an account
// cannot flood its mailbox.
var noticeByAccount = limit.Window{Name: "notice account", Max: 60, Period: time.Hour}

// pendingNotice is the content of a queued notice.
type pendingNotice struct {
	Person uuid.UUID         `json:"person"`
	Change credential.Change `json:"change"`
	About  string            `json:"about"`
	At     time.Time         `json:"at"`
	To     string            `json:"to,omitempty"` // instead of the person's present address
	// Of a person who does not exist any more.
	Name     string `json:"name,omitempty"`
	Language string `json:"language,omitempty"` // that the person chose
}

// Notify queues a security notice of a committed change. It logs a failure. It implements
// credential.Notifier.
func (s *Service) Notify(person uuid.UUID, change credential.Change, about string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error { return s.NotifyTx(ctx, tx, person, change, about) })
	if err != nil {
		s.Log.ErrorContext(ctx, "a notice could not be queued", "change", change, "error", err)
	}
}

// NotifyTx queues a security notice in the transaction of the change. Beyond noticeByAccount it
// logs the notice instead and returns nil. It implements credential.NotifierTx.
func (s *Service) NotifyTx(
	ctx context.Context,
	tx pgx.Tx,
	person uuid.UUID,
	change credential.Change,
	about string,
) error {
	if err := s.attempts.Take(ctx, noticeByAccount, person.String()); err != nil {
		s.Log.WarnContext(ctx, "a notice is not mailed", "change", change, "error", err)
		return nil
	}
	return s.outbox.queueNoticeTx(ctx, tx, pendingNotice{
		Person: person, Change: change, About: about, At: time.Now(),
	})
}

// composeNotice returns the mail of a notice, or nil when the person no longer exists.
func (s *Service) composeNotice(ctx context.Context, notice pendingNotice) (*Message, error) {
	to := recipient{notice.To, notice.Name, notice.Language}
	if notice.Name == "" {
		err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
			return tx.QueryRow(ctx, "select email, name, language from rowhouse.person where id = $1", notice.Person).
				Scan(&to.email, &to.name, &to.language)
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil //nolint:nilnil // nothing to send
		}
		if err != nil {
			return nil, fmt.Errorf("reading an address: %w", err)
		}
		to.email = cmp.Or(notice.To, to.email)
	}
	return s.noticeMessage(to, notice.Change, notice.About, notice.At), nil
}

func (s *Service) noticeMessage(to recipient, change credential.Change, about string, at time.Time) *Message {
	say := mailtext.For(to.language)
	n := say.Notices[change]
	text := n.Text
	if n.Of != nil && (about != "" || n.Text == "") {
		if about != "" && (change != credential.DeviceNew || !isAddress(about)) {
			about = mailSafeName(about) // the name may be chosen by an attacker
		}
		text = n.Of(about)
	}
	return to.message(say, mailtext.Mail{
		Subject: n.Subject,
		Text:    fmt.Sprintf("%s (%s)\n\n%s", text, say.Moment(at), n.Advice(s.BaseURL)),
	})
}

// isAddress reports whether text is an IP address or prefix. Mail programs do not turn it into a
// link to a host name.
func isAddress(text string) bool {
	if _, err := netip.ParsePrefix(text); err == nil {
		return true
	}
	_, err := netip.ParseAddr(text)
	return err == nil
}
