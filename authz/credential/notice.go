package credential

import "github.com/google/uuid"

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

// A Teller tells a person of a change, in the background. about names what changed, such as a key; it may be empty.
type Teller func(person uuid.UUID, change Change, about string)
