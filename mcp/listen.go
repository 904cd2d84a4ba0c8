package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/live"
)

// Clients of revision 2026-07-28 subscribe to resources by one request, subscriptions/listen, whose
// response is a stream that lasts as long as the subscription. It needs no session, so any replica
// can serve it. The SDK does not handle it, because the SDK would notify all subscribers of a URI
// alike and knows nothing of the rights of each. Older revisions need a session, which this server
// does not have.

const (
	listenMethod = "subscriptions/listen"
	// maxListened is how many resources a stream may watch.
	maxListened = 100
	// notifyEvery is the minimum time between two notifications of a client. Changes in between are
	// sent together.
	notifyEvery = time.Second
	// listenWriteTimeout is how long a client may take for one write. It must be longer than
	// keepAliveInterval, after which a comment is written.
	listenWriteTimeout = 40 * time.Second
)

// A listener is a stream of notifications about resources.
type listener struct {
	*handler

	stream  *stream
	caller  *caller
	rights  *operation.Watch
	id      jsontext.Value
	wanted  []*listened
	bases   []*listenedBase
	updates chan update
}

// A listened is a subscribed resource.
type listened struct {
	uri    string
	source *source
	target operation.Target
	due    bool // it has changed, and the client was not notified
}

// A listenedBase is a base with subscribed resources.
type listenedBase struct {
	org, base uuid.UUID
	of        []*listened
	left      bool
}

// An update is a batch of changes of a base.
type update struct {
	of      *listenedBase
	changes []feed.Change
	ended   live.Reason // "": the watcher goes on
}

type listenParams struct {
	Notifications *struct {
		Resources []string                  `json:"resourceSubscriptions"`
		Other     map[string]jsontext.Value `json:",inline"`
	} `json:"notifications"`
	Meta callMeta `json:"_meta"`
}

// asListen returns what a request subscribes to, and false if the SDK has to handle it, because the
// SDK reports what is wrong with a request.
func (h *handler) asListen(header http.Header, messages []message) (*listenParams, bool) {
	if h.Live == nil || len(messages) != 1 || messages[0].Method != listenMethod || !isDirectID(messages[0].ID) ||
		!hasDirectHeaders(header) || header.Get("Mcp-Protocol-Version") != latestVersion ||
		header.Get("Mcp-Method") != listenMethod {
		return nil, false
	}
	var params listenParams
	if m := &messages[0]; m.Version != "2.0" || m.Params.Kind() != '{' || jsonv2.Unmarshal(m.Params, &params) != nil ||
		!params.Meta.complete() || params.Notifications == nil || len(params.Notifications.Resources) == 0 {
		return nil, false
	}
	return &params, true
}

