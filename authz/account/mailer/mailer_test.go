package mailer_test

import (
	"bufio"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/authz/account"
	"github.com/rowhouse/rowhouse/authz/account/mailer"
)

// server implements a minimal SMTP server for one mail and returns what the client sent.
func server(t *testing.T) (address string, said <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	all := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		var received strings.Builder
		answer := func(text string) { _, _ = conn.Write([]byte(text + "\r\n")) }
		answer("220 test")
		data := false
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			line := lines.Text()
			received.WriteString(line + "\n")
			switch {
			case data && line == ".":
				data = false
				answer("250 taken")
			case data:
			case strings.HasPrefix(line, "EHLO"):
				answer("250 test")
			case line == "DATA":
				data = true
				answer("354 go on")
			case line == "QUIT":
				answer("221 bye")
				all <- received.String()
				return
			default:
				answer("250 ok")
			}
		}
	}()
	return listener.Addr().String(), all
}

func TestSMTPSendsTheMessage(t *testing.T) {
	t.Parallel()
	address, said := server(t)
	smtp, err := mailer.NewSMTP("smtp://"+address, "Rowhouse <no-reply@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	err = smtp.Send(t.Context(), account.Message{
		To:      "kari@example.com",
		Subject: "Grüße",
		Text:    "Hello Kåri,\n\n.\nhttps://example.com/x?token=abc\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := <-said
	for _, want := range []string{
		"MAIL FROM:<no-reply@example.com>", "RCPT TO:<kari@example.com>", `From: "Rowhouse" <no-reply@example.com>`,
		"Auto-Submitted: auto-generated", "Message-ID: <", "Content-Type: text/plain; charset=UTF-8",
		"https://example.com/x?token=3Dabc", "Subject: =?UTF-8?",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestSubjectCannotInjectHeaders(t *testing.T) {
	t.Parallel()
	address, said := server(t)
	smtp, err := mailer.NewSMTP("smtp://"+address, "no-reply@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := smtp.Send(
		t.Context(), account.Message{To: "kari@example.com", Subject: "Join x\r\nBcc: eve@example.com", Text: "x"},
	); err != nil {
		return // refused is as good
	}
	if got := <-said; strings.Contains(got, "\nBcc:") || strings.Contains(got, "RCPT TO:<eve") {
		t.Fatal(got)
	}
}

func TestInvalidServerURLErrorOmitsThePassword(t *testing.T) {
	t.Parallel()
	secret := url.UserPassword("kari", "hush").String()
	for _, wrong := range []string{
		"", "mail.example.com:25", "http://" + secret + "@mail.example.com", "smtp://" + secret + "@",
		"smtp://" + secret + "@mail.example.com:x",
	} {
		if _, err := mailer.NewSMTP(
			wrong, "no-reply@example.com",
		); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := mailer.NewSMTP("smtp://mail.example.com", "nobody"); err == nil {
		t.Error("an invalid sender is accepted")
	}
}

func TestBoxKeepsTheLatestMails(t *testing.T) {
	t.Parallel()
	var box mailer.Box
	for _, subject := range strings.Split(strings.Repeat("x,", 150)+"last", ",") {
		_ = box.Send(t.Context(), account.Message{Subject: subject})
	}
	if mail := box.Mail(); len(mail) != 100 || mail[0].Subject != "last" {
		t.Fatalf("%d, %q", len(mail), mail[0].Subject)
	}
}
