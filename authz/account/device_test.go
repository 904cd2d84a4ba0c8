package account_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/problem"
)

// at is a browser at an address of its own.
func at(t *testing.T, br *browser, address string) *http.Request {
	t.Helper()
	r := br.request(t)
	r.RemoteAddr = address + ":4242"
	return r
}

func TestGuessesElsewhereDoNotLockOutATrustedDevice(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.Address = func(r *http.Request) string { return r.RemoteAddr } })
	b.CountLocally(t)
	person, known := b.signUp(t)
	laptop := &browser{}
	b.begin(t, laptop, person)
	// The guesser sits behind the owner's own address, and has others.
	shared := uuid.NewString()
	refused := 0
	for range 15 {
		if _, err := b.SignInFrom(at(t, &browser{}, shared), known, "a guess of many"); problem.KindOf(err) == problem.KindRateLimited {
			refused++
		}
	}
	if refused != 5 {
		t.Errorf("%d of 15 guesses from one address were refused", refused)
	}
	// A session that ended does not take the device's knowledge away.
	delete(laptop.cookies, "rowhouse_session")
	for range 12 {
		if got, err := b.SignInFrom(at(t, laptop, shared), known, password); err != nil || got.Person != person {
			t.Fatalf("the owner: %v", err)
		}
	}
	// What the device says holds for that person alone, and cannot be made up.
	_, other := b.signUp(t)
	for range 10 {
		_, _ = b.SignInFrom(at(t, &browser{}, shared), other, "a guess of many")
	}
	if _, err := b.SignInFrom(at(t, laptop, shared), other, password); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("another person's device: %v", err)
	}
	forged := *laptop.cookies["rowhouse_device"]
	forged.Value = strings.Map(func(c rune) rune {
		if c == 'A' {
			return 'B'
		}
		return c
	}, forged.Value[:60]) + "A" + forged.Value[61:]
	if forged.Value != laptop.cookies["rowhouse_device"].Value {
		guest := &browser{cookies: map[string]*http.Cookie{"rowhouse_device": &forged}}
		if _, err := b.SignInFrom(at(t, guest, shared), known, password); problem.KindOf(err) != problem.KindRateLimited {
			t.Errorf("a forged device: %v", err)
		}
	}
}

func TestGuessesFromATrustedDeviceAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.Address = func(r *http.Request) string { return r.RemoteAddr } })
	b.CountLocally(t)
	person, known := b.signUp(t)
	stolen := &browser{}
	b.begin(t, stolen, person)
	checked := 0
	where := uuid.NewString()
	for range 40 {
		if _, err := b.SignInFrom(at(t, stolen, where), known, "a guess of many"); problem.KindOf(err) == problem.KindUnauthenticated {
			checked++
		}
	}
	if checked != 20 { // ten as a known device, ten as any other
		t.Errorf("%d guesses were checked", checked)
	}
}

func TestDeviceCookieRemembersSeveralPeople(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.BaseURL = "https://rowhouse.example.com" })
	br := &browser{}
	var mails []string
	for range 3 {
		person, known := b.signUp(t)
		b.begin(t, br, person)
		mails = append(mails, known)
	}
	c := br.cookies["__Host-rowhouse-device"]
	if c == nil || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge <= 0 {
		t.Fatalf("%v", c)
	}
	for _, known := range mails {
		for range 10 {
			_, _ = b.SignIn(t.Context(), known, "a guess of many", "192.0.2.1")
		}
		if _, err := b.SignInFrom(br.request(t), known, password); err != nil {
			t.Error(err)
		}
	}
}