// serveListen serves subscriptions/listen until the client leaves or loses its rights. It returns
// an error only before the response has started.
func (h *handler) serveListen(
	w http.ResponseWriter, r *http.Request, c *caller, m *message, params *listenParams,
) error {
	place, err := h.Live.Admit(c.Credential, c.Person)
	if err != nil {
		return err
	}
	defer place.Release()
	l := &listener{handler: h, caller: c, id: m.ID, updates: make(chan update)}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	uri, err := l.resolve(ctx, params.Notifications.Resources)
	if err == nil {
		for _, base := range l.bases {
			if err := place.Enter(base.org); err != nil {
				return err
			}
		}
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the server's deadlines are for requests that end
	l.stream = newStream(&deadlineWriter{w, control}, h.keepAlive)
	defer l.stream.close()
	header := l.stream.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-cache, no-transform")
	if err != nil {
		return l.refuse(ctx, uri, err)
	}
	if l.rights, err = l.Deps.Watch(ctx, l.checkRights); err != nil {
		return l.refuse(ctx, "", err)
	}
	defer l.rights.Release()
	watchers, err := l.watch(ctx)
	if err != nil {
		return l.refuse(ctx, "", err)
	}
	for i, watcher := range watchers {
		go l.pass(ctx, l.bases[i], watcher)
	}
	if l.acknowledge() == nil {
		l.deliver(ctx)
	}
	return nil
}

// A deadlineWriter gives each write its own deadline.
type deadlineWriter struct {
	http.ResponseWriter

	control *http.ResponseController
}

// Write implements http.ResponseWriter.
func (w *deadlineWriter) Write(p []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(listenWriteTimeout)) // not every writer supports it
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController flush.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// resolve finds the resources and checks that the caller may read them. It returns the URI of the
// resource that failed with the error.
func (l *listener) resolve(ctx context.Context, uris []string) (uri string, err error) {
	if len(uris) > maxListened {
		return "", problem.Invalid("notifications.resourceSubscriptions", "has %d resources; a stream tells of at "+
			"most %d", len(uris), maxListened)
	}
	for _, uri := range uris {
		if slices.ContainsFunc(l.wanted, func(other *listened) bool { return other.uri == uri }) {
			continue
		}
		one, err := l.resolveOne(ctx, uri)
		if err != nil {
			return uri, err
		}
		l.wanted = append(l.wanted, one)
		at := slices.IndexFunc(l.bases, func(b *listenedBase) bool { return b.base == one.target.Base })
		if at < 0 {
			at = len(l.bases)
			l.bases = append(l.bases, &listenedBase{org: one.target.Org, base: one.target.Base})
		}
		l.bases[at].of = append(l.bases[at].of, one)
	}
	return "", nil
}

func (l *listener) resolveOne(ctx context.Context, uri string) (*listened, error) {
	src, input, err := l.findSource(uri)
	if err != nil {
		return nil, err
	}
	if src.parameter == "" {
		return nil, problem.Invalid("notifications.resourceSubscriptions", "%s cannot be subscribed to; schemas of "+
			"bases, records of tables and single records can", uri)
	}
	_, a, err := l.callOf(ctx, l.caller, uri, src, input)
	if err != nil {
		return nil, err
	}
	one := &listened{uri: uri, source: src}
	if one.target, err = one.source.op.Check(ctx, l.Deps, l.caller.Principal, a.encode()); err != nil {
		return nil, err
	}
	return one, nil
}

// watch begins to watch the bases, before the client learns that it is subscribed.
func (l *listener) watch(ctx context.Context) ([]*live.Watcher, error) {
	var watchers []*live.Watcher
	for _, base := range l.bases {
		w, err := l.join(ctx, base)
		if err != nil {
			for _, w := range watchers {
				w.Close()
			}
			return nil, err
		}
		watchers = append(watchers, w)
	}
	return watchers, nil
}

func (l *listener) join(ctx context.Context, of *listenedBase) (*live.Watcher, error) {
	sight := operation.SightOf(l.caller.Principal, of.of[0].target)
	for {
		from, err := l.Live.Now(ctx, of.org, of.base, sight)
		if err != nil {
			return nil, fmt.Errorf("beginning to watch a base: %w", err)
		}
		if w := l.Live.Join(of.org, of.base, from, l.viewer(of.org), sight); w != nil {
			return w, nil
		}
	}
}

func (l *listener) viewer(org uuid.UUID) feed.Viewer {
	return operation.FeedViewer(l.caller.Principal, org)
}

// pass forwards the changes of a base.
func (l *listener) pass(ctx context.Context, of *listenedBase, w *live.Watcher) {
	defer func() { w.Close() }()
	send := func(u update) bool {
		select {
		case <-ctx.Done():
			return false
		case l.updates <- u:
			return true
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case batch := <-w.Batches():
			if changes := w.Changes(batch); len(changes) > 0 && !send(update{of: of, changes: changes}) {
				return
			}
		case <-w.Ended():
			reason := w.Reason()
			if !send(update{of: of, ended: reason}) || reason == live.Stopping || reason == live.Gone {
				return
			}
			next, err := l.join(ctx, of) // the hub ended the watcher because anything may have changed
			if err != nil {
				send(update{of: of, ended: live.Stopping})
				return
			}
			w = next
		}
	}
}

// deliver sends the client the resources that have changed.
func (l *listener) deliver(ctx context.Context) {
	var later <-chan time.Time
	last := time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-later:
			later = nil
		case <-l.rights.Changed():
			if l.rights.Check() != nil {
				_ = l.end() // the client may be gone
				return
			}
			continue
		case u := <-l.updates:
			u.mark(l.caller.Principal)
			if u.ended == live.Stopping || u.ended == live.Gone {
				u.of.left = true
			}
			watched := slices.ContainsFunc(l.bases, func(b *listenedBase) bool { return !b.left })
			if u.ended == live.Stopping || !watched {
				if l.rights.Check() == nil && l.flush() == nil {
					_ = l.end() // the client may be gone
				}
				return
			}
		}
		wait := notifyEvery - time.Since(last)
		switch {
		case wait <= 0:
			if l.rights.Check() != nil {
				_ = l.end() // the client may be gone
				return
			}
			if l.flush() != nil {
				return
			}
			last = time.Now()
		case wait > 0 && later == nil:
			later = time.After(wait)
		}
	}
}

