package limit

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/tenancy"
)

// LaneOptions say how much one name may have under way at once in this process.
type LaneOptions struct {
	Most int // requests under way; zero or less: no limit
	// While at least Slow requests have been under way for longer than SlowAfter there are only Slow+1 lanes: who asks heavy
	// questions gets fewer, and one is left for light ones. Zero: no such rule.
	Slow      int
	SlowAfter time.Duration // default 250 ms
	// While others have asked for something lately, who wants more than crowd times Shared requests at once, on a short average, has
	// Shared lanes, and what is done in them gives way: processors are shared by organizations, not by requests. Zero: no such rule.
	Shared int
	Queue  int           // how many more wait for their turn; default 64
	Wait   time.Duration // and how long; default 10 s
}

// Lanes bound what each name has under way at once, so that one organization's rush or its worst query leaves the database's
// connections to the others. Who finds no lane waits its turn, first come, first served.
type Lanes struct {
	options LaneOptions
	now     func() time.Time

	mu    sync.Mutex
	roads map[string]*road
	last  [2]visit // the last two names that asked, the later one first
}

// crowd is how many times its share of lanes a name may want before it gets no more than its share.
const crowd = 4

const (
	// lately is how long after its last request a name is one of the others. It is long, since what is under way when somebody comes
	// back is in the way until it ends: lanes are narrow before, and not only once it is felt.
	lately = 10 * time.Second
	// memory is the time over which what a name wants is averaged. It is short, since a crowd is in the way until it is known as one.
	memory = 250 * time.Millisecond
)

// A visit is when a name asked last.
type visit struct {
	name string
	at   time.Time
}

// A road is what one name has under way, and who waits for it.
type road struct {
	name    string
	running []*ticket
	waiting []*ticket

	wanted  float64 // requests running and waiting, averaged with less weight for what is longer ago
	counted time.Time
}

// count brings the average up to now, before the number of requests changes.
func (r *road) count(now time.Time) {
	weight := math.Exp(-now.Sub(r.counted).Seconds() / memory.Seconds())
	r.wanted = r.wanted*weight + float64(len(r.running)+len(r.waiting))*(1-weight)
	r.counted = now
}

// A ticket is one request.
type ticket struct {
	name   string
	began  time.Time     // when it found its lane
	shared bool          // it found one as part of a crowd beside others
	turn   chan struct{} // closed when it found one; what stands above does not change after. Nil: it did not have to wait
}

// inside is the context of what is done in the lane.
func (t *ticket) inside(ctx context.Context) context.Context {
	if t.shared {
		return tenancy.GiveWay(ctx)
	}
	return ctx
}

// NewLanes returns lanes with nothing under way.
func NewLanes(options LaneOptions) *Lanes {
	if options.SlowAfter == 0 {
		options.SlowAfter = 250 * time.Millisecond
	}
	if options.Queue == 0 {
		options.Queue = 64
	}
	if options.Wait == 0 {
		options.Wait = 10 * time.Second
	}
	return &Lanes{options: options, now: time.Now, roads: map[string]*road{}}
}

// Enter waits for a lane and returns how to leave it, which must be called once. inside is ctx for what is done in the lane; it
// gives way (tenancy.GivesWay) when the name is a crowd beside others. It returns an error of kind rate_limited when too many wait
// already or the wait gets too long, and that of ctx when ctx ends.
func (l *Lanes) Enter(ctx context.Context, name string) (inside context.Context, leave func(), err error) {
	if l.options.Most <= 0 {
		return ctx, func() {}, nil
	}
	t, err := l.join(name)
	if err != nil {
		return nil, nil, err
	}
	if t.turn != nil {
		if err := l.wait(ctx, t); err != nil {
			l.leave(t)
			return nil, nil, err
		}
	}
	return t.inside(ctx), func() { l.leave(t) }, nil
}

func (l *Lanes) wait(ctx context.Context, t *ticket) error {
	patience := time.NewTimer(l.options.Wait)
	defer patience.Stop()
	select {
	case <-t.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-patience.C:
		return tooMany()
	}
}

// UnderWay returns how many requests of the name have a lane, and how many wait for one.
func (l *Lanes) UnderWay(name string) (running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.roads[name]; r != nil {
		return len(r.running), len(r.waiting)
	}
	return 0, 0
}

func (l *Lanes) join(name string) (*ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.visited(name, now)
	r := l.roads[name]
	if r == nil {
		r = &road{name: name, counted: now}
		l.roads[name] = r
	}
	r.count(now)
	if len(r.waiting) >= l.options.Queue {
		return nil, tooMany()
	}
	t := &ticket{name: name}
	r.waiting = append(r.waiting, t)
	if l.advance(r, now); len(r.waiting) > 0 { // and so the last of them, since they go in their order
		t.turn = make(chan struct{})
	}
	return t, nil
}

// leave ends a ticket wherever it is, and lets those in whose turn it is now.
func (l *Lanes) leave(t *ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.roads[t.name]
	if r == nil {
		return
	}
	now := l.now()
	r.count(now)
	is := func(other *ticket) bool { return other == t }
	r.running = slices.DeleteFunc(r.running, is)
	r.waiting = slices.DeleteFunc(r.waiting, is)
	l.advance(r, now)
	if len(r.running) == 0 && len(r.waiting) == 0 {
		delete(l.roads, t.name)
	}
}

// advance gives free lanes to those who wait longest.
func (l *Lanes) advance(r *road, now time.Time) {
	for len(r.waiting) > 0 && len(r.running) < l.width(r, now) {
		t := r.waiting[0]
		r.waiting = slices.Delete(r.waiting, 0, 1)
		t.began, t.shared = now, l.crowded(r, now)
		r.running = append(r.running, t)
		if t.turn != nil {
			close(t.turn)
		}
	}
}

// visited notes that a name asked.
func (l *Lanes) visited(name string, now time.Time) {
	if l.last[0].name != name {
		l.last[0], l.last[1] = visit{name, now}, l.last[0]
	}
	l.last[0].at = now
}

// others reports whether another name asked lately.
func (l *Lanes) others(name string, now time.Time) bool {
	for _, v := range l.last {
		if v.name != name && v.name != "" && now.Sub(v.at) < lately {
			return true
		}
	}
	return false
}

// crowded reports whether a name wants much more than its share, beside others.
func (l *Lanes) crowded(r *road, now time.Time) bool {
	share := l.options.Shared
	return share > 0 && r.wanted > float64(crowd*share) && l.others(r.name, now)
}

// width is how many lanes there are at this moment.
func (l *Lanes) width(r *road, now time.Time) int {
	if l.crowded(r, now) {
		return min(l.options.Most, l.options.Shared)
	}
	if l.options.Slow <= 0 {
		return l.options.Most
	}
	slow := 0
	for _, t := range r.running {
		if now.Sub(t.began) > l.options.SlowAfter {
			slow++
		}
	}
	if slow >= l.options.Slow {
		return min(l.options.Most, l.options.Slow+1)
	}
	return l.options.Most
}

func tooMany() error {
	return &tenancy.Error{
		Kind: tenancy.KindRateLimited, Code: "too_many_at_once", RetryAfter: time.Second,
		Message: "Too many requests of this organization are under way at once; wait for answers before you send more.",
	}
}
