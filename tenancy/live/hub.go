// Package live passes the changes of bases on to their watchers in this process. It reads the log once
// for each watched base, however many watchers there are. Callers have checked that a watcher may read
// the base, and cut it off when it no longer may.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
)

const (
	// minLull and lullPerWatcher are the least time between two reads of a base, so that many changes
	// become one write to each watcher.
	minLull        = 20 * time.Millisecond
	lullPerWatcher = 20 * time.Microsecond
	// failureLull is the time after a failed read.
	failureLull = time.Second
	readTimeout = 15 * time.Second
	// readers bounds the bases that are read at once. More would not be faster, and each connection
	// plans the statements of every log that it reads.
	readers = 4
	// maxWatchers and maxOwnWatchers bound the watchers of a process, and those of one credential.
	maxWatchers    = 20_000
	watcherStep    = 256
	maxOwnWatchers = 100
)

// Limits are further limits of a process's watchers. Zero means no limit.
type Limits struct {
	Person       int // of one person, over all their credentials
	Organization int // of the bases of one organization
}

// A Hub has the watchers of a process.
type Hub struct {
	// Reserve, unless nil, is called with the number of watchers when it has changed by watcherStep.
	Reserve func(watchers int)
	// Limits are set before the first watcher.
	Limits Limits

	reader   *feed.Reader
	notifier *Notifier
	presence Presence
	log      *slog.Logger

	turns chan struct{} // to read

	mu      sync.Mutex
	bases   map[key]*watched
	count   int
	own     map[owner]int // watchers by credential, person and organization
	closed  bool
	context context.Context //nolint:containedctx // of the goroutines, which Close ends
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// A key is what is read once: a base, for people who see the same of it.
type key struct {
	org, base uuid.UUID
	rights    string // schema.Snapshot.RightsIn of people who do not see everything; "" for all others
	person    uuid.UUID
}

// A Sight is what a watcher sees of a base.
type Sight struct {
	// Rights names what somebody sees who does not see everything, and "" is everything.
	Rights string
	// Caller is the watcher, unless Rights is "".
	Caller catalog.Caller
	// Person is the watcher if people with the same rights see different records of the base, and uuid.Nil if they see
	// the same.
	Person uuid.UUID
}

func (s Sight) key(org, base uuid.UUID) key { return key{org, base, s.Rights, s.Person} }

func (s Sight) context(ctx context.Context) context.Context {
	if s.Rights == "" {
		return ctx
	}
	return catalog.WithCaller(ctx, s.Caller)
}

// An owner is a credential, a person or an organization, whose watchers are counted.
type owner struct {
	credential string
	id         uuid.UUID
}

// A watched base is read by one goroutine, which ends with the last watcher.
type watched struct {
	key

	position feed.Position // up to which the watchers have received changes
	watchers map[*Watcher]bool
	presence []byte // who is present as the watchers know it, as an event
	cancel   context.CancelFunc
}

// New returns a hub. notifier may be nil.
func New(reader *feed.Reader, notifier *Notifier, presence Presence, log *slog.Logger) *Hub {
	h := &Hub{
		reader: reader, notifier: notifier, presence: presence, log: log,
		bases: map[key]*watched{}, own: map[owner]int{},
		turns: make(chan struct{}, readers),
	}
	h.context, h.cancel = context.WithCancel(context.Background())
	return h
}

// Close cuts off all watchers, and waits until they have gone. A nil hub has none.
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

// An Admission is a counted watcher. Release must be called when it has gone.
type Admission struct {
	hub    *Hub
	owners []owner
}

// Admit counts a watcher of a person's credential.
func (h *Hub) Admit(credential string, person uuid.UUID) (*Admission, error) {
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
			Message: "Too many clients are watching bases; try again shortly.",
		}
	}
	a := &Admission{hub: h}
	if err := a.enter(owner{credential: credential}, maxOwnWatchers, "This credential watches"); err != nil {
		return nil, err
	}
	if err := a.enter(owner{id: person}, h.Limits.Person, "Your credentials together watch"); err != nil {
		a.leave()
		return nil, err
	}
	h.counted(1)
	h.done.Add(1)
	return a, nil
}

