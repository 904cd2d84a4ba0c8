package feed_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/history/feed"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

func TestChangesOfComments(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table, elsewhere := w.table("Things"), w.table("Elsewhere")
	things := w.create(table, `{"Name":"A"}`, `{"Name":"B"}`)
	start := w.now()
	write := func(one, replyTo string) comment.Comment {
		t.Helper()
		number, row, err := id.ParseRecord(one)
		w.must(err)
		made, err := w.comments.Create(w.ctx, w.actor, number,
			comment.Draft{Record: row, Text: "a secret", ReplyTo: replyTo})
		w.must(err)
		return made
	}
	first := write(things[0], "")
	w.update(things[0], `{"Name":"C"}`)
	reply := write(things[0], first.PublicID())
	admin := record.Actor{Org: w.actor.Org, Person: w.actor.Person, Admin: true}
	_, err := w.comments.Edit(w.ctx, admin, table.Number, reply.ID, "another secret", nil)
	w.must(err)
	for _, done := range []bool{true, true, false} {
		_, err := w.comments.Resolve(w.ctx, admin, table.Number, reply.ID, done)
		w.must(err)
	}
	w.must(w.comments.Delete(w.ctx, admin, table.Number, reply.ID))
	write(w.create(elsewhere, `{"Name":"D"}`)[0], "")

	lines := func(changes []change) (out []string) {
		for _, c := range changes {
			out = append(out, fmt.Sprint(c.Kind, " ", c.Action))
			if c.Kind != "commented" {
				continue
			}
			if c.Table == table.PublicID() && (c.Record != things[0] || c.Thread != first.PublicID() ||
				c.Comment != first.PublicID() && c.Comment != reply.PublicID()) ||
				c.Before != nil || c.After != nil || c.Person.ID != id.Format(id.User, w.actor.Person) ||
				c.ChangeSet != id.Format(id.ChangeSet, w.set) {
				t.Errorf("a change of a comment is %+v", c)
			}
		}
		return out
	}
	want := []string{
		"commented created", "updated ", "commented created", "commented edited", "commented resolved",
		"commented reopened", "commented deleted", "created ", "commented created",
	}
	// Who may not see the schema sees comments.
	reader := feed.Viewer{}
	for _, limit := range []int{1, 2, 3, 100} {
		if got := lines(w.read(start, limit, feed.Filter{Viewer: &reader})); !slices.Equal(got, want) {
			t.Errorf("read %q, and not %q", got, want)
		}
	}
	only := feed.Filter{Viewer: &reader, Kinds: []changelog.Kind{changelog.Updated, changelog.Created}}
	if got := lines(w.read(start, 2, only)); !slices.Equal(got, []string{"updated ", "created "}) {
		t.Errorf("without comments, read %q", got)
	}
	only.Kinds, only.Tables = []changelog.Kind{changelog.Commented}, append(only.Tables, elsewhere.ID)
	if got := lines(w.read(start, 2, only)); !slices.Equal(got, []string{"commented created"}) {
		t.Errorf("of one table, read %q", got)
	}
	page, err := w.Read(w.ctx, w.actor.Org, w.base, start, 1, feed.Filter{})
	w.must(err)
	if number := page.Changes[0].Record(); id.FormatRecord(table.Number, number) != things[0] {
		t.Errorf("the change is of the record %s", number)
	}
}

// Two transactions may draw the same number, so a comment and a record of its table may share one.
func TestACommentWithTheNumberOfARecord(t *testing.T) {
	t.Parallel()
	w := setup(t)
	table := w.table("Things")
	things := w.create(table, `{"Name":"A"}`, `{"Name":"B"}`, `{"Name":"C"}`)
	start := w.now()
	_, row, err := id.ParseRecord(things[1])
	w.must(err)
	for range 2 {
		_, err := w.comments.Create(w.ctx, w.actor, table.Number, comment.Draft{Record: row, Text: "Look"})
		w.must(err)
	}
	for _, one := range append(things, w.create(table, `{"Name":"Late"}`)...) { // some are older than the comments
		w.update(one, `{"Name":"Z"}`)
	}
	log := changelog.Relation(w.actor.Org)
	w.must(w.db.SchemaTx(w.ctx, w.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(w.ctx, "update "+log+" set number = (select max(number) from "+log+
			" where kind = 2) where kind = 20")
		return err
	}))
	// The last record's entry, and both comments behind it.
	const want = "created updated updated updated updated commented commented"
	for _, limit := range []int{1, 2, 3, 4, 100} {
		kinds := ""
		for _, c := range w.read(start, limit, feed.Filter{}) {
			kinds += " " + c.Kind
		}
		if strings.TrimSpace(kinds) != want {
			t.Errorf("by %d, read%s", limit, kinds)
		}
	}
}

// A change of two tables is two entries of the log with one number, more than a page of one may have.
func TestAChangeOfSeveralTablesEnds(t *testing.T) {
	t.Parallel()
	w := setup(t)
	one, other := w.table("One"), w.table("Other")
	start := w.now()
	w.link(one, other, "Others", true)
	for _, limit := range []int{1, 2, 100} {
		read := w.read(start, limit, feed.Filter{})
		if len(read) != 2 || read[0].Table == read[1].Table || read[0].Object != "field" {
			t.Errorf("by %d, read %+v", limit, read)
		}
	}
}
