package comment_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A bundle is an organization with an owner and another member, and a table with one record.
type bundle struct {
	*comment.Store

	owner, other record.Actor
	base         *schema.Base
	table        *schema.Table
	row          uuid.UUID
	mailed       []uuid.UUID // notices that were announced
}

func setup(t *testing.T) *bundle {
	t.Helper()
	shared := tenancytest.DB(t)
	store := catalog.NewStore(shared, catalog.Options{})
	org, owner := tenancytest.Org(t, shared)
	b := &bundle{
		Store: comment.New(shared, record.New(shared, store)),
		owner: record.Actor{Org: org, Person: owner, Admin: true},
	}
	b.other = record.Actor{Org: org, Person: b.join(t, organization.Editor)}
	var err error
	if b.base, err = store.CreateBase(t.Context(), org, uuid.Nil, "Base"); err != nil {
		t.Fatal(err)
	}
	if b.table, err = store.CreateTable(t.Context(), org, b.base.ID, "Ships", nil); err != nil {
		t.Fatal(err)
	}
	b.row = b.addRecord(t, "Solveig")
	return b
}

func (b *bundle) join(t *testing.T, role organization.Role) uuid.UUID {
	t.Helper()
	person := tenancytest.Person(t, b.DB)
	if err := tenancytest.Join(t, b.DB, b.owner.Org, person, role); err != nil {
		t.Fatal(err)
	}
	return person
}

func (b *bundle) addRecord(t *testing.T, name string) uuid.UUID {
	t.Helper()
	made, err := b.Records.Create(t.Context(), b.owner, b.table.ID, record.Creation{
		Records: []jsonvalue.ParsedObject{jsonvaluetest.ParseObject([]byte(`{"Name":"` + name + `"}`))},
	})
	if err != nil {
		t.Fatal(err)
	}
	var one struct{ ID string }
	if err := json.Unmarshal(made.Records[0], &one); err != nil {
		t.Fatal(err)
	}
	_, row, err := id.ParseRecord(one.ID)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// as is a context for what an actor writes.
func (b *bundle) as(t *testing.T, actor record.Actor) context.Context {
	t.Helper()
	return db.WithActor(t.Context(), db.Actor{Person: actor.Person, Credential: "key_test", ChangeSet: id.New()})
}

func (b *bundle) announce(_ context.Context, _, notice uuid.UUID) error {
	b.mailed = append(b.mailed, notice)
	return nil
}

func (b *bundle) write(t *testing.T, actor record.Actor, text, replyTo string) comment.Comment {
	t.Helper()
	made, err := b.try(t, actor, text, replyTo)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (b *bundle) try(t *testing.T, actor record.Actor, text, replyTo string) (comment.Comment, error) {
	t.Helper()
	return b.Create(b.as(t, actor), actor, b.table.Number, comment.Draft{
		Record: b.row, Text: text, ReplyTo: replyTo, Announce: b.announce,
	})
}

func (b *bundle) list(t *testing.T) []comment.Comment {
	t.Helper()
	page, err := b.List(t.Context(), b.owner.Org, b.table.Number, b.row, nil, comment.MaxPage)
	if err != nil {
		t.Fatal(err)
	}
	return page.Comments
}

func (b *bundle) inbox(t *testing.T, person uuid.UUID) comment.InboxPage {
	t.Helper()
	page, err := b.Inbox(t.Context(), b.owner.Org, comment.InboxQuery{Person: person, Limit: comment.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func mention(person uuid.UUID) string { return "@[Anybody](" + id.Format(id.User, person) + ")" }

func texts(comments []comment.Comment) string {
	var list []string
	for i := range comments {
		list = append(list, comments[i].Text)
	}
	return strings.Join(list, ", ")
}

func wantKind(t *testing.T, err error, kind problem.Kind, words ...string) {
	t.Helper()
	if err == nil || problem.KindOf(err) != kind {
		t.Fatalf("got %v, want an error of kind %s", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
}
