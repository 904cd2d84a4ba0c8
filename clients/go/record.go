package rowhouse

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
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
		type result struct {
			page *Page[T]
			err  error
		}
		fetch := func(size int, cursor string) <-chan result {
			fetched := make(chan result, 1)
			asked := url.Values{"limit": {strconv.Itoa(size)}}
			for name, value := range values {
				asked[name] = value
			}
			if cursor != "" {
				asked.Set("cursor", cursor)
			}
			go func() {
				page := &Page[T]{Records: make([]T, 0, size)}
				err := c.Send(ctx, Request{Path: "/tables/" + url.PathEscape(tableID) + "/records", Query: asked}, page)
				fetched <- result{page, err}
			}()
			return fetched
		}
		left := query.Limit // of which none are on their way
		next := func() int {
			if query.Limit == 0 {
				return largestPage
			}
			size := min(left, largestPage)
			left -= size
			return size
		}
		coming := fetch(next(), "")
		for coming != nil {
			arrived := <-coming
			if arrived.err != nil {
				yield(nil, arrived.err)
				return
			}
			coming = nil
			if size := next(); arrived.page.HasMore && arrived.page.Cursor != "" && size > 0 {
				coming = fetch(size, arrived.page.Cursor)
			}
			if !yield(arrived.page, nil) {
				return
			}
		}
	}
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
