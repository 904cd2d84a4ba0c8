// Package baserow reads databases of Baserow by its REST API with a database token, and says what their fields and
// values are here. It owns the requests (client.go), the table of the types of fields (mapping.go) and what values and
// formulas are here (value.go). It knows nothing of jobs, of the database, or of how records are written: package
// transfer imports.
package baserow

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

const (
	// defaultAddress is where Baserow's own service is.
	defaultAddress = "https://api.baserow.io"
	pageSize       = 200
	penalty        = 10 * time.Second
)

// A Client reads installations of Baserow. It is safe for concurrent use.
type Client struct {
	*product.Client

	address string
}

// New returns a client whose sessions are at an address if they name none; "" is that of Baserow's own service.
func New(address string, o product.Options) *Client {
	if address == "" {
		address = defaultAddress
	}
	return &Client{product.NewClient("Baserow", o, penalty, readError), address}
}

// A Session is the client with a token, which reads one database of an installation.
type Session struct {
	client   *Client
	address  string
	token    string
	database string
}

var (
	_ product.Opener  = &Client{}
	_ product.Session = &Session{}
)

// Address implements product.Opener.
func (c *Client) Address() string { return c.address }

// Open implements product.Opener.
func (c *Client) Open(address, token, database string) product.Session {
	return &Session{c, strings.TrimRight(address, "/"), token, database}
}

// About implements product.Session.
func (s *Session) About() product.About {
	return product.About{
		Name: "Baserow",
		Computed: "Formulas came where their functions have the same names here. Compare their values: a function " +
			"may count in another way.",
		Always: "Views and comments did not come: a database token of Baserow does not read them.",
	}
}

// A listed table is one that the token reaches.
type listed struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Order    int    `json:"order"`
	Database int    `json:"database_id"`
}

// listed lists the tables of the database that the token reaches, in their order.
func (s *Session) listed(ctx context.Context) ([]listed, error) {
	var all []listed
	if err := s.get(ctx, "/api/database/tables/all-tables/", nil, &all); err != nil {
		return nil, err
	}
	var others []string
	own := slices.DeleteFunc(all, func(one listed) bool {
		database := strconv.Itoa(one.Database)
		if database == s.database {
			return false
		}
		if !slices.Contains(others, database) {
			others = append(others, database)
		}
		return true
	})
	switch {
	case len(own) > 0:
		slices.SortStableFunc(own, func(a, b listed) int { return a.Order - b.Order })
		return own, nil
	case len(others) > 0:
		return nil, problem.Invalid("productBaseId", "the token does not reach this database; it reaches %s",
			problem.List(others))
	}
	return nil, problem.Invalid("token", "reaches no table; let it read the database at Baserow")
}

// BaseName implements product.Session. A database token does not see the name.
func (s *Session) BaseName(ctx context.Context) (string, error) {
	_, err := s.listed(ctx)
	return "Baserow " + s.database, err
}

// Tables implements product.Session.
func (s *Session) Tables(ctx context.Context) ([]product.Table, error) {
	own, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	tables := make([]product.Table, len(own))
	columns := make([][]column, len(own))
	for i, one := range own {
		err := s.get(ctx, "/api/database/fields/table/"+strconv.Itoa(one.ID)+"/", nil, &columns[i])
		if err != nil {
			return nil, err
		}
		tables[i] = neutral(one, columns[i])
	}
	for i := range tables {
		readFormulas(&tables[i], columns[i])
	}
	return tables, nil
}

// Records implements product.Session. A place is the number of a page.
func (s *Session) Records(ctx context.Context, t *product.Table, place string) (*product.Page, error) {
	number := 1
	if place != "" {
		number, _ = strconv.Atoi(place) // it was written below
	}
	var rows struct {
		Next    *string                      `json:"next"`
		Results []map[string]json.RawMessage `json:"results"`
	}
	query := url.Values{
		"user_field_names": {"false"}, "size": {strconv.Itoa(pageSize)}, "page": {strconv.Itoa(number)},
	}
	if err := s.get(ctx, rowsOf(t), query, &rows); err != nil {
		return nil, err
	}
	page := &product.Page{}
	for _, row := range rows.Results {
		page.Records = append(page.Records, *record(t, row))
	}
	if rows.Next != nil && *rows.Next != "" {
		page.Offset = strconv.Itoa(number + 1)
	}
	return page, nil
}

// Record implements product.Session.
func (s *Session) Record(ctx context.Context, t *product.Table, id string) (*product.Record, error) {
	_, row, _ := strings.Cut(id, ":")
	var found map[string]json.RawMessage
	if err := s.get(ctx, rowsOf(t)+url.PathEscape(row)+"/", nil, &found); err != nil {
		return nil, err
	}
	return record(t, found), nil
}

func rowsOf(t *product.Table) string {
	return "/api/database/rows/table/" + strings.TrimPrefix(t.ID, "table ") + "/"
}

// File implements product.Session.
func (s *Session) File(ctx context.Context, file *product.Attachment) (io.ReadCloser, error) {
	address := file.URL
	if strings.HasPrefix(address, "/") {
		address = s.address + address
	}
	return s.client.File(ctx, address) //nolint:wrapcheck // of this module
}

func (s *Session) get(ctx context.Context, path string, query url.Values, out any) error {
	header := map[string]string{"Authorization": "Token " + s.token}
	//nolint:wrapcheck // of this module
	return s.client.Get(ctx, s.address+" "+s.database, s.address+path, query, header, out)
}

// readError reads a refusal: {"error": "ERROR_…", "detail": "…"}, whose detail may be an object.
func readError(_ int, body []byte) *product.Error {
	var one struct {
		Error  string          `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &one) != nil {
		return &product.Error{}
	}
	return &product.Error{Type: one.Error, Message: product.Text(one.Detail)}
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
	case refusal.Status == 401 && refusal.Type != "ERROR_NO_PERMISSION_TO_TABLE":
		return problem.Invalid("token", "Baserow does not take the token: it is wrong, or was deleted")
	case refusal.Status == 401 || refusal.Status == 403 || refusal.Status == 404 ||
		refusal.Type == "ERROR_USER_NOT_IN_GROUP":
		return problem.Invalid("token", "may not read all tables of the database at Baserow")
	case refusal.Status == 429 || refusal.Status >= 500:
		return product.Unreachable("Baserow", err) //nolint:wrapcheck // of this module
	}
	return problem.Conflict("%s", refusal.Error())
}
