package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/rowhouse/rowhouse/deploy/local"
)

// baselineDialect speaks to bench/baseline. Its ids are numbers in the order of loading, from 1.
var baselineDialect = dialect{
	name: "baseline",
	calls: [operationCount]func(*subject, *caller) call{
		page: func(*subject, *caller) call { return items("", nil) },
		get:  func(s *subject, c *caller) call { return call{"GET", "/items/" + itemID(c.row(s)), nil} },
		filterAndSort: func(_ *subject, c *caller) call {
			return items("/by-amount", url.Values{"least": {fmt.Sprint(least(c))}})
		},
		filterAgain: func(*subject, *caller) call {
			return items("/by-amount", url.Values{"least": {strconv.Itoa(again)}})
		},
		twoFilters: func(_ *subject, c *caller) call {
			return items("/by-due", url.Values{"status": {status(c)}, "below": {fmt.Sprint(amountOf(c.random))}})
		},
		search: func(_ *subject, c *caller) call { return items("/search", url.Values{"q": {fragment(c.random)}}) },
		deepOffset: func(s *subject, _ *caller) call {
			return items("", url.Values{"offset": {strconv.Itoa(s.deep())}})
		},
		deepCursor: func(s *subject, c *caller) call {
			return items("", url.Values{"after": {itemID(s.deep() + c.random.IntN(100))}})
		},
		createOne: func(_ *subject, c *caller) call {
			return call{"POST", "/items", encode(object{"fields": newRow(c)})}
		},
		createHundred: func(_ *subject, c *caller) call { return call{"POST", "/items", recordsOf(newRows(c))} },
		updateOne: func(s *subject, c *caller) call {
			return call{"PATCH", "/items/" + itemID(c.row(s)), encode(object{"fields": changeOf(c)})}
		},
		updateHundred: func(s *subject, c *caller) call {
			return call{"PATCH", "/items", changesOf(s, c, func(row int) any { return row + 1 })}
		},
	},
	fill:  func(_ *subject, rows []row) call { return call{"POST", "/items", recordsOf(rows)} },
	total: func(body []byte) (int64, error) { return totalIn(body, "total") },
}

func items(path string, parameters url.Values) call {
	return call{"GET", "/items" + path + "?" + parameters.Encode(), nil}
}

func itemID(row int) string { return strconv.Itoa(row + 1) }

func (b *bench) startBaseline(ctx context.Context, services *local.Services) error {
	p := &program{dialect: &baselineDialect, name: "baseline"}
	b.subjects = append(b.subjects, &subject{program: p, side: 0, rows: b.set.rows, relation: "item"})
	database, err := b.prepare(ctx, services, p)
	if err != nil {
		return err
	}
	return p.start(ctx, filepath.Join(b.set.bin, "baseline"), b.set.dir, []string{"DATABASE_URL=" + database})
}
