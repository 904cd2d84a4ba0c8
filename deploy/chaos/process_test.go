//go:build chaos

package chaos

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
)

// A process is a running service.
type process struct {
	cmd     *exec.Cmd
	base    string
	listen  string // its address
	metrics string
	log     string
	ended   chan error
}

// start starts the service and waits until it is ready. env extends its configuration.
func (e *environment) start(t *testing.T, env ...string) *process {
	t.Helper()
	return e.startBinary(t, e.binary, env...)
}

// startDirect is start without the proxies, which are in the process of the test: its work would be measured with the
// service's.
func (e *environment) startDirect(t *testing.T) *process {
	t.Helper()
	return e.start(t, "DATABASE_URL="+e.direct, "REDIS_URL="+e.redisURL)
}

func (e *environment) startBinary(t *testing.T, binary string, env ...string) *process {
	t.Helper()
	p := &process{ended: make(chan error, 1)}
	address, metrics := freeAddress(t), freeAddress(t)
	p.listen, p.base, p.metrics = address, "http://"+address, "http://"+metrics+"/metrics"
	p.log = filepath.Join(e.dir, "service.log")
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(binary, "serve")
	p.cmd.Env = append([]string{
		"DATABASE_URL=" + through(t, e.direct, e.postgres), "REDIS_URL=" + through(t, e.redisURL, e.redis),
		"BASE_URL=" + p.base, "LISTEN_ADDR=" + address, "METRICS_ADDR=" + metrics, "SECRET_KEY=" + secretKey,
		"ATTACHMENT_URL=file://" + filepath.Join(e.dir, "files"),
		"CREDENTIAL_RATE=0", "ORGANIZATION_RATE=0", "ADDRESS_RATE=0", "OAUTH_RATE=0", "CONSENT_RATE=0",
		"REGISTRATION_RATE=0", "ALLOWED_NETWORKS=127.0.0.1/32",
		"SMTP_URL=" + rowhousetest.NewMailbox(t).URL(), "MAIL_FROM=Rowhouse <no-reply@rowhouse.example>",
	}, env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.ended <- p.cmd.Wait()
		_ = log.Close()
	}()
	for range 600 {
		select {
		case err := <-p.ended:
			t.Fatalf("the service ended while starting: %v; see %s", err, p.log)
		default:
		}
		if status, _, _ := e.request(
			&process{base: "http://" + address}, http.MethodGet, "/readyz", "", "",
		); status == http.StatusOK {
			t.Cleanup(p.kill)
			return p
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the service did not become ready; see %s", p.log)
	return nil
}

// kill ends the process with SIGKILL, as if its machine were lost.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	if err, open := <-p.ended; open {
		p.ended <- err
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