// Enter counts the watcher for the organization of the base that it watches.
func (a *Admission) Enter(org uuid.UUID) error {
	a.hub.mu.Lock()
	defer a.hub.mu.Unlock()
	return a.enter(owner{id: org}, a.hub.Limits.Organization, "The members of this organization watch")
}

// enter adds a watcher, up to the limit. The caller has locked.
func (a *Admission) enter(of owner, most int, who string) error {
	if most > 0 && a.hub.own[of] >= most {
		return &problem.Error{
			Kind: problem.KindRateLimited, RetryAfter: 10 * time.Second,
			Message: fmt.Sprintf("%s bases over %d connections, which is the maximum; close some.", who, most),
		}
	}
	a.hub.own[of]++
	a.owners = append(a.owners, of)
	return nil
}

// leave removes a watcher from the counts. The caller has locked.
func (a *Admission) leave() {
	for _, of := range a.owners {
		if a.hub.own[of]--; a.hub.own[of] == 0 {
			delete(a.hub.own, of)
		}
	}
	a.owners = nil
}

// Release removes the watcher from all counts.
func (a *Admission) Release() {
	defer a.hub.done.Done()
	a.hub.mu.Lock()
	defer a.hub.mu.Unlock()
	a.leave()
	a.hub.counted(-1)
}

func (h *Hub) counted(more int) {
	h.count += more
	if h.Reserve != nil && h.count%watcherStep == 0 {
		h.Reserve(h.count)
	}
}

// Read returns the changes after a position, for a watcher that has not caught up yet.
func (h *Hub) Read(
	ctx context.Context, org, base uuid.UUID, from feed.Position, v feed.Viewer, s Sight,
) (feed.Page, error) {
	return h.reader.Read(s.context(ctx), org, base, from, feed.MaxPage, feed.Filter{Viewer: &v, Sight: &s.Rights})
}

// Now returns a position to begin at: the position of the base's present watchers, or the latest one.
func (h *Hub) Now(ctx context.Context, org, base uuid.UUID, s Sight) (feed.Position, error) {
	h.mu.Lock()
	of := h.bases[s.key(org, base)]
	if of != nil {
		defer h.mu.Unlock()
		return of.position, nil
	}
	h.mu.Unlock()
	return h.reader.Now(ctx, org)
}

// Join adds a watcher that knows everything up to a position. It returns nil if the other watchers are
// past that position: read on, and join again.
func (h *Hub) Join(org, base uuid.UUID, from feed.Position, v feed.Viewer, s Sight) *Watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := &Watcher{
		hub: h, key: s.key(org, base), viewer: v, after: from, batches: make(chan *Batch, maxBatches),
		presence: make(chan []byte, 1), jobsChanged: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	if h.closed {
		w.cut(Stopping)
		return w
	}
	of := h.bases[w.key]
	if of == nil {
		ctx, cancel := context.WithCancel(h.context)
		ctx = s.context(ctx)
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

// leave removes a watcher.
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
	listener := h.notifier.Listen(of.org)
	defer listener.Close()
	for more := false; ; {
		var pause time.Duration
		page, err := h.read(ctx, of)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, feed.ErrSight):
			h.finish(of, Rights)
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
			pause = max(minLull, time.Duration(h.deliver(of, &page))*lullPerWatcher)
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
		case <-time.After(listener.LookAfter()):
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
	select {
	case <-ctx.Done():
		return feed.Page{}, ctx.Err()
	case h.turns <- struct{}{}:
	}
	defer func() { <-h.turns }()
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return h.reader.Read(ctx, of.org, of.base, of.position, feed.MaxPage, feed.Filter{Sight: &of.rights})
}

func (h *Hub) finish(of *watched, reason Reason) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(of, reason)
}

// deliver gives the watchers what was read, and returns how many they are.
func (h *Hub) deliver(of *watched, page *feed.Page) int {
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
