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

// The names of prepared statements on record tables, which are digests of their texts, cannot be
// computed from outside the organization.
func TestStatementsOnRecordTablesHaveASecretText(t *testing.T) {
	t.Parallel()
	ours, theirs := `"org_06h0cpr8ydtcv5addtj0yees5g"`, `"org_06h0cpg3z9wsxfry20e4ckt34w"`
	kept, other := newTextCache(), newTextCache()
	select1 := func(c *textCache, schema string) string { return c.text("select 1 from " + schema + ".t_1") }
	secretOf := func(text string) string { return text[strings.Index(text, "/*"):] }
	if kept.text("select 1 from rowhouse.member") != "select 1 from rowhouse.member" {
		t.Error("a statement on a shared table has a secret text")
	}
	if secretOf(select1(kept, ours)) != secretOf(kept.text("select 2 from "+ours+".t_2")) {
		t.Error("an organization has more than one secret")
	}
	secret := secretOf(select1(kept, ours))
	if secret == secretOf(select1(kept, theirs)) || secret == secretOf(select1(other, ours)) {
		t.Error("organizations or processes share a secret")
	}
	if long := select1(kept, ours+strings.Repeat(" ", longText)); !strings.HasSuffix(long, secretOf(select1(kept, ours))) {
		t.Error("a long statement has no secret text")
	}
}
