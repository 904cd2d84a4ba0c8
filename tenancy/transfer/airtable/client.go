package airtable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rowhouse/rowhouse/outbound"
)

// The bounds of the Web API.
const (
	// DefaultAddress is where the API is.
	DefaultAddress = "https://api.airtable.com"
	// PageSize is how many records a request returns at most.
	PageSize = 100
	// perSecond is how many requests a second Airtable takes for a base.
	perSecond = 5
	// penalty is how long Airtable refuses everything after a request too many.
	penalty = 30 * time.Second

	maxAttempts = 5
	maxAnswer   = 64 << 20 // bytes of a page
)

// A Fetcher sends GET requests, as *outbound.Fetcher does.
type Fetcher interface {
	Get(ctx context.Context, address string, header map[string]string) (*outbound.Answer, error)
}

// Options are what a Client needs.
type Options struct {
	Address string  // of the API; "" is DefaultAddress
	API     Fetcher // reads the API
	Files   Fetcher // reads attachments, whose addresses Airtable gives
	// Second is in which time five requests may be sent for a base, and Penalty how long a client waits when it is
	// refused without a time; zero are those of Airtable.
	Second, Penalty time.Duration
}

// A Client reads the Web API. It is safe for concurrent use.
type Client struct {
	Options

	mu    sync.Mutex
	paces map[string]*pace // by base
}

// New returns a client.
func New(o Options) *Client {
	if o.Address == "" {
		o.Address = DefaultAddress
	}
	o.Address = strings.TrimRight(o.Address, "/")
	if o.Second == 0 {
		o.Second = time.Second
	}
	if o.Penalty == 0 {
		o.Penalty = penalty
	}
	return &Client{Options: o, paces: map[string]*pace{}}
}

// A Session is the client with a token, which reads one base.
type Session struct {
	client *Client
	token  string
	base   string
}

// Open returns a session. It sends nothing.
func (c *Client) Open(token, base string) *Session { return &Session{c, token, base} }

// Bases lists the bases that the token reaches.
func (s *Session) Bases(ctx context.Context) ([]Base, error) {
	var all []Base
	for offset := ""; ; {
		var page struct {
			Bases  []Base `json:"bases"`
			Offset string `json:"offset"`
		}
		if err := s.get(ctx, "/v0/meta/bases", with(nil, "offset", offset), &page); err != nil {
			return nil, err
		}
		all = append(all, page.Bases...)
		if offset = page.Offset; offset == "" {
			return all, nil
		}
	}
}

// Tables describes the tables of the base.
func (s *Session) Tables(ctx context.Context) ([]Table, error) {
	var out struct {
		Tables []Table `json:"tables"`
	}
	query := url.Values{"include[]": {"visibleFieldIds"}}
	err := s.get(ctx, "/v0/meta/bases/"+url.PathEscape(s.base)+"/tables", query, &out)
	return out.Tables, err
}

// Records returns a page of a table.
func (s *Session) Records(ctx context.Context, table, offset string) (*Page, error) {
	query := url.Values{
		"pageSize": {strconv.Itoa(PageSize)}, "returnFieldsByFieldId": {"true"}, "recordMetadata[]": {"commentCount"},
	}
	var page Page
	err := s.get(ctx, s.path(table), with(query, "offset", offset), &page)
	return &page, err
}

// Some returns records of a table by their ids, at most PageSize, with some of their fields.
func (s *Session) Some(ctx context.Context, table string, records, fields []string) ([]Record, error) {
	conditions := make([]string, len(records))
	for i, record := range records {
		conditions[i] = "RECORD_ID()='" + record + "'"
	}
	query := url.Values{
		"pageSize": {strconv.Itoa(PageSize)}, "returnFieldsByFieldId": {"true"}, "fields[]": fields,
		"filterByFormula": {"OR(" + strings.Join(conditions, ",") + ")"},
	}
	var page Page
	err := s.get(ctx, s.path(table), query, &page)
	return page.Records, err
}

