package credential

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/sony/gobreaker/v2"
)

const (
	entryLife    = 60 * time.Second // the longest that a lost invalidation can matter
	negativeLife = 5 * time.Second
	nearLife     = 400 * time.Millisecond // of the second within which a change is known everywhere
	// A tombstone outlives every filler that may have read Postgres before the change: who took longer does not fill.
	tombstoneLife = 10 * time.Second
	fillWithin    = 3 * time.Second
	lookUpWithin  = 10 * time.Second // whatever becomes of the services that are asked

	retryEvery = 100 * time.Millisecond

	tombstone = "!"
	negative  = "-"
)

// Options shape a Cache. The zero value is usable.
type Options struct {
	Timeout time.Duration // of one exchange with Redis; default 80 ms
	Pause   time.Duration // how long Redis is left alone after it failed five times in a row; default 500 ms
	Near    time.Duration // how long the process believes what Redis said; default 400 ms, negative: it asks each time
	Log     *slog.Logger  // default slog.Default()
}

// Cache remembers credentials in Redis. Its methods may be called from many goroutines, and many processes share one Redis.
//
// An answer is filled in with SET NX, and a change is announced by overwriting the entry with a tombstone, before the change
// commits and again after it: while the tombstone stands, readers ask Postgres and fillers with an old answer are refused.
type Cache struct {
	client  *redis.Client
	options Options
	breaker *gobreaker.CircuitBreaker[any]
	near    *near

	mu       sync.Mutex
	owed     map[string]uint64 // tombstones that Redis has not taken yet, and which debt each is
	debt     uint64
	retrying bool
	closed   chan struct{}
	done     sync.WaitGroup
}

// ClientOptions reads a Redis URL and sets what the cache relies on: contexts bound each command, and nothing is tried
// twice. Other uses of the same client inherit that.
func ClientOptions(redisURL string) (*redis.Options, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, errors.New("reading the Redis URL: it is not a valid redis:// or rediss:// URL") // err may quote a password
	}
	options.ContextTimeoutEnabled = true
	options.DialTimeout = 150 * time.Millisecond
	options.DialerRetries = 1
	options.ReadTimeout = time.Second
	options.WriteTimeout = time.Second
	options.PoolTimeout = 200 * time.Millisecond
	options.MaxRetries = -1
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return options, nil
}

// New makes a cache over a client that was made with ClientOptions. Close it before the client.
func New(client *redis.Client, options Options) *Cache {
	if options.Timeout == 0 {
		options.Timeout = 80 * time.Millisecond
	}
	if options.Pause == 0 {
		options.Pause = 500 * time.Millisecond
	}
	if options.Near == 0 {
		options.Near = nearLife
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	log := options.Log
	return &Cache{
		client:  client,
		options: options,
		near:    newNear(options.Near),
		owed:    map[string]uint64{},
		closed:  make(chan struct{}),
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Name:        "redis",
			Timeout:     options.Pause,
			ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= 5 },
			IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
			OnStateChange: func(_ string, from, to gobreaker.State) {
				log.Warn("the credential cache's use of Redis changed", slog.String("from", from.String()), slog.String("to", to.String()))
			},
		}),
	}
}

// Close tries once more to deliver the tombstones that are owed, and stops.
func (c *Cache) Close() {
	close(c.closed)
	c.done.Wait()
	if owing := c.owing(); len(owing) > 0 {
		if err := c.deliver(slices.Collect(maps.Keys(owing))); err != nil {
			c.options.Log.Error("credentials stay remembered for up to a minute after they changed",
				slog.Int("count", len(owing)), slog.Any("error", err))
		}
	}
}

// lookup reads an entry and the person it belongs to in one round trip. It needs all of Redis on one node.
var lookup = redis.NewScript(`
local entry = redis.call('GET', KEYS[1])
if not entry or #entry < 36 then return {entry} end
return {entry, redis.call('GET', ARGV[1] .. string.sub(entry, 1, 36))}`)

func entryKey(kind Kind, hash Hash) string { return "credential:" + string(kind) + ":" + hash.String() }

const personPrefix = "credential:person:"

func personKey(person uuid.UUID) string { return personPrefix + person.String() }

// payload is what follows the person's id in an entry.
type payload[T any] struct {
	Facts T         `json:"facts"`
	Until time.Time `json:"until,omitzero"`
}

