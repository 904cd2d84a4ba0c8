package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/tenancy/webhook"
)

// A program is a receiver that somebody else has written.
type program struct {
	t       *testing.T
	address string
	lines   chan string
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// start starts a program of Node.js that listens on an address, and waits until it does.
func start(t *testing.T, dir, file, address, secret string) *program {
	t.Helper()
	_, port, _ := net.SplitHostPort(address)
	command := exec.CommandContext(context.WithoutCancel(t.Context()), interoptest.Node(t), file)
	command.Dir, command.Stderr = dir, os.Stderr
	command.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret, "PORT="+port)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{t, address, make(chan string, 100)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-done
		_ = command.Wait()
	})
	for range 500 {
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			_ = conn.Close()
			return p
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s does not listen", file)
	return nil
}

func (p *program) next() string {
	p.t.Helper()
	select {
	case line := <-p.lines:
		return line
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program says nothing")
		return ""
	}
}

func (p *program) silent() {
	p.t.Helper()
	select {
	case line := <-p.lines:
		p.t.Errorf("the program says %s", line)
	case <-time.After(200 * time.Millisecond):
	}
}

// post sends a body with the headers of a message.
func (p *program) post(header map[string]string, body string) int {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, "http://"+p.address,
		strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestStandardLibraryVerifiesMessages(t *testing.T) {
	t.Parallel()
	w, address := setup(t), freeAddress(t)
	hook, secret := w.hook("http://"+address, webhook.Subscription{Values: true})
	p := start(t, interoptest.Dir(t), "webhook.mjs", address, secret)
	if line := p.next(); line != `{"ready":true}` {
		t.Fatal(line)
	}
	made := w.create(`{"Note":"Ærø ☃"}`)
	w.run(hook)
	if line := p.next(); line != `{"type":"base.changed","changes":1}` {
		t.Error(line)
	}
	// With two secrets, a receiver that has the former one goes on.
	_, _, err := w.store.RotateSecret(w.ctx, w.actor.Org, w.base, hook)
	w.must(err)
	w.update(made, `{"Note":"2"}`)
	w.run(hook)
	if line := p.next(); line != `{"type":"base.changed","changes":1}` {
		t.Error(line)
	}
	w.exec("update rowhouse.webhook set old_secret_until = now() where org_id = $1", w.actor.Org)
	w.update(made, `{"Note":"3"}`)
	w.worker.Tune([]time.Duration{time.Hour}, time.Hour, 0, time.Minute)
	w.run(hook)
	if line := p.next(); !strings.Contains(line, "refused") {
		t.Error(line)
	}
}

// The receiver of the documentation, which uses no library.
func TestReceiverOfTheDocumentationVerifiesMessages(t *testing.T) {
	t.Parallel()
	const dir = "../../examples/webhook"
	code, err := os.ReadFile(dir + "/receiver.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile("../../docs/how-to/receive-webhooks.md"); err != nil || !bytes.Contains(page, code) {
		t.Errorf("docs/how-to/receive-webhooks.md does not have the receiver of examples/webhook: %v", err)
	}
	w, address := setup(t), freeAddress(t)
	hook, secret := w.hook("http://"+address, webhook.Subscription{})
	p := start(t, dir, "receiver.mjs", address, secret)
	made := w.create(`{"Note":"1"}`)
	w.run(hook)
	if line := p.next(); line != "created "+made {
		t.Error(line)
	}
	one := w.deliveries(hook)[0]
	if one.State != webhook.Delivered {
		t.Fatalf("%+v", one)
	}
	w.must(w.store.SendAgain(w.ctx, w.actor.Org, w.base, hook, one.ID)) // is known
	w.run(hook)
	p.silent()

	const body = `{"type":"base.changed","data":{"changes":[{"kind":"deleted","record":"rec_forged"}]}}`
	key := w.keyOf(secret)
	signed := webhook.Sign("dlv_forged", time.Now(), []byte(body), key)
	for name, header := range map[string]map[string]string{
		"no signature":    {},
		"another key":     webhook.Sign("dlv_forged", time.Now(), []byte(body), make([]byte, 32)),
		"another body":    webhook.Sign("dlv_forged", time.Now(), []byte(body+" "), key),
		"an old message":  webhook.Sign("dlv_forged", time.Now().Add(-6*time.Minute), []byte(body), key),
		"another id":      with(signed, "webhook-id", "dlv_other"),
		"another time":    with(signed, "webhook-timestamp", "1"),
		"no time":         with(signed, "webhook-timestamp", ""),
		"a bad signature": with(signed, "webhook-signature", "v1,%%%"),
	} {
		if status := p.post(header, body); status != http.StatusUnauthorized {
			t.Errorf("%s is answered with %d", name, status)
		}
	}
	p.silent()
	if status := p.post(signed, body); status != http.StatusNoContent || p.next() != "deleted rec_forged" {
		t.Error("what the tests forge would not be taken if it were signed")
	}
}

// with returns headers of which one is another.
func with(header map[string]string, name, value string) map[string]string {
	out := map[string]string{}
	for key, old := range header {
		out[key] = old
	}
	out[name] = value
	return out
}
