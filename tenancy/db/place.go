package db

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Slots are shared by organization: an organization with much recent use yields to those without, and
// among those that wait, the one with the least use is first.
const (
	// placeHeavy is the recent time from which on an organization counts as heavy.
	placeHeavy = 5 * time.Second
	// placeHalf is the half-life of recorded time.
	placeHalf = 30 * time.Second
	// placeOrgs is how many organizations are remembered, unless more have a slot.
	placeOrgs = 1000
)

// places are the slots in which statements of guests run. A login has at most one, so that a base runs
// one statement at a time, and an organization never has all of them.
type places struct {
	count int
	now   func() time.Time

	mu      sync.Mutex
	used    map[string]bool // by login
	orgs    map[uuid.UUID]*placeUse
	running []*place
	kept    int // places of statements that have ended for their callers only
	waiting []*place
}

// A placeUse is an organization's recent time, and its slots.
type placeUse struct {
	places int
	time   time.Duration
	as     time.Time // when it was computed
}

func (u *placeUse) at(now time.Time) time.Duration {
	return time.Duration(float64(u.time) * math.Exp2(-float64(now.Sub(u.as))/float64(placeHalf)))
}

// A place is the slot of a statement that runs or waits.
type place struct {
	login string
	org   uuid.UUID
	since time.Time
	free  chan struct{} // closed when the statement may run
	kept  bool
}

func newPlaces(count int) *places {
	return &places{
		count: max(count, 1), now: time.Now, used: map[string]bool{}, orgs: map[uuid.UUID]*placeUse{},
	}
}

// enter waits for a slot, which the caller must leave.
func (p *places) enter(ctx context.Context, org uuid.UUID, login string) (*place, error) {
	one := &place{login: login, org: org, free: make(chan struct{})}
	p.mu.Lock()
	p.waiting = append(p.waiting, one)
	p.admit()
	p.mu.Unlock()
	select {
	case <-one.free:
		return one, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := slices.Index(p.waiting, one); at >= 0 {
		p.waiting = slices.Delete(p.waiting, at, at+1)
	} else {
		p.end(one)
	}
	return nil, ctx.Err() //nolint:wrapcheck // the caller says what it means
}

// leave gives a slot back.
func (p *places) leave(one *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end(one)
}

// keep says that the statement may still run although nobody waits for it.
func (p *places) keep(one *place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one.kept = true
	p.kept++
	p.account(one)
	p.admit()
}

// account adds the time that a slot was used to its organization.
func (p *places) account(one *place) {
	now := p.now()
	use := p.orgs[one.org]
	use.time, use.as = use.at(now)+now.Sub(one.since), now
	one.since = now
}

func (p *places) end(one *place) {
	p.account(one)
	if one.kept {
		p.kept--
	}
	p.running = slices.DeleteFunc(p.running, func(other *place) bool { return other == one })
	delete(p.used, one.login)
	p.orgs[one.org].places--
	p.forget()
	p.admit()
}

// forget drops organizations that have used little, if there are many.
func (p *places) forget() {
	if len(p.orgs) <= placeOrgs {
		return
	}
	now := p.now()
	for org, use := range p.orgs {
		if use.places == 0 && use.at(now) < placeHeavy/10 {
			delete(p.orgs, org)
		}
	}
}

// admit gives free slots to statements that wait.
func (p *places) admit() {
	now := p.now()
	use := func(one *place) time.Duration {
		if known := p.orgs[one.org]; known != nil {
			return known.at(now)
		}
		return 0
	}
	for {
		slices.SortStableFunc(p.waiting, func(a, b *place) int { return cmp.Compare(use(a), use(b)) })
		at := slices.IndexFunc(p.waiting, func(one *place) bool { return p.free(one, use) })
		if at < 0 {
			return
		}
		one := p.waiting[at]
		p.waiting = slices.Delete(p.waiting, at, at+1)
		if p.orgs[one.org] == nil {
			p.orgs[one.org] = &placeUse{as: now}
		}
		p.orgs[one.org].places++
		p.used[one.login] = true
		p.running = append(p.running, one)
		one.since = now
		close(one.free)
	}
}

// free reports whether a statement may have a slot. Kept slots count, but never all of them.
func (p *places) free(one *place, use func(*place) time.Duration) bool {
	most := max(p.count-1, 1) // of an organization, and of all heavy ones
	if known := p.orgs[one.org]; p.used[one.login] || known != nil && known.places >= most {
		return false
	}
	heavy := 0
	for _, other := range p.running {
		if !other.kept && use(other) > placeHeavy {
			heavy++
		}
	}
	if use(one) > placeHeavy && heavy+p.kept >= most {
		return false
	}
	return len(p.running)-p.kept+min(p.kept, p.count-1) < p.count
}