// 110 guesses from as many addresses lock nobody out, not even on a device that nobody knows.
func TestDistributedGuessesAreDelayedWithoutLockout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.CountLocally(t)
	paused := b.SkipDelays()
	person, known := b.signUp(t)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for range 55 {
				if _, err := b.SignIn(t.Context(), known, "a guess of many", address()); problem.KindOf(err) != problem.KindUnauthenticated {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if paused() != 90 {
		t.Errorf("%d of 110 guesses had to wait", paused())
	}
	if got, err := b.SignIn(t.Context(), known, password, address()); err != nil || got.Person != person {
		t.Errorf("the owner on a new device: %v", err)
	}
	unknown := email()
	for range 25 {
		if _, err := b.SignIn(t.Context(), unknown, "a guess of many", address()); problem.KindOf(err) != problem.KindUnauthenticated {
			t.Error(err)
		}
	}
	if paused() != 90+1+5 { // nobody's address is treated the same
		t.Errorf("%d had to wait in all", paused())
	}
}

func TestDelayedGuessesAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.CountLocally(t)
	release := b.BlockDelays()
	_, known := b.signUp(t)
	for range 20 {
		_, _ = b.SignIn(t.Context(), known, "a guess of many", address())
	}
	errs := make(chan error, 20)
	for range 20 {
		go func() {
			_, err := b.SignIn(t.Context(), known, "a guess of many", address())
			errs <- err
		}()
	}
	for range 4 {
		var e *problem.Error
		if err := <-errs; !errors.As(err, &e) || e.Kind != problem.KindRateLimited || e.RetryAfter <= 0 {
			t.Errorf("beyond the bound: %v", err)
		}
	}
	release()
	for range 16 {
		if err := <-errs; problem.KindOf(err) != problem.KindUnauthenticated {
			t.Error(err)
		}
	}
}

// What a browser proves ends with a reset, and with signing out everywhere, though the cookie is still there. Seen to
// fail without the new epoch in endAll, and without the null in Reset.
func TestResetAndSignOutEverywhereRevokeTrustedDevices(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.Address = func(r *http.Request) string { return r.RemoteAddr } })
	b.CountLocally(t)
	person, known := b.signUp(t)
	// spared reports whether the limits spare a browser at an address from which nobody else may guess any more.
	spared := func(br *browser) bool {
		t.Helper()
		where := uuid.NewString()
		for range 11 {
			_, _ = b.SignInFrom(at(t, &browser{}, where), known, "a guess of many")
		}
		_, err := b.SignInFrom(at(t, br, where), known, password)
		if err != nil && problem.KindOf(err) != problem.KindRateLimited {
			t.Fatal(err)
		}
		return err == nil
	}
	b.SkipDelays()
	kept, other := &browser{}, &browser{}
	b.begin(t, kept, person)
	b.begin(t, other, person)
	if !spared(kept) || !spared(other) {
		t.Fatal("a browser that signed in is not spared")
	}
	w := httptest.NewRecorder()
	if err := b.EndOtherSessions(w, kept.request(t), b.signedIn(t, kept)); err != nil {
		t.Fatal(err)
	}
	kept.keep(w)
	if !spared(kept) || spared(other) {
		t.Errorf("after the others were signed out, the browser that stays is spared: %v, another one: %v", spared(kept), spared(other))
	}
	if err := b.EndAllSessions(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	if spared(kept) {
		t.Error("a browser is spared after signing out everywhere")
	}
	b.begin(t, kept, person)
	if !spared(kept) {
		t.Fatal("a browser that signed in again is not spared")
	}
	reset := account.NewPassword{Token: b.resetLink(t, known), Password: "nine calm houses"}
	if _, err := b.Reset(t.Context(), reset); err != nil {
		t.Fatal(err)
	}
	if spared(kept) {
		t.Error("a browser is spared after a reset")
	}
}

// After a reset the first browser is no news, and the next one is.
func TestFirstDeviceAfterAResetSendsNoNotice(t *testing.T) {
	t.Parallel()
	b, notices := setupCounting(t)
	person, known := b.signUp(t)
	before, first, second := &browser{}, &browser{}, &browser{}
	b.begin(t, before, person)
	reset := account.NewPassword{Token: b.resetLink(t, known), Password: "nine calm houses"}
	if _, err := b.Reset(t.Context(), reset); err != nil {
		t.Fatal(err)
	}
	b.begin(t, first, person)
	if got := notices(); got != 1 { // of the reset
		t.Errorf("%d notices after the first browser", got)
	}
	b.begin(t, second, person)
	b.begin(t, before, person)
	b.begin(t, first, person)
	if got := notices(); got != 3 {
		t.Errorf("%d notices after two more browsers", got)
	}
}