// mark notes which resources have changed.
func (u *update) mark(p *authz.Principal) {
	viewer := operation.FeedViewer(p, u.of.org)
	for _, one := range u.of.of {
		one.due = one.due || u.ended != "" && u.ended != live.Stopping ||
			slices.ContainsFunc(u.changes, func(c feed.Change) bool { return one.changedBy(&c, viewer) })
	}
}

// changedBy reports whether the change may alter the content of the resource.
func (one *listened) changedBy(c *feed.Change, viewer feed.Viewer) bool {
	if c.IsSchema() {
		viewer.Schema = true // readers of records see the names of fields in them
		if _, seen := c.For(viewer); !seen {
			return false
		}
		// The table of a change is not known if the table is gone.
		return one.target.Table == nil || c.Table == nil || c.Table.ID == one.target.Table.ID
	}
	if !c.IsRecord() || one.target.Table == nil || c.Table == nil || c.Table.ID != one.target.Table.ID {
		return false
	}
	return one.source.parameter == "tableId" || c.Record() == one.target.ID
}

// checkRights returns an error unless the caller may still read everything that it subscribed to.
// If that cannot be found out, the client has to come again.
func (l *listener) checkRights(ctx context.Context) error {
	now, err := l.caller.again(ctx)
	if err != nil {
		return err
	}
	for _, one := range l.wanted {
		if err := one.source.op.StillMay(ctx, l.Deps, l.caller.Principal, now, one.target); err != nil {
			return err
		}
	}
	return nil
}

func (l *listener) meta() map[string]any { return map[string]any{sdk.MetaKeySubscriptionID: l.id} }

// acknowledge says what the client is subscribed to.
func (l *listener) acknowledge() error {
	uris := make([]string, len(l.wanted))
	for i, one := range l.wanted {
		uris[i] = one.uri
	}
	return l.notify("notifications/subscriptions/acknowledged", map[string]any{
		"notifications": map[string]any{"resourceSubscriptions": uris}, "_meta": l.meta(),
	})
}

// flush sends the resources that have changed.
func (l *listener) flush() error {
	for _, one := range l.wanted {
		if !one.due {
			continue
		}
		one.due = false
		if err := l.notify("notifications/resources/updated",
			map[string]any{"uri": one.uri, "_meta": l.meta()}); err != nil {
			return err
		}
	}
	return nil
}

func (l *listener) notify(method string, params map[string]any) error {
	return l.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// end closes the subscription.
func (l *listener) end() error {
	meta := l.meta()
	var own map[string]jsontext.Value
	if err := jsonv2.Unmarshal(l.server.meta, &own); err == nil {
		for key, value := range own {
			meta[key] = value
		}
	}
	return l.send(map[string]any{
		"jsonrpc": "2.0", "id": l.id, "result": map[string]any{"_meta": meta, "resultType": "complete"},
	})
}

// refuse answers that the client is not subscribed.
func (l *listener) refuse(ctx context.Context, uri string, err error) error {
	failed := &jsonrpc.Error{}
	if !errors.As(resourceError(ctx, uri, err), &failed) {
		return nil // the client has gone
	}
	failure := map[string]any{"code": failed.Code, "message": failed.Message}
	if len(failed.Data) > 0 {
		failure["data"] = jsontext.Value(failed.Data)
	}
	_ = l.send(map[string]any{"jsonrpc": "2.0", "id": l.id, "error": failure}) // the client may be gone
	return nil
}

func (l *listener) send(m map[string]any) error {
	text, err := jsonv2.Marshal(m, jsonv2.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	event := append([]byte("event: message\ndata: "), text...)
	if _, err := l.stream.Write(append(escapeLineEnds(event), "\n\n"...)); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	l.stream.Flush()
	return nil
}
