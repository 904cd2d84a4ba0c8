package comment_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/history"
	"github.com/rowhouse/rowhouse/tenancy/revert"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func TestThreadsComeLatestFirstAndTheirCommentsInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.write(t, b.owner, "one", "")
	reply := b.write(t, b.other, "one, again", first.PublicID())
	b.write(t, b.owner, "two", "")
	b.write(t, b.owner, "one, at last", reply.PublicID()) // a reply to a reply is one to the thread
	const want = "two, one, one, again, one, at last"
	if got := texts(b.list(t)); got != want {
		t.Errorf("listed %s", got)
	}
	var paged []comment.Comment
	var after *comment.Position
	for more := true; more; {
		page, err := b.List(t.Context(), b.owner.Org, b.table.Number, b.row, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		paged, more = append(paged, page.Comments...), page.More
		last := page.Comments[len(page.Comments)-1]
		after = &comment.Position{Thread: last.Thread, Comment: last.ID}
	}
	if got := texts(paged); got != want {
		t.Errorf("paged %s", got)
	}
}

func TestTextIsChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := tenancytest.Person(t, b.DB)
	for text, words := range map[string][]string{
		" \n\t":                                {"text", "empty"},
		strings.Repeat("ß", comment.MaxText+1): {"text", "10000", "10001"},
		"see " + mention(stranger):             {"text", "Anybody", id.Format(id.User, stranger), "not a member"},
		"see @[Ann](usr_nonsense)":             {"text", "Ann", "usr_nonsense"},
	} {
		_, err := b.try(t, b.owner, text, "")
		wantKind(t, err, problem.KindInvalid, words...)
	}
	for name, replyTo := range map[string]string{
		"nonsense": "cmt_x", "a record": id.FormatRecord(b.table.Number, b.row),
		"a missing one": id.FormatComment(b.table.Number, id.New()),
	} {
		_, err := b.try(t, b.owner, name, replyTo)
		wantKind(t, err, problem.KindInvalid, "replyTo", replyTo)
	}
	b.write(t, b.owner, strings.Repeat("ß", comment.MaxText), "")
	if n := len(b.list(t)); n != 1 {
		t.Errorf("%d comments were written", n)
	}
}

func TestAReplyIsOfTheSameRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	elsewhere := b.write(t, b.owner, "here", "")
	b.row = b.addRecord(t, "Aase")
	_, err := b.try(t, b.owner, "there", elsewhere.PublicID())
	wantKind(t, err, problem.KindInvalid, "replyTo")
}

func TestMentionsHaveTheNamesOfMembers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.write(t, b.owner, "for "+mention(b.other.Person)+" and "+mention(b.other.Person), "")
	if made.Credential != "key_test" || len(made.Mentions) != 1 || made.Mentions[0].ID != b.other.Person ||
		made.Mentions[0].Name == nil {
		t.Fatalf("mentioned %+v", made.Mentions)
	}
	if strings.Contains(made.Text, "Anybody") || strings.Count(made.Text, *made.Mentions[0].Name) != 2 {
		t.Errorf("the text is %q", made.Text)
	}
}

func TestOnlyTheAuthorEditsAndAdminsDelete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	number := b.table.Number
	theirs, mine := b.write(t, b.other, "theirs", ""), b.write(t, b.owner, "mine", "")
	_, err := b.Edit(b.as(t, b.owner), b.owner, number, theirs.ID, "changed", nil)
	wantKind(t, err, problem.KindForbidden)
	err = b.Delete(b.as(t, b.other), b.other, number, mine.ID)
	wantKind(t, err, problem.KindForbidden)
	changed, err := b.Edit(b.as(t, b.other), b.other, number, theirs.ID, "better", nil)
	if err != nil || changed.Text != "better" || changed.EditedAt == nil {
		t.Errorf("edited %+v %v", changed, err)
	}
	if err := b.Delete(b.as(t, b.owner), b.owner, number, theirs.ID); err != nil {
		t.Error(err)
	}
	if got := texts(b.list(t)); got != "mine" {
		t.Errorf("left %s", got)
	}
	_, err = b.Edit(b.as(t, b.other), b.other, number, theirs.ID, "again", nil)
	wantKind(t, err, problem.KindNotFound)
}

func TestADeletedBeginningKeepsItsReplies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.write(t, b.owner, "first "+mention(b.other.Person), "")
	reply := b.write(t, b.other, "reply", first.PublicID())
	remove := func(c comment.Comment) {
		t.Helper()
		if err := b.Delete(b.as(t, b.owner), b.owner, b.table.Number, c.ID); err != nil {
			t.Fatal(err)
		}
	}
	remove(first)
	left := b.list(t)
	if len(left) != 2 || left[0].Text != "" || left[0].DeletedAt == nil || len(left[0].Mentions) != 0 ||
		left[1].Text != "reply" {
		t.Fatalf("left %+v", left)
	}
	if n := len(b.inbox(t, b.other.Person).Notices); n != 0 {
		t.Errorf("%d notices are left of a deleted comment", n)
	}
	err := b.Delete(b.as(t, b.owner), b.owner, b.table.Number, first.ID)
	wantKind(t, err, problem.KindNotFound)
	remove(reply)
	if left := b.list(t); len(left) != 0 {
		t.Errorf("left %+v", left)
	}
}

func TestARepliedThreadOpensAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.write(t, b.owner, "first", "")
	reply := b.write(t, b.other, "reply", first.PublicID())
	done, err := b.Resolve(b.as(t, b.other), b.other, b.table.Number, reply.ID, true)
	if err != nil || done.ID != first.ID || done.ResolvedAt == nil || done.ResolvedBy.ID != b.other.Person {
		t.Fatalf("resolved %+v %v", done, err)
	}
	again, err := b.Resolve(b.as(t, b.owner), b.owner, b.table.Number, first.ID, true)
	if err != nil || !again.ResolvedAt.Equal(*done.ResolvedAt) {
		t.Errorf("resolved twice: %+v %v", again, err)
	}
	b.write(t, b.owner, "wait", first.PublicID())
	if open := b.list(t)[0]; open.ResolvedAt != nil || open.ResolvedBy != nil {
		t.Errorf("the thread is %+v", open)
	}
}

func TestCommentsEndWithTheRecordAndComeBackWithIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	made := b.write(t, b.owner, "first "+mention(b.other.Person), "")
	public := id.FormatRecord(b.table.Number, b.row)
	kept := history.NewTrash(history.TrashDeps{
		DB: b.DB, Schema: b.Records.Schema(), Records: b.Records, Restorer: revert.New(b.DB, b.Records),
	})
	remove := func() {
		t.Helper()
		if _, err := b.Records.DeleteOne(t.Context(), b.owner, public); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	_, err := b.List(t.Context(), b.owner.Org, b.table.Number, b.row, nil, 10)
	wantKind(t, err, problem.KindNotFound)
	_, err = b.Get(t.Context(), b.owner.Org, b.table.Number, made.ID)
	wantKind(t, err, problem.KindNotFound)
	_, err = b.try(t, b.owner, "reply", made.PublicID())
	wantKind(t, err, problem.KindNotFound)
	_, err = b.Edit(b.as(t, b.owner), b.owner, b.table.Number, made.ID, "x", nil)
	wantKind(t, err, problem.KindNotFound)
	if page := b.inbox(t, b.other.Person); len(page.Notices) != 0 || page.Unread != 0 {
		t.Errorf("the inbox has %+v", page)
	}
	if err := b.SweepOrg(t.Context(), b.owner.Org); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Restore(t.Context(), b.owner, b.base.ID, []string{public}, false); err != nil {
		t.Fatal(err)
	}
	if got := b.list(t); len(got) != 1 || got[0].ID != made.ID {
		t.Errorf("restored %+v", got)
	}
	if page := b.inbox(t, b.other.Person); len(page.Notices) != 1 || page.Unread != 1 {
		t.Errorf("the inbox has %+v", page)
	}
	remove()
	if err := kept.Purge(t.Context(), b.owner, b.base.ID, []string{public}); err != nil {
		t.Fatal(err)
	}
	if n := b.stored(t); n != 0 {
		t.Errorf("%d comments are left of a purged record", n)
	}
}

