package db

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
)

// A textCache keeps one copy of each statement's text. Every connection keeps the texts of the
// statements that it prepared. The record engine builds its statements for each request, so without
// the cache each connection would keep its own copy.
type textCache struct {
	kept *lru.Cache[string, string]
}

const (
	// keptTexts is enough for the statements of some hundred tables in use at a time, of one to two
	// KB each.
	keptTexts = 4096
	// longText is the length, in bytes, from which a text is not kept here: a filter of many
	// conditions on a table of many fields, which hardly comes again.
	longText = 16 << 10
)

func newTextCache() *textCache {
	kept, err := lru.New[string, string](keptTexts)
	if err != nil {
		panic(err) // the size is positive
	}
	return &textCache{kept}
}

// share replaces each text of a batch by the cached copy.
func (t *textCache) share(b *pgx.Batch) {
	for _, q := range b.QueuedQueries {
		if len(q.SQL) >= longText {
			continue
		}
		if held, ok := t.kept.Get(q.SQL); ok {
			q.SQL = held
		} else {
			t.kept.Add(q.SQL, q.SQL)
		}
	}
}
