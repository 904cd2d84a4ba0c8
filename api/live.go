package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

const (
	// heartbeat is how often a stream without events gets a comment, which keeps proxies from closing it.
	heartbeat = 15 * time.Second
	// liveWriteTimeout is how long a client may take for one write.
	liveWriteTimeout = 10 * time.Second
)

func describeLive(d *description) object {
	op := operation.ListChanges
	text := object{"type": "string"}
	responses := object{"200": object{
		"description": "Server-sent events. ready, with {cursor}, is the first. Each change is an event change, with " +
			"a change as in list_changes, and its cursor as the id. presence, with {present}, tells who is in the " +
			"base, as in set_presence. job says how far an import or an export is, with {id, kind, state, baseId, " +
			"tableId, userId, done, total} as in get_job: each of your own in the organization, and each in the " +
			"base if you are a creator of it. An event of a job may be lost. " +
			"end, with {reason}, is the last.",
		"content": object{"text/event-stream": object{"schema": text}},
	}}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	return object{
		"operationId": "watch_base",
		"summary":     "Watch the changes of a base.",
		"tags":        []string{op.Tag()},
		"parameters": []object{
			{"name": "baseId", "in": "path", "required": true, "schema": text},
			{
				"name": "cursor", "in": "query", "schema": text,
				"description": "where to begin; the header Last-Event-ID goes before it, and without both it is now",
			},
		},
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

// live streams the changes of a base.
func (s *server) live() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stream := &liveStream{server: s, request: r}
		running := false
		defer func() {
			if !running {
				stream.release()
			}
		}()
		if err := stream.begin(w.Header()); err != nil {
			s.writeError(w, r, err)
			return
		}
		writeStreamHeader(w.Header())
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusOK)
			return
		}
		if err := stream.start(w); err != nil {
			s.writeError(w, r, err)
			return
		}
		running = true
	}
}

// A liveStream is one watcher's connection.
type liveStream struct {
	*server

	request *http.Request
	rights  *operation.Watch // nil: it is not watched yet
	place   *live.Admission  // nil: the hub does not count it yet
	conn    net.Conn         // once the stream has started

	principal *authz.Principal // with the rights of the last check

	target operation.Target
	viewer feed.Viewer
	sight  live.Sight
	from   feed.Position
	first  feed.Page // what follows the position where the watcher begins
}

// authorize checks that a principal may watch the base.
func (l *liveStream) authorize(p *authz.Principal) error {
	raw, err := json.Marshal(map[string]string{"baseId": chi.URLParam(l.request, "baseId")})
	if err != nil {
		return fmt.Errorf("encoding the id of a base: %w", err)
	}
	if l.target, err = operation.ListChanges.Check(l.request.Context(), l.Deps, p, raw); err != nil {
		return err
	}
	l.viewer, l.sight = operation.FeedViewer(p, l.target.Org), operation.SightOf(p, l.target)
	return nil
}

// begin checks the request and finds where the watcher begins, before the response starts.
func (l *liveStream) begin(answer http.Header) error {
	principal, err := l.Limit.Admit(answer, l.request, l.Authenticate)
	if err != nil {
		return err
	}
	if l.place, err = l.Live.Admit(principal.Credential, principal.Person); err != nil {
		return err
	}
	if err := checkQueryParameters(l.request, "cursor"); err != nil {
		return err
	}
	if err := l.authorize(principal); err != nil {
		return err
	}
	if err := l.place.Enter(l.target.Org); err != nil {
		return err
	}
	// The stream continues after net/http considers its request finished.
	if l.rights, err = l.Deps.Watch(context.WithoutCancel(l.request.Context()), func(ctx context.Context) error {
		now, err := l.Authenticate(l.request.WithContext(ctx))
		if err != nil {
			return err
		}
		l.principal = now
		return operation.ListChanges.StillMay(ctx, l.Deps, principal, now, l.target)
	}); err != nil {
		return err
	}
	path, cursor := "Last-Event-ID", l.request.Header.Get("Last-Event-ID")
	if cursor == "" {
		path, cursor = "cursor", l.request.URL.Query().Get("cursor")
	}
	if cursor == "" {
		l.from, err = l.Live.Now(l.request.Context(), l.target.Org, l.target.Base, l.sight)
	} else if l.from, err = feed.ParsePosition(path, cursor); err == nil {
		l.first, err = l.read()
	}
	return err
}

func (l *liveStream) read() (feed.Page, error) {
	ctx, cancel := context.WithTimeout(l.request.Context(), liveWriteTimeout)
	defer cancel()
	return l.Live.Read(ctx, l.target.Org, l.target.Base, l.from, l.viewer, l.sight)
}

func writeStreamHeader(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // makes proxies pass on each event
}

// start sends the response header, and continues in a goroutine of its own with the bare
// connection. What net/http keeps for a request, three buffers and the stack of all handlers, is
// more than everything else that a waiting watcher costs.
func (l *liveStream) start(w http.ResponseWriter) error {
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: " +
		time.Now().UTC().Format(http.TimeFormat) + "\r\n")
	if err := w.Header().Write(head); err != nil {
		return fmt.Errorf("writing the header of a stream: %w", err)
	}
	fmt.Fprintf(head, "\r\nretry: 1000\nid: %[1]s\nevent: ready\ndata: {\"cursor\":%[1]q}\n\n", l.from)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return fmt.Errorf("taking over the connection of a stream: %w", err)
	}
	l.conn = conn
	ctx, cancel := context.WithCancel(context.WithoutCancel(l.request.Context()))
	l.request = l.request.WithContext(ctx)
	go func() { // notices that the client has gone
		defer cancel()
		var ignored [32]byte
		for {
			if _, err := conn.Read(ignored[:]); err != nil {
				return
			}
		}
	}()
	go func() {
		defer l.release()
		defer cancel()
		defer func() {
			if failure := recover(); failure != nil && l.Deps.Log != nil {
				l.Deps.Log.ErrorContext(ctx, "a stream ended in a panic", slog.Any("panic", failure),
					slog.String("stack", string(debug.Stack())))
			}
		}()
		if l.write(head.Bytes()) == nil {
			l.run()
		}
	}()
	return nil
}

