package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz/seal"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
)

// A Message is a mail in plain text.
type Message struct {
	To      string // an address that was checked
	Subject string
	Text    string
}

// Mailer hands a message to whoever delivers it.
type Mailer interface {
	Send(ctx context.Context, m Message) error
}

// What people wait for has workers of its own, so that no number of invitations delays it.
const (
	securityQueue   = "mail_security"
	invitationQueue = "mail_invitation"
)

// Queues are the job queues of mails, with how many mails of each a process sends at once.
func Queues() map[string]int { return map[string]int{securityQueue: 4, invitationQueue: 2} }

const (
	sendTimeout = 30 * time.Second // of handing one mail to the mail server

	securityAttempts   = 8  // over about an hour and a quarter
	invitationAttempts = 12 // over about eleven hours
)

// Priorities within securityQueue.
const (
	resetPriority = iota + 1
	noticePriority
	verificationPriority
)

// The jobs. Their rows persist, so none holds a token: the worker makes it as it sends the mail. What a notice tells
// is sealed.
type (
	noticeMail struct {
		Sealed []byte `json:"sealed"`
	}
	resetMail struct {
		Email string `json:"email"`
	}
	verificationMail struct {
		Person uuid.UUID `json:"person"`
	}
	invitationMail struct {
		Org        uuid.UUID `json:"org"`
		Invitation uuid.UUID `json:"invitation"`
	}
)

func (noticeMail) Kind() string       { return "mail_notice" }
func (resetMail) Kind() string        { return "mail_reset" }
func (verificationMail) Kind() string { return "mail_verification" }
func (invitationMail) Kind() string   { return "mail_invitation" }

const noticeLabel = "a notice" // bound to what is sealed

// outbox queues mails, and sends them off the path of requests: how long an answer takes must not tell whether an
// address is known.
type outbox struct {
	db      *db.DB
	jobs    *job.Client
	mailer  Mailer // nil when the service sends no mail
	secrets seal.Keys
}

// requireMailer returns an error of kind unavailable when this service sends no mail at all.
func (o *outbox) requireMailer() error {
	if o.mailer != nil {
		return nil
	}
	e := &problem.Error{
		Kind:    problem.KindUnavailable,
		Message: "This service sends no mail, because none was set up. Ask whoever runs it.",
	}
	return e.WithCode("no_mail")
}

// queueNoticeTx queues a notice in the transaction of what it tells, of any door. Without a mail server it does nothing.
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

// queue adds a job in a transaction of its own. It returns an error of kind unavailable when that fails, so that
// nobody is told that a mail is on its way.
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
	return e.WithCode("mail_not_queued").Because(cause)
}

// registerWorkers says how the jobs are worked.
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
		message, err := s.composeReset(ctx, j.Email)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j verificationMail) error {
		message, err := s.composeVerification(ctx, j.Person)
		return s.outbox.send(ctx, message, err)
	})
	job.Handle(jobs, func(ctx context.Context, j invitationMail) error {
		message, err := s.composeInvitation(ctx, j.Org, j.Invitation)
		return s.outbox.send(ctx, message, err)
	})
}

// send hands a mail to the mailer, unless writing it failed or there is none to send.
func (o *outbox) send(ctx context.Context, message *Message, err error) error {
	if err != nil || message == nil {
		return err
	}
	if o.mailer == nil {
		return job.Cancel(errors.New("a mail waits, and no mail server is configured"))
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return o.mailer.Send(ctx, *message)
}
