package credential

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// renewEvery is how often leased entries are read again. The next read notices a change, which
	// must happen within a second.
	renewEvery = 300 * time.Millisecond
	// leaseGrace is how much longer than others a leased entry stays valid if it cannot be read
	// again, because reading very many takes time. With the life of a local entry it stays below
	// that second.
	leaseGrace = 400 * time.Millisecond
	renewBatch = 250
	// leaseLookups is how many leased credentials are looked up individually at a time.
	leaseLookups = 16
)

// A Hold has this process read the credentials of a long request again in bulk, so that checking them
// often costs the request no round trip.
type Hold struct {
	cache   *Cache
	changed chan struct{}
	mu      sync.Mutex
	known   map[localKey]localEntry // as they were when they were looked up last
	finds   int
	ended   bool
	until   time.Time   // when the credential of the request expires by itself
	timer   *time.Timer // reports that; without a cache, it reports every renewEvery
}

type holdKey struct{}

// Hold returns a context for repeated look-ups of the credentials of a long request. They stay
// leased until Release. Without a cache (nil) nothing is leased, and the request has to look its
// credentials up every renewEvery.
func (c *Cache) Hold(ctx context.Context) (context.Context, *Hold) {
	h := &Hold{cache: c, changed: make(chan struct{}, 1), known: make(map[localKey]localEntry, 1)}
	if c == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.timer = time.AfterFunc(renewEvery, h.poll)
	}
	return context.WithValue(ctx, holdKey{}, h), h
}

func (h *Hold) poll() {
	h.report()
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.timer.Reset(renewEvery)
	}
}

// report has the request look up its credentials again.
func (h *Hold) report() {
	select {
	case h.changed <- struct{}{}:
	default: // it has not come to the former yet
	}
}

// Until says when the credential of a request expires, if that is not in its entry. It does nothing for a
// request that does not hold its credentials.
func Until(ctx context.Context, expires time.Time) {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	if h == nil || expires.IsZero() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || h.cache == nil || h.until.Equal(expires) {
		return
	}
	if h.timer != nil {
		h.timer.Stop()
	}
	h.until, h.timer = expires, time.AfterFunc(time.Until(expires), h.report)
}

// Changed has a value when the credentials may have changed, have expired or could not be read again:
// they have to be looked up.
func (h *Hold) Changed() <-chan struct{} { return h.changed }

// Repeated reports whether a look-up has only repeated that with which a long request began, so that it
// was no use of the credential.
func Repeated(ctx context.Context) bool {
	h, _ := ctx.Value(holdKey{}).(*Hold)
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.finds > 1
}

// found reports whether the hold has a key.
func (h *Hold) found(key localKey) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, found := h.known[key]
	return found
}

// add leases an answer.
func (h *Hold) add(key localKey, answer localEntry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.finds++
	if !h.ended {
		_, found := h.known[key]
		h.known[key] = answer
		h.cache.leased.put(key, answer, h, !found)
	}
}

// Release ends the hold.
func (h *Hold) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	if h.timer != nil {
		h.timer.Stop()
	}
	for key := range h.known {
		h.cache.leased.drop(key, h)
	}
	clear(h.known)
}

// leasedEntries are the entries that are read again, by their keys.
type leasedEntries struct {
	mu      sync.Mutex
	answers map[localKey]*leasedEntry
	running bool
	renew   func()              // reads them until there are none
	slots   *semaphore.Weighted // for those that have to be looked up again one by one
}

type leasedEntry struct {
	localEntry

	keys  [2]string // in Redis, of the credential and of its person
	holds []*Hold
}

// doubt has the requests that hold an answer look it up again.
func (a *leasedEntry) doubt() {
	for _, h := range a.holds {
		h.report()
	}
}

func (a *leasedEntry) expired(now time.Time) bool {
	entry, _ := a.entry.(interface{ Expired(now time.Time) bool })
	return now.After(a.expires.Add(leaseGrace)) || entry == nil || entry.Expired(now)
}

// put stores what is known of a key. another says that the key is new to the hold.
func (a *leasedEntries) put(key localKey, answer localEntry, by *Hold, another bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.answers[key]
	if known == nil {
		known = &leasedEntry{}
		a.answers[key] = known
	}
	known.localEntry = answer
	known.keys = [2]string{entryKey(key.kind, key.hash), personPrefix + answer.credential[:personLength]}
	if another {
		known.holds = append(known.holds, by)
	}
	if !a.running {
		a.running = true
		a.renew()
	}
}

func (a *leasedEntries) drop(key localKey, by *Hold) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.answers[key]; known != nil {
		known.holds = slices.DeleteFunc(known.holds, func(h *Hold) bool { return h == by })
		if len(known.holds) == 0 {
			delete(a.answers, key)
		}
	}
}

// get returns what is known of a key, unless it is time to ask again.
func (a *leasedEntries) get(key localKey, now time.Time) localEntry {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.answers[key]
	if known == nil || known.expired(now) {
		return localEntry{}
	}
	return known.localEntry
}

// settle says until when what is known of a key need not be asked for again. An answer that has expired
// is from Redis, which has something else.
func (a *leasedEntries) settle(key localKey, answer localEntry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.answers[key]
	if known == nil || known.credential != answer.credential || known.person != answer.person {
		return // it was looked up again meanwhile
	}
	known.expires = answer.expires
	if known.expired(time.Now()) {
		known.doubt()
	}
}

// batch is a copy of some leased entries.
type batch struct {
	keys    []localKey
	answers []localEntry
	names   []string // in Redis, two for each key
}

// batches copies all leased entries, and ends the renewal when there are none.
func (a *leasedEntries) batches() (all []batch) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running = len(a.answers) > 0; !a.running {
		return nil
	}
	for key, answer := range a.answers {
		if len(all) == 0 || len(all[len(all)-1].keys) == renewBatch {
			room := min(renewBatch, len(a.answers)-len(all)*renewBatch)
			all = append(all, batch{
				keys: make([]localKey, 0, room), answers: make([]localEntry, 0, room), names: make([]string, 0, 2*room),
			})
		}
		last := &all[len(all)-1]
		last.keys, last.answers = append(last.keys, key), append(last.answers, answer.localEntry)
		last.names = append(last.names, answer.keys[:]...)
	}
	return all
}

// renewLeased reads the leased entries again and again while there are any.
func (c *Cache) renewLeased() {
	c.done.Go(func() {
		ticker := time.NewTicker(renewEvery)
		defer ticker.Stop()
		for {
			select {
			case <-c.closed:
				return
			case <-ticker.C:
			}
			batches := c.leased.batches()
			if batches == nil {
				return
			}
			for i := range batches {
				c.renewBatch(&batches[i])
			}
		}
	})
}

// renewBatch extends the answers that still stand in Redis as they were, and has the others looked up.
func (c *Cache) renewBatch(b *batch) {
	asked := time.Now()
	found, err := c.call(context.Background(), func(ctx context.Context) (any, error) {
		return c.client.MGet(ctx, b.names...).Result()
	})
	values, _ := found.([]any)
	read := err == nil && len(values) == len(b.names)
	for i, key := range b.keys {
		answer := b.answers[i]
		switch {
		case c.isPending(b.names[2*i]) || c.isPending(b.names[2*i+1]):
			answer.expires = time.Time{}
		case !read: // it stands as long as it did
		case values[2*i] == answer.credential && values[2*i+1] == answer.person:
			answer.expires = asked.Add(c.local.ttl)
		default:
			answer.expires = time.Time{}
		}
		c.leased.settle(key, answer)
	}
}
