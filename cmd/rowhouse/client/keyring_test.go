package client

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

// A sign-in whose secrets are in the keyring leaves none in the file, and one that the keyring does not take is in
// the file.
func TestKeyringKeepsTheSecretsOfASignIn(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	signIn := func() *profiles {
		list, err := openProfiles()
		if err != nil {
			t.Fatal(err)
		}
		got := &token{Access: "first access", Refresh: "first refresh", Expires: time.Now().Add(time.Hour)}
		got.Keyring, got.fresh = true, true
		list.Current, list.Profiles["work"] = "work", &profile{
			URL: "https://rowhouse.example.com", Tokens: map[string]*token{restAudience: got},
		}
		if err := list.save(); err != nil {
			t.Fatal(err)
		}
		return list
	}
	stored := func() (access, file string) {
		list, err := openProfiles()
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(list.path)
		if err != nil {
			t.Fatal(err)
		}
		session, err := (&connection{}).session(restAudience)
		if err != nil {
			t.Fatal(err)
		}
		if access, err = session.token(t.Context()); err != nil {
			access = err.Error()
		}
		return access, string(content)
	}

	keyring.MockInit()
	list := signIn()
	if access, file := stored(); access != "first access" || strings.Contains(file, "first") {
		t.Errorf("the token is %s, the file %s", access, file)
	}
	if err := list.Profiles["work"].forget("work"); err != nil {
		t.Fatal(err)
	}
	if access, _ := stored(); !strings.Contains(access, "sign in again") {
		t.Errorf("without the entry, the token is %s", access)
	}

	keyring.MockInitWithError(errors.New("no keyring"))
	signIn()
	if access, file := stored(); access != "first access" || !strings.Contains(file, "first refresh") {
		t.Errorf("without a keyring, the token is %s, the file %s", access, file)
	}
}
