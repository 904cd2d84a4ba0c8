// Package limit enforces rate limits and concurrency limits: how many requests a credential, an
// organization or an address may make (Limiter), how often something may be tried in a window of
// time (WindowCounter), and how many requests one organization may have in flight (Bulkhead).
//
// A Limiter decides locally, without a round trip. It reports what was consumed to Redis several
// times a second, and learns from the response what other processes consumed. With n processes, a
// caller gets at most n times its rate for one Interval beyond its burst, once. While Redis is
// unreachable, each process limits on its own. See docs/decisions/0006-limits.md.
//
// The package knows nothing of credentials, organizations or HTTP routes, except in Guard: it
// counts against names.
package limit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// A Rate allows Burst requests at once and PerSecond requests a second after that.
type Rate struct {
	Name      string  // of the policy, in headers and in Redis: letters and hyphens
	PerSecond float64 // zero or less: no limit
	Burst     int     // at least one
}

// emissionInterval is the time in which one permission is replenished.
func (r Rate) emissionInterval() time.Duration {
	return time.Duration(float64(time.Second) / r.PerSecond)
}

// burstWindow is the time in which a whole burst is replenished.
func (r Rate) burstWindow() time.Duration { return time.Duration(r.Burst) * r.emissionInterval() }

// A State is the state of a caller's limit after a request.
type State struct {
	Rate       Rate
	Allowed    bool
	Remaining  int           // requests that are allowed at once now
	Reset      time.Duration // until Remaining is Rate.Burst again
	RetryAfter time.Duration // until the next permission; zero when Allowed
}

// Options configure a Limiter. The zero value is usable.
type Options struct {
	Interval time.Duration // between two reports to Redis; default 100 ms
	Timeout  time.Duration // of one report; default 250 ms
	Pause    time.Duration // before the next report after a failure; default 1 s
	Callers  int           // maximum number of callers in memory; default 100,000
	Log      *slog.Logger  // nil logs nothing
}

// A Limiter limits the rate of callers. Its methods are safe for concurrent use.
type Limiter struct {
	redis   *redis.Client
	options Options
	now     func() time.Time

	mu      sync.Mutex
	callers map[string]*caller
	dirty   map[string]*caller // callers with consumption that was not yet reported to Redis

	stop chan struct{}
	done sync.WaitGroup
}

// A caller is one name under one rate. The limiter is the generic cell rate algorithm (GCRA): tat,
// the theoretical arrival time, is when everything consumed will have been replenished.
type caller struct {
	key        string
	rate       Rate
	tat        time.Time
	unreported int // consumed since the last report to Redis
}

// New starts a limiter over a client that was created with credential.ClientOptions; a nil client
// limits in this process only. Close it before the client.
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
		l.done.Go(l.syncLoop)
	}
	return l
}

// Close reports the remaining consumption to Redis and stops.
func (l *Limiter) Close() {
	close(l.stop)
	l.done.Wait()
}

// Take consumes one permission of the named caller under a rate, if one is available.
func (l *Limiter) Take(rate Rate, name string) State { return l.take(rate, name, true) }

// Peek returns the state that Take would return, without consuming a permission.
func (l *Limiter) Peek(rate Rate, name string) State { return l.take(rate, name, false) }

func (l *Limiter) take(rate Rate, name string, consume bool) State {
	if rate.PerSecond <= 0 {
		return State{Rate: rate, Allowed: true, Remaining: rate.Burst}
	}
	now, emission := l.now(), rate.emissionInterval()
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.caller(rate, name, now)
	if c.tat.Before(now) {
		c.tat = now
	}
	ahead := c.tat.Sub(now)
	state := State{Rate: rate, Reset: ahead}
	if excess := ahead + emission - rate.burstWindow(); excess > 0 {
		state.RetryAfter = excess
		return state
	}
	state.Allowed = true
	if consume {
		c.tat, ahead = c.tat.Add(emission), ahead+emission
		c.unreported++
		if l.redis != nil {
			l.dirty[c.key] = c
		}
	}
	state.Reset, state.Remaining = ahead, int((rate.burstWindow()-ahead)/emission)
	return state
}

// caller returns the state of a caller. When the map is full, it evicts callers whose permissions
// are fully replenished.
func (l *Limiter) caller(rate Rate, name string, now time.Time) *caller {
	var keyBuffer [96]byte // on the stack: only a new caller allocates its key
	key := append(append(append(append(keyBuffer[:0], "limit:"...), rate.Name...), ':'), name...)
	c := l.callers[string(key)]
	if c != nil {
		c.rate = rate
		return c
	}
	if len(l.callers) >= l.options.Callers {
		for other, old := range l.callers {
			if old.unreported == 0 && old.tat.Before(now) {
				delete(l.callers, other)
			}
		}
		// Clearing is better than growing without bound: Redis still has the counts.
		if len(l.callers) >= l.options.Callers {
			clear(l.callers)
		}
	}
	c = &caller{key: string(key), rate: rate, tat: now}
	l.callers[c.key] = c
	return c
}

// syncLoop exchanges consumption with the other processes through Redis, until Close.
func (l *Limiter) syncLoop() {
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
		err := l.sync()
		if (err == nil) != healthy {
			healthy = err == nil
			if healthy {
				l.options.Log.Info("limits are shared through Redis again")
			} else {
				l.options.Log.Warn("Redis does not respond; limits are enforced in this process only",
					slog.Any("error", err))
			}
		}
		if last {
			return
		}
	}
}

const maxReportBatch = 500 // callers in one call of reportScript

func (l *Limiter) sync() error {
	for {
		batch, more := l.collect()
		if len(batch) == 0 {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), l.options.Timeout)
		ahead, err := report(ctx, l.redis, batch)
		cancel()
		if err != nil {
			l.requeue(batch)
			return err
		}
		l.applyTotals(batch, ahead)
		if !more {
			return nil
		}
	}
}

// A usageReport is the consumption of one caller that is being reported to Redis.
type usageReport struct {
	caller *caller
	rate   Rate
	taken  int
}

func (l *Limiter) collect() (batch []usageReport, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, c := range l.dirty {
		if len(batch) == maxReportBatch {
			return batch, true
		}
		batch = append(batch, usageReport{c, c.rate, c.unreported})
		c.unreported = 0
		delete(l.dirty, key)
	}
	return batch, false
}

func (l *Limiter) requeue(batch []usageReport) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range batch {
		// More than one burst needs no record: the rest was replenished meanwhile, or the limit is
		// exhausted anyway.
		t.caller.unreported = min(t.caller.unreported+t.taken, t.rate.Burst)
		l.dirty[t.caller.key] = t.caller
	}
}

// applyTotals merges the response of Redis: for each caller, how far the shared TAT lies ahead of
// now.
func (l *Limiter) applyTotals(batch []usageReport, ahead []time.Duration) {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, t := range batch {
		since := time.Duration(t.caller.unreported) * t.rate.emissionInterval()
		if due := now.Add(ahead[i] + since); due.After(t.caller.tat) {
			t.caller.tat = due
		}
	}
}
