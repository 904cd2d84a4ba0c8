package db

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A textCache keeps one copy of each statement's text. Every connection keeps the texts of the
// statements that it prepared. The record engine builds its statements for each request, so without
// the cache each connection would keep its own copy.
//
// It also appends a comment to each text that nobody can compute without the secret of this process.
// The driver names a prepared statement by a digest of its text, and a connection serves one
// organization after another. Whoever could guess a name and run SQL of their own in one
// organization could have PostgreSQL explain the plans of another one's statements, which contain
// estimates of its records, or replace the statement that the next organization enters with, and so
// keep its key.
type textCache struct {
	kept   *lru.Cache[[2]uint64, string]
	seeds  [2]maphash.Seed
	secret []byte
}

const (
	// keptTexts is enough for the statements of some hundred tables in use at a time, of one to two
	// KB each.
	keptTexts = 4096
	// longText is the length, in bytes, from which a text is not cached: a filter of many conditions on
	// a table of many fields, which is unlikely to come again.
	longText = 16 << 10
)

func newTextCache() *textCache {
	kept, err := lru.New[[2]uint64, string](keptTexts)
	if err != nil {
		panic(err) // the size is positive
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return &textCache{kept, [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, secret}
}

// text returns the text to send for a statement.
func (t *textCache) text(sql string) string {
	if len(sql) >= longText {
		return t.mark(sql)
	}
	key := [2]uint64{maphash.String(t.seeds[0], sql), maphash.String(t.seeds[1], sql)} // 128 bits do not collide
	if cached, ok := t.kept.Get(key); ok {
		return cached
	}
	marked := t.mark(sql)
	t.kept.Add(key, marked)
	return marked
}

// mark appends the comment, which differs by statement because current_query() shows it to whoever adds
// SQL to a statement.
func (t *textCache) mark(sql string) string {
	mac := hmac.New(sha256.New, t.secret)
	_, _ = mac.Write([]byte(sql)) // never fails
	return sql + " /* " + hex.EncodeToString(mac.Sum(nil)[:16]) + " */"
}

// share replaces the texts of a batch.
func (t *textCache) share(b *pgx.Batch) {
	for _, q := range b.QueuedQueries {
		q.SQL = t.text(q.SQL)
	}
}

// A textTx replaces the texts of the statements of a transaction.
type textTx struct {
	pgx.Tx
	texts *textCache
}

func (t textTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.Tx.Exec(ctx, t.texts.text(sql), args...)
}

func (t textTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.Tx.Query(ctx, t.texts.text(sql), args...)
}

func (t textTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return t.Tx.QueryRow(ctx, t.texts.text(sql), args...)
}

func (t textTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	t.texts.share(b)
	return t.Tx.SendBatch(ctx, b)
}
