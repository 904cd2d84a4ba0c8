package credential

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// A Change is something that a person is told of by mail, because whoever did it may not have been them: a change of
// how they sign in, or of what acts in their name. The package account has the text for each.
type Change string

// Every change that is told. A new way to sign in, or a new kind of credential, needs an entry here.
const (
	PasswordChanged  Change = "password_changed"
	PasswordReset    Change = "password_reset"
	AddressConfirmed Change = "address_confirmed"
	DeviceNew        Change = "device_new"
	KeyCreated       Change = "key_created"
	KeyRotated       Change = "key_rotated"
	KeyRevoked       Change = "key_revoked"
	AppConnected     Change = "app_connected"
	AppDisconnected  Change = "app_disconnected"
)

// Changes lists every change.
var Changes = []Change{
	PasswordChanged, PasswordReset, AddressConfirmed, DeviceNew, KeyCreated, KeyRotated, KeyRevoked, AppConnected, AppDisconnected,
}

// A Teller mails a person a notice of a change that was committed. about names what changed, such as a key; it may be
// empty.
type Teller func(person uuid.UUID, change Change, about string)

// A TellerTx is a Teller within the transaction of the change: the mail is queued exactly when the change is committed.
type TellerTx func(ctx context.Context, tx pgx.Tx, person uuid.UUID, change Change, about string) error
