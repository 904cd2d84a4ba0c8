package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
)

// An operation is what both programs are asked for. Each caller has its part of the rows, so that no two write the same one.
type operation struct {
	name  string
	query bool                                // uses what the service may want an index for
	calls [2]func(s *subject, c *caller) call // of the yardstick and the service
}

// A caller is one connection's share of the load.
type caller struct {
	random *rand.Rand
	index  int // from 0
	of     int // callers at once
}

// row is a random one of the caller's.
func (c *caller) row(s *subject) int {
	share := s.rows / c.of
	return c.random.IntN(share)*c.of + c.index
}

// rows are distinct ones of the caller's, in their order.
func (c *caller) rows(s *subject) []int {
	share := s.rows / c.of
	step := share / batch
	rows := make([]int, 0, batch)
	if step == 0 {
		for i := range share {
			rows = append(rows, i*c.of+c.index)
		}
		return rows
	}
	for i := range batch {
		rows = append(rows, (i*step+c.random.IntN(step))*c.of+c.index)
	}
	return rows
}

func (s *subject) list(parameters url.Values) call {
	parameters.Set("limit", "100")
	return call{"GET", s.path() + "?" + parameters.Encode(), nil}
}

func items(path string, parameters url.Values) call {
	return call{"GET", "/items" + path + "?" + parameters.Encode(), nil}
}

// itemID is the yardstick's id of a row: it was loaded in order, from 1.
func itemID(row int) string { return strconv.Itoa(row + 1) }

func (s *subject) deep() int { return s.rows * 9 / 10 }

// amounts are drawn anew for each call: a filter that was not asked before, which leaves 1 to 10 % of the rows.
func least(c *caller) float64 { return 90_000 + float64(c.random.IntN(900_000))/100 }

var operations = []operation{
	{name: "page of 100", calls: [2]func(*subject, *caller) call{
		func(*subject, *caller) call { return items("", nil) },
		func(s *subject, _ *caller) call { return s.list(url.Values{}) },
	}},
	{name: "get", calls: [2]func(*subject, *caller) call{
		func(s *subject, c *caller) call { return call{"GET", "/items/" + itemID(c.row(s)), nil} },
		func(s *subject, c *caller) call { return call{"GET", "/api/v1/records/" + s.records[c.row(s)], nil} },
	}},
	{name: "filter + sort, number", query: true, calls: [2]func(*subject, *caller) call{
		func(_ *subject, c *caller) call {
			return items("/by-amount", url.Values{"least": {fmt.Sprint(least(c))}})
		},
		func(s *subject, c *caller) call { return s.byAmount(least(c)) },
	}},
	{name: "the same filter again", query: true, calls: [2]func(*subject, *caller) call{
		func(*subject, *caller) call { return items("/by-amount", url.Values{"least": {"95000"}}) },
		func(s *subject, _ *caller) call { return s.byAmount(95_000) },
	}},
	{name: "two filters + sort, date", query: true, calls: [2]func(*subject, *caller) call{
		func(_ *subject, c *caller) call {
			return items("/by-due", url.Values{"status": {statuses[c.random.IntN(len(statuses))]}, "below": {fmt.Sprint(amountOf(c.random))}})
		},
		func(s *subject, c *caller) call {
			return s.list(url.Values{
				"filters": {string(encode([]object{
					{"fieldId": "Status", "op": "eq", "value": statuses[c.random.IntN(len(statuses))]}, {"fieldId": "Amount", "op": "lt", "value": amountOf(c.random)},
				}))},
				"sorts": {`[{"fieldId":"Due","dir":"desc"}]`},
			})
		},
	}},
	{name: "search, all fields", query: true, calls: [2]func(*subject, *caller) call{
		func(_ *subject, c *caller) call { return items("/search", url.Values{"q": {fragment(c.random)}}) },
		func(s *subject, c *caller) call {
			return call{"GET", s.path() + "/search?limit=100&q=" + fragment(c.random), nil}
		},
	}},
	{name: "deep page, offset", calls: [2]func(*subject, *caller) call{
		func(s *subject, _ *caller) call { return items("", url.Values{"offset": {strconv.Itoa(s.deep())}}) },
		func(s *subject, _ *caller) call { return s.list(url.Values{"offset": {strconv.Itoa(s.deep())}}) },
	}},
	{name: "deep page, cursor", calls: [2]func(*subject, *caller) call{
		func(s *subject, c *caller) call {
			return items("", url.Values{"after": {itemID(s.deep() + c.random.IntN(100))}})
		},
		func(s *subject, c *caller) call {
			return s.list(url.Values{"cursor": {s.cursors[c.random.IntN(len(s.cursors))]}})
		},
	}},
	{name: "create 1", calls: [2]func(*subject, *caller) call{
		func(_ *subject, c *caller) call { return call{"POST", "/items", one(c)} },
		func(s *subject, c *caller) call { return call{"POST", s.path(), one(c)} },
	}},
	{name: "create 100", calls: [2]func(*subject, *caller) call{
		func(_ *subject, c *caller) call { return call{"POST", "/items", hundred(c)} },
		func(s *subject, c *caller) call {
			return call{"POST", s.path(), hundred(c)}
		},
	}},
	{name: "update 1", calls: [2]func(*subject, *caller) call{
		func(s *subject, c *caller) call {
			return call{"PATCH", "/items/" + itemID(c.row(s)), encode(object{"fields": changeOf(c)})}
		},
		func(s *subject, c *caller) call {
			return call{"PATCH", "/api/v1/records/" + s.records[c.row(s)], encode(object{"fields": changeOf(c)})}
		},
	}},
	{name: "update 100", calls: [2]func(*subject, *caller) call{
		func(s *subject, c *caller) call {
			return changes("/items", s, c, func(row int) any { return row + 1 })
		},
		func(s *subject, c *caller) call {
			return changes(s.path(), s, c, func(row int) any { return s.records[row] })
		},
	}},
}

