package account

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
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

const (
	mailQueue   = 256
	mailWorkers = 2
	mailTries   = 3
)

// outbox writes and sends mails off the path of requests: how long an answer takes must not tell whether an address is known.
// What waits when a process dies is lost; people ask again.
type outbox struct {
	mailer Mailer
	log    *slog.Logger
	jobs   chan func(ctx context.Context) (*Message, error)
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu     sync.RWMutex
	closed bool
}

func newOutbox(mailer Mailer, log *slog.Logger) *outbox {
	ctx, cancel := context.WithCancel(context.Background())
	o := &outbox{mailer: mailer, log: log, jobs: make(chan func(context.Context) (*Message, error), mailQueue), cancel: cancel}
	for range mailWorkers {
		o.done.Go(func() {
			for job := range o.jobs {
				o.run(ctx, job)
			}
		})
	}
	return o
}

// put queues a mail. write makes it, in the background; it returns nil when there is none to send.
func (o *outbox) put(write func(ctx context.Context) (*Message, error)) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		o.log.Error("a mail was dropped: the service is stopping")
		return
	}
	select {
	case o.jobs <- write:
	default:
		o.log.Error("a mail was dropped: too many wait")
	}
}

func (o *outbox) run(ctx context.Context, write func(ctx context.Context) (*Message, error)) {
	message, err := write(ctx)
	if err != nil {
		o.log.ErrorContext(ctx, "a mail could not be written", slog.Any("error", err))
		return
	}
	if message == nil {
		return
	}
	for try := range mailTries {
		if err = o.send(ctx, message); err == nil {
			return
		}
		o.log.WarnContext(ctx, "a mail could not be sent", slog.String("subject", message.Subject), slog.Int("try", try+1), slog.Any("error", err))
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(1+4*try) * time.Second):
		}
	}
	o.log.ErrorContext(ctx, "a mail was given up", slog.String("subject", message.Subject), slog.Any("error", err))
}

func (o *outbox) send(ctx context.Context, message *Message) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return o.mailer.Send(ctx, *message)
}

// close sends what waits, for as long as ctx allows.
func (o *outbox) close(ctx context.Context) {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	close(o.jobs)
	stop := context.AfterFunc(ctx, o.cancel)
	o.done.Wait()
	stop()
	o.cancel()
}

const signature = "\n\n— Rowhouse\n"

func (s *Service) verifyMessage(to, name, token string) *Message {
	return &Message{to, "Confirm your e-mail address", fmt.Sprintf(`Hello %s,

please confirm that this is your e-mail address by opening

%s/verify-email?token=%s

The link works for %s. If you did not sign up, ignore this mail, and nobody can confirm your address: opening the link asks for
the password of the account unless you are signed in.`,
		name, s.BaseURL, token, days(verifyLife)) + signature}
}

func (s *Service) resetMessage(to, name, token string) *Message {
	return &Message{to, "Reset your password", fmt.Sprintf(`Hello %s,

somebody, hopefully you, asked to reset the password of your account. To choose a new one, open

%s/reset-password?token=%s

The link works once, for an hour. All sessions are signed out when you use it, and all API keys and
connected apps end unless you want to keep them. If it was not you, ignore this mail: nothing has changed.`, name, s.BaseURL, token) + signature}
}

// Invite mails the link of an invitation. An address that was invited very often within an hour gets no more mails; the link
// works nevertheless.
func (s *Service) Invite(_ context.Context, email, orgName, inviterName, link string) error {
	s.outbox.put(func(ctx context.Context) (*Message, error) {
		if err := s.attempts.take(ctx, mailByAccount, "invite "+email); err != nil {
			return nil, fmt.Errorf("an invitation is not mailed: %w", err)
		}
		return &Message{email, "Invitation to " + orgName, fmt.Sprintf(`Hello,

%s invites you to join %s on Rowhouse. To accept, open

%s

The link is meant for %s and works for two weeks. If you do not know what this is about, ignore it.`,
			inviterName, orgName, link, email) + signature}, nil
	})
	return nil
}

func days(d time.Duration) string { return fmt.Sprintf("%d days", int(d.Hours()/24)) }
