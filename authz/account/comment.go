package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/account/mailtext"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/job"
)

// Comment queues the mail of a notice of a comment, whose transaction has not committed yet. It does
// nothing if the service sends no mail: the inbox has the notice.
func (s *Service) Comment(ctx context.Context, org, notice uuid.UUID) error {
	if s.outbox.mailer == nil {
		return nil
	}
	return s.outbox.queue(ctx, commentMail{org, notice, time.Now()},
		job.InsertOptions{Queue: commentQueue, Attempts: commentAttempts})
}

// composeComment returns the mail of a notice. It is nil if there is nothing to mail any more, and
// beyond the limit of the recipient.
func (s *Service) composeComment(ctx context.Context, j commentMail) (*Message, error) {
	letter, err := s.CommentLetter(ctx, j.Org, j.Notice)
	if err == nil && letter == nil && time.Since(j.At) < commitTime {
		return nil, job.Snooze(time.Second)
	}
	if err != nil || letter == nil {
		return nil, err
	}
	var to recipient
	err = s.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		// Whoever signs up with a foreign address gives it no mails.
		return tx.QueryRow(ctx, `select email, name, language from rowhouse.person
			where id = $1 and email_verified is not null`, letter.Person).Scan(&to.email, &to.name, &to.language)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // nothing to send
	}
	if err != nil {
		return nil, fmt.Errorf("reading an address: %w", err)
	}
	if err := s.attempts.Take(ctx, commentByRecipient, letter.Person.String()); err != nil {
		if problem.KindOf(err) != problem.KindRateLimited {
			return nil, err
		}
		s.Log.WarnContext(ctx, "a comment is not mailed", "error", err)
		return nil, nil //nolint:nilnil // nothing to send
	}
	return s.commentMessage(to, letter), nil
}

// commentMessage has no text of the comment: an agent may have written it, and a mail of the service is
// trusted.
func (s *Service) commentMessage(to recipient, l *comment.Letter) *Message {
	record := l.Title
	if record != "" {
		record = mailSafeName(record)
	}
	say := mailtext.For(to.language)
	return to.message(say, say.Comment(mailtext.Comment{
		Author: mailSafeName(l.Author), Reply: l.Reason == comment.Reply, Organization: mailSafeName(l.Organization),
		Base: mailSafeName(l.Base), Table: mailSafeName(l.Table), Record: record,
		Link: fmt.Sprintf("%s/base/%s/%s?record=%s&comment=%s", s.BaseURL, l.BaseID, l.TableID, l.Record,
			l.Comment),
		Settings: s.BaseURL + "/settings/notifications",
	}))
}
