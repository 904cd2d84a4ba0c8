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

// What an answer costs is what its time tells. These tests compare the work and not the clock.

// A workDone is the work that is done before an answer is given.
type workDone struct {
	Hashes        []argon2id.Params // with what each password was hashed
	Statements    int64
	RedisCommands int64 // with Redis
	Mails         int64 // put off for later
}

type discardMailer struct{}

func (discardMailer) Send(context.Context, Message) error { return nil }

// newCountingService is a service that counts. The mails that it puts off stay where they are.
func newCountingService(t *testing.T) (s *Service, known string, cost func(func()) workDone) {
	t.Helper()
	p := credentialtest.Start(t, tenancytest.RedisURL(t))
	jobs := jobtest.Open(t, Queues()) // which is not started: what is queued stays there
	s = New(Deps{DB: p.DB, Cache: p.Cache, Redis: p.Redis, Jobs: jobs, Mailer: discardMailer{}, BaseURL: "http://127.0.0.1:8080", Log: p.Log})
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
		var spent workDone
		hashes = nil
		before := mailsWaiting(t, jobs)
		spent.Statements, spent.RedisCommands = p.Cost(fn)
		spent.Hashes, spent.Mails = hashes, mailsWaiting(t, jobs)-before
		return spent
	}
}

func newPerson(t *testing.T, s *Service) (person uuid.UUID, email string) {
	t.Helper()
	email = uuid.NewString() + "@example.com"
	proof, err := s.SignUp(t.Context(), Registration{
		Name: "Kari Nordmann", Email: email, Password: "seven calm houses", Organization: "Nordmann", Address: uuid.NewString(),
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
	if len(a.Hashes) != len(b.Hashes) || a.Statements != b.Statements || a.RedisCommands != b.RedisCommands || a.Mails != b.Mails {
		return false
	}
	for i := range a.Hashes {
		if a.Hashes[i] != b.Hashes[i] {
			return false
		}
	}
	return true
}

// Fails without the decoy in hasher.verify (an unknown address returning before it is checked); and with a decoy of one
// iteration.
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
	attempt(known) // what is prepared once is prepared
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

// Fails with a look-up before the answer, and with a mail that is queued for known addresses only.
func TestResetRequestDoesEqualWorkForUnknownAddresses(t *testing.T) {
	t.Parallel()
	s, known, cost := newCountingService(t)
	var answers error
	attempt := func(email string) workDone {
		// The queue tells workers of new jobs at most once in 100 ms, whoever they are for.
		time.Sleep(150 * time.Millisecond)
		return cost(func() { answers = errors.Join(answers, s.RequestReset(t.Context(), email, uuid.NewString())) })
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
