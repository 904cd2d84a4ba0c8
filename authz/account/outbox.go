package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/seal"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
)

// A Message is a plain-text mail.
type Message struct {
	To      string // a validated address
	Subject string
	Text    string
}

// Mailer sends mails.
type Mailer interface {
	Send(ctx context.Context, m Message) error
}

// Security mails have their own queue, so that invitations and comments do not delay them.
const (
	securityQueue   = "mail_security"
	invitationQueue = "mail_invitation"
	commentQueue    = "mail_comment"
)

// Queues returns the job queues of mails, with the number of concurrent workers of each per
// process.
func Queues() map[string]int {
	return map[string]int{securityQueue: 4, invitationQueue: 2, commentQueue: 2}
}

const (
	sendTimeout = 30 * time.Second // of sending one mail

	securityAttempts   = 8  // over about 75 minutes
	invitationAttempts = 12 // over about 11 hours
	commentAttempts    = 10 // over about 4 hours
)

// Priorities within securityQueue.
const (
	resetPriority = iota + 1
	noticePriority
	verificationPriority
)

// The job arguments. They are stored, so they contain no token: the worker creates it when it sends
// the mail. The content of a notice is encrypted. Language is that of the page on which the person
// asked for the mail, for those who chose none.
type (
	noticeMail struct {
		Sealed []byte `json:"sealed"`
	}
	resetMail struct {
		Email    string `json:"email"`
		Language string `json:"language,omitempty"`
	}
	verificationMail struct {
		Person   uuid.UUID `json:"person"`
		Language string    `json:"language,omitempty"`
	}
	addressMail struct {
		Person   uuid.UUID `json:"person"`
		Email    string    `json:"email"` // the new one
		Language string    `json:"language,omitempty"`
	}
	invitationMail struct {
		Org        uuid.UUID `json:"org"`
		Invitation uuid.UUID `json:"invitation"`
		At         time.Time `json:"at"` // when it was queued
	}
	commentMail struct {
		Org    uuid.UUID `json:"org"`
		Notice uuid.UUID `json:"notice"`
		At     time.Time `json:"at"` // when it was queued
	}
)

func (noticeMail) Kind() string       { return "mail_notice" }
func (resetMail) Kind() string        { return "mail_reset" }
func (verificationMail) Kind() string { return "mail_verification" }
func (addressMail) Kind() string      { return "mail_address" }
func (invitationMail) Kind() string   { return "mail_invitation" }
func (commentMail) Kind() string      { return "mail_comment" }

const noticeLabel = "a notice" // label of encrypted notices; part of stored rows

// outbox queues mails and sends them in the background, so that response times do not reveal
// whether an address has an account.
type outbox struct {
	db      *db.DB
	jobs    *job.Client
	mailer  Mailer // nil when the service sends no mail
	secrets seal.Keys
}

// requireMailer returns an error of kind unavailable when no mailer is configured.
func (o *outbox) requireMailer() error {
	if o.mailer != nil {
		return nil
	}
	e := &problem.Error{
		Kind:    problem.KindUnavailable,
		Message: "This service sends no mail, because none was set up. Ask whoever runs it.",
	}
	return e.WithCode(problem.CodeNoMail)
}

// queueNoticeTx queues a notice in the transaction of the change. Without a mailer it does nothing.
func (o *outbox) queueNoticeTx(ctx context.Context, tx pgx.Tx, notice pendingNotice) error {
	if o.mailer == nil {
		return nil
	}
	plain, err := json.Marshal(notice)
	if err != nil {
		return fmt.Errorf("encoding a notice: %w", err)
	}
	return o.jobs.InsertTx(ctx, tx, noticeMail{o.secrets.Seal(plain, noticeLabel)},
		job.InsertOptions{Queue: securityQueue, Priority: noticePriority, Attempts: securityAttempts})
}

// queue adds a job in its own transaction. It returns an error of kind unavailable when that fails.
func (o *outbox) queue(ctx context.Context, args job.Args, to job.InsertOptions) error {
	if err := o.requireMailer(); err != nil {
		return err
	}
	err := o.db.SystemTx(ctx, func(tx pgx.Tx) error { return o.jobs.InsertTx(ctx, tx, args, to) })
	if err != nil {
		return notQueued(err)
	}
	return nil
}

func notQueued(cause error) error {
	e := &problem.Error{
		Kind: problem.KindUnavailable, RetryAfter: 10 * time.Second,
		Message: "The mail could not be sent just now. Try again in a moment.",
	}
	return e.WithCode(problem.CodeMailNotQueued).Because(cause)
}

// registerWorkers registers the workers of the mail queues.
func (s *Service) registerWorkers(jobs *job.Client) {
	job.Handle(jobs, func(ctx context.Context, j noticeMail) error {
		plain, err := s.outbox.secrets.Open(j.Sealed, noticeLabel)
		if err != nil {
			return job.Cancel(err)
		}
		var notice pendingNotice
		if err := json.Unmarshal(plain, &notice); err != nil {
			return job.Cancel(fmt.Errorf("decoding a notice: %w", err))
		}
		message, err := s.composeNotice(ctx, notice)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j resetMail) error {
		message, err := s.composeReset(ctx, j)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j verificationMail) error {
		message, err := s.composeVerification(ctx, j)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j addressMail) error {
		message, err := s.composeAddress(ctx, j)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j invitationMail) error {
		message, err := s.composeInvitation(ctx, j)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j commentMail) error {
		message, err := s.composeComment(ctx, j)
		return s.outbox.send(ctx, message, err)
	})
}

// send sends a composed mail. It returns err if composing failed, and does nothing for a nil
// message.
func (o *outbox) send(ctx context.Context, message *Message, err error) error {
	if err != nil || message == nil {
		return err
	}
	if o.mailer == nil {
		return job.Cancel(errors.New("a mail is queued, but no mail server is configured"))
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return o.mailer.Send(ctx, *message)
}
