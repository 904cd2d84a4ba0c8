// Package live passes the changes of bases on to those who watch them in this process. The log is read
// once for each base that somebody watches, however many do. Callers have checked that a watcher may
// read the base, and cut it off when it may no longer.
package live

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/bell"
	"github.com/rowhouse/rowhouse/tenancy/feed"
)

const (
	// A base is read again after minLull and lullPerWatcher at the earliest, so that many changes become
	// one write to each watcher.
	minLull        = 20 * time.Millisecond
	lullPerWatcher = 20 * time.Microsecond
	// failureLull is the same after a read has failed.
	failureLull = time.Second
	readTimeout = 15 * time.Second
	// maxWatchers and maxOwnWatchers bound the watchers of a process, and those of one credential.
	maxWatchers    = 20_000
	watcherStep    = 256
	maxOwnWatchers = 100
)

// A Hub has the watchers of a process.
type Hub struct {
	// Reserve, unless nil, is told of the number of watchers when it has changed by watcherStep.
	Reserve func(watchers int)

	reader   *feed.Reader
	bell     *bell.Bell
	presence Presence
	log      *slog.Logger

	mu      sync.Mutex
	bases   map[key]*watched
	count   int
	own     map[string]int // watchers by credential
	closed  bool
	context context.Context //nolint:containedctx // of the goroutines, which Close ends
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

type key struct{ org, base uuid.UUID }

// A watched base is read by one goroutine, which ends with the last watcher.
type watched struct {
	key

	position feed.Position // up to which the watchers have been told
	watchers map[*Watcher]bool
	presence []byte // what the watchers know of who is there, as an event
	cancel   context.CancelFunc
}

// New returns a hub. bell may be nil.
func New(reader *feed.Reader, bell *bell.Bell, presence Presence, log *slog.Logger) *Hub {
	h := &Hub{
		reader: reader, bell: bell, presence: presence, log: log, bases: map[key]*watched{}, own: map[string]int{},
	}
	h.context, h.cancel = context.WithCancel(context.Background())
	return h
}

// Close cuts off all watchers. A nil hub has none.
func (h *Hub) Close() {
	if h == nil {
		return
	}
	h.mu.Lock()
	h.closed = true
	for _, base := range h.bases {
		h.end(base, Stopping)
	}
	h.mu.Unlock()
	h.cancel()
	h.done.Wait()
}

// Admit counts a watcher of a credential. release must be called when it has gone.
func (h *Hub) Admit(credential string) (release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, &problem.Error{
			Kind: problem.KindUnavailable, RetryAfter: time.Second,
			Message: "The service is stopping; connect again shortly.",
		}
	case h.count >= maxWatchers:
		return nil, &problem.Error{
			Kind: problem.KindUnavailable, RetryAfter: 10 * time.Second,
			Message: "Too many watch bases at this moment; try again shortly.",
		}
	case h.own[credential] >= maxOwnWatchers:
		return nil, &problem.Error{
			Kind: problem.KindRateLimited, RetryAfter: 10 * time.Second,
			Message: "This credential watches bases over too many connections; close some.",
		}
	}
	h.counted(1)
	h.own[credential]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.counted(-1)
		if h.own[credential]--; h.own[credential] == 0 {
			delete(h.own, credential)
		}
	}, nil
}

func (h *Hub) counted(more int) {
	h.count += more
	if h.Reserve != nil && h.count%watcherStep == 0 {
		h.Reserve(h.count)
	}
}

// Read returns the changes behind a position, for a watcher that has not come to the present yet.
func (h *Hub) Read(ctx context.Context, org, base uuid.UUID, from feed.Position, v feed.Viewer) (feed.Page, error) {
	return h.reader.Read(ctx, org, base, from, feed.MaxPage, feed.Filter{Viewer: &v})
}

// Now returns a position to begin at: that of those who watch the base already, or the present one.
func (h *Hub) Now(ctx context.Context, org, base uuid.UUID) (feed.Position, error) {
	h.mu.Lock()
	of := h.bases[key{org, base}]
	if of != nil {
		defer h.mu.Unlock()
		return of.position, nil
	}
	h.mu.Unlock()
	return h.reader.Now(ctx, org)
}

// Join adds a watcher that knows everything up to a position. It returns nil if the others have been
// told of more: read on, and join again.
func (h *Hub) Join(org, base uuid.UUID, from feed.Position, v feed.Viewer) *Watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &Watcher{
		hub: h, key: key{org, base}, viewer: v, after: from, batches: make(chan *Batch, maxBatches),
		presence: make(chan []byte, 1), ended: make(chan struct{}),
	}
	if h.closed {
		w.cut(Stopping)
		return w
	}
	of := h.bases[w.key]
	if of == nil {
		ctx, cancel := context.WithCancel(h.context)
		of = &watched{key: w.key, position: from, watchers: map[*Watcher]bool{}, presence: nobody, cancel: cancel}
		h.bases[w.key] = of
		h.done.Go(func() { h.follow(ctx, of) })
		if h.presence.Store != nil {
			h.done.Go(func() { h.followPresence(ctx, of) })
		}
	}
	if of.position.Compare(from) > 0 {
		return nil
	}
	of.watchers[w] = true
	if len(of.presence) > len(nobody) {
		w.setPresence(of.presence)
	}
	return w
}

// leave takes a watcher out.
func (h *Hub) leave(w *Watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	of := h.bases[w.key]
	if of == nil || !of.watchers[w] {
		return
	}
	if delete(of.watchers, w); len(of.watchers) == 0 {
		h.end(of, Stopping)
	}
}

// end cuts off the watchers of a base. The caller has locked.
func (h *Hub) end(of *watched, reason Reason) {
	for w := range of.watchers {
		w.cut(reason)
	}
	clear(of.watchers)
	if h.bases[of.key] == of {
		delete(h.bases, of.key)
	}
	of.cancel()
}

// follow reads a base while somebody watches it.
func (h *Hub) follow(ctx context.Context, of *watched) {
	listener := h.bell.Listen(of.org)
	defer listener.Close()
	for more := false; ; {
		var pause time.Duration
		page, err := h.read(ctx, of)
		switch {
		case ctx.Err() != nil:
			return
		case problem.KindOf(err) == problem.KindNotFound && err != nil:
			h.finish(of, Gone)
			return
		case problem.KindOf(err) == problem.KindGone && err != nil:
			h.finish(of, Behind)
			return
		case err != nil:
			h.log.WarnContext(ctx, "reading what to tell the watchers of a base", slog.Any("error", err))
			pause, more = failureLull, true
		default:
			pause = max(minLull, time.Duration(h.tell(of, &page))*lullPerWatcher)
			more = page.More
		}
		if !sleep(ctx, pause) {
			return
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-listener.C:
		case <-time.After(bell.LookEvery):
		}
	}
}

func sleep(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

func (h *Hub) read(ctx context.Context, of *watched) (feed.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return h.reader.Read(ctx, of.org, of.base, of.position, feed.MaxPage, feed.Filter{})
}

func (h *Hub) finish(of *watched, reason Reason) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(of, reason)
}

// tell gives the watchers what was read, and returns how many they are.
func (h *Hub) tell(of *watched, page *feed.Page) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(page.Changes) > 0 {
		b := newBatch(page.Changes)
		for w := range of.watchers {
			if !w.push(b) {
				w.cut(Slow)
				delete(of.watchers, w)
			}
		}
		if len(of.watchers) == 0 {
			h.end(of, Slow)
		}
	}
	of.position = page.Next
	return len(of.watchers)
}
