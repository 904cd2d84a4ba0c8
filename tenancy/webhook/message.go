package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	// maxMessage bounds the changes of a message, in bytes: the message ends before the change that
	// would exceed it. maxChange bounds one change with its values.
	maxMessage = 1 << 20
	maxChange  = 256 << 10
	// maxChanges bounds the changes of a message. It may span pages of the feed, so that a receiver
	// that lags far behind catches up.
	maxChanges = 500
	// maxPages bounds the pages of the feed that are read for a message without a result.
	maxPages = 10
)

// messageType is the type of every message (Standard Webhooks 1.0, "Payload structure").
const messageType = "base.changed"

// A part is what a webhook sends of a part of the feed.
type part struct {
	changes []json.RawMessage
	end     feed.Position
	more    bool
}

// viewer is what the webhook's owner sees. Whoever may set up webhooks sees everything except some
// views.
func (w *Webhook) viewer() feed.Viewer {
	return feed.Viewer{Viewer: schema.Viewer{Person: w.Owner, Admin: true}, Schema: true}
}

// readPart reads the next part after a position; with a limit, up to that.
func (s *Store) readPart(
	ctx context.Context, org uuid.UUID, w *Webhook, from feed.Position, limit *feed.Position,
) (part, error) {
	viewer := w.viewer()
	filter := feed.Filter{Tables: w.Tables, Kinds: w.Kinds, Condition: w.Filter, Viewer: &viewer}
	out, size := part{end: from, more: true}, 0
	for pages := 0; out.more; pages++ {
		if limit == nil && (len(out.changes) > maxChanges-feed.MaxPage || pages == maxPages) ||
			limit != nil && out.end.Compare(*limit) >= 0 {
			break
		}
		page, err := s.Feed.Read(ctx, org, w.Base, out.end, feed.MaxPage, filter)
		if err != nil {
			return part{}, fmt.Errorf("reading the feed: %w", err)
		}
		for i := range page.Changes {
			change := &page.Changes[i]
			if limit != nil && change.Position.Compare(*limit) > 0 {
				break
			}
			text, sent, err := w.encode(change, viewer)
			if err != nil {
				return part{}, err
			}
			if sent && limit == nil && size+len(text) > maxMessage && len(out.changes) > 0 {
				return out, nil
			}
			out.end = change.Position
			if sent {
				out.changes, size = append(out.changes, text), size+len(text)
			}
		}
		out.end, out.more = page.Next, page.More
	}
	if limit != nil {
		out.end = *limit
	}
	return out, nil
}

// encode returns what the webhook sends of a change, or false if it sends nothing.
func (w *Webhook) encode(change *feed.Change, viewer feed.Viewer) (json.RawMessage, bool, error) {
	text, seen := change.For(viewer)
	if !seen {
		return nil, false, nil
	}
	if w.Values && w.Fields == nil && len(text) <= maxChange {
		return text, true, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, false, fmt.Errorf("decoding a change: %w", err)
	}
	if change.IsRecord() && w.Fields != nil {
		sent, err := w.narrow(members)
		if err != nil || !sent {
			return nil, false, err
		}
	}
	size := 0 // of what would be sent
	for _, member := range members {
		size += len(member)
	}
	if !w.Values || size > maxChange {
		for _, name := range []string{"before", "after", "links"} {
			delete(members, name)
		}
	}
	if w.Values && size > maxChange {
		members["valuesOmitted"] = json.RawMessage("true")
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, false, fmt.Errorf("encoding a change: %w", err)
	}
	return text, true, nil
}

// narrow leaves the webhook's fields in a change of a record, and returns false if it changed none of
// them. The creation, deletion or restoration of a record is sent in any case.
func (w *Webhook) narrow(members map[string]json.RawMessage) (bool, error) {
	var ids map[string]string
	var kind string
	if err := json.Unmarshal(members["fieldIds"], &ids); err != nil {
		return false, fmt.Errorf("decoding the fields of a change: %w", err)
	}
	if err := json.Unmarshal(members["kind"], &kind); err != nil {
		return false, fmt.Errorf("decoding the kind of a change: %w", err)
	}
	kept := map[string]string{}
	for name, public := range ids {
		u, err := id.Parse(id.Field, public)
		if err != nil {
			return false, fmt.Errorf("decoding the fields of a change: %w", err)
		}
		if slices.Contains(w.Fields, u) {
			kept[name] = public
		}
	}
	if len(kept) == 0 && (kind == "updated" || kind == "linked") {
		return false, nil
	}
	if err := encodeInto(members, "fieldIds", kept); err != nil {
		return false, err
	}
	for _, side := range []string{"before", "after", "links"} {
		var values map[string]json.RawMessage
		if members[side] == nil {
			continue
		}
		if err := json.Unmarshal(members[side], &values); err != nil {
			return false, fmt.Errorf("decoding the values of a change: %w", err)
		}
		if values == nil { // null
			continue
		}
		for name := range values {
			if _, ok := kept[name]; !ok {
				delete(values, name)
			}
		}
		if err := encodeInto(members, side, values); err != nil {
			return false, err
		}
	}
	return true, nil
}

func encodeInto(members map[string]json.RawMessage, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encoding a change: %w", err)
	}
	members[name] = text
	return nil
}

// message is the body of a delivery.
func (w *Webhook) message(p part, createdAt time.Time) ([]byte, error) {
	type data struct {
		Webhook string            `json:"webhook"`
		Base    string            `json:"base"`
		Changes []json.RawMessage `json:"changes"`
		Cursor  string            `json:"cursor"`
	}
	changes := p.changes
	if changes == nil {
		changes = []json.RawMessage{}
	}
	body, err := json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      data      `json:"data"`
	}{messageType, createdAt.UTC(), data{w.PublicID(), id.Format(id.Base, w.Base), changes, p.end.String()}})
	if err != nil {
		return nil, fmt.Errorf("encoding a message: %w", err)
	}
	return body, nil
}
