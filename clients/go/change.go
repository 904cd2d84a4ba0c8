package rowhouse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Earliest is the cursor of the start of the history that is kept.
const Earliest = "earliest"

// A Feed says which changes of a base to read.
type Feed struct {
	Cursor string   // of the last change that was read; Earliest, or empty for now
	Tables []string // ids; all if empty
	Kinds  []ChangeKind
}

// A FeedChange is a change with its JSON as it came, which has null where Change has an empty value, and
// members that this version of the library does not know.
type FeedChange struct {
	Change
	Raw json.RawMessage
}

// UnmarshalJSON keeps the JSON.
func (c *FeedChange) UnmarshalJSON(raw []byte) error {
	c.Raw = append(c.Raw[:0], raw...)
	return json.Unmarshal(raw, &c.Change)
}

// Changes reads the changes up to now, in the order of commit. Each has a cursor from which to go on.
func (c *Client) Changes(ctx context.Context, baseID string, feed Feed) iter.Seq2[FeedChange, error] {
	return func(yield func(FeedChange, error) bool) {
		cursor := feed.Cursor
		if _, err := c.changes(ctx, baseID, feed, &cursor, func(change FeedChange) bool {
			return yield(change, nil)
		}); err != nil {
			yield(FeedChange{}, err)
		}
	}
}

// changes reads the changes from cursor up to now, and moves cursor. It returns false once the caller has
// enough.
func (c *Client) changes(
	ctx context.Context, baseID string, feed Feed, cursor *string, each func(FeedChange) bool,
) (going bool, err error) {
	query := url.Values{"limit": {"100"}}
	for name, list := range map[string]any{"tables": feed.Tables, "kinds": feed.Kinds} {
		if text, err := json.Marshal(list); err == nil && string(text) != "null" {
			query.Set(name, string(text))
		}
	}
	for {
		if *cursor != "" {
			query.Set("cursor", *cursor)
		}
		var page struct {
			Changes []FeedChange `json:"changes"`
			Cursor  string       `json:"cursor"`
			HasMore bool         `json:"hasMore"`
		}
		if err := c.Send(ctx, Request{Path: basePath(baseID) + "/changes", Query: query}, &page); err != nil {
			return true, err
		}
		for i := range page.Changes {
			*cursor = page.Changes[i].Cursor
			if !each(page.Changes[i]) {
				return false, nil
			}
		}
		*cursor = page.Cursor
		if !page.HasMore {
			return true, nil
		}
	}
}

// Watch reads the changes of a base as they are committed, until the context or the loop ends. It
// connects again after a lost connection and goes on where it was, so that no change is missing and none
// comes twice. It ends with an error that connecting again would not help, such as
// ProblemCodeCursorExpired. Tables and Kinds of feed choose among the changes here.
func (c *Client) Watch(ctx context.Context, baseID string, feed Feed) iter.Seq2[FeedChange, error] {
	wanted := feed.chooser()
	return func(yield func(FeedChange, error) bool) {
		w := &watch{client: c, path: basePath(baseID) + "/live", cursor: feed.Cursor}
		if feed.Cursor == Earliest { // which the stream does not know
			each := func(change FeedChange) bool { return yield(change, nil) }
			going, err := c.changes(ctx, baseID, feed, &w.cursor, each)
			if err != nil {
				yield(FeedChange{}, err)
			}
			if err != nil || !going {
				return
			}
		}
		wait := firstWait
		for {
			before := w.cursor
			going, err := w.connect(ctx, func(change FeedChange) bool {
				return !wanted(&change.Change) || yield(change, nil)
			})
			if !going {
				return
			}
			after, again := retryAfter(err, wait)
			if err != nil && !again {
				yield(FeedChange{}, err)
				return
			}
			if w.cursor != before {
				after, wait = firstWait, firstWait
			}
			select {
			case <-time.After(after):
			case <-ctx.Done():
				yield(FeedChange{}, ctx.Err())
				return
			}
			wait = min(2*wait, longestWait)
		}
	}
}

func (f Feed) chooser() func(*Change) bool {
	tables, kinds := map[string]bool{}, map[ChangeKind]bool{}
	for _, table := range f.Tables {
		tables[table] = true
	}
	for _, kind := range f.Kinds {
		kinds[kind] = true
	}
	return func(change *Change) bool {
		return (len(tables) == 0 || tables[change.Table]) && (len(kinds) == 0 || kinds[change.Kind])
	}
}

type watch struct {
	client *Client
	path   string
	cursor string
}

// errEnded is a stream that ended and can be continued.
var errEnded = errors.New("the stream ended")

// connect reads one connection's events. It returns false once the caller has enough.
func (w *watch) connect(ctx context.Context, each func(FeedChange) bool) (going bool, err error) {
	query := url.Values{}
	if w.cursor != "" {
		query.Set("cursor", w.cursor)
	}
	response, err := w.client.Open(ctx, Request{
		Path: w.path, Query: query, Header: http.Header{"Accept": {"text/event-stream"}}, Once: true,
	})
	if err != nil {
		return true, err
	}
	defer response.Body.Close()
	for event, err := range Events(response.Body) {
		if err != nil {
			return true, err
		}
		switch event.Name {
		case "ready":
			var ready struct{ Cursor string }
			if err := json.Unmarshal(event.Data, &ready); err != nil {
				return true, fmt.Errorf("reading an event: %w", err)
			}
			w.cursor = ready.Cursor
		case "change":
			var change FeedChange
			if err := json.Unmarshal(event.Data, &change); err != nil {
				return true, fmt.Errorf("reading an event: %w", err)
			}
			if change.Cursor != "" {
				w.cursor = change.Cursor
			}
			if !each(change) {
				return false, nil
			}
		}
	}
	return true, errEnded
}

// An Event is one server-sent event.
type Event struct {
	Name string
	Data []byte
}

// Events reads a stream of server-sent events. A comment is skipped, and so is an event that is not
// complete.
func Events(stream io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		reader := bufio.NewReader(stream)
		var current Event
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Event{}, fmt.Errorf("reading the stream: %w", err))
				}
				return
			}
			line = strings.TrimRight(line, "\r\n")
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "event":
				current.Name = value
			case "data":
				if current.Data != nil {
					current.Data = append(current.Data, '\n')
				}
				current.Data = append(current.Data, value...)
			case "":
				if line == "" && current.Data != nil {
					if !yield(current, nil) {
						return
					}
					current = Event{}
				}
			}
		}
	}
}

func basePath(id string) string { return "/bases/" + url.PathEscape(id) }
