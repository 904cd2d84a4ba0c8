package mailer_test

import (
	"bufio"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"unicode"

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

// A mail is sent in ASCII, and read as it was written.
func TestTextOfEveryLanguageIsEncoded(t *testing.T) {
	t.Parallel()
	for _, sent := range []account.Message{
		{
			To: "kari@example.com", Subject: "Bestätigen Sie Ihre E-Mail-Adresse – für „Müller & Söhne“, und zwar " +
				"möglichst noch heute",
			Text: "Guten Tag Jürgen,\n\nöffnen Sie\n\nhttps://example.com/x?token=abc\n\n" +
				strings.Repeat("Größe, Maß und Übermut. ", 20) + "\n\n— Rowhouse\n",
		},
		{
			To: "kari@example.com", Subject: "Invitation à rejoindre «\u00a0Noël\u00a0»",
			Text: "Bonjour Zoë,\n\nsi ce n’était pas vous, ignorez cet e-mail\u00a0: rien n’a changé.\n",
		},
	} {
		address, said := server(t)
		smtp, err := mailer.NewSMTP("smtp://"+address, "Rowhouse <no-reply@example.com>")
		if err != nil {
			t.Fatal(err)
		}
		if err := smtp.Send(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
		raw := <-said
		if i := strings.IndexFunc(raw, func(c rune) bool { return c > unicode.MaxASCII }); i >= 0 {
			t.Errorf("not ASCII: %q", raw[i:])
		}
		_, data, _ := strings.Cut(raw, "DATA\n")
		data, _, _ = strings.Cut(data, "\n.\n")
		message, err := mail.ReadMessage(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
		if err != nil || subject != sent.Subject {
			t.Errorf("the subject is %q, %v", subject, err)
		}
		if encoding := message.Header.Get("Content-Transfer-Encoding"); encoding != "quoted-printable" {
			t.Fatalf("the encoding is %q", encoding)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(message.Body))
		if err != nil || strings.TrimRight(string(text), "\n") != strings.TrimRight(sent.Text, "\n") {
			t.Errorf("the text is %q, %v", text, err)
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
