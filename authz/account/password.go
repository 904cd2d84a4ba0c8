package account

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"github.com/rowhouse/rowhouse/problem"
)

const hashWait = 5 * time.Second

// OWASP's password storage cheat sheet lists several equivalent sets of parameters; this one needs
// the least processor time for its memory. A hash keeps its own parameters; weaker ones are
// replaced at the next sign-in.
var hashing = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// A hasher bounds how many passwords are hashed at once: each takes memory and a processor for tens
// of milliseconds, and whoever sends many must not starve everybody else.
type hasher struct {
	slots chan struct{}
	decoy string // what the password of nobody is compared with, so that it takes as long
	check func(password, hash string) (match bool, used *argon2id.Params, err error)
}

func newHasher(atOnce int) *hasher {
	if atOnce <= 0 {
		atOnce = max(1, runtime.GOMAXPROCS(0)/2)
	}
	decoy, err := argon2id.CreateHash("a password that nobody has", &hashing)
	if err != nil {
		panic("account: " + err.Error()) // only a broken random source fails
	}
	return &hasher{slots: make(chan struct{}, atOnce), decoy: decoy, check: argon2id.CheckHash}
}

func (h *hasher) enter(ctx context.Context) error {
	wait := time.NewTimer(hashWait)
	defer wait.Stop()
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting to hash a password: %w", ctx.Err())
	case <-wait.C:
		return &problem.Error{
			Kind: problem.KindUnavailable, RetryAfter: 2 * time.Second,
			Message: "Too many people are signing in at this moment; try again shortly.",
		}
	}
}

func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer func() { <-h.slots }()
	hash, err := argon2id.CreateHash(norm.NFKC.String(password), &hashing)
	if err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	return hash, nil
}

// verify compares a password with a hash. With no hash it takes as long, and says no. weak reports
// that the hash was made with parameters that are no longer used.
func (h *hasher) verify(ctx context.Context, password string, hash *string) (match, weak bool, err error) {
	if utf8.RuneCountInString(password) > MaxPassword {
		password = "" // no password is that long, and a very long one is costly to normalize
	}
	if err := h.enter(ctx); err != nil {
		return false, false, err
	}
	defer func() { <-h.slots }()
	against := h.decoy
	if hash != nil {
		against = *hash
	}
	match, used, err := h.check(norm.NFKC.String(password), against)
	if err != nil {
		return false, false, fmt.Errorf("checking a password: %w", err)
	}
	return match && hash != nil, *used != hashing, nil
}