// Find returns what is held of the credential with this hash, or nil when there is none. It costs nothing when Redis was asked
// within the last moments, and one round trip to Redis when the answer is remembered there; otherwise it calls load, which asks
// Postgres and returns nil for an unknown credential, and remembers what that said. Asking ends after 10 seconds. An expired
// credential is returned like any other. Nobody may change what it returns.
func Find[T any](ctx context.Context, c *Cache, kind Kind, hash Hash, load func(ctx context.Context) (*Held[T], error)) (*Held[T], error) {
	asked, nearby := time.Now(), c.near.current.Load()
	if held, ok := c.near.get(nearKey{kind, hash}, asked).(*Held[T]); ok {
		return held, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpWithin)
	defer cancel()
	key := entryKey(kind, hash)
	held, state := recall[T](ctx, c, key)
	switch state {
	case known:
		nearby.Add(nearKey{kind, hash}, nearAnswer{held, asked.Add(c.near.life)})
		return held, nil
	case unknown:
		return nil, nil //nolint:nilnil // no such credential is an answer, not a failure
	case silent, unusable:
	}
	asked = time.Now()
	held, err := load(ctx)
	if err != nil {
		return nil, err
	}
	if state == silent {
		remember(ctx, c, key, held, asked)
	}
	return held, nil
}

type recollection int

const (
	known    recollection = iota
	unknown               // remembered as absent
	silent                // nothing remembered: the answer may be filled in
	unusable              // a tombstone, or no Redis: the answer must not be filled in
)

func recall[T any](ctx context.Context, c *Cache, key string) (*Held[T], recollection) {
	if c.owes(key) {
		return nil, unusable
	}
	answer, err := c.exchange(ctx, func(ctx context.Context) (any, error) {
		return lookup.Run(ctx, c.client, []string{key}, personPrefix).Slice()
	})
	if err != nil {
		return nil, unusable
	}
	parts, _ := answer.([]any)
	if len(parts) == 0 || parts[0] == nil {
		return nil, silent
	}
	entry, _ := parts[0].(string)
	switch {
	case entry == negative:
		return nil, unknown
	case entry == tombstone || len(parts) < 2:
		return nil, unusable
	case parts[1] == nil:
		return nil, silent
	}
	about, _ := parts[1].(string)
	if about == tombstone {
		return nil, unusable
	}
	var held Held[T]
	var rest payload[T]
	// What another version of the program wrote and this one cannot read is not an answer.
	if json.Unmarshal([]byte(about), &held.Person) != nil || json.Unmarshal([]byte(entry[36:]), &rest) != nil {
		return nil, unusable
	}
	if c.owes(personKey(held.Person.ID)) {
		return nil, unusable
	}
	held.Facts, held.Until = rest.Facts, rest.Until
	return &held, known
}

// remember fills in an answer that was read from Postgres at started or later. Failing to is no harm.
func remember[T any](ctx context.Context, c *Cache, key string, held *Held[T], started time.Time) {
	if time.Since(started) > fillWithin {
		return
	}
	_, _ = c.exchange(ctx, func(ctx context.Context) (any, error) {
		if held == nil {
			return nil, ignoreRefusal(c.client.SetNX(ctx, key, negative, negativeLife).Err())
		}
		about, err := json.Marshal(held.Person)
		if err != nil {
			return nil, fmt.Errorf("encoding a person: %w", err)
		}
		rest, err := json.Marshal(payload[T]{held.Facts, held.Until})
		if err != nil {
			return nil, fmt.Errorf("encoding a credential: %w", err)
		}
		_, err = c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.SetNX(ctx, personKey(held.Person.ID), about, entryLife)
			p.SetNX(ctx, key, held.Person.ID.String()+string(rest), entryLife)
			return nil
		})
		return nil, ignoreRefusal(err)
	})
}

// ignoreRefusal drops the answer "not set": another filler was first, or a tombstone stands.
func ignoreRefusal(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// exchange runs one exchange with Redis, within the timeout, unless Redis is being left alone.
func (c *Cache) exchange(ctx context.Context, fn func(ctx context.Context) (any, error)) (any, error) {
	return c.breaker.Execute(func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
		defer cancel()
		return fn(ctx)
	})
}
