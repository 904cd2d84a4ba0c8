package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rowhouse/rowhouse/deploy/local"
)

// nocodbDialect is the second version of NocoDB's REST API, with rows in PostgreSQL. It has no
// cursors and searches text fields only.
var nocodbDialect = dialect{
	name: "NocoDB",
	calls: [operationCount]func(*subject, *caller) call{
		page: func(s *subject, _ *caller) call { return s.nocodbList(url.Values{}) },
		get: func(s *subject, c *caller) call {
			return call{"GET", s.nocodbRecords() + "/" + s.records[c.row(s)], nil}
		},
		filterAndSort: func(s *subject, c *caller) call { return s.nocodbByAmount(least(c)) },
		filterAgain:   func(s *subject, _ *caller) call { return s.nocodbByAmount(again) },
		twoFilters: func(s *subject, c *caller) call {
			return s.nocodbList(url.Values{
				"where": {fmt.Sprintf("(Status,eq,%s)~and(Amount,lt,%v)", status(c), amountOf(c.random))},
				"sort":  {"-Due"},
			})
		},
		search: func(s *subject, c *caller) call {
			text := fragment(c.random)
			var any []string
			for _, field := range []string{"Name", "Email", "Status", "Notes"} {
				any = append(any, "("+field+",like,%"+text+"%)")
			}
			return s.nocodbList(url.Values{"where": {strings.Join(any, "~or")}})
		},
		deepOffset: func(s *subject, _ *caller) call {
			return s.nocodbList(url.Values{"offset": {strconv.Itoa(s.deep())}})
		},
		createOne:     func(s *subject, c *caller) call { return call{"POST", s.nocodbRecords(), encode(newRow(c))} },
		createHundred: func(s *subject, c *caller) call { return call{"POST", s.nocodbRecords(), encode(newRows(c))} },
		updateOne: func(s *subject, c *caller) call {
			return call{"PATCH", s.nocodbRecords(), encode(s.nocodbChange(c, c.row(s)))}
		},
		updateHundred: func(s *subject, c *caller) call {
			var changes []object
			for _, row := range c.rows(s) {
				changes = append(changes, s.nocodbChange(c, row))
			}
			return call{"PATCH", s.nocodbRecords(), encode(changes)}
		},
		computedPage:   func(s *subject, _ *caller) call { return s.nocodbList(url.Values{}) },
		computedFilter: func(s *subject, c *caller) call { return s.nocodbByTotal(totalOf(least(c))) },
	},
	compute: nocodbComputed,
	fill:    func(s *subject, rows []row) call { return call{"POST", s.nocodbRecords(), encode(rows)} },
	made: func(answer []byte) ([]string, error) {
		var made []struct {
			ID json.Number `json:"Id"`
		}
		if err := json.Unmarshal(answer, &made); err != nil {
			return nil, fmt.Errorf("reading the records that were made: %w", err)
		}
		ids := make([]string, len(made))
		for i := range made {
			ids[i] = made[i].ID.String()
		}
		return ids, nil
	},
	total: func(body []byte) (int64, error) { return totalIn(body, "pageInfo", "totalRows") },
}

func (s *subject) nocodbRecords() string { return "/api/v2/tables/" + s.table + "/records" }

func (s *subject) nocodbList(parameters url.Values) call {
	parameters.Set("limit", strconv.Itoa(batch))
	return call{"GET", s.nocodbRecords() + "?" + parameters.Encode(), nil}
}

func (s *subject) nocodbByAmount(least float64) call {
	return s.nocodbList(url.Values{"where": {fmt.Sprintf("(Amount,gte,%v)", least)}, "sort": {"Amount"}})
}

func (s *subject) nocodbChange(c *caller, row int) object {
	change := changeOf(c)
	change["Id"] = json.Number(s.records[row])
	return change
}

// startNocoDB starts an unmodified installation on a database of the service's PostgreSQL and gives
// its table the indexes of the baseline, apart from the search index.
func (b *bench) startNocoDB(ctx context.Context, services *local.Services) error {
	p := &program{dialect: &nocodbDialect, name: "nocodb"}
	s := &subject{program: p, side: 0, rows: b.set.rows}
	b.subjects = append(b.subjects, s)
	database, err := b.prepare(ctx, services, p)
	if err != nil {
		return err
	}
	at, err := url.Parse(database)
	if err != nil {
		return fmt.Errorf("reading a URL: %w", err)
	}
	password, _ := at.User.Password()
	login := url.Values{"u": {at.User.Username()}, "p": {password}, "d": {p.database}}
	directory, err := filepath.Abs(b.set.nocodb)
	if err != nil {
		return fmt.Errorf("looking for NocoDB: %w", err)
	}
	err = p.start(ctx, filepath.Join(directory, "node_modules/.bin/node"), b.set.dir, []string{
		"NC_DB=pg://" + at.Host + "?" + login.Encode(), "NC_AUTH_JWT_SECRET=" + rand.Text(), "NC_DISABLE_TELE=true",
		"NC_TOOL_DIR=" + b.set.dir,
	}, filepath.Join(directory, "start.js"))
	if err != nil {
		return err
	}
	w, err := p.dial(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	var session, token struct {
		Token string `json:"token"`
	}
	person := object{"email": "load@example.com", "password": rand.Text() + "a1."}
	if err := ask(w, call{"POST", "/api/v1/auth/user/signup", encode(person)}, &session); err != nil {
		return err
	}
	w.header = "xc-auth: " + session.Token + "\r\n"
	if err := ask(w, call{"POST", "/api/v1/tokens", encode(object{"description": "load"})}, &token); err != nil {
		return err
	}
	p.header = "xc-token: " + token.Token + "\r\n"
	var base, table struct {
		ID string `json:"id"`
	}
	if err := ask(w, call{"POST", "/api/v2/meta/bases", encode(object{"title": "Load"})}, &base); err != nil {
		return err
	}
	options := make([]object, len(statuses))
	for i, status := range statuses {
		options[i] = object{"title": status}
	}
	columns := []object{
		{"title": "Id", "column_name": "id", "uidt": "ID"},
		{"title": "Name", "column_name": "name", "uidt": "SingleLineText"},
		{"title": "Email", "column_name": "email", "uidt": "Email"},
		{"title": "Amount", "column_name": "amount", "uidt": "Decimal"},
		{"title": "Status", "column_name": "status", "uidt": "SingleSelect", "colOptions": object{"options": options}},
		{"title": "Notes", "column_name": "notes", "uidt": "LongText"},
		{"title": "Due", "column_name": "due", "uidt": "Date"},
		{"title": "Score", "column_name": "score", "uidt": "Decimal"},
		{"title": "Done", "column_name": "done", "uidt": "Checkbox"},
	}
	made := call{
		"POST", "/api/v2/meta/bases/" + base.ID + "/tables",
		encode(object{"title": "items", "table_name": "items", "columns": columns}),
	}
	if err := ask(w, made, &table); err != nil {
		return err
	}
	s.table = table.ID
	if err := p.conn.QueryRow(
		ctx, "select format('%I.%I', schemaname, tablename) from pg_tables where tablename = 'items'",
	).Scan(&s.relation); err != nil {
		return fmt.Errorf("looking for NocoDB's table: %w", err)
	}
	_, err = p.conn.Exec(ctx, "create index on "+s.relation+" (amount); create index on "+s.relation+" (status, due)")
	if err != nil {
		return fmt.Errorf("making NocoDB's indexes: %w", err)
	}
	return nil
}
