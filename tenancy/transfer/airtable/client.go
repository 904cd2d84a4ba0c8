package airtable

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// The bounds of the Web API.
const (
	// DefaultAddress is where the API is.
	DefaultAddress = "https://api.airtable.com"
	// PageSize is how many records a request returns at most.
	PageSize = 100
	// penalty is how long Airtable refuses everything after a request too many.
	penalty = 30 * time.Second
)

// A Client reads the Web API. It is safe for concurrent use.
type Client struct {
	*product.Client

	address string
}

// New returns a client of the API at an address; "" is DefaultAddress.
func New(address string, o product.Options) *Client {
	if address == "" {
		address = DefaultAddress
	}
	return &Client{product.NewClient("Airtable", o, penalty, readError), strings.TrimRight(address, "/")}
}

// A Session is the client with a token, which reads one base.
type Session struct {
	client *Client
	token  string
	base   string
}

var (
	_ product.Session      = &Session{}
	_ product.Commenter    = &Session{}
	_ product.RollupFinder = &Session{}
)

// Open returns a session. It sends nothing.
func (c *Client) Open(token, base string) *Session { return &Session{c, token, base} }

// About implements product.Session.
func (s *Session) About() product.About {
	return product.About{
		Name: "Airtable",
		Views: "Views came with their names, their types and the fields that grids show. Airtable does not report " +
			"their filters, sorts, groups and colours.",
		Computed: "Airtable does not report the filters of counts, lookups and rollups, nor how lookups are sorted: " +
			"what has some at Airtable has other values here.",
		CommentScope: "the token needs the scope data.recordComments:read",
	}
}

// bases lists the bases that the token reaches.
func (s *Session) bases(ctx context.Context) ([]base, error) {
	var all []base
	for offset := ""; ; {
		var page struct {
			Bases  []base `json:"bases"`
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

// BaseName implements product.Session.
func (s *Session) BaseName(ctx context.Context) (string, error) {
	bases, err := s.bases(ctx)
	if err != nil {
		return "", err
	}
	reached := make([]string, 0, len(bases))
	for _, base := range bases {
		if base.ID == s.base {
			return base.Name, nil
		}
		reached = append(reached, base.Name+" ("+base.ID+")")
	}
	if len(reached) == 0 {
		return "", problem.Invalid("token", "reaches no base; give it access to the base at Airtable")
	}
	return "", problem.Invalid("airtableBaseId", "the token does not reach this base; it reaches %s",
		problem.List(reached))
}

// Tables implements product.Session.
func (s *Session) Tables(ctx context.Context) ([]product.Table, error) {
	var out struct {
		Tables []table `json:"tables"`
	}
	query := url.Values{"include[]": {"visibleFieldIds"}}
	if err := s.get(ctx, "/v0/meta/bases/"+url.PathEscape(s.base)+"/tables", query, &out); err != nil {
		return nil, err
	}
	tables := make([]product.Table, len(out.Tables))
	for i := range out.Tables {
		tables[i] = out.Tables[i].neutral()
	}
	return tables, nil
}

// Records implements product.Session.
func (s *Session) Records(ctx context.Context, t *product.Table, offset string) (*product.Page, error) {
	query := url.Values{
		"pageSize": {strconv.Itoa(PageSize)}, "returnFieldsByFieldId": {"true"}, "recordMetadata[]": {"commentCount"},
	}
	var page product.Page
	err := s.get(ctx, s.path(t.ID), with(query, "offset", offset), &page)
	return &page, err
}

// some returns records of a table by their ids, at most PageSize, with some of their fields.
func (s *Session) some(ctx context.Context, table string, records, fields []string) ([]product.Record, error) {
	conditions := make([]string, len(records))
	for i, record := range records {
		conditions[i] = "RECORD_ID()='" + record + "'"
	}
	return s.withFields(ctx, table, fields, "OR("+strings.Join(conditions, ",")+")")
}

// withFields returns the first records of a table that a formula finds, with some of their fields.
func (s *Session) withFields(
	ctx context.Context, table string, fields []string, formula string,
) ([]product.Record, error) {
	query := url.Values{
		"pageSize": {strconv.Itoa(PageSize)}, "returnFieldsByFieldId": {"true"}, "fields[]": fields,
	}
	var page product.Page
	err := s.get(ctx, s.path(table), with(query, "filterByFormula", formula), &page)
	return page.Records, err
}

// Record implements product.Session.
func (s *Session) Record(ctx context.Context, t *product.Table, record string) (*product.Record, error) {
	var out product.Record
	err := s.get(ctx, s.path(t.ID)+"/"+url.PathEscape(record), url.Values{"returnFieldsByFieldId": {"true"}}, &out)
	return &out, err
}

// Comments implements product.Commenter.
func (s *Session) Comments(ctx context.Context, t *product.Table, record string) ([]product.Comment, error) {
	var all []product.Comment
	for offset := ""; ; {
		var page struct {
			Comments []comment `json:"comments"`
			Offset   string    `json:"offset"`
		}
		query := with(url.Values{"pageSize": {strconv.Itoa(PageSize)}}, "offset", offset)
		if err := s.get(ctx, s.path(t.ID)+"/"+url.PathEscape(record)+"/comments", query, &page); err != nil {
			return nil, err
		}
		for i := range page.Comments {
			all = append(all, page.Comments[i].neutral())
		}
		if offset = page.Offset; offset == "" {
			break
		}
	}
	slices.Reverse(all) // they come the newest first
	return all, nil
}

// File implements product.Session. The token is not sent there.
func (s *Session) File(ctx context.Context, file *product.Attachment) (io.ReadCloser, error) {
	return s.client.File(ctx, file.URL) //nolint:wrapcheck // of this module
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

func (s *Session) get(ctx context.Context, path string, query url.Values, out any) error {
	header := map[string]string{"Authorization": "Bearer " + s.token}
	return s.client.Get(ctx, s.base, s.client.address+path, query, header, out) //nolint:wrapcheck // of this module
}

// readError reads a refusal in any of its forms: {"error": "NOT_FOUND"}, {"error": {"type", "message"}} and
// {"errors": [{"error", "message"}]}.
func readError(_ int, body []byte) *product.Error {
	out := &product.Error{}
	var one struct {
		Error  json.RawMessage `json:"error"`
		Errors []struct {
			Error   string `json:"error"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &one) != nil {
		return out
	}
	var detail struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	switch {
	case len(one.Errors) > 0:
		out.Type, out.Message = one.Errors[0].Error, one.Errors[0].Message
	case json.Unmarshal(one.Error, &out.Type) == nil:
	case json.Unmarshal(one.Error, &detail) == nil:
		out.Type, out.Message = detail.Type, detail.Message
	}
	out.Expired = out.Type == "LIST_RECORDS_ITERATOR_NOT_AVAILABLE"
	out.Final = out.Type == billingLimit
	return out
}
