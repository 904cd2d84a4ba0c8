package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A process is a running service.
type process struct {
	name        string
	cmd         *exec.Cmd
	log         *os.File
	logStart    int64 // offset in the log at which this run starts
	stopSignals []os.Signal
	done        chan struct{}
	err         error // set before done is closed
}

// startProcess starts cmd as acc in its own process group, so that Ctrl-C in a terminal reaches
// only this process and the services end after the program that uses them. stopSignals stop it, the
// gentlest first; the kernel sends the first one if this process dies without having stopped it.
func startProcess(
	name string,
	cmd *exec.Cmd,
	logPath string,
	acc *account,
	stopSignals ...syscall.Signal,
) (*process, error) {
	log, err := openLog(logPath)
	if err != nil {
		return nil, err
	}
	logStart, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("find the end of %s: %w", logPath, err), log.Close())
	}
	p := &process{name: name, cmd: cmd, log: log, logStart: logStart, done: make(chan struct{})}
	for _, s := range stopSignals {
		p.stopSignals = append(p.stopSignals, s)
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = cleanEnv()
	cmd.SysProcAttr = acc.attributes(stopSignals[0])
	started := make(chan error)
	go func() {
		// The kernel sends the parent-death signal when the thread that forked ends, so this thread
		// must outlive the child.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", name, err), log.Close())
	}
	return p, nil
}

// waitUntilReady polls ready until it returns true, the process ends, startTimeout has passed or
// ctx is done.
func (p *process) waitUntilReady(ctx context.Context, ready func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			return fmt.Errorf("%s did not start: %w", p.name, p.exitError())
		case <-ctx.Done():
			return fmt.Errorf("%s did not become ready: %w\n%s", p.name, ctx.Err(), p.logTail())
		case <-ticker.C:
			if ready() {
				return nil
			}
		}
	}
}

// stop sends each of the stop signals in turn, then kills the process. A nil process is already
// stopped.
func (p *process) stop(ctx context.Context) error {
	if p == nil {
		return nil
	}
	defer p.log.Close() //nolint:errcheck // only the child writes to it
	for _, signal := range append(p.stopSignals, os.Kill) {
		if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop %s: %w", p.name, err)
		}
		select {
		case <-p.done:
			return nil
		case <-ctx.Done():
		}
		// Time is up; each of the remaining signals gets a few seconds.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
	}
	return fmt.Errorf("stop %s: process %d does not end", p.name, p.cmd.Process.Pid)
}

// exitError returns how the process ended, with the end of its log.
func (p *process) exitError() error {
	how := "exit status 0"
	if p.err != nil {
		how = p.err.Error()
	}
	return fmt.Errorf("%s\n%s\n(full log: %s)", how, p.logTail(), p.log.Name())
}

// logTail returns the end of what this run has logged.
func (p *process) logTail() string {
	const maxBytes = 2000
	info, err := os.Stat(p.log.Name()) //nolint:gosec // a file that it opened itself
	if err != nil {
		return err.Error()
	}
	b := make([]byte, min(max(info.Size()-p.logStart, 0), maxBytes))
	f, err := os.Open(p.log.Name()) //nolint:gosec // a file that it opened itself
	if err != nil {
		return err.Error()
	}
	defer f.Close() //nolint:errcheck // opened for reading
	n, err := f.ReadAt(b, info.Size()-int64(len(b)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err.Error()
	}
	return strings.TrimSpace(string(b[:n]))
}

// openLog opens the log for appending, and truncates it if it has grown large.
func openLog(path string) (*os.File, error) {
	const maxSize = 16 << 20
	mode := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() > maxSize {
		mode |= os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of a local service: %w", err)
	}
	return f, nil
}

// startOnFreePort calls start with port, or with another port if that one is not free. Another
// program can take the port between the check and the start, so a start that failed for this reason
// is repeated.
func startOnFreePort(ctx context.Context, port *int, start func() (*process, error)) (*process, error) {
	for attempt := 1; ; attempt++ {
		if err := freePort(ctx, port); err != nil {
			return nil, err
		}
		p, err := start()
		if err == nil || attempt == 5 || !strings.Contains(err.Error(), "Address already in use") {
			return p, err
		}
		*port = 0
	}
}

func freePort(ctx context.Context, port *int) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", loopback(*port))
	if err != nil && *port != 0 {
		l, err = config.Listen(ctx, "tcp", loopback(0))
	}
	if err != nil {
		return fmt.Errorf("look for a free port: %w", err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); ok {
		*port = at.Port
	}
	return l.Close()
}

// cleanEnv returns an environment without the caller's own settings (PGDATA, PGOPTIONS, another
// locale), because this package parses the services' messages.
//
// The two settings of malloc keep memory in a process between statements. Without them the layout of the
// heap decides whether glibc returns a sort's 8 MB to the kernel. Where a page fault is slow, as on some
// virtual machines, a statement of 20 ms then takes 40. mallopt(3) describes them, in bytes.
func cleanEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC",
		"MALLOC_TRIM_THRESHOLD_=67108864", "MALLOC_MMAP_THRESHOLD_=33554432",
	}
}
