package rowhousetest

import (
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Mailbox is an SMTP server that stores the mail it receives. It implements as much of RFC 5321
// as the service needs.
type Mailbox struct {
	listener net.Listener

	mu    sync.Mutex
	mails map[string][]string // texts by recipient
}

// NewMailbox starts a mail server that ends with the test.
func NewMailbox(t testing.TB) *Mailbox {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	m := &Mailbox{listener: listener, mails: map[string][]string{}}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go m.serve(conn)
		}
	}()
	return m
}

// URL returns the server's URL, for SMTP_URL.
func (m *Mailbox) URL() string { return "smtp://" + m.listener.Addr().String() }

// Count returns the number of mails received so far.
func (m *Mailbox) Count() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, texts := range m.mails {
		n += len(texts)
	}
	return n
}

// Await waits for a mail to an address whose text contains a word, and returns the newest one. Mail
// is sent in the background.
func (m *Mailbox) Await(t testing.TB, to, word string) string {
	t.Helper()
	for range 500 {
		m.mu.Lock()
		texts := m.mails[strings.ToLower(to)]
		m.mu.Unlock()
		for i := len(texts) - 1; i >= 0; i-- {
			if strings.Contains(texts[i], word) {
				return texts[i]
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("no mail to %s with %q has arrived", to, word)
	return ""
}

func (m *Mailbox) serve(conn net.Conn) {
	c := textproto.NewConn(conn)
	defer func() { _ = c.Close() }()
	var to []string
	say := func(line string) bool { return c.PrintfLine("%s", line) == nil }
	if !say("220 mailbox") {
		return
	}
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		answer := "250 OK"
		switch verb, rest, _ := strings.Cut(line, ":"); strings.ToUpper(verb) {
		case "RCPT TO":
			to = append(to, strings.ToLower(strings.Trim(rest, " <>")))
		case "DATA":
			if !say("354 Go on") {
				return
			}
			text, err := mailText(c.DotReader())
			if err != nil {
				return
			}
			m.mu.Lock()
			for _, address := range to {
				m.mails[address] = append(m.mails[address], text)
			}
			m.mu.Unlock()
			to = nil
		case "QUIT":
			say("221 Bye")
			return
		}
		if !say(answer) {
			return
		}
	}
}

// mailText returns the decoded text of a mail without attachments.
func mailText(source io.Reader) (string, error) {
	message, err := mail.ReadMessage(source)
	if err != nil {
		return "", err
	}
	body := message.Body
	switch strings.ToLower(message.Header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}
