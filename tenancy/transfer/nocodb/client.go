// Package nocodb reads bases of NocoDB by the second version of its REST API, and says what their columns and values
// are here. It owns the requests (client.go), the table of the types of columns (mapping.go) and what records are made
// of (record.go). It knows nothing of jobs, of the database, or of how records are written: package transfer imports.
package nocodb

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/field"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

const (
	// defaultAddress is where NocoDB's own service is.
	defaultAddress = "https://app.nocodb.com"
	pageSize       = 100
	// penalty is how long NocoDB refuses everything after a request too many.
	penalty = 30 * time.Second
)

// A Client reads installations of NocoDB. It is safe for concurrent use.
type Client struct {
	*product.Client

	address string
}

// New returns a client whose sessions are at an address if they name none; "" is that of NocoDB's own service.
func New(address string, o product.Options) *Client {
	if address == "" {
		address = defaultAddress
	}
	return &Client{product.NewClient("NocoDB", o, penalty, readError), address}
}

// A Session is the client with a token, which reads one base of an installation.
type Session struct {
	client  *Client
	address string
	token   string
	base    string
	tables  map[string]*table // by id, of Tables
}

var (
	_ product.Opener  = &Client{}
	_ product.Session = &Session{}
)

// Address implements product.Opener.
func (c *Client) Address() string { return c.address }

// Open implements product.Opener.
func (c *Client) Open(address, token, base string) product.Session {
	return &Session{c, strings.TrimRight(address, "/"), token, base, map[string]*table{}}
}

// About implements product.Session.
func (s *Session) About() product.About {
	return product.About{
		Name: "NocoDB",
		Views: "Views came with their names, their types, and of grids the fields that they show and their order. " +
			"Filters, groups and colours did not.",
		Computed: "Formulas came where their functions have the same names here. Compare their values: a function " +
			"may count in another way.",
	}
}

// BaseName implements product.Session.
func (s *Session) BaseName(ctx context.Context) (string, error) {
	var base struct {
		Title string `json:"title"`
	}
	err := s.get(ctx, "/api/v2/meta/bases/"+url.PathEscape(s.base), nil, &base)
	return base.Title, err
}

// Tables implements product.Session. Call it before the records.
func (s *Session) Tables(ctx context.Context) ([]product.Table, error) {
	var list struct {
		List []table `json:"list"`
	}
	if err := s.get(ctx, "/api/v2/meta/bases/"+url.PathEscape(s.base)+"/tables", nil, &list); err != nil {
		return nil, err
	}
	junctions := map[string]bool{} // tables that are in no list
	for i := range list.List {
		one, err := s.table(ctx, list.List[i].ID)
		if err != nil {
			return nil, err
		}
		for j := range one.Columns {
			if junction := one.Columns[j].Options.Junction; junction != "" {
				junctions[junction] = true
			}
		}
	}
	for junction := range junctions {
		if _, err := s.table(ctx, junction); err != nil && !product.IsGone(err) { // without it, rows list their links
			return nil, err
		}
	}
	tables := make([]product.Table, 0, len(list.List))
	for i := range list.List {
		t := s.tables[list.List[i].ID]
		made := s.neutral(t)
		for _, v := range t.Views {
			one, err := s.view(ctx, t, v)
			if err != nil {
				return nil, err
			}
			made.Views = append(made.Views, one)
		}
		tables = append(tables, made)
	}
	return tables, nil
}

// table reads a table, and keeps it.
func (s *Session) table(ctx context.Context, id string) (*table, error) {
	var one table
	if err := s.get(ctx, "/api/v2/meta/tables/"+url.PathEscape(id), nil, &one); err != nil {
		return nil, err
	}
	s.tables[one.ID] = &one
	return &one, nil
}

// view reads a view.
func (s *Session) view(ctx context.Context, t *table, v view) (product.View, error) {
	out := product.View{ID: v.ID, Name: v.Title, Type: viewTypes[v.Type]}
	if out.Name == t.Title && len(t.Views) == 1 { // as the first view of a table is called
		out.Name = "Grid"
	}
	if out.Type != "grid" {
		return out, nil
	}
	var shown struct {
		List []struct {
			Column string `json:"fk_column_id"`
			Show   flag   `json:"show"`
		} `json:"list"`
	}
	path := "/api/v2/meta/views/" + url.PathEscape(v.ID)
	if err := s.get(ctx, path+"/columns", nil, &shown); err != nil {
		return out, err
	}
	out.Visible = []string{}
	for _, one := range shown.List {
		if one.Show {
			out.Visible = append(out.Visible, one.Column)
		}
	}
	var sorts struct {
		List []struct {
			Column    string `json:"fk_column_id"`
			Direction string `json:"direction"`
		} `json:"list"`
	}
	if err := s.get(ctx, path+"/sorts", nil, &sorts); err != nil {
		return out, err
	}
	for _, one := range sorts.List {
		out.Sorts = append(out.Sorts, product.Sort{Field: one.Column, Descending: one.Direction == "desc"})
	}
	return out, nil
}

