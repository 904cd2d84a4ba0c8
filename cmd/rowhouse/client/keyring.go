package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

// The keyring of the system keeps the secrets of a sign-in, where there is one: Keychain on macOS, the Credential
// Manager on Windows, the Secret Service on Linux desktops. Elsewhere they are in the file of the profiles.

const keyringService = "rowhouse"

// keyringPatience is how long a person has for unlocking the keyring.
const keyringPatience = time.Minute

// secrets are what of a token is in the keyring, in an entry for each audience: Windows stores at most 2560 bytes in
// one.
type secrets struct {
	Access  string `json:"access"`
	Refresh string `json:"refresh"`
}

// hasKeyring reports whether there may be a keyring. Without a session bus, the library would start one.
func hasKeyring() bool {
	switch runtime.GOOS {
	case "darwin", "windows":
		return true
	}
	return os.Getenv("DBUS_SESSION_BUS_ADDRESS") != ""
}

func keyringEntry(url, profile, audience string) string { return url + " " + profile + " " + audience }

var errLocked = errors.New("the keyring was not unlocked")

// patiently does something with the keyring that may wait for the person.
func patiently(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(keyringPatience):
		return errLocked
	}
}

// seal puts the secrets of a token in the keyring, and returns what the file has of it. If the keyring does not
// take them, that is all.
func (t *token) seal(entry string) *token {
	if !t.Keyring {
		return t
	}
	if t.fresh {
		content, err := json.Marshal(secrets{t.Access, t.Refresh})
		if err == nil {
			err = patiently(func() error { return keyring.Set(keyringService, entry, string(content)) })
		}
		if err != nil {
			t.Keyring = false
			return t
		}
		t.fresh = false
	}
	return &token{Expires: t.Expires, Keyring: true}
}

// open reads the secrets of a token that are in the keyring.
func (t *token) open(entry string) error {
	if !t.Keyring || t.Refresh != "" {
		return nil
	}
	var content string
	err := patiently(func() (err error) { content, err = keyring.Get(keyringService, entry); return err })
	var found secrets
	if err == nil {
		err = json.Unmarshal([]byte(content), &found)
	}
	if err != nil {
		return fail(StatusSignedOut, "the keyring does not have the sign-in (%v): sign in again with rowhouse login",
			err)
	}
	t.Access, t.Refresh = found.Access, found.Refresh
	return nil
}

// forget removes the secrets of a profile from the keyring.
func (p *profile) forget(name string) error {
	var failed error
	for audience, t := range p.Tokens {
		if !t.Keyring {
			continue
		}
		err := patiently(func() error {
			return keyring.Delete(keyringService, keyringEntry(p.URL, name, audience))
		})
		if err != nil && !errors.Is(err, keyring.ErrNotFound) {
			failed = fmt.Errorf("removing the sign-in from the keyring: %w", err)
		}
	}
	return failed
}
