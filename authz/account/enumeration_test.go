package account

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/credential/credentialtest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Response times reveal how much work was done. These tests compare the work instead of measuring
// time.

// workDone is the work that is done before a response.
type workDone struct {
	Hashes        []argon2id.Params // parameters of each password hash
	Statements    int64
	RedisCommands int64 // commands or pipelines
	Mails         int64 // queued
}

type discardMailer struct{}

func (discardMailer) Send(context.Context, Message) error { return nil }

// newCountingService returns a service whose work is counted, and a known address. Its mails remain
// queued.
func newCountingService(t *testing.T) (s *Service, known string, cost func(func()) workDone) {
	t.Helper()
	p := credentialtest.Start(t, tenancytest.RedisURL(t))
	jobs := jobtest.Open(t, Queues()) // not started, so mails remain queued
	s = New(Deps{
		DB:      p.DB,
		Cache:   p.Cache,
		Redis:   p.Redis,
		Jobs:    jobs,
		Mailer:  discardMailer{},
		BaseURL: "http://127.0.0.1:8080",
		Log:     p.Log,
	})
	t.Cleanup(func() { s.Close(context.Background()) })
	_, known = newPerson(t, s)
	var mu sync.Mutex
	var hashes []argon2id.Params
	s.hasher.check = func(password, hash string) (bool, *argon2id.Params, error) {
		match, used, err := argon2id.CheckHash(password, hash)
		mu.Lock()
		defer mu.Unlock()
		if used != nil {
			hashes = append(hashes, *used)
		}
		return match, used, err
	}
	return s, known, func(fn func()) workDone {
		var done workDone
		hashes = nil
		before := mailsWaiting(t, jobs)
		done.Statements, done.RedisCommands = p.Cost(fn)
		done.Hashes, done.Mails = hashes, mailsWaiting(t, jobs)-before
		return done
	}
}

func newPerson(t *testing.T, s *Service) (person uuid.UUID, email string) {
	t.Helper()
	email = uuid.NewString() + "@example.com"
	proof, err := s.SignUp(t.Context(), Registration{
		Name: "Kari Nordmann", Email: email, Password: "seven calm houses", Organization: "Nordmann",
		Address: uuid.NewString(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return proof.Person, email
}

func mailsWaiting(t *testing.T, jobs *job.Client) int64 {
	t.Helper()
	waiting, err := jobs.Waiting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return waiting[securityQueue] + waiting[invitationQueue]
}

func equalWork(a, b workDone) bool {
	if len(a.Hashes) != len(b.Hashes) || a.Statements != b.Statements || a.RedisCommands != b.RedisCommands ||
		a.Mails != b.Mails {
		return false
	}
	for i := range a.Hashes {
		if a.Hashes[i] != b.Hashes[i] {
			return false
		}
	}
	return true
}

// Fails without the decoy hash in hasher.verify, and with a decoy of one iteration.
func TestSignInDoesEqualWorkForUnknownAddresses(t *testing.T) {
	t.Parallel()
	s, known, cost := newCountingService(t)
	var refused []error
	attempt := func(email string) workDone {
		return cost(func() {
			_, err := s.SignIn(t.Context(), email, "some other password", uuid.NewString())
			refused = append(refused, err)
		})
	}
	attempt(known) // warms up what is initialized once
	with, without := attempt(known), attempt(uuid.NewString()+"@example.com")
	if !equalWork(with, without) || len(with.Hashes) != 1 {
		t.Errorf("a known address costs %+v, an unknown one %+v", with, without)
	}
	for _, err := range refused {
		if problem.KindOf(err) != problem.KindUnauthenticated || err.Error() != refused[0].Error() {
			t.Errorf("%v and %v differ", err, refused[0])
		}
	}
}

// Fails with a look-up before the response, and if a mail is queued only for known addresses.
func TestResetRequestDoesEqualWorkForUnknownAddresses(t *testing.T) {
	t.Parallel()
	s, known, cost := newCountingService(t)
	var answers error
	attempt := func(email string) workDone {
		// The queue notifies workers of new jobs at most once in 100 ms.
		time.Sleep(150 * time.Millisecond)
		return cost(func() { answers = errors.Join(answers, s.RequestReset(t.Context(), email, uuid.NewString(), "")) })
	}
	_, other := newPerson(t, s)
	attempt(other)
	with, without := attempt(known), attempt(uuid.NewString()+"@example.com")
	if !equalWork(with, without) || with.Mails != 1 {
		t.Errorf("a known address costs %+v, an unknown one %+v", with, without)
	}
	if answers != nil {
		t.Error(answers)
	}
}
