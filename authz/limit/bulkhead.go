package limit

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/problem"
)

// BulkheadOptions bound the concurrent requests of one tenant in this process.
type BulkheadOptions struct {
	// Max is how many requests may be under way at once. Zero or less means no limit.
	Max int
	// While at least Slow requests have been under way for longer than SlowAfter, Slow+1 may be under way at once: a tenant with
	// expensive requests gets fewer slots, and one is left for a cheap one. Zero disables this rule.
	Slow      int
	SlowAfter time.Duration // default 250 ms
	// While other tenants have asked recently, a tenant that wants more than overShare times Share requests at once, on a short
	// average, gets Share slots: processors are shared among tenants and not among requests. Zero disables this rule.
	Share int
	Queue int           // how many more may wait; default 64
	Wait  time.Duration // and for how long; default 10 s
}

// A Bulkhead bounds what each tenant has under way at once, so that one tenant's burst or its worst query leaves the database's
// connections to the others. Requests that find no free slot wait in order.
type Bulkhead struct {
	options BulkheadOptions
	now     func() time.Time

	mu      sync.Mutex
	tenants map[string]*tenantQueue
	recent  [2]visit // the last two tenants that asked, the later one first
}

// overShare is how many times its share a tenant may want before it is held to its share.
const overShare = 4

const (
	// recentWindow is how long after its last request a tenant counts as a neighbour. It is long, because what is under way when a
	// neighbour comes back is in its way until it ends: the others must be held to their share before that.
	recentWindow = 10 * time.Second
	// averageWindow is the time over which demand is averaged. It is short, because a burst is in the way until it is known as one.
	averageWindow = 250 * time.Millisecond
)

// A visit is when a tenant asked last.
type visit struct {
	tenant string
	at     time.Time
}

// A tenantQueue is what one tenant has under way, and what waits.
type tenantQueue struct {
	tenant  string
	running []*slot
	waiting []*slot

	demand  float64 // requests running and waiting, as an exponentially weighted average
	counted time.Time
}

// count brings the average up to now, before the number of requests changes.
func (q *tenantQueue) count(now time.Time) {
	weight := math.Exp(-now.Sub(q.counted).Seconds() / averageWindow.Seconds())
	q.demand = q.demand*weight + float64(len(q.running)+len(q.waiting))*(1-weight)
	q.counted = now
}

// A slot is taken, or waited for, by one request.
type slot struct {
	tenant string
	began  time.Time     // when it was taken
	free   chan struct{} // closed when it is taken; nil if the request did not have to wait
}

// NewBulkhead returns a bulkhead with nothing under way.
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

// Enter waits for a slot and returns how to leave it, which must be called once. It returns an error of kind rate_limited when too
// many wait already or the wait gets too long, and that of ctx when ctx ends.
func (b *Bulkhead) Enter(ctx context.Context, tenant string) (leave func(), err error) {
	if b.options.Max <= 0 {
		return func() {}, nil
	}
	s, err := b.join(tenant)
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
		return tooMany()
	}
}

// UnderWay returns how many requests of the tenant have a slot, and how many wait for one.
func (b *Bulkhead) UnderWay(tenant string) (running, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if q := b.tenants[tenant]; q != nil {
		return len(q.running), len(q.waiting)
	}
	return 0, 0
}

func (b *Bulkhead) join(tenant string) (*slot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.visited(tenant, now)
	q := b.tenants[tenant]
	if q == nil {
		q = &tenantQueue{tenant: tenant, counted: now}
		b.tenants[tenant] = q
	}
	q.count(now)
	if len(q.waiting) >= b.options.Queue {
		return nil, tooMany()
	}
	s := &slot{tenant: tenant}
	q.waiting = append(q.waiting, s)
	if b.advance(q, now); len(q.waiting) > 0 { // and so the last of them, since they go in order
		s.free = make(chan struct{})
	}
	return s, nil
}

// leave ends a request, running or waiting, and admits those that wait.
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
	b.advance(q, now)
	if len(q.running) == 0 && len(q.waiting) == 0 {
		delete(b.tenants, s.tenant)
	}
}

// advance gives free slots to the requests that wait longest.
func (b *Bulkhead) advance(q *tenantQueue, now time.Time) {
	for len(q.waiting) > 0 && len(q.running) < b.width(q, now) {
		s := q.waiting[0]
		q.waiting = slices.Delete(q.waiting, 0, 1)
		s.began = now
		q.running = append(q.running, s)
		if s.free != nil {
			close(s.free)
		}
	}
}

// visited records that a tenant asked.
func (b *Bulkhead) visited(tenant string, now time.Time) {
	if b.recent[0].tenant != tenant {
		b.recent[0], b.recent[1] = visit{tenant, now}, b.recent[0]
	}
	b.recent[0].at = now
}

// hasNeighbours reports whether another tenant asked recently.
func (b *Bulkhead) hasNeighbours(tenant string, now time.Time) bool {
	for _, v := range b.recent {
		if v.tenant != tenant && v.tenant != "" && now.Sub(v.at) < recentWindow {
			return true
		}
	}
	return false
}

// width is how many requests of a tenant may be under way at this moment.
func (b *Bulkhead) width(q *tenantQueue, now time.Time) int {
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

func tooMany() error {
	return &problem.Error{
		Kind: problem.KindRateLimited, Code: "too_many_at_once", RetryAfter: time.Second,
		Message: "Too many requests of this organization are under way at once; wait for answers before you send more.",
	}
}