// release releases the resources of the stream.
func (l *liveStream) release() {
	if l.conn != nil {
		_ = l.conn.Close() // the client may have closed it
	}
	if l.rights != nil {
		l.rights.Release()
	}
	if l.place != nil {
		l.place.Release()
	}
}

// write sends a part of the stream. A client that does not read it in time loses its connection.
func (l *liveStream) write(text []byte) error {
	if err := l.conn.SetWriteDeadline(time.Now().Add(liveWriteTimeout)); err != nil {
		return fmt.Errorf("setting a deadline: %w", err)
	}
	if _, err := l.conn.Write(text); err != nil {
		return fmt.Errorf("writing events: %w", err)
	}
	return nil
}

func (l *liveStream) end(reason live.Reason) {
	_ = l.write(fmt.Appendf(nil, "event: end\ndata: {\"reason\":%q}\n\n", reason)) // the client may be gone
}

func (l *liveStream) run() {
	watcher, reason := l.catchUp()
	if watcher == nil {
		l.end(reason)
		return
	}
	defer watcher.Close()
	l.follow(watcher)
}

// catchUp sends everything since the position and then subscribes the client to new changes, or
// returns why it cannot.
func (l *liveStream) catchUp() (*live.Watcher, live.Reason) {
	page := l.first
	l.first = feed.Page{} // do not keep the page while the stream lasts
	for {
		if page.Next != (feed.Position{}) {
			l.from = page.Next
		}
		if text := live.Events(page.Changes, l.viewer); len(text) > 0 && l.write(text) != nil {
			return nil, live.Slow
		}
		if !page.More {
			if watcher := l.Live.Join(l.target.Org, l.target.Base, l.from, l.viewer, l.sight); watcher != nil {
				watcher.FollowJobs(l.principal.Person)
				return watcher, ""
			}
			if len(page.Changes) == 0 && !l.pause() { // the others are ahead of what can be read
				return nil, live.Stopping
			}
		}
		select {
		case <-l.rights.Changed():
			if l.rights.Check() != nil {
				return nil, live.Rights
			}
		default:
		}
		var err error
		if page, err = l.read(); err != nil {
			return nil, live.Behind
		}
	}
}

// catchUpPause is how long a watcher waits before it reads again for changes that others received.
const catchUpPause = 20 * time.Millisecond

// pause waits a little, and reports whether the client is still there.
func (l *liveStream) pause() bool {
	select {
	case <-l.request.Context().Done():
		return false
	case <-time.After(catchUpPause):
		return true
	}
}

// follow sends changes as they happen.
func (l *liveStream) follow(watcher *live.Watcher) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	changed := l.rights.Changed()
	// A client that read nothing for a while may have lost its rights meanwhile. select picks ready
	// cases at random, so check the rights before each message.
	checked := func(send func() error) error {
		select {
		case <-changed:
		default:
			return send()
		}
		if err := l.checkRights(); err != nil {
			return err
		}
		return send()
	}
	for {
		var err error
		select {
		case <-l.request.Context().Done():
			return
		case <-watcher.Ended():
			l.end(watcher.Reason())
			return
		case <-changed:
			err = l.checkRights()
		case <-beat.C:
			err = l.write([]byte(":\n\n"))
		case text := <-watcher.Presence():
			err = checked(func() error { return l.write(text) })
		case <-watcher.JobsChanged():
			err = checked(func() error { return l.sendJobs(watcher) })
		case batch := <-watcher.Batches():
			err = checked(func() error { return l.send(watcher, batch) })
			beat.Reset(heartbeat)
		}
		if err != nil {
			return
		}
	}
}

var errRights = errors.New("the rights of the watcher have changed")

// checkRights ends the stream unless the watcher still has the rights with which it began. If it
// cannot find out, it ends the stream as well; the client comes back and loses nothing. The hub
// reports that the base is gone.
func (l *liveStream) checkRights() error {
	if l.rights.Check() == nil {
		return nil
	}
	l.end(live.Rights)
	return errRights
}

// send writes a batch together with those that wait behind it.
func (l *liveStream) send(watcher *live.Watcher, batch *live.Batch) error {
	text := watcher.Text(batch)
	for whole := false; ; {
		select {
		case batch = <-watcher.Batches():
			if more := watcher.Text(batch); !whole {
				text, whole = slices.Concat(text, more), true // others share the first text
			} else {
				text = append(text, more...)
			}
		default:
			if len(text) == 0 {
				return nil
			}
			return l.write(text)
		}
	}
}

// sendJobs says how far the jobs are that the watcher may see.
func (l *liveStream) sendJobs(watcher *live.Watcher) error {
	var text []byte
	for _, one := range watcher.Jobs() {
		sees, err := operation.SeesJob(l.request.Context(), l.Deps, l.principal, l.target.Org, one.Base, one.Person)
		if err != nil {
			return nil //nolint:nilerr // whoever wants to know asks again
		}
		if sees {
			text = fmt.Appendf(text, "event: job\ndata: %s\n\n", one.Text)
		}
	}
	if len(text) == 0 {
		return nil
	}
	return l.write(text)
}
