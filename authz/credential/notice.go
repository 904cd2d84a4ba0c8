package credential

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A Change is a security-relevant change that a person is notified of by mail, because somebody
// else may have made it: a change of how they sign in, or of a credential that acts for them.
// Package mailtext has the text for each, in every language.
type Change string

// Every change with a notice. A new sign-in method or kind of credential needs an entry here.
const (
	PasswordChanged  Change = "password_changed"
	PasswordReset    Change = "password_reset"
	AddressConfirmed Change = "address_confirmed"
	AddressChanged   Change = "address_changed"
	AccountDeleted   Change = "account_deleted"
	DeviceNew        Change = "device_new"
	AccountGuessed   Change = "account_guessed" // unknown devices may not sign in any more
	KeyCreated       Change = "key_created"
	KeyRotated       Change = "key_rotated"
	KeyRevoked       Change = "key_revoked"
	AppConnected     Change = "app_connected"
	AppDisconnected  Change = "app_disconnected"
	// What follows is no credential, but where data goes, and what a person set up and relies on and why it
	// was disabled.
	WebhookCreated    Change = "webhook_created"
	WebhookRedirected Change = "webhook_redirected"

	WebhookGone    Change = "webhook_gone"
	WebhookFailing Change = "webhook_failing"
	WebhookOwner   Change = "webhook_owner"
	WebhookHistory Change = "webhook_history"
	WebhookFilter  Change = "webhook_filter"
)

// Changes lists every change.
var Changes = []Change{
	PasswordChanged,
	PasswordReset,
	AddressConfirmed,
	AddressChanged,
	AccountDeleted,
	DeviceNew,
	AccountGuessed,
	KeyCreated,
	KeyRotated,
	KeyRevoked,
	AppConnected,
	AppDisconnected,
	WebhookCreated,
	WebhookRedirected,
	WebhookGone,
	WebhookFailing,
	WebhookOwner,
	WebhookHistory,
	WebhookFilter,
}

// A Notifier mails a person a notice of a committed change. about names what changed, such as an
// API key; it may be empty.
type Notifier func(person uuid.UUID, change Change, personJSON string)

// A NotifierTx is a Notifier within the transaction of the change: the mail is queued if and only
// if the change commits.
type NotifierTx func(ctx context.Context, tx pgx.Tx, person uuid.UUID, change Change, personJSON string) error
