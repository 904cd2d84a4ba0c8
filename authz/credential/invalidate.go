package credential

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// Invalidate makes every process query PostgreSQL about these credentials from now on. Call it
// before the change commits and again after: the first call covers a process that dies in between,
// the second covers readers that saw the old state in between. While Redis is unreachable, the
// invalidation is retried in the background, and this process bypasses Redis for these credentials.
func (c *Cache) Invalidate(ctx context.Context, kind Kind, hashes ...Hash) {
	keys := make([]string, len(hashes))
	for i, hash := range hashes {
		keys[i] = entryKey(kind, hash)
	}
	c.invalidate(ctx, keys)
}

// InvalidatePerson is Invalidate for the shared data of people: memberships and roles, name, e-mail
// address. It covers every credential of each person.
func (c *Cache) InvalidatePerson(ctx context.Context, people ...uuid.UUID) {
	keys := make([]string, len(people))
	for i, person := range people {
		keys[i] = personKey(person)
	}
	c.invalidate(ctx, keys)
}

func (c *Cache) invalidate(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	defer c.local.clear() // after the tombstones are written or pending, so that later look-ups are right
	// The change is committed whether or not the caller's context ends.
	_, err := c.call(context.WithoutCancel(ctx), func(ctx context.Context) (any, error) {
		return nil, setTombstones(ctx, c.client, keys)
	})
	if err == nil {
		return
	}
	c.options.Log.WarnContext(ctx, "a cache invalidation could not be written to Redis; retrying until it can",
		slog.Any("error", err))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.sequence++
		c.pending[key] = c.sequence
	}
	if !c.retrying {
		c.retrying = true
		c.done.Go(c.retryInvalidations)
	}
}

func setTombstones(ctx context.Context, client *redis.Client, keys []string) error {
	_, err := client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, key := range keys {
			p.Set(ctx, key, tombstone, tombstoneLife)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("setting tombstones: %w", err)
	}
	return nil
}

// retryInvalidations writes the pending tombstones and returns when none is left.
func (c *Cache) retryInvalidations() {
	for {
		select {
		case <-c.closed:
			return
		case <-time.After(retryInterval):
		}
		pending := c.pendingInvalidations()
		if c.deliverTombstones(slices.Collect(maps.Keys(pending))) != nil {
			continue
		}
		c.mu.Lock()
		for key, sequence := range pending {
			if c.pending[key] == sequence { // not invalidated again since
				delete(c.pending, key)
			}
		}
		c.retrying = len(c.pending) > 0
		again := c.retrying
		c.mu.Unlock()
		if !again {
			return
		}
	}
}

// deliverTombstones uses its own connection, because after enough failures the shared pool dials
// only once a second and the circuit breaker rejects every call.
func (c *Cache) deliverTombstones(keys []string) error {
	options := *c.client.Options()
	options.PoolSize, options.MinIdleConns = 1, 0
	client := redis.NewClient(&options)
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return setTombstones(ctx, client, keys)
}

func (c *Cache) pendingInvalidations() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.pending)
}

func (c *Cache) isPending(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, pending := c.pending[key]
	return pending
}
