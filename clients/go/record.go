package rowhouse

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
)

// A Query says which records of a table to read, in what order, and what of them.
type Query struct {
	Filters Filters
	Sorts   Sorts
	Search  string
	View    string   // id
	Fields  []string // names or ids; all if empty
	AsOf    string   // a moment (RFC 3339) or the id of a change set
	Limit   int      // of all pages together; 0 for all
	Rows    bool     // pages have Columns and Rows instead of Records, with links and files by name
}

// largestPage is how many records a page has at most.
const largestPage = 100

// Values is the query of a request for the records, without a limit.
func (q *Query) Values() (url.Values, error) {
	values := url.Values{}
	for name, value := range map[string]string{"search": q.Search, "view": q.View, "asOf": q.AsOf} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if q.Rows {
		values.Set("format", "rows")
		values.Set("ids", "full")
	}
	lists := map[string]any{}
	if len(q.Filters) > 0 {
		lists["filters"] = q.Filters
	}
	if len(q.Sorts) > 0 {
		lists["sorts"] = q.Sorts
	}
	if len(q.Fields) > 0 {
		lists["fields"] = q.Fields
	}
	for name, list := range lists {
		text, err := json.Marshal(list)
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", name, err)
		}
		values.Set(name, string(text))
	}
	return values, nil
}

// A Page is a part of what a Query finds. T is the type of a record: Record, one of the caller's own, or
// json.RawMessage for the text as it came.
type Page[T any] struct {
	Records  []T           `json:"records"`
	Columns  []string      `json:"columns"` // with Query.Rows; _id is that of the record
	Rows     [][]any       `json:"rows"`
	Total    int           `json:"total"` // of all pages
	Cursor   string        `json:"cursor"`
	HasMore  bool          `json:"hasMore"`
	Problems []ViewProblem `json:"problems"` // of the view's filter
}

// Records reads the records of a query, page by page.
func (c *Client) Records(ctx context.Context, tableID string, query Query) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for page, err := range Pages[Record](ctx, c, tableID, query) {
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, record := range page.Records {
				if !yield(record, nil) {
					return
				}
			}
		}
	}
}

// Pages reads the pages of a query. While the caller works with a page, the next one is on its way. The
// last pair has the error, if there is one, and no page.
func Pages[T any](ctx context.Context, c *Client, tableID string, query Query) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		values, err := query.Values()
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reader := &pageReader{client: c, path: "/tables/" + url.PathEscape(tableID) + "/records", values: values}
		left := query.Limit // of which none are on their way
		next := func() int {
			if query.Limit == 0 {
				return largestPage
			}
			size := min(left, largestPage)
			left -= size
			return size
		}
		coming := reader.fetch(ctx, next(), "")
		for coming != nil {
			arrived := <-coming
			if arrived.err != nil {
				yield(nil, arrived.err)
				return
			}
			// The next request is sent before the page is decoded, with the cursor that its last bytes seem to have.
			size, seems := next(), cursorAtEnd(arrived.body)
			coming = nil
			if size > 0 && seems != "" {
				coming = reader.fetch(ctx, size, seems)
			}
			page := &Page[T]{}
			if err := decodePage(arrived.body, page); err != nil {
				yield(nil, fmt.Errorf("reading a page of records: %w", err))
				return
			}
			switch {
			case !page.HasMore || size == 0:
				coming = nil
			case page.Cursor != seems:
				coming = reader.fetch(ctx, size, page.Cursor)
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// A pageReader fetches the pages of one query.
type pageReader struct {
	client *Client
	path   string
	values url.Values
}

type fetched struct {
	body []byte
	err  error
}

// fetch requests a page in the background.
func (r *pageReader) fetch(ctx context.Context, size int, cursor string) <-chan fetched {
	arriving := make(chan fetched, 1)
	asked := url.Values{"limit": {strconv.Itoa(size)}}
	for name, value := range r.values {
		asked[name] = value
	}
	if cursor != "" {
		asked.Set("cursor", cursor)
	}
	go func() {
		body, err := r.client.read(ctx, Request{Path: r.path, Query: asked})
		arriving <- fetched{body: body, err: err}
	}()
	return arriving
}

var cursorEnding = regexp.MustCompile(`"hasMore":true,"cursor":"([\w-]+)"\}\s*$`)

// cursorAtEnd returns the cursor at the end of a page, or "" if it does not end as pages do.
func cursorAtEnd(page []byte) string {
	const longest = 4 << 10
	if found := cursorEnding.FindSubmatch(page[max(0, len(page)-longest):]); found != nil {
		return string(found[1])
	}
	return ""
}

// Record reads one record.
func (c *Client) Record(ctx context.Context, id string) (*Record, error) {
	out := &Record{}
	return out, c.Send(ctx, Request{Path: "/records/" + url.PathEscape(id)}, out)
}

// A Write creates records, or updates those that it finds.
type Write struct {
	Records  []Values // by the names of fields, up to 100
	UpsertOn []string // names of 1 to 3 fields; a record with the same values is updated
	Typecast bool     // converts values of other types, and adds options of selects
}

// WrittenRecords is what a write did.
type WrittenRecords struct {
	RecordsWritten
	ChangeSet string `json:"changeSet"`
}

// Create writes up to 100 records, all or none. An upsert that is repeated after a lost response may count as
// updated what the lost attempt has created.
func (c *Client) Create(ctx context.Context, tableID string, write Write) (*WrittenRecords, error) {
	type fields struct {
		Fields Values `json:"fields"`
	}
	body := struct {
		Records  []fields `json:"records"`
		UpsertOn []string `json:"upsertOn,omitempty"`
		Typecast bool     `json:"typecast,omitempty"`
	}{UpsertOn: write.UpsertOn, Typecast: write.Typecast, Records: make([]fields, len(write.Records))}
	for i, values := range write.Records {
		body.Records[i].Fields = values
	}
	out := &WrittenRecords{}
	return out, c.Send(ctx, Request{
		Method: http.MethodPost, Path: "/tables/" + url.PathEscape(tableID) + "/records", Body: body,
		Idempotent: len(write.UpsertOn) > 0,
	}, out)
}

// Update merges values into a record; nil clears a field. With a version, it fails with
// ProblemCodeVersionChanged if the record has another one by now.
func (c *Client) Update(ctx context.Context, id string, values Values, version int) (*Record, error) {
	out := &Record{}
	return out, c.Send(ctx, Request{
		Method: http.MethodPatch, Path: "/records/" + url.PathEscape(id), IfMatch: version,
		Body: map[string]any{"fields": values},
	}, out)
}
