package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/credential"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/feed"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

const (
	// heartbeat is how often a stream without events gets a comment, which keeps proxies from closing it.
	heartbeat = 15 * time.Second
	// recheck is how often the rights of a watcher are looked up again. With the time that a process
	// remembers a credential it is below a second.
	recheck = 500 * time.Millisecond
	// liveWriteTimeout is how long a client may take for one write.
	liveWriteTimeout = 10 * time.Second
)

func describeLive(attachment.Limits) object {
	op := operation.ListChanges
	text := object{"type": "string"}
	responses := object{"200": object{
		"description": "Server-sent events. ready, with {cursor}, is the first. Each change is an event change, with " +
			"a change as in list_changes, and its cursor as the id. presence, with {present}, tells who is in the " +
			"base, as in set_presence. end, with {reason}, is the last.",
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
		var held *credential.Hold
		if s.Hold != nil {
			var ctx context.Context
			ctx, held = s.Hold(r.Context())
			defer held.Release()
			r = r.WithContext(ctx)
		}
		principal, err := s.Limit.Admit(w.Header(), r, s.Authenticate)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		release, err := s.Live.Admit(principal.Credential)
		if err != nil {
			s.writeError(w, r, err)
			return
		}
		defer release()
		stream := &liveStream{server: s, writer: w, request: r, held: held, control: http.NewResponseController(w)}
		if err := stream.begin(principal); err != nil {
			s.writeError(w, r, err)
			return
		}
		if r.Method == http.MethodHead {
			stream.writeHead()
			return
		}
		stream.run()
	}
}

// A liveStream is one watcher's connection.
type liveStream struct {
	*server

	writer  http.ResponseWriter
	request *http.Request
	held    *credential.Hold // nil: credentials are not held
	control *http.ResponseController

	target operation.Target
	viewer feed.Viewer
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
	l.viewer = operation.FeedViewer(p, l.target.Org)
	return nil
}

// begin checks the request and finds out where the watcher begins, before anything is answered.
func (l *liveStream) begin(p *authz.Principal) (err error) {
	if err := checkQueryParameters(l.request, "cursor"); err != nil {
		return err
	}
	if err := l.authorize(p); err != nil {
		return err
	}
	path, cursor := "Last-Event-ID", l.request.Header.Get("Last-Event-ID")
	if cursor == "" {
		path, cursor = "cursor", l.request.URL.Query().Get("cursor")
	}
	if cursor == "" {
		l.from, err = l.Live.Now(l.request.Context(), l.target.Org, l.target.Base)
	} else if l.from, err = feed.ParsePosition(path, cursor); err == nil {
		l.first, err = l.read()
	}
	return err
}

func (l *liveStream) read() (feed.Page, error) {
	ctx, cancel := context.WithTimeout(l.request.Context(), liveWriteTimeout)
	defer cancel()
	return l.Live.Read(ctx, l.target.Org, l.target.Base, l.from, l.viewer)
}

func (l *liveStream) writeHead() {
	h := l.writer.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // has proxies pass each event on
	l.writer.WriteHeader(http.StatusOK)
}

// write sends a part of the stream. A client that does not take it in time loses its connection.
func (l *liveStream) write(text []byte) error {
	err := l.control.SetWriteDeadline(time.Now().Add(liveWriteTimeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("setting a deadline: %w", err)
	}
	if _, err := l.writer.Write(text); err != nil {
		return fmt.Errorf("writing events: %w", err)
	}
	if err := l.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("writing events: %w", err)
	}
	return nil
}

func (l *liveStream) end(reason live.Reason) {
	_ = l.write(fmt.Appendf(nil, "event: end\ndata: {\"reason\":%q}\n\n", reason)) // the client may be gone
}

func (l *liveStream) run() {
	// The server's deadline for reading the request would end the stream.
	if err := l.control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return
	}
	l.writeHead()
	ready := fmt.Appendf(nil, "retry: 1000\nid: %[1]s\nevent: ready\ndata: {\"cursor\":%[1]q}\n\n", l.from)
	if err := l.write(ready); err != nil {
		return
	}
	watcher, reason := l.catchUp()
	if watcher == nil {
		l.end(reason)
		return
	}
	defer watcher.Close()
	l.follow(watcher)
}

// catchUp tells what has happened since the position, and joins those who have come to the present, or
// says why it ends.
func (l *liveStream) catchUp() (*live.Watcher, live.Reason) {
	page, checked := l.first, time.Now()
	l.first = feed.Page{} // the stream may last
	for {
		if page.Next != (feed.Position{}) {
			l.from = page.Next
		}
		if text := live.Events(page.Changes, l.viewer); len(text) > 0 && l.write(text) != nil {
			return nil, live.Slow
		}
		if !page.More {
			if watcher := l.Live.Join(l.target.Org, l.target.Base, l.from, l.viewer); watcher != nil {
				return watcher, ""
			}
		}
		if time.Since(checked) > recheck {
			if !l.mayStay() {
				return nil, live.Rights
			}
			checked = time.Now()
		}
		var err error
		if page, err = l.read(); err != nil {
			return nil, live.Behind
		}
	}
}

// follow tells what happens.
func (l *liveStream) follow(watcher *live.Watcher) {
	beat, check := time.NewTicker(heartbeat), time.NewTicker(recheck)
	defer beat.Stop()
	defer check.Stop()
	for {
		var err error
		select {
		case <-l.request.Context().Done():
			return
		case <-watcher.Ended():
			l.end(watcher.Reason())
			return
		case <-check.C:
			if !l.mayStay() {
				l.end(live.Rights)
				return
			}
		case <-beat.C:
			err = l.write([]byte(":\n\n"))
		case text := <-watcher.Presence():
			err = l.write(text)
		case batch := <-watcher.Batches():
			err = l.tell(watcher, batch)
			beat.Reset(heartbeat)
		}
		if err != nil {
			return
		}
	}
}

// tell writes a batch, and those that wait behind it.
func (l *liveStream) tell(watcher *live.Watcher, batch *live.Batch) error {
	text := watcher.Text(batch)
	for whole := false; ; {
		select {
		case batch = <-watcher.Batches():
			if more := watcher.Text(batch); !whole {
				text, whole = slices.Concat(text, more), true // others share the former
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

// mayStay reports whether the watcher still has the rights with which it began. If that cannot be
// found out it has to come again, and loses nothing. That the base is gone, the hub says.
func (l *liveStream) mayStay() bool {
	if l.held != nil && l.held.Unchanged() {
		return true
	}
	principal, err := l.Authenticate(l.request)
	if err != nil {
		return false
	}
	op := operation.ListChanges
	return principal.RequireScope(op.Scope) == nil && principal.RequireRole(l.target.Org, op.RequiredRole()) == nil &&
		principal.ReachesBase(l.target.Base) && operation.FeedViewer(principal, l.target.Org) == l.viewer
}
