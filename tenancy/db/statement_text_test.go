package db

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/jackc/pgx/v5"
)

func TestEqualStatementsShareOneText(t *testing.T) {
	t.Parallel()
	kept := newTextCache()
	var copies []*byte
	for range 2 {
		b := &pgx.Batch{}
		b.Queue(strings.Clone("select 1"))
		b.Queue(strings.Clone("select 2"))
		kept.share(b)
		if one, two := b.QueuedQueries[0].SQL, b.QueuedQueries[1].SQL; !strings.HasPrefix(one, "select 1 /* ") ||
			!strings.HasPrefix(two, "select 2 /* ") {
			t.Fatalf("the statements became %q and %q", one, two)
		}
		copies = append(copies, unsafe.StringData(b.QueuedQueries[0].SQL))
	}
	if copies[0] != copies[1] {
		t.Error("the second batch holds a copy of its own")
	}
}

// The names of prepared statements, which are digests of their texts, cannot be computed from
// outside the process, nor from another statement's text.
func TestStatementsHaveASecretText(t *testing.T) {
	t.Parallel()
	kept, other := newTextCache(), newTextCache()
	secretOf := func(text string) string { return text[strings.Index(text, " /* "):] }
	const sql = "select 1 from rowhouse.member"
	if first := kept.text(sql); first != kept.text(sql) || first != kept.mark(sql) {
		t.Error("a statement has more than one text")
	}
	if secretOf(kept.text(sql)) == secretOf(kept.text(sql+"ship")) ||
		secretOf(kept.text(sql)) == secretOf(other.text(sql)) {
		t.Error("statements or processes share a secret")
	}
	if long := sql + strings.Repeat(" ", longText); kept.text(long) == long {
		t.Error("a long statement has no secret text")
	}
}
