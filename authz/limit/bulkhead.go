package limit

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// BulkheadOptions bound the concurrent requests of each tenant in this process.
type BulkheadOptions struct {
	// Max is how many requests may be in flight at once. Zero or less means no limit.
	Max int
	// While at least Slow requests have been in flight for longer than SlowAfter, at most Slow+1
	// may be in flight at once: a tenant with expensive requests gets fewer slots, and one remains
	// for a cheap request. Zero disables this rule.
	Slow      int
	SlowAfter time.Duration // default 250 ms
	// While other tenants are active, a tenant whose average demand exceeds overShare times Share
	// gets Share slots, so that processors are shared among tenants and not among requests. Zero
	// disables this rule.
	Share int
	Queue int           // how many requests may wait; default 64
	Wait  time.Duration // how long a request may wait; default 10 s
}

// A Bulkhead bounds the requests of each tenant in flight in this process, so that a burst or
// expensive queries of one tenant leave database connections to the others. Requests without a free
// slot wait in FIFO order. Its methods are safe for concurrent use.
type Bulkhead struct {
	options BulkheadOptions
	now     func() time.Time

	mu      sync.Mutex
	tenants map[string]*tenantQueue
	recent  [2]lastRequest // of the two most recently active tenants, newest first
}

// overShare is how many times its share a tenant may demand before it is limited to its share.
const overShare = 4

const (
	// recentWindow is how long after its last request a tenant counts as a neighbour. It is long
	// because requests in flight delay a returning neighbour until they end, so other tenants must
	// already be limited by then.
	recentWindow = 10 * time.Second
	// averageWindow is the time over which demand is averaged. It is short because a burst delays
	// others until it is detected.
	averageWindow = 250 * time.Millisecond
)

// A lastRequest is the time of a tenant's last request.
type lastRequest struct {
	tenant string
	at     time.Time
}

// A tenantQueue holds the running and waiting requests of one tenant.
type tenantQueue struct {
	tenant  string
	running []*slot
	waiting []*slot

	demand  float64 // exponentially weighted average of running plus waiting requests
	counted time.Time
}

// count updates the average up to now. Call it before the number of requests changes.
func (q *tenantQueue) count(now time.Time) {
	weight := math.Exp(-now.Sub(q.counted).Seconds() / averageWindow.Seconds())
	q.demand = q.demand*weight + float64(len(q.running)+len(q.waiting))*(1-weight)
	q.counted = now
}

// A slot belongs to one running or waiting request.
type slot struct {
	tenant string
	began  time.Time     // when the request began to run
	free   chan struct{} // closed when the request may run; nil if it did not have to wait
}

// NewBulkhead returns a bulkhead without requests.
func NewBulkhead(options BulkheadOptions) *Bulkhead {
	if options.SlowAfter == 0 {
		options.SlowAfter = 250 * time.Millisecond
	}
	if options.Queue == 0 {
		options.Queue = 64
	}
	if options.Wait == 0 {
		options.Wait = 10 * time.Second
	}
	return &Bulkhead{options: options, now: time.Now, tenants: map[string]*tenantQueue{}}
}

// Enter waits for a slot and returns a function that releases it, which must be called exactly
// once. It returns an error of kind rate_limited when the queue is full or the wait is too long,
// and ctx.Err() when ctx ends.
func (b *Bulkhead) Enter(ctx context.Context, tenant string) (leave func(), err error) {
	if b.options.Max <= 0 {
		return func() {}, nil
	}
	s, err := b.enqueue(tenant)
	if err != nil {
		return nil, err
	}
	if s.free != nil {
		if err := b.wait(ctx, s); err != nil {
			b.leave(s)
			return nil, err
		}
	}
	return func() { b.leave(s) }, nil
}

func (b *Bulkhead) wait(ctx context.Context, s *slot) error {
	timeout := time.NewTimer(b.options.Wait)
	defer timeout.Stop()
	select {
	case <-s.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timeout.C:
		return errTooManyInFlight()
	}
}

// InFlight returns how many requests of the tenant are running and how many are waiting.
func (b *Bulkhead) InFlight(tenant string) (running, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.tenants[tenant]; q != nil {
		return len(q.running), len(q.waiting)
	}
	return 0, 0
}

func (b *Bulkhead) enqueue(tenant string) (*slot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.recordRequest(tenant, now)
	q := b.tenants[tenant]
	if q == nil {
		q = &tenantQueue{tenant: tenant, counted: now}
		b.tenants[tenant] = q
	}
	q.count(now)
	if len(q.waiting) >= b.options.Queue {
		return nil, errTooManyInFlight()
	}
	s := &slot{tenant: tenant}
	q.waiting = append(q.waiting, s)
	if b.admit(q, now); len(q.waiting) > 0 { // then the last one, which is s, is still waiting
		s.free = make(chan struct{})
	}
	return s, nil
}

// leave removes a running or waiting request and admits waiting ones.
func (b *Bulkhead) leave(s *slot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.tenants[s.tenant]
	if q == nil {
		return
	}
	now := b.now()
	q.count(now)
	same := func(other *slot) bool { return other == s }
	q.running = slices.DeleteFunc(q.running, same)
	q.waiting = slices.DeleteFunc(q.waiting, same)
	b.admit(q, now)
	if len(q.running) == 0 && len(q.waiting) == 0 {
		delete(b.tenants, s.tenant)
	}
}

// admit gives free slots to the requests that have waited longest.
func (b *Bulkhead) admit(q *tenantQueue, now time.Time) {
	for len(q.waiting) > 0 && len(q.running) < b.slotLimit(q, now) {
		s := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		s.began = now
		q.running = append(q.running, s)
		if s.free != nil {
			close(s.free)
		}
	}
}

// recordRequest records the time of a tenant's request.
func (b *Bulkhead) recordRequest(tenant string, now time.Time) {
	if b.recent[0].tenant != tenant {
		b.recent[0], b.recent[1] = lastRequest{tenant, now}, b.recent[0]
	}
	b.recent[0].at = now
}

// hasNeighbours reports whether another tenant was active within recentWindow.
func (b *Bulkhead) hasNeighbours(tenant string, now time.Time) bool {
	for _, v := range b.recent {
		if v.tenant != tenant && v.tenant != "" && now.Sub(v.at) < recentWindow {
			return true
		}
	}
	return false
}

// slotLimit returns how many requests of a tenant may be in flight now.
func (b *Bulkhead) slotLimit(q *tenantQueue, now time.Time) int {
	if b.options.Share > 0 && q.demand > float64(overShare*b.options.Share) && b.hasNeighbours(q.tenant, now) {
		return min(b.options.Max, b.options.Share)
	}
	if b.options.Slow <= 0 {
		return b.options.Max
	}
	slow := 0
	for _, s := range q.running {
		if now.Sub(s.began) > b.options.SlowAfter {
			slow++
		}
	}
	if slow >= b.options.Slow {
		return min(b.options.Max, b.options.Slow+1)
	}
	return b.options.Max
}

func errTooManyInFlight() error {
	return &problem.Error{
		Kind: problem.KindRateLimited, Code: problem.CodeTooManyAtOnce, RetryAfter: time.Second,
		Message: "Too many requests of this organization are in progress at once; " +
			"wait for responses before you send more.",
	}
}