// stored counts the comments of the organization in the database.
func (b *bundle) stored(t *testing.T) (n int) {
	t.Helper()
	err := b.DB.Batch(t.Context(), b.owner.Org, func(batch *pgx.Batch) {
		batch.Queue("select count(*) from rowhouse.comment where org_id = $1", b.owner.Org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCommentsOfRecordsThatCannotComeBackAreSwept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.write(t, b.owner, "stays", "")
	gone := b.addRecord(t, "Gone")
	stays := b.row
	b.row = gone
	b.write(t, b.owner, "goes", "")
	if _, err := b.Records.DeleteOne(t.Context(), b.owner, id.FormatRecord(b.table.Number, gone)); err != nil {
		t.Fatal(err)
	}
	b.row = stays
	if err := b.Sweep(t.Context()); err != nil || b.stored(t) != 2 {
		t.Errorf("%d are left while the record can come back: %v", b.stored(t), err)
	}
	err := b.DB.SchemaTx(t.Context(), b.owner.Org, func(tx pgx.Tx) error { // as when the history ends
		_, err := tx.Exec(t.Context(), "delete from "+changelog.Relation(b.owner.Org)+" where kind = 3")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SweepOrg(t.Context(), b.owner.Org); err != nil {
		t.Fatal(err)
	}
	if got := texts(b.list(t)); got != "stays" || b.stored(t) != 1 {
		t.Errorf("left %s of %d", got, b.stored(t))
	}
}

func TestAPurgedTableTakesItsComments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.write(t, b.owner, "first", "")
	store := b.Records.Schema()
	if err := store.DeleteTable(t.Context(), b.owner.Org, b.table.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.SweepOrg(t.Context(), b.owner.Org); err != nil || b.stored(t) != 1 {
		t.Fatalf("%d are left of a table in the trash: %v", b.stored(t), err)
	}
	if _, err := store.PurgeBefore(t.Context(), b.owner.Org, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if n := b.stored(t); n != 0 {
		t.Errorf("%d comments are left of a purged table", n)
	}
}

func TestARevertPassesOverComments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := id.New()
	ctx := db.WithActor(t.Context(), db.Actor{Person: b.owner.Person, Credential: "key_test", ChangeSet: set})
	public := id.FormatRecord(b.table.Number, b.row)
	_, err := b.Records.UpdateOne(ctx, b.owner, public,
		jsonvaluetest.ParseObject([]byte(`{"Name":"Aase"}`)), false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Create(ctx, b.owner, b.table.Number, comment.Draft{Record: b.row, Text: "Why?"})
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []revert.Request{
		{ChangeSets: []uuid.UUID{set}, DryRun: true},
		{Credential: "key_test", Since: time.Now().Add(-time.Hour)},
	} {
		plan, err := revert.New(b.DB, b.Records).Revert(t.Context(), b.owner, b.base.ID, request)
		if err != nil || plan.Records != 1 {
			t.Fatalf("the plan is %+v %v", plan, err)
		}
	}
	now, err := b.Records.Get(t.Context(), b.owner, public)
	if err != nil || !strings.Contains(string(now), "Solveig") || texts(b.list(t)) != "Why?" {
		t.Errorf("left %s %v, %s", now, err, texts(b.list(t)))
	}
}

func TestAnotherOrganizationSeesNoComment(t *testing.T) {
	t.Parallel()
	b, stranger := setup(t), setup(t)
	made := b.write(t, b.owner, "secret", "")
	number := b.table.Number
	_, err := stranger.Get(t.Context(), stranger.owner.Org, number, made.ID)
	wantKind(t, err, problem.KindNotFound)
	_, err = stranger.Edit(stranger.as(t, stranger.owner), stranger.owner, number, made.ID, "x", nil)
	wantKind(t, err, problem.KindNotFound)
	// Not even with the number of a table of their own.
	err = stranger.Delete(stranger.as(t, stranger.owner), stranger.owner, stranger.table.Number, made.ID)
	wantKind(t, err, problem.KindNotFound)
	_, err = stranger.try(t, stranger.owner, "reply", id.FormatComment(stranger.table.Number, made.ID))
	wantKind(t, err, problem.KindInvalid, "replyTo")
}

func TestOpenThreadsAreCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, org, number := t.Context(), b.owner.Org, b.table.Number
	count := func(want ...comment.Count) {
		t.Helper()
		got, some, err := b.Count(ctx, org, number, []uuid.UUID{b.row})
		if err != nil || !slices.Equal(got, want) || !some {
			t.Errorf("counted %+v, %v, %v, and not %+v", got, some, err, want)
		}
	}
	if got, some, err := b.Count(ctx, org, number, []uuid.UUID{b.row}); len(got) > 0 || some || err != nil {
		t.Errorf("without comments, counted %v, %v, %v", got, some, err)
	}
	first := b.write(t, b.owner, "One", "")
	second := b.write(t, b.other, "Two", "")
	reply := b.write(t, b.other, "Reply", first.PublicID())
	count(comment.Count{Record: b.row, Threads: 2, Comments: 3, Latest: second.ID})
	if _, some, err := b.Count(ctx, org, number, nil); !some || err != nil {
		t.Errorf("whether there are any: %v, %v", some, err)
	}
	if _, err := b.Resolve(b.as(t, b.owner), b.owner, number, second.ID, true); err != nil {
		t.Fatal(err)
	}
	count(comment.Count{Record: b.row, Threads: 1, Comments: 2, Latest: first.ID})
	if err := b.Delete(b.as(t, b.owner), b.owner, number, first.ID); err != nil { // its reply is still discussed
		t.Fatal(err)
	}
	count(comment.Count{Record: b.row, Threads: 1, Comments: 1, Latest: first.ID})
	if err := b.Delete(b.as(t, b.other), b.other, number, reply.ID); err != nil {
		t.Fatal(err)
	}
	count()
	stranger := setup(t)
	_, _, err := stranger.Count(ctx, stranger.owner.Org, number, []uuid.UUID{b.row})
	wantKind(t, err, problem.KindNotFound)
}