func (s *subject) byAmount(least float64) call {
	return s.list(url.Values{
		"filters": {string(encode([]object{{"fieldId": "Amount", "op": "gte", "value": least}}))},
		"sorts":   {`[{"fieldId":"Amount","dir":"asc"}]`},
	})
}

func one(c *caller) []byte { return encode(object{"fields": rowAt(c.random.IntN(1 << 30))}) }

func hundred(c *caller) []byte { return rowsFrom(c.random.IntN(1<<30), batch) }

func changeOf(c *caller) object {
	return object{"Amount": amountOf(c.random), "Status": statuses[c.random.IntN(len(statuses))]}
}

func changes(path string, s *subject, c *caller, id func(row int) any) call {
	rows := c.rows(s)
	records := make([]object, len(rows))
	for i, row := range rows {
		records[i] = object{"id": id(row), "fields": changeOf(c)}
	}
	return call{"PATCH", path, encode(object{"records": records})}
}

// findCursors fetches the cursors of deep pages, which a reader would have from the pages before them.
func (s *subject) findCursors(w *wire) error {
	for i := range 10 {
		c := s.list(url.Values{"offset": {strconv.Itoa(s.deep() - batch + 10*i)}})
		var page struct {
			Cursor string `json:"cursor"`
		}
		if err := ask(w, c, &page); err != nil {
			return err
		}
		if page.Cursor == "" {
			return fmt.Errorf("a deep page has no cursor")
		}
		s.cursors = append(s.cursors, page.Cursor)
	}
	return nil
}

// totalOf reads the total of a page, to see that both programs answer the same.
func totalOf(body []byte) (int64, error) {
	var page struct {
		Total *int64 `json:"total"`
	}
	if err := json.Unmarshal(body, &page); err != nil {
		return 0, fmt.Errorf("reading a page: %w", err)
	}
	if page.Total == nil {
		return -1, nil
	}
	return *page.Total, nil
}
