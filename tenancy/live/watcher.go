package live

import (
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/history/feed"
)

// The limits of a watcher's backlog: batches, and the bytes of the last ones.
const (
	maxBatches = 32
	maxBacklog = 1 << 20
)

// A Reason says why a watcher was cut off.
type Reason string

// The reasons.
const (
	Slow     Reason = "slow"     // it did not read its batches in time; it may resume
	Stopping Reason = "stopping" // this process ends; it may resume, at another one
	Gone     Reason = "gone"     // the base was deleted
	Behind   Reason = "behind"   // the history that it needs was dropped
	Rights   Reason = "rights"   // it may no longer read the base, or may see another part of it
)

// A Watcher receives the changes of a base. It belongs to one goroutine.
type Watcher struct {
	key

	hub      *Hub
	viewer   feed.Viewer
	after    feed.Position // its position when it joined
	batches  chan *Batch
	backlog  atomic.Int64 // bytes of batches
	presence chan []byte  // who is there, if the watcher does not know it yet

	follower    uuid.UUID     // whose jobs it receives, with those of the base; uuid.Nil: none
	jobs        []JobEvent    // not received yet
	jobsChanged chan struct{} // has a value when jobs is not empty

	once   sync.Once
	reason Reason
	ended  chan struct{}
}

// Batches returns the channel of what to send. Read each batch with Text.
func (w *Watcher) Batches() <-chan *Batch { return w.batches }

// Ended is closed when the watcher is cut off. Reason says why.
func (w *Watcher) Ended() <-chan struct{} { return w.ended }

// Reason says why the watcher was cut off, after Ended.
func (w *Watcher) Reason() Reason { return w.reason }

// Close ends the watch.
func (w *Watcher) Close() { w.hub.leave(w) }

func (w *Watcher) cut(reason Reason) {
	w.once.Do(func() {
		w.reason = reason
		close(w.ended)
	})
}

// push adds a batch, unless the watcher is too far behind.
func (w *Watcher) push(b *Batch) bool {
	if len(w.batches) > 0 && w.backlog.Load()+b.size > maxBacklog {
		return false
	}
	select {
	case w.batches <- b:
		w.backlog.Add(b.size)
		return true
	default:
		return false
	}
}

// Text returns the batch as events for this watcher. It is empty if the watcher sees none of the
// changes.
func (w *Watcher) Text(b *Batch) []byte {
	w.backlog.Add(-b.size)
	if b.changes[0].Position.Compare(w.after) <= 0 {
		return appendEvents(nil, b.changes, w.viewer, w.after)
	}
	return b.text(w.viewer)
}

// Changes returns the batch as changes for this watcher, in place of Text. A change of the schema may
// be one that the viewer does not see.
func (w *Watcher) Changes(b *Batch) []feed.Change {
	w.backlog.Add(-b.size)
	known := 0
	for known < len(b.changes) && b.changes[known].Position.Compare(w.after) <= 0 {
		known++
	}
	return b.changes[known:]
}

// A Batch is the result of one read. All watchers share it, and watchers with the same view share its
// text.
type Batch struct {
	changes []feed.Change
	size    int64
	views   bool // it contains changes that some viewers do not see

	mu    sync.Mutex
	texts map[feed.Viewer][]byte
}

func newBatch(changes []feed.Change) *Batch {
	b := &Batch{changes: changes, texts: map[feed.Viewer][]byte{}}
	for i := range changes {
		b.size += int64(changes[i].Size())
		b.views = b.views || changes[i].IsSchema()
	}
	return b
}

func (b *Batch) text(v feed.Viewer) []byte {
	if !b.views { // everybody sees records alike
		v = feed.Viewer{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok := b.texts[v]
	if !ok {
		text = appendEvents(nil, b.changes, v, feed.Position{})
		b.texts[v] = text
	}
	return text
}

// Events returns changes as server-sent events for a viewer.
func Events(changes []feed.Change, v feed.Viewer) []byte {
	return appendEvents(nil, changes, v, feed.Position{})
}

func appendEvents(dst []byte, changes []feed.Change, v feed.Viewer, after feed.Position) []byte {
	for i := range changes {
		c := &changes[i]
		if c.Position.Compare(after) <= 0 {
			continue
		}
		if text, seen := c.For(v); seen {
			dst = append(append(dst, "id: "...), c.Position.String()...)
			dst = append(append(append(dst, "\nevent: change\ndata: "...), text...), "\n\n"...)
		}
	}
	return dst
}
