// Package mailer sends the mails of package account over SMTP, or keeps them in memory for
// development and tests. It does not decide what a mail contains.
package mailer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/rowhouse/rowhouse/authz/account"
)

// SMTP sends mails to a mail server, with one connection per mail.
type SMTP struct {
	client *gomail.Client
	from   *mail.Address
}

var _ account.Mailer = (*SMTP)(nil)

// NewSMTP returns a mailer for the server of a URL, with a sender address such as "Rowhouse
// <no-reply@example.com>".
//
//	smtp://user:password@host:587   TLS by STARTTLS, required unless the host is a loopback address
//	smtps://user:password@host:465  implicit TLS
//
// User, password and port are optional. Errors do not contain the URL, because it contains a
// password.
func NewSMTP(serverURL, from string) (*SMTP, error) {
	sender, err := mail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("reading the sender of mails: %w", err)
	}
	u, err := url.Parse(serverURL)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, errors.New("reading the address of the mail server: it must be smtp:// or smtps:// with a host")
	}
	options := []gomail.Option{gomail.WithTimeout(20 * time.Second)}
	port := 587
	switch {
	case u.Scheme == "smtps":
		options, port = append(options, gomail.WithSSL()), 465
	case loopback(u.Hostname()):
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("reading the address of the mail server: the port is not a number")
		}
	}
	options = append(options, gomail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("configuring the mail client: %w", err)
	}
	return &SMTP{client: client, from: sender}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// Send implements account.Mailer.
func (s *SMTP) Send(ctx context.Context, m account.Message) error {
	message := gomail.NewMsg()
	message.FromMailAddress(s.from)
	if err := message.To(m.To); err != nil {
		return fmt.Errorf("addressing a mail: %w", err)
	}
	message.Subject(m.Subject)
	message.SetDate()
	message.SetMessageID()
	// Prevents automatic replies (RFC 3834 section 5).
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if err := s.client.DialAndSendWithContext(ctx, message); err != nil {
		return fmt.Errorf("sending a mail: %w", err)
	}
	return nil
}

// Box keeps the latest mails in memory, for development and tests. It is safe for concurrent use.
type Box struct {
	mu   sync.Mutex
	mail []Delivered
}

// Delivered is a mail in a Box.
type Delivered struct {
	account.Message
	At time.Time
}

const boxSize = 100

var _ account.Mailer = (*Box)(nil)

// Send implements account.Mailer.
func (b *Box) Send(_ context.Context, m account.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mail = append(b.mail, Delivered{m, time.Now()})
	if extra := len(b.mail) - boxSize; extra > 0 {
		b.mail = slices.Delete(b.mail, 0, extra)
	}
	return nil
}

// Mail returns the mails, newest first.
func (b *Box) Mail() []Delivered {
	b.mu.Lock()
	defer b.mu.Unlock()
	mail := slices.Clone(b.mail)
	slices.Reverse(mail)
	return mail
}
