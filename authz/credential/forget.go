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

// Forget makes every process ask Postgres about these credentials from now on. Call it before the change commits and again
// after: the first covers a process that dies in between, the second whoever read the old state meanwhile. When Redis cannot
// be told at once it is told as soon as it can be, and this process does not believe it until then.
func (c *Cache) Forget(ctx context.Context, kind Kind, hashes ...Hash) {
	keys := make([]string, len(hashes))
	for i, hash := range hashes {
		keys[i] = entryKey(kind, hash)
	}
	c.bury(ctx, keys)
}

// ForgetPerson is Forget for all that holds for a person: the memberships and roles, the name, the address. It covers every
// credential of the person.
func (c *Cache) ForgetPerson(ctx context.Context, people ...uuid.UUID) {
	keys := make([]string, len(people))
	for i, person := range people {
		keys[i] = personKey(person)
	}
	c.bury(ctx, keys)
}

func (c *Cache) bury(ctx context.Context, keys []string) {
	if len(keys) == 0 {
		return
	}
	defer c.near.forget() // after Redis knows or the debt is noted: what is asked from then on is right
	// The change happens whether or not the caller is still there.
	_, err := c.exchange(context.WithoutCancel(ctx), func(ctx context.Context) (any, error) {
		return nil, setTombstones(ctx, c.client, keys)
	})
	if err == nil {
		return
	}
	c.options.Log.WarnContext(ctx, "Redis could not be told of a changed credential; trying until it can", slog.Any("error", err))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		c.debt++
		c.owed[key] = c.debt
	}
	if !c.retrying {
		c.retrying = true
		c.done.Go(c.retry)
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

// retry delivers what is owed and returns when nothing is.
func (c *Cache) retry() {
	for {
		select {
		case <-c.closed:
			return
		case <-time.After(retryEvery):
		}
		owing := c.owing()
		if c.deliver(slices.Collect(maps.Keys(owing))) != nil {
			continue
		}
		c.mu.Lock()
		for key, debt := range owing {
			if c.owed[key] == debt { // not owed anew since
				delete(c.owed, key)
			}
		}
		c.retrying = len(c.owed) > 0
		again := c.retrying
		c.mu.Unlock()
		if !again {
			return
		}
	}
}

// deliver uses a connection of its own: after enough failures the shared pool looks for Redis only once a second, and the
// breaker lets nobody through.
func (c *Cache) deliver(keys []string) error {
	options := *c.client.Options()
	options.PoolSize, options.MinIdleConns = 1, 0
	client := redis.NewClient(&options)
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return setTombstones(ctx, client, keys)
}

func (c *Cache) owing() map[string]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.owed)
}

func (c *Cache) owes(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, owed := c.owed[key]
	return owed
}
