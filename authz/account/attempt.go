package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/problem"
)

// A limit is how often something may be tried in a window of time.
type limit struct {
	name   string
	most   int64
	window time.Duration
	beyond string // what is told beyond it; a general sentence when it is empty
}

// Every bound on guesses and on mails. docs/operations.md tells them to operators.
var (
	// Only attempts that failed count, of devices that the account has not signed in from.
	signInByAddress = limit{"sign-in address", 60, 15 * time.Minute, ""}
	signInByPair    = limit{"sign-in pair", 10, 15 * time.Minute, ""} // one address, one account
	// Beyond it, whoever guesses from many addresses has to wait before each guess; nobody is locked out.
	signInByAccount = limit{"sign-in account", 20, time.Hour, ""}
	signInByDevice  = limit{"sign-in device", 10, 15 * time.Minute, ""} // a device that the account has signed in from
	passwordChange  = limit{"password change", 10, 15 * time.Minute, ""}

	signUpByAddress = limit{"sign-up address", 30, time.Hour, ""}
	mailByAddress   = limit{"mail address", 30, time.Hour, ""}
	mailByAccount   = limit{"mail account", 5, time.Hour, ""} // of one purpose to one recipient

	invitationByPerson = limit{
		"invitation person", 100, time.Hour,
		"You have invited as many people as you may within an hour. Wait a while, then go on.",
	}
	invitationByOrganization = limit{
		"invitation organization", 300, 24 * time.Hour,
		"This organization has invited as many people as it may within a day. Go on tomorrow.",
	}
	// From all organizations together.
	invitationByRecipient = limit{
		"invitation recipient", 5, time.Hour,
		"This address was sent as many invitations as it may get within an hour. Wait a while, then try again.",
	}
)

// attempts counts in Redis, for all processes together, and in this process alone while Redis is away.
type attempts struct {
	redis *redis.Client

	mu    sync.Mutex
	local map[string]tally
}

type tally struct {
	count int64
	until time.Time
}

const maxTallies = 20_000

func newAttempts(client *redis.Client) *attempts {
	return &attempts{redis: client, local: map[string]tally{}}
}

func (l limit) key(of string) string {
	sum := sha256.Sum256([]byte(l.name + "\x00" + of)) // an address book must not be readable in Redis
	return "attempt:" + hex.EncodeToString(sum[:16])
}

// take counts an attempt, and returns an error of kind rate_limited when there were too many. Attempts made while there are
// too many do not prolong the wait.
func (a *attempts) take(ctx context.Context, l limit, of string) error {
	_, err := a.count(ctx, l, of)
	return err
}

// count is take, which also returns how many there were in the window, this one included.
func (a *attempts) count(ctx context.Context, l limit, of string) (int64, error) {
	count, left, err := a.countShared(ctx, l, l.key(of))
	if err != nil {
		count, left = a.countLocal(l, l.key(of))
	}
	if count <= l.most {
		return count, nil
	}
	message := l.beyond
	if message == "" {
		message = "That was tried too often. Wait a while, then try again."
	}
	return count, &problem.Error{
		Kind: problem.KindRateLimited, RetryAfter: max(left, time.Second).Round(time.Second), Message: message,
	}
}

var countScript = redis.NewScript(`
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}`)

func (a *attempts) countShared(ctx context.Context, l limit, key string) (count int64, left time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	answer, err := countScript.Run(ctx, a.redis, []string{key}, l.window.Milliseconds()).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	return answer[0], time.Duration(answer[1]) * time.Millisecond, nil
}

func (a *attempts) countLocal(l limit, key string) (count int64, left time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	t, there := a.local[key]
	if !there && len(a.local) >= maxTallies {
		for k, old := range a.local {
			if now.After(old.until) {
				delete(a.local, k)
			}
		}
		if len(a.local) >= maxTallies { // somebody has very many addresses; better to start over than to grow
			clear(a.local)
		}
	}
	if !there || now.After(t.until) {
		t = tally{until: now.Add(l.window)}
	}
	t.count++
	a.local[key] = t
	return t.count, t.until.Sub(now)
}

// forgive forgets the attempts: the last one succeeded.
func (a *attempts) forgive(ctx context.Context, l limit, of string) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_ = a.redis.Del(ctx, l.key(of)).Err() // they count for a while longer
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.local, l.key(of))
}

var giveBackScript = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 0`)

// giveBack takes one attempt back: it succeeded, and only failures count.
func (a *attempts) giveBack(ctx context.Context, l limit, of string) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	_ = giveBackScript.Run(ctx, a.redis, []string{l.key(of)}).Err() // it counts for a while longer
	a.mu.Lock()
	defer a.mu.Unlock()
	if t, there := a.local[l.key(of)]; there && t.count > 0 {
		t.count--
		a.local[l.key(of)] = t
	}
}
