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

// at returns a request of a browser from an address.
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
	// The attacker shares the owner's address.
	sharedAddress := uuid.NewString()
	refused := 0
	for range 15 {
		if _, err := b.SignInFrom(
			at(t, &browser{}, sharedAddress), known, "a guess of many",
		); problem.KindOf(err) == problem.KindRateLimited {
			refused++
		}
	}
	if refused != 5 {
		t.Errorf("%d of 15 guesses from one address were refused", refused)
	}
	// The device remains trusted after its session has ended.
	delete(laptop.cookies, "rowhouse_session")
	for range 12 {
		if got, err := b.SignInFrom(at(t, laptop, sharedAddress), known, password); err != nil || got.Person != person {
			t.Fatalf("the owner: %v", err)
		}
	}
	// The device is trusted for that person only, and its cookie cannot be forged.
	_, other := b.signUp(t)
	for range 10 {
		_, _ = b.SignInFrom(at(t, &browser{}, sharedAddress), other, "a guess of many")
	}
	if _, err := b.SignInFrom(
		at(t, laptop, sharedAddress), other, password,
	); problem.KindOf(err) != problem.KindRateLimited {
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
		if _, err := b.SignInFrom(
			at(t, guest, sharedAddress), known, password,
		); problem.KindOf(err) != problem.KindRateLimited {
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
		if _, err := b.SignInFrom(
			at(t, stolen, where), known, "a guess of many",
		); problem.KindOf(err) == problem.KindUnauthenticated {
			checked++
		}
	}
	if checked != 20 { // ten as a trusted device, ten as any other
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
	if c == nil || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" ||
		c.MaxAge <= 0 {
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

// Guesses from many addresses are delayed. After 100 in a row the account accepts only known
// devices or a link by mail. Nothing reveals whether the account exists.
func TestDistributedGuessesLeaveKnownDevicesAndALink(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) { d.Address = func(r *http.Request) string { return r.RemoteAddr } })
	b.CountLocally(t)
	paused := b.SkipDelays()
	person, known := b.signUp(t)
	laptop := &browser{}
	b.begin(t, laptop, person)
	unknown := email()
	refused := func(err error) bool {
		var e *problem.Error
		return errors.As(err, &e) && e.Code == "known_device_needed"
	}
	answers := map[string]string{}
	guess := func(email string) {
		t.Helper()
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for range 50 {
					if _, err := b.SignIn(
						t.Context(), email, "a guess of many", address(),
					); problem.KindOf(err) != problem.KindUnauthenticated {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		for range 3 { // the right one too, if there is one
			_, err := b.SignIn(t.Context(), email, password, address())
			if !refused(err) {
				t.Fatalf("guess 101 at %s: %v", email, err)
			}
			answers[err.Error()] = email
		}
	}
	guess(known)
	if paused() != 80 {
		t.Errorf("%d of 100 guesses had to wait", paused())
	}
	guess(unknown) // unknown addresses are treated the same
	if paused() != 160 || len(answers) != 1 {
		t.Errorf("%d had to wait in all, and the answers are %v", paused(), answers)
	}
	b.mailTo(t, known, "guesses at your password")
	notices := 0
	for _, m := range b.box.Mail() {
		if m.To == known && strings.Contains(m.Subject, "guesses") {
			notices++
		}
	}
	if notices != 1 {
		t.Errorf("the owner was notified %d times", notices)
	}
	// A known device is not locked out, and ends it.
	if got, err := b.SignInFrom(at(t, laptop, address()), known, password); err != nil || got.Person != person {
		t.Fatalf("the owner on a known device: %v", err)
	}
	if _, err := b.SignIn(t.Context(), known, password, address()); err != nil {
		t.Errorf("on a new device after that: %v", err)
	}
	// So does a link.
	guess(known)
	next := "seven calm lakes above"
	if _, err := b.Reset(t.Context(), account.NewPassword{Token: b.resetLink(t, known), Password: next}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.SignIn(t.Context(), known, next, address()); err != nil {
		t.Errorf("with the password of a link: %v", err)
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
			t.Errorf("beyond the limit: %v", err)
		}
	}
	release()
	for range 16 {
		if err := <-errs; problem.KindOf(err) != problem.KindUnauthenticated {
			t.Error(err)
		}
	}
}

// guessedAddress returns an address whose guesses at the person's password are used up.
func (b *testBundle) guessedAddress(t *testing.T, email string) string {
	t.Helper()
	where := uuid.NewString()
	for range 11 {
		_, _ = b.SignInFrom(at(t, &browser{}, where), email, "a guess of many")
	}
	return where
}

// exempt reports whether a browser at such an address is exempt from the limits. The password may
// be a former one.
func (b *testBundle) exempt(t *testing.T, br *browser, email, password string) bool {
	t.Helper()
	_, err := b.SignInFrom(at(t, br, b.guessedAddress(t, email)), email, password)
	if err != nil && problem.KindOf(err) != problem.KindRateLimited &&
		problem.KindOf(err) != problem.KindUnauthenticated {
		t.Fatal(err)
	}
	return problem.KindOf(err) != problem.KindRateLimited
}

// Fails without resetDeviceEpoch or setDeviceCookie in ChangePassword.
func TestPasswordChangeRevokesOtherTrustedDevices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.CountLocally(t)
	b.SkipDelays()
	person, known := b.signUp(t)
	kept, other := &browser{}, &browser{}
	b.begin(t, kept, person)
	b.begin(t, other, person)
	if !b.exempt(t, kept, known, password) || !b.exempt(t, other, known, password) {
		t.Fatal("a browser that signed in is not exempt")
	}
	const next = "eight calm houses"
	w := httptest.NewRecorder()
	if err := b.ChangePassword(w, kept.request(t), b.signedIn(t, kept), password, next); err != nil {
		t.Fatal(err)
	}
	kept.keep(w)
	if !b.exempt(t, kept, known, next) {
		t.Error("the browser that changed the password is no longer exempt")
	}
	if b.exempt(t, other, known, password) || b.exempt(t, other, known, next) {
		t.Error("another browser is still exempt")
	}
}

// Fails with SignIn in place of SignInFrom in Verify.
func TestTrustedDeviceConfirmsTheAddressDespiteGuesses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.CountLocally(t)
	b.SkipDelays()
	person, known := b.signUp(t)
	laptop := &browser{}
	b.begin(t, laptop, person)
	delete(laptop.cookies, "rowhouse_session") // the session has ended, and the device stays trusted
	token := b.mailTo(t, known, "Confirm")
	where := b.guessedAddress(t, known)
	strange := account.Confirmation{Token: token, Password: password, Request: at(t, &browser{}, where)}
	if _, err := b.Verify(t.Context(), strange); problem.KindOf(err) != problem.KindRateLimited {
		t.Errorf("an unknown browser: %v", err)
	}
	wrong := account.Confirmation{Token: token, Password: "a guess of many", Request: at(t, laptop, where)}
	if _, err := b.Verify(t.Context(), wrong); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Errorf("a wrong password: %v", err)
	}
	right := account.Confirmation{Token: token, Password: password, Request: at(t, laptop, where)}
	if got, err := b.Verify(t.Context(), right); err != nil || got != person {
		t.Errorf("the right password on a trusted device: %v", err)
	}
}

