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
		if one, two := b.QueuedQueries[0].SQL, b.QueuedQueries[1].SQL; one != "select 1" || two != "select 2" {
			t.Fatalf("the statements became %q and %q", one, two)
		}
		copies = append(copies, unsafe.StringData(b.QueuedQueries[0].SQL))
	}
	if copies[0] != copies[1] {
		t.Error("the second batch holds a copy of its own")
	}
}
