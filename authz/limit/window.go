package limit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rowhouse/rowhouse/problem"
)

// A Window bounds how often something may be tried within a period that begins with the first
// attempt.
type Window struct {
	Name    string // of the limit; part of its keys in Redis
	Max     int64  // attempts within one period
	Period  time.Duration
	Message string // for the person beyond the limit; a general sentence when it is empty
}

// key hashes the name of the caller, because an address book must not be readable in Redis.
func (w Window) key(name string) string {
	sum := sha256.Sum256([]byte(w.Name + "\x00" + name))
	return "attempt:" + hex.EncodeToString(sum[:16])
}

// A WindowCounter counts attempts exactly: in Redis for all processes together, and only in this
// process while Redis does not respond. Each call costs one round trip. Use it for guesses and
// mails, where an exact count matters more than its cost; a Limiter costs no round trip. Its
// methods may be called from many goroutines.
type WindowCounter struct {
	redis *redis.Client

	mu    sync.Mutex
	local map[string]windowCount
}

type windowCount struct {
	count int64
	until time.Time
}

const (
	maxLocalWindows = 20_000
	windowTimeout   = 200 * time.Millisecond // of one exchange with Redis
)

// NewWindowCounter returns a counter over a client that was made with credential.ClientOptions.
func NewWindowCounter(client *redis.Client) *WindowCounter {
	return &WindowCounter{redis: client, local: map[string]windowCount{}}
}

// Take counts an attempt by the named caller. It returns an error of kind rate_limited when there
// were more than w.Max in the window. Attempts beyond the limit do not extend the window.
func (c *WindowCounter) Take(ctx context.Context, w Window, name string) error {
	_, err := c.Count(ctx, w, name)
	return err
}

// Count is Take, and also returns the number of attempts in the window, this one included.
func (c *WindowCounter) Count(ctx context.Context, w Window, name string) (int64, error) {
	key := w.key(name)
	count, left, err := c.countShared(ctx, w, key)
	if err != nil {
		count, left = c.countLocal(w, key)
	}
	if count <= w.Max {
		return count, nil
	}
	message := w.Message
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

func (c *WindowCounter) countShared(
	ctx context.Context,
	w Window,
	key string,
) (count int64, left time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	answer, err := countScript.Run(ctx, c.redis, []string{key}, w.Period.Milliseconds()).Int64Slice()
	if err != nil {
		return 0, 0, err
	}
	return answer[0], time.Duration(answer[1]) * time.Millisecond, nil
}

func (c *WindowCounter) countLocal(w Window, key string) (count int64, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	current, ok := c.local[key]
	if !ok && len(c.local) >= maxLocalWindows {
		for k, old := range c.local {
			if now.After(old.until) {
				delete(c.local, k)
			}
		}
		if len(c.local) >= maxLocalWindows { // starting over is better than growing without bound
			clear(c.local)
		}
	}
	if !ok || now.After(current.until) {
		current = windowCount{until: now.Add(w.Period)}
	}
	current.count++
	c.local[key] = current
	return current.count, current.until.Sub(now)
}

// Reset forgets the attempts of a caller. While Redis does not answer, those counted there remain
// until their window ends.
func (c *WindowCounter) Reset(ctx context.Context, w Window, name string) {
	ctx, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	_ = c.redis.Del(ctx, w.key(name)).Err()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.local, w.key(name))
}

var refundScript = redis.NewScript(`
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 0`)

// Refund takes back one attempt, for limits that count only failures. Like Reset, it ignores its
// own failure.
func (c *WindowCounter) Refund(ctx context.Context, w Window, name string) {
	ctx, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	_ = refundScript.Run(ctx, c.redis, []string{w.key(name)}).Err()
	c.mu.Lock()
	defer c.mu.Unlock()
	if current, ok := c.local[w.key(name)]; ok && current.count > 0 {
		current.count--
		c.local[w.key(name)] = current
	}
}
