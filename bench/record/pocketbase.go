package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// pocketbaseDialect is the REST API of PocketBase, with rows in SQLite. It has no cursors. Its
// batch requests write several records in one transaction.
var pocketbaseDialect = dialect{
	name: "PocketBase",
	calls: [operationCount]func(*subject, *caller) call{
		page: func(*subject, *caller) call { return pocketbaseList(url.Values{}) },
		get: func(s *subject, c *caller) call {
			return call{"GET", pocketbaseRecords + "/" + s.records[c.row(s)], nil}
		},
		filterAndSort: func(_ *subject, c *caller) call { return pocketbaseByAmount(least(c)) },
		filterAgain:   func(*subject, *caller) call { return pocketbaseByAmount(again) },
		twoFilters: func(_ *subject, c *caller) call {
			return pocketbaseList(url.Values{
				"filter": {fmt.Sprintf("Status = '%s' && Amount < %v", status(c), amountOf(c.random))},
				"sort":   {"-Due"},
			})
		},
		search: func(_ *subject, c *caller) call {
			text := fragment(c.random)
			var any []string
			for _, field := range []string{"Name", "Email", "Amount", "Status", "Notes", "Due", "Score"} {
				any = append(any, field+" ~ '"+text+"'")
			}
			return pocketbaseList(url.Values{"filter": {strings.Join(any, " || ")}})
		},
		deepOffset: func(s *subject, _ *caller) call {
			return pocketbaseList(url.Values{"page": {strconv.Itoa(s.deep()/batch + 1)}})
		},
		createOne: func(_ *subject, c *caller) call { return call{"POST", pocketbaseRecords, encode(newRow(c))} },
		createHundred: func(_ *subject, c *caller) call {
			return pocketbaseBatch(newRows(c))
		},
		updateOne: func(s *subject, c *caller) call {
			return call{"PATCH", pocketbaseRecords + "/" + s.records[c.row(s)], encode(changeOf(c))}
		},
		updateHundred: func(s *subject, c *caller) call {
			var requests []object
			for _, row := range c.rows(s) {
				requests = append(requests, object{
					"method": "PATCH",
					"url":    pocketbaseRecords + "/" + s.records[row],
					"body":   changeOf(c),
				})
			}
			return call{"POST", "/api/batch", encode(object{"requests": requests})}
		},
	},
	fill: func(_ *subject, rows []row) call { return pocketbaseBatch(rows) },
	made: func(answer []byte) ([]string, error) {
		var made []struct {
			Body struct {
				ID string `json:"id"`
			} `json:"body"`
		}
		if err := json.Unmarshal(answer, &made); err != nil {
			return nil, fmt.Errorf("reading the records that were made: %w", err)
		}
		ids := make([]string, len(made))
		for i := range made {
			ids[i] = made[i].Body.ID
		}
		return ids, nil
	},
	total: func(body []byte) (int64, error) { return totalIn(body, "totalItems") },
}

const pocketbaseRecords = "/api/collections/items/records"

func pocketbaseList(parameters url.Values) call {
	parameters.Set("perPage", strconv.Itoa(batch))
	return call{"GET", pocketbaseRecords + "?" + parameters.Encode(), nil}
}

func pocketbaseByAmount(least float64) call {
	return pocketbaseList(url.Values{"filter": {fmt.Sprintf("Amount >= %v", least)}, "sort": {"Amount"}})
}

func pocketbaseBatch(rows []row) call {
	requests := make([]object, len(rows))
	for i, row := range rows {
		requests[i] = object{"method": "POST", "url": pocketbaseRecords, "body": row}
	}
	return call{"POST", "/api/batch", encode(object{"requests": requests})}
}

// startPocketBase starts an unmodified PocketBase with those indexes of the baseline that SQLite
// supports. Requests run as its superuser, for whom it evaluates no rules.
func (b *bench) startPocketBase(ctx context.Context) error {
	p := &program{dialect: &pocketbaseDialect, name: "pocketbase"}
	b.programs = append(b.programs, p)
	b.subjects = append(b.subjects, &subject{program: p, side: 0, rows: b.set.rows})
	binary, err := filepath.Abs(filepath.Join(b.set.bin, "pocketbase"))
	if err != nil {
		return fmt.Errorf("looking for PocketBase: %w", err)
	}
	if p.data, err = os.MkdirTemp(b.set.dir, "pocketbase"); err != nil {
		return fmt.Errorf("making a directory: %w", err)
	}
	data := filepath.Join(p.data, "pb_data") // It writes next to this directory too.
	email, password := "load@example.com", rand.Text()
	made, err := exec.CommandContext(ctx, binary, "superuser", "upsert", email, password, "--dir", data).
		CombinedOutput()
	if err != nil {
		return fmt.Errorf("making PocketBase's superuser: %w: %s", err, made)
	}
	if p.host, err = freeAddress(ctx); err != nil {
		return err
	}
	if err := p.start(ctx, binary, b.set.dir, nil, "serve", "--http", p.host, "--dir", data); err != nil {
		return err
	}
	w, err := p.dial(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	var session struct {
		Token string `json:"token"`
	}
	entry := call{
		"POST", "/api/collections/_superusers/auth-with-password",
		encode(object{"identity": email, "password": password}),
	}
	if err := ask(w, entry, &session); err != nil {
		return err
	}
	p.header = "Authorization: " + session.Token + "\r\n"
	w.header = p.header
	if _, err := w.send(call{
		"PATCH", "/api/settings", encode(object{"batch": object{"enabled": true, "maxRequests": batch, "timeout": 60}}),
	}); err != nil {
		return err
	}
	_, err = w.send(call{"POST", "/api/collections", encode(object{
		"name": "items", "type": "base",
		"fields": []object{
			{"name": "Name", "type": "text"},
			{"name": "Email", "type": "email"},
			{"name": "Amount", "type": "number"},
			{"name": "Status", "type": "select", "maxSelect": 1, "values": statuses},
			{"name": "Notes", "type": "text"},
			{"name": "Due", "type": "date"},
			{"name": "Score", "type": "number"},
			{"name": "Done", "type": "bool"},
		},
		"indexes": []string{
			"create index item_amount on items (Amount)", "create index item_status_due on items (Status, Due)",
		},
	})})
	return err
}
