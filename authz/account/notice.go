package account

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/authz/limit"
)

// A notice is the text of a security notice.
type notice struct {
	subject            string
	text               string // with one %s for what changed
	textWithoutSubject string // used when there is no name of what changed
	advice             string
}

const (
	resetAdvice = "If that was not you, choose a new password at\n\n%[1]s/forgot-password\n\n" +
		"and leave the box ticked that ends all API keys and connected apps."
	reviewAdvice = "If that was not you, sign in, look at your API keys and connected apps at\n\n%[1]s/account\n\n" +
		"and change your password."
	webhookAdvice = "It sends nothing more until an administrator enables it again: open the base at\n\n%[1]s/\n\n" +
		"and choose Webhooks in its menu, where its deliveries are as well."
	webhookReview = "If nobody of yours did this, open the base at\n\n%[1]s/\n\nand delete the webhook under " +
		"Webhooks in its menu. The audit log of the organization says who set it up: end that person's sessions and " +
		"keys."
	webhookSubject = "A webhook was disabled"
)

// notices has the text of every security notice.
var notices = map[credential.Change]notice{
	credential.PasswordChanged: {
		"Your password was changed", "",
		"The password of your account was just changed, and other sessions were signed out.", resetAdvice,
	},
	credential.PasswordReset: {
		"Your password was reset",
		"Your password was just reset with a link that was mailed to you. All sessions were signed out%s.", "",
		resetAdvice,
	},
	credential.AddressConfirmed: {
		"Your e-mail address is confirmed", "", "This e-mail address was just confirmed for your account.", resetAdvice,
	},
	credential.AddressChanged: {
		"Your account has another e-mail address", "",
		"Your account, which had this e-mail address, just got another one, and you sign in with that from now on.",
		"If that was not you, somebody has your password. Tell whoever runs\n\n%[1]s/\n\nat once.",
	},
	credential.AccountDeleted: {
		"Your account was deleted", "",
		"Your account was just deleted, with its sessions, API keys and connected apps.",
		"If that was not you, somebody had your password. Tell whoever runs\n\n%[1]s/\n\nat once.",
	},
	credential.DeviceNew: {
		"A new browser signed in to your account",
		"A browser that had not been used with your account before signed in, from the address %s.", "", resetAdvice,
	},
	credential.AccountGuessed: {
		"Somebody guesses at your password",
		"",
		"A hundred wrong passwords in a row were given for your account. None of them was right. Until the right one " +
			"is " +
			"given, it can be given only in browsers that you have signed in with before.",
		"If those were not you, you need not do anything. To sign in with another browser, set a new password " +
			"at\n\n%[1]s/forgot-password",
	},
	credential.KeyCreated: {
		"An API key was created",
		`The API key "%s" was just created for your account.`,
		"", reviewAdvice,
	},
	credential.KeyRotated: {
		"An API key was rotated",
		`The API key "%s" of your account was just replaced by a new one.`,
		"", reviewAdvice,
	},
	credential.KeyRevoked: {
		"An API key was revoked",
		`The API key "%s" of your account was just revoked.`,
		"", reviewAdvice,
	},
	credential.AppConnected: {
		"An application was connected",
		`The application "%s" was just connected to your account.`,
		"An application was just connected to your account.", reviewAdvice,
	},
	credential.AppDisconnected: {
		"An application was disconnected",
		`The application "%s" was just disconnected from your account.`,
		"All applications were just disconnected from your account.", reviewAdvice,
	},
	credential.WebhookCreated: {
		"A webhook was created",
		`The webhook "%s" was just created in an organization that you own. It sends changes of a base to a URL.`,
		"", webhookReview,
	},
	credential.WebhookRedirected: {
		"A webhook got another URL",
		`The webhook "%s" of an organization that you own just got another URL, which changes of a base go to now.`,
		"", webhookReview,
	},
	credential.WebhookGone: {
		webhookSubject,
		`The webhook "%s" was just disabled, because its receiver answered 410: it does not want messages any more.`,
		"", webhookAdvice,
	},
	credential.WebhookFailing: {
		webhookSubject,
		`The webhook "%s" was just disabled, because its receiver has failed for five days. What was not delivered ` +
			"waits: the webhook goes on where it stopped.",
		"", webhookAdvice,
	},
	credential.WebhookOwner: {
		webhookSubject,
		`The webhook "%s" was just disabled, because the person who had enabled it may no longer set up webhooks.`,
		"", webhookAdvice,
	},
	credential.WebhookHistory: {
		webhookSubject,
		`The webhook "%s" was just disabled, because it had fallen behind the history that is kept. Some changes ` +
			"cannot be sent any more: let the receiver read the records anew.",
		"", webhookAdvice,
	},
	credential.WebhookFilter: {
		webhookSubject,
		`The webhook "%s" was just disabled, because its filter no longer fits the fields of the table.`,
		"", webhookAdvice,
	},
}

// noticeByAccount limits the notices to one person, so that an attacker with access to an account
// cannot flood its mailbox.
var noticeByAccount = limit.Window{Name: "notice account", Max: 60, Period: time.Hour}

// pendingNotice is the content of a queued notice.
type pendingNotice struct {
	Person uuid.UUID         `json:"person"`
	Change credential.Change `json:"change"`
	About  string            `json:"about"`
	At     time.Time         `json:"at"`
	To     string            `json:"to,omitempty"`   // instead of the person's present address
	Name   string            `json:"name,omitempty"` // of a person who does not exist any more
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
	if notice.Name != "" {
		return s.noticeMessage(notice.To, notice.Name, notice.Change, notice.About, notice.At), nil
	}
	var email, name string
	err := s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, "select email, name from rowhouse.person where id = $1", notice.Person).
			Scan(&email, &name)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("reading an address: %w", err)
	}
	if notice.To != "" {
		email = notice.To
	}
	return s.noticeMessage(email, name, notice.Change, notice.About, notice.At), nil
}

func (s *Service) noticeMessage(to, name string, change credential.Change, about string, at time.Time) *Message {
	n := notices[change]
	text := n.textWithoutSubject
	if n.text != "" && (about != "" || n.textWithoutSubject == "") {
		if about != "" && (change != credential.DeviceNew || !isAddress(about)) {
			about = mailSafeName(about) // the name may be chosen by an attacker
		}
		text = fmt.Sprintf(n.text, about)
	}
	when, advice := at.UTC().Format("2 January 2006, 15:04 UTC"), fmt.Sprintf(n.advice, s.BaseURL)
	return &Message{
		to, n.subject, fmt.Sprintf("Hello %s,\n\n%s (%s)\n\n%s", mailSafeName(name), text, when, advice) + signature,
	}
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
