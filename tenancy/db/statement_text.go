package db

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
)

// texts holds one copy of each statement's text. Every connection keeps the texts of the statements that it has prepared, and the record
// engine writes its statements anew for every request: a connection would keep a copy of its own.
type textCache struct {
	kept *lru.Cache[string, string]
}

const (
	// keptTexts is enough for the statements of some hundred tables in use at a time, of one to two KB each.
	keptTexts = 4096
	// longText is the length, in bytes, from which a text is not kept here: a filter of many conditions on a table of many fields, which hardly
	// comes again.
	longText = 16 << 10
)

func newTextCache() *textCache {
	kept, err := lru.New[string, string](keptTexts)
	if err != nil {
		panic(err) // the size is positive
	}
	return &textCache{kept}
}

// share puts the copy that others hold in place of each text of a batch.
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
