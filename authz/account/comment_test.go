package account_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/tenancy/comment"
)

// awaitComment waits for the mail of a comment to an address.
func (b *testBundle) awaitComment(t *testing.T, to string) account.Message {
	t.Helper()
	for range 4000 {
		for _, m := range b.box.Mail() {
			if m.To == to && strings.Contains(m.Subject, "comment") {
				return m.Message
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("no mail of a comment came to %s", to)
	return account.Message{}
}

func TestCommentMailSaysWhoAndWhere(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	b := setup(t, func(d *account.Deps) {
		d.CommentLetter = func(_ context.Context, _, notice uuid.UUID) (*comment.Letter, error) {
			if asked.Add(1) == 1 { // the comment is not committed yet
				return nil, nil //nolint:nilnil // as the store does
			}
			return &comment.Letter{
				Person: notice, Reason: comment.Mention, Author: "https://evil.example", Organization: "Harbour",
				Base: "Fleet", Table: "Ships", Title: "Solveig", BaseID: "bas_1", TableID: "tbl_1", Record: "rec_1",
				Comment: "cmt_1",
			}, nil
		}
	})
	reader, to := b.signUp(t)
	if err := b.TrustAddress(t.Context(), reader); err != nil {
		t.Fatal(err)
	}
	if err := b.Comment(t.Context(), uuid.New(), reader); err != nil {
		t.Fatal(err)
	}
	m := b.awaitComment(t, to)
	for _, part := range []string{
		"mentioned you", "Harbour", "Fleet", "Ships", "Solveig",
		"http://127.0.0.1:8080/base/bas_1/tbl_1?record=rec_1&comment=cmt_1", "/settings/notifications",
	} {
		if !strings.Contains(m.Subject+m.Text, part) {
			t.Errorf("%q is not in %s", part, m.Text)
		}
	}
	if strings.Contains(m.Subject+m.Text, "evil.example") {
		t.Errorf("a name is a link in %s", m.Text)
	}
}

func TestUnconfirmedAddressGetsNoCommentMail(t *testing.T) {
	t.Parallel()
	b := setup(t, func(d *account.Deps) {
		d.CommentLetter = func(_ context.Context, _, notice uuid.UUID) (*comment.Letter, error) {
			return &comment.Letter{Person: notice, Reason: comment.Mention, Author: "Ann"}, nil
		}
	})
	unconfirmed, nowhere := b.signUp(t)
	confirmed, to := b.signUp(t)
	if err := b.TrustAddress(t.Context(), confirmed); err != nil {
		t.Fatal(err)
	}
	for _, person := range []uuid.UUID{unconfirmed, confirmed} {
		if err := b.Comment(t.Context(), uuid.New(), person); err != nil {
			t.Fatal(err)
		}
	}
	b.awaitComment(t, to)
	time.Sleep(200 * time.Millisecond) // the first job has begun earlier
	for _, m := range b.box.Mail() {
		if m.To == nowhere && strings.Contains(m.Subject, "comment") {
			t.Errorf("mailed to an address that is not confirmed: %s", m.Subject)
		}
	}
}