// Sample returns the first records of a table with some of their fields.
func (s *Session) Sample(ctx context.Context, table string, fields []string) ([]Record, error) {
	query := url.Values{
		"pageSize": {strconv.Itoa(PageSize)}, "returnFieldsByFieldId": {"true"}, "fields[]": fields,
	}
	var page Page
	err := s.get(ctx, s.path(table), query, &page)
	return page.Records, err
}

// Record returns one record, with new addresses of its files.
func (s *Session) Record(ctx context.Context, table, record string) (*Record, error) {
	var out Record
	err := s.get(ctx, s.path(table)+"/"+url.PathEscape(record), url.Values{"returnFieldsByFieldId": {"true"}}, &out)
	return &out, err
}

// Comments lists the comments on a record, the oldest first.
func (s *Session) Comments(ctx context.Context, table, record string) ([]Comment, error) {
	var all []Comment
	for offset := ""; ; {
		var page struct {
			Comments []Comment `json:"comments"`
			Offset   string    `json:"offset"`
		}
		query := with(url.Values{"pageSize": {strconv.Itoa(PageSize)}}, "offset", offset)
		if err := s.get(ctx, s.path(table)+"/"+url.PathEscape(record)+"/comments", query, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Comments...)
		if offset = page.Offset; offset == "" {
			break
		}
	}
	slices.Reverse(all) // they come the newest first
	return all, nil
}

// File opens the content of an attachment, which the caller closes. The token is not sent there. It returns an error
// for which IsExpired holds if the address no longer lives.
func (s *Session) File(ctx context.Context, file *Attachment) (io.ReadCloser, error) {
	answer, err := s.client.Files.Get(ctx, file.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("fetching a file: %w", err)
	}
	if answer.Status != 200 {
		_ = answer.Body.Close()
		return nil, &Error{Status: answer.Status, Type: "FILE", Message: "the file was not served"}
	}
	return answer.Body, nil
}

func (s *Session) path(table string) string {
	return "/v0/" + url.PathEscape(s.base) + "/" + url.PathEscape(table)
}

func with(query url.Values, name, value string) url.Values {
	if value == "" {
		return query
	}
	if query == nil {
		query = url.Values{}
	}
	query.Set(name, value)
	return query
}

// get reads a path into out. It waits for its turn, and tries again after a refusal that passes.
func (s *Session) get(ctx context.Context, path string, query url.Values, out any) error {
	address := s.client.Address + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	for attempt := 1; ; attempt++ {
		pace := s.client.paceOf(s.base)
		if err := pace.enter(ctx); err != nil {
			return err
		}
		wait, err := s.try(ctx, address, out)
		pace.leave(s.client.Second, wait)
		if err == nil || wait == 0 || attempt >= maxAttempts {
			return err
		}
	}
}

// try sends one request. wait is when it may be sent again, and zero if that is of no use.
func (s *Session) try(ctx context.Context, address string, out any) (wait time.Duration, err error) {
	answer, err := s.client.API.Get(ctx, address, map[string]string{"Authorization": "Bearer " + s.token})
	if err != nil {
		if errors.Is(err, outbound.ErrNotAllowed) || errors.Is(err, outbound.ErrPlain) || ctx.Err() != nil {
			return 0, fmt.Errorf("asking Airtable: %w", err)
		}
		return s.client.Second, unreachable(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return s.client.Second, unreachable(err)
	}
	if answer.Status == 200 {
		if err := json.Unmarshal(body, out); err != nil {
			return 0, unreachable(fmt.Errorf("the answer is not what Airtable's documentation says: %w", err))
		}
		return 0, nil
	}
	refusal := readError(answer.Status, body)
	switch {
	case answer.Status == 429 && refusal.Type != billingLimit:
		if answer.RetryAfter > 0 {
			return answer.RetryAfter, refusal
		}
		return s.client.Penalty, refusal
	case answer.Status >= 500:
		return max(answer.RetryAfter, s.client.Second), refusal
	}
	return 0, refusal
}
