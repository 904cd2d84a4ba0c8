package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// The operations, as indexes of operations and of a dialect's calls.
const (
	page = iota
	get
	filterAndSort
	filterAgain
	twoFilters
	search
	deepOffset
	deepCursor
	createOne
	createHundred
	updateOne
	updateHundred
	computedPage
	computedFilter
	operationCount
)

// An operation is a request that all programs get.
type operation struct {
	name  string
	query bool // uses what the service may want an index for
	write bool
	// The tables must have computed fields.
	computed bool
}

var operations = [operationCount]operation{
	page:           {name: "page of 100"},
	get:            {name: "get"},
	filterAndSort:  {name: "filter + sort, number", query: true},
	filterAgain:    {name: "the same filter again", query: true},
	twoFilters:     {name: "two filters + sort, date", query: true},
	search:         {name: "search, all fields", query: true},
	deepOffset:     {name: "deep page, offset"},
	deepCursor:     {name: "deep page, cursor"},
	createOne:      {name: "create 1", write: true},
	createHundred:  {name: "create 100", write: true},
	updateOne:      {name: "update 1", write: true},
	updateHundred:  {name: "update 100", write: true},
	computedPage:   {name: "page of 100, formula, lookup and rollup", computed: true},
	computedFilter: {name: "filter + sort, formula", query: true, computed: true},
}

// A dialect is the API of programs of one kind.
type dialect struct {
	name  string
	calls [operationCount]func(s *subject, c *caller) call // nil for unsupported operations
	fill  func(s *subject, rows []row) call                // makes records
	// The ids of the records that fill made, in order; nil where they are known beforehand.
	made  func(answer []byte) ([]string, error)
	total func(page []byte) (int64, error) // how many records match, or -1 where the page does not say
	// compute adds computed fields to a table; nil where that is not done.
	compute func(ctx context.Context, s *subject, w *connection) error
}

// A caller is one connection's share of the load. Each caller has its part of the rows, so that no
// two write the same row.
type caller struct {
	random *rand.Rand
	index  int // from 0
	of     int // callers at once
}

// row is a random row of the caller's part.
func (c *caller) row(s *subject) int {
	share := s.rows / c.of
	return c.random.IntN(share)*c.of + c.index
}

// rows are distinct rows of the caller's part, in order.
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

func (s *subject) deep() int { return s.rows * 9 / 10 }

// least draws a filter that leaves 1 to 10 % of the rows and has not been used before.
func least(c *caller) float64 { return 90_000 + float64(c.random.IntN(900_000))/100 }

// again is the filter that every call repeats.
const again = 95_000

func status(c *caller) string { return statuses[c.random.IntN(len(statuses))] }

func newRow(c *caller) row { return rowAt(c.random.IntN(1 << 30)) }

func newRows(c *caller) []row { return rowsFrom(c.random.IntN(1<<30), batch) }

func changeOf(c *caller) object {
	return object{"Amount": amountOf(c.random), "Status": status(c)}
}

// totalIn reads the total at a path of members, or returns -1 if the body has none.
func totalIn(body []byte, path ...string) (int64, error) {
	var at map[string]json.RawMessage
	if err := json.Unmarshal(body, &at); err != nil {
		return 0, fmt.Errorf("reading a page: %w", err)
	}
	for _, member := range path[:len(path)-1] {
		inner, found := at[member]
		if !found {
			return -1, nil
		}
		at = nil
		if err := json.Unmarshal(inner, &at); err != nil {
			return 0, fmt.Errorf("reading a page's %s: %w", member, err)
		}
	}
	value, found := at[path[len(path)-1]]
	if !found || string(value) == "null" {
		return -1, nil
	}
	var total int64
	if err := json.Unmarshal(value, &total); err != nil {
		return 0, fmt.Errorf("reading a page's total: %w", err)
	}
	return total, nil
}
