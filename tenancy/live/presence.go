package live

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

const (
	// Presence is sent again after minPresenceLull and presencePerWatcher at the earliest. Each person
	// who comes or moves is sent to all watchers, so a base with many watchers sends less often.
	minPresenceLull    = 200 * time.Millisecond
	presencePerWatcher = time.Millisecond
)

// Presence says who is in the bases that are watched.
type Presence struct {
	Store *PresenceStore // nil: nobody
	// Tables returns a function that reports whether a base has a table, by its public id.
	Tables func(ctx context.Context, org, base uuid.UUID) (func(table string) bool, error)
}

// followPresence sends the watchers of a base who is present, while somebody watches it.
func (h *Hub) followPresence(ctx context.Context, of *watched) {
	listener := h.presence.Store.Listen(of.org, of.base)
	defer listener.Close()
	failing := false
	for {
		entries, err := h.present(ctx, of)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !failing {
			h.log.WarnContext(ctx, "reading who is in a base", slog.Any("error", err))
		}
		failing = err != nil
		lull := max(minPresenceLull, time.Duration(h.sendPresence(of, presenceEvent(entries)))*presencePerWatcher)
		if !sleep(ctx, lull) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-listener.C:
		case <-firstEnd(entries, failing):
		}
	}
}

// firstEnd fires when the first of the entries has ended, or when it is time to ask Redis again. Nobody
// is asked for a base where nobody is.
func firstEnd(entries []PresenceEntry, failing bool) <-chan time.Time {
	wait := PresenceTTL
	switch {
	case failing:
		return time.After(wait)
	case len(entries) == 0:
		return nil
	}
	for i := range entries {
		wait = min(wait, time.Until(entries[i].Until))
	}
	return time.After(max(wait, 0) + minPresenceLull)
}

// present lists who is in a base. It omits tables that the base no longer has.
func (h *Hub) present(ctx context.Context, of *watched) ([]PresenceEntry, error) {
	entries, err := h.presence.Store.List(ctx, of.org, of.base)
	if err != nil || len(entries) == 0 {
		return nil, err
	}
	has, err := h.presence.Tables(ctx, of.org, of.base)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		switch {
		case !has(entries[i].Table):
			entries[i].PresenceCell = PresenceCell{}
		case of.rights != "": // the field may be hidden
			entries[i].Field = ""
		}
	}
	return entries, nil
}

func presenceEvent(entries []PresenceEntry) []byte {
	if entries == nil {
		entries = []PresenceEntry{}
	}
	text, err := json.Marshal(map[string]any{"present": entries})
	if err != nil {
		return nil // strings can be encoded
	}
	return append(append([]byte("event: presence\ndata: "), text...), "\n\n"...)
}

var nobody = presenceEvent(nil)

// sendPresence sends the watchers who is present, unless they know it, and returns how many watchers there
// are.
func (h *Hub) sendPresence(of *watched, text []byte) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if bytes.Equal(of.presence, text) {
		return len(of.watchers)
	}
	of.presence = text
	for w := range of.watchers {
		w.setPresence(text)
	}
	return len(of.watchers)
}

// Presence has who is there, as an event. Only the latest is kept.
func (w *Watcher) Presence() <-chan []byte { return w.presence }

// setPresence replaces the presence that the watcher gets next. The caller has locked the hub.
func (w *Watcher) setPresence(text []byte) {
	select {
	case <-w.presence:
	default:
	}
	w.presence <- text // nobody else writes, so there is room
}