// A list is a page of rows.
type list struct {
	List     []map[string]json.RawMessage `json:"list"`
	PageInfo struct {
		IsLast bool `json:"isLastPage"`
	} `json:"pageInfo"`
}

// Records implements product.Session. A place is how many rows came before.
func (s *Session) Records(ctx context.Context, t *product.Table, place string) (*product.Page, error) {
	before, _ := strconv.Atoi(place) // "" is the beginning
	own := s.tables[t.ID]
	if own == nil || own.key() == nil {
		return &product.Page{}, nil
	}
	var rows list
	query := url.Values{
		"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(before)}, "sort": {own.key().Title},
	}
	page := &product.Page{}
	err := s.get(ctx, recordsOf(t.ID), query, &rows)
	var refusal *product.Error
	if errors.As(err, &refusal) && refusal.Type == "ERR_INVALID_OFFSET_VALUE" { // rows were deleted meanwhile
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	for _, row := range rows.List {
		one, err := s.record(ctx, t, own, row, true)
		if err != nil {
			return nil, err
		}
		page.Records = append(page.Records, *one)
	}
	if !rows.PageInfo.IsLast && len(rows.List) > 0 {
		page.Offset = strconv.Itoa(before + len(rows.List))
	}
	return page, nil
}

// Record implements product.Session.
func (s *Session) Record(ctx context.Context, t *product.Table, record string) (*product.Record, error) {
	_, key, _ := strings.Cut(record, ":")
	var row map[string]json.RawMessage
	if err := s.get(ctx, recordsOf(t.ID)+"/"+url.PathEscape(key), nil, &row); err != nil {
		return nil, err
	}
	return s.record(ctx, t, s.tables[t.ID], row, false)
}

func recordsOf(table string) string { return "/api/v2/tables/" + url.PathEscape(table) + "/records" }

// linked lists the keys of the rows that a row links to.
func (s *Session) linked(ctx context.Context, t *table, column, row string, related *table) ([]string, error) {
	var keys []string
	for {
		var rows list
		query := url.Values{"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(len(keys))}}
		err := s.get(ctx, "/api/v2/tables/"+url.PathEscape(t.ID)+"/links/"+url.PathEscape(column)+"/records/"+
			url.PathEscape(row), query, &rows)
		if err != nil {
			return nil, err
		}
		for _, one := range rows.List {
			keys = append(keys, related.keyOf(one))
		}
		if rows.PageInfo.IsLast || len(rows.List) == 0 {
			return keys, nil
		}
		if len(keys) > field.MaxLinks {
			return nil, problem.Conflict("row %s has more than %d links, which a cell cannot have", row, field.MaxLinks)
		}
	}
}

// File implements product.Session.
func (s *Session) File(ctx context.Context, file *product.Attachment) (io.ReadCloser, error) {
	return s.client.File(ctx, file.URL) //nolint:wrapcheck // of this module
}

func (s *Session) get(ctx context.Context, path string, query url.Values, out any) error {
	header := map[string]string{"xc-token": s.token}
	//nolint:wrapcheck // of this module
	return s.client.Get(ctx, s.address+" "+s.base, s.address+path, query, header, out)
}

// readError reads a refusal: {"error": "…", "message": "…"} or {"msg": "…"}.
func readError(_ int, body []byte) *product.Error {
	var one struct {
		Error   string `json:"error"`
		Message string `json:"message"`
		Msg     string `json:"msg"`
	}
	if json.Unmarshal(body, &one) != nil {
		return &product.Error{}
	}
	return &product.Error{Type: one.Error, Message: one.Message + one.Msg}
}

// Problem implements product.Session.
func (s *Session) Problem(err error) error {
	if wrong := product.AddressProblem(err); wrong != nil {
		return wrong //nolint:wrapcheck // of this module
	}
	var refusal *product.Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch {
	case refusal.Status == 401:
		return problem.Invalid("token", "NocoDB does not take the token: it is wrong, or was deleted")
	case refusal.Status == 403 || refusal.Status == 404 || strings.HasSuffix(refusal.Type, "_NOT_FOUND"):
		return problem.Invalid("productBaseId", "NocoDB shows this token no such base, or not this part of it")
	case refusal.Status == 429 || refusal.Status >= 500:
		return product.Unreachable("NocoDB", err) //nolint:wrapcheck // of this module
	}
	return problem.Conflict("%s", refusal.Error())
}