// A reset and signing out everywhere revoke trusted devices although their cookies remain. Fails
// without the new epoch in endAllExcept, and without the null in Reset.
func TestResetAndSignOutEverywhereRevokeTrustedDevices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.CountLocally(t)
	person, known := b.signUp(t)
	exempt := func(br *browser) bool {
		t.Helper()
		return b.exempt(t, br, known, password)
	}
	b.SkipDelays()
	kept, other := &browser{}, &browser{}
	b.begin(t, kept, person)
	b.begin(t, other, person)
	if !exempt(kept) || !exempt(other) {
		t.Fatal("a browser that signed in is not exempt")
	}
	w := httptest.NewRecorder()
	if err := b.EndOtherSessions(w, kept.request(t), b.signedIn(t, kept)); err != nil {
		t.Fatal(err)
	}
	kept.keep(w)
	if !exempt(kept) || exempt(other) {
		t.Errorf("after ending other sessions, the current browser is exempt: %v, another one: %v",
			exempt(kept), exempt(other))
	}
	if err := b.EndAllSessions(t.Context(), person); err != nil {
		t.Fatal(err)
	}
	if exempt(kept) {
		t.Error("a browser is exempt after signing out everywhere")
	}
	b.begin(t, kept, person)
	if !exempt(kept) {
		t.Fatal("a browser that signed in again is not exempt")
	}
	reset := account.NewPassword{Token: b.resetLink(t, known), Password: "nine calm houses"}
	if _, err := b.Reset(t.Context(), reset); err != nil {
		t.Fatal(err)
	}
	if exempt(kept) {
		t.Error("a browser is exempt after a reset")
	}
}

// After a reset, the first browser sends no notice, and the next one does.
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
