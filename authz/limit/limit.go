// Package limit keeps one caller from taking what belongs to all: how often a credential, an organization or an address may
// ask (a Limiter), and how much one organization may have under way at once (a Bulkhead).
//
// A decision is made in this process and costs no round trip. What was taken is told to Redis a few times a second, and what
// the other processes took is learnt from its answer: with n processes a caller gets at most n times what its rate allows in
// one Interval beyond its burst, once. While Redis is away each process decides alone. See docs/decisions/0006-limits.md.
//
// The package knows nothing of credentials, organizations or HTTP routes: it counts against names that it is given.
package limit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// A Rate is how often something may be done: Burst times at once, and PerSecond times a second from then on.
type Rate struct {
	Name      string  // of the policy, in headers and in Redis: letters and hyphens
	PerSecond float64 // zero or less: no limit
	Burst     int     // at least one; what a caller may save up
}

// emission is the time that one permission takes to grow back.
func (r Rate) emission() time.Duration { return time.Duration(float64(time.Second) / r.PerSecond) }

// full is the time that a whole burst takes to grow back.
func (r Rate) full() time.Duration { return time.Duration(r.Burst) * r.emission() }

// A State is what a caller may know of its limit after it asked.
type State struct {
	Rate       Rate
	Allowed    bool
	Remaining  int           // how often it may be done at once from now
	Reset      time.Duration // until Remaining is Rate.Burst again
	RetryAfter time.Duration // until the next permission; zero when Allowed
}

// Options shape a Limiter. The zero value is usable.
type Options struct {
	Interval time.Duration // between two exchanges with Redis; default 100 ms
	Timeout  time.Duration // of one exchange; default 250 ms
	Pause    time.Duration // how long Redis is left alone after a failure; default 1 s
	Callers  int           // how many callers are remembered; default 100,000
	Log      *slog.Logger  // nil logs nothing
}

// A Limiter counts callers against rates. Its methods may be called from many goroutines.
type Limiter struct {
	redis   *redis.Client
	options Options
	now     func() time.Time

	mu      sync.Mutex
	callers map[string]*caller
	dirty   map[string]*caller // those that took something Redis has not been told of

	stop chan struct{}
	done sync.WaitGroup
}

// A caller is one name under one rate, by the generic cell rate algorithm: due is the moment at which all that was taken has
// grown back.
type caller struct {
	key   string
	rate  Rate
	due   time.Time
	taken int // since Redis was told last
}

// New starts a limiter over a client that was made with credential.ClientOptions; nil counts in this process alone. Close it
// before the client.
func New(client *redis.Client, options Options) *Limiter {
	if options.Interval == 0 {
		options.Interval = 100 * time.Millisecond
	}
	if options.Timeout == 0 {
		options.Timeout = 250 * time.Millisecond
	}
	if options.Pause == 0 {
		options.Pause = time.Second
	}
	if options.Callers == 0 {
		options.Callers = 100_000
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	l := &Limiter{
		redis: client, options: options, now: time.Now,
		callers: map[string]*caller{}, dirty: map[string]*caller{}, stop: make(chan struct{}),
	}
	if client != nil {
		l.done.Go(l.exchange)
	}
	return l
}

// Close tells Redis what it does not know yet, and stops.
func (l *Limiter) Close() {
	close(l.stop)
	l.done.Wait()
}

// Take asks for one permission under a rate for a caller of that name, and takes it when there is one.
func (l *Limiter) Take(rate Rate, name string) State { return l.take(rate, name, true) }

// Look is Take without taking.
func (l *Limiter) Look(rate Rate, name string) State { return l.take(rate, name, false) }

func (l *Limiter) take(rate Rate, name string, really bool) State {
	if rate.PerSecond <= 0 {
		return State{Rate: rate, Allowed: true, Remaining: rate.Burst}
	}
	now, emission := l.now(), rate.emission()
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.find(rate, name, now)
	if c.due.Before(now) {
		c.due = now
	}
	ahead := c.due.Sub(now)
	state := State{Rate: rate, Reset: ahead}
	if excess := ahead + emission - rate.full(); excess > 0 {
		state.RetryAfter = excess
		return state
	}
	state.Allowed = true
	if really {
		c.due, ahead = c.due.Add(emission), ahead+emission
		c.taken++
		if l.redis != nil {
			l.dirty[c.key] = c
		}
	}
	state.Reset, state.Remaining = ahead, int((rate.full()-ahead)/emission)
	return state
}

// find returns the caller. Callers whose permissions have all grown back are as if they had never been, and make room.
func (l *Limiter) find(rate Rate, name string, now time.Time) *caller {
	var room [96]byte // on the stack: the name is made a text of its own only for a new caller
	key := append(append(append(append(room[:0], "limit:"...), rate.Name...), ':'), name...)
	c := l.callers[string(key)]
	if c != nil {
		c.rate = rate
		return c
	}
	if len(l.callers) >= l.options.Callers {
		for other, old := range l.callers {
			if old.taken == 0 && old.due.Before(now) {
				delete(l.callers, other)
			}
		}
		// Somebody has very many names. Forgetting is better than growing: Redis remembers.
		if len(l.callers) >= l.options.Callers {
			clear(l.callers)
		}
	}
	c = &caller{key: string(key), rate: rate, due: now}
	l.callers[c.key] = c
	return c
}

// exchange tells Redis what was taken and learns what others took, until Close.
func (l *Limiter) exchange() {
	healthy := true
	for {
		wait := l.options.Interval
		if !healthy {
			wait = l.options.Pause
		}
		last := false
		select {
		case <-time.After(wait):
		case <-l.stop:
			last = true
		}
		err := l.tell()
		if (err == nil) != healthy {
			healthy = err == nil
			if healthy {
				l.options.Log.Info("limits are shared through Redis again")
			} else {
				l.options.Log.Warn("Redis does not answer; limits are counted in this process alone", slog.Any("error", err))
			}
		}
		if last {
			return
		}
	}
}

const perExchange = 500 // callers in one call of the script

func (l *Limiter) tell() error {
	for {
		batch, more := l.collect()
		if len(batch) == 0 {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), l.options.Timeout)
		ahead, err := report(ctx, l.redis, batch)
		cancel()
		if err != nil {
			l.giveBack(batch)
			return err
		}
		l.learn(batch, ahead)
		if !more {
			return nil
		}
	}
}

// A told is what one caller took, on its way to Redis.
type told struct {
	caller *caller
	rate   Rate
	taken  int
}

func (l *Limiter) collect() (batch []told, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, c := range l.dirty {
		if len(batch) == perExchange {
			return batch, true
		}
		batch = append(batch, told{c, c.rate, c.taken})
		c.taken = 0
		delete(l.dirty, key)
	}
	return batch, false
}

func (l *Limiter) giveBack(batch []told) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range batch {
		// More than a burst need not be known: it has been grown back, or it is as bad as it can be.
		t.caller.taken = min(t.caller.taken+t.taken, t.rate.Burst)
		l.dirty[t.caller.key] = t.caller
	}
}

// learn takes over what Redis says of each caller: how far ahead of now all processes together are.
func (l *Limiter) learn(batch []told, ahead []time.Duration) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, t := range batch {
		since := time.Duration(t.caller.taken) * t.rate.emission()
		if due := now.Add(ahead[i] + since); due.After(t.caller.due) {
			t.caller.due = due
		}
	}
}
