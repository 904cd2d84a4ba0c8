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
	"golang.org/x/sync/semaphore"
)

const (
	entryLife    = 60 * time.Second // bounds how long a lost invalidation can matter
	negativeLife = 5 * time.Second
	localLife    = 400 * time.Millisecond // well below the one second within which every process must see a change
	// A tombstone outlives every reader that may have queried PostgreSQL before the change: a
	// reader does not fill the cache after fillDeadline.
	tombstoneLife = 10 * time.Second
	fillDeadline  = 3 * time.Second
	lookupTimeout = 10 * time.Second // of a whole look-up, Redis and PostgreSQL together

	retryInterval = 100 * time.Millisecond

	tombstone = "!"
	negative  = "-"
)

// Options configure a Cache. The zero value is usable.
type Options struct {
	Timeout time.Duration // of one Redis call; default 80 ms
	OpenFor time.Duration // how long the circuit breaker stays open after five consecutive failures; default 500 ms
	// How long this process caches an answer of Redis; default 400 ms. A negative value disables
	// the local cache.
	LocalLife time.Duration
	Log       *slog.Logger // default slog.Default()
}

// Cache caches credentials in Redis. Its methods are safe for concurrent use, and many processes
// share one Redis.
//
// A reader fills the cache with SET NX. A change overwrites the entry with a tombstone, before the
// change commits and again after it. While the tombstone exists, readers query PostgreSQL, and SET
// NX keeps a reader with an old answer from filling the cache.
type Cache struct {
	client  *redis.Client
	options Options
	breaker *gobreaker.CircuitBreaker[any]
	local   *localCache
	leased  leasedEntries

	mu       sync.Mutex
	pending  map[string]uint64 // tombstones not yet written to Redis, by the sequence number of the invalidation
	sequence uint64
	retrying bool
	closed   chan struct{}
	done     sync.WaitGroup
}

// ClientOptions parses a Redis URL and sets the options that the cache relies on: contexts bound
// each command, and nothing is retried. Everything that shares the client gets the same options.
func ClientOptions(redisURL string) (*redis.Options, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		// The cause may contain the password.
		return nil, errors.New("reading the Redis URL: it is not a valid redis:// or rediss:// URL")
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

// New returns a cache over a client that was created with ClientOptions. Close it before the
// client.
func New(client *redis.Client, options Options) *Cache {
	if options.Timeout == 0 {
		options.Timeout = 80 * time.Millisecond
	}
	if options.OpenFor == 0 {
		options.OpenFor = 500 * time.Millisecond
	}
	if options.LocalLife == 0 {
		options.LocalLife = localLife
	}
	if options.Log == nil {
		options.Log = slog.Default()
	}
	log := options.Log
	c := &Cache{
		client:  client,
		options: options,
		local:   newLocalCache(options.LocalLife),
		pending: map[string]uint64{},
		closed:  make(chan struct{}),
		breaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
			Name:        "redis",
			Timeout:     options.OpenFor,
			ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures >= 5 },
			IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
			OnStateChange: func(_ string, from, to gobreaker.State) {
				log.Warn("the circuit breaker of the credential cache changed state",
					slog.String("from", from.String()), slog.String("to", to.String()))
			},
		}),
	}
	c.leased = leasedEntries{
		answers: map[localKey]*leasedEntry{}, renew: c.renewLeased, slots: semaphore.NewWeighted(leaseLookups),
	}
	return c
}

// Close tries once more to write the pending tombstones, and stops the background work.
func (c *Cache) Close() {
	close(c.closed)
	c.done.Wait()
	if pending := c.pendingInvalidations(); len(pending) > 0 {
		if err := c.deliverTombstones(slices.Collect(maps.Keys(pending))); err != nil {
			c.options.Log.Error("credentials stay cached for up to a minute after they changed",
				slog.Int("count", len(pending)), slog.Any("error", err))
		}
	}
}

// lookupScript reads an entry and its person in one round trip. The key of the person follows from
// the entry, so all keys must be on one Redis node.
var lookupScript = redis.NewScript(`
local entry = redis.call('GET', KEYS[1])
if not entry or #entry < 36 then return {entry} end
return {entry, redis.call('GET', ARGV[1] .. string.sub(entry, 1, 36))}`)

func entryKey(kind Kind, hash Hash) string { return "credential:" + string(kind) + ":" + hash.String() }

const (
	personPrefix = "credential:person:"
	personLength = 36 // of the person's id, with which an entry begins
)

func personKey(person uuid.UUID) string { return personPrefix + person.String() }

// payload follows the person's id in an entry. Its JSON names are fixed, because processes of
// several versions share the entries.
type payload[T any] struct {
	Claims    T         `json:"facts"`
	ExpiresAt time.Time `json:"until,omitzero"`
}

