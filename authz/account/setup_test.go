package account_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

const password = "seven calm houses"

type testBundle struct {
	*account.Service
	*credentialtest.Process
	box *mailer.Box

	mu      sync.Mutex
	revoked []uuid.UUID
}

func setup(t *testing.T, change ...func(*account.Deps)) *testBundle {
	t.Helper()
	return setupAt(t, tenancytest.RedisURL(t), change...)
}

func setupAt(t *testing.T, redisURL string, change ...func(*account.Deps)) *testBundle {
	t.Helper()
	b := &testBundle{Process: credentialtest.Start(t, redisURL), box: &mailer.Box{}}
	jobs := jobtest.Open(t, account.Queues())
	deps := account.Deps{
		DB:      b.DB,
		Cache:   b.Cache,
		Redis:   b.Redis,
		Jobs:    jobs,
		Mailer:  b.box,
		BaseURL: "http://127.0.0.1:8080",
		Log:     b.Log,
		RevokeCredentials: func(
			_ context.Context,
			_ pgx.Tx,
			person uuid.UUID,
			what account.RevocationScope,
		) (func(), error) {
			return func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				if what == account.KeysAndApps {
					b.revoked = append(b.revoked, person)
				}
			}, nil
		},
	}
	for _, fn := range change {
		fn(&deps)
	}
	b.Service = account.New(deps)
	if deps.Mailer != nil {
		jobtest.Start(t, deps.Jobs)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// address returns a unique client address, so that tests do not share limits.
func address() string { return uuid.NewString() }

func email() string { return uuid.NewString() + "@example.com" }

func (b *testBundle) signUp(t *testing.T) (person uuid.UUID, email string) {
	t.Helper()
	email = uuid.NewString() + "@example.com"
	proof, err := b.SignUp(t.Context(), account.Registration{
		Name: "Kari Nordmann", Email: email, Password: password, Organization: "Nordmann", Address: address(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return proof.Person, email
}

// A browser keeps cookies.
type browser struct{ cookies map[string]*http.Cookie }

func (br *browser) request(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("User-Agent", "Test Browser")
	for _, c := range br.cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	return r
}

func (br *browser) keep(w *httptest.ResponseRecorder) {
	if br.cookies == nil {
		br.cookies = map[string]*http.Cookie{}
	}
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(br.cookies, c.Name)
		} else {
			br.cookies[c.Name] = c
		}
	}
}

func (b *testBundle) trust(t *testing.T, person uuid.UUID) account.Proof {
	t.Helper()
	proof, err := b.Trust(t.Context(), person)
	if err != nil {
		t.Fatal(err)
	}
	return proof
}

func (b *testBundle) begin(t *testing.T, br *browser, person uuid.UUID) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := b.Begin(w, br.request(t), b.trust(t, person)); err != nil {
		t.Fatal(err)
	}
	br.keep(w)
}

func (b *testBundle) signedIn(t *testing.T, br *browser) *account.SessionInfo {
	t.Helper()
	session, err := b.Current(br.request(t))
	if err != nil {
		t.Fatalf("not signed in: %v", err)
	}
	return session
}

func (b *testBundle) signedOut(t *testing.T, br *browser) {
	t.Helper()
	if session, err := b.Current(br.request(t)); problem.KindOf(err) != problem.KindUnauthenticated {
		t.Fatalf("still signed in: %+v, %v", session, err)
	}
}

var link = regexp.MustCompile(`token=([\w-]+)`)

// mailTo waits for a mail to an address with a subject, and returns the token in it.
func (b *testBundle) mailTo(t *testing.T, to, subject string) (token string) {
	t.Helper()
	if found := link.FindStringSubmatch(b.mailAbout(t, to, subject).Text); found != nil {
		return found[1]
	}
	return ""
}

// mailAbout waits for a mail to an address with a subject.
func (b *testBundle) mailAbout(t *testing.T, to, subject string) account.Message {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, m := range b.box.Mail() {
			if m.To == to && strings.Contains(m.Subject, subject) {
				return m.Message
			}
		}
	}
	t.Fatalf("no mail about %q came to %s", subject, to)
	return account.Message{}
}
