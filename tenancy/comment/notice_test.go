package comment_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

func TestThoseWhoWroteAreNotified(t *testing.T) {
	t.Parallel()
	b := setup(t)
	third := b.join(t, organization.Viewer)
	first := b.write(t, b.owner, "first "+mention(third)+mention(b.owner.Person), "")
	b.write(t, b.other, "reply "+mention(third), first.PublicID())
	reasons := func(person uuid.UUID) (list []string) {
		for _, n := range b.inbox(t, person).Notices {
			list = append(list, string(n.Reason)+" in "+n.Title)
		}
		return list
	}
	for person, want := range map[uuid.UUID][]string{
		b.owner.Person: {"reply in Solveig"}, b.other.Person: nil,
		third: {"mention in Solveig", "mention in Solveig"},
	} {
		if got := reasons(person); !slices.Equal(got, want) {
			t.Errorf("told %v, want %v", got, want)
		}
	}
	if len(b.mailed) != 3 {
		t.Errorf("%d mails", len(b.mailed))
	}
}

func TestAnEditNotifiesOnlyThoseWhoAreNew(t *testing.T) {
	t.Parallel()
	b := setup(t)
	third := b.join(t, organization.Viewer)
	made := b.write(t, b.owner, mention(b.other.Person), "")
	edit := func(text string) {
		t.Helper()
		_, err := b.Edit(b.as(t, b.owner), b.owner, b.table.Number, made.ID, text, b.announce)
		if err != nil {
			t.Fatal(err)
		}
	}
	edit(mention(b.other.Person) + mention(third))
	edit(mention(b.other.Person) + mention(third) + "!")
	if len(b.mailed) != 2 || len(b.inbox(t, third).Notices) != 1 || len(b.inbox(t, b.other.Person).Notices) != 1 {
		t.Errorf("%d mails", len(b.mailed))
	}
	edit("nobody")
	if n := len(b.inbox(t, third).Notices); n != 0 {
		t.Errorf("%d notices are left of a mention that is gone", n)
	}
	edit(mention(third))
	edit("nobody")
	edit(mention(third))
	if n := len(b.inbox(t, third).Notices); n != 1 || len(b.mailed) != 2 {
		t.Errorf("a mention that came back: %d notices, %d mails", n, len(b.mailed))
	}
}

func TestPeopleTurnNoticesOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	off, on := false, true
	set := func(inbox, mail *bool) {
		t.Helper()
		if _, err := b.SetSettings(b.as(t, b.other), b.owner.Org, inbox, mail); err != nil {
			t.Fatal(err)
		}
	}
	counts := func() [2]int { return [2]int{len(b.inbox(t, b.other.Person).Notices), len(b.mailed)} }
	set(nil, &off)
	b.write(t, b.owner, mention(b.other.Person), "")
	if got := counts(); got != [2]int{1, 0} {
		t.Errorf("without mail: %v", got)
	}
	set(&off, &on)
	b.write(t, b.owner, mention(b.other.Person), "")
	if got := counts(); got != [2]int{1, 1} {
		t.Errorf("without the inbox: %v", got)
	}
	set(&off, &off)
	b.write(t, b.owner, mention(b.other.Person), "")
	if got := counts(); got != [2]int{1, 1} {
		t.Errorf("without both: %v", got)
	}
	settings, err := b.Settings(t.Context(), b.owner.Org, b.other.Person)
	if err != nil || settings != (comment.Settings{}) {
		t.Errorf("the settings are %+v %v", settings, err)
	}
}

func TestALetterSaysWhereAndEndsWhenItIsRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.write(t, b.owner, "secret "+mention(b.other.Person), "")
	letter, err := b.Letter(t.Context(), b.owner.Org, b.mailed[0])
	if err != nil || letter == nil || letter.Person != b.other.Person || letter.Title != "Solveig" ||
		letter.Table != "Ships" || letter.Reason != comment.Mention || letter.TableID != b.table.PublicID() {
		t.Fatalf("the letter is %+v %v", letter, err)
	}
	about := &comment.Place{Table: b.table.Number, Record: b.row}
	if err := b.MarkRead(b.as(t, b.other), b.owner.Org, comment.Reading{Record: about}); err != nil {
		t.Fatal(err)
	}
	if letter, err := b.Letter(t.Context(), b.owner.Org, b.mailed[0]); err != nil || letter != nil {
		t.Errorf("what was read is mailed: %+v %v", letter, err)
	}
	b.write(t, b.owner, mention(b.other.Person), "")
	err = b.Records.Schema().RemoveMember(t.Context(), b.owner.Org, organization.Owner, b.other.Person, true)
	if err != nil {
		t.Fatal(err)
	}
	if letter, err := b.Letter(t.Context(), b.owner.Org, b.mailed[1]); err != nil || letter != nil {
		t.Errorf("who has left gets a mail: %+v %v", letter, err)
	}
}

func TestNoticesAreMarkedByTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.write(t, b.owner, mention(b.other.Person), "")
	b.write(t, b.owner, mention(b.other.Person), "")
	notices := b.inbox(t, b.other.Person).Notices
	mark := func(actor record.Actor, in comment.Reading) int {
		t.Helper()
		if err := b.MarkRead(b.as(t, actor), b.owner.Org, in); err != nil {
			t.Fatal(err)
		}
		return b.inbox(t, b.other.Person).Unread
	}
	one := comment.Reading{Notices: []uuid.UUID{notices[0].ID}}
	if n := mark(b.owner, comment.Reading{All: true}); n != 2 {
		t.Errorf("somebody else has read them: %d are left", n)
	}
	if n := mark(b.owner, one); n != 2 {
		t.Errorf("somebody else has read one: %d are left", n)
	}
	beyond := comment.Reading{All: true, Reaches: func(uuid.UUID) bool { return false }}
	if n := mark(b.other, beyond); n != 2 {
		t.Errorf("a credential reads beyond its bases: %d are left", n)
	}
	if n := mark(b.other, one); n != 1 {
		t.Errorf("%d are left", n)
	}
	if n := mark(b.other, comment.Reading{All: true}); n != 0 {
		t.Errorf("%d are left", n)
	}
	page, err := b.Inbox(t.Context(), b.owner.Org, comment.InboxQuery{
		Person: b.other.Person, Limit: 10, Reaches: func(uuid.UUID) bool { return false },
	})
	if err != nil || len(page.Notices) != 0 {
		t.Errorf("a credential sees beyond its bases: %+v %v", page, err)
	}
}
