package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/tenancy"
)

// A limit is how often something may be tried in a window of time.
type limit struct {
	name   string
	most   int64
	window time.Duration
}

var (
	signInByAddress = limit{"sign-in address", 60, 15 * time.Minute}
	signInByPair    = limit{"sign-in pair", 10, 15 * time.Minute} // one address, one account
	// Whoever has many addresses is slowed down by this one; it is wide, so that an account is not easily locked for its owner.
	signInByAccount = limit{"sign-in account", 100, time.Hour}
	signUpByAddress = limit{"sign-up address", 30, time.Hour}
	mailByAddress   = limit{"mail address", 30, time.Hour}
	mailByAccount   = limit{"mail account", 5, time.Hour}
	passwordChange  = limit{"password change", 10, 15 * time.Minute}
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
	count, left, err := a.countShared(ctx, l, l.key(of))
	if err != nil {
		count, left = a.countLocal(l, l.key(of))
	}
	if count <= l.most {
		return nil
	}
	return &tenancy.Error{
		Kind: tenancy.KindRateLimited, RetryAfter: max(left, time.Second).Round(time.Second),
		Message: "That was tried too often. Wait a while, then try again.",
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
