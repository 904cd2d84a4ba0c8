package credential

import (
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// near remembers, in this process, what Redis has just said of a credential, so that a busy credential does not cost each of its
// requests a round trip. An answer is believed for nearLife from the moment at which Redis was asked: what another process
// changes is known here within that time. What this process changes is known at once, since it then forgets everything that is near:
// changes are rare, and filling in anew costs each credential one round trip.
//
// Whoever asks Redis takes the memory before, and adds the answer to the memory that it took. When everything was forgotten meanwhile, that is
// a memory which nobody reads any more, and so an answer from before a change cannot come back.
type near struct {
	life    time.Duration // zero or less: nothing is remembered
	current atomic.Pointer[lru.Cache[nearKey, nearAnswer]]
}

// keptNear is how many credentials are near; an answer takes about a kilobyte.
const keptNear = 8192

type nearKey struct {
	kind Kind
	hash Hash
}

type nearAnswer struct {
	held  any // a *Held, which nobody changes
	until time.Time
}

func newNear(life time.Duration) *near {
	n := &near{life: life}
	n.forget()
	return n
}

// forget drops every answer, those included that are on their way.
func (n *near) forget() {
	fresh, err := lru.New[nearKey, nearAnswer](keptNear)
	if err != nil {
		panic(err) // the size is positive
	}
	n.current.Store(fresh)
}

// get returns an answer that may still be believed, or nil.
func (n *near) get(key nearKey, now time.Time) any {
	if n.life <= 0 {
		return nil
	}
	answer, ok := n.current.Load().Get(key)
	if !ok || !now.Before(answer.until) {
		return nil
	}
	return answer.held
}