// Find returns the entry of the credential with this hash, or nil when there is no such credential.
// It costs no round trip when the local cache has the answer and one when Redis has it. Otherwise
// it calls load, which queries PostgreSQL and returns nil for an unknown credential, and caches the
// result. A look-up takes at most 10 seconds. Find returns expired credentials too; check
// Entry.Expired. Callers must not modify the entry.
func Find[T any](
	ctx context.Context,
	c *Cache,
	kind Kind,
	hash Hash,
	load func(ctx context.Context) (*Entry[T], error),
) (*Entry[T], error) {
	asked, generation := time.Now(), c.local.current.Load()
	hold, _ := ctx.Value(holdKey{}).(*Hold)
	local := c.local.get(localKey{kind, hash}, asked)
	if entry, ok := local.entry.(*Entry[T]); ok {
		if hold != nil {
			hold.add(localKey{kind, hash}, local)
		}
		return entry, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	if hold != nil && hold.found(localKey{kind, hash}) {
		// What was lost at once for all who hold something is not looked up by all at once.
		if err := c.leased.slots.Acquire(ctx, 1); err != nil {
			return nil, fmt.Errorf("waiting to look up a credential again: %w", err)
		}
		defer c.leased.slots.Release(1)
		asked = time.Now()
		// It may have been read again with all others meanwhile.
		renewed := c.leased.get(localKey{kind, hash}, asked)
		if entry, ok := renewed.entry.(*Entry[T]); ok {
			hold.add(localKey{kind, hash}, renewed)
			return entry, nil
		}
	}
	key := entryKey(kind, hash)
	answer, state := readEntry[T](ctx, c, key)
	switch state {
	case hit:
		answer.expires = asked.Add(c.local.ttl)
		generation.Add(localKey{kind, hash}, answer)
		if hold != nil {
			hold.add(localKey{kind, hash}, answer)
		}
		return answer.entry.(*Entry[T]), nil //nolint:forcetypeassert // readEntry has made it
	case absent:
		return nil, nil //nolint:nilnil // an unknown credential is not a failure
	case miss, bypass:
	}
	asked = time.Now()
	entry, err := load(ctx)
	if err != nil {
		return nil, err
	}
	answer = localEntry{}
	if state == miss {
		answer = fillEntry(ctx, c, key, entry, asked)
	}
	if hold != nil && entry != nil {
		if answer.entry == nil { // nothing in Redis is equal to it, so it is looked up again each time
			answer = localEntry{entry: entry, expires: asked, credential: entry.Person.ID.String()}
		}
		hold.add(localKey{kind, hash}, answer)
	}
	return entry, nil
}

type lookupResult int

const (
	hit    lookupResult = iota
	absent              // cached as unknown
	miss                // not cached: the answer may be filled in
	bypass              // a tombstone or no Redis: the answer must not be filled in
)

func readEntry[T any](ctx context.Context, c *Cache, key string) (localEntry, lookupResult) {
	if c.isPending(key) {
		return localEntry{}, bypass
	}
	answer, err := c.call(ctx, func(ctx context.Context) (any, error) {
		return lookupScript.Run(ctx, c.client, []string{key}, personPrefix).Slice()
	})
	if err != nil {
		return localEntry{}, bypass
	}
	parts, _ := answer.([]any)
	if len(parts) == 0 || parts[0] == nil {
		return localEntry{}, miss
	}
	raw, _ := parts[0].(string)
	switch {
	case raw == negative:
		return localEntry{}, absent
	case raw == tombstone || len(parts) < 2:
		return localEntry{}, bypass
	case parts[1] == nil:
		return localEntry{}, miss
	}
	personJSON, _ := parts[1].(string)
	if personJSON == tombstone {
		return localEntry{}, bypass
	}
	var entry Entry[T]
	var rest payload[T]
	// An entry that another version wrote and this one cannot decode is not used.
	if json.Unmarshal([]byte(personJSON), &entry.Person) != nil ||
		json.Unmarshal([]byte(raw[personLength:]), &rest) != nil {
		return localEntry{}, bypass
	}
	if c.isPending(personKey(entry.Person.ID)) {
		return localEntry{}, bypass
	}
	entry.Claims, entry.ExpiresAt = rest.Claims, rest.ExpiresAt
	return localEntry{entry: &entry, credential: raw, person: personJSON}, hit
}

// fillEntry caches an answer that was read from PostgreSQL at started or later, and returns what may
// stand in Redis now. Errors are ignored: the next reader queries PostgreSQL again.
func fillEntry[T any](
	ctx context.Context, c *Cache, key string, entry *Entry[T], started time.Time,
) (filled localEntry) {
	if time.Since(started) > fillDeadline {
		return localEntry{}
	}
	_, _ = c.call(ctx, func(ctx context.Context) (any, error) {
		if entry == nil {
			return nil, ignoreNotSet(c.client.SetNX(ctx, key, negative, negativeLife).Err())
		}
		personJSON, err := json.Marshal(entry.Person)
		if err != nil {
			return nil, fmt.Errorf("encoding a person: %w", err)
		}
		rest, err := json.Marshal(payload[T]{entry.Claims, entry.ExpiresAt})
		if err != nil {
			return nil, fmt.Errorf("encoding a credential: %w", err)
		}
		filled = localEntry{
			entry: entry, credential: entry.Person.ID.String() + string(rest), person: string(personJSON),
		}
		_, err = c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.SetNX(ctx, personKey(entry.Person.ID), personJSON, entryLife)
			p.SetNX(ctx, key, filled.credential, entryLife)
			return nil
		})
		return nil, ignoreNotSet(err)
	})
	return filled
}

// ignoreNotSet drops the error for "not set": another reader was first, or there is a tombstone.
func ignoreNotSet(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// call runs one Redis call within the timeout, unless the circuit breaker is open.
func (c *Cache) call(ctx context.Context, fn func(ctx context.Context) (any, error)) (any, error) {
	return c.breaker.Execute(func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
		defer cancel()
		return fn(ctx)
	})
}
