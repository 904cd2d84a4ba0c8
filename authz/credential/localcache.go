package credential

import (
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// localCache keeps recent answers of Redis in this process, so that a busy credential does not cost
// each of its requests a round trip. An answer is used for ttl from the moment at which Redis was
// queried, so changes by other processes are seen within ttl. A change by this process clears the
// whole cache at once; changes are rare, and refilling costs each credential one round trip.
//
// A reader takes the current generation before it queries Redis and adds the answer to that
// generation. If the cache was cleared in between, that generation is no longer used, so an answer
// from before a change never reappears.
type localCache struct {
	ttl     time.Duration // zero or less disables the cache
	current atomic.Pointer[lru.Cache[localKey, localEntry]]
}

// localCacheSize is the maximum number of credentials, more than a process has watchers; an answer takes
// about 1 KB.
const localCacheSize = 32_768

type localKey struct {
	kind Kind
	hash Hash
}

type localEntry struct {
	entry              any // an *Entry, which is never modified
	expires            time.Time
	credential, person string // as they stood in Redis
}

func newLocalCache(ttl time.Duration) *localCache {
	c := &localCache{ttl: ttl}
	c.clear()
	return c
}

// clear drops every answer, including those that readers are about to add.
func (c *localCache) clear() {
	fresh, err := lru.New[localKey, localEntry](localCacheSize)
	if err != nil {
		panic(err) // the size is positive
	}
	c.current.Store(fresh)
}

// get returns an unexpired answer, or one without an entry.
func (c *localCache) get(key localKey, now time.Time) localEntry {
	if c.ttl <= 0 {
		return localEntry{}
	}
	answer, ok := c.current.Load().Get(key)
	if !ok || !now.Before(answer.expires) {
		return localEntry{}
	}
	return answer
}
